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
	"playhead/tui/pane/output"
	"playhead/tui/panes"
	"playhead/tui/present"
	"playhead/tui/screen"
	"playhead/tui/terminal"
	"playhead/tui/typeahead"
)

// inputHandler passes keys, pasted text and clicks on: to the command that is typed into, to the search, to
// the dialog with focus, or to an action.
type inputHandler struct {
	look     *draw.Look
	screen   *screen.Screen
	conn     *connection
	lastLine *lastLine
	programs *externalPrograms
	now      func() time.Time
	after    func(time.Duration, tea.Msg) tea.Cmd // sends a message after a delay
	hints    func() hints.Hints
	act      func(*keymap.Action) tea.Cmd

	guard       typeahead.Guard
	interrupted bool              // the last key was ctrl+c: a second one quits
	targets     []bar.ClickTarget // the places in the current frame where a click presses a key
}

// key handles a key.
func (in *inputHandler) key(k tea.KeyPressMsg) tea.Cmd {
	keys := in.look.Keys
	if in.isHeldBack(k) {
		return nil
	}
	in.lastLine.clear()
	if digit := in.guard.HabitualEnter(k, keys); digit != "" && in.screen.Focus == panes.Dialog {
		in.lastLine.say("Enter was ignored: you already answered with " + digit + ". Press it again to answer this question.")
		return nil
	}
	in.interrupted = in.interrupted && keys.Is(k, "interrupt")
	find := in.screen.Finder
	switch {
	case in.screen.Output.IsTyping():
		return in.typeKey(k)
	case find.Editing:
		return find.Key(k)
	case find.IsInFocus() && keys.Is(k, "back"):
		find.End()
		return nil
	}
	p := in.screen.Focus
	if p == panes.Dialog {
		if in.guard.IsMeantForBefore(in.now(), k) {
			in.lastLine.say(keymap.Shown(k.String()) + " was ignored: you pressed it just before this dialog opened. Pause, then press it again.")
			return nil
		}
		if d := in.screen.Top(); d != nil {
			if action := pageAction(k, keys); action != "" && in.screen.PagedPane() != panes.Nowhere && (k.Text == "" || !hints.TakesText(d)) {
				return in.screen.Page(action)
			}
			if cmd, handled := in.dialogKey(d, k); handled {
				return cmd
			}
		}
		p = panes.Nowhere
	}
	a := keys.Action(k.String(), panes.Kinds[p].Scope)
	if a == nil {
		if k.Text != "" {
			in.lastLine.say(k.Text + " does nothing here. {help} to list the keys.")
		}
		return nil
	}
	does, top, inDialog := in.hints().Effect(a), in.screen.Top(), in.screen.Focus == panes.Dialog
	cmd := in.act(a)
	if repeats := slices.Contains(repeatableGroups, a.Group) || in.screen.Top() == top; !inDialog {
		in.guard.NoteUse(in.now(), k, repeats && a.Name != "interrupt") // because a second interrupt quits
	}
	return tea.Batch(in.showCaption(k, does), cmd)
}

// pageAction returns the action of a key that moves by a page, "" for other keys.
func pageAction(k tea.KeyPressMsg, keys keymap.Map) string {
	for _, action := range []string{"page-up", "page-down"} {
		if keys.Is(k, action) {
			return action
		}
	}
	return ""
}

// repeatableGroups are the groups of actions whose keys people repeat without looking, even after one has
// opened a dialog.
var repeatableGroups = []string{"move", "run", "decide"}

// isHeldBack reports whether a key is ignored, or held until the run has begun. The second ctrl+c, which
// quits, is never held back.
func (in *inputHandler) isHeldBack(k tea.KeyPressMsg) bool {
	keys := in.look.Keys
	interrupts := keys.Is(k, "interrupt")
	if in.interrupted && interrupts {
		return false
	}
	ignored, last := in.guard.Ignores(in.now(), k, keys)
	switch {
	case last && interrupts:
		in.lastLine.say("Keys control Playhead again.")
	case last:
		in.lastLine.clear()
	case ignored && in.lastLine.text == "":
		in.lastLine.say(keysIgnored)
	}
	return ignored || in.guard.Hold(k, keys)
}

// dialogKey sends a key to a dialog, and reports whether the dialog used it.
func (in *inputHandler) dialogKey(d dialog.Dialog, k tea.KeyPressMsg) (cmd tea.Cmd, handled bool) {
	does, asked := in.hints().ForKey(d, k), questionOf(d)
	sends := in.sendsText(d, k)
	if cmd, handled = in.screen.Tell(d, k); !handled {
		return nil, false
	}
	if asked != nil && (!in.screen.IsOpen(d) || questionOf(d) != asked) {
		in.guard.NoteAnswer(k)
	}
	_, ofRun := d.(*question.Dialog)
	switch {
	case in.screen.IsOpen(d):
		if hints.TakesText(d) {
			in.guard.NoteWriting(in.now())
		}
	case sends: // the rest of a text that was pasted as keys may follow
		in.guard.Ignore(in.now())
	case ofRun: // the person has not read the next question yet
		in.guard.NoteUse(in.now(), k, true)
	}
	in.screen.Reflow()
	return tea.Batch(cmd, in.showCaption(k, does)), true
}

// sendsText reports whether a key would send a text that the person is just writing in a dialog. The text in
// a menu only filters it.
func (in *inputHandler) sendsText(d dialog.Dialog, k tea.KeyPressMsg) bool {
	_, isMenu := d.(*choose.Menu)
	return hints.TakesText(d) && !isMenu && in.look.Keys.Is(k, "accept") && in.guard.IsWriting(in.now())
}

// questionOf returns what a dialog asks for now (in a form: the current value), nil if it asks nothing.
func questionOf(d dialog.Dialog) any {
	if a, is := d.(dialog.Asker); is {
		return a.Asks()
	}
	return nil
}

// typeKey sends a key to the running command.
func (in *inputHandler) typeKey(k tea.KeyPressMsg) tea.Cmd {
	if k.String() == keymap.EndTyping {
		in.screen.Output.EndTyping()
		return nil
	}
	in.conn.typeBytes(output.Bytes(k))
	return nil
}

const keysIgnored = "Keys are ignored until you pause."

// ignore ignores keys until the person pauses, and says why.
func (in *inputHandler) ignore(why string) {
	in.guard.Ignore(in.now())
	in.lastLine.say(why)
}

// endTyping ends typing into a command that has ended, and ignores the keys that were meant for it.
func (in *inputHandler) endTyping() tea.Cmd {
	in.screen.Output.EndTyping()
	in.screen.Presentation.Pinned = false
	in.guard.IgnoreAfterTyping(in.now())
	in.lastLine.sayNext(typeahead.KeysIgnoredMessage)
	return in.after(typeahead.Quiet, typeahead.IgnoringEnded{})
}

// endIgnoring announces that keys work again, once the person has paused.
func (in *inputHandler) endIgnoring() tea.Cmd {
	if rest := in.guard.Remaining(in.now()); rest > 0 {
		return in.after(rest, typeahead.IgnoringEnded{})
	}
	if in.lastLine.text == typeahead.KeysIgnoredMessage {
		in.lastLine.say(typeahead.KeysBackMessage)
	}
	return nil
}

// textDialog returns the dialog on top if it takes text, else nil.
func (in *inputHandler) textDialog() dialog.Dialog {
	if d := in.screen.Top(); d != nil && hints.TakesText(d) {
		return d
	}
	return nil
}

// ignoreIfClosed ignores keys that a person still types for a dialog that the run has closed.
func (in *inputHandler) ignoreIfClosed(written dialog.Dialog) {
	if written != nil && !in.screen.IsOpen(written) && in.guard.IsWriting(in.now()) {
		in.ignore("The run continued and closed the dialog you were typing in. Keys are ignored until you pause.")
	}
}

// dropHeld drops the keys that were held, if the run does not begin yet.
func (in *inputHandler) dropHeld() {
	if len(in.guard.Release(in.now(), false)) > 0 {
		in.ignore(keysIgnored)
	}
}

// handleHeldKeys handles the keys that were held, once the session has reported its state.
func (in *inputHandler) handleHeldKeys() tea.Cmd {
	st := in.conn.status
	if st.State == "" {
		return nil
	}
	onItsWay := st.State == engine.Running && st.Running == "" && !in.conn.replays()
	var cmds []tea.Cmd
	for _, k := range in.guard.Release(in.now(), onItsWay) {
		cmds = append(cmds, in.key(k))
	}
	return tea.Sequence(cmds...)
}

// paste inserts a text where a key would insert a letter.
func (in *inputHandler) paste(text string) tea.Cmd {
	s := in.screen
	switch d := s.Top(); {
	case s.Output.IsTyping():
		in.conn.typeBytes([]byte(text))
	case s.Finder.Editing:
		return s.Finder.Paste(text)
	case d != nil && s.Focus == panes.Dialog:
		cmd, handled := s.Tell(d, tea.PasteMsg{Content: text})
		if handled {
			s.Reflow()
		}
		return cmd
	}
	return nil
}

// click selects what is under the pointer, or presses the key of a clicked hint.
func (in *inputHandler) click(at tea.Mouse) tea.Cmd {
	layout := in.screen.Layout
	if at.Button != tea.MouseLeft || layout.Shape == panes.Tiny {
		return nil
	}
	in.guard.ForgetAnswer()
	for _, t := range in.targets {
		if at.Y == t.Y && at.X >= t.From && at.X < t.To {
			return in.key(terminal.Press(t.Key))
		}
	}
	if at.Y == 0 || at.Y == layout.H-1 {
		return nil
	}
	in.lastLine.clear()
	return in.screen.Mouse.Click(at)
}

// release copies the text that was selected with the mouse.
func (in *inputHandler) release() tea.Cmd {
	copied, selected := in.screen.Mouse.Release()
	if !selected {
		return nil
	}
	return in.programs.takeCopied(copied)
}

// showCaption shows the audience a key and what it does, for a while.
func (in *inputHandler) showCaption(k tea.KeyPressMsg, does string) tea.Cmd {
	over, shows := in.screen.Presentation.SetCaption(k, does)
	if !shows {
		return nil
	}
	return in.after(present.CaptionTime, over)
}
