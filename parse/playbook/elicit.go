package playbook

import (
	"fmt"
	"regexp"
	"strings"

	"playhead/parse/plan"
)

// elicit is an @elicit: a question to the person (spec §5).
type elicit struct {
	at      place
	kind    string // input, confirm, select
	text    string
	textAt  place
	options []string
}

const quoted = `"((?:[^"\\]|\\.)*)"`

var (
	elicitKind = regexp.MustCompile(`^\s*([^,]*?)\s*(?:,|$)`)
	elicitArgs = regexp.MustCompile(`^(?:\s*` + quoted + `\s*(?:,|$))*$`)
	elicitText = regexp.MustCompile(quoted)
)

// readElicit reads the arguments of an @elicit. A question of an unknown type is
// left out; one whose arguments cannot be read is still asked, since a person was
// meant to be.
func (d *document) readElicit(p *part, inner string, at place) {
	m := elicitKind.FindStringSubmatchIndex(inner)
	e := &elicit{at: at, kind: inner[m[2]:m[3]], textAt: at}
	if e.kind != "input" && e.kind != "confirm" && e.kind != "select" {
		d.add(at, finding{"elicit-type", fmt.Sprintf("%q is no type of question: this one is left out", e.kind), "use input, confirm or select"})
		return
	}
	e.arguments(inner[m[1]:], m[1])
	if problem := e.problem(inner[m[1]:]); problem != "" {
		d.add(at, finding{"elicit-arguments", problem, fmt.Sprintf("write it like: %s", elicitExamples[e.kind])})
	}
	if e.text == "" {
		e.text = p.title
	}
	if e.kind == "select" && len(e.options) == 0 {
		e.kind = "input"
	}
	if p.elicit != nil {
		d.repeated("elicit", p.elicit.at, at)
	}
	p.elicit = e
}

var elicitExamples = map[string]string{
	"input":   `@elicit(input, "question")`,
	"confirm": `@elicit(confirm, "question")`,
	"select":  `@elicit(select, "question", "one", "two")`,
}

// arguments takes the quoted texts: the question, then the options.
func (e *elicit) arguments(rest string, offset int) {
	if !elicitArgs.MatchString(rest) {
		return
	}
	for i, m := range elicitText.FindAllStringSubmatchIndex(rest, -1) {
		text := strings.ReplaceAll(rest[m[2]:m[3]], `\"`, `"`)
		switch {
		case i == 0:
			e.text, e.textAt = text, place{e.at.line, e.at.at + offset + m[2]}
		case e.kind == "select":
			e.options = append(e.options, text)
		}
	}
}

// problem says what is wrong with the arguments.
func (e *elicit) problem(rest string) string {
	switch {
	case !elicitArgs.MatchString(rest):
		return "the arguments are no texts in double quotes: the step's title is asked instead"
	case strings.TrimSpace(e.text) == "":
		return "there is no question: the step's title is asked instead"
	case e.kind == "select" && len(e.options) == 0:
		return "a select without options asks for any text"
	case e.kind == "select" && len(e.options) < 2:
		return "a select has at least two options"
	}
	return ""
}

// answerName is the variable that every answer of a step is stored as.
func answerName(number int) string { return fmt.Sprintf("__elicit_step_%d", number) }

// lower is the question as an action. Beside a tool, whose result is the step's
// output, the answer is only stored.
func (e *elicit) lower(p *part, at plan.Span) plan.Action {
	name := answerName(p.number)
	a := plan.Action{Span: at, Work: plan.Ask{Fields: []plan.Field{{
		Name: name, Type: e.kind, Prompt: parseTemplate(e.text), Options: e.options,
	}}}}
	if p.tool != nil {
		a.Judge = kept{name}
	}
	return a
}
