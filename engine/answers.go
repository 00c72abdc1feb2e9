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

// Answers are the answers prepared by flags and files, in their order of precedence: by
// label, then the queue.
type Answers struct {
	// The n-th answers the n-th execution of the label, the last one all later ones. Of
	// several values that a step needs each has a key of its own: LABEL.NAME.
	ByLabel map[string][]Prepared
	Queue   []Prepared // --decide: one item for each unit that needs a decision
}

// Key is the key of the answer for one of the values that a step needs.
func Key(label, name string) string { return label + "." + name }

// Prepared is one prepared answer: pass, fail (yes, no, ok, rerun), or an item that
// acts instead: retry, skip, goto:2, complete:msg, stop:msg.
type Prepared struct {
	Value string
	Text  string // as it was written: the answer where a value is asked for
	By    string // flag or file
}

// prepared uses the next prepared answer for a question, if there is one. An item
// that cannot be done is used up with a warning, and the question stays.
func (s *Session) prepared(q *machine.Question) (bool, error) {
	item, again, ok := s.take(q)
	if !ok {
		return false, nil
	}
	err := nameless(q, item)
	if err == nil {
		err = s.use(q, item.Prepared, again)
	}
	var j *JournalError
	if err == nil || errors.As(err, &j) {
		return true, err
	}
	return true, s.refuse(q, fmt.Sprintf("the prepared answer %q cannot be used: %v", cmp.Or(item.Text, item.Value), err))
}

// refuse warns of a prepared answer that does nothing, as the document's format has it
// where the state of the run is why.
func (s *Session) refuse(q *machine.Question, message string) error {
	code := s.cfg.Plan.Refused
	if code == "" || q.Kind == machine.KindAsk {
		return s.warn(machine.UnusableCode, message)
	}
	w := &machine.Warned{Code: code, Message: message, Error: message, ErrorType: s.cfg.Plan.Advice[code].ErrorType}
	w.Suggestion = "use " + machine.OneOf(append(slices.Clone(q.Options), "retry", "skip"))
	return s.record(machine.Event{Step: s.m.Position(), Body: w})
}

// take finds the item: that of the label once for each execution, else the queue's
// first, if somebody has to answer at all. Again says that the item will be there
// for later executions too.
func (s *Session) take(q *machine.Question) (item taken, again, ok bool) {
	a := s.cfg.Answers
	if q.Kind == machine.KindApprove { // that is for a policy to say, or a person
		return taken{}, false, false
	}
	nth := s.entered[q.Action.Step]
	for _, key := range keysOf(q) {
		if list := a.ByLabel[key]; len(list) > 0 && s.answered[key] < nth {
			item, last := list[min(nth, len(list))-1], nth > len(list)
			if last && item.Value == "rerun" && q.Kind != machine.KindResume {
				continue // it was about what was cut off before
			}
			s.answered[key] = nth
			return taken{item, key}, last, true
		}
	}
	if q.Kind != machine.KindAsk && q.Absent == plan.Wait && len(a.Queue) > 0 {
		item := a.Queue[0]
		a.Queue = a.Queue[1:]
		return taken{Prepared: item}, false, true
	}
	return taken{}, false, false
}

// taken is a prepared answer with the key that it was found by; empty: in the queue.
type taken struct {
	Prepared
	key string
}

// keysOf are the keys that a question may be answered by: the value's name before the
// label alone.
func keysOf(q *machine.Question) []string {
	label := q.Action.Step
	if q.Kind != machine.KindAsk || len(q.Fields) == 0 {
		return []string{label}
	}
	return []string{Key(label, q.Field.Name), label}
}

// nameless refuses one answer where several values are asked for: it does not say which
// of them it is.
func nameless(q *machine.Question, p taken) error {
	if q.Kind != machine.KindAsk || len(q.Fields) < 2 || p.key != q.Action.Step {
		return nil
	}
	keys := make([]string, len(q.Fields))
	for i, f := range q.Fields {
		keys[i] = Key(p.key, f.Name)
	}
	return fmt.Errorf("%d values are needed there: answer %s", len(keys), strings.Join(keys, ", "))
}

// use gives the answer, or acts instead of it. A move that is made again and again
// is not a person's any more: it counts against the guard, or it would never end.
func (s *Session) use(q *machine.Question, p Prepared, again bool) error {
	if q.Kind == machine.KindAsk && p.Text != "" {
		value := p.Text
		if _, err := q.Option(value); err != nil {
			value = cmp.Or(p.Value, value) // YES is yes
		}
		return s.give(machine.Answer{Value: value, By: p.By})
	}
	verb, arg, _ := strings.Cut(p.Value, ":")
	reason := "prepared by " + p.By
	switch verb {
	case "retry":
		e, err := s.m.Again(reason)
		return s.move(e, err, again)
	case "skip":
		return s.prepare(s.m.Force(plan.Skipped, reason))
	case "goto":
		e, err := s.m.Jump(strings.TrimSpace(arg), reason)
		return s.move(e, err, again)
	case "complete":
		return s.prepare(s.m.End(plan.Completed, arg, machine.ByPerson))
	case "stop":
		return s.prepare(s.m.End(plan.Stopped, arg, machine.ByPerson))
	default:
		return s.give(machine.Answer{Value: cmp.Or(p.Value, p.Text), By: p.By, Set: s.amended(q)})
	}
}

// amended are the values that are prepared in the place of those that are withheld, where
// accepting takes them.
func (s *Session) amended(q *machine.Question) (set []plan.Assignment) {
	if q.Kind != machine.KindAccept {
		return nil
	}
	nth := s.entered[q.Action.Step]
	for _, a := range s.m.Withheld() {
		key := Key(q.Action.Step, a.Name)
		if list := s.cfg.Answers.ByLabel[key]; len(list) > 0 {
			item := list[min(nth, len(list))-1]
			set = append(set, plan.Assignment{Name: a.Name, Value: cmp.Or(item.Text, item.Value)})
		}
	}
	return set
}

// move records a move; a repeated one counts like any other.
func (s *Session) move(e machine.Event, err error, again bool) error {
	if d, ok := e.Body.(*machine.Decision); ok && again {
		d.Arrival.Free = false
	}
	return s.prepare(e, err)
}

func (s *Session) prepare(e machine.Event, err error) error {
	if err != nil {
		return err
	}
	return s.record(e)
}

// leftover warns of prepared answers that nothing asked for.
func (s *Session) leftover() error {
	n := len(s.cfg.Answers.Queue)
	if n == 0 {
		return nil
	}
	s.cfg.Answers.Queue = nil
	return s.warn("playhead/answers-left", fmt.Sprintf("%d prepared answers were not needed", n))
}
