package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/match"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/notify"
	"playhead/tui/routemap"
	"playhead/tui/session"
)

// sessionEndedMsg says that the session's Run has returned.
type sessionEndedMsg struct {
	ending engine.Ending
	err    error
}

// takeSession takes over a session that is ready, and runs it.
func (m *Model) takeSession(msg sessionStartedMsg) tea.Cmd {
	if msg.err != nil {
		return m.fail(msg.err)
	}
	m.conn.session = msg.session
	m.input.guard.Started(m.now)
	if len(m.cfg.History) > 0 { // the session repeats its events
		m.timeline.Forget()
		m.syncSteps()
	}
	if m.launch != nil {
		m.launch(msg.session)
	}
	for _, name := range m.cfg.Secrets {
		if warning := logs.Warning(name, m.startup.choices.Inputs[name]); warning != "" {
			m.lastLine.sayNext(warning)
		}
	}
	if all := m.breaks; len(all) > 0 {
		return m.conn.call(func(s session.Session) error { return s.Break(all) })
	}
	return nil
}

// update takes over an update of the session.
func (m *Model) update(u engine.Update) tea.Cmd {
	was, ignoring := m.conn.status, tea.Cmd(nil)
	document := m.timeline.Live.Plan
	u.Restarted, m.isReplacingTrack = u.Restarted || m.isReplacingTrack, false
	m.timeline.Take(u)
	m.followDocument(document)
	m.lastLine.follow(u.Status.State)
	m.conn.status = u.Status
	if !sameBreaks(was.Breaks, u.Status.Breaks) { // another client, or this screen, has changed them
		m.breaks = u.Status.Breaks
	}
	m.syncSteps()
	if u.Status.Log != was.Log && m.screen.Output.IsTyping() {
		ignoring = m.input.endTyping()
	}
	written := m.input.textDialog()
	changed, _ := m.screen.TellAll(dialog.RunChanged{})
	foreseen := m.question.sync()
	m.input.ignoreIfClosed(written)
	m.end.sync()
	m.conn.tellReplayEnd(was)
	m.conn.tellController(was)
	m.conn.tellCall(u)
	m.screen.ChoosePane()
	if u.Status.Err != nil && m.end.dialog() == nil { // the dialog would show it too
		m.lastLine.say(u.Status.Err.Error())
	}
	return tea.Batch(ignoring, changed, foreseen, m.notify(was, u), m.input.handleHeldKeys())
}

// followDocument carries breakpoints over to another version of the document, and forgets that its files
// differ.
func (m *Model) followDocument(before *plan.Plan) {
	after := m.timeline.Live.Plan
	if before == after {
		return
	}
	m.saved, m.asksModels = nil, after.AsksModels()
	m.breaks = engine.FollowBreakpoints(m.breaks, match.Documents(before, after, nil).Of(""))
}

func sameBreaks(a, b []engine.Breakpoint) bool {
	return slices.EqualFunc(a, b, func(a, b engine.Breakpoint) bool { return a.String() == b.String() })
}

// notify notifies a person who looks elsewhere of what has changed since a status, if it matters.
func (m *Model) notify(was engine.Status, u engine.Update) tea.Cmd {
	if m.hasFocus || m.conn.replays() || m.run().Watched != "" {
		return nil
	}
	news := notify.News(m.view(), was, u, m.cfg.NotifyAfter)
	if sequence := m.cfg.Notify.Sequence(news); news != "" && sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
}

// takeEnding takes over that the session's Run has returned.
func (m *Model) takeEnding(msg sessionEndedMsg) tea.Cmd {
	if msg.err != nil {
		return m.fail(msg.err)
	}
	if m.conn.join != nil && !m.conn.replays() {
		return m.becomeReplay()
	}
	return nil
}

// becomeReplay plays the recording of a run whose process has ended.
func (m *Model) becomeReplay() tea.Cmd {
	player, err := m.cfg.Recorded()
	if err != nil {
		return m.fail(err)
	}
	m.conn.play, m.conn.session, m.isReplacingTrack = player, session.Replay(player), true
	m.conn.status = engine.Status{State: engine.Over}
	m.question.sync()
	m.launch(m.conn.session)
	// Start makes the player report all events again, even if an update of the other process is still on
	// its way.
	player.Start()
	player.End()
	m.lastLine.sayNext("The process that drove the run has ended. You see its recording.")
	return nil
}

// fail ends the program with an error.
func (m *Model) fail(err error) tea.Cmd {
	m.err = err
	return tea.Quit
}

// settle updates the panes after each message, and requests what they need to read.
func (m *Model) settle() tea.Cmd {
	m.screen.Sync(m.conn.logs())
	counted := m.screen.Finder.Settle()
	if r := m.screen.OutputRequest(); r != m.requested && m.read != nil {
		m.requested = r
		m.read(r)
	}
	open, _ := m.screen.Top().(*routemap.Map)
	if untaken, changed := m.coverage.Sync(m.view(), open); changed {
		m.screen.Steps.SetUntaken(untaken)
	}
	m.conn.resize(m.screen.Layout.Term)
	return tea.Batch(counted, m.spinner.start(m.now))
}

// syncSteps brings the steps in line with the run.
func (m *Model) syncSteps() { m.screen.Steps.Sync(m.view()) }
