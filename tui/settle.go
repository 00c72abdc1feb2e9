package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/track"
	"playhead/tui/panes"
)

// detailStamp is what the detail pane was made from.
type detailStamp struct {
	row    *track.Row
	width  int
	events int
	raw    bool
	intro  bool
	next   bool // the run is paused before its first step
}

// settle brings the panes in line with the selection, whatever the message was,
// and asks for what they lack.
func (m *Model) settle() tea.Cmd {
	r := m.tree.Selected()
	m.output.show(r, m.session, m.shown(), m.now)
	if m.printless() != m.layout.Bare {
		m.reflow()
	}
	m.output.paper(m.look, m.layout.Panes[panes.Output].W)
	m.settleDetail(r)
	if m.lends() {
		m.reflow()
		m.settleDetail(r)
	}
	m.why.show(m.track, r, m.shown())
	m.why.secrets, m.why.veiled = m.veil()
	again := m.settleSearch()
	whole := m.layout.Panes[panes.Output].H + max(0, -m.layout.Spare) // with the lines that it may need again
	if v := m.output.view(whole); v != m.viewed && m.show != nil {
		m.viewed = v
		m.show(v)
	}
	m.settleMaps()
	m.resize()
	return tea.Batch(again, m.startTicking())
}

// settleDetail shows the selected step's text.
func (m *Model) settleDetail(r *track.Row) {
	w := m.textWidth()
	stamp := detailStamp{r, w, m.track.Count, m.detail.raw, m.untouched(), m.shown().State == engine.Paused}
	if w <= 0 || stamp == m.seen {
		return
	}
	m.seen = stamp
	m.detail.asks = m.replays() || m.past()
	switch {
	case !stamp.intro:
		m.detail.show(m.track, r, m.look, m.prose, w)
	case stamp.next:
		m.detail.introduce(m.track, r, m.look, m.prose, w)
	default:
		m.detail.introduce(m.track, nil, m.look, m.prose, w)
	}
}

// untouched reports whether the document introduces itself: no step was entered,
// and the person has not selected one.
func (m *Model) untouched() bool {
	return m.track.Current == nil && m.tree.Follow && (m.cfg.Plan.Description != "" || m.detail.notice != "")
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
	m.call(func(s session) error {
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
	if m.ticking || m.past() || !m.commandRuns() || m.status.State == engine.Paused {
		return nil
	}
	m.ticking = true
	if m.now.Sub(m.lastChange) < calm {
		return m.ticker(spin)
	}
	return m.ticker(time.Second - m.live.Elapsed(m.now)%time.Second)
}

// nextTick brings the next turn of the spinner.
func nextTick(d time.Duration) tea.Cmd { return later(d, tickMsg{}) }

func (m *Model) tick() tea.Cmd {
	m.ticking = false
	if m.past() {
		return nil
	}
	m.look.Beat++
	m.tree.Stale = true
	return nil
}

// reflow arranges the panes anew.
func (m *Model) reflow() {
	w, h := m.layout.W, m.layout.H
	if !m.stage.on {
		m.split = m.split.Hiding(m.focus, false) // what has the focus shows
	}
	want := m.sharing(panes.Wish{Focus: m.focus, Zoom: m.zoom, Stage: m.stage.on, Bare: m.printless(), Sheet: m.why.sheet != reasons, Split: m.split})
	if c := m.top(); c != nil {
		run, column := m.view(), w-5-m.split.Left(w)
		want.Dialog, want.Tall = max(1, c.Height(run, max(10, column))), c.Tall(run)
		want.Whole = covers(c) && m.focus == panes.Dialog
	}
	m.layout = panes.Arrange(w, h, want)
	m.tree.Stale, m.output.stale, m.why.stale, m.detail.stale = true, true, true, true
	m.seen = detailStamp{}
	m.stale = true
}
