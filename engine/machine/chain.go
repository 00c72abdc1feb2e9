package machine

// A journal holds a tree: what follows an event stands in the line below it, and
// what follows a Rewound follows the event that it went back to. A run's state is
// the fold of one branch of that tree.

// Chain is the live branch of a journal: the events that the run's state is a fold
// of. Events are numbered from 1 without a gap.
func Chain(all []Event) []Event { return Branch(all, tip(all, len(all))) }

// Branch is the events that lead to the one with number seq, and that one.
func Branch(all []Event, seq int) []Event {
	n := 0
	for at := seq; at > 0; at = before(all, at) {
		n++
	}
	out := make([]Event, n)
	for at := seq; at > 0; at = before(all, at) {
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

// Undo is where to go back to so that a person's last intervention has not happened,
// 0 if there is none.
func Undo(all []Event) int {
	chain := Chain(all)
	for i := len(chain) - 1; i > 0; i-- {
		if !chain[i].Intervenes() {
			continue
		}
		above := chain[i].Seq - 1
		if r, back := all[above-1].Body.(*Rewound); back && r.Join {
			return tip(all, above-1)
		}
		return chain[i-1].Seq
	}
	return 0
}

// Redo is where the run stood before it was last rewound, 0 if something has been
// done since, or it was taken back already.
func Redo(all []Event) int {
	var left []int // the heads of branches that were left, the newest last
	first := len(all)
	for first > 0 {
		if _, back := all[first-1].Body.(*Rewound); !back {
			break
		}
		first--
	}
	for i := first; i < len(all); i++ {
		if all[i].Body.(*Rewound).Redo {
			left = left[:max(0, len(left)-1)]
			continue
		}
		left = append(left, tip(all, i))
	}
	if len(left) == 0 {
		return 0
	}
	return left[len(left)-1]
}

// Intervenes reports whether the event is something that a person did.
func (e Event) Intervenes() bool {
	switch e.Body.(type) {
	case *InputGiven, *Decision, *StepFinished, *Captured, *ActionFinished, *Finished, *Edited:
		return e.By == ByPerson
	default:
		return false
	}
}
