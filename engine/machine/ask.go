package machine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"playhead/parse/plan"
)

// askPerson returns a question once it is recorded; before that, the event that records it.
func (m *Machine) askPerson(f *documentFrame, q *Question) Next {
	if f.openAction.inputRequested {
		return Next{Question: q}
	}
	body := &InputNeeded{ActionIndex: q.Action.ActionIndex, Kind: q.Kind, Prompt: q.Prompt, Text: m.stepText(f), Options: q.Options}
	if q.Kind == KindAsk {
		body.FieldType = q.Field.Type
		body.Warnings = plan.RenderForDisplay(q.Field.Prompt, m.scope(f)).Warnings
		for _, field := range q.Fields {
			body.MissingNames = append(body.MissingNames, field.Name)
		}
	}
	return nextEvent(f.newEvent(body))
}

func (m *Machine) newQuestion(f *documentFrame, a plan.Action, kind string) *Question {
	q := &Question{Action: m.actionRef(f), Kind: kind, Prompt: m.questionTitle(f), Options: []string{"pass", "fail"}}
	switch w := a.Work.(type) {
	case plan.Decide:
		q.ShownBlock, q.IfUnattended = w.ShownBlock, w.Unattended
		if w.UsesYesNo {
			q.Options = []string{"yes", "no"}
		}
		if m.options.Prompted {
			q.IfUnattended = plan.WaitUnattended
		}
	case plan.Ask:
		wanting := m.fieldsToAsk(w)
		if w.OnlyMissingFields {
			q.Fields = m.renderedFields(f, wanting)
		}
		field := wanting[0]
		q.Field, q.IfUnattended, q.Options = &field, w.Unattended, field.Options
		q.Prompt = m.render(field.Prompt, f)
		if field.Type == "confirm" {
			q.Options = []string{"yes", "no"}
		}
	default:
		q.ReplacesExecution = true
		if d, ok := a.Judge.(plan.Describer); ok { // a step can have several validators
			if names := d.Describe().Validators; len(names) > 0 {
				q.Prompt += ": " + strings.Join(names, ", ")
				q.ShownBlock = m.manualCommand(f, w)
			}
		}
	}
	return q
}

// manualCommand returns the command that a person runs by hand, nil if the work is not a command.
func (m *Machine) manualCommand(f *documentFrame, w plan.Work) *plan.VerbatimBlock {
	c, ok := w.(plan.Command)
	if !ok {
		return nil
	}
	return &plan.VerbatimBlock{Language: c.Language, Text: m.render(c.Text, f)}
}

// questionTitle returns one line that names what a person decides on.
func (m *Machine) questionTitle(f *documentFrame) string {
	return cmp.Or(f.currentNode.step.TitleIn(m.scope(f)), f.currentNode.step.ID)
}

// askResumption asks what to do with an action that was cut off, or with an outcome that a person has
// to accept.
func (m *Machine) askResumption(f *documentFrame) Next {
	q := &Question{
		Action: m.actionRef(f), Kind: KindResume, Prompt: fmt.Sprintf("%q was interrupted", m.questionTitle(f)),
		Options: []string{"rerun", "pass", "fail"},
	}
	w := m.currentModel(f)
	q.ManualReplyForm, q.MayHaveActed = m.newManualReplyForm(f, w), len(w.Tools) > 0
	switch end := f.openAction.heldEnd; {
	case end == nil:
	case end.Outcome.Source == outcomeSourceNotReady:
		q.Prompt, q.IfUnattended = end.Outcome.Reason, plan.FailUnattended
	default:
		q.Kind, q.Prompt, q.Options = KindAcceptOutcome, end.Outcome.Reason, []string{"pass", "fail"}
		q.IfUnattended = plan.FailUnattended
	}
	return m.askPerson(f, q)
}

// ErrNoQuestion refuses an answer that nobody asked for.
var ErrNoQuestion = errors.New("there is no open question")

// AnswerEvent returns the event with which an answer settles the open question. It returns an error if the
// answer does not fit the question.
func (m *Machine) AnswerEvent(a Answer) (Event, error) {
	q := m.Next().Question
	if q == nil {
		return Event{}, ErrNoQuestion
	}
	if q.Kind == KindApproveCall && a.CallResult != nil {
		a.Value = allowCall
	}
	value, err := q.MatchingOption(a.Value)
	if err != nil {
		return Event{}, err
	}
	f := m.topFrame()
	if value == "rerun" && m.wasToolConversation(f) {
		return m.retryConversationEvent(a)
	}
	replacesCutOff := q.Kind == KindResume && f.openAction.heldEnd == nil && passWords[value]
	if replacesCutOff && a.By != ByPerson {
		a.Note = cmp.Or(a.Note, PreparedNote(a.By))
	}
	body := &InputGiven{ActionIndex: m.currentActionIndex(f), Kind: q.Kind, Value: value}
	switch {
	case q.Kind == KindApproveCall:
		err = m.completeApproval(f, a, body)
	case q.Field != nil && a.By == ByAuto && q.IfUnattended == plan.FailUnattended:
		body.Outcome, body.Warnings = m.unansweredOutcome(f)
	case len(a.Fields) > 0:
		err = m.setFormOutcome(body, q, a)
	case q.Field != nil:
		m.setFieldOutcome(f, body, q, m.outcomeSourceOfAnswer(a.By))
	case value != "rerun":
		body.Outcome, body.Assignments = m.answerOutcome(f, a, passWords[value])
		m.judgeAnswer(f, a, passWords[value], body)
		body.Outcome.Overridden = body.Outcome.Overridden || replacesCutOff
	}
	e := f.newEvent(body)
	e.By, e.Note = a.By, a.Note
	return e, err
}

// wasToolConversation reports whether the call that was cut off is a conversation in which tools may
// have been called.
func (m *Machine) wasToolConversation(f *documentFrame) bool {
	return len(m.currentModel(f).Tools) > 0 && f.openAction.heldEnd == nil
}

// retryConversationEvent returns the event that runs a step again whose conversation was cut off. It is a person's
// move like any other: one more attempt, which begins a new conversation.
func (m *Machine) retryConversationEvent(a Answer) (Event, error) {
	if a.By == ByPerson {
		return m.RetryEvent(a.Note)
	}
	e, err := m.RetryEvent(cmp.Or(a.Note, PreparedNote(a.By)))
	e.PreparedBy = a.By
	return e, err
}

// PreparedNote returns the note of an intervention that a flag or a file prepared.
func PreparedNote(by string) string { return "prepared by a " + by }

// IsPreparedNote reports whether a note is a PreparedNote.
func IsPreparedNote(note string) bool {
	return note == PreparedNote(ByFlag) || note == PreparedNote(ByFile)
}

// PersonNote returns a note if a person wrote it, "" for a PreparedNote.
func PersonNote(note string) string {
	if IsPreparedNote(note) {
		return ""
	}
	return note
}

// setFormOutcome sets the outcome of an ask whose fields are all answered at once.
func (m *Machine) setFormOutcome(body *InputGiven, q *Question, a Answer) error {
	if len(q.Fields) != len(a.Fields) {
		return fmt.Errorf("the form has %s, but the answer has %s", plan.CountText(len(q.Fields), "field"), plan.CountText(len(a.Fields), "value"))
	}
	for i, field := range q.Fields {
		body.Assignments = append(body.Assignments, plan.Assignment{Name: field.Name, Value: a.Fields[i]})
	}
	body.Value = strings.Join(a.Fields, ", ")
	body.Outcome = &plan.Outcome{Result: plan.Passed, Source: m.outcomeSourceOfAnswer(a.By), Text: body.Value}
	return nil
}

// answerOutcome returns the outcome and the assignments that an answer gives. If an outcome is
// held, the answer accepts or rejects it.
func (m *Machine) answerOutcome(f *documentFrame, a Answer, pass bool) (*plan.Outcome, []plan.Assignment) {
	o := plan.Outcome{Source: m.outcomeSourceOfAnswer(a.By), Reason: a.Note}
	var set []plan.Assignment
	if end := f.openAction.heldEnd; end != nil {
		o = *end.Outcome
		o.Source, o.Reason, set = m.outcomeSourceOfAnswer(a.By), cmp.Or(a.Note, o.Reason), lastAssignments(end.Assignments, a.Assignments)
		if pass && end.Outcome.Source != outcomeSourceNotReady {
			o.Overridden, o.OriginalResult = true, end.Outcome.Result
		}
	}
	o.Result = plan.Failed
	if pass {
		o.Result = plan.Passed
	}
	return &o, set
}

// judgeAnswer sets the outcome of a person's decision, if the action's Judge knows what the
// decision means.
func (m *Machine) judgeAnswer(f *documentFrame, a Answer, pass bool, body *InputGiven) {
	action, _ := m.currentAction(f)
	if d, ok := action.Judge.(plan.PersonJudge); ok && f.openAction.heldEnd == nil {
		v := d.Decide(pass, a.Note, m.scope(f))
		v.Source = m.outcomeSourceOfAnswer(a.By)
		body.Outcome, body.Assignments, body.Warnings = &v.Outcome, v.Assignments, v.Warnings
	}
}

// unansweredOutcome returns the outcome of an ask that nobody is there to answer.
func (m *Machine) unansweredOutcome(f *documentFrame) (*plan.Outcome, []plan.RunWarning) {
	var names []string
	var warnings []plan.RunWarning
	a, _ := m.currentAction(f)
	for _, field := range m.fieldsToAsk(a.Work.(plan.Ask)) {
		names = append(names, field.Name)
		warnings = append(warnings, plan.RunWarning{Code: m.plan.WarningCode("missing-value"), Message: field.Name + " has no value"})
	}
	reason := "no value for " + strings.Join(names, ", ")
	return &plan.Outcome{Result: plan.Failed, Source: m.outcomeSourceOfAnswer(ByAuto), Reason: reason}, warnings
}

// setFieldOutcome sets the outcome of an ask with one field. The answer is the outcome's text and
// the field's value, unless the action's Judge decides otherwise.
func (m *Machine) setFieldOutcome(f *documentFrame, body *InputGiven, q *Question, source string) {
	o := plan.Outcome{Result: plan.Passed, Source: source, Text: body.Value}
	body.Assignments = []plan.Assignment{{Name: q.Field.Name, Value: body.Value}}
	if a, _ := m.currentAction(f); a.Judge != nil {
		v := a.Judge.Judge(plan.Product{Text: body.Value}, m.scope(f))
		o, body.Assignments = v.Outcome, append(body.Assignments, v.Assignments...)
	}
	body.Outcome = &o
}

// outcomeSourceByAnswerer maps whoever gave an answer to the source of the outcome.
var outcomeSourceByAnswerer = map[string]string{ByPerson: "person", ByFlag: "answer", ByFile: "answer", ByAuto: "automatic"}

// outcomeSourceOfAnswer returns the source of an outcome, by whoever gave the answer.
func (m *Machine) outcomeSourceOfAnswer(by string) string {
	return m.sourceInFormatTerms(outcomeSourceByAnswerer[by])
}

// sourceInFormatTerms returns an outcome's source in the vocabulary of the document's format.
func (m *Machine) sourceInFormatTerms(name string) string {
	return cmp.Or(m.plan.OutcomeSourceNames[name], name)
}

// The words that formats use for pass and fail.
var (
	passWords = map[string]bool{"pass": true, "yes": true, "ok": true}
	failWords = map[string]bool{"fail": true, "no": true}
)

// MatchingOption returns the option of the question that a word means. It returns an error if there is
// none. A question without options accepts any text.
func (q *Question) MatchingOption(word string) (string, error) {
	if len(q.Options) == 0 || slices.Contains(q.Options, word) {
		return word, nil
	}
	for _, o := range q.Options {
		if passWords[o] && passWords[word] || failWords[o] && failWords[word] {
			return o, nil
		}
	}
	return "", fmt.Errorf("%q is not an answer here: use %s", word, AlternativesText(q.Options))
}

// AlternativesText lists alternatives for a sentence: "yes or no". Those of several words are quoted.
func AlternativesText(alternatives []string) string {
	if len(alternatives) == 0 {
		return ""
	}
	words := slices.Clone(alternatives)
	for i, a := range words {
		if strings.ContainsFunc(a, unicode.IsSpace) {
			words[i] = strconv.Quote(a)
		}
	}
	last := len(words) - 1
	return strings.TrimPrefix(strings.Join(words[:last], ", ")+" or "+words[last], " or ")
}
