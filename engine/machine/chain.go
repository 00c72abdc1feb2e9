package machine

// A journal holds a tree: what follows an event stands in the line below it, and
// what follows a Rewound follows the event that it went back to. A run's state is
// the fold of one branch of that tree.

// Chain is the live branch of a journal: the events that the run's state is a fold
// of. Events are numbered from 1 without a gap.
func Chain(all []Event) []Event { return Branch(all, len(all)) }

// Branch is the events that lead to the one with number seq, and that one. A Rewound leads
// to where it went back to.
func Branch(all []Event, seq int) []Event {
	n, end := 0, tip(all, seq)
	for at := end; at > 0; at = before(all, at) {
		n++
	}
	out := make([]Event, n)
	for at := end; at > 0; at = before(all, at) {
		n--
		out[n] = all[at-1]
	}
	return out
}

// before is the number of the event that one follows, 0 for the first.
func before(all []Event, seq int) int { return tip(all, seq-1) }

// tip is where a run stands after its first n lines.
func tip(all []Event, n int) int {
	for n > 0 {
		r, back := all[n-1].Body.(*Rewound)
		if !back {
			break
		}
		n = r.To
	}
	return n
}

// Trail is the live branch with the Rewounds that led to it: what a person is shown. Each
// stands behind the event that it went back to.
func Trail(all []Event) []Event {
	var out []Event
	for _, e := range Chain(all) {
		out = append(appendRewound(out, all, e.Seq-1), e)
	}
	return appendRewound(out, all, len(all))
}

// appendRewound adds the Rewound that is the n-th event, if it is one.
func appendRewound(out, all []Event, n int) []Event {
	if n == 0 {
		return out
	}
	if _, back := all[n-1].Body.(*Rewound); back {
		out = append(out, all[n-1])
	}
	return out
}
