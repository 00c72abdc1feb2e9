package machine

// Undo is where to go back to so that a person's last intervention has not happened,
// 0 if there is none. Going back is one too.
func Undo(all []Event) int {
	undo, _ := interventions(all)
	return newest(undo)
}

// Redo is where the run stood before it was last undone or rewound, 0 if something has
// been done since.
func Redo(all []Event) int {
	_, redo := interventions(all)
	return newest(redo)
}

// Undoes is what Undo takes back: something that a person did, if it was to go back for it
// or not, or a going back alone. nil: there is nothing.
func Undoes(all []Event) *Event {
	undo, _ := interventions(all)
	return eventOf(all, undo)
}

// Redoes is what Redo does again.
func Redoes(all []Event) *Event {
	_, redo := interventions(all)
	return eventOf(all, redo)
}

// turn is a place that undo or redo goes to, and the index of what is undone or redone.
type turn struct {
	to, of int
	back   bool // a redo that undoes a going back: it leads to where the run was
}

// interventions are the turns of undo and redo, the next one last.
func interventions(all []Event) (undo, redo []turn) {
	joined := false // to the Rewound above
	for i, e := range all {
		at := tip(all, i)
		b, back := e.Body.(*Rewound)
		switch {
		case back && b.Undo:
			if last(redo).back {
				redo = nil // that is undone now
			}
			undo, redo = pop(undo), append(redo, turn{to: at, of: last(undo).of})
		case back && b.Redo:
			undo, redo = append(undo, turn{to: at, of: last(redo).of}), pop(redo)
		case back:
			undo, redo = append(undo, turn{to: at, of: i}), []turn{{at, i, true}}
		case e.kept(): // one with the Rewound above
		default:
			redo = nil
			if e.Intervenes() && !joined && at > 0 {
				undo = append(undo, turn{to: at, of: i})
			}
			if _, fork := e.Body.(*Forked); fork && at != i {
				undo = pop(undo) // what it is a fork of is no place of its own
			}
		}
		joined = back && b.Join
	}
	return undo, redo
}

func newest(turns []turn) int { return last(turns).to }

func eventOf(all []Event, turns []turn) *Event {
	if len(turns) == 0 {
		return nil
	}
	of := last(turns).of
	if b, back := all[of].Body.(*Rewound); back && b.Join && of+1 < len(all) {
		of++ // what the going back was for
	}
	return &all[of]
}

func last(turns []turn) turn {
	if len(turns) == 0 {
		return turn{}
	}
	return turns[len(turns)-1]
}

func pop(turns []turn) []turn { return turns[:max(0, len(turns)-1)] }

// kept reports whether the event is an edit that a going back has not undone.
func (e Event) kept() bool {
	b, edit := e.Body.(*Edited)
	return edit && b.KeptAcrossRewind
}

// Beside reports whether the event leaves a run over that is, as a trail has it: one that
// went back beyond its end has no end in it.
func (e Event) Beside() bool {
	switch e.Body.(type) {
	case *Edited, *Forked, *Warned, *Approval, *Other, *Rewound:
		return true
	default:
		return false
	}
}

// Intervenes reports whether the event is something that a person did.
func (e Event) Intervenes() bool {
	switch e.Body.(type) {
	case *InputGiven, *Decision, *StepFinished, *Captured, *ActionFinished, *Finished, *Edited, *LimitsUsed:
		return e.By == ByPerson
	default:
		return false
	}
}
