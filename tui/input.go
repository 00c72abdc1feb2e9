package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/bar"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/question"
	"playhead/tui/draw"
	"playhead/tui/hints"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/pane/output"
	"playhead/tui/present"
	"playhead/tui/screen"
	"playhead/tui/terminal"
	"playhead/tui/typeahead"
)

// keysBackText ends the time in which keys go to a command or are ignored.
const keysBackText = "Keys control Playhead again."

// inputHandler passes keys, pasted text and clicks on: to the command that is typed into, to the search, to
// the dialog with focus, or to an action.
type inputHandler struct {
	drawContext      *draw.Context
	screen           *screen.Screen
	conn             *runConnection
	lastLine         *lastLineMessage
	externalPrograms *externalPrograms
	currentTime      func() time.Time
	sendAfter        func(time.Duration, tea.Msg) tea.Cmd // sends a message after a delay
	currentHints     func() hints.Hints
	performAction    func(*keymap.KeyAction) tea.Cmd

	typeaheadGuard      typeahead.Guard
	unreadDialog        dialog.Dialog     // the dialog that opened last without a key of the person
	lastKeyWasInterrupt bool              // the last key was ctrl+c: a second one quits
	clickTargets        []bar.ClickTarget // the places in the current frame where a click presses a key
}

// handleKey handles a key.
func (in *inputHandler) handleKey(k tea.KeyPressMsg) tea.Cmd {
	keys := in.drawContext.Keys
	in.screen.Presenter.ClearCaption()
	if cmd, isHeldBack := in.ignoreOrHold(k); isHeldBack {
		return cmd
	}
	in.lastLine.clear()
	if digit := in.typeaheadGuard.TakeAnswerDigitBeforeEnter(in.currentTime(), k, keys); digit != "" && in.screen.Focus == layout.DialogPlace {
		in.lastLine.say("Enter was ignored: key " + digit + " already answered the previous question. Press enter again to answer this one.")
		return nil
	}
	in.lastKeyWasInterrupt = in.lastKeyWasInterrupt && keys.IsKeyOf(k, "interrupt")
	find := in.screen.Searcher
	switch {
	case in.screen.Output.IsTyping():
		return in.sendToCommand(k)
	case find.IsEditing:
		return find.HandleKey(k)
	case find.IsFocusedPaneSearched() && keys.IsKeyOf(k, "back"):
		find.EndSearch()
		return nil
	case in.screen.Focus == layout.DialogPlace:
		return in.handleDialogKey(k)
	}
	a := keys.ActionOfKey(k.String(), in.screen.KeyScope(in.screen.Focus))
	if a == nil || a.Scope == keymap.AnyPaneScope {
		if in.goToQuestionOf(k) {
			return nil
		}
	}
	if a == nil {
		if k.Text != "" {
			in.lastLine.say(k.Text + " does nothing here. {help} to list the keys.")
		}
		return nil
	}
	if slices.Contains(outcomeActions, a.Name) && in.currentHints().UnavailableReason(a) == "" && in.typeaheadGuard.CheckQuickRepeat(in.currentTime(), k) {
		in.lastLine.say(keymap.ReadableKey(k.String()) + " was ignored: you have just pressed it for another step. Wait a moment, then press it again.")
		return nil
	}
	top := in.screen.Dialogs.Top()
	cmd := in.performKeyAction(k, a)
	repeats := slices.Contains(repeatableGroups, a.Group) || in.screen.Dialogs.Top() == top
	in.typeaheadGuard.NoteKeyUse(in.currentTime(), k, repeats && a.Name != "interrupt") // because a second interrupt quits
	return cmd
}

// goToQuestionOf gives the focus to the open question if a key would answer it with yes or no there, and reports
// whether it did. Without a question such a key does something else, so a person presses it twice.
func (in *inputHandler) goToQuestionOf(k tea.KeyPressMsg) bool {
	h := in.currentHints()
	answer := h.Question.LabelOfYesOrNoKey(in.drawContext.Keys, k.String())
	if answer == "" || h.Run.ShowsEarlierMoment() {
		return false
	}
	in.screen.Open(h.Question)
	in.ignoreRestOfText(k)
	in.lastLine.say("Press " + keymap.ReadableKey(k.String()) + " again to answer \"" + answer + "\".")
	return true
}

// handleDialogKey handles a key while a dialog has the focus.
func (in *inputHandler) handleDialogKey(k tea.KeyPressMsg) tea.Cmd {
	keys := in.drawContext.Keys
	if in.typeaheadGuard.CheckQuickRepeat(in.currentTime(), k) {
		in.lastLine.say(keymap.ReadableKey(k.String()) + " was ignored: you pressed it just before this dialog opened. Wait a moment, then press it again.")
		return nil
	}
	d := in.screen.Dialogs.Top()
	if k.Text == "" && !keys.IsKeyOf(k, "accept") { // no typed text has it, so the person acts in this dialog
		in.unreadDialog = nil
	}
	if d != nil && d == in.unreadDialog && !dialog.IsEnteringText(d) && in.currentHints().DialogKeyEffect(d, k) != "" && in.typeaheadGuard.CheckTooSoon(in.currentTime()) {
		in.lastLine.say(keymap.ReadableKey(k.String()) + " was ignored: this dialog has just opened. Read it, then press the key again.")
		return nil
	}
	if d != nil {
		if action := pageScrollAction(k, keys); action != "" && in.screen.PaneForPageKeys() != layout.NoPane && (k.Text == "" || !dialog.IsEnteringText(d)) {
			return in.screen.ScrollPaneForPageKeys(action)
		}
		if cmd, handled := in.offerKeyToDialog(d, k); handled {
			return cmd
		}
	}
	a := keys.ActionOfKey(k.String(), layout.PaneKinds[layout.NoPane].Scope)
	if _, asks := d.(*question.Dialog); asks && k.Text != "" && !mayPrecedeOtherKeys(a) {
		in.typeaheadGuard.IgnoreUntilPause(in.currentTime())
	}
	switch {
	case a == nil && k.Text == "" && !keys.IsKeyOf(k, "accept"):
		return nil
	case d != nil && (a == nil || !dialog.AllowsAction(d, a)):
		in.ignoreRestOfText(k)
		return in.refuseAction(a, in.currentHints().DialogKeyRefusal(d, k))
	case a == nil:
		return nil
	}
	return in.performKeyAction(k, a)
}

// noteUnreadDialog records a dialog that opened, or shows for the first time, without a key of the person.
func (in *inputHandler) noteUnreadDialog(d dialog.Dialog) {
	in.unreadDialog = d
	in.typeaheadGuard.NoteDialogOpened(in.currentTime())
}

// mayPrecedeOtherKeys reports whether a key that a question does not use is probably not the first letter of a text,
// because its action moves or takes a text itself.
func mayPrecedeOtherKeys(a *keymap.KeyAction) bool {
	return a != nil && (a.Group == "move" || slices.Contains(slices.Concat(fieldActions, []string{"next-match", "previous-match", "next-call", "previous-call"}), a.Name))
}

// refuseAction says why an action is unavailable. If it opens a field, a person may go on typing: those keys are ignored.
func (in *inputHandler) refuseAction(a *keymap.KeyAction, why string) tea.Cmd {
	if a != nil && slices.Contains(fieldActions, a.Name) {
		return in.ignoreKeys(in.typeaheadGuard.IgnoreAfterRefusedField, why, why)
	}
	in.lastLine.say(why)
	return nil
}

// fieldActions are the actions that open a field in which people type without waiting for it.
var fieldActions = []string{"find", "go-to", "actions"}

// performKeyAction performs the action of a key. If that closes the open question, what follows may be the rest of a
// typed answer.
func (in *inputHandler) performKeyAction(k tea.KeyPressMsg, a *keymap.KeyAction) tea.Cmd {
	asked, dialogs := in.screen.QuestionDialog(), len(in.screen.Dialogs)
	does := in.currentHints().ActionEffect(a)
	cmd := in.performAction(a)
	answers := slices.Contains(outcomeActions, a.Name) && len(in.screen.Dialogs) <= dialogs // the run closes the question later
	if asked != nil && (answers || in.screen.QuestionDialog() != asked) {
		in.ignoreRestOfText(k)
	}
	return tea.Batch(in.showCaption(k, does, a.HintText), cmd)
}

// ignoreRestOfText ignores what follows a key that closed a dialog: it may be the rest of a text, typed or pasted as
// keys. Only letters and enter are part of a text.
func (in *inputHandler) ignoreRestOfText(k tea.KeyPressMsg) {
	if k.Text != "" || in.drawContext.Keys.IsKeyOf(k, "accept") {
		in.typeaheadGuard.IgnoreUntilPause(in.currentTime())
	}
}

// pageScrollAction returns the action of a key that moves by a page, "" for other keys.
func pageScrollAction(k tea.KeyPressMsg, keys keymap.Map) string {
	for _, action := range []string{"page-up", "page-down"} {
		if keys.IsKeyOf(k, action) {
			return action
		}
	}
	return ""
}

// repeatableGroups are the groups of actions whose keys people repeat without looking, even after one has
// opened a dialog.
var repeatableGroups = []string{"move", "run", "decide"}

// outcomeActions are the actions that set the outcome of the step at which the run is, whichever that is by now.
var outcomeActions = []string{"pass", "fail", "skip"}

// ignoreOrHold reports whether a key is ignored, or held until the run has begun. The second ctrl+c, which
// quits, is never held back. The command removes the sentence about ignored keys after the pause.
func (in *inputHandler) ignoreOrHold(k tea.KeyPressMsg) (cmd tea.Cmd, isHeldBack bool) {
	keys := in.drawContext.Keys
	interrupts := keys.IsKeyOf(k, "interrupt")
	if in.lastKeyWasInterrupt && interrupts {
		return nil, false
	}
	ignored, last := in.typeaheadGuard.CheckIgnored(in.currentTime(), k, keys)
	switch {
	case last && interrupts:
		in.lastLine.say(keysBackText)
	case last:
		in.lastLine.clear()
	case ignored && in.lastLine.message == "":
		cmd = in.sayKeysIgnored("", "")
	}
	return cmd, ignored || in.typeaheadGuard.HoldKeyUntilStarted(k, keys)
}

// offerKeyToDialog sends a key to a dialog, and reports whether the dialog used it.
func (in *inputHandler) offerKeyToDialog(d dialog.Dialog, k tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	does, asked := in.currentHints().DialogKeyEffect(d, k), currentQuestionOf(d)
	if cmd, handled = in.screen.SendToDialog(d, k); !handled {
		return nil, false
	}
	if asked != nil && (!in.screen.Dialogs.Contains(d) || currentQuestionOf(d) != asked) {
		in.typeaheadGuard.NoteAnswer(in.currentTime(), k)
	}
	if in.screen.Dialogs.Contains(d) {
		if dialog.IsEnteringText(d) {
			in.typeaheadGuard.NoteWriting(in.currentTime())
		}
	} else {
		if _, ofRun := d.(*question.Dialog); ofRun || in.screen.ShowsQuestion() { // the person has not read the question that shows now
			in.typeaheadGuard.NoteKeyUse(in.currentTime(), k, true)
		}
		if _, isMenu := d.(*choose.Menu); !letsScreenKeysThrough(d) && !(isMenu && in.textDialog() != nil) {
			in.ignoreRestOfText(k)
		}
	}
	in.screen.Reflow()
	return tea.Batch(cmd, in.showCaption(k, does, "")), true
}

// letsScreenKeysThrough reports whether a dialog asks nothing and lets the keys of the screen through, such as the map.
func letsScreenKeysThrough(d dialog.Dialog) bool {
	_, asks := d.(*question.Dialog)
	return !asks && dialog.AllowsAction(d, keymap.FindKeyAction("over"))
}

// currentQuestionOf returns what a dialog asks for now (in a form: the current value), nil if it asks nothing.
func currentQuestionOf(d dialog.Dialog) any {
	if a, is := d.(dialog.Questioner); is {
		return a.CurrentQuestion()
	}
	return nil
}

// sendToCommand sends a key to the running command.
func (in *inputHandler) sendToCommand(k tea.KeyPressMsg) tea.Cmd {
	if k.String() == keymap.EndTypingKey {
		in.screen.Output.EndTyping()
		return nil
	}
	in.conn.typeIntoCommand(output.KeyBytes(k))
	return nil
}

// ignoreKeys ignores keys with a function of the guard until the person pauses, and says why. Once they
// work again, the sentence after replaces that.
func (in *inputHandler) ignoreKeys(ignore func(time.Time), why, after string) tea.Cmd {
	ignore(in.currentTime())
	return in.sayKeysIgnored(why, after)
}

// sayKeysIgnored says that keys are ignored, and why. The command removes that after the pause.
func (in *inputHandler) sayKeysIgnored(why, after string) tea.Cmd {
	in.lastLine.sayKeysIgnored(why, after)
	return in.sendAfter(typeahead.QuietTime, typeahead.IgnoringEnded{})
}

// endTypingAfterCommand ends typing into a command that has ended, and ignores the keys that were meant for it.
func (in *inputHandler) endTypingAfterCommand() tea.Cmd {
	in.screen.Output.EndTyping()
	in.screen.Presenter.IsPanePinned = false
	const why = "The command ended."
	return in.ignoreKeys(in.typeaheadGuard.IgnoreAfterTyping, why, why+" "+keysBackText)
}

// endKeysIgnored removes the sentence that keys are ignored, once the person has paused.
func (in *inputHandler) endKeysIgnored() tea.Cmd {
	if rest := in.typeaheadGuard.RemainingIgnoreTime(in.currentTime()); rest > 0 {
		return in.sendAfter(rest, typeahead.IgnoringEnded{})
	}
	in.lastLine.endKeysIgnored()
	return nil
}

// textDialog returns the dialog on top if it takes text, else nil.
func (in *inputHandler) textDialog() dialog.Dialog {
	if d := in.screen.Dialogs.Top(); dialog.IsEnteringText(d) {
		return d
	}
	return nil
}

// ignoreKeysIfDialogClosed ignores keys that a person still types for a dialog that the run has closed.
func (in *inputHandler) ignoreKeysIfDialogClosed(written dialog.Dialog) tea.Cmd {
	if written == nil || in.screen.Dialogs.Contains(written) || !in.typeaheadGuard.IsWriting(in.currentTime()) {
		return nil
	}
	const why = "The run continued and closed the dialog you were typing in."
	return in.ignoreKeys(in.typeaheadGuard.IgnoreUntilPause, why, why)
}

// dropHeldKeys drops the keys that were held, if the run does not begin yet.
func (in *inputHandler) dropHeldKeys() tea.Cmd {
	if len(in.typeaheadGuard.ReleaseHeldKeys(in.currentTime(), false)) == 0 {
		return nil
	}
	return in.ignoreKeys(in.typeaheadGuard.IgnoreUntilPause, "", "")
}

// handleHeldKeys handles the keys that were held, once the session has reported its state.
func (in *inputHandler) handleHeldKeys() tea.Cmd {
	st := in.conn.status
	if st.State == "" {
		return nil
	}
	onItsWay := st.State == engine.Running && st.RunningStep == "" && !in.conn.isReplay()
	var cmds []tea.Cmd
	for _, k := range in.typeaheadGuard.ReleaseHeldKeys(in.currentTime(), onItsWay) {
		cmds = append(cmds, in.handleKey(k))
	}
	return tea.Sequence(cmds...)
}

// handlePaste inserts a text where a key would insert a letter.
func (in *inputHandler) handlePaste(text string) tea.Cmd {
	s := in.screen
	switch d := s.Dialogs.Top(); {
	case s.Output.IsTyping():
		in.conn.typeIntoCommand([]byte(text))
	case s.Searcher.IsEditing:
		return s.Searcher.Paste(text)
	case d != nil && s.Focus == layout.DialogPlace:
		cmd, handled := s.SendToDialog(d, tea.PasteMsg{Content: text})
		if handled {
			s.Reflow()
		}
		return cmd
	}
	return nil
}

// handleClick selects what is under the pointer, or presses the key of a clicked hint.
func (in *inputHandler) handleClick(at tea.Mouse) tea.Cmd {
	screenLayout := in.screen.Layout
	if at.Button != tea.MouseLeft || screenLayout.Shape == layout.TooSmallShape {
		return nil
	}
	in.typeaheadGuard.ForgetAnswer()
	for _, t := range in.clickTargets {
		if at.Y == t.Y && at.X >= t.StartX && at.X < t.EndX {
			return in.handleKey(terminal.KeyPress(t.Key))
		}
	}
	if at.Y == 0 || at.Y == screenLayout.H-1 {
		return nil
	}
	in.lastLine.clear()
	return in.screen.Mouse.Click(at)
}

// handleRelease copies the text that was selected with the mouse.
func (in *inputHandler) handleRelease() tea.Cmd {
	copied, selected := in.screen.Mouse.Release()
	if !selected {
		return nil
	}
	return in.externalPrograms.copyToClipboard(copied)
}

// showCaption shows the audience a key and what it does, in a sentence and in a word, for a while.
func (in *inputHandler) showCaption(k tea.KeyPressMsg, does, label string) tea.Cmd {
	over, shows := in.screen.Presenter.SetCaption(k, does, label)
	if !shows {
		return nil
	}
	return in.sendAfter(present.CaptionDuration, over)
}
