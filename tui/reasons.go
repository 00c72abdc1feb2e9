package tui

import (
	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// Why an action makes no sense now. Each is the end of a sentence that begins
// with the key.

// notBegun is for what acts on the run, over or not.
func notBegun(m *Model) string {
	switch {
	case !m.track.Plan.Runnable():
		return "does nothing: a document with errors cannot be run"
	case m.session == nil:
		return "does nothing: the run has not started"
	case m.status.Err != nil && notOver(m) == "":
		return "does nothing: the run is stuck; {summary} says why"
	case m.status.Err != nil:
		return "does nothing: " + m.status.Err.Error()
	}
	return ""
}

// notStanding is for what acts on the step the run is at.
func notStanding(m *Model) string {
	if why := notBegun(m); why != "" {
		return why
	}
	if m.track.Current == nil {
		return "needs a step that was entered: {over} enters the first, {jump} jumps to the selected one"
	}
	return ""
}

func notAsked(m *Model) string {
	if m.question == nil && m.blocking() == nil {
		return "does nothing: there is no open question"
	}
	return ""
}

// notSourced is for what concerns replies to come.
func notSourced(m *Model) string {
	if !m.models {
		return "does nothing: this document asks no model"
	}
	if why := notBegun(m); why != "" {
		return why
	}
	if m.status.State == engine.Over && !m.track.Broke() {
		return "does nothing: the run is over"
	}
	return ""
}

func notByHand(m *Model) string {
	q := m.status.Question
	if callsTool(m.track.Current) && notStanding(m) == "" { // its result can be given, whoever replies elsewhere
		return ""
	}
	switch why := notSourced(m); {
	case why != "":
		return why
	case m.status.Own, q != nil && q.Acted: // it was a model's to reply there, or a person's before
		return ""
	case m.status.Source == model.Manual:
		return "does nothing: a person replies to everything; {source} chooses another source"
	case q != nil && q.Kind == machine.KindReply:
		return "does nothing: " + draw.Clean(m.status.Source) + " has no reply here, so you give it"
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
		return "finds in panes, and this is none: esc closes it"
	case p == panes.Output && m.output.log == nil:
		return "finds in output, and this step has none"
	}
	return ""
}

func notSearched(m *Model) string {
	if m.search.query == "" {
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
