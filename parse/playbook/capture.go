package playbook

import (
	"cmp"
	"encoding/json"
	"fmt"

	"playhead/parse/objects"
	"playhead/parse/plan"
)

// capture is the Judge behind an @output (spec §5): it stores what the step came
// to, and always passes. What does not fit is a warning, and kept as it is.
type capture struct {
	Variable string
	Type     string // "" where none is written
	Options  []string
	Extract  string
	Shadows  bool // an input has the name and wins: nothing is stored
}

func (o *output) capture() capture {
	return capture{Variable: o.name, Type: o.kind, Options: o.options, Extract: o.extract, Shadows: o.shadows}
}

// Describe implements plan.Described.
func (c capture) Describe() plan.Description {
	return plan.Description{Kind: "capture", Variable: c.Variable, Type: c.Type, Options: c.Options, Extract: c.Extract}
}

// Sets implements plan.Setter.
func (c capture) Sets() []string { return []string{c.Variable} }

// Judge implements plan.Judge. The step's outcome stays as it was.
func (c capture) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: scope.Outcome()}
	v.Result, v.Text, v.Data = plan.Passed, p.Text, p.Data
	switch {
	case c.Shadows:
		v.Notes = []plan.Note{c.note("output-shadows-input", "an input has this name and takes precedence: nothing is stored")}
		return v
	case scope.Outcome().Result == "":
		v.Notes = []plan.Note{c.note("output-missing", "the step has no output: nothing is stored")}
		return v
	}
	value, unfit, extracted := any(p.Text), "", false
	if c.Extract != "" {
		if value, extracted = c.field(p.Text); !extracted {
			unfit = fmt.Sprintf("no JSON object in the reply has %q", c.Extract)
			v.Notes = append(v.Notes, c.note("output-extract", unfit+": the whole reply is stored"))
		}
	}
	value, problem := coerce(c.Type, c.Options, value)
	if problem != "" {
		v.Notes = append(v.Notes, c.note("output-"+problemOf[c.Type], problem))
	}
	v.Assignments = []plan.Assignment{{Name: c.Variable, Value: value, Unfit: cmp.Or(unfit, problem)}}
	return v
}

// problemOf names the note of a value that does not fit its type.
var problemOf = map[string]string{"": "enum", "enum": "enum", "number": "type", "boolean": "type", "json": "type"}

func (c capture) note(code, message string) plan.Note {
	return plan.Note{Code: Format + "/" + code, Message: fmt.Sprintf("@output(%s): %s", c.Variable, message)}
}

// field is the value of the field to extract, or the whole text.
func (c capture) field(text string) (value any, found bool) {
	_, raw, found := objects.LastWith(text, c.Extract)
	if !found || json.Unmarshal([]byte(raw), &value) != nil {
		return text, false
	}
	return value, true
}

// answerJudge is the Judge of a question beside a tool call (spec §5): the answer is
// stored, and the step's output stays what the tool returned.
type answerJudge struct{ Variable string }

// Sets implements plan.Setter.
func (k answerJudge) Sets() []string { return []string{k.Variable} }

// Judge implements plan.Judge.
func (k answerJudge) Judge(p plan.Product, scope plan.Scope) plan.Verdict {
	v := plan.Verdict{Outcome: scope.Outcome(), Assignments: []plan.Assignment{{Name: k.Variable, Value: p.Text}}}
	v.Result, v.Source = plan.Passed, "answer"
	return v
}
