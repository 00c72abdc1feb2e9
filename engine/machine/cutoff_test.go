package machine_test

import (
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestFailureAfterPassedInterruption: a person passes an action that was interrupted. The failure of a later action of
// the step is not overridden.
func TestFailureAfterPassedInterruption(t *testing.T) {
	p := &plan.Plan{Steps: []*plan.Step{{ID: "1", Actions: []plan.Action{{Work: plan.Command{}}, {Work: plan.Command{}, Judge: validated{}}}}}}
	m := machine.New(p, machine.Options{})
	interrupted := false
	for next := m.Next(); m.Result() == nil; next = m.Next() {
		var e machine.Event
		var err error
		switch {
		case next.Event != nil:
			e = *next.Event
		case next.Effect != nil:
			e = m.ResultEvent(plan.Product{Cancelled: !interrupted, ExitCode: 1})
			interrupted = true
		case next.Question != nil:
			e, err = m.AnswerEvent(machine.Answer{Value: "pass", By: machine.ByPerson})
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Apply(e); err != nil {
			t.Fatal(err)
		}
		if end, ends := e.Body.(*machine.StepFinished); ends && (end.Overridden || end.Result != plan.Failed) {
			t.Errorf("%+v", end)
		}
	}
}
