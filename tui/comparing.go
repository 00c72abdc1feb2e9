package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/compare"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/comparison"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/runview"
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
	m.open(&choose.Menu{
		Name: "Compare with which run?", Verb: "compare", Prompt: "of its id, its day or how it ended", Finder: list.NewFinder(items),
		Row: func(run *runview.Run, h list.Hit, w int) string {
			return run.Look.Cut(h.Marked(run.Look, draw.Clean(items[h.Item])), w)
		},
		Chosen: func(_ *runview.Run, item int) []tea.Msg {
			return []tea.Msg{dialog.Close{}, comparing{msg.all[item].Run}}
		},
	})
}

// comparing is the request of the run to compare with.
type comparing struct{ with string }

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
	m.closeIdleDialogs()
	d, read := comparison.New(msg.c)
	m.open(d)
	return read
}
