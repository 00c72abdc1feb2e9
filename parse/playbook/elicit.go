package playbook

import (
	"fmt"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// elicit is an @elicit: a question to the person (spec §5).
type elicit struct {
	place        place
	questionKind string // input, confirm, select
	questionText string
	textPlace    place
	options      []string
}

// readElicitDirective reads the arguments of an @elicit. A question of an unknown type is left out. A question whose
// arguments cannot be read is still asked, with the step's title, because the document wants to ask a person.
func (d *document) readElicitDirective(p *stepPart, inner string, at place) {
	c := cursor{text: inner}
	c.skipBlanks()
	e := &elicit{place: at, questionKind: strings.ToLower(c.readWord()), textPlace: at}
	if elicitExamples[e.questionKind] == "" {
		kind, _, _ := strings.Cut(inner, ",")
		d.add(at, finding{"elicit-type", fmt.Sprintf("%q is not a type of question, so nobody is asked", strings.TrimSpace(kind)), "use input, confirm or select: " + elicitExamples["confirm"]})
		return
	}
	c.skipBlanks()
	ok := c.isAtEnd() || c.skipText(",") && e.readArguments(inner[c.offset:], at.Offset+c.offset)
	if problem := e.argumentProblem(ok); problem != "" {
		d.add(at, finding{"elicit-arguments", problem, fmt.Sprintf("write it like: %s", elicitExamples[e.questionKind])})
	}
	if source.IsBlank(e.questionText) {
		e.questionText = p.title
	}
	if e.questionKind == "select" && len(e.options) == 0 {
		e.questionKind = "input"
	}
	if p.elicit != nil {
		d.warnRepeatedDirective("elicit", p.elicit.place, at)
	}
	p.elicit = e
}

var elicitExamples = map[string]string{
	"input":   `@elicit(input, "question")`,
	"confirm": `@elicit(confirm, "question")`,
	"select":  `@elicit(select, "question", "one", "two")`,
}

// readArguments reads the quoted texts: the question, then the options. offset is where rest begins in the line. It
// returns false, and stores no texts, if there is anything else.
func (e *elicit) readArguments(rest string, offset int) bool {
	c := cursor{text: rest}
	var texts []string
	for c.skipBlanks(); c.offset < len(rest); c.skipBlanks() {
		from := c.offset + 1
		text, ok := c.readEscapedQuoted()
		if ok = ok && (c.isAtEnd() || c.skipText(",")); !ok {
			return false
		}
		if texts = append(texts, text); len(texts) == 1 {
			e.textPlace = place{e.place.Line, offset + from}
		}
	}
	if len(texts) > 0 {
		e.questionText = texts[0]
	}
	if e.questionKind == "select" && len(texts) > 1 {
		e.options = texts[1:]
	}
	return true
}

// argumentProblem returns what is wrong with the arguments, "" if nothing is. isReadable is what readArguments returned.
func (e *elicit) argumentProblem(isReadable bool) string {
	switch {
	case !isReadable:
		return "the arguments are not strings in double quotes, so the step's title is used as the question"
	case source.IsBlank(e.questionText):
		return "there is no question, so the step's title is used instead"
	case e.questionKind == "select" && len(e.options) == 0:
		return "a select without options accepts any text"
	case e.questionKind == "select" && len(e.options) < 2:
		return "a select needs at least two options"
	}
	return ""
}

// answerVariableName returns the variable in which the answers of a step are stored.
func answerVariableName(number int) string { return fmt.Sprintf("__elicit_step_%d", number) }

// toAction converts the question to an action. Beside a tool, whose result is the step's output, the
// answer is only stored.
func (e *elicit) toAction(p *stepPart, at plan.Span) plan.Action {
	name := answerVariableName(p.stepNumber)
	a := plan.Action{Span: at, Work: plan.Ask{Fields: []plan.Field{{
		Name: name, Type: e.questionKind, Prompt: parseTemplate(e.questionText), Options: e.options,
	}}}}
	if p.tool != nil {
		a.Judge = answerJudge{name}
	}
	return a
}
