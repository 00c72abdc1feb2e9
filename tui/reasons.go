package tui

import (
	"playhead/engine"
	"playhead/tui/panes"
)

// Why an action makes no sense now. Each is the end of a sentence that begins
// with the key.

func notAsked(m *Model) string {
	if m.question == nil && m.blocking() == nil {
		return "does nothing: there is no open question"
	}
	return ""
}

func notReasoned(m *Model) string {
	if m.output.reasoning() == "" {
		return "shows what a model thought before its reply, and nothing of that is kept here"
	}
	return ""
}

func notFindable(m *Model) string {
	switch p := m.findable(); {
	case p == panes.Nowhere:
		return "finds in panes, and this is none: {close} closes it"
	case p == panes.Output && m.output.log == nil:
		return "finds in output, and this step has none"
	}
	return ""
}

func notSearched(m *Model) string {
	if m.search.Query == "" {
		return "goes to the next match: {find} finds first"
	}
	return ""
}

func notTypable(m *Model) string {
	if m.replays() || m.past() || !m.output.running() || m.output.called() { // what only shows does not run
		return "types into a running command, and none runs here"
	}
	return ""
}

// notOver is for what shows how the run ended.
func notOver(m *Model) string {
	if m.track.Finished == nil || m.status.State != engine.Over {
		return "shows how the run ended, and it has not"
	}
	return ""
}
