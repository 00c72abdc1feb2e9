// Package whatif shows what could have been different at a decision, and where each change would lead.
// Nothing changes until the person confirms.
package whatif

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/whatif"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/decision"
	"playhead/tui/dialog"
	"playhead/tui/dialog/confirm"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/keymap"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog is a list of changes, and the value that the person writes.
type Dialog struct {
	moment      whatif.Moment
	differences []difference
	changes     []change
	picker      *form.Picker
	custom      *difference // the person writes a value for it; nil: the list shows

	forecastValue string // the value for which lines were made
	width         int
	lines         []string // the forecast of the decision
}

// New returns the dialog, with the changes first that lead elsewhere. It returns nil if nothing could be
// different. suppose previews the run after an event.
func New(run *runview.Run, m whatif.Moment, suppose func(seq int) engine.DecisionPreview) *Dialog {
	d := &Dialog{moment: m, differences: differencesOf(run, m, suppose)}
	for i := range d.differences {
		d.changes = append(d.changes, changesOf(&d.differences[i])...)
	}
	if len(d.changes) == 0 {
		return nil
	}
	slices.SortStableFunc(d.changes, func(a, b change) int { return cmp.Compare(d.rank(b), d.rank(a)) })
	d.picker = form.NewPicker(d.changeLines(run.Look, run.Room.W), "")
	d.picker.Muted = func(i int) bool { return d.changes[i].decision != nil && d.rank(d.changes[i]) == 0 }
	return d
}

// change is one change that the dialog offers.
type change struct {
	of       *difference
	value    string
	isCustom bool // the person writes any other value
	decision *machine.Decision
}

// elsewhere stands for a value with which no route compares.
const elsewhere = "…"

// changesOf returns the values that are offered instead of the old one, and the option to write another.
func changesOf(d *difference) []change {
	var out []change
	for _, o := range d.Options {
		out = append(out, change{of: d, value: o.Value, decision: d.forecast(o.Value)})
	}
	if d.otherValue != nil {
		g := change{of: d, isCustom: true}
		if _, line := d.otherValue.(*form.OneLine); line {
			g.decision = d.forecast(elsewhere)
		}
		out = append(out, g)
	}
	return out
}

// rank returns 1 if a change would lead elsewhere than the decision did, or if there is none yet, else 0.
func (c *Dialog) rank(g change) int {
	if g.decision != nil && (c.moment.Decision == nil || wording.Destination(g.decision) != wording.Destination(c.moment.Decision)) {
		return 1
	}
	return 0
}

// changeLines returns a line of w cells for each change, with its description and its destination. A long
// description is cut to leave room for the destination, but keeps at least half of the line.
func (c *Dialog) changeLines(l *draw.Look, w int) []string {
	lines, leads := make([]string, len(c.changes)), make([]string, len(c.changes))
	wide, widest := 0, 0
	for i, g := range c.changes {
		if g.decision != nil {
			leads[i] = "  → " + wording.Destination(g.decision)
		}
		lines[i] = draw.Clean(g.description())
		wide, widest = max(wide, l.Width(lines[i])), max(widest, l.Width(leads[i]))
	}
	wide = min(wide, max(w/2, w-form.PickerMargin-widest))
	for i := range lines {
		if lines[i] = l.Cut(lines[i], wide); leads[i] != "" {
			lines[i] = l.Fit(lines[i], wide) + leads[i]
		}
	}
	return lines
}

// description returns what would be different.
func (g *change) description() string {
	if g.isCustom {
		return g.of.describeOwn()
	}
	return g.of.describe(g.value)
}

// Title returns the step and the line of the decision.
func (c *Dialog) Title(run *runview.Run) panes.Title {
	at := draw.Clean(c.moment.Step)
	if c.moment.Line > 0 {
		at += fmt.Sprintf(", line %d", c.moment.Line)
	}
	return panes.Title{Left: "WHAT IF at " + at, Right: run.Look.Muted.Paint("not applied yet")}
}

// MayCoverOutput implements dialog.Dialog.
func (c *Dialog) MayCoverOutput(*runview.Run) bool { return true }

// Writing implements dialog.Writer.
func (c *Dialog) Writing() bool { return c.custom != nil && c.custom.otherValue.Writes() }

// selected returns the selected change.
func (c *Dialog) selected() *change { return &c.changes[c.picker.At] }

// Overflow returns how many changes are out of sight.
func (c *Dialog) Overflow() panes.Overflow { return c.picker.Overflow() }

// Height implements dialog.Dialog.
func (c *Dialog) Height(run *runview.Run, w int) int {
	l := run.Look
	says := len(c.forecastLines(l, w))
	if c.custom != nil {
		return 1 + c.custom.otherValue.Height(l, w) + says
	}
	return c.picker.Height(l, w) + says
}

// View returns the list or the widget for a value, and below it the forecast.
func (c *Dialog) View(run *runview.Run, w, h int) []string {
	l := run.Look
	says := c.forecastLines(l, w)
	if c.custom == nil {
		c.picker.Options = c.changeLines(l, w)
		room := max(min(h/2, len(c.changes)), h-len(says)) // the list keeps at least half of the height
		return append(c.picker.Lines(l, w, room), says...)
	}
	name := c.custom.Name()
	if c.custom.Kind == whatif.Variable {
		name += " = " + plan.Visible(c.custom.oldValue)
	}
	out := append([]string{l.Bold.Paint(l.Cut(draw.Clean(name), w))}, c.custom.otherValue.Lines(l, w, max(1, h-1-len(says)))...)
	return append(out, says...)
}

// value returns the value to forecast, and what it belongs to. known is false if it has not been written
// yet.
func (c *Dialog) value() (of *difference, value string, known bool) {
	if c.custom != nil {
		return c.custom, c.custom.otherValue.Value(), true
	}
	g := c.selected()
	if g.isCustom {
		return g.of, elsewhere, g.decision != nil
	}
	return g.of, g.value, true
}

// forecastLines returns the decision that the selected value would lead to.
func (c *Dialog) forecastLines(l *draw.Look, w int) []string {
	d, value, known := c.value()
	if !known {
		c.lines = nil
		return nil
	}
	key := fmt.Sprintf("%p %t %s", d, c.custom != nil, value)
	if c.lines != nil && key == c.forecastValue && w == c.width {
		return c.lines
	}
	c.forecastValue, c.width = key, w
	e, err := d.base(d.Change(value))
	if err != nil {
		c.lines = []string{l.Warn.Paint(l.Cut(draw.Clean(err.Error()), w))}
		return c.lines
	}
	made := e.Body.(*machine.Decision)
	head := "" // the selected change has its destination
	if c.custom != nil {
		head = l.Bold.Paint(l.Cut("then "+draw.Clean(e.Step)+" → "+wording.Destination(made), w))
	}
	c.lines = append([]string{head}, decision.Candidates(l, nil, made, w).Lines...)
	for _, line := range l.Wrap(d.sideEffectText(), w) {
		c.lines = append(c.lines, l.Warn.Paint(line))
	}
	return c.lines
}

// maxEffects limits the effects that the forecast names. If there are more, a confirmation lists them all.
const maxEffects = 4

// sideEffectText returns which effects are not undone, or that they are listed later, "" if there are none.
func (d *difference) sideEffectText() string {
	switch n := len(d.SideEffects); {
	case n == 0:
		return ""
	case n > maxEffects:
		return fmt.Sprintf("The effects of %d commands and calls are not undone. You see them before you confirm.", n)
	}
	return "These effects are not undone: " + strings.Join(d.SideEffects, "; ") + "."
}

// Update selects or writes a value, and applies it.
func (c *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		if c.custom != nil {
			c.custom.otherValue.Paste(run.Look, msg.Content)
			return dialog.Send()
		}
	case tea.KeyPressMsg:
		return c.key(run, msg)
	}
	return dialog.Unhandled()
}

func (c *Dialog) key(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys := run.Look.Keys
	switch {
	case keys.Is(k, "interrupt"):
		return dialog.Unhandled()
	case keys.Is(k, "close") && c.custom == nil:
		return dialog.Send(dialog.Close{})
	case keys.Is(k, "close"):
		c.custom = nil
		return dialog.Send()
	case c.custom == nil:
		return c.choose(run, k)
	}
	if written := form.Written(c.custom.otherValue); written != nil && keys.Is(k, "editor") {
		return dialog.Send(request.EditOutside{Text: written})
	}
	sent, used := c.custom.otherValue.Key(run.Look, k)
	if !sent {
		return nil, used || c.custom.otherValue.Writes()
	}
	return c.applyChange(c.custom, c.custom.otherValue.Value()), true
}

// choose moves through the list. A digit selects a change without applying it. If the change needs a value,
// the person writes it next.
func (c *Dialog) choose(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	n, err := strconv.Atoi(k.String())
	digit := err == nil && n > 0 && n <= len(c.changes)
	if digit {
		c.picker.At = n - 1
	}
	sent, used := false, digit
	if !digit {
		sent, used = c.picker.Key(run.Look, k)
	}
	if !used || err == nil && !digit {
		return refuse(run, k)
	}
	switch g := c.selected(); {
	case g.isCustom && (sent || digit):
		c.custom = g.of
	case sent:
		return c.applyChange(g.of, g.value), true
	}
	return nil, true
}

// refuse tells which keys the dialog has. It keeps keys from continuing the run, which would make the
// decision obsolete.
func refuse(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	if a := run.Look.Keys.Action(k.String(), keymap.Anywhere); a != nil && (a.Name == "help" || a.Name == "quit") {
		return dialog.Unhandled()
	}
	keys := run.Look.Keys
	return dialog.Send(request.Say{Text: fmt.Sprintf("%s does nothing here. Press %s%s or a digit to select, %s to apply, %s to cancel.",
		k, keys.Name("up"), keys.Name("down"), keys.Name("accept"), keys.Name("close"))})
}

// applyChange rewinds to before the decision and applies the change, after showing what the rewind does not
// undo.
func (c *Dialog) applyChange(d *difference, value string) []tea.Msg {
	done := "Rewound to the decision, with the change applied."
	if d.Kind == whatif.Answer {
		done = "The question is answered, and the run pauses."
	}
	do := []tea.Msg{
		dialog.Close{Dialog: c}, request.ShowNow{},
		request.SayNext{Text: done + " {continue} to continue, or {undo} to undo."},
		request.Do{Action: "instead", Args: control.Args{Event: d.Before, Change: d.Change(value)}},
	}
	if len(d.SideEffects) <= maxEffects {
		return do
	}
	return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{Name: "Rewind and apply the change?", StaysDone: d.SideEffects, Yes: do}}}
}

// Hints implements dialog.Dialog.
func (c *Dialog) Hints(run *runview.Run) []draw.Hint {
	l := run.Look
	if c.custom == nil {
		does := rewinds
		switch g := c.selected(); {
		case g.isCustom:
			does = "write it"
		case g.of.Kind == whatif.Answer:
			does = "answer, then pause"
		}
		return []draw.Hint{l.UpDown("choose"), l.Press("accept", does), l.Press("close", "cancel")}
	}
	sends := "accept"
	if _, edits := c.custom.otherValue.(*form.Editor); edits {
		sends = "send"
	}
	return []draw.Hint{l.Press(sends, rewinds), l.Press("close", "back")}
}

// rewinds says what applying a change does, for the hints.
const rewinds = "rewind and apply"

// noOther says why nothing is offered.
const noOther = "No other outcome is possible at this decision."

// Ask opens the dialog about a decision. It first selects a change that leads to the given candidate, -1
// for any. suppose previews the run after an event.
func Ask(run *runview.Run, d *machine.Decision, candidate int, suppose func(seq int) engine.DecisionPreview) []tea.Msg {
	m, ok := momentOf(run, d)
	if !ok {
		return nil
	}
	q := New(run, m, suppose)
	if q == nil { // no other value is possible, as for an input with one option
		return []tea.Msg{request.Say{Text: noOther}}
	}
	if m.Decision == d {
		q.mark(candidate)
	}
	return []tea.Msg{dialog.Open{Dialog: q}}
}

// mark selects the first change that leads to a candidate.
func (c *Dialog) mark(candidate int) {
	at := slices.IndexFunc(c.changes, func(g change) bool {
		return g.decision != nil && g.decision.CandidateIndex != nil && *g.decision.CandidateIndex == candidate
	})
	c.picker.At = max(0, at)
}

// momentOf returns the moment of a decision. For a person's decision it returns that of the step's own last
// decision before it. Without a decision it returns the moment of the open question if its step is selected.
func momentOf(run *runview.Run, d *machine.Decision) (whatif.Moment, bool) {
	if d == nil {
		m, ok := whatif.AtQuestion(&run.Run)
		return m, ok && run.Selected != nil && run.Selected.Label == m.Step && run.Selected.Status.IsOpen()
	}
	m, ok := whatif.Find(&run.Run, d)
	if ok && d.ByPerson {
		return whatif.Last(&run.Run, m.Step)
	}
	return m, ok
}

// Unavailable returns why Ask is unavailable for a decision, "" if it is available.
func Unavailable(run *runview.Run, d *machine.Decision) string {
	if !run.Begun {
		return control.NotStarted
	}
	m, ok := momentOf(run, d)
	switch {
	case !ok:
		return "Select a step that has made a decision or is about to."
	case len(m.Differences()) == 0:
		return noOther
	}
	return ""
}
