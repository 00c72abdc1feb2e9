package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog/comparison"
)

func canCompare(m *Model) string {
	if m.cfg.Others == nil || len(m.timeline.Events) == 0 {
		return "compares two runs, and this one has not started"
	}
	return ""
}

// askWith lists the runs to compare with.
func (m *Model) askWith() tea.Cmd { return comparison.List(m.cfg.Others) }

// compare lays what shows of the run beside another run.
func (m *Model) compare(with string) tea.Cmd {
	m.say("Run " + with + " is being read.")
	return comparison.Read(m.timeline.Until(), with, m.cfg.Compare)
}

// takeComparison shows a comparison.
func (m *Model) takeComparison(msg comparison.Ready) tea.Cmd {
	if msg.Err != nil {
		m.say(msg.Err.Error())
		return nil
	}
	m.message = ""
	m.closeIdleDialogs()
	d, read := comparison.New(msg.Comparison)
	m.open(d)
	return read
}
