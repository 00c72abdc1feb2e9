// Package runviewtest makes runs for the tests of panes and dialogs.
package runviewtest

import (
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/parse/rundown"
	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/runview"
)

// Document is a runbook of two steps.
const Document = "# Doc\nWhat it is for.\n\n## 1. One\nDo **it**.\n```sh\nmake\n```\n- PASS: CONTINUE\n- FAIL: STOP\n## 2. Two\nDone?\n- YES: COMPLETE\n- NO: STOP\n"

// New returns a run of Document that is paused after step 1, which passed. Step 1 is selected.
func New(t testing.TB, keys keymap.Map) *runview.Run {
	t.Helper()
	p := rundown.Parse("a.runbook.md", []byte(Document), rundown.Options{})
	zero, tr := 0, track.New(p)
	events := []machine.Event{
		event(1, "", &machine.RunStarted{RunID: "7f3a", DocumentPath: "a.runbook.md"}),
		event(2, "1", &machine.StepEntered{}),
		event(3, "1", &machine.ActionStarted{Kind: "command", Text: "make"}),
		event(4, "1", &machine.ActionFinished{Kind: "command", ExitCode: &zero}),
		event(5, "1", &machine.StepFinished{Result: plan.Passed, Outcome: &plan.Outcome{Result: plan.Passed, Source: "exit 0"}}),
	}
	tr.Fold(events...)
	return &runview.Run{
		RunView: control.RunView{
			Plan: p, Track: tr, Events: events, IsBegun: true, Now: time.Unix(100, 0), Status: engine.Status{State: engine.Paused},
		},
		ShownTrack: tr, SelectedRow: tr.RowByLabel("1"), ShownEvents: events, ShownEventIndex: len(events) - 1,
		DrawContext: draw.New(themes.PlainPalette(), keys), SelectableRows: func() []*track.Row { return tr.Rows },
	}
}

func event(seq int, step string, body machine.Body) machine.Event {
	return machine.Event{Seq: seq, Time: time.Unix(int64(seq), 0).UTC(), Step: step, Attempt: 1, Body: body}
}

// PlainText returns lines as plain text.
func PlainText(lines []string) string {
	out := ""
	for _, line := range lines {
		out += ansi.Strip(line) + "\n"
	}
	return out
}
