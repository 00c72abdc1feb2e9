package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/compare"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/versus"
)

// Other runs are listed and read away from the screen's own thread: a journal may be
// long, and what was printed longer.
type (
	// othersMsg are the runs to compare with.
	othersMsg struct {
		all []journal.Summary
		err error
	}
	// comparedMsg is a comparison that is ready.
	comparedMsg struct {
		c   *compare.Comparison
		err error
	}
	// textsMsg are the texts of a pair that differ.
	textsMsg struct {
		of    *compare.Comparison
		pair  int
		texts []compare.Text
		err   error
	}
)

func notComparable(m *Model) string {
	if m.cfg.Others == nil || len(m.events) == 0 {
		return "compares two runs, and this one has not started"
	}
	return ""
}

// askWith lists the runs to compare with.
func (m *Model) askWith() tea.Cmd {
	list := m.cfg.Others
	return func() tea.Msg {
		all, err := list()
		return othersMsg{all, err}
	}
}

// compareWith has a person choose the run to compare with.
func (m *Model) compareWith(msg othersMsg) {
	if msg.err != nil {
		m.say(msg.err.Error())
		return
	}
	if len(msg.all) == 0 {
		m.say("{compare} compares with another run of this document, and there is none yet.")
		return
	}
	items := make([]string, len(msg.all))
	for i, r := range msg.all {
		items[i] = r.Run + "  " + about(r)
	}
	c := &menu{name: "Compare with which run?", verb: "compare", asks: "of its id, its day or how it ended", finder: list.NewFinder(items)}
	c.row = func(l *look, h list.Hit, w int) string { return l.Cut(h.Marked(l, draw.Clean(items[h.Item])), w) }
	c.choose = func(item int) tea.Cmd {
		m.close(c)
		return m.compare(msg.all[item].Run)
	}
	m.open(c)
}

// about says when a run was, and how and where it ended.
func about(r journal.Summary) string {
	s := r.Since().Format(time.DateTime) + "  " + r.Word()
	if r.Step != "" {
		s += " at " + r.Step
	}
	if r.Fork != "" {
		s += ", fork of " + r.Fork
	}
	return s
}

// compare lays what shows of the run beside another run.
func (m *Model) compare(with string) tea.Cmd {
	lay, events := m.cfg.Compare, m.until()
	m.say("Run " + with + " is being read.")
	return func() tea.Msg {
		c, err := lay(events, with)
		return comparedMsg{c, err}
	}
}

// until are the events that the screen shows what came of.
func (m *Model) until() []machine.Event {
	n := len(m.events)
	if m.past() {
		n = min(m.why.at+1, n)
	}
	return m.events[:n:n]
}

// compared shows a comparison.
func (m *Model) compared(msg comparedMsg) tea.Cmd {
	if msg.err != nil {
		m.say(msg.err.Error())
		return nil
	}
	m.message = ""
	m.uncover()
	c := &comparison{msg.c, versus.New(msg.c)}
	m.open(c)
	return c.ask()
}

// texts takes over the texts of a pair.
func (m *Model) texts(msg textsMsg) {
	for _, c := range m.cards {
		if c, ok := c.(*comparison); ok && c.of == msg.of {
			c.view.Take(msg.pair, msg.texts, msg.err)
		}
	}
}
