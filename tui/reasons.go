package tui

import (
	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/track"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// Why an action makes no sense now. Each is the end of a sentence that begins
// with the key.

func notLive(m *Model) string {
	if why := notBegun(m); why != "" {
		return why
	}
	switch m.status.State {
	case engine.Over:
		return "does nothing: the run is over; {again} runs the selected step again, {jump} jumps"
	case engine.Waits:
		return "does nothing: the run waits for an answer; {answer} goes to the question"
	}
	return ""
}

func notGoing(m *Model) string {
	if why := notLive(m); why != "" {
		return why
	}
	if m.status.State == engine.Running && !m.stepping {
		return "does nothing: the run is going on already"
	}
	return ""
}

func notPaused(m *Model) string {
	if why := notLive(m); why != "" {
		return why
	}
	if m.status.State != engine.Paused {
		return "needs a paused run: {pause} pauses before the next step"
	}
	return ""
}

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

// notRepeatable is for running a step again.
func notRepeatable(m *Model) string {
	if why := notStanding(m); why != "" {
		return why
	}
	if r := m.repeated(); r != m.track.Current && r.Last() == nil {
		return "runs a step again that has run, and " + draw.Clean(r.Label) + " has not: {jump} jumps to it"
	}
	return ""
}

// notDecided is for setting the outcome of the step that the run is at.
func notDecided(m *Model) string {
	if why := notStanding(m); why != "" {
		return why
	}
	if q := m.question; q != nil && q.ask.Call != nil {
		return "does nothing: a call is to be allowed, or not; {answer} goes there"
	}
	if q := m.question; q != nil && q.control != nil && q.ask.Tool == "" {
		return "does nothing: a text or a choice is asked for; {answer} goes there, {skip} skips the step"
	}
	return ""
}

// notSet is for setting the outcome to one: the step before a paused run's next may have it.
func notSet(as track.Status) func(*Model) string {
	return func(m *Model) string {
		why := notDecided(m)
		if why == "" && m.looksBefore() && m.track.Current.Status == as {
			why = "does nothing: " + m.where() + " has " + as.String() + " already; {back} goes to where the run is"
		}
		return why
	}
}

func notSkippable(m *Model) string {
	if why := notStanding(m); why != "" {
		return why
	}
	if m.status.State == engine.Over && !m.track.Broke() {
		return "does nothing: the run is over"
	}
	return ""
}

func notTargetable(m *Model) string {
	r := m.tree.selected()
	switch {
	case r == nil || r.Step == nil:
		return "needs a step: select one"
	case !r.Latest():
		return "leads to the current instance of a step, not to an earlier one"
	}
	return ""
}

func notReachable(m *Model) string {
	if why := notLive(m); why != "" {
		return why
	}
	return notTargetable(m)
}

func notJumpable(m *Model) string {
	if why := notBegun(m); why != "" {
		return why
	}
	if m.track.Current != nil && m.tree.selected() == m.position() && m.status.State != engine.Over {
		return "leads to another step, and the run is at this one: select a step first"
	}
	return notTargetable(m)
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

// notPutOff is for a call that waits to be made again.
func notPutOff(m *Model) string {
	if n := m.status.Notice; n == nil || n.Skip == nil || !m.now.Before(n.Until) {
		return "does nothing: no call waits to be made again"
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
