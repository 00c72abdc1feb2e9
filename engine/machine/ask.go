package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"playhead/parse/plan"
)

func (m *Machine) ask(f *frame, a plan.Action, kind string) Next {
	q := m.question(f, a, kind)
	if f.open.inputRequested {
		return Next{Question: q}
	}
	body := &InputNeeded{Action: m.index(f), Kind: kind, Prompt: q.Prompt, Text: m.stepText(f), Options: q.Options}
	if q.Field != nil {
		body.Input = q.Field.Type
	}
	for _, one := range q.Fields {
		body.Values = append(body.Values, one.Name)
	}
	return nextEvent(f.at(body))
}

func (m *Machine) question(f *frame, a plan.Action, kind string) *Question {
	q := &Question{Action: m.ref(f), Kind: kind, Prompt: m.prompt(f), Options: []string{"pass", "fail"}}
	switch w := a.Work.(type) {
	case plan.Decide:
		q.Show, q.IfUnattended = w.Show, w.Absent
		if w.Yes {
			q.Options = []string{"yes", "no"}
		}
		if m.options.Prompted {
			q.IfUnattended = plan.Wait
		}
	case plan.Ask:
		wanting := m.questionFields(w)
		if w.Missing {
			q.Fields = m.shownFields(f, wanting)
		}
		field := wanting[0]
		q.Field, q.IfUnattended, q.Options = &field, w.Absent, field.Options
		q.Prompt = m.render(field.Prompt, f)
		if field.Type == "confirm" {
			q.Options = []string{"yes", "no"}
		}
	default:
		q.ReplacesExecution = true
		if d, ok := a.Judge.(plan.Describer); ok { // the step has several of them
			if names := d.Describe().Validators; len(names) > 0 {
				q.Prompt += ": " + strings.Join(names, ", ")
				q.Show = m.manualCommand(f, w)
			}
		}
	}
	return q
}

// manualCommand returns the command that a person runs by hand, nil if the work is not a command.
func (m *Machine) manualCommand(f *frame, w plan.Work) *plan.Block {
	c, ok := w.(plan.Command)
	if !ok {
		return nil
	}
	return &plan.Block{Language: c.Language, Text: m.render(c.Text, f)}
}

// prompt returns one line that names what a person decides on.
func (m *Machine) prompt(f *frame) string {
	return cmp.Or(f.cur.step.TitleIn(m.scope(f)), f.cur.step.ID)
}

// resumption asks what to do with an action that was cut off, or with an outcome that a person has
// to accept.
func (m *Machine) resumption(f *frame) Next {
	q := &Question{
		Action: m.ref(f), Kind: KindResume, Prompt: m.prompt(f) + " was interrupted",
		Options: []string{"rerun", "pass", "fail"},
	}
	if a, _ := m.action(f); a.Work != nil {
		w, _ := a.Work.(plan.Model)
		q.ManualReply, q.MayHaveActed = m.manualReply(f, w), len(w.Tools) > 0
	}
	switch end := f.open.heldEnd; {
	case end == nil:
	case end.Outcome.Source == notReady:
		q.Prompt, q.IfUnattended = end.Outcome.Reason, plan.Fail
	default:
		q.Kind, q.Prompt, q.Options = KindAcceptOutcome, end.Outcome.Reason, []string{"pass", "fail"}
		q.IfUnattended = plan.Fail
	}
	if f.open.inputRequested {
		return Next{Question: q}
	}
	return nextEvent(f.at(&InputNeeded{Action: m.index(f), Kind: q.Kind, Prompt: q.Prompt, Text: m.stepText(f), Options: q.Options}))
}

// Answer returns the event with which an answer settles the open question. It returns an error if the
// answer does not fit the question.
func (m *Machine) Answer(a Answer) (Event, error) {
	q := m.Next().Question
	if q == nil {
		return Event{}, fmt.Errorf("no question waits for an answer")
	}
	if q.Kind == KindApproveCall && a.Result != nil {
		a.Value = allowed
	}
	value, err := q.Option(a.Value)
	if err != nil {
		return Event{}, err
	}
	f := m.top()
	if value == "rerun" && m.wasConversation(f) {
		return m.retryConversation(a)
	}
	body := &InputGiven{Action: m.index(f), Kind: q.Kind, Value: value}
	switch {
	case q.Kind == KindApproveCall:
		err = m.approve(f, a, body)
	case q.Field != nil && a.By == ByAuto && q.IfUnattended == plan.Fail:
		body.Outcome, body.Notes = m.unansweredOutcome(f)
	case len(a.Fields) > 0:
		err = m.setFormOutcome(body, q, a)
	case q.Field != nil:
		m.setFieldOutcome(f, body, q, m.sourceOfAnswer(a.By))
	case value != "rerun":
		body.Outcome, body.Set = m.answerOutcome(f, a, positive[value])
		m.judgeDecision(f, a, positive[value], body)
	}
	e := f.at(body)
	e.By, e.Reason = a.By, a.Note
	return e, err
}

// wasConversation reports whether the call that was cut off is a conversation in which tools may
// have been called.
func (m *Machine) wasConversation(f *frame) bool {
	a, _ := m.action(f)
	w, _ := a.Work.(plan.Model)
	return len(w.Tools) > 0 && f.open.heldEnd == nil
}

// retryConversation repeats a step whose conversation was cut off. This is a person's move like any other:
// one more attempt, which begins a new conversation.
func (m *Machine) retryConversation(a Answer) (Event, error) {
	if a.By == ByPerson {
		return m.Retry(a.Note)
	}
	e, err := m.Retry(cmp.Or(a.Note, PreparedBy(a.By)))
	e.Prepared = a.By
	return e, err
}

// PreparedBy returns the reason of an intervention that a flag or a file prepared.
func PreparedBy(by string) string { return "prepared by " + by }

// setFormOutcome sets the outcome of an ask whose fields are all answered at once.
func (m *Machine) setFormOutcome(body *InputGiven, q *Question, a Answer) error {
	if len(q.Fields) != len(a.Fields) {
		return fmt.Errorf("there are %d values, and the form has %d fields", len(a.Fields), len(q.Fields))
	}
	for i, field := range q.Fields {
		body.Set = append(body.Set, plan.Assignment{Name: field.Name, Value: a.Fields[i]})
	}
	body.Value = strings.Join(a.Fields, ", ")
	body.Outcome = &plan.Outcome{Result: plan.Passed, Source: m.sourceOfAnswer(a.By), Text: body.Value}
	return nil
}

// answerOutcome returns the outcome and the assignments that an answer gives. If an outcome is
// held, the answer accepts or rejects it.
func (m *Machine) answerOutcome(f *frame, a Answer, pass bool) (*plan.Outcome, []plan.Assignment) {
	o := plan.Outcome{Source: m.sourceOfAnswer(a.By), Reason: a.Note}
	var set []plan.Assignment
	if end := f.open.heldEnd; end != nil {
		o = *end.Outcome
		o.Source, o.Reason, set = m.sourceOfAnswer(a.By), cmp.Or(a.Note, o.Reason), amendedValues(end.Set, a.Set)
		if pass && end.Outcome.Source != notReady {
			o.Overridden, o.From = true, end.Outcome.Result
		}
	}
	o.Result = plan.Failed
	if pass {
		o.Result = plan.Passed
	}
	return &o, set
}

// judgeDecision sets the outcome of a person's decision, if the action's Judge knows what the
// decision means.
func (m *Machine) judgeDecision(f *frame, a Answer, pass bool, body *InputGiven) {
	action, _ := m.action(f)
	if d, ok := action.Judge.(plan.Decider); ok && f.open.heldEnd == nil {
		v := d.Decide(pass, a.Note, m.scope(f))
		v.Source = m.sourceOfAnswer(a.By)
		body.Outcome, body.Set, body.Notes = &v.Outcome, v.Assignments, v.Notes
	}
}

// unansweredOutcome returns the outcome of an ask that nobody is there to answer.
func (m *Machine) unansweredOutcome(f *frame) (*plan.Outcome, []plan.Note) {
	var names []string
	var notes []plan.Note
	a, _ := m.action(f)
	for _, field := range m.questionFields(a.Work.(plan.Ask)) {
		names = append(names, field.Name)
		notes = append(notes, plan.Note{Code: m.plan.Format + "/missing-value", Message: field.Name + " has no value"})
	}
	reason := "no value for " + strings.Join(names, ", ")
	return &plan.Outcome{Result: plan.Failed, Source: m.sourceOfAnswer(ByAuto), Reason: reason}, notes
}

// setFieldOutcome sets the outcome of an ask with one field. The answer is the outcome's text and
// the field's value, unless the action's Judge decides otherwise.
func (m *Machine) setFieldOutcome(f *frame, body *InputGiven, q *Question, source string) {
	o := plan.Outcome{Result: plan.Passed, Source: source, Text: body.Value}
	body.Set = []plan.Assignment{{Name: q.Field.Name, Value: body.Value}}
	if a, _ := m.action(f); a.Judge != nil {
		v := a.Judge.Judge(plan.Product{Text: body.Value}, m.scope(f))
		o, body.Set = v.Outcome, append(body.Set, v.Assignments...)
	}
	body.Outcome = &o
}

// sources maps whoever gave an answer to the source of the outcome.
var sources = map[string]string{ByPerson: "person", ByFlag: "answer", ByFile: "answer", ByAuto: "automatic"}

// sourceOfAnswer returns the source of an outcome, by whoever gave the answer.
func (m *Machine) sourceOfAnswer(by string) string { return m.source(sources[by]) }

// source returns an outcome's source in the vocabulary of the document's format.
func (m *Machine) source(name string) string { return cmp.Or(m.plan.Sources[name], name) }

// The words that formats use for pass and fail.
var (
	positive = map[string]bool{"pass": true, "yes": true, "ok": true}
	negative = map[string]bool{"fail": true, "no": true}
)

// Option returns the option of the question that a word means. It returns an error if there is
// none. A question without options accepts any text.
func (q *Question) Option(word string) (string, error) {
	if len(q.Options) == 0 || slices.Contains(q.Options, word) {
		return word, nil
	}
	for _, o := range q.Options {
		if positive[o] && positive[word] || negative[o] && negative[word] {
			return o, nil
		}
	}
	return "", fmt.Errorf("%q is not an answer here: use %s", word, OneOf(q.Options))
}

// OneOf lists options for a sentence: "yes or no". Options of several words are quoted.
func OneOf(options []string) string {
	if len(options) == 0 {
		return ""
	}
	words := slices.Clone(options)
	for i, o := range words {
		if strings.ContainsFunc(o, unicode.IsSpace) {
			words[i] = strconv.Quote(o)
		}
	}
	last := len(words) - 1
	return strings.TrimPrefix(strings.Join(words[:last], ", ")+" or "+words[last], " or ")
}
