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

// Answers are the answers prepared by flags and files. Those by label take precedence over the
// queue.
type Answers struct {
	// The nth answer is for the nth visit of the label, and the last one also for all later
	// visits. If a step needs several values, each has a key of its own: LABEL.NAME.
	ByLabel map[string][]PreparedAnswer
	Queue   []PreparedAnswer // --decide: one item for each step that needs a decision
}

// Key returns the key of the answer for one of the values that a step needs.
func Key(label, name string) string { return label + "." + name }

// PreparedAnswer is one prepared answer: pass, fail (yes, no, ok, rerun), or an item that acts instead:
// retry, skip, goto:2, complete:msg, stop:msg.
type PreparedAnswer struct {
	Value string
	Text  string // the text as written: the answer if a value is asked for
	By    string // flag or file
}

// answerFromPrepared uses the next prepared answer for a question, and reports whether there was
// one. An item that is impossible is used up with a warning, and the question stays open.
func (s *Session) answerFromPrepared(q *machine.Question) (bool, error) {
	item, reused, ok := s.nextPrepared(q)
	if !ok {
		return false, nil
	}
	err := requireNames(q, item, s.labels.of(q.Action.Step))
	if err == nil {
		err = s.applyPrepared(q, item.PreparedAnswer, reused)
	}
	var j *JournalError
	if err == nil || errors.As(err, &j) {
		return true, err
	}
	return true, s.rejectPrepared(q, fmt.Sprintf("the prepared answer %q cannot be used: %v", cmp.Or(item.Text, item.Value), err))
}

// rejectPrepared warns about a prepared answer that has no effect. If the state of the run is the
// reason, the warning has the code of the document's format.
func (s *Session) rejectPrepared(q *machine.Question, message string) error {
	code := s.m.Plan().RefusalCode
	if code == "" || q.Kind == machine.KindAsk {
		return s.warn(machine.UnusableCode, message)
	}
	w := &machine.Warned{Code: code, Message: message, Error: message, ErrorType: s.m.Plan().Advice[code].ErrorType}
	w.Suggestion = "use " + machine.OneOf(append(slices.Clone(q.Options), "retry", "skip"))
	return s.record(machine.Event{Step: s.m.Position(), Body: w})
}

// nextPrepared returns the item for a question: that of the label once for each visit, else the
// first of the queue, if somebody has to answer at all. again reports whether the item is also for
// later visits.
func (s *Session) nextPrepared(q *machine.Question) (item preparedItem, again, ok bool) {
	a := s.cfg.Answers
	if q.Kind == machine.KindApproveCall { // only a policy or a person approves a call
		return preparedItem{}, false, false
	}
	label := s.labels.of(q.Action.Step)
	nth := s.entered[label]
	for _, key := range keysOf(q, label) {
		if list := a.ByLabel[key]; len(list) > 0 && s.answered[key] < nth {
			item, last := list[min(nth, len(list))-1], nth > len(list)
			if last && item.Value == "rerun" && q.Kind != machine.KindResume {
				continue // it was used before the action was cut off
			}
			s.answered[key] = nth
			return preparedItem{item, key}, last, true
		}
	}
	if q.Kind != machine.KindAsk && q.IfUnattended == plan.Wait && len(a.Queue) > 0 {
		item := a.Queue[0]
		a.Queue = a.Queue[1:]
		return preparedItem{PreparedAnswer: item}, false, true
	}
	return preparedItem{}, false, false
}

// preparedItem is a prepared answer with the key under which it was found, "" in the queue.
type preparedItem struct {
	PreparedAnswer
	key string
}

// keysOf returns the keys by which a question of a step may be answered: that of the value first, then
// the label alone.
func keysOf(q *machine.Question, label string) []string {
	if q.Kind != machine.KindAsk || len(q.Fields) == 0 {
		return []string{label}
	}
	return []string{Key(label, q.Field.Name), label}
}

// requireNames returns an error for one answer without a name if several values are needed.
func requireNames(q *machine.Question, p preparedItem, label string) error {
	if q.Kind != machine.KindAsk || len(q.Fields) < 2 || p.key != label {
		return nil
	}
	keys := make([]string, len(q.Fields))
	for i, f := range q.Fields {
		keys[i] = Key(p.key, f.Name)
	}
	return fmt.Errorf("the step needs %d values: answer %s", len(keys), strings.Join(keys, ", "))
}

// applyPrepared gives the answer or performs its action. A repeated jump counts against the guard
// like the machine's own moves, because otherwise it would never end.
func (s *Session) applyPrepared(q *machine.Question, p PreparedAnswer, reused bool) error {
	if q.Kind == machine.KindAsk && p.Text != "" {
		value := p.Text
		if _, err := q.Option(value); err != nil {
			value = cmp.Or(p.Value, value) // YES counts as yes
		}
		return s.giveAnswer(machine.Answer{Value: value, By: p.By})
	}
	verb, arg, _ := strings.Cut(p.Value, ":")
	reason := machine.PreparedBy(p.By)
	switch verb {
	case "retry":
		e, err := s.m.Retry(reason)
		return s.recordMove(e, err, p.By, reused)
	case "skip":
		e, err := s.m.OverrideCurrent(plan.Skipped, reason)
		return s.recordPrepared(e, err, p.By)
	case "goto":
		e, err := s.m.Jump(strings.TrimSpace(arg), reason)
		return s.recordMove(e, err, p.By, reused)
	case "complete":
		e, err := s.m.End(plan.Completed, arg, machine.ByPerson)
		return s.recordPrepared(e, err, p.By)
	case "stop":
		e, err := s.m.End(plan.Stopped, arg, machine.ByPerson)
		return s.recordPrepared(e, err, p.By)
	default:
		return s.giveAnswer(machine.Answer{Value: cmp.Or(p.Value, p.Text), By: p.By, Set: s.preparedValues(q)})
	}
}

// preparedValues returns the prepared values that replace withheld ones.
func (s *Session) preparedValues(q *machine.Question) (set []plan.Assignment) {
	if q.Kind != machine.KindAcceptOutcome {
		return nil
	}
	label := s.labels.of(q.Action.Step)
	nth := s.entered[label]
	for _, a := range s.m.WithheldValues() {
		key := Key(label, a.Name)
		if list := s.cfg.Answers.ByLabel[key]; len(list) > 0 {
			item := list[min(nth, len(list))-1]
			set = append(set, plan.Assignment{Name: a.Name, Value: cmp.Or(item.Text, item.Value)})
		}
	}
	return set
}

// recordMove records a jump. A repeated one counts against the guard.
func (s *Session) recordMove(e machine.Event, err error, by string, reused bool) error {
	if d, ok := e.Body.(*machine.Decision); ok && reused {
		d.Arrival.ExemptFromGuard = false
	}
	return s.recordPrepared(e, err, by)
}

// recordPrepared records an intervention that was prepared by a flag or a file.
func (s *Session) recordPrepared(e machine.Event, err error, by string) error {
	if err != nil {
		return err
	}
	e.Prepared = by
	return s.record(e)
}

// warnOfUnusedAnswers warns about prepared answers that were not used.
func (s *Session) warnOfUnusedAnswers() error {
	n := len(s.cfg.Answers.Queue)
	if n == 0 {
		return nil
	}
	s.cfg.Answers.Queue = nil
	return s.warn("playhead/answers-left", fmt.Sprintf("%d prepared answers were not needed", n))
}
