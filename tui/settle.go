package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/tui/panes"
	"playhead/tui/routemap"
	"playhead/tui/session"
)

// settle brings the panes in line with the selection, whatever the message was,
// and asks for what they lack.
func (m *Model) settle() tea.Cmd {
	m.syncOutput()
	if m.isPrintless() != m.layout.Bare {
		m.reflow()
	}
	m.syncText()
	if m.needsReflow() {
		m.reflow()
		m.syncText()
	}
	m.why.Sync(m.view(), m.layout.WhyUp)
	again := m.settleSearch()
	whole := m.layout.Panes[panes.Output].H + max(0, -m.layout.Spare) // with the lines that it may need again
	if r := m.output.Request(m.look, whole); r != m.requested && m.read != nil {
		m.requested = r
		m.read(r)
	}
	open, _ := m.top().(*routemap.Map)
	if untaken, changed := m.coverage.Sync(m.view(), open); changed {
		m.steps.SetUntaken(untaken)
	}
	m.resize()
	return tea.Batch(again, m.startTicking())
}

func (m *Model) syncOutput() {
	if m.session == nil {
		m.output.Sync(m.view(), nil)
		return
	}
	m.output.Sync(m.view(), m.session.Log)
}

func (m *Model) syncText() { m.text.Sync(m.view(), m.textWidth(), m.isIntroducing(), m.notice) }

// syncTree brings the steps in line with the run.
func (m *Model) syncTree() { m.steps.Sync(m.view()) }

// isIntroducing reports whether the document introduces itself: no step was entered,
// and the person has not selected one.
func (m *Model) isIntroducing() bool {
	return m.timeline.Shown.Current == nil && m.steps.Follows() && (m.cfg.Plan.Description != "" || m.notice != "")
}

// textWidth is the width of the step's text, which a screen of one pane shows
// above a question, too.
func (m *Model) textWidth() int {
	if m.layout.Shape == panes.Narrow {
		return m.layout.Panes[m.focus].W
	}
	return m.layout.Panes[panes.Text].W
}

// resize tells the session how large the output is, for the commands' terminal.
func (m *Model) resize() {
	box := m.layout.Term
	if box.W <= 0 || box.H <= 0 || box.W == m.size.W && box.H == m.size.H || m.session == nil {
		return
	}
	m.size = box
	m.call(func(s session.Session) error {
		s.Resize(box.W, box.H)
		return nil
	})
}

// spin is how fast the spinner turns, as long as anything else moves, and calm how soon it
// goes with the clock alone: a frame is what costs the most in waiting for a silent command.
const (
	spin = 250 * time.Millisecond
	calm = 5 * time.Second
)

// startTicking moves the spinner while a command runs, and only then: what shows of the
// past stands still.
func (m *Model) startTicking() tea.Cmd {
	if m.ticking || m.timeline.IsPast() || !m.commandRuns() || m.status.State == engine.Paused {
		return nil
	}
	m.ticking = true
	if m.now.Sub(m.lastChange) < calm {
		return m.ticker(spin)
	}
	return m.ticker(time.Second - m.timeline.Live.Elapsed(m.now)%time.Second)
}

// nextTick brings the next turn of the spinner.
func nextTick(d time.Duration) tea.Cmd { return later(d, tickMsg{}) }

func (m *Model) tick() tea.Cmd {
	m.ticking = false
	if m.timeline.IsPast() {
		return nil
	}
	m.look.Beat++
	m.steps.Redraw()
	return nil
}

// reflow arranges the panes anew.
func (m *Model) reflow() {
	w, h := m.layout.W, m.layout.H
	if !m.stage.On {
		m.split = m.split.Hiding(m.focus, false) // what has the focus shows
	}
	want := m.sharing(panes.Wish{Focus: m.focus, Zoom: m.zoom, Stage: m.stage.On, Bare: m.isPrintless(), Sheet: m.why.IsSheet(), Split: m.split})
	if c := m.top(); c != nil {
		run, column := m.view(), w-5-m.split.Left(w)
		want.Dialog, want.Tall = max(1, c.Height(run, max(10, column))), c.Tall(run)
		want.Whole = isFullScreen(c) && m.focus == panes.Dialog
	}
	m.layout = panes.Arrange(w, h, want)
	for p := panes.Tree; p <= panes.Why; p++ {
		m.pane(p).Resize(m.layout.Panes[p])
	}
	m.stale = true
}

// later brings a message after a while.
func later(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}
