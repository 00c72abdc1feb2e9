// Package whatif shows what could have been different at a decision, each with where it would lead.
// Nothing happens until the person says so.
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

// Dialog is the list of changes, and the value that the person writes.
type Dialog struct {
	moment  whatif.Moment
	changes []difference
	offered []change
	picker  *form.Picker
	custom  *difference // whose value the person writes; nil: none is

	forecastValue string // the value that lines were made for
	width         int
	lines         []string // what would be decided
}

// New lists what would lead elsewhere first. It returns nil where nothing could be different. suppose
// is the run after an event.
func New(run *runview.Run, m whatif.Moment, suppose func(seq int) engine.DecisionPreview) *Dialog {
	d := &Dialog{moment: m, changes: differencesOf(run, m, suppose)}
	for i := range d.changes {
		d.offered = append(d.offered, changesOf(&d.changes[i])...)
	}
	if len(d.offered) == 0 {
		return nil
	}
	slices.SortStableFunc(d.offered, func(a, b change) int { return cmp.Compare(d.rank(b), d.rank(a)) })
	d.picker = form.NewPicker(d.changeLines(run.Look, run.Room.W), "")
	d.picker.Muted = func(i int) bool { return d.offered[i].decision != nil && d.rank(d.offered[i]) == 0 }
	return d
}

// change is something that could have been different.
type change struct {
	of       *difference
	value    string
	isCustom bool // any other value
	decision *machine.Decision
}

// elsewhere stands for any value that no route compares with.
const elsewhere = "…"

// changesOf are what is offered in the place of something, and any other value.
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

// rank returns 1 if a change would lead elsewhere than the decision did, else 0.
func (c *Dialog) rank(g change) int {
	if g.decision != nil && wording.Destination(g.decision) != wording.Destination(c.moment.Decision) {
		return 1
	}
	return 0
}

// changeLines is each change in words, and where it leads, on lines of w cells. A change that is too long
// leaves the room for where it leads, but has at least half a line.
func (c *Dialog) changeLines(l *draw.Look, w int) []string {
	lines, leads := make([]string, len(c.offered)), make([]string, len(c.offered))
	wide, widest := 0, 0
	for i, g := range c.offered {
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

// description says what would be different.
func (g *change) description() string {
	if g.isCustom {
		return g.of.describeOwn()
	}
	return g.of.describe(g.value)
}

// Title says which decision it is about.
func (c *Dialog) Title(run *runview.Run) panes.Title {
	at := draw.Clean(c.moment.Step)
	if c.moment.Line > 0 {
		at += fmt.Sprintf(", line %d", c.moment.Line)
	}
	return panes.Title{Left: "WHAT IF at " + at, Right: run.Look.Muted.Paint("not applied yet")}
}

// MayCoverOutput implements dialog.Dialog.
func (c *Dialog) MayCoverOutput(*runview.Run) bool { return true }

// Writing reports whether keys are text.
func (c *Dialog) Writing() bool { return c.custom != nil && c.custom.otherValue.Writes() }

// selected returns the change under the cursor.
func (c *Dialog) selected() *change { return &c.offered[c.picker.At] }

// Overflow is how many choices are out of sight.
func (c *Dialog) Overflow() panes.Overflow { return c.picker.Overflow() }

// Height is that of the list or the value, and of what would be decided.
func (c *Dialog) Height(run *runview.Run, w int) int {
	l := run.Look
	says := len(c.forecastLines(l, w))
	if c.custom != nil {
		return 1 + c.custom.otherValue.Height(l, w) + says
	}
	return c.picker.Height(l, w) + says
}

// View is the list or the value, and what would be decided.
func (c *Dialog) View(run *runview.Run, w, h int) []string {
	l := run.Look
	says := c.forecastLines(l, w)
	if c.custom == nil {
		c.picker.Options = c.changeLines(l, w)
		room := max(min(h/2, len(c.offered)), h-len(says)) // each has its own half
		return append(c.picker.Lines(l, w, room), says...)
	}
	name := c.custom.Name()
	if c.custom.Kind == whatif.Variable {
		name += " = " + plan.Visible(c.custom.oldValue)
	}
	out := append([]string{l.Bold.Paint(l.Cut(draw.Clean(name), w))}, c.custom.otherValue.Lines(l, w, max(1, h-1-len(says)))...)
	return append(out, says...)
}

// value is the one to look at, and of what; false while it has still to be written.
func (c *Dialog) value() (*difference, string, bool) {
	if c.custom != nil {
		return c.custom, c.custom.otherValue.Value(), true
	}
	g := c.selected()
	if g.isCustom {
		return g.of, elsewhere, g.decision != nil
	}
	return g.of, g.value, true
}

// forecastLines is what would be decided with the value that stands out.
func (c *Dialog) forecastLines(l *draw.Look, w int) []string {
	d, value, known := c.value()
	if !known {
		c.lines = nil
		return nil
	}
	key := fmt.Sprintf("%p %s", d, value)
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
	c.lines = append([]string{l.Bold.Paint(l.Cut("then "+draw.Clean(e.Step)+" → "+wording.Destination(made), w))}, decision.Candidates(l, nil, made, w).Lines...)
	for _, line := range l.Wrap(d.sideEffectText(), w) {
		c.lines = append(c.lines, l.Warn.Paint(line))
	}
	return c.lines
}

// maxEffects is how many effects are named beside what would be decided. More are listed when
// it is to be made so.
const maxEffects = 4

// sideEffectText says what stays done, or that it is listed later, "" for nothing.
func (d *difference) sideEffectText() string {
	switch n := len(d.SideEffects); {
	case n == 0:
		return ""
	case n > maxEffects:
		return fmt.Sprintf("The effects of %d commands and calls are not undone. You see them before you confirm.", n)
	}
	return "These effects are not undone: " + strings.Join(d.SideEffects, "; ") + "."
}

// Update looks, writes, and makes it so.
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

// choose moves through what is offered. A digit goes there without taking it; a value
// that has to be written is written at once.
func (c *Dialog) choose(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	n, err := strconv.Atoi(k.String())
	digit := err == nil && n > 0 && n <= len(c.offered)
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

// refuse says which keys there are: what goes on with the run would take the decision from
// under the dialog.
func refuse(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	if a := run.Look.Keys.Action(k.String(), keymap.Anywhere); a != nil && (a.Name == "help" || a.Name == "quit") {
		return dialog.Unhandled()
	}
	keys := run.Look.Keys
	return dialog.Send(request.Say{Text: fmt.Sprintf("%s does nothing here. Press %s%s or a digit to select, %s to apply, %s to cancel.",
		k, keys.Name("up"), keys.Name("down"), keys.Name("accept"), keys.Name("close"))})
}

// applyChange has something be different, from before the decision on, once the person has seen what
// that does not undo.
func (c *Dialog) applyChange(d *difference, value string) []tea.Msg {
	do := []tea.Msg{
		dialog.Close{Dialog: c}, request.ShowNow{},
		request.SayNext{Text: "Rewound to the decision, with the change applied. {continue} to continue, or {undo} to undo."},
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
		does := "apply"
		if c.selected().isCustom {
			does = "write it"
		}
		return []draw.Hint{l.UpDown("choose"), l.Press("accept", does), l.Press("close", "cancel")}
	}
	sends := "accept"
	if _, edits := c.custom.otherValue.(*form.Editor); edits {
		sends = "send"
	}
	return []draw.Hint{l.Press(sends, "apply"), l.Press("close", "back")}
}

// Ask asks what could have been different at a decision. At first it marks a change that leads to one of
// the candidates; -1: to any. suppose is the run after an event.
func Ask(run *runview.Run, d *machine.Decision, candidate int, suppose func(seq int) engine.DecisionPreview) []tea.Msg {
	m, ok := momentOf(run, d)
	if !ok {
		return nil
	}
	q := New(run, m, suppose)
	if q == nil { // an input has one value, and no other may be
		return []tea.Msg{request.Say{Text: unavailableReason(m.Decision)}}
	}
	q.mark(candidate)
	return []tea.Msg{dialog.Open{Dialog: q}}
}

// mark marks the first change that leads to a candidate.
func (c *Dialog) mark(candidate int) {
	at := slices.IndexFunc(c.offered, func(g change) bool {
		return g.decision != nil && g.decision.CandidateIndex != nil && *g.decision.CandidateIndex == candidate
	})
	c.picker.At = max(0, at)
}

// unavailableReason says why nothing could be different at a decision.
func unavailableReason(d *machine.Decision) string {
	if d.Outcome != nil && d.Outcome.Source == plan.FromChildren {
		return "The outcomes of the substeps decided here. Select a substep, and {what-if} there."
	}
	return "No other outcome is possible at this decision."
}

// momentOf is the moment of a decision; of one that a person made, that of the last one before it that
// the step made itself.
func momentOf(run *runview.Run, d *machine.Decision) (whatif.Moment, bool) {
	m, ok := whatif.Find(&run.Run, d)
	if ok && d.ByPerson {
		return whatif.Last(&run.Run, m.Step)
	}
	return m, ok
}

// Unavailable returns why Ask has nothing to ask of a decision, empty if it has.
func Unavailable(run *runview.Run, d *machine.Decision) string {
	if !run.Begun {
		return control.NotStarted
	}
	m, ok := momentOf(run, d)
	switch {
	case !ok:
		return "Select a step that has made a decision or is about to."
	case len(m.Differences()) == 0:
		return unavailableReason(m.Decision)
	}
	return ""
}
