// Package breakpoints lists the breakpoints of a run and asks for their conditions.
package breakpoints

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/note"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// ReplaceAll is the request to replace all breakpoints of the run by these.
type ReplaceAll struct{ Breakpoints []engine.Breakpoint }

// isAt reports whether a breakpoint belongs to a step.
func isAt(b engine.Breakpoint, r *track.Row) bool {
	return b.Step == r.BreakpointName() || b.Step == r.Label
}

// SignAt returns the sign of the breakpoints of a step, "" if it has none. One that pauses the run takes precedence.
func SignAt(dc *draw.Context, all []engine.Breakpoint, r *track.Row) string {
	out := ""
	for _, b := range all {
		if isAt(b, r) && (out == "" || pauses(b)) {
			out = sign(dc, b)
		}
	}
	return out
}

func sign(dc *draw.Context, b engine.Breakpoint) string {
	if pauses(b) {
		return dc.Fail.Paint("●")
	}
	return dc.Muted.Paint("◌")
}

// pauses reports whether a breakpoint can pause the run.
func pauses(b engine.Breakpoint) bool { return !b.IsDisabled && !b.IsLogpoint }

// withoutStep returns the breakpoints except those of a step.
func withoutStep(all []engine.Breakpoint, r *track.Row) []engine.Breakpoint {
	return slices.DeleteFunc(slices.Clone(all), func(b engine.Breakpoint) bool { return isAt(b, r) })
}

// withBreakpoint returns the breakpoints with this one in place of those of a step, so that a mark in the list stays on it.
func withBreakpoint(all []engine.Breakpoint, r *track.Row, b engine.Breakpoint) []engine.Breakpoint {
	at := slices.IndexFunc(all, func(b engine.Breakpoint) bool { return isAt(b, r) })
	if at < 0 {
		at = len(all)
	}
	return slices.Insert(withoutStep(all, r), at, b)
}

// Toggle sets a breakpoint at the selected step, or removes those of the step.
func Toggle(run *runview.Run) []tea.Msg {
	r, others := run.SelectedRow, withoutStep(run.Breakpoints, run.SelectedRow)
	if len(others) < len(run.Breakpoints) {
		return []tea.Msg{request.Say{Text: "Step " + r.BreakpointName() + " has no breakpoint any more."}, ReplaceAll{others}}
	}
	set := append(others, engine.Breakpoint{Step: r.BreakpointName()})
	return []tea.Msg{request.Say{Text: "The run pauses before each attempt of step " + r.BreakpointName() + "."}, ReplaceAll{set}}
}

// UnavailableReason returns why no breakpoint is possible at the selected step, "" if one is.
func UnavailableReason(run *runview.Run) string {
	if r := run.SelectedRow; r == nil || r.Step == nil {
		return control.NoStepReason
	}
	return ""
}

// List is the dialog of all breakpoints, with a line that sets one at the step that was selected when the
// dialog was opened.
type List struct {
	stepForNewBreakpoint *track.Row // the step for a new breakpoint; nil: none
	markedLine           int        // the marked line

	overflow layout.Overflow
}

// Overflow returns how many lines are out of sight.
func (l *List) Overflow() layout.Overflow { return l.overflow }

// NewList returns the dialog with the breakpoint of the selected step marked, or else the line that sets
// one there.
func NewList(run *runview.Run) *List {
	d := &List{stepForNewBreakpoint: run.SelectedRow}
	if d.stepForNewBreakpoint != nil && d.stepForNewBreakpoint.Step == nil {
		d.stepForNewBreakpoint = nil
	}
	d.markedLine = slices.IndexFunc(run.Breakpoints, func(b engine.Breakpoint) bool {
		return d.stepForNewBreakpoint != nil && isAt(b, d.stepForNewBreakpoint)
	})
	if d.markedLine < 0 {
		d.markedLine = min(len(run.Breakpoints), len(d.allLines(run))-1)
	}
	return d
}

// allLines returns a line for each breakpoint, and the lines that set one. It returns at least one line.
func (l *List) allLines(run *runview.Run) (out []string) {
	for _, b := range run.Breakpoints {
		out = append(out, breakpointLine(run, b))
	}
	for _, o := range l.newBreakpointLines(run) {
		out = append(out, "+ "+o.text)
	}
	return out
}

// newBreakpointLine is a line that sets a breakpoint.
type newBreakpointLine struct {
	text          string
	setBreakpoint func(run *runview.Run) []tea.Msg
}

// newBreakpointLines returns the lines that set a breakpoint: at the step, and on any failure unless that
// one exists.
func (l *List) newBreakpointLines(run *runview.Run) (out []newBreakpointLine) {
	if l.stepForNewBreakpoint != nil {
		out = append(out, newBreakpointLine{"at " + draw.StepName(l.stepForNewBreakpoint) + ", with a condition…", func(run *runview.Run) []tea.Msg {
			return []tea.Msg{dialog.Open{Dialog: AskConditions(run, l.stepForNewBreakpoint)}}
		}})
	}
	if !slices.ContainsFunc(run.Breakpoints, engine.Breakpoint.IsAnyFailure) {
		out = append(out, newBreakpointLine{anyFailureText, func(run *runview.Run) []tea.Msg {
			b, _ := engine.ParseBreakpoint(engine.AnyFailureText) // this text is always valid
			return []tea.Msg{ReplaceAll{append(slices.Clone(run.Breakpoints), b)}}
		}})
	}
	return out
}

// breakpointLine returns the state of a breakpoint, its place, and its hit count.
func breakpointLine(run *runview.Run, b engine.Breakpoint) string {
	mark, more := sign(run.DrawContext, b), ""
	if n := run.Status.HitCounts[b.String()]; n > 0 {
		more = fmt.Sprintf(" · hit %s", plan.CountText(n, "time"))
	}
	if b.HasNoStep {
		mark, more = "?", " · the document no longer has this step"
	}
	return mark + " " + breakpointText(run, b) + run.DrawContext.Muted.Paint(more)
}

// anyFailureText describes the breakpoint on any failure.
const anyFailureText = "wherever a step fails"

// breakpointText returns the step of a breakpoint with its title and conditions.
func breakpointText(run *runview.Run, b engine.Breakpoint) string {
	if b.IsAnyFailure() {
		b.OnlyFailures, b.After = false, false // the text says so
		return withConditions(anyFailureText, b)
	}
	rows := run.Track.AllRows() // run.Rows would open documents that the run has not entered
	i := slices.IndexFunc(rows, func(r *track.Row) bool { return isAt(b, r) })
	if i < 0 || b.HasNoStep {
		return draw.CleanLine(b.String())
	}
	r, step := rows[i], draw.CleanLine(engine.QuoteStep(b.Step))
	if r.Title != r.LocalLabel {
		step += " " + draw.CleanLine(r.Title)
	}
	return withConditions(step, b)
}

// withConditions adds the conditions of a breakpoint to the text about its place.
func withConditions(place string, b engine.Breakpoint) string {
	if conditions := strings.TrimSpace(b.ClauseText()); conditions != "" {
		place += "  " + draw.CleanLine(conditions)
	}
	return place
}

// MayCoverOutput implements dialog.Dialog.
func (l *List) MayCoverOutput(*runview.Run) bool { return false }

// WantedHeight implements dialog.Dialog. Without breakpoints, one line says so.
func (l *List) WantedHeight(run *runview.Run, _ int) int {
	if len(run.Breakpoints) == 0 {
		return 1 + len(l.allLines(run))
	}
	return len(l.allLines(run))
}

// Title returns the position of the marked breakpoint, or the number of breakpoints.
func (l *List) Title(run *runview.Run) layout.PaneTitle {
	place, n := "", len(run.Breakpoints)
	switch {
	case n > 1 && l.markedLine < n:
		place = list.PositionText(l.markedLine, n)
	case n > 0 && l.markedLine >= n: // a line that sets a breakpoint is marked
		place = plan.CountText(n, "breakpoint")
	}
	return layout.PaneTitle{Left: "BREAKPOINTS", Right: run.DrawContext.Muted.Paint(place)}
}

// View returns the lines around the marked one.
func (l *List) View(run *runview.Run, w, h int) []string {
	dc, all := run.DrawContext, l.allLines(run)
	at := max(0, min(l.markedLine, len(all)-1))
	top := max(0, at-h+1)
	l.overflow = layout.OverflowOf(top, h, len(all))
	var out []string
	for i, line := range all[top:min(len(all), top+h)] {
		out = append(out, dc.ListRow(line, w, draw.SelectionOf(top+i == at, true)))
	}
	if len(run.Breakpoints) == 0 {
		out = append(out, dc.Muted.Paint(dc.Cut("  "+run.FillInKeys("None yet. {accept} to set one."), w)))
	}
	return out
}

// Update moves the mark, and changes the marked breakpoint.
func (l *List) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	if !isKey {
		return dialog.Unhandled()
	}
	by, moves := list.KeyMovement(run.DrawContext.Keys, k, 1)
	switch keys := run.DrawContext.Keys; {
	case keys.IsKeyOf(k, "close"):
		return dialog.Handled(dialog.Close{})
	case keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	case moves:
		l.markedLine = max(0, min(l.markedLine+by, len(l.allLines(run))-1))
		return dialog.Handled()
	}
	return l.changeMarkedBreakpoint(run, k)
}

// changeMarkedBreakpoint handles the keys that act on the marked line.
func (l *List) changeMarkedBreakpoint(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys, breaks := run.DrawContext.Keys, slices.Clone(run.Breakpoints)
	if l.markedLine >= len(breaks) {
		if lines := l.newBreakpointLines(run); keys.IsKeyOf(k, "accept") && l.markedLine-len(breaks) < len(lines) {
			return lines[l.markedLine-len(breaks)].setBreakpoint(run), true
		}
		return dialog.Unhandled()
	}
	switch b := &breaks[l.markedLine]; {
	case keys.IsKeyOf(k, "toggle"):
		b.IsDisabled = !b.IsDisabled
		return dialog.Handled(ReplaceAll{breaks})
	case keys.IsKeyOf(k, "remove"):
		breaks = slices.Delete(breaks, l.markedLine, l.markedLine+1)
		l.markedLine = max(0, min(l.markedLine, len(l.allLines(run))-2))
		return dialog.Handled(ReplaceAll{breaks})
	case keys.IsKeyOf(k, "accept", "adjust"):
		return l.goToStep(run, *b, keys.IsKeyOf(k, "adjust")), true
	}
	return dialog.Unhandled()
}

// goToStep selects the step of a breakpoint. If adjust is set, it asks for its conditions instead, above the list.
func (l *List) goToStep(run *runview.Run, b engine.Breakpoint, adjust bool) []tea.Msg {
	switch {
	case b.IsAnyFailure() && adjust:
		return []tea.Msg{request.Say{Text: "This breakpoint is for any step that fails, so it cannot have another condition. {toggle} to switch it on or off."}}
	case b.IsAnyFailure():
		return []tea.Msg{request.Say{Text: "This breakpoint is for any step that fails, so there is no step to go to. {toggle} to switch it on or off."}}
	}
	rows := run.SelectableRows()
	i := slices.IndexFunc(rows, func(r *track.Row) bool { return isAt(b, r) })
	if i < 0 || b.HasNoStep {
		return []tea.Msg{request.Say{Text: "There is no step " + draw.CleanLine(b.Step) + ". {remove} to remove the breakpoint."}}
	}
	if adjust {
		return []tea.Msg{dialog.Open{Dialog: editConditions(run, rows[i], b)}}
	}
	return []tea.Msg{dialog.Close{}, request.SelectStep{Row: rows[i]}, request.FocusPanes{}}
}

// Hints returns the keys of the marked line.
func (l *List) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	switch {
	case l.markedLine < len(run.Breakpoints):
		return []draw.Hint{dc.ActionHint("toggle", "on/off"), dc.ActionHint("remove", "remove"), dc.ActionHint("adjust", "condition"), dc.ActionHint("accept", "go there"), dc.UpDownHint("choose"), dc.ActionHint("close", "back")}
	case len(l.newBreakpointLines(run)) == 0:
		return []draw.Hint{dc.ActionHint("close", "back")}
	}
	return []draw.Hint{dc.ActionHint("accept", "set one"), dc.UpDownHint("choose"), dc.ActionHint("close", "back")}
}

// conditionHelp lists the conditions in the order in which they are written.
var conditionHelp = slices.Concat([][2]string{{"(empty)", "before each attempt"}}, engine.BreakpointClauseHelp)

// AskConditions returns the dialog that asks for the conditions of a new breakpoint at a step. A step has only one that
// is set like this, so the conditions of the one that it replaces are there to be changed.
func AskConditions(run *runview.Run, r *track.Row) *note.Dialog {
	replaced, text := breakpointsAt(run, r), ""
	for _, b := range replaced {
		text = b.ClauseText()
	}
	return newConditionsDialog(conditionsTitle(r, replaced), r, text)
}

// editConditions returns the dialog that asks for other conditions of a breakpoint of a step.
func editConditions(run *runview.Run, r *track.Row, edited engine.Breakpoint) *note.Dialog {
	others := slices.DeleteFunc(breakpointsAt(run, r), func(b engine.Breakpoint) bool { return b.String() == edited.String() })
	return newConditionsDialog(conditionsTitle(r, others), r, edited.ClauseText())
}

// breakpointsAt returns the breakpoints of a step. The flag --break can set more than one.
func breakpointsAt(run *runview.Run, r *track.Row) []engine.Breakpoint {
	return slices.DeleteFunc(slices.Clone(run.Breakpoints), func(b engine.Breakpoint) bool { return !isAt(b, r) })
}

// conditionsTitle names the step, and the breakpoints that the new one replaces.
func conditionsTitle(r *track.Row, replaced []engine.Breakpoint) string {
	title := "Breakpoint at " + draw.CleanLine(r.Label)
	if len(replaced) > 0 {
		title += ", " + draw.CleanLine(control.ReplacesText(replaced))
	}
	return title
}

// newConditionsDialog returns the dialog with a text. It asks again until the text is valid.
func newConditionsDialog(title string, r *track.Row, text string) *note.Dialog {
	d := note.New(title, text, "set", func(run *runview.Run, text string) []tea.Msg {
		b, problem := parseConditions(run, r, text)
		if problem != "" {
			return []tea.Msg{dialog.Open{Dialog: newConditionsDialog(title, r, text)}, request.Say{Text: problem}}
		}
		if run.HasBreakpoint(b) {
			return []tea.Msg{request.Say{Text: string(control.BreakpointExistsText(b))}}
		}
		return []tea.Msg{ReplaceAll{withBreakpoint(run.Breakpoints, r, b)}}
	})
	d.Help = conditionHelp
	return d
}

// parseConditions parses the conditions of a breakpoint. problem is what is wrong with them, "" if nothing is.
func parseConditions(run *runview.Run, r *track.Row, text string) (b engine.Breakpoint, problem string) {
	if !strings.HasPrefix(text, ":") {
		text = " " + text
	}
	b, err := engine.ParseBreakpoint(engine.QuoteStep(r.BreakpointName()) + text)
	if err != nil {
		return b, wording.ErrorSentence(err)
	}
	if err := engine.StepAndVariableNamesOf(run.Plan, run.ShownTrack.VariableNames()...).CheckBreakpoint(b); err != nil {
		return b, wording.ErrorSentence(err)
	}
	return b, ""
}
