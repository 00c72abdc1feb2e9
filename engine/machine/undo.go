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

// interventions are the places that undo and redo go to, the next one last.
func interventions(all []Event) (undo, redo []int) {
	joined := false // to the Rewound above
	for i, e := range all {
		at := tip(all, i)
		b, back := e.Body.(*Rewound)
		switch {
		case back && b.Undo:
			undo, redo = pop(undo), append(redo, at)
		case back && b.Redo:
			undo, redo = append(undo, at), pop(redo)
		case back:
			undo, redo = append(undo, at), []int{at}
		default:
			redo = nil
			if e.Intervenes() && !joined && at > 0 {
				undo = append(undo, at)
			}
			if _, fork := e.Body.(*Forked); fork && at != i {
				undo = pop(undo) // what it is a fork of is no place of its own
			}
		}
		joined = back && b.Join
	}
	return undo, redo
}

func newest(places []int) int {
	if len(places) == 0 {
		return 0
	}
	return places[len(places)-1]
}

func pop(places []int) []int { return places[:max(0, len(places)-1)] }

// Intervenes reports whether the event is something that a person did.
func (e Event) Intervenes() bool {
	switch e.Body.(type) {
	case *InputGiven, *Decision, *StepFinished, *Captured, *ActionFinished, *Finished, *Edited:
		return e.By == ByPerson
	default:
		return false
	}
}
