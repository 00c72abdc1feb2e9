package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// Kind says what a parameter accepts.
type Kind int

// The kinds of parameters.
const (
	Step        Kind = iota // a label, in quotes if it contains blanks
	Event                   // a sequence number
	Word                    // one of the parameter's options
	Result                  // pass or fail
	Assignment              // NAME=VALUE
	Breakpoint              // in the syntax of engine.ParseBreakpoint
	Source                  // the name of a reply source
	Clause                  // the number of a clause of the step, from 1
	BeforeAfter             // before or after
	OtherStep               // a second step: the rest of the line
	NewStep                 // the ID of a step of the changed document: the rest of the line
	Text                    // the rest of the line
	Reason                  // an optional reason: the rest of the line
)

// A Param is one parameter of an action.
type Param struct {
	Kind     Kind
	Name     string // as help shows it; empty: the name of its kind
	Options  []string
	Optional bool
}

var (
	reason  = Param{Kind: Reason, Optional: true}
	message = Param{Kind: Text, Name: "MESSAGE", Optional: true}
	sides   = Param{Kind: BeforeAfter}
)

// kindNames are the names that help shows for parameters without one.
var kindNames = map[Kind]string{
	Step: "STEP", Event: "EVENT", Result: "pass|fail", Assignment: "NAME=VALUE", Breakpoint: "STEP[:after][ if …]", Source: "NAME", NewStep: "STEP", BeforeAfter: "before|after", OtherStep: "STEP", Clause: "N", Text: "TEXT", Reason: "REASON",
}

// String returns the parameter as help shows it.
func (p Param) String() string {
	name := p.Name
	if name == "" {
		name = kindNames[p.Kind]
	}
	if p.Optional {
		return "[" + name + "]"
	}
	return name
}

// Usage returns the action's parameters as help shows them.
func (a *Action) Usage() string {
	words := make([]string, len(a.Params))
	for i, p := range a.Params {
		words[i] = p.String()
	}
	return strings.Join(words, " ")
}

// Parse reads the arguments of the action from one line.
func (a *Action) Parse(r Run, line string) (Args, error) {
	var args Args
	rest := strings.TrimSpace(line)
	for _, p := range a.Params {
		if rest == "" && p.Optional {
			continue
		}
		if rest == "" {
			return args, fmt.Errorf("%s needs %s: %s %s", a.Name, p, a.Name, a.Usage())
		}
		var err error
		if rest, err = p.read(r, rest, &args); err != nil {
			return args, err
		}
	}
	if rest != "" {
		return args, fmt.Errorf("%s does not take %q", a.Name, rest)
	}
	if step := r.Step(args); step != nil {
		args.Action = max(0, step.Editable())
	}
	return args, nil
}

// read reads the parameter's part of a line into args and returns the rest of the line.
func (p Param) read(r Run, line string, args *Args) (rest string, err error) {
	word, after, _ := strings.Cut(line, " ")
	after = strings.TrimSpace(after)
	switch p.Kind {
	case Step:
		args.Step, rest, err = r.ReadStep(line, p.Optional)
		return rest, err
	case Event:
		args.Event, err = r.Event(word)
		return after, err
	case Result:
		if args.Result = plan.Result(word); args.Result != plan.Passed && args.Result != plan.Failed {
			return after, fmt.Errorf("%q is neither pass nor fail", word)
		}
		return after, nil
	case Clause:
		args.Clause, err = strconv.Atoi(word)
		if args.Clause--; err != nil || args.Clause < 0 {
			return after, fmt.Errorf("%q is not the number of a rule of the step", word)
		}
		return after, nil
	case Word:
		if !slices.Contains(p.Options, word) {
			return after, fmt.Errorf("%q is not one of %s", word, strings.Join(p.Options, ", "))
		}
		args.Text = word
		return after, nil
	case Assignment:
		args.Name, args.Text, err = assignment(line)
		return "", err
	case Breakpoint:
		args.Break, err = r.breakpoint(line)
		return "", err
	case Reason:
		args.Reason = line
	case BeforeAfter:
		if args.After = word == "after"; !args.After && word != "before" {
			return after, fmt.Errorf("%q is neither before nor after", word)
		}
		return after, nil
	case OtherStep:
		other, err := r.findStep(engine.UnquoteStep(line))
		if err != nil {
			return "", err
		}
		args.Target = other.Step.ID
	case NewStep:
		args.Target = engine.UnquoteStep(line)
	default:
		args.Text = line
	}
	return "", nil
}

// ReadStep reads the step with which a line begins and returns the rest of the line. Labels may
// contain blanks: a quoted label counts as it is, else the longest matching one. If the step is
// optional and the line begins with none, the whole line is returned.
func (r Run) ReadStep(line string, optional bool) (row *track.Row, rest string, err error) {
	name, rest, quoted := engine.CutQuotedStep(line)
	if quoted {
		row, err = r.findStep(name)
		return row, strings.TrimSpace(rest), err
	}
	for end := len(line); end > 0; end = strings.LastIndexByte(line[:end], ' ') {
		if row := r.Row(strings.TrimSpace(line[:end])); row != nil && row.Step != nil {
			return row, strings.TrimSpace(line[end:]), nil
		}
	}
	if optional {
		return nil, line, nil
	}
	name, rest, _ = strings.Cut(line, " ")
	row, err = r.findStep(name)
	return row, rest, err
}

// findStep returns the row of a step by its label. The error suggests a similar label.
func (r Run) findStep(name string) (*track.Row, error) {
	if row := r.Row(name); row != nil && row.Step != nil {
		return row, nil
	}
	return nil, fmt.Errorf("there is no step %q: %s", name, near.Hint(name, r.Labels()))
}

// Labels returns the labels of all steps, including an instance that is about to begin.
func (r Run) Labels() []string {
	var out []string
	var walk func([]*track.Row)
	walk = func(rows []*track.Row) {
		for _, row := range r.Upcoming.InsertInto(rows) {
			if !row.Hidden && row.Step != nil {
				out = append(out, row.Label)
			}
			walk(row.Children)
		}
	}
	walk(r.Track.Rows)
	return out
}

// Event parses the sequence number of an event. It returns an error if the run has no such event.
func (r Run) Event(word string) (int, error) {
	seq, err := strconv.Atoi(word)
	if err != nil || r.eventIndex(seq) < 0 {
		return 0, fmt.Errorf("%q is not an event of this run", word)
	}
	return seq, nil
}

func assignment(text string) (name, value string, err error) {
	name, value, found := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !found || name == "" {
		return "", "", errors.New("write NAME=VALUE, such as version=1.2")
	}
	return name, strings.TrimSpace(value), nil
}

// breakpoint reads a breakpoint. It returns an error for one that the run can never reach.
func (r Run) breakpoint(text string) (engine.Breakpoint, error) {
	if row := r.Row(engine.UnquoteStep(text)); row != nil {
		text = engine.QuoteStep(row.BreakName())
	}
	b, err := engine.ParseBreakpoint(text)
	if err != nil {
		return b, err
	}
	return b, engine.NamesOf(r.Plan, r.Track.Variables()...).Check(b)
}

// aliases are other names by which programs refer to actions.
var aliases = map[string]string{"retry": "rerun", "goto": "jump", "reply": "answer", "report": "answer"}

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
		return Args{}, errors.New("a report must be a JSON object")
	default:
		answer.Report = string(given.Report)
	}
	return Args{Answer: &answer}, nil
}
