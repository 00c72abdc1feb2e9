package scenario_test

import (
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/engine/scenario"
	"playhead/parse/plan"
)

// TestExportRefuses: ExportRun names what a scenario cannot express.
func TestExportRefuses(t *testing.T) {
	person := func(b machine.Body) machine.Event {
		return machine.Event{Step: "2", By: machine.ByPerson, Body: b}
	}
	asked := machine.Event{Step: "2", Body: &machine.InputNeeded{Kind: machine.KindDecide}}
	value := machine.Event{Step: "2", Body: &machine.InputNeeded{Kind: machine.KindAsk}}
	skip := person(&machine.StepFinished{Overridden: true, Result: plan.Skipped})
	jump := person(&machine.Decision{ByPerson: true, To: "4", Destination: machine.Destination{Kind: machine.ToStep, StepID: "4"}})
	rerun := person(&machine.Decision{ByPerson: true, To: "2", Destination: machine.Destination{Kind: machine.ToStep, StepID: "2", SameVisit: true}})
	stop := person(&machine.RunFinished{ByPerson: true, Result: plan.Stopped})
	for _, c := range []struct {
		happened []machine.Event
		why      string // "" if the export succeeds
	}{
		{[]machine.Event{person(&machine.VariableCaptured{Variable: "severity", Value: "low"})}, "a person set the variable severity"},
		{[]machine.Event{person(&machine.ActionEdited{})}, "a person edited what step 2 does"},
		{[]machine.Event{person(&machine.StepFinished{Overridden: true, Result: plan.Passed})}, "a person overrode step 2 with pass"},
		{[]machine.Event{skip}, "a person skipped step 2 while no question was open"},
		{[]machine.Event{asked, skip}, ""},
		{[]machine.Event{jump}, "a person jumped from step 2 to 4 while no question was open"},
		{[]machine.Event{asked, jump}, ""},
		{[]machine.Event{rerun}, "a person ran step 2 again while no question was open"},
		{[]machine.Event{asked, rerun}, ""},
		{[]machine.Event{asked, person(&machine.InputGiven{Kind: machine.KindResume, Value: "rerun"})}, ""},
		{[]machine.Event{asked, person(&machine.InputGiven{Kind: machine.KindResume, Value: "fail"})}, "a person gave the outcome of step 2 after an interruption"},
		{[]machine.Event{asked, person(&machine.InputGiven{Kind: machine.KindAcceptOutcome, Value: "pass", Assignments: []plan.Assignment{{Name: "x"}}})}, "a person removed the variable x from what step 2 reported"},
		{[]machine.Event{value, skip}, "a person skipped step 2 while no question was open"},
		{[]machine.Event{stop}, "a person ended the run"},
		{[]machine.Event{asked, stop}, ""},
	} {
		all := append([]machine.Event{{Body: &machine.RunStarted{}}}, c.happened...)
		_, err := scenario.ExportRun("x", append(all, machine.Event{Body: &machine.RunFinished{Result: plan.Completed}}))
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%v, want %q", err, c.why)
		}
	}
	end := &machine.RunFinished{Result: plan.Awaiting, WaitingFor: &machine.Waiting{Kind: machine.KindPause}}
	if _, err := scenario.ExportRun("x", []machine.Event{{Body: &machine.RunStarted{}}, {Body: end}}); err == nil {
		t.Error("a run that is paused at a breakpoint is exported")
	}

	limit := 3
	for n, want := range map[*int]bool{&limit: false, nil: true} { // without the flag, the limit is that of the document
		started := &machine.RunStarted{Options: machine.Options{MaxTransitions: n}}
		end = &machine.RunFinished{Result: plan.RunFailed, ErrorCode: "playhead/transition-limit", Message: "more than 3 transitions; last steps: 1, 2, 1, 2"}
		if _, err := scenario.ExportRun("x", []machine.Event{{Body: started}, {Body: end}}); (err == nil) != want {
			t.Errorf("the limit of transitions: %v", err)
		}
	}
}
