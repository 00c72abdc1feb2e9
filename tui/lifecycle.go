package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/logs"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/start"
	"playhead/tui/dialog/summary"
	"playhead/tui/notify"
	"playhead/tui/session"
)

// preparation is the dialogs that a run needs to be answered before it begins: where replies come from,
// then the inputs. They keep what was written when a person goes back. nil: it is not asked.
type preparation struct {
	source *choose.Dialog
	inputs *start.Inputs
}

// start begins the run, once commands may be executed or are not to be. What it
// needs to know first is asked for.
func (m *Model) start(prompted bool) tea.Cmd {
	m.choices.Prompted = prompted
	if m.cfg.Ask {
		m.before.source = choose.BeforeRun(m.cfg.Sources, m.cfg.Lacks)
	}
	if len(m.cfg.Inputs) > 0 {
		m.before.inputs = start.NewInputs(m.cfg.Inputs, m.cfg.Secrets)
		m.before.inputs.CanGoBack = m.cfg.Ask
	}
	if m.cfg.Ask {
		m.open(m.before.source)
		return nil
	}
	return m.askInputs()
}

// startRequest takes what the dialogs before the run request.
func (m *Model) startRequest(r tea.Msg) tea.Cmd {
	switch r := r.(type) {
	case start.Trusted:
		return m.takeTrust()
	case start.Prompted:
		return m.start(true)
	case choose.FirstSource:
		m.choices.Source = r.Name
		return m.askInputs()
	case start.Back:
		m.open(m.before.source)
	case start.Filled:
		return m.begin(r.Values)
	}
	return nil
}

func (m *Model) askInputs() tea.Cmd {
	if m.before.inputs == nil {
		return m.begin(nil)
	}
	m.open(m.before.inputs)
	return nil
}

// begin makes the session.
func (m *Model) begin(inputs map[string]string) tea.Cmd {
	m.choices.Inputs = inputs
	choices := m.choices
	m.typedAhead.holding = true
	return func() tea.Msg {
		s, err := m.cfg.begin(choices)
		return sessionStartedMsg{s, err}
	}
}

// takeTrust remembers the person's yes, and begins.
func (m *Model) takeTrust() tea.Cmd {
	begin, remember := m.start(false), m.cfg.Remember
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
	m.session, m.typedAhead.until = msg.session, m.now.Add(startTime)
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
	m.timeline.Take(u)
	switch st := u.Status.State; {
	case st == engine.Running: // what an act of the person runs through takes nothing away
	case m.messageState != anyState && st != m.messageState:
		m.message = "" // it was about the state before
	}
	ended := u.Status.Log != m.status.Log
	m.status = u.Status
	m.syncTree()
	if ended && m.output.IsTyping() {
		m.output.EndTyping()
		m.stage.Pinned = false
		ignoring = m.ignoreKeysAfterTyping()
	}
	changed, _ := m.tellDialogs(dialog.RunChanged{})
	m.syncQuestion()
	m.syncSummary()
	m.reportReplayEnd(was)
	m.choosePane()
	if u.Status.Err != nil && m.summary() == nil { // which says it too
		m.say(u.Status.Err.Error())
	}
	return tea.Batch(ignoring, changed, m.notify(was, u), m.catchUp())
}

// syncQuestion opens the dialog of a new question, and closes that of one that is answered.
func (m *Model) syncQuestion() {
	q, run := m.status.Question, m.view()
	if m.question != nil && !m.question.IsOpen(run) {
		m.close(m.question)
		m.question = nil
	}
	if m.question != nil {
		m.question.Sync(run)
		m.reflow() // it may say more now
	}
	if q == nil || m.question != nil {
		return
	}
	m.question = question.New(run, m.session.Doubts)
	if _, over := m.top().(*summary.Dialog); m.isWriting() || m.top() != nil && !over {
		m.queueBelow(m.question)
		return
	}
	m.open(m.question)
	if q.SourceError != "" {
		m.open(choose.Source(m.view()))
	}
}

// isWriting reports whether keys go to the command or to a search: a dialog that
// opens must not take them.
func (m *Model) isWriting() bool { return m.output.IsTyping() || m.search.Editing }

// syncSummary opens the summary of a run that is over, and closes that of one that
// goes on.
func (m *Model) syncSummary() {
	end, shown := m.timeline.Live.Finished, m.summary()
	switch {
	case end == nil:
		m.shownEnd, m.savedTo = nil, ""
		if shown != nil {
			m.close(shown)
		}
	case shown != nil:
		if end != m.shownEnd { // of another branch of the run, see takeOver
			*shown = *m.newSummary()
		}
		m.reflow() // what was changed since the end takes a line
	}
	if end == m.shownEnd || m.status.State != engine.Over {
		return
	}
	m.shownEnd = end
	if end != nil {
		m.openSummary()
	}
}

// takeEnding takes over the session's own end.
func (m *Model) takeEnding(msg sessionEndedMsg) tea.Cmd {
	if msg.err != nil {
		m.err = msg.err
		return tea.Quit
	}
	return nil
}

// notify tells a person who looks elsewhere what has come since a status, if it is worth it.
func (m *Model) notify(was engine.Status, u engine.Update) tea.Cmd {
	if !m.lookedAway || m.replays() {
		return nil
	}
	news := notify.News(m.view(), was, u, m.cfg.NotifyAfter)
	if sequence := m.cfg.Notify.Sequence(news); news != "" && sequence != "" {
		return tea.Raw(sequence)
	}
	return nil
}
