package control

import (
	"encoding/json"
	"fmt"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// aliases are the names under which programs know actions, where those are not their own.
var aliases = map[string]string{"retry": "again", "goto": "jump", "reply": "answer", "report": "answer"}

// Resolve returns the action that a program means by a name, or nil.
func Resolve(name string) *Action {
	if own := aliases[name]; own != "" {
		name = own
	}
	return Find(name)
}

// ReadNamed reads the arguments of an action as a program gives them under a name of it, as Read
// does. A reply and a report answer only where one is asked for; a report is an object with the
// fields that the question has.
func (a *Action) ReadNamed(r Run, name string, data json.RawMessage) (Args, error) {
	if name != "reply" && name != "report" {
		return a.Read(r, data)
	}
	q := r.Status.Question
	var given struct {
		Text   *string
		Report map[string]json.RawMessage
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return Args{}, fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case q == nil || q.Kind != machine.KindReply:
		return Args{}, fmt.Errorf("the run does not wait for a %s", name)
	case name == "reply" && given.Text != nil:
		return Args{Answer: &machine.Answer{Value: *given.Text, By: machine.ByPerson}}, nil
	case name == "reply":
		return Args{}, fmt.Errorf(`a reply needs its "text"`)
	case len(q.Fields) == 0:
		return Args{}, fmt.Errorf("the step takes no report: reply with a text")
	}
	fields, err := reportFields(q.Fields, given.Report)
	return Args{Answer: &machine.Answer{Fields: fields, By: machine.ByPerson}}, err
}

// reportFields are the answers to the fields of a report. Those that are not there are left empty.
func reportFields(fields []plan.Field, given map[string]json.RawMessage) ([]string, error) {
	out, known := make([]string, len(fields)), 0
	for i, f := range fields {
		value, has := given[f.Name]
		if !has {
			continue
		}
		known++
		var text string
		if f.Type == "value" || json.Unmarshal(value, &text) != nil {
			text = string(value)
		}
		out[i] = text
	}
	if known == len(given) {
		return out, nil
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return nil, fmt.Errorf("the report has fields that are not asked for; asked for are %q", names)
}
