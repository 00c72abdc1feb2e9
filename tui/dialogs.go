package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/comparison"
	"playhead/tui/dialog/edit"
	"playhead/tui/dialog/intervene"
	"playhead/tui/dialog/start"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/session"
)

// view is what panes and dialogs read of the run.
func (m *Model) view() *runview.Run {
	return &runview.Run{
		Run: m.run(), Shown: m.timeline.Shown, Selected: m.steps.Selected(), ShownEvents: m.shownEvents(), Question: m.question.State(), Secrets: len(m.cfg.Secrets) > 0,
		Index: m.timeline.Index(), Moment: m.moment(), Presenting: m.stage.On, Focus: m.focus,
		Target: m.target, Resumed: len(m.cfg.History) > 0, Player: m.cfg.Play, AsksModels: m.models,
		Look: m.look, Room: m.layout.Panes[panes.Dialog], Rows: func() []*track.Row { return m.steps.Rows(m.timeline.Shown) }, Unavailable: m.unavailableNamed, Hints: m.hintsOf,
	}
}

// shownEvents are the events of the run up to the moment that the screen shows.
func (m *Model) shownEvents() []machine.Event {
	if m.session == nil {
		return m.cfg.History
	}
	return m.timeline.Until()
}

// editTarget is what can be changed now.
func (m *Model) editTarget() edit.Target {
	t := edit.Target{Values: m.why.ShowsValues() && m.focus == panes.Why, Action: m.output.ActionOf(m.steps.Selected())}
	if x, ok := m.why.Variable(m.view()); ok {
		t.Variable = &x
	}
	return t
}

// isFullScreen reports whether a dialog takes the whole screen.
func isFullScreen(d dialog.Dialog) bool {
	f, can := d.(dialog.FullScreen)
	return can && f.IsFullScreen()
}

// isWriter reports whether a dialog takes keys as text.
func isWriter(d dialog.Dialog) bool {
	w, can := d.(dialog.Writer)
	return can && w.Writing()
}

// top is the dialog that shows, or nil.
func (m *Model) top() dialog.Dialog {
	if len(m.dialogs) == 0 {
		return nil
	}
	return m.dialogs[len(m.dialogs)-1]
}

// open lays a dialog on top and gives it the focus.
func (m *Model) open(d dialog.Dialog) {
	if m.top() != d {
		m.dialogs = append(m.dialogs, d)
	}
	if m.focus != panes.Dialog {
		m.backTo = m.focus
	}
	m.focus = panes.Dialog
	m.reflow()
}

// queueBelow puts a dialog below those that show, without the focus: what the person
// types next is not meant for it.
func (m *Model) queueBelow(d dialog.Dialog) {
	m.dialogs = append([]dialog.Dialog{d}, m.dialogs...)
	m.reflow()
}

// close takes a dialog away, wherever it lies.
func (m *Model) close(d dialog.Dialog) {
	for i := range m.dialogs {
		if m.dialogs[i] == d {
			m.dialogs = append(m.dialogs[:i:i], m.dialogs[i+1:]...)
			break
		}
	}
	if len(m.dialogs) == 0 && m.focus == panes.Dialog {
		m.focus = m.backTo
		if m.focus == panes.Output && m.isPrintless() {
			m.focus = m.split.Home()
		}
		m.choosePane()
	}
	m.reflow()
}

// tellDialogs hands a message to all open dialogs, and reports whether one has changed by it.
func (m *Model) tellDialogs(msg tea.Msg) (tea.Cmd, bool) {
	var cmds []tea.Cmd
	changed := false
	for _, d := range slices.Clone(m.dialogs) {
		cmd, handled := m.tellDialog(d, msg)
		cmds = append(cmds, cmd)
		if handled {
			changed = true
			m.reflow()
		}
	}
	return tea.Batch(cmds...), changed
}

// tellDialog hands a message to a dialog, and does what that requests.
func (m *Model) tellDialog(d dialog.Dialog, msg tea.Msg) (cmd tea.Cmd, handled bool) {
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
		m.sayNext(r.Text)
	case request.IgnoreKeys:
		m.ignoreKeys(briefly, r.Text)
	case request.Select:
		m.selectStep(r.Row)
	case request.FocusPanes:
		m.focus = m.split.Home()
		m.reflow()
	case request.PageText:
		m.pageText(r.Up)
	case request.ShowEvent:
		m.timeline.Go(r.Index)
		m.syncTree()
	case request.ShowNow:
		m.timeline.GoToNow()
		m.syncTree()
	case request.FollowRun:
		m.followRun()
	case request.Paint:
		m.setPalette(r.Palette)
	case request.EditOutside:
		return m.editOutside(r.Editor)
	case start.Trusted, start.Prompted, start.Filled, start.Back, choose.FirstSource:
		return m.startRequest(r)
	case breakpoints.Set:
		return m.breakAt(r.All)
	case intervene.Perform:
		return m.perform(r)
	case comparison.With:
		return m.compare(r.Run)
	}
	return nil
}

// selectStep selects a step, which the screen may show at another moment since.
func (m *Model) selectStep(r *track.Row) {
	shown := m.timeline.Shown
	if !slices.Contains(m.steps.Rows(shown), r) {
		r = shown.Row(r.Label)
	}
	if r != nil {
		m.steps.Select(shown, r)
	}
}

// do carries out an action on the run, or says why it cannot.
func (m *Model) do(r request.Do) tea.Cmd {
	a, run, args := m.prepare(r)
	if why := a.Unavailable(run, args); why != "" {
		m.say(draw.Clean(m.look.Keys.Sentence(why)))
		return nil
	}
	switch r.Action {
	case "continue", "run-to", "over", "into", "out":
		m.followRun()
		m.stepping, m.target = r.Action != "continue" && r.Action != "run-to", ""
		if args.Step != nil {
			m.target = args.Step.Label
		}
	case "again": // which pauses after the step
		m.stepping = true
	}
	return m.call(func(s session.Session) error { return a.Do(s, run, args) })
}

// prepare is an action with the run as it is now, of which its step has to be one: it may have been
// chosen while another moment showed.
func (m *Model) prepare(r request.Do) (*control.Action, control.Run, control.Args) {
	run, args := m.run(), r.Args
	if args.Step != nil {
		args.Step = cmp.Or(run.Row(args.Step.Label), args.Step)
	}
	return control.Find(r.Action), run, args
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
	for p := panes.Tree; p < panes.Dialog; p++ {
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
	if focus == panes.Dialog && len(m.dialogs) == 1 {
		m.focus = m.backTo
	}
	a := keymap.Named(action)
	m.focus = placeOf(a, m.focus)
	return m.unavailable(a)
}
