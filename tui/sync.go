package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/routemap"
	"playhead/tui/session"
)

// settle brings the panes in line with the selection, whatever the message was, and asks for what
// they lack.
func (m *Model) settle() tea.Cmd {
	logs := m.log
	if m.session == nil {
		logs = nil
	}
	m.screen.Sync(logs)
	counted := m.screen.Finder.Settle()
	if r := m.screen.OutputRequest(); r != m.requested && m.read != nil {
		m.requested = r
		m.read(r)
	}
	open, _ := m.screen.Top().(*routemap.Map)
	if untaken, changed := m.coverage.Sync(m.view(), open); changed {
		m.screen.Steps.SetUntaken(untaken)
	}
	m.resizeTerminal()
	return tea.Batch(counted, m.startTicking())
}

// log is what an action printed; nil: there is no such log.
func (m *Model) log(file string) session.Log {
	if m.session == nil {
		return nil
	}
	return m.session.Log(file)
}

// syncTree brings the steps in line with the run.
func (m *Model) syncTree() { m.screen.Steps.Sync(m.view()) }

// resizeTerminal tells the session how large the output is, for the commands' terminal.
func (m *Model) resizeTerminal() {
	box := m.screen.Layout.Term
	if box.W <= 0 || box.H <= 0 || box.W == m.size.W && box.H == m.size.H || m.session == nil {
		return
	}
	m.size = box
	m.call(func(s session.Session) error {
		s.Resize(box.W, box.H)
		return nil
	})
}

// How fast the spinner turns, as long as anything else moves, and how soon it turns with the clock
// alone: a frame is what costs the most in waiting for a silent command.
const (
	turnTime = 250 * time.Millisecond
	calmTime = 5 * time.Second
)

// startTicking moves the spinner while a command runs, and only then: what shows of the past stands
// still.
func (m *Model) startTicking() tea.Cmd {
	if m.ticking || m.timeline.IsPast() || !m.commandRuns() || m.status.State == engine.Paused {
		return nil
	}
	m.ticking = true
	if m.now.Sub(m.lastChange) < calmTime {
		return m.ticker(turnTime)
	}
	return m.ticker(time.Second - m.timeline.Live.Elapsed(m.now)%time.Second)
}

func (m *Model) tick() tea.Cmd {
	m.ticking = false
	if m.timeline.IsPast() {
		return nil
	}
	m.look.Beat++
	m.screen.Steps.Redraw()
	return nil
}

// nextTick brings the next turn of the spinner.
func nextTick(d time.Duration) tea.Cmd { return later(d, tickMsg{}) }

// later brings a message after a while.
func later(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}
