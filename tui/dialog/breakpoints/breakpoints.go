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
	"playhead/tui/dialog"
	"playhead/tui/dialog/note"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Set is the request to replace all breakpoints of the run by these.
type Set struct{ All []engine.Breakpoint }

// Breaks reports whether a breakpoint belongs to a step.
func Breaks(b engine.Breakpoint, r *track.Row) bool {
	return b.Step == r.BreakName() || b.Step == r.Label
}

// AnyAt reports whether one of the breakpoints belongs to a step.
func AnyAt(all []engine.Breakpoint, r *track.Row) bool {
	return slices.ContainsFunc(all, func(b engine.Breakpoint) bool { return Breaks(b, r) })
}

// Without returns the breakpoints except those of a step.
func Without(all []engine.Breakpoint, r *track.Row) []engine.Breakpoint {
	return slices.DeleteFunc(slices.Clone(all), func(b engine.Breakpoint) bool { return Breaks(b, r) })
}

// Toggle sets a breakpoint at the selected step, or removes those of the step.
func Toggle(run *runview.Run) []tea.Msg {
	r, others := run.Selected, Without(run.Breaks, run.Selected)
	if AnyAt(run.Breaks, r) {
		return []tea.Msg{request.Say{Text: "The run no longer pauses at " + r.BreakName() + "."}, Set{others}}
	}
	set := append(others, engine.Breakpoint{Step: r.BreakName()})
	return []tea.Msg{request.Say{Text: "The run will pause before each visit to " + r.BreakName() + "."}, Set{set}}
}

// CannotSet returns why no breakpoint is possible at the selected step, "" if one is.
func CannotSet(run *runview.Run) string {
	if r := run.Selected; r == nil || r.Step == nil {
		return control.NoStep
	}
	return ""
}

// List is the dialog of all breakpoints, with a line that sets one at the step that was selected when the
// dialog was opened.
type List struct {
	row *track.Row // the step for a new breakpoint; nil: none
	at  int        // the marked line

	overflow panes.Overflow
}

// Overflow returns how many lines are out of sight.
func (d *List) Overflow() panes.Overflow { return d.overflow }

// NewList returns the dialog with the breakpoint of the selected step marked, or else the line that sets
// one there.
func NewList(run *runview.Run) *List {
	d := &List{row: run.Selected}
	if d.row != nil && d.row.Step == nil {
		d.row = nil
	}
	d.at = slices.IndexFunc(run.Breaks, func(b engine.Breakpoint) bool { return d.row != nil && Breaks(b, d.row) })
	if d.at < 0 {
		d.at = len(run.Breaks)
	}
	return d
}

// all returns a line for each breakpoint, and the lines that set one.
func (d *List) all(run *runview.Run) (out []string) {
	for _, b := range run.Breaks {
		out = append(out, line(run, b))
	}
	for _, o := range d.offers(run) {
		out = append(out, "+ "+o.text)
	}
	return out
}

// offer is a line that sets a breakpoint.
type offer struct {
	text string
	set  func(run *runview.Run) []tea.Msg
}

// offers returns the lines that set a breakpoint: at the step, and on any failure unless that one exists.
func (d *List) offers(run *runview.Run) (out []offer) {
	if d.row != nil {
		out = append(out, offer{"at " + draw.StepName(d.row) + ", with a condition…", func(run *runview.Run) []tea.Msg {
			return []tea.Msg{dialog.Close{}, dialog.Open{Dialog: Conditions(run, d.row)}}
		}})
	}
	if !slices.ContainsFunc(run.Breaks, engine.Breakpoint.IsAnyFailure) {
		out = append(out, offer{anyFailure, func(run *runview.Run) []tea.Msg {
			b, _ := engine.ParseBreakpoint(engine.AnyFailure) // this text is always valid
			return []tea.Msg{Set{append(slices.Clone(run.Breaks), b)}}
		}})
	}
	return out
}

// line returns the state of a breakpoint, its place, and how often the run reached it.
func line(run *runview.Run, b engine.Breakpoint) string {
	mark, more := run.Look.Fail.Paint("●"), ""
	if n := run.Status.Hits[b.String()]; n > 0 {
		more = fmt.Sprintf(" · reached %s", wording.Count(n, "time"))
	}
	if b.Off {
		mark = "○"
	}
	if b.HasNoStep {
		mark, more = "?", " · the document no longer has this step"
	}
	return mark + " " + place(run, b) + run.Look.Muted.Paint(more)
}

// anyFailure describes the breakpoint on any failure.
const anyFailure = "wherever a step fails"

// place returns the step of a breakpoint with its title and conditions.
func place(run *runview.Run, b engine.Breakpoint) string {
	if b.String() == engine.AnyFailure {
		return anyFailure
	}
	rows := run.Track.AllRows() // run.Rows would open documents that the run has not entered
	i := slices.IndexFunc(rows, func(r *track.Row) bool { return Breaks(b, r) })
	if i < 0 || b.IsAnyFailure() || b.HasNoStep {
		return draw.Clean(b.String())
	}
	r, step, conditions := rows[i], draw.Clean(engine.QuoteStep(b.Step)), strings.TrimSpace(b.Conditions())
	if r.Title != r.Local {
		step += " " + draw.Clean(r.Title)
	}
	if conditions != "" {
		step += "  " + draw.Clean(conditions)
	}
	return step
}

// MayCoverOutput implements dialog.Dialog.
func (d *List) MayCoverOutput(*runview.Run) bool { return false }

// Height implements dialog.Dialog. Without breakpoints, one line says so.
func (d *List) Height(run *runview.Run, _ int) int {
	if len(run.Breaks) == 0 {
		return 1 + len(d.all(run))
	}
	return len(d.all(run))
}

// Title returns the position of the marked breakpoint, or the number of breakpoints.
func (d *List) Title(run *runview.Run) panes.Title {
	place, n := "", len(run.Breaks)
	switch {
	case n > 1 && d.at < n:
		place = list.Place(d.at, n)
	case n > 0 && d.at >= n: // a line that sets a breakpoint is marked
		place = wording.Count(n, "breakpoint")
	}
	return panes.Title{Left: "BREAKPOINTS", Right: run.Look.Muted.Paint(place)}
}

// View returns the lines around the marked one.
func (d *List) View(run *runview.Run, w, h int) []string {
	l, all := run.Look, d.all(run)
	if len(all) == 0 {
		return l.Wrap(run.Sentence("There are no breakpoints. Select a step and {break} to set one."), w)
	}
	at := max(0, min(d.at, len(all)-1))
	top := max(0, at-h+1)
	d.overflow = panes.Outside(top, h, len(all))
	var out []string
	for i, line := range all[top:min(len(all), top+h)] {
		out = append(out, l.ListRow(line, w, draw.SelectionOf(top+i == at, true)))
	}
	if len(run.Breaks) == 0 {
		out = append(out, l.Muted.Paint(l.Cut("  "+run.Sentence("None yet. Select a step and {break} to set one."), w)))
	}
	return out
}

// Update moves the mark, and changes the marked breakpoint.
func (d *List) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	k, isKey := msg.(tea.KeyPressMsg)
	if !isKey {
		return dialog.Unhandled()
	}
	by, moves := list.Movement(run.Look.Keys, k, 1)
	switch keys := run.Look.Keys; {
	case keys.Is(k, "close"):
		return dialog.Send(dialog.Close{})
	case keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case moves:
		d.at = max(0, min(d.at+by, len(d.all(run))-1))
		return dialog.Send()
	}
	return d.change(run, k)
}

func (d *List) change(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys, breaks := run.Look.Keys, slices.Clone(run.Breaks)
	if d.at >= len(breaks) {
		if offers := d.offers(run); keys.Is(k, "accept") && d.at-len(breaks) < len(offers) {
			return offers[d.at-len(breaks)].set(run), true
		}
		return dialog.Unhandled()
	}
	switch b := &breaks[d.at]; {
	case keys.Is(k, "toggle"):
		b.Off = !b.Off
		return dialog.Send(Set{breaks})
	case keys.Is(k, "remove"):
		breaks = slices.Delete(breaks, d.at, d.at+1)
		d.at = max(0, min(d.at, len(d.all(run))-2))
		return dialog.Send(Set{breaks})
	case keys.Is(k, "accept", "adjust"):
		return d.goTo(run, *b, keys.Is(k, "adjust")), true
	}
	return dialog.Unhandled()
}

// goTo selects the step of a breakpoint. If adjust is set, it asks for its conditions.
func (d *List) goTo(run *runview.Run, b engine.Breakpoint, adjust bool) []tea.Msg {
	if b.IsAnyFailure() {
		return []tea.Msg{request.Say{Text: "This breakpoint has no step: it pauses on any failure."}}
	}
	rows := run.Rows()
	i := slices.IndexFunc(rows, func(r *track.Row) bool { return Breaks(b, r) })
	if i < 0 || b.HasNoStep {
		return []tea.Msg{request.Say{Text: "There is no step " + draw.Clean(b.Step) + ". {remove} to remove the breakpoint."}}
	}
	out := []tea.Msg{dialog.Close{}, request.Select{Row: rows[i]}}
	if adjust {
		out = append(out, dialog.Open{Dialog: Conditions(run, rows[i])})
	}
	return out
}

// Hints returns the keys of the marked line.
func (d *List) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	switch {
	case d.at < len(run.Breaks):
		return []draw.Hint{l.Press("toggle", "on, off"), l.Press("remove", "remove"), l.Press("adjust", "condition"), l.Press("accept", "go there"), l.Press("close", "back")}
	case len(d.offers(run)) == 0:
		return []draw.Hint{l.Press("close", "back")}
	}
	return []draw.Hint{l.Press("accept", "set one"), l.Press("close", "back")}
}

// conditionHelp lists the conditions in the order in which they are written.
var conditionHelp = []string{
	":after              after the step, not before it",
	":after to STEP      after it, if it leads to STEP",
	":fail               after it, if it failed",
	`if NAME == "VALUE"  only with that value, or !=`,
	"hit N               only at the Nth time",
	"log                 only a line in the timeline",
	"off                 disabled",
}

// Conditions returns the dialog that asks for the conditions of a breakpoint at a step.
func Conditions(run *runview.Run, r *track.Row) *note.Dialog {
	text := ""
	for _, b := range run.Breaks {
		if Breaks(b, r) {
			text = b.Conditions()
		}
	}
	return conditions(r, text)
}

// conditions returns the dialog with a text. It asks again until the text is valid.
func conditions(r *track.Row, text string) *note.Dialog {
	d := note.New("Breakpoint at "+draw.Clean(r.Label)+": condition (empty = always)", text, "set", func(run *runview.Run, text string) []tea.Msg {
		b, problem := parse(run, r, text)
		if problem != "" {
			return []tea.Msg{dialog.Open{Dialog: conditions(r, text)}, request.Say{Text: problem}}
		}
		return []tea.Msg{Set{append(Without(run.Breaks, r), b)}}
	})
	d.Help = conditionHelp
	return d
}

// parse parses the conditions of a breakpoint. problem is what is wrong with them, "" if nothing is.
func parse(run *runview.Run, r *track.Row, text string) (b engine.Breakpoint, problem string) {
	if !strings.HasPrefix(text, ":") {
		text = " " + text
	}
	b, err := engine.ParseBreakpoint(engine.QuoteStep(r.BreakName()) + text)
	if err != nil {
		return b, wording.Sentence(err)
	}
	if err := engine.NamesOf(run.Plan, run.Shown.Variables()...).Check(b); err != nil {
		return b, wording.Sentence(err)
	}
	return b, ""
}
