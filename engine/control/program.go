package control

import (
	"encoding/json"
	"errors"
	"fmt"

	"playhead/engine/machine"
)

// aliases are other names by which programs refer to actions.
var aliases = map[string]string{"retry": "again", "goto": "jump", "reply": "answer", "report": "answer"}

// Resolve returns the action that a program means by a name, nil if there is none.
func Resolve(name string) *Action {
	if own := aliases[name]; own != "" {
		name = own
	}
	return Find(name)
}

// ReadNamed is like Read for the name that a program used. The names reply and report are refused
// unless the open question asks for a reply or a report.
func (a *Action) ReadNamed(r Run, name string, data json.RawMessage) (Args, error) {
	if name != "reply" && name != "report" {
		return a.Read(r, data)
	}
	q := r.Status.Question
	var given struct {
		Text   *string         `json:"text"`
		Report json.RawMessage `json:"report"`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return Args{}, fmt.Errorf("%s: %w", name, err)
	}
	answer := machine.Answer{By: machine.ByPerson}
	switch {
	case q == nil || q.Kind != machine.KindReply:
		return Args{}, fmt.Errorf("the run does not wait for a %s", name)
	case name == "reply" && given.Text == nil:
		return Args{}, errors.New(`a reply needs its "text"`)
	case name == "reply":
		answer.Value = *given.Text
	case len(given.Report) == 0 || given.Report[0] != '{':
		return Args{}, errors.New("a report is an object")
	default:
		answer.Report = string(given.Report)
	}
	return Args{Answer: &answer}, nil
}
