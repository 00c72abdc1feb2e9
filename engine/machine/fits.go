package machine

import "fmt"

// fits refuses what cannot happen now.
func (m *Machine) fits(e Event) error {
	if _, start := e.Body.(*Started); start == m.started {
		return fmt.Errorf("event %d: %s does not fit: the run has %s", e.Seq, e.Body.Type(), started(m.started))
	}
	if !m.started {
		return nil
	}
	f := m.top()
	switch b := e.Body.(type) {
	case *Entered:
		return f.known(e, e.StepID())
	case *Edited:
		return f.known(e, e.StepID())
	case *Rewound:
		return fmt.Errorf("event %d: rewound is folded by its chain", e.Seq)
	case *Decision:
		if b.Arrival.Up >= len(m.frames) {
			return fmt.Errorf("event %d: routed leaves %d documents, there are %d", e.Seq, b.Arrival.Up, len(m.frames))
		}
		if b.Arrival.Kind != ToOver {
			return m.frames[len(m.frames)-1-b.Arrival.Up].known(e, b.Arrival.Step)
		}
	case *Warned:
		if b.Document != "" {
			return f.entered(e)
		}
	case *ActionStarted:
		return f.acts(e, b.Action)
	case *ActionFinished:
		return f.acts(e, b.Action)
	case *InputNeeded:
		return f.acts(e, b.Action)
	case *InputGiven:
		return f.acts(e, b.Action)
	case *StepFinished:
		return f.entered(e)
	case *ChildEntered:
		if c, ok := f.prog.plan.Child(b.Document); !ok || c.Plan == nil || f.cur == nil {
			return fmt.Errorf("event %d: there is no document %q to enter", e.Seq, b.Document)
		}
	case *ChildFinished:
		if len(m.frames) < 2 {
			return fmt.Errorf("event %d: no included document runs", e.Seq)
		}
	}
	return nil
}

func started(yes bool) string {
	if yes {
		return "started already"
	}
	return "not started"
}

func (f *frame) entered(e Event) error {
	if f.cur == nil {
		return fmt.Errorf("event %d: %s does not fit: no step is entered", e.Seq, e.Body.Type())
	}
	return nil
}

// acts refuses an action that the step does not have.
func (f *frame) acts(e Event, action int) error {
	if err := f.entered(e); err != nil {
		return err
	}
	if action < 0 || action >= len(f.cur.step.Actions) {
		return fmt.Errorf("event %d: %s names action %d, of which there are %d", e.Seq, e.Body.Type(), action, len(f.cur.step.Actions))
	}
	return nil
}

func (f *frame) known(e Event, id string) error {
	if f.prog.byID[id] == nil {
		return fmt.Errorf("event %d: %s names %q, which the document does not have", e.Seq, e.Body.Type(), id)
	}
	return nil
}
