package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// PreparedAnswers are the answers prepared by flags and files. Those by label take precedence over the
// queue.
type PreparedAnswers struct {
	// The nth answer is for the nth attempt of the step, and the last one also for all later
	// attempts. If a step needs several values, each has a key of its own: LABEL.NAME.
	ByLabel map[string][]PreparedAnswer
	Queue   []PreparedAnswer // --decide: one item for each step that needs a decision
}

// PreparedAnswerKey returns the key of the answer for one of the values that a step needs.
func PreparedAnswerKey(label, name string) string { return label + "." + name }

// PreparedAnswer is one prepared answer: pass, fail (yes, no, ok, rerun), or an item that acts instead:
// retry, skip, goto:2, complete:msg, stop:msg. Where any text is an answer, it is that text.
type PreparedAnswer struct {
	Value      string
	Text       string // the text as written: the answer if a value is asked for
	PreparedBy string // flag or file
}

// answerActions are the verbs of prepared answers that perform an action instead of answering.
var answerActions = []string{"retry", "skip", "goto", "complete", "stop"}

// answerFromPrepared uses the next prepared answer for a question, and reports whether there was
// one. An item that is impossible is used up with a warning, and the question stays open.
func (s *Session) answerFromPrepared(q *machine.Question) (bool, error) {
	item, reused, ok := s.takePreparedAnswer(q)
	if !ok {
		return false, nil
	}
	err := requireValueNames(q, item, s.answerLabels.Of(q.Action.StepLabel))
	if err == nil {
		err = s.applyPreparedAnswer(q, item.PreparedAnswer, reused)
	}
	var j *JournalError
	if err == nil || errors.As(err, &j) {
		return true, err
	}
	return true, s.warnAboutUnusableAnswer(q, fmt.Sprintf("the prepared answer %q cannot be used: %v", cmp.Or(item.Text, item.Value), err))
}

// warnAboutUnusableAnswer warns about a prepared answer that has no effect. If the state of the run is the
// reason, the warning has the code of the document's format.
func (s *Session) warnAboutUnusableAnswer(q *machine.Question, message string) error {
	code := s.machine.Plan().UnavailableActionCode
	if code == "" || q.Kind == machine.KindAsk {
		return s.warn(machine.UnusableAnswerCode, message)
	}
	w := &machine.WarningRecorded{Code: code, Message: message, Error: message, ErrorType: s.machine.Plan().AdviceByCode[code].ErrorType}
	w.Suggestion = "use " + machine.AlternativesText(append(slices.Clone(q.Options), "retry", "skip"))
	return s.record(machine.Event{Step: s.machine.Position(), Body: w})
}

// takePreparedAnswer returns the prepared answer for a question. That of the step's label is used once
// for each attempt. Otherwise it is the first of the queue, if somebody has to answer at all. reused
// reports whether an earlier attempt was given the same answer.
func (s *Session) takePreparedAnswer(q *machine.Question) (item keyedAnswer, reused, ok bool) {
	a := s.config.PreparedAnswers
	if q.Kind == machine.KindApproveCall { // only a policy or a person approves a call
		return keyedAnswer{}, false, false
	}
	label := s.answerLabels.Of(q.Action.StepLabel)
	nth := s.attemptCounts[label]
	for _, key := range preparedAnswerKeys(q, label) {
		if list := a.ByLabel[key]; len(list) > 0 && s.answeredAttemptByKey[key] < nth {
			item, reused := list[min(nth, len(list))-1], nth > len(list)
			if reused && item.Value == "rerun" && q.Kind != machine.KindResume {
				continue // it was used before the action was cut off
			}
			s.answeredAttemptByKey[key] = nth
			return keyedAnswer{item, key}, reused, true
		}
	}
	if q.Kind != machine.KindAsk && q.IfUnattended == plan.WaitUnattended && len(a.Queue) > 0 {
		item := a.Queue[0]
		a.Queue = a.Queue[1:]
		return keyedAnswer{PreparedAnswer: item}, false, true
	}
	return keyedAnswer{}, false, false
}

// keyedAnswer is a prepared answer with its key in PreparedAnswers.ByLabel, "" if it is from the queue.
type keyedAnswer struct {
	PreparedAnswer
	key string
}

// preparedAnswerKeys returns the keys by which a question of a step may be answered: that of the value
// first, then the label alone.
func preparedAnswerKeys(q *machine.Question, label string) []string {
	if q.Kind != machine.KindAsk || len(q.Fields) == 0 {
		return []string{label}
	}
	return []string{PreparedAnswerKey(label, q.Field.Name), label}
}

// requireValueNames returns an error for one answer without a name if several values are needed.
func requireValueNames(q *machine.Question, p keyedAnswer, label string) error {
	if q.Kind != machine.KindAsk || len(q.Fields) < 2 || p.key != label {
		return nil
	}
	keys := make([]string, len(q.Fields))
	for i, f := range q.Fields {
		keys[i] = PreparedAnswerKey(p.key, f.Name)
	}
	return fmt.Errorf("the step needs %d values: prepare an answer for each of %s", len(keys), strings.Join(keys, ", "))
}

// applyPreparedAnswer gives the answer or performs its action. A repeated jump counts against the limit of
// entries like the machine's own moves, because otherwise it would never end.
func (s *Session) applyPreparedAnswer(q *machine.Question, p PreparedAnswer, reused bool) error {
	verb, arg, _ := strings.Cut(p.Value, ":")
	if q.Kind == machine.KindAsk && p.Text != "" {
		value := p.Text
		_, err := q.MatchingOption(value)
		if err != nil {
			value = cmp.Or(p.Value, value) // YES counts as yes
		}
		if err == nil || !slices.Contains(answerActions, verb) { // any text is an answer here, even the word of an action
			return s.giveAnswer(machine.Answer{Value: value, By: p.PreparedBy})
		}
	}
	note := machine.PreparedNote(p.PreparedBy)
	switch verb {
	case "retry":
		e, err := s.machine.RetryEvent(note)
		return s.recordPreparedJump(e, err, p.PreparedBy, reused)
	case "skip":
		e, err := s.machine.OverrideEvent(plan.Skipped, note)
		return s.recordPreparedEvent(e, err, p.PreparedBy)
	case "goto":
		e, err := s.machine.JumpEvent(strings.TrimSpace(arg), note)
		return s.recordPreparedJump(e, err, p.PreparedBy, reused)
	case "complete":
		e, err := s.machine.EndEvent(plan.Completed, arg, machine.ByPerson)
		return s.recordPreparedEvent(e, err, p.PreparedBy)
	case "stop":
		e, err := s.machine.EndEvent(plan.Stopped, arg, machine.ByPerson)
		return s.recordPreparedEvent(e, err, p.PreparedBy)
	default:
		return s.giveAnswer(machine.Answer{Value: cmp.Or(p.Value, p.Text), By: p.PreparedBy, Assignments: s.replacementValues(q)})
	}
}

// replacementValues returns the prepared values that replace withheld ones.
func (s *Session) replacementValues(q *machine.Question) (set []plan.Assignment) {
	if q.Kind != machine.KindAcceptOutcome {
		return nil
	}
	label := s.answerLabels.Of(q.Action.StepLabel)
	nth := s.attemptCounts[label]
	for _, a := range s.machine.WithheldValues() {
		key := PreparedAnswerKey(label, a.Name)
		if list := s.config.PreparedAnswers.ByLabel[key]; len(list) > 0 {
			item := list[min(nth, len(list))-1]
			set = append(set, plan.Assignment{Name: a.Name, Value: cmp.Or(item.Text, item.Value)})
		}
	}
	return set
}

// recordPreparedJump records a jump. A repeated one counts against the limit of entries.
func (s *Session) recordPreparedJump(e machine.Event, err error, by string, reused bool) error {
	if d, ok := e.Body.(*machine.Decision); ok && reused {
		d.Destination.ExemptFromEntryLimit = false
	}
	return s.recordPreparedEvent(e, err, by)
}

// recordPreparedEvent records an intervention that was prepared by a flag or a file.
func (s *Session) recordPreparedEvent(e machine.Event, err error, by string) error {
	if err != nil {
		return err
	}
	e.PreparedBy = by
	return s.record(e)
}

// warnAboutUnusedAnswers warns about prepared answers that were not used.
func (s *Session) warnAboutUnusedAnswers() error {
	n := len(s.config.PreparedAnswers.Queue)
	if n == 0 {
		return nil
	}
	s.config.PreparedAnswers.Queue = nil
	return s.warn("playhead/answers-left", fmt.Sprintf("prepared answers that were not used: %d", n))
}
