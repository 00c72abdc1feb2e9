package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
)

// detailStamp is what the detail pane was made from.
type detailStamp struct {
	row    *track.Row
	width  int
	events int
	raw    bool
}

// settle brings the panes in line with the selection, whatever the message was,
// and asks for what they lack.
func (m *Model) settle() tea.Cmd {
	r := m.tree.selected()
	m.settleDetail(r)
	m.output.show(r, m.session, m.status)
	m.why.show(m.track, r, m.status)
	if v := m.output.view(m.layout.panes[outputPane].h); v != m.viewed && m.show != nil {
		m.viewed = v
		m.show(v)
	}
	m.resize()
	return m.startTicking()
}

// settleDetail shows the selected step's text.
func (m *Model) settleDetail(r *track.Row) {
	w := m.textWidth()
	stamp := detailStamp{r, w, m.track.Count, m.detail.raw}
	if w <= 0 || stamp == m.seen {
		return
	}
	m.seen = stamp
	m.detail.show(m.track, r, m.look, m.prose, w)
}

// textWidth is the width of the step's text, which a screen of one pane shows
// above a question, too.
func (m *Model) textWidth() int {
	if m.layout.shape == narrow {
		return m.layout.w - 4
	}
	return m.layout.panes[detailPane].w
}

// resize tells the session how large the output is, for the commands' terminal.
func (m *Model) resize() {
	box := m.layout.panes[outputPane]
	if box.w <= 0 || box.h <= 0 || box.w == m.size.w && box.h == m.size.h || m.session == nil {
		return
	}
	m.size = box
	m.call(func(s session) error {
		s.Resize(box.w, box.h)
		return nil
	})
}

// spin is how fast the spinner turns.
const spin = 250 * time.Millisecond

// startTicking moves the spinner while a command runs, and only then.
func (m *Model) startTicking() tea.Cmd {
	if m.ticking || !m.commandRuns() {
		return nil
	}
	m.ticking = true
	return m.ticker
}

// nextTick sleeps for a turn of the spinner.
func nextTick() tea.Msg {
	time.Sleep(spin)
	return tickMsg{}
}

func (m *Model) tick() tea.Cmd {
	m.ticking = false
	m.look.beat++
	m.tree.stale = true
	return nil
}

// reflow arranges the panes anew.
func (m *Model) reflow() {
	w, h := m.layout.w, m.layout.h
	want, tall := 0, false
	if c := m.top(); c != nil {
		column := w - 5 - min(max(w*3/10, 26), 46)
		want, tall = max(1, c.height(m.look, max(10, column))), c.tall()
	}
	m.layout = arrange(w, h, m.focus, want, tall, m.zoom)
	m.tree.stale, m.output.stale, m.why.stale, m.detail.stale = true, true, true, true
	m.seen = detailStamp{}
	m.stale = true
}
