package whatif_test

import (
	"errors"
	"strings"
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/whatif"
	"playhead/tui/keymap"
	"playhead/tui/runview"
	"playhead/tui/runview/runviewtest"
	"playhead/tui/terminal"
)

// deciding returns a run whose first step is about to decide.
func deciding(t *testing.T) *runview.Run {
	run := runviewtest.New(t, keymap.Map{})
	run.Status.NextEvent = &machine.Event{Step: "1", Body: &machine.Decision{CandidateIndex: new(int)}}
	return run
}

// forecast previews the decision of a fork with another outcome.
func forecast(int) engine.DecisionPreview {
	return func(c machine.WhatIfChange) ([]machine.Event, error) {
		return []machine.Event{{Step: "1", Body: &machine.Decision{Candidates: []machine.Candidate{{Text: "FAIL: STOP", Matched: true}}, CandidateIndex: new(int)}}}, nil
	}
}

// TestForecastOfEachChange: the dialog names the step that decides, and shows the decision that each change leads to.
func TestForecastOfEachChange(t *testing.T) {
	run := deciding(t)
	d := whatif.Open(run, run.Status.NextEvent.Body.(*machine.Decision), -1, forecast)[0].(dialog.Open).Dialog
	if title := d.Title(run).Left; !strings.Contains(title, "1") {
		t.Errorf("title %q", title)
	}
	text := ""
	for range 4 {
		text += runviewtest.PlainText(d.View(run, 60, 20))
		d.Update(run, terminal.KeyPress("down"))
	}
	if !strings.Contains(text, "fail") || !strings.Contains(text, "━▸ FAIL: STOP") {
		t.Errorf("shows\n%s", text)
	}
}

// TestForecastError: if the forecast fails, the dialog says why.
func TestForecastError(t *testing.T) {
	run := deciding(t)
	d := whatif.Open(run, run.Status.NextEvent.Body.(*machine.Decision), -1, func(int) engine.DecisionPreview {
		return func(machine.WhatIfChange) ([]machine.Event, error) { return nil, errors.New("the journal is damaged") }
	})[0].(dialog.Open).Dialog
	if text := runviewtest.PlainText(d.View(run, 60, 20)); !strings.Contains(text, "The journal is damaged.") {
		t.Errorf("shows\n%s", text)
	}
}

// TestForecastThroughGroup: if the group decides after each change, the dialog compares where the group's decisions
// lead.
func TestForecastThroughGroup(t *testing.T) {
	run := deciding(t)
	run.Status.NextEvent.Body = &machine.Decision{Destination: machine.Destination{Kind: machine.ToGroupRoutes}, To: "4"}
	d := whatif.Open(run, run.Status.NextEvent.Body.(*machine.Decision), -1, func(int) engine.DecisionPreview {
		return func(c machine.WhatIfChange) ([]machine.Event, error) {
			group := &machine.Decision{To: "5", Outcome: &plan.Outcome{Result: plan.Passed}, Candidates: []machine.Candidate{{Line: 185}}, CandidateIndex: new(int)}
			if c.Result == plan.Failed {
				group.To, group.Outcome = "Rollback", &plan.Outcome{Result: plan.Failed}
			}
			return []machine.Event{{Step: "1", Body: run.Status.NextEvent.Body}, {Step: "4", Body: group}}, nil
		}
	})[0].(dialog.Open).Dialog
	text := runviewtest.PlainText(d.View(run, 70, 20))
	elsewhere, same := strings.Index(text, "→ Rollback"), strings.Index(text, "→ 5")
	if elsewhere < 0 || same < elsewhere || !strings.Contains(text, "then 4 fails → Rollback (line 185)") {
		t.Errorf("shows\n%s", text)
	}
}

// TestUnavailable: what-if says that the run has not started, that there is no decision, or that nothing can be
// changed.
func TestUnavailable(t *testing.T) {
	for want, change := range map[string]func(*runview.Run){
		"":                                       func(*runview.Run) {},
		"The run has not started":                func(run *runview.Run) { run.IsBegun = false },
		"Select a step that has made a decision": func(run *runview.Run) { run.Status.NextEvent = nil },
		"Nothing can be changed":                 func(run *runview.Run) { run.Track.RowByLabel("1").Step = &plan.Step{} },
	} {
		run := deciding(t)
		d := run.Status.NextEvent.Body.(*machine.Decision)
		change(run)
		if got := whatif.UnavailableReason(run, d); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}
