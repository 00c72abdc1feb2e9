package start

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Missing lists what a run needs but lacks, and asks whether it should begin anyway.
type Missing struct {
	Diagnostics []plan.Diagnostic
	Run         Begin // requested if the answer is yes
	list.Scroller
}

// Title returns how many diagnostics of each severity there are.
func (d *Missing) Title(run *runview.Run) panes.Title {
	counts := map[plan.Severity]int{}
	for _, f := range d.Diagnostics {
		counts[f.Severity]++
	}
	var parts []string
	ink := run.Look.Warn
	for _, s := range []plan.Severity{plan.Error, plan.Warning} {
		if counts[s] > 0 {
			parts = append(parts, wording.Count(counts[s], string(s)))
		}
	}
	if n := counts[plan.Info]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d info", n))
	}
	if counts[plan.Error] > 0 {
		ink = run.Look.Fail
	}
	return panes.Title{Left: "Run it anyway?", Right: ink.Paint(strings.Join(parts, ", "))}
}

// View implements dialog.Dialog.
func (d *Missing) View(run *runview.Run, w, h int) []string {
	return d.WindowAbove(run.Look, d.all(run, w), run.Look.Answers(d.Answers(run), w), h)
}

func (d *Missing) all(run *runview.Run, w int) []string {
	out := append(run.Look.Wrap("Something that the run needs is missing. Nothing runs until you answer.", w), "")
	return append(out, findings(run.Look, d.Diagnostics, run.Plan.Path, w)...)
}

// Height implements dialog.Dialog.
func (d *Missing) Height(run *runview.Run, w int) int {
	return len(d.all(run, w)) + len(run.Look.Answers(d.Answers(run), w))
}

// MayCoverOutput implements dialog.Dialog.
func (d *Missing) MayCoverOutput(*runview.Run) bool { return true }

// BlocksRun returns true: nothing runs before the answer.
func (d *Missing) BlocksRun() bool { return true }

// Update implements dialog.Dialog.
func (d *Missing) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	switch keys := run.Look.Keys; {
	case !isKey:
		return dialog.Unhandled()
	case keys.Is(k, "yes"):
		return dialog.Send(dialog.Close{}, d.Run)
	case keys.Is(k, "no"):
		return dialog.Send(request.Press{Action: "quit"})
	case keys.Is(k, "close"):
		return dialog.Send(request.FocusPanes{}, untilAnswered)
	}
	return nil, d.Scrolled(run.Look.Keys, k)
}

// Hints implements dialog.Dialog.
func (d *Missing) Hints(run *runview.Run) []draw.Hint {
	return append(d.ScrollHints(run.Look), run.Look.Press("close", "look around"))
}

// Answers implements dialog.Answering.
func (d *Missing) Answers(run *runview.Run) []draw.Hint {
	l := run.Look
	return []draw.Hint{l.Press("yes", "run it"), l.Press("outside", "edit the document")}
}

// untilAnswered is what a dialog that blocks the run says when a person leaves it for the panes.
var untilAnswered = request.Say{Text: "Nothing runs until you answer. {answer} to go back to the question."}
