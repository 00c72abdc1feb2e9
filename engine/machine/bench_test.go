package machine_test

import (
	"testing"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// BenchmarkSteps measures a step from entered to routed, decision record included:
// a loop over ten commands, one of them in a group.
func BenchmarkSteps(b *testing.B) {
	p := loop()
	m := machine.New(p, machine.Options{})
	product := plan.Product{}
	b.ReportAllocs()
	steps := 0
	for steps < b.N {
		n := m.Next()
		var e machine.Event
		switch {
		case n.Event != nil:
			e = *n.Event
		case n.Effect != nil:
			e = m.ResultEvent(product)
		}
		if _, ok := e.Body.(*machine.StepEntered); ok {
			steps++
		}
		if err := m.Apply(e); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
}

func loop() *plan.Plan {
	pass := func(m plan.Move) []plan.Route {
		return []plan.Route{
			{When: plan.Matcher{Result: plan.Passed}, Do: m},
			{When: plan.Matcher{Result: plan.Failed}, Do: plan.Move{Verb: plan.EndDocument, Result: plan.Stopped, SourceText: "FAIL: STOP", Implicit: true}},
		}
	}
	step := func(id string, m plan.Move) *plan.Step {
		return &plan.Step{ID: id, Actions: []plan.Action{{Work: plan.Command{Shell: "sh", Text: plan.Literal("true")}}}, Routes: pass(m)}
	}
	next := plan.Move{Verb: plan.Continue, SourceText: "PASS: CONTINUE", Implicit: true}
	p := &plan.Plan{Format: "test"}
	for _, id := range []string{"1", "2", "3", "4", "5", "6"} {
		p.Steps = append(p.Steps, step(id, next))
	}
	group := &plan.Step{ID: "7", Routes: pass(next)}
	group.Children = []*plan.Step{step("7.1", next), step("7.2", next), step("7.3", next)}
	p.Steps = append(p.Steps, group, step("8", plan.Move{
		Verb: plan.Goto, To: plan.Target{Step: "1"}, KeepsVisit: true, SourceText: "PASS: GOTO 1",
	}))
	return p
}
