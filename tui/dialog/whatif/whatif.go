// Package whatif shows what could have been different at a decision, and where each change would lead.
// Nothing changes until the person confirms.
package whatif

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/whatif"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/cells"
	"playhead/tui/decision"
	"playhead/tui/dialog"
	"playhead/tui/dialog/confirm"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Dialog is a list of changes, and the value that the person writes.
type Dialog struct {
	dialog.OutputCoverer
	moment               whatif.DecisionMoment
	decisionLine         int    // of the decision in the document; 0: it is not written there
	unchangedDestination string // where the run goes on without a change; empty: that is not decided
	possibleChanges      []possibleChange
	offeredChanges       []offeredChange
	picker               *form.Picker
	editedChange         *possibleChange // the person writes a value for it; nil: the list shows

	forecastKey    forecastKey // what cachedForecast was made for
	cachedForecast []string    // the forecast of the decision
}

// continuationIndent is the indent of the further rows of a long change, in cells.
const continuationIndent = 2

// New returns the dialog, with the changes first that lead elsewhere. It returns nil if nothing could be
// different. suppose previews the run after an event.
func New(run *runview.Run, m whatif.DecisionMoment, suppose func(seq int) engine.DecisionPreview) *Dialog {
	d := &Dialog{moment: m, decisionLine: m.Line(), unchangedDestination: m.UnchangedDestination(suppose), possibleChanges: possibleChangesOf(run, m, suppose)}
	for i := range d.possibleChanges {
		d.offeredChanges = append(d.offeredChanges, offeredChangesOf(&d.possibleChanges[i])...)
	}
	if len(d.offeredChanges) == 0 {
		return nil
	}
	slices.SortStableFunc(d.offeredChanges, func(a, b offeredChange) int { return cmp.Compare(d.destinationRank(b), d.destinationRank(a)) })
	d.picker = &form.Picker{ContinuationIndent: continuationIndent}
	for _, g := range d.offeredChanges {
		text, brief := g.destination(run)
		d.picker.Options, d.picker.TrailingTexts = append(d.picker.Options, g.description(run.DrawContext)), append(d.picker.TrailingTexts, text)
		d.picker.ShortTrailingTexts = append(d.picker.ShortTrailingTexts, brief)
	}
	d.picker.IsMuted = func(i int) bool {
		return d.offeredChanges[i].forecast != nil && d.destinationRank(d.offeredChanges[i]) == 0
	}
	return d
}

// offeredChange is one entry of the dialog's list.
type offeredChange struct {
	possibleChange *possibleChange
	option         whatif.Option
	isCustom       bool             // the person writes any other value
	forecast       *whatif.Forecast // nil: unknown
}

// unmatchedValue stands for a value with which no route compares.
var unmatchedValue = whatif.Option{Value: "…"}

// offeredChangesOf returns the values that are offered instead of the old one, and the option to write another.
func offeredChangesOf(d *possibleChange) []offeredChange {
	var out []offeredChange
	for _, o := range d.Options {
		out = append(out, offeredChange{possibleChange: d, option: o, forecast: d.forecastOrNil(o)})
	}
	if d.otherValueWidget != nil {
		g := offeredChange{possibleChange: d, isCustom: true}
		if d.Kind == whatif.VariableChange && d.otherValueWidget.TakesText() {
			g.forecast = d.forecastOrNil(unmatchedValue)
		}
		out = append(out, g)
	}
	return out
}

// destinationRank returns 1 if a change would lead elsewhere than the run goes without it, or if it is not decided yet
// where the run goes; else 0.
func (wd *Dialog) destinationRank(g offeredChange) int {
	if g.forecast != nil && g.forecast.Destination() != wd.unchangedDestination {
		return 1
	}
	return 0
}

// description returns what would be different.
func (o *offeredChange) description(dc *draw.Context) string {
	if o.isCustom {
		return o.possibleChange.otherValueOptionText()
	}
	return o.possibleChange.describe(dc, o.option)
}

// destination returns where the change leads, after a gap, also without the title of the step or the message of
// the end. Both are "" if that is unknown. The forecast has the reason.
func (o *offeredChange) destination(run *runview.Run) (text, brief string) {
	if o.forecast == nil {
		return "", ""
	}
	text = o.forecast.DestinationWithoutReason()
	if r := o.forecast.DestinationRow(run.Track); r != nil {
		text = draw.StepName(r)
	}
	return "  → " + text, "  → " + o.forecast.DestinationWithoutEndMessage()
}

// Title returns the step and the line of the decision.
func (wd *Dialog) Title(run *runview.Run) layout.PaneTitle {
	at := draw.CleanLine(wd.moment.StepLabel)
	if wd.decisionLine > 0 {
		at += fmt.Sprintf(", line %d", wd.decisionLine)
	}
	return layout.PaneTitle{Left: "WHAT IF at " + at, Right: run.DrawContext.Muted.Paint("not applied yet"), IsLeftWhole: true}
}

// IsEnteringText implements dialog.TextEntry.
func (wd *Dialog) IsEnteringText() bool {
	return wd.editedChange != nil && wd.editedChange.otherValueWidget.TakesText()
}

// selectedChange returns the change under the mark.
func (wd *Dialog) selectedChange() *offeredChange { return &wd.offeredChanges[wd.picker.SelectedIndex] }

// Overflow returns how many changes, or how many rows of the written value, are out of sight.
func (wd *Dialog) Overflow() layout.Overflow {
	if wd.editedChange == nil {
		return wd.picker.Overflow()
	}
	o := form.OverflowOf(wd.editedChange.otherValueWidget)
	o.ListFirstRow++ // below the name
	return o
}

// WantedHeight implements dialog.Dialog.
func (wd *Dialog) WantedHeight(run *runview.Run, w int) int {
	dc := run.DrawContext
	forecast := len(wd.forecastLines(dc, w))
	if wd.editedChange != nil {
		return 1 + wd.editedChange.otherValueWidget.Height(dc, w) + forecast
	}
	return wd.picker.Height(dc, w) + forecast
}

// View returns the list or the widget for a value, and below it the forecast.
func (wd *Dialog) View(run *runview.Run, w, h int) []string {
	dc := run.DrawContext
	forecast := wd.forecastLines(dc, w)
	if wd.editedChange == nil {
		room := max(min(h/2, len(wd.offeredChanges)), h-len(forecast)) // the list keeps at least half of the height
		return append(wd.picker.Lines(dc, w, room), forecast...)
	}
	name := wd.editedChange.Name()
	if wd.editedChange.Kind == whatif.VariableChange {
		name += " = " + plan.VisibleText(wd.editedChange.oldValue)
	}
	out := append([]string{dc.Bold.Paint(dc.Cut(draw.CleanLine(name), w))}, wd.editedChange.otherValueWidget.Lines(dc, w, max(1, h-1-len(forecast)))...)
	return append(out, forecast...)
}

// optionToForecast returns what to forecast, and of which possible change. known is false if the person
// has not written it yet.
func (wd *Dialog) optionToForecast() (of *possibleChange, o whatif.Option, known bool) {
	if wd.editedChange != nil {
		return wd.editedChange, whatif.Option{Value: wd.editedChange.otherValueWidget.Value()}, true
	}
	g := wd.selectedChange()
	if g.isCustom {
		return g.possibleChange, unmatchedValue, g.forecast != nil
	}
	return g.possibleChange, g.option, true
}

// forecastKey is what the lines of a forecast depend on.
type forecastKey struct {
	option  string
	width   int
	styles  *themes.Styles
	measure cells.Measure
}

// forecastLines returns the decision that the selected value would lead to, and what follows from it.
func (wd *Dialog) forecastLines(dc *draw.Context, w int) []string {
	d, option, known := wd.optionToForecast()
	if !known {
		wd.cachedForecast = nil
		return nil
	}
	key := forecastKey{fmt.Sprintf("%p %t %v", d, wd.editedChange != nil, option), w, dc.Styles, dc.Measure}
	if wd.cachedForecast != nil && key == wd.forecastKey {
		return wd.cachedForecast
	}
	wd.forecastKey = key
	f, err := d.Forecast(option)
	if err != nil {
		wd.cachedForecast = []string{dc.Warn.Paint(dc.Cut(draw.CleanLine(wording.ErrorSentence(err)), w))}
		return wd.cachedForecast
	}
	head := "" // the selected change has its destination
	if wd.editedChange != nil {
		head = dc.Bold.Paint(dc.Cut("then "+draw.CleanLine(f.StepLabel)+" → "+wording.DestinationText(f.Decision), w))
	}
	wd.cachedForecast = append([]string{head}, decision.DrawCandidates(dc, nil, f.Decision, false, w).Lines...)
	for _, text := range f.FollowUpTexts() {
		wd.cachedForecast = append(wd.cachedForecast, dc.PaintLines(dc.Bold, text, w)...)
	}
	wd.cachedForecast = append(wd.cachedForecast, dc.WarningLines(d.sideEffectText(), w)...)
	return wd.cachedForecast
}

// maxNamedEffects limits the effects that the forecast names. If there are more, a confirmation lists them all.
const maxNamedEffects = 4

// sideEffectText returns which effects are not undone, or that they are listed later, "" if there are none.
func (p *possibleChange) sideEffectText() string {
	switch n := len(p.SideEffects); {
	case n == 0:
		return ""
	case n > maxNamedEffects:
		return fmt.Sprintf("The effects of %d commands and calls are not undone. They are listed before you confirm.", n)
	}
	return draw.EffectsHeading + " " + strings.Join(p.SideEffects, "; ") + "."
}

// Update selects or writes a value, and applies it.
func (wd *Dialog) Update(run *runview.Run, msg tea.Msg) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		if wd.editedChange != nil {
			wd.editedChange.otherValueWidget.Paste(run.DrawContext, msg.Content)
			return dialog.Handled()
		}
	case tea.KeyPressMsg:
		return wd.handleKey(run, msg)
	}
	return dialog.Unhandled()
}

func (wd *Dialog) handleKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	keys := run.DrawContext.Keys
	switch {
	case keys.IsKeyOf(k, "interrupt"):
		return dialog.Unhandled()
	case keys.IsKeyOf(k, "close") && wd.editedChange == nil:
		return dialog.Handled(dialog.Close{})
	case keys.IsKeyOf(k, "close"):
		wd.editedChange = nil
		return dialog.Handled()
	case wd.editedChange == nil:
		return wd.handleListKey(run, k)
	}
	if written := form.EditableTextOf(wd.editedChange.otherValueWidget); written != nil && keys.IsKeyOf(k, "editor") {
		return dialog.Handled(request.EditInEditor{Text: written})
	}
	sent, used := wd.editedChange.otherValueWidget.HandleKey(run.DrawContext, k)
	if !sent {
		return nil, used || wd.editedChange.otherValueWidget.TakesText()
	}
	return wd.applyChange(wd.editedChange, whatif.Option{Value: wd.editedChange.otherValueWidget.Value()}), true
}

// handleListKey moves through the list. A digit selects a change without applying it. If the change needs a
// value, the person writes it next.
func (wd *Dialog) handleListKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	digit := keymap.DigitOfKey(k)
	sent, used := false, 0 < digit && digit <= len(wd.offeredChanges)
	switch {
	case used:
		wd.picker.SelectedIndex = digit - 1
	case digit == 0:
		sent, used = wd.picker.HandleKey(run.DrawContext, k)
	}
	if !used {
		return dialog.Unhandled()
	}
	switch g := wd.selectedChange(); {
	case g.isCustom && (sent || digit > 0):
		wd.editedChange = g.possibleChange
	case sent:
		return wd.applyChange(g.possibleChange, g.option), true
	}
	return nil, true
}

// AllowsAction implements dialog.ActionFilter: no key leaves the dialog and then continues the run, which would make
// the decision obsolete.
func (wd *Dialog) AllowsAction(a *keymap.KeyAction) bool { return a.Name == "help" || a.Name == "quit" }

// applyChange rewinds to before the decision and applies the change, after showing what the rewind does not
// undo.
func (wd *Dialog) applyChange(d *possibleChange, o whatif.Option) []tea.Msg {
	done := "Rewound to the decision, with the change applied."
	if d.Kind == whatif.AnswerChange {
		done = "The question is answered, and the run pauses."
	}
	do := []tea.Msg{
		dialog.Close{Dialog: wd}, request.ShowCurrentState{},
		request.SayUntilKey{Text: done + " {continue} to continue, or {undo} to undo."},
		request.Do{Action: "instead", Args: control.Args{EventSeq: d.EventSeqBefore, WhatIfChange: d.ChangeTo(o)}},
	}
	if len(d.SideEffects) <= maxNamedEffects {
		return do
	}
	return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{Name: "Rewind and apply the change?", EffectsNotUndone: d.SideEffects, YesRequests: do}}}
}

// Hints implements dialog.Dialog.
func (wd *Dialog) Hints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	if wd.editedChange == nil {
		verb := applyVerb
		switch g := wd.selectedChange(); {
		case g.isCustom:
			verb = "type the value"
		case g.possibleChange.Kind == whatif.AnswerChange:
			verb = "answer, then pause"
		}
		return []draw.Hint{dc.UpDownHint("choose"), dc.ActionHint("accept", verb), dc.ActionHint("close", "cancel")}
	}
	action := "accept"
	if _, edits := wd.editedChange.otherValueWidget.(*form.Editor); edits {
		action = "send"
	}
	return []draw.Hint{dc.ActionHint(action, applyVerb), dc.ActionHint("close", "back")}
}

// applyVerb says what applying a change does, for the hints.
const applyVerb = "rewind and apply"

// nothingToChangeMessage says why nothing is offered.
const nothingToChangeMessage = "Nothing can be changed at this decision."

// Open opens the dialog about a decision. It first selects a change that leads to the given candidate, -1
// for any. suppose previews the run after an event.
func Open(run *runview.Run, d *machine.Decision, candidate int, suppose func(seq int) engine.DecisionPreview) []tea.Msg {
	m, ok := whatif.MomentOfDecision(&run.RunView, run.SelectedRow, d)
	if !ok {
		return nil
	}
	q := New(run, m, suppose)
	if q == nil { // no other value is possible, as for an input with one option
		return []tea.Msg{request.Say{Text: nothingToChangeMessage}}
	}
	if d != nil && m.Decision == d {
		q.selectLeadingTo(candidate)
	}
	return []tea.Msg{dialog.Open{Dialog: q}}
}

// selectLeadingTo selects the first change that leads to a candidate. Where that is the one that the decision took, it
// selects none that takes it to another step, as with all retries used.
func (wd *Dialog) selectLeadingTo(candidate int) {
	taken := wd.moment.Decision.CandidateIndex
	at := slices.IndexFunc(wd.offeredChanges, func(g offeredChange) bool {
		return g.forecast != nil && g.forecast.Decision.CandidateIndex != nil && *g.forecast.Decision.CandidateIndex == candidate &&
			(taken == nil || *taken != candidate || wd.destinationRank(g) == 0)
	})
	wd.picker.SelectedIndex = max(0, at)
}

// UnavailableReason returns why the dialog cannot be opened for a decision, "" if it can.
func UnavailableReason(run *runview.Run, d *machine.Decision) string {
	if !run.IsBegun {
		return control.NotStartedReason
	}
	m, ok := whatif.MomentOfDecision(&run.RunView, run.SelectedRow, d)
	switch {
	case !ok && run.ShowsEarlierMoment() && run.Focus == layout.WhyPane:
		return "There is no decision to change at this event. Select another event."
	case !ok && d != nil && d.ByPerson:
		return "A person made this decision, so what-if cannot change it. Select another decision."
	case !ok:
		return "Select a step that has made a decision or is about to make one."
	case !m.HasPossibleChanges():
		return nothingToChangeMessage
	}
	return ""
}
