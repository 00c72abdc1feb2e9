package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/match"
	"playhead/engine/wording"
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

// handleSessionStarted takes over a session that is ready, and runs it.
func (m *Model) handleSessionStarted(msg sessionStartedMsg) tea.Cmd {
	if msg.err != nil {
		return m.quitWithError(msg.err)
	}
	m.conn.session = msg.session
	m.inputHandler.typeaheadGuard.NoteStarted(m.now)
	if len(m.cfg.ResumedEvents) > 0 { // the session repeats its events
		m.timeline.Reset()
		m.syncSteps()
	}
	if m.launchSession != nil {
		m.launchSession(msg.session)
	}
	for _, name := range m.cfg.SecretNames {
		if warning := logs.ShortSecretWarning(name, m.startup.choices.InputValues[name]); warning != "" {
			m.lastLine.sayUntilKey(warning)
		}
	}
	return nil
}

// handleSessionUpdate takes over an update of the session.
func (m *Model) handleSessionUpdate(u engine.Update) tea.Cmd {
	was, ignoreKeys := m.conn.status, tea.Cmd(nil)
	document := m.timeline.LiveTrack.Plan
	u.IsRestarted, m.isSessionRepeatingEvents = u.IsRestarted || m.isSessionRepeatingEvents, false
	m.timeline.HandleUpdate(u)
	coverage := m.handlePlanChange(document)
	m.lastLine.clearAfterStateChange(u.Status.State)
	m.conn.status = u.Status
	if !equalBreakpoints(was.Breakpoints, u.Status.Breakpoints) { // another client, or this screen, has changed them
		m.breakpoints = u.Status.Breakpoints
	}
	m.syncSteps()
	if u.Status.RunningLog != was.RunningLog && m.screen.Output.IsTyping() {
		ignoreKeys = m.inputHandler.endTypingAfterCommand()
	}
	written := m.inputHandler.textDialog()
	updateDialogs, _ := m.screen.SendToAllDialogs(dialog.RunChanged{})
	forecast := tea.Batch(m.question.syncDialog(), m.overrideForecast.Request(m.runView(), m.conn.session.DecisionPreviewAt))
	ignoreKeys = tea.Batch(ignoreKeys, m.inputHandler.ignoreKeysIfDialogClosed(written))
	m.runEnd.syncSummary()
	m.conn.sayReplayEnd(was)
	m.conn.sayController(was)
	m.conn.sayPlayheadToolCall(u)
	m.screen.Presenter.FollowRelevantPane()
	if u.Status.Err != nil && m.runEnd.summaryDialog() == nil { // the dialog would show it too
		m.lastLine.say(wording.ErrorSentence(u.Status.Err))
	}
	return tea.Batch(ignoreKeys, updateDialogs, forecast, coverage, m.notifyPerson(was, u), m.inputHandler.handleHeldKeys())
}

// handlePlanChange carries breakpoints and the marks of untaken routes over to another version of the document, forgets
// that its files differ, and notes whether it asks models.
func (m *Model) handlePlanChange(before *plan.Plan) tea.Cmd {
	after := m.timeline.LiveTrack.Plan
	if before == after {
		return nil
	}
	m.savedVersion, m.asksModels = nil, after.AsksModels()
	m.breakpoints = engine.UpdatedBreakpoints(m.breakpoints, match.Documents(before, after, nil).FindDocument(""))
	return m.screen.DoRequests(m.coverage.HandlePlanChange(m.runView())...)
}

func equalBreakpoints(a, b []engine.Breakpoint) bool {
	return slices.EqualFunc(a, b, func(a, b engine.Breakpoint) bool { return a.String() == b.String() })
}

// notifyPerson notifies a person who looks elsewhere of what has changed since a status, if it matters.
func (m *Model) notifyPerson(was engine.Status, u engine.Update) tea.Cmd {
	if m.hasTerminalFocus || m.conn.isReplay() || m.controlRunView().WatchOnlyReason != "" {
		return nil
	}
	news := notify.NotificationText(m.runView(), was, u, m.cfg.NotifyAfter)
	if sequence := m.cfg.Notifier.ControlSequence(news); news != "" && sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
}

// handleSessionEnded takes over that the session's Run has returned.
func (m *Model) handleSessionEnded(msg sessionEndedMsg) tea.Cmd {
	if msg.err != nil {
		return m.quitWithError(msg.err)
	}
	if m.conn.remoteRun != nil && !m.conn.isReplay() {
		return m.switchToReplay()
	}
	return nil
}

// switchToReplay plays the recording of a run whose process has ended.
func (m *Model) switchToReplay() tea.Cmd {
	player, err := m.cfg.ReplayRemoteRun()
	if err != nil {
		return m.quitWithError(err)
	}
	m.conn.player, m.conn.session, m.isSessionRepeatingEvents = player, session.FromPlayer(player), true
	m.conn.status = engine.Status{State: engine.Over}
	m.question.syncDialog()
	m.launchSession(m.conn.session)
	// SeekStart makes the player report all events again, even if an update of the other process is still on
	// its way.
	player.SeekStart()
	player.SeekEnd()
	m.lastLine.sayUntilKey("The process that drove this run has ended. You are viewing its recording.")
	return nil
}

// quitWithError ends the program with an error.
func (m *Model) quitWithError(err error) tea.Cmd {
	m.quitError = err
	return tea.Quit
}

// syncScreen updates the panes after each message, and requests what they need to read.
func (m *Model) syncScreen() tea.Cmd {
	m.screen.Sync(m.conn.logOpener())
	counted := m.screen.Searcher.SyncSearch()
	// The answer determines the height of the pane, so the request is for the height of the screen.
	if r := m.screen.Output.ReadRequest(m.drawContext, m.screen.Layout.H); r != m.lastLogRequest && m.requestLog != nil {
		m.lastLogRequest = r
		m.requestLog(r)
	}
	open, _ := m.screen.Dialogs.Top().(*routemap.Map)
	if untaken, changed := m.coverage.Sync(m.runView(), open); changed {
		m.screen.Steps.MarkUntakenRoutes(untaken)
	}
	m.conn.resizeOutput(m.screen.Layout.TerminalRect)
	return tea.Batch(counted, m.spinner.scheduleTurn(m.now))
}

// syncSteps brings the steps in line with the run.
func (m *Model) syncSteps() { m.screen.Steps.Sync(m.runView()) }
