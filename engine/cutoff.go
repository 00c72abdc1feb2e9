package engine

import (
	"context"

	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// receivedPart is what has arrived of the newest action, complete or not.
type receivedPart struct {
	file string // the name of its log
	kind string // of the action
	key  string // the key under which its results are counted
}

func (p receivedPart) isReply() bool { return p.kind == "model" }

// maxDraft limits the length of a partial reply that a person can continue, in bytes.
const maxDraft = 1 << 20

// receivedText returns the text that has arrived of the newest action, in at most most bytes.
func (s *Session) receivedText(most int) string {
	l := s.Log(s.received.file)
	switch {
	case l == nil:
		return ""
	case s.received.kind == "command":
		return l.Text(most)
	}
	return logs.Escaped{Log: l}.Text(most)
}

// endCutOff ends an action that was in progress when the run was left or its process died. Its
// output is what had arrived.
func (s *Session) endCutOff() error {
	effect := s.m.Next().Effect
	if call, tool := effect.(*machine.CallTool); effect == nil || tool && call.IsRepeatable() {
		return nil
	}
	if _, asked := effect.(*machine.CallModel); asked && s.cfg.Manual {
		return nil
	}
	e := s.m.Event(plan.Product{Cancelled: true, Text: s.receivedText(machine.MaxOutput)})
	e.Body.(*machine.ActionFinished).Log = logRef(s.received.file, s.Log(s.received.file))
	return s.record(e)
}

// personReplies reports whether a person writes the reply to a call that was cut off, failed or is
// held, instead of deciding what to do about it.
func (s *Session) personReplies(q *machine.Question) bool {
	return (s.received.isReply() || q.MayHaveActed) && s.source.personNext && (q.Kind == machine.KindResume || q.Kind == machine.KindAcceptOutcome)
}

// askCutOff asks what to do about an action that was cut off. If nobody is there, a call is
// repeated only if that was allowed and it had no effects.
func (s *Session) askCutOff(ctx context.Context, q *machine.Question) error {
	switch {
	case s.isAttended():
		return s.wait(ctx, Status{State: Waits, Question: q, Need: s.m.Waiting(), Log: s.received.file})
	case s.received.isReply() && s.cfg.RepeatCutOff && !q.MayHaveActed:
		return s.giveAnswer(machine.Answer{Value: "rerun", By: machine.ByFlag, Note: "trusted"})
	}
	return s.endWaiting(s.m.Waiting())
}

// replyFromAnswer returns the reply that an answer contains, if any: what a person wrote, or what
// had arrived before the call was cut off, if the person accepts that.
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
	case q.Kind != machine.KindResume || q.IfUnattended != plan.Wait || !s.received.isReply():
		return "", false
	}
	value, err := q.Option(a.Value)
	text = s.receivedText(maxDraft)
	return text, err == nil && value == "pass" && text != ""
}
