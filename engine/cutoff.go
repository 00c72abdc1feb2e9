package engine

import (
	"context"

	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// receivedPart is what has arrived of the newest action, complete or not.
type receivedPart struct {
	logName        string // the name of its log
	actionKind     string // of the action
	resultCountKey string // the key under which its results are counted
}

func (p receivedPart) isReply() bool { return p.actionKind == "model" }

// maxDraftBytes limits the length of a partial reply that a person can continue, in bytes.
const maxDraftBytes = 1 << 20

// receivedText returns the text that has arrived of the newest action, in at most most bytes.
func (s *Session) receivedText(most int) string {
	l := s.Log(s.receivedPart.logName)
	switch {
	case l == nil:
		return ""
	case s.receivedPart.actionKind == "command":
		return l.ShortenedText(most)
	}
	return logs.EscapedLog{Log: l}.ShortenedText(most)
}

// endCutOffAction ends an action that was in progress when the run was left or its process died. Its
// output is what had arrived.
func (s *Session) endCutOffAction() error {
	effect := s.machine.Next().Effect
	if call, tool := effect.(*machine.CallTool); effect == nil || tool && call.IsRepeatable() {
		return nil
	}
	if _, asked := effect.(*machine.CallModel); asked && s.config.WasManual {
		return nil
	}
	e := s.machine.ResultEvent(plan.Product{Cancelled: true, Text: s.receivedText(machine.MaxOutputBytes)})
	e.Body.(*machine.ActionFinished).Log = logRef(s.receivedPart.logName, s.Log(s.receivedPart.logName))
	return s.record(e)
}

// personReplies reports whether a person writes the reply to a call that was cut off, failed or is
// held, instead of deciding what to do about it.
func (s *Session) personReplies(q *machine.Question) bool {
	return (s.receivedPart.isReply() || q.MayHaveActed) && s.replySource.isNextReplyManual && (q.Kind == machine.KindResume || q.Kind == machine.KindAcceptOutcome)
}

// askAboutCutOff asks what to do about an action that was cut off. If nobody is there, a call is
// repeated only if that was allowed and it had no effects.
func (s *Session) askAboutCutOff(ctx context.Context, q *machine.Question) error {
	switch {
	case s.isAttended():
		return s.serveNextRequest(ctx, Status{State: Waiting, Question: q, WaitingFor: s.machine.WaitingFor(), RunningLog: s.receivedPart.logName})
	case s.receivedPart.isReply() && s.config.RepeatCutOffCalls && !q.MayHaveActed:
		return s.giveAnswer(machine.Answer{Value: "rerun", By: machine.ByFlag, Note: "trusted"})
	}
	return s.endAsWaiting(s.machine.WaitingFor())
}

// replyFromAnswer returns the reply that an answer contains, if any: what a person wrote, or what
// had arrived before the call was cut off, if the person accepts that.
func (s *Session) replyFromAnswer(a machine.Answer) (text string, yes bool) {
	next := s.machine.Next()
	if allowsManualResult(next.Effect) && s.job == nil {
		return a.Value, true
	}
	q := next.Question
	switch {
	case q == nil:
		return "", false
	case s.personReplies(q):
		return a.Value, true
	case q.Kind != machine.KindResume || q.IfUnattended != plan.WaitUnattended || !s.receivedPart.isReply():
		return "", false
	}
	value, err := q.MatchingOption(a.Value)
	text = s.receivedText(maxDraftBytes)
	return text, err == nil && value == "pass" && text != ""
}
