package output

import (
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/draw"
	"playhead/tui/pane/steps"
)

// placeholder returns the lines that show instead of output.
func (p *Pane) placeholder(l *draw.Look, w int) []string {
	text := p.empty()
	lines := l.Wrap(l.Keys.Sentence(control.Sentence(text)), w)
	if strings.Contains(text, "{now}") { // the person has to decide
		return lines
	}
	for i, line := range lines {
		lines[i] = l.Muted.Paint(line)
	}
	return lines
}

// empty returns why there is no output, and what to do.
func (p *Pane) empty() string {
	switch r := p.row; {
	case r == nil:
		return steps.NoSteps
	case r.Doc != nil || !r.IsExecutable() || len(r.Children) > 0 && p.action == nil:
		return "Only single steps have output: select one below this."
	case !r.Plan().Runnable():
		return "The document has errors, so it cannot run. {why} to see what is wrong."
	case p.logMissing:
		return "The log of its output is missing from the run's folder: " + draw.Clean(p.file)
	case p.file != "" && p.log == nil:
		return "The output is available after the run resumes."
	case p.window.err != nil:
		return "The log cannot be read: " + draw.Clean(p.window.err.Error())
	case p.openQuestion == machine.KindResume && p.isReply():
		return "No part of the reply arrived. {answer} to go to the question."
	case p.openQuestion == machine.KindResume:
		return "The command was interrupted before it printed anything. {answer} to go to the question."
	case p.isReply() || p.openQuestion == machine.KindReply:
		return p.noReplyText()
	case p.isTool():
		return p.noResult()
	case p.running() && p.state == engine.Over:
		return "The recording ends before any output."
	case p.running():
		return "Running. Nothing printed yet."
	case r.Status == track.Waiting && IsSilent(r):
		return "Nothing is executed here: this step asks a person." + p.toQuestion()
	case r.Status == track.Waiting && p.action == nil:
		return "Nothing was executed: a person decides." + p.toQuestion()
	case p.action != nil && p.action.Kind == "command":
		return "It printed nothing."
	case r.LastIsModel():
		return "The model replied, but the log of the reply is missing."
	case r.Status.IsOver():
		return "Nothing was executed here."
	default:
		return "Nothing has run here yet" + p.toThis()
	}
}

// toThis returns the end of a sentence: the key that runs this step, or that goes to the open question.
func (p *Pane) toThis() string {
	switch {
	case p.row.Status == track.Running: // the run is here already
		return "."
	case p.state == engine.Paused:
		if p.isNext {
			return ". {over} to run it."
		}
		return ". {run-to} to run to this step."
	case p.state == engine.Waits:
		return ". {answer} to go to the question that the run waits at."
	}
	return "."
}

// toQuestion returns a sentence with the key that goes to the question, "" if none is open. At an earlier
// moment and in a replay, none is.
func (p *Pane) toQuestion() string {
	if p.openQuestion == "" {
		return ""
	}
	return " {answer} to go to the question."
}

// noReplyText returns why there is no text of a reply.
func (p *Pane) noReplyText() string {
	switch {
	case p.openQuestion == machine.KindReply:
		return "A person replies in the model's place. {answer} to go to the question."
	case len(p.action.Calls) > 0:
		return "The reply has no text, only " + wording.Count(len(p.action.Calls), "tool call") + "."
	case p.openQuestion != "":
		return "The model is called after you answer. {answer} to go to the question."
	case !p.action.Done && p.notice != "":
		return p.notice
	case !p.action.Done:
		return "The model was called. Waiting for the reply to begin."
	case p.action.Error != "":
		return "There is no reply: " + draw.Clean(p.action.Error)
	default:
		return "The reply is empty."
	}
}

// noResult returns why there is no text of a tool's result.
func (p *Pane) noResult() string {
	switch {
	case p.openQuestion != "":
		return "The tool is called after you answer. {answer} to go to the question."
	case !p.action.Done && p.notice != "":
		return p.notice + " {interrupt} to interrupt."
	case !p.action.Done:
		return "The tool was called. Waiting for the result. {interrupt} to interrupt."
	case p.action.Error != "":
		return "There is no result: " + draw.Clean(p.action.Error)
	default:
		return "The result is empty."
	}
}

// notice returns the state of a call that has no text yet: the model thinks, or the call waits to be
// retried. It returns "" if nothing is known.
func notice(st engine.Status, now time.Time) string {
	switch n := st.Notice; {
	case n != nil && n.Until.IsZero():
		return draw.Clean(n.Text)
	case n != nil && now.Before(n.Until):
		return draw.Clean(n.Text) + " · " + draw.In(n.Until, now) + ". {now} to retry now, or {interrupt} to interrupt."
	case n != nil:
		return draw.Clean(n.Text) + " · trying now."
	case st.ReasoningWords > 0:
		return "thinking… " + wording.Count(st.ReasoningWords, "word")
	}
	return ""
}
