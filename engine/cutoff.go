package engine

import (
	"context"

	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// receivedPart is what has arrived of the newest action, whole or not.
type receivedPart struct {
	file string // its log
	kind string // of the action
	key  string // what is counted of it
}

func (p receivedPart) isReply() bool { return p.kind == "model" }

// maxDraft is how long a reply is that a person can go on with.
const maxDraft = 1 << 20

// receivedText returns the text that has arrived of the newest action, at most so many bytes.
func (s *Session) receivedText(most int) string {
	l := s.Log(s.received.file)
	switch {
	case l == nil:
		return ""
	case s.received.kind == "command":
		return l.Text(most)
	}
	return logs.Visible{Log: l}.Text(most)
}

// endCutOff ends an action that was under way when the run was left, or its process died:
// what had come of it by then is its own.
func (s *Session) endCutOff() error {
	effect := s.m.Next().Effect
	if call, tool := effect.(*machine.CallTool); effect == nil || tool && call.IsRepeatable() {
		return nil
	}
	e := s.m.Event(plan.Product{Cancelled: true, Text: s.receivedText(machine.MaxOutput)})
	e.Body.(*machine.ActionFinished).Log = logRef(s.received.file, s.Log(s.received.file))
	return s.record(e)
}

// personReplies reports whether a person replies instead of saying what becomes of a call
// of a model, or of a tool that it wanted: one that broke off, could not be made, or is held.
func (s *Session) personReplies(q *machine.Question) bool {
	return (s.received.isReply() || q.Acted) && s.source.personNext && (q.Kind == machine.KindResume || q.Kind == machine.KindAccept)
}

// askCutOff asks what becomes of an action that did not come to its end. With nobody
// there a call is made again only where that was said, and nothing has been done by it.
func (s *Session) askCutOff(ctx context.Context, q *machine.Question) error {
	switch {
	case s.attended():
		return s.wait(ctx, Status{State: Waits, Question: q, Need: s.m.Waiting(), Log: s.received.file})
	case s.received.isReply() && s.cfg.Recall && !q.Acted:
		return s.giveAnswer(machine.Answer{Value: "rerun", By: machine.ByFlag, Note: "trusted"})
	}
	return s.endWaiting(s.m.Waiting())
}

// replyFromAnswer returns the reply that an answer gives, if it does: what a person wrote, or what
// had arrived before a call broke off, where that is to pass.
func (s *Session) replyFromAnswer(a machine.Answer) (text string, yes bool) {
	next := s.m.Next()
	if canStandIn(next.Effect) && s.job == nil {
		return a.Value, true
	}
	q := next.Question
	switch {
	case q == nil:
		return "", false
	case s.personReplies(q):
		return a.Value, true
	case q.Kind != machine.KindResume || q.Absent != plan.Wait || !s.received.isReply():
		return "", false
	}
	value, err := q.Option(a.Value)
	text = s.receivedText(maxDraft)
	return text, err == nil && value == "pass" && text != ""
}
