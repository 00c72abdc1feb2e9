// Package hints decides which keys the last line shows: the available ones, the most likely first, and what
// they do.
package hints

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/summary"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/runview"
	"playhead/tui/screen"
)

// Hints finds the keys to show at one moment.
type Hints struct {
	Run      *runview.Run
	Screen   *screen.Screen
	Question *question.Dialog // the dialog of the open question; nil: none
	Forecast *intervene.OverrideForecast

	// UnavailableReason returns why an action cannot be done in the pane with focus, "" if it can.
	UnavailableReason func(*keymap.KeyAction) string
}

// replayLabelByAction has the labels of actions in a replay, where they move through the recording.
var replayLabelByAction = map[string]string{"continue": "play", "undo": "back", "redo": "forward", "rewind": "go to event"}

// MainHints returns the keys to show, the most likely first.
func (h Hints) MainHints() []draw.Hint {
	switch {
	case h.Screen.Output.IsTyping():
		return []draw.Hint{{Key: keymap.EndTypingKey, Text: "end typing (other keys go to the command)"}}
	case h.Screen.Searcher.IsEditing:
		return []draw.Hint{h.Run.DrawContext.ActionHint("accept", "keep search"), h.Run.DrawContext.ActionHint("close", "clear search")}
	case h.Screen.Focus == layout.DialogPlace && h.Screen.Dialogs.Top() != nil:
		if h.Screen.Searcher.IsFocusedPaneSearched() { // the key that closes the dialog ends the search first
			own := h.Screen.Dialogs.Top().Hints(h.Run)
			return append(h.searchHints(), slices.DeleteFunc(own, func(one draw.Hint) bool { return one.Action == "close" })...)
		}
		return append(h.insertPaneScrollHint(h.Screen.Dialogs.Top().Hints(h.Run)), h.whatIfHint(h.Screen.Dialogs.Top())...)
	}
	if h.Screen.IsCommandWaitingForInput() {
		return append(h.typeIntoCommandHint(), h.paneHints()...)
	}
	return h.paneHints()
}

// searchHints returns the keys that move through matches and end the search.
func (h Hints) searchHints() []draw.Hint {
	return append(h.AvailableHints("next-match", "previous-match"), h.Run.DrawContext.ActionHint("back", "clear search"))
}

// whatIfHint returns the key that shows where the answers to a question lead, if there is room for it. It returns nil
// if the dialog takes that key as text.
func (h Hints) whatIfHint(d dialog.Dialog) []draw.Hint {
	if _, asks := d.(*question.Dialog); !asks || dialog.IsEnteringText(d) {
		return nil
	}
	out := h.AvailableHints("what-if")
	for i := range out {
		out[i].IsOptional = true
	}
	return out
}

// insertPaneScrollHint adds the key that scrolls a pane that is cut above a dialog (see Screen.PaneForPageKeys). It is the
// third hint, but follows the digits of a summary and precedes the key that closes the dialog. While a person types a
// reply it is the second one, because they need the prompt; while they type another text, it is the last.
func (h Hints) insertPaneScrollHint(hints []draw.Hint) []draw.Hint {
	p := h.Screen.PaneForPageKeys()
	if p == layout.NoPane {
		return hints
	}
	at := max(min(2, len(hints)), h.summaryDigitsIndex(hints)+1)
	if top := h.Screen.Dialogs.Top(); dialog.IsEnteringText(top) {
		at = len(hints)
		if q, asks := top.(*question.Dialog); asks && q.AsksForReply() {
			at = 1
		}
	}
	if closes := slices.IndexFunc(hints, func(one draw.Hint) bool { return one.Action == "close" }); closes >= 0 {
		at = min(at, closes)
	}
	return slices.Insert(hints, at, h.Run.DrawContext.ActionHint("page-down", layout.PaneKinds[p].Name))
}

// summaryDigitsIndex returns the index of the digits that go to the steps of a summary, -1 if there are none.
func (h Hints) summaryDigitsIndex(hints []draw.Hint) int {
	if _, ends := h.Screen.Dialogs.Top().(*summary.Dialog); !ends {
		return -1
	}
	return slices.IndexFunc(hints, func(one draw.Hint) bool { return one.Text == summary.DigitsHintText })
}

// typeIntoCommandHint returns the key to type into a command that waits for input.
func (h Hints) typeIntoCommandHint() []draw.Hint {
	if h.Screen.Focus == layout.WhyPane { // there, enter rewinds to an event
		return []draw.Hint{h.Run.DrawContext.ActionHint("output", h.goToOutputHintText())}
	}
	return []draw.Hint{h.Run.DrawContext.ActionHint("type", "type")}
}

// goToOutputHintText returns the text of the hint to go to the output in order to type there.
func (h Hints) goToOutputHintText() string {
	return "output, then " + h.Run.DrawContext.Keys.FirstKeyText("type") + " to type"
}

// paneHints returns the keys that move through matches or events, if any, followed by those of runHints.
func (h Hints) paneHints() []draw.Hint {
	if h.Screen.Searcher.IsFocusedPaneSearched() {
		return append(h.searchHints(), h.runHints()...)
	}
	if h.Screen.Focus == layout.WhyPane && h.Screen.Why.ShowsTimeline() && !h.Run.ShowsEarlierMoment() {
		return append([]draw.Hint{h.Run.DrawContext.UpDownHint("earlier, later")}, h.runHints()...)
	}
	if h.Run.ShowsEarlierMoment() {
		return append([]draw.Hint{h.Run.DrawContext.UpDownHint("earlier, later"), h.Run.DrawContext.ActionHint("back", "back to now")}, h.runHints()...)
	}
	return h.runHints()
}

// runHints returns the keys of the run's state and of the pane with focus. At an earlier moment, it leaves out those of
// the state.
func (h Hints) runHints() []draw.Hint {
	lead, more := h.stateActions()
	if h.Run.ShowsEarlierMoment() {
		lead, more = nil, nil
	}
	if h.Run.SavedVersion != nil {
		lead = append(lead, "reload")
	}
	if h.Screen.Split.Hides(layout.StepsPane) {
		lead = append(lead, "steps")
	}
	if h.Screen.ShowsRaw() {
		lead = append(lead, "raw")
	}
	if h.Screen.Why.ShowsTimeline() {
		lead = append([]string{"why"}, lead...)
	}
	return h.AvailableHints(append(append(lead, h.paneActions()...), append(more, "output", "why", "next-pane")...)...)
}

// FixedHints returns the keys at the end of the line, without those among the main hints.
func (h Hints) FixedHints() []draw.Hint {
	if h.Screen.TakesKeysAsText() {
		return nil
	}
	if h.Screen.Focus == layout.DialogPlace && dialog.IsEnteringText(h.Screen.Dialogs.Top()) {
		return nil
	}
	main := h.MainHints()
	return slices.DeleteFunc(h.AvailableHints("quit", "help"), func(one draw.Hint) bool {
		isAmongMain := slices.ContainsFunc(main, func(other draw.Hint) bool { return other.Action == one.Action })
		return isAmongMain || !h.Screen.DialogLetsKeyThrough(keymap.FindKeyAction(one.Action))
	})
}

// AvailableHints returns the hints of those named actions that are available and useful now.
func (h Hints) AvailableHints(names ...string) []draw.Hint {
	var out []draw.Hint
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			continue // the name comes from the state of the run and from the pane
		}
		a := keymap.FindKeyAction(name)
		if !h.Screen.ActionWorksIn(a, h.Screen.Focus) || h.UnavailableReason(a) != "" || !h.isUseful(name) {
			continue
		}
		hint := h.Run.DrawContext.ActionHint(a.Name, h.actionLabel(a))
		if hint.Key = h.keyBesideQuestion(a); hint.Key != "" {
			out = append(out, hint)
		}
	}
	return out
}

// keyBesideQuestion returns the key of an action as text, "" if the keys of the open question leave it none.
func (h Hints) keyBesideQuestion(a *keymap.KeyAction) string {
	dc := h.Run.DrawContext
	switch {
	case h.Question == nil, a.Scope != keymap.AnyPaneScope, h.Run.ShowsEarlierMoment():
		return dc.Keys.FirstKeyText(a.Name)
	case a.Name == "pass" || a.Name == "fail":
		return h.Question.KeyForAction(dc, a.Name)
	}
	keys := dc.Keys.Keys(a.Name)
	free := slices.IndexFunc(keys, func(k string) bool { return h.Question.LabelOfYesOrNoKey(dc.Keys, k) == "" })
	switch {
	case len(keys) == 0:
		return dc.Keys.FirstKeyText(a.Name)
	case free < 0:
		return ""
	}
	return keymap.ReadableKey(keys[free])
}

// stateActions returns the names of the actions that suit the state of the run: the most likely ones, and
// the others.
func (h Hints) stateActions() (lead, more []string) {
	if h.Run.IsReplay {
		return []string{"pause", "continue", "over", "undo"}, []string{"redo", "jump", "faster", "slower", "timeline", "summary"}
	}
	if h.Run.WatchOnlyReason != "" {
		return []string{"take-control", "quit"}, []string{"timeline", "map", "values", "summary"}
	}
	switch h.Run.Status.State {
	case engine.Running:
		if h.Run.IsModelReplying() {
			return []string{"now", "manual-reply", "interrupt"}, []string{"pause", "continue", "approvals", "source"}
		}
		return []string{"pause", "interrupt"}, []string{"continue", "approvals", "source"}
	case engine.Paused:
		switch failed := h.Run.FailedStepBeforePause(); {
		case failed == nil:
		case failed == h.Screen.Steps.SelectedRow():
			return []string{"edit", "rerun", "continue", "over", "pass"}, []string{"into", "out", "run-to", "skip", "jump", "manual-reply", "source"}
		default:
			return []string{"edit", "rerun", "continue", "over"}, []string{"into", "out", "run-to", "pass", "skip", "jump", "manual-reply", "source"}
		}
		if h.Run.IsStepBeforePauseSelected() {
			return []string{"continue", "over", "pass", "fail"}, []string{"into", "out", "run-to", "rerun", "skip", "jump", "manual-reply", "source"}
		}
		return []string{"continue", "over", "inputs"}, []string{"into", "out", "run-to", "pass", "rerun", "skip", "jump", "manual-reply", "source", "fail"}
	case engine.Waiting:
		return []string{"answer", "pass", "fail"}, []string{"rerun", "skip", "jump", "approvals", "source"}
	}
	if h.Run.ShownTrack.EndedAtFailure() {
		return []string{"answer", "edit", "rerun", "pass", "skip"}, []string{"source", "manual-reply", "jump", "summary", "compare", "export"}
	}
	if r := h.Screen.Steps.SelectedRow(); r != nil && r.Step != nil && r.Status == track.Failed {
		return []string{"answer", "edit", "rerun"}, []string{"jump", "summary", "compare", "export"}
	}
	return []string{"answer"}, []string{"rerun", "jump", "summary", "compare", "export"}
}

// paneActions returns the names of the actions of the pane with focus.
func (h Hints) paneActions() []string {
	if shown := h.Screen.Pane(h.Screen.Focus); shown != nil {
		return shown.HintActions()
	}
	return nil
}

// isUseful reports whether an action would change something here. For example, a run that is at the
// selected step cannot run to it.
func (h Hints) isUseful(name string) bool {
	if h.isShownByQuestion(name) {
		return false
	}
	switch name {
	case "pause", "continue":
		if h.Run.Status.PausesNext {
			return name == "pause" // which cancels the pause, as continue does
		}
		return !h.Run.IsReplay || (name == "pause") != (h.Run.Status.State == engine.Paused)
	case "type":
		return !h.Screen.IsCommandWaitingForInput() // at a prompt, typeIntoCommandHint has added it
	case "jump", "run-to":
		return h.Screen.Steps.SelectedRow() != h.Screen.Steps.RunPosition()
	case "output":
		return h.Screen.Focus != layout.OutputPane && (h.Screen.Focus != layout.WhyPane || !h.Screen.IsCommandWaitingForInput())
	case "why":
		return h.Screen.Focus != layout.WhyPane
	}
	return true
}

// isShownByQuestion reports whether the open question is in sight beside the pane with focus, and shows the key
// of an action itself.
func (h Hints) isShownByQuestion(name string) bool {
	q := h.Question
	if q == nil || !q.IsAnsweredByKeys() || !h.Screen.ShowsQuestion() {
		return false
	}
	return slices.Contains([]string{"answer", "pass", "fail"}, name) ||
		slices.ContainsFunc(q.AnswerHints(h.Run), func(of draw.Hint) bool { return of.Action == name })
}

// actionLabel returns what an action does now. It names the step on which the action acts, because that may not
// be the selected one.
func (h Hints) actionLabel(a *keymap.KeyAction) string {
	if h.Run.IsReplay {
		if word := replayLabelByAction[a.Name]; word != "" {
			return word
		}
	}
	switch a.Name {
	case "pause":
		if h.Run.Status.PausesNext {
			return "cancel pause"
		}
	case "pass", "fail":
		if h.Question != nil {
			return h.answerLabel(a.Name)
		}
		return a.HintText + " " + h.stepLabel(a) + h.outcomeDestination(a)
	case "manual-reply":
		if h.Run.Status.NextReplyManual {
			return "cancel manual reply"
		}
	case "output":
		if h.Screen.Output.IsQuiet(h.Run) {
			return h.goToOutputHintText() // the command may wait for input without saying so
		}
	case "why":
		if h.Screen.Why.ShowsTimeline() {
			return "timeline"
		}
		if h.Screen.Why.ShowsValuesOrTimeline() {
			return "values"
		}
	case "raw":
		if h.Screen.ShowsRaw() {
			return "rendered"
		}
	case "skip", "rerun":
		return a.HintText + " " + h.stepLabel(a)
	case "jump":
		return a.HintText + " to " + h.stepLabel(a)
	}
	for _, p := range layout.AllPanes {
		if label := h.Screen.Pane(p).ActionLabel(a.Name); label != "" && (a.Scope == keymap.AnyPaneScope || p == h.Screen.Focus) {
			return label
		}
	}
	return a.HintText
}

// outcomeDestination returns where a paused run goes with the outcome that "pass" or "fail" sets, after an arrow, ""
// if that is unknown.
func (h Hints) outcomeDestination(a *keymap.KeyAction) string {
	if to := h.Forecast.Destination(h.Run, plan.Result(a.Name)); to != "" {
		return " → " + to
	}
	return ""
}

// stepLabel returns the short label of the step on which an action acts.
func (h Hints) stepLabel(a *keymap.KeyAction) string {
	label := ""
	switch {
	case a.Name == "rerun":
		label = h.Run.RowToRerun().DisplayLabel()
	case a.Name == "jump":
		label = h.Screen.Steps.SelectedRow().DisplayLabel()
	case a.Name == "skip" || h.Question != nil:
		label = h.Run.NextOrCurrentStepLabel()
	default:
		label = h.Run.OutcomeStepLabel()
	}
	return h.Run.DrawContext.Cut(draw.ShortLabel(label, draw.HintLabelWidth), maxStepLabelWidth)
}

// maxStepLabelWidth is the maximum width of a step's label in a hint, in cells.
const maxStepLabelWidth = 2 * draw.HintLabelWidth

// answerLabel returns the answer that the key of pass or fail gives to the open question: with its step unless that is
// selected, and with its destination unless the question shows that. A narrow screen has no room for both.
func (h Hints) answerLabel(action string) string {
	label, to := h.Question.AnswerAndDestination(action)
	step := label + " " + draw.ShortLabel(h.Run.NextOrCurrentStepLabel(), draw.HintLabelWidth)
	switch r := h.Run.SelectedRow; {
	case to == "", h.Screen.ShowsQuestion():
		return step
	case r != nil && r.Label == h.Run.NextOrCurrentStepLabel():
		return label + " → " + to
	case h.Screen.Layout.Shape == layout.OnePaneShape:
		return step
	}
	return step + " → " + to
}

// ActionEffect returns what an action does now in a few words, "" if it is unavailable.
func (h Hints) ActionEffect(a *keymap.KeyAction) string {
	if h.UnavailableReason(a) != "" {
		return ""
	}
	return h.description(a)
}

// description returns what an action does now, without the abbreviations of its label.
func (h Hints) description(a *keymap.KeyAction) string {
	label := h.actionLabel(a)
	switch {
	case h.Run.IsReplay && a.ReplayHelp != "":
		return a.ReplayHelp
	case a.Name == "pass" || a.Name == "fail":
		if h.Question != nil {
			label, _ := h.Question.AnswerAndDestination(a.Name)
			return fmt.Sprintf("answer step %s with %q", h.stepLabel(a), label)
		}
		return "override step " + h.stepLabel(a) + " with " + a.HintText + h.outcomeDestination(a)
	case a.Name == "skip":
		return "skip step " + h.stepLabel(a)
	case a.Name == "rerun":
		return "run step " + h.stepLabel(a) + " again"
	case a.Name == "jump":
		return "jump to step " + h.stepLabel(a)
	case label == a.HintText:
		return a.HelpText
	}
	return label
}

// WithDescriptions returns keys for help, with whole descriptions instead of the labels of actions. The answers to the
// open question keep their texts.
func (h Hints) WithDescriptions(keys []draw.Hint) []draw.Hint {
	out := slices.Clone(keys)
	for i, one := range out {
		if a := keymap.FindKeyAction(one.Action); a != nil && one.Text == h.actionLabel(a) && !h.Question.HasAnswer(one.Text) {
			out[i].Text = h.description(a)
		}
	}
	return out
}

// DialogKeyEffect returns what a key does in a dialog, according to its hints, "" if the key types text or
// has no hint.
func (h Hints) DialogKeyEffect(d dialog.Dialog, k tea.KeyPressMsg) string {
	if dialog.IsEnteringText(d) && k.Text != "" {
		return ""
	}
	for _, one := range h.dialogHints(d) {
		if one.Key == keymap.ReadableKey(k.String()) {
			return one.Text
		}
	}
	return ""
}

// dialogHints returns the keys of a dialog: those of its answers, and those on the last line.
func (h Hints) dialogHints(d dialog.Dialog) []draw.Hint {
	all := d.Hints(h.Run)
	if asks, is := d.(dialog.AnswerLister); is {
		all = append(asks.AnswerHints(h.Run), all...)
	}
	return all
}

// DialogKeyRefusal returns that a key does nothing in a dialog, and which keys do something.
func (h Hints) DialogKeyRefusal(d dialog.Dialog, k tea.KeyPressMsg) string {
	var keys []string
	for _, one := range h.dialogHints(d) {
		keys = append(keys, one.Key+" ("+one.Text+")")
	}
	text := keymap.ReadableKey(k.String()) + " does nothing here."
	if len(keys) > 0 {
		text += " Press " + strings.Join(keys, ", ") + "."
	}
	return text
}
