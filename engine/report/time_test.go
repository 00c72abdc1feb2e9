package report

import (
	"testing"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestTimesOfResumedRun: the end is a wall-clock time. The duration and the timeline leave out the time between
// quitting and resuming.
func TestTimesOfResumedRun(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	events := journal(
		at("", "", &machine.RunStarted{}), at("1", "", &machine.StepEntered{}),
		at("", "", &machine.RunResumed{}), at("2", "", &machine.StepEntered{}), at("", "", &machine.RunFinished{}),
	)
	for i, seconds := range []int{0, 0, 9996, 9998, 10000} {
		events[i].Time = start.Add(time.Duration(seconds) * time.Second)
	}
	r := Build(Source{Plan: &plan.Plan{Steps: []*plan.Step{{ID: "1"}, {ID: "2"}}}, Events: events})
	if want := start.Add(10000 * time.Second); !r.Ended.Equal(want) || time.Duration(r.Took) != 4*time.Second {
		t.Errorf("the run ended at %v and took %v", r.Ended, r.Took)
	}
	if bar := r.bars()[1]; bar.StartText != "+2.0 s" || bar.From != 500 || bar.Width != 500 {
		t.Errorf("step 2 is shown at %s, from %d, %d wide", bar.StartText, bar.From, bar.Width)
	}
}

// TestTimesOfRewoundRun: the duration leaves out the time in which the run was inactive before a rewind.
func TestTimesOfRewoundRun(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	events := journal(
		at("", "", &machine.RunStarted{}), at("1", "", &machine.StepEntered{}), at("", "", &machine.RunResumed{}),
		at("1", machine.ByPerson, &machine.RunRewound{ToSeq: 2, InactiveMS: 9990_000}), at("", "", &machine.RunFinished{}),
	)
	for i, seconds := range []int{0, 5, 9995, 9998, 10000} {
		events[i].Time = start.Add(time.Duration(seconds) * time.Second)
	}
	if r := Build(Source{Plan: &plan.Plan{Steps: []*plan.Step{{ID: "1"}}}, Events: events}); time.Duration(r.Took) != 10*time.Second {
		t.Errorf("the run took %v", r.Took)
	}
}
