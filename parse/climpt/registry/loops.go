package registry

// loops are the steps that lead back to themselves, by more than repeating themselves.
func loops(steps []*step) marked {
	l := looking{order: make([]int, len(steps)), done: make(marked, len(steps)), found: make(marked, len(steps))}
	for _, s := range steps {
		if l.order[s.nth] == 0 {
			l.visit(s)
		}
	}
	return l.found
}

// looking is Tarjan's search for the parts of a graph whose steps lead to each other:
// each step and each edge is looked at once.
type looking struct {
	order []int   // in which steps were come to, from 1; 0: not yet
	count int     // of those that were
	open  []*step // those whose part is not known yet
	done  marked
	found marked
}

// visit looks at a step and what it leads to. It gives the first of the open steps that
// can be come to from there.
func (l *looking) visit(s *step) int {
	l.count++
	at, mine := len(l.open), l.count
	first := mine
	l.order[s.nth] = mine
	l.open = append(l.open, s)
	for _, t := range s.leads {
		switch n := l.order[t.nth]; {
		case n == 0:
			first = min(first, l.visit(t))
		case !l.done[t.nth]:
			first = min(first, n)
		}
	}
	if first == mine {
		part := l.open[at:]
		for _, t := range part {
			l.done[t.nth] = true
			l.found[t.nth] = len(part) > 1 || t.toItself()
		}
		l.open = l.open[:at]
	}
	return first
}

// toItself reports whether a step has itself as a target, other than to repeat it.
func (s *step) toItself() bool {
	for _, e := range s.edges {
		if e.to == s.id && e.intent != repeat && !s.section {
			return true
		}
	}
	return false
}
