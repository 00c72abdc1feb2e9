package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// view is what panes and dialogs read of the run.
func (m *Model) view() *runview.Run {
	return &runview.Run{
		Run: m.run(), Shown: m.track, Selected: m.tree.selected(), Unsent: m.question.unsent(), Secrets: len(m.cfg.Secrets) > 0,
		Look: m.look, Room: m.layout.Panes[panes.Card], Unavailable: m.unavailableNamed,
	}
}

// runChanged tells the open dialogs that the run has changed.
func (m *Model) runChanged() tea.Cmd { return m.tellDialogs(dialog.RunChanged{}) }

// tellDialogs hands a message to all open dialogs.
func (m *Model) tellDialogs(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, open := range slices.Clone(m.cards) {
		if d, is := open.(dialog.Dialog); is {
			requests, changed := d.Update(m.view(), msg)
			cmds = append(cmds, m.carryOut(d, requests))
			if changed {
				m.reflow()
			}
		}
	}
	return tea.Batch(cmds...)
}

// tell hands a message to a dialog, and does what that requests.
func (m *Model) tell(c card, msg tea.Msg) (cmd tea.Cmd, handled bool) {
	d, is := c.(dialog.Dialog)
	if !is {
		return tellCard(m, c, msg)
	}
	requests, handled := d.Update(m.view(), msg)
	return m.carryOut(d, requests), handled
}

// carryOut does what a dialog requests.
func (m *Model) carryOut(from dialog.Dialog, requests []tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, len(requests))
	for i, r := range requests {
		switch r := r.(type) {
		case dialog.Close:
			m.close(from)
		case dialog.Open:
			m.open(r.Dialog)
		default:
			cmds[i] = m.fulfil(r)
		}
	}
	return tea.Batch(cmds...)
}

// fulfil does what a pane or a dialog requests.
func (m *Model) fulfil(r tea.Msg) tea.Cmd {
	switch r := r.(type) {
	case request.Do:
		return m.do(r)
	case request.Press:
		return m.press(r.Action)
	case request.Background:
		return r.Cmd
	case request.Say:
		m.say(r.Text)
	case request.SayNext:
		m.sayAhead(r.Text)
	case request.IgnoreKeys:
		m.hush(briefLull, r.Text)
	case request.Select:
		m.selectRow(r.Row)
	case request.FocusSteps:
		m.focus = m.split.Home()
		m.reflow()
	case request.FollowRun:
		m.followRun()
	case request.EditOutside:
		return m.editOutside(r.Editor)
	default:
		return m.intervention(r)
	}
	return nil
}

// do carries out an action on the run, or says why it cannot.
func (m *Model) do(r request.Do) tea.Cmd {
	a, run := control.Named(r.Action), m.run()
	if why := a.Unavailable(run, r.Args); why != "" {
		m.say(draw.Clean(m.look.Keys.Sentence(why)))
		return nil
	}
	return m.call(func(s session) error { return a.Do(s, run, r.Args) })
}

// press does what the key of an action does outside dialogs.
func (m *Model) press(action string) tea.Cmd { return m.act(keymap.Named(action)) }

// unavailableNamed is why an action of the key map cannot be done now, empty if it can.
func (m *Model) unavailableNamed(action string) string { return m.unavailable(keymap.Named(action)) }
