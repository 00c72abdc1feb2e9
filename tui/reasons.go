package tui

import (
	"playhead/engine"
	"playhead/tui/panes"
)

// Why an action makes no sense now. Each is the end of a sentence that begins
// with the key.

func canAnswer(m *Model) string {
	if m.question == nil && m.blocking() == nil {
		return "does nothing: there is no open question"
	}
	return ""
}

func canFind(m *Model) string {
	switch p := m.findable(); {
	case p == panes.Nowhere:
		return "finds in panes, and this is none: {close} closes it"
	case p != panes.Dialog:
		return m.pane(p).Unavailable(m.view(), "find")
	}
	return ""
}

func canGoToMatch(m *Model) string {
	if m.search.Query == "" {
		return "goes to the next match: {find} finds first"
	}
	return ""
}

// canShowSummary is for what shows how the run ended.
func canShowSummary(m *Model) string {
	if m.timeline.Shown.Finished == nil || m.status.State != engine.Over {
		return "shows how the run ended, and it has not"
	}
	return ""
}
