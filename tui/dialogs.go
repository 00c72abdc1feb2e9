package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/start"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// view is what panes and dialogs read of the run.
func (m *Model) view() *runview.Run {
	return &runview.Run{
		Run: m.run(), Shown: m.track, Selected: m.tree.selected(), Unsent: m.question.Unsent(), Secrets: len(m.cfg.Secrets) > 0,
		Look: m.look, Room: m.layout.Panes[panes.Card], Rows: m.everyRow, Unavailable: m.unavailableNamed, Hints: m.offers,
	}
}

// tellDialogs hands a message to all open dialogs, and reports whether one has changed by it.
func (m *Model) tellDialogs(msg tea.Msg) (tea.Cmd, bool) {
	var cmds []tea.Cmd
	any := false
	for _, open := range slices.Clone(m.cards) {
		if d, is := open.(dialog.Dialog); is {
			requests, changed := d.Update(m.view(), msg)
			cmds = append(cmds, m.carryOut(d, requests))
			if changed {
				any = true
				m.reflow()
			}
		}
	}
	return tea.Batch(cmds...), any
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
			m.close(cmp.Or(r.Dialog, from))
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
		m.selectStep(r.Row)
	case request.FocusPanes:
		m.focus = m.split.Home()
		m.reflow()
	case request.PageText:
		m.pageText(r.Up)
	case request.ShowNow:
		m.backToNow()
	case request.FollowRun:
		m.followRun()
	case request.Paint:
		m.paint(r.Palette)
	case request.EditOutside:
		return m.editOutside(r.Editor)
	case start.Trusted, start.Prompted, start.Filled, start.Back, choose.FirstSource:
		return m.startRequest(r)
	case breakpoints.Set:
		return m.breakAt(r.All)
	case intervene.Perform:
		return m.perform(r)
	case comparing:
		return m.compare(r.with)
	}
	return nil
}

// selectStep selects a step, which the screen may show at another moment since.
func (m *Model) selectStep(r *track.Row) {
	if !slices.Contains(m.everyRow(), r) {
		r = m.track.Row(r.Label)
	}
	if r != nil {
		m.selectRow(r)
	}
}

// do carries out an action on the run, or says why it cannot.
func (m *Model) do(r request.Do) tea.Cmd {
	a, run, args := m.prepare(r)
	if why := a.Unavailable(run, args); why != "" {
		m.say(draw.Clean(m.look.Keys.Sentence(why)))
		return nil
	}
	m.stepping = m.stepping || r.Action == "again" // which pauses after the step
	return m.call(func(s session) error { return a.Do(s, run, args) })
}

// prepare is an action with the run as it is now, of which its step has to be one: it may have been
// chosen while another moment showed.
func (m *Model) prepare(r request.Do) (*control.Action, control.Run, control.Args) {
	run, args := m.run(), r.Args
	if args.Step != nil {
		args.Step = cmp.Or(run.Row(args.Step.Label), args.Step)
	}
	return control.Named(r.Action), run, args
}

// pageText moves the step's text by a page of its pane, of which little may show.
func (m *Model) pageText(up bool) {
	by := max(3, m.layout.Panes[panes.Text].H-1)
	if up {
		by = -by
	}
	m.scroll(panes.Text, by)
}

// press does what the key of an action does in the pane with focus, or in its own.
func (m *Model) press(action string) tea.Cmd {
	a := keymap.Named(action)
	if p := placeOf(a, m.focus); p != m.focus {
		m.focusPane(p)
	}
	return m.act(a)
}

// placeOf is the pane that an action is done in: the one with focus, if it works there.
func placeOf(a *keymap.Action, focus panes.Pane) panes.Pane {
	if worksIn(a, focus) {
		return focus
	}
	for p := panes.Tree; p < panes.Card; p++ {
		if worksIn(a, p) {
			return p
		}
	}
	return focus
}

// unavailableNamed is why an action cannot be done in its pane, empty if it can. While a dialog
// shows alone, that is the pane that had the focus before it.
func (m *Model) unavailableNamed(action string) string {
	focus := m.focus
	defer func() { m.focus = focus }()
	if focus == panes.Card && len(m.cards) == 1 {
		m.focus = m.back
	}
	a := keymap.Named(action)
	m.focus = placeOf(a, m.focus)
	return m.unavailable(a)
}
