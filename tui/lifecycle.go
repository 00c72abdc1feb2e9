package tui

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/match"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/start"
	"playhead/tui/dialog/summary"
	"playhead/tui/hints"
	"playhead/tui/notify"
	"playhead/tui/session"
)

// checkFirst finds out what is wrong with what the run needs, and then begins it.
func (m *Model) checkFirst(choices start.Choices) tea.Cmd {
	m.guard.HoldUntilStarted()
	m.say("Checking what the run needs …")
	ctx, cancel := context.WithCancel(context.Background())
	m.stopCheck = cancel
	return func() tea.Msg {
		found, err := m.cfg.Check(ctx, choices)
		return checkedMsg{choices, found, err}
	}
}

// takeCheck begins the run, or asks the person whether it should begin.
func (m *Model) takeCheck(msg checkedMsg) tea.Cmd {
	m.stopCheck()
	m.message = ""
	switch worst := plan.Worst(msg.found); {
	case msg.err != nil:
		m.err = msg.err
		return tea.Quit
	case worst != plan.Error && worst != plan.Warning:
		return m.begin(msg.choices)
	}
	if held := m.guard.Release(m.now, false); len(held) > 0 { // they were meant for the run
		m.ignoreKeys("Keys are ignored until you pause.")
	}
	m.screen.Open(&start.Missing{Found: msg.found, Run: start.Begin{Choices: msg.choices, Checked: true}})
	return nil
}

// begin makes the session.
func (m *Model) begin(choices start.Choices) tea.Cmd {
	m.choices = choices
	m.guard.HoldUntilStarted()
	return func() tea.Msg {
		s, err := m.cfg.begin(choices)
		return sessionStartedMsg{s, err}
	}
}

// takeTrust remembers the person's yes, and begins.
func (m *Model) takeTrust(step bool) tea.Cmd {
	begin, remember := m.screen.Do(m.before.Start(start.Choices{Step: step})...), m.cfg.Remember
	if remember == nil {
		return begin
	}
	return func() tea.Msg {
		if err := remember(); err != nil {
			return tea.BatchMsg{func() tea.Msg { return session.Failed{Err: err} }, begin}
		}
		if begin == nil {
			return nil
		}
		return begin()
	}
}

// takeSession takes over a session that is ready.
func (m *Model) takeSession(msg sessionStartedMsg) tea.Cmd {
	if msg.err != nil {
		m.err = msg.err
		return tea.Quit
	}
	m.session = msg.session
	m.guard.Started(m.now)
	if len(m.cfg.History) > 0 { // the session tells it again
		m.timeline.Forget()
		m.syncTree()
	}
	if m.launch != nil {
		m.launch(msg.session)
	}
	for _, name := range m.cfg.Secrets {
		if warning := logs.Warning(name, m.choices.Inputs[name]); warning != "" {
			m.sayNext(warning)
		}
	}
	if all := m.breaks; len(all) > 0 {
		return m.call(func(s session.Session) error { return s.Break(all) })
	}
	return nil
}

// update takes over what the session did.
func (m *Model) update(u engine.Update) tea.Cmd {
	was, ignoring := m.status, tea.Cmd(nil)
	document := m.timeline.Live.Plan
	u.Restarted, m.retold = u.Restarted || m.retold, false
	m.timeline.Take(u)
	m.followDocument(document)
	switch st := u.Status.State; {
	case st == engine.Running: // what an act of the person runs through takes nothing away
	case m.messageState != anyState && st != m.messageState:
		m.message = "" // it was about the state before
	}
	ended := u.Status.Log != m.status.Log
	m.status = u.Status
	if !sameBreaks(was.Breaks, u.Status.Breaks) { // another client has changed them, or this screen
		m.breaks = u.Status.Breaks
	}
	m.syncTree()
	if ended && m.screen.Output.IsTyping() {
		m.screen.Output.EndTyping()
		m.screen.Stage.Pinned = false
		ignoring = m.ignoreKeysAfterTyping()
	}
	written := m.writtenDialog()
	changed, _ := m.screen.TellAll(dialog.RunChanged{})
	foreseen := m.syncQuestion()
	if written != nil && !m.screen.IsOpen(written) && m.guard.IsWriting(m.now) {
		m.ignoreKeys("The run continued and closed the dialog you were typing in. Keys are ignored until you pause.")
	}
	m.end.sync()
	m.reportReplayEnd(was)
	m.tellController(was)
	m.screen.ChoosePane()
	if u.Status.Err != nil && m.end.dialog() == nil { // which says it too
		m.say(u.Status.Err.Error())
	}
	return tea.Batch(ignoring, changed, foreseen, m.notify(was, u), m.catchUp())
}

// followDocument takes over what is known by the steps of the document, after another version of it
// has come into force.
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

// writtenDialog is the dialog that the person may be writing in, nil if there is none.
func (m *Model) writtenDialog() dialog.Dialog {
	if d := m.screen.Top(); d != nil && hints.TakesText(d) {
		return d
	}
	return nil
}

// syncQuestion opens the dialog of a new question, and closes that of one that is answered. The command
// finds out where the answers lead.
func (m *Model) syncQuestion() tea.Cmd {
	q, run := m.status.Question, m.view()
	if run.Watched != "" || run.Replay {
		q = nil
	}
	if m.question != nil && (q == nil || !m.question.IsOpen(run)) {
		m.screen.Close(m.question)
		m.question = nil
	}
	if m.question != nil {
		m.question.Sync(run)
		m.screen.Reflow() // it may say more now
	}
	if q == nil || m.question != nil {
		return nil
	}
	m.question = question.New(run, m.session.ReplyWarnings)
	foreseen := m.question.Forecast(run, m.session.PreviewDecision)
	if _, over := m.screen.Top().(*summary.Dialog); m.screen.IsWriting() || m.screen.Top() != nil && !over {
		m.screen.QueueBelow(m.question)
		return foreseen
	}
	m.screen.FollowRun() // its step comes into view
	m.screen.Open(m.question)
	if q.SourceError != "" {
		m.screen.Open(choose.Source(m.view()))
	}
	return foreseen
}

// takeEnding takes over the session's own end.
func (m *Model) takeEnding(msg sessionEndedMsg) tea.Cmd {
	if msg.err != nil {
		m.err = msg.err
		return tea.Quit
	}
	if m.cfg.Join != nil && !m.replays() {
		return m.becomeReplay()
	}
	return nil
}

// notify tells a person who looks elsewhere what has come since a status, if it is worth it.
func (m *Model) notify(was engine.Status, u engine.Update) tea.Cmd {
	if !m.lookedAway || m.replays() || m.run().Watched != "" {
		return nil
	}
	news := notify.News(m.view(), was, u, m.cfg.NotifyAfter)
	if sequence := m.cfg.Notify.Sequence(news); news != "" && sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
}

// catchUp does what the keys that were held mean, once the session says what it does.
func (m *Model) catchUp() tea.Cmd {
	st := m.status
	if st.State == "" {
		return nil
	}
	onItsWay := st.State == engine.Running && st.Running == "" && !m.replays()
	var cmds []tea.Cmd
	for _, k := range m.guard.Release(m.now, onItsWay) {
		cmds = append(cmds, m.key(k))
	}
	return tea.Sequence(cmds...)
}
