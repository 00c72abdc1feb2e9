package text

import (
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/runview"

	"github.com/charmbracelet/x/ansi"
)

// TestEmptyAnswer: a question that was answered with an empty text still shows its answer line.
func TestEmptyAnswer(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	asks := &machine.InputNeeded{Kind: machine.KindAsk, Prompt: "Who reads it?"}
	x := &track.Attempt{Questions: []track.Question{{InputNeeded: asks, Answer: &machine.InputGiven{Kind: machine.KindAsk}, AnsweredBy: machine.ByFlag}}}
	got := strings.Join(questionLines(dc, x.Questions, false, 40), "\n")
	if !strings.Contains(got, "Who reads it?") || !strings.Contains(got, "›") {
		t.Errorf("shows %q", got)
	}
}

// TestLogpointLine: the line of a logpoint does not have the sign of a warning.
func TestLogpointLine(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	r := track.New(&plan.Plan{Steps: []*plan.Step{{ID: "1"}}}).RowByLabel("1")
	reached := machine.WarningRecorded{Code: machine.LogpointCode, Message: machine.LogpointMessage("1 log")}
	got := ansi.Strip(strings.Join(stepWarningLines(dc, r, []machine.WarningRecorded{reached, {Message: "no value"}}, 40), "\n"))
	if got != "· reached logpoint 1\n△ no value" {
		t.Errorf("shows %q", got)
	}
}

// TestRerunsBeyondRetryLimit: a person can rerun a step more often than the document retries it.
func TestRerunsBeyondRetryLimit(t *testing.T) {
	retried := &plan.Step{Routes: []plan.Route{{Do: plan.Move{Verb: plan.RunAgain, Limit: &plan.Limit{Counter: plan.AttemptCounter, Max: 2}}}}}
	for attempt, want := range map[int]string{0: "attempt 1 of 2", 2: "attempt 2 of 2", 3: "attempt 3"} {
		if got := statusFacts(&runview.Run{}, &track.Row{Step: retried, Status: track.Running, Attempt: attempt})[0].Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestPromptSources: the paths that were searched before the prompt file was found are listed as tried, and those after
// it as fallback.
func TestPromptSources(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	got := promptOriginLines(dc, plan.PromptOrigin{From: "b.md", SearchedPaths: []string{"a.md", "b.md", "c.md"}, FilledVariables: []plan.FilledVariable{{Name: "x", Value: "1\n2\n3"}}}, 60)
	for i, want := range []string{"prompt   b.md", "tried    a.md", "fallback c.md", "with     x = 1 … +2 lines"} {
		if ansi.Strip(strings.TrimRight(got[i], " ")) != want {
			t.Errorf("%q", got[i])
		}
	}
}
