package control

import (
	"cmp"
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

// ParamKind says what a parameter accepts.
type ParamKind int

// The kinds of parameters.
const (
	StepParam        ParamKind = iota // a label, in quotes if it contains blanks
	EventParam                        // a sequence number
	ChoiceParam                       // one of the parameter's options
	ResultParam                       // pass or fail
	AssignmentParam                   // NAME=VALUE
	BreakpointParam                   // in the syntax of engine.ParseBreakpoint
	ReplySourceParam                  // the name of a reply source
	RuleParam                         // the number of a rule of the step, from 1
	BeforeAfterParam                  // before or after
	OtherStepParam                    // a second step: the rest of the line
	NewStepParam                      // the ID of a step of the changed document: the rest of the line
	TextParam                         // the rest of the line
	NoteParam                         // an optional note: the rest of the line
)

// A Param is one parameter of an action.
type Param struct {
	Kind       ParamKind
	HelpName   string // as help shows it; empty: the name of its kind
	Options    []string
	IsOptional bool
}

var (
	optionalNoteParam    = Param{Kind: NoteParam, IsOptional: true}
	optionalMessageParam = Param{Kind: TextParam, HelpName: "MESSAGE", IsOptional: true}
	beforeAfterParam     = Param{Kind: BeforeAfterParam}
)

// helpNameByKind are the names that help shows for parameters without one.
var helpNameByKind = map[ParamKind]string{
	StepParam: "STEP", EventParam: "EVENT", ResultParam: "pass|fail", AssignmentParam: "NAME=VALUE", BreakpointParam: "STEP[:after|:fail][ …]", ReplySourceParam: "NAME", NewStepParam: "STEP", BeforeAfterParam: "before|after", OtherStepParam: "STEP", RuleParam: "N", TextParam: "TEXT", NoteParam: "NOTE",
}

// String returns the parameter as help shows it.
func (p Param) String() string {
	name := cmp.Or(p.HelpName, helpNameByKind[p.Kind])
	if p.IsOptional {
		return "[" + name + "]"
	}
	return name
}

// ParamsUsage returns the action's parameters as help shows them.
func (a *Action) ParamsUsage() string {
	words := make([]string, len(a.Params))
	for i, p := range a.Params {
		words[i] = p.String()
	}
	return strings.Join(words, " ")
}

// ParseLine reads the arguments of the action from one line.
func (a *Action) ParseLine(r RunView, line string) (Args, error) {
	var args Args
	rest := strings.TrimSpace(line)
	for _, p := range a.Params {
		if rest == "" && p.IsOptional {
			continue
		}
		if rest == "" {
			return args, fmt.Errorf("%s needs %s: the form is %s %s", a.Name, p, a.Name, a.ParamsUsage())
		}
		var err error
		if rest, err = p.readFromLine(r, rest, &args); err != nil {
			return args, err
		}
	}
	if rest != "" {
		return args, fmt.Errorf("%s does not take %q", a.Name, rest)
	}
	if step := r.ArgumentRow(args); step != nil {
		args.ActionIndex = max(0, step.EditableActionIndex())
	}
	return args, nil
}

// readFromLine reads the parameter's part of a line into args and returns the rest of the line.
func (p Param) readFromLine(r RunView, line string, args *Args) (rest string, err error) {
	word, after, _ := strings.Cut(line, " ")
	after = strings.TrimSpace(after)
	switch p.Kind {
	case StepParam:
		args.Row, rest, err = r.CutStep(line, p.IsOptional)
		return rest, err
	case EventParam:
		args.EventSeq, err = r.ParseEventSeq(word)
		return after, err
	case ResultParam:
		if args.Result = plan.Result(word); args.Result != plan.Passed && args.Result != plan.Failed {
			return after, fmt.Errorf("%q is neither pass nor fail", word)
		}
		return after, nil
	case RuleParam:
		args.RuleIndex, err = strconv.Atoi(word)
		if args.RuleIndex--; err != nil || args.RuleIndex < 0 {
			return after, fmt.Errorf("%q is not the number of a rule of the step", word)
		}
		return after, nil
	case ChoiceParam:
		if !slices.Contains(p.Options, word) {
			return after, fmt.Errorf("%q is not a valid choice: it must be %s", word, machine.AlternativesText(p.Options))
		}
		args.Text = word
		return after, nil
	case AssignmentParam:
		args.Name, args.Text, err = parseAssignment(line)
		return "", err
	case BreakpointParam:
		args.Breakpoint, err = r.parseBreakpoint(line)
		return "", err
	case NoteParam:
		args.Note = line
	case BeforeAfterParam:
		if args.IsAfterStep = word == "after"; !args.IsAfterStep && word != "before" {
			return after, fmt.Errorf("%q is not a valid choice: write \"before\" or \"after\"", word)
		}
		return after, nil
	case OtherStepParam:
		other, err := r.findStep(engine.UnquoteStep(line))
		if err != nil {
			return "", err
		}
		args.TargetID = other.Step.ID
	case NewStepParam:
		args.TargetID = engine.UnquoteStep(line)
	default:
		args.Text = line
	}
	return "", nil
}

// CutStep reads the step with which a line begins and returns the rest of the line. Labels may
// contain blanks: a quoted label counts as it is, else the longest matching one. If the step is
// optional and the line begins with none, the whole line is returned.
func (r RunView) CutStep(line string, optional bool) (row *track.Row, rest string, err error) {
	name, rest, quoted := engine.CutQuotedStep(line)
	if quoted {
		row, err = r.findStep(name)
		return row, strings.TrimSpace(rest), err
	}
	for end := len(line); end > 0; end = strings.LastIndexByte(line[:end], ' ') {
		if row := r.RowByLabel(strings.TrimSpace(line[:end])); row != nil && row.Step != nil {
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
func (r RunView) findStep(name string) (*track.Row, error) {
	if row := r.RowByLabel(name); row != nil && row.Step != nil {
		return row, nil
	}
	return nil, fmt.Errorf("there is no step %q: %s", name, near.Suggestion(name, r.StepLabels()))
}

// StepLabels returns the labels of all steps, including an instance that is about to begin.
func (r RunView) StepLabels() []string {
	var out []string
	var walk func([]*track.Row)
	walk = func(rows []*track.Row) {
		for _, row := range r.Upcoming.InsertInto(rows) {
			if !row.IsHidden && row.Step != nil {
				out = append(out, row.Label)
			}
			walk(row.Children)
		}
	}
	walk(r.Track.Rows)
	return out
}

// ParseEventSeq parses the sequence number of an event. It returns an error if the run has no such event.
func (r RunView) ParseEventSeq(word string) (int, error) {
	seq, err := strconv.Atoi(word)
	if err != nil || r.eventIndex(seq) < 0 {
		return 0, fmt.Errorf("%q is not the number of an event of this run", word)
	}
	return seq, nil
}

func parseAssignment(text string) (name, value string, err error) {
	name, value, found := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !found || name == "" {
		return "", "", errors.New("write NAME=VALUE, such as version=1.2")
	}
	return name, strings.TrimSpace(value), nil
}

// parseBreakpoint reads a breakpoint to set or clear. It returns an error for one that the run can never reach.
func (r RunView) parseBreakpoint(text string) (engine.Breakpoint, error) {
	if row := r.RowByLabel(engine.UnquoteStep(text)); row != nil {
		text = engine.QuoteStep(row.BreakpointName())
	}
	b, err := engine.ParseBreakpoint(text)
	if err != nil {
		return b, err
	}
	if b.ClauseText() == "" && slices.ContainsFunc(r.Breakpoints, func(other engine.Breakpoint) bool { return other.Step == b.Step }) {
		return b, nil // it clears one, whose step may be gone or "any"
	}
	return b, engine.StepAndVariableNamesOf(r.Plan, r.Track.VariableNames()...).CheckBreakpoint(b)
}

// parseListedBreakpoint reads a breakpoint from a list that replaces all. One that the run has already stays as it is
// apart from being on or off, because the text does not say that it was given by a flag or has no step.
func (r RunView) parseListedBreakpoint(text string) (engine.Breakpoint, error) {
	b, err := engine.ParseBreakpoint(text)
	if err != nil {
		return b, err
	}
	for _, known := range r.Breakpoints {
		if known.IsDisabled = b.IsDisabled; known.String() == b.String() {
			return known, nil
		}
	}
	return r.parseBreakpoint(text)
}

// actionNameByAlias are other names by which programs refer to actions.
var actionNameByAlias = map[string]string{"retry": "rerun", "goto": "jump", "reply": "answer", "report": "answer"}

// FindActionByAlias returns the action that a program means by a name, nil if there is none.
func FindActionByAlias(name string) *Action {
	return FindAction(cmp.Or(actionNameByAlias[name], name))
}

// ReadArgumentsByName is like ReadArguments for the name that a program used. The names reply and report
// are refused unless the open question asks for a reply or a report.
func (a *Action) ReadArgumentsByName(r RunView, name string, data json.RawMessage) (Args, error) {
	if name != "reply" && name != "report" {
		return a.ReadArguments(r, data)
	}
	q := r.Status.Question
	var arguments struct {
		Text   *string         `json:"text"`
		Report json.RawMessage `json:"report"`
	}
	if err := json.Unmarshal(data, &arguments); err != nil {
		return Args{}, fmt.Errorf("%s: %w", name, err)
	}
	answer := machine.Answer{By: machine.ByPerson}
	switch {
	case q == nil || q.Kind != machine.KindReply:
		return Args{}, fmt.Errorf("the run is not waiting for a %s", name)
	case name == "reply" && arguments.Text == nil:
		return Args{}, errors.New(`a reply needs "text"`)
	case name == "reply":
		answer.Value = *arguments.Text
	case len(arguments.Report) == 0 || arguments.Report[0] != '{':
		return Args{}, errors.New("a report must be a JSON object")
	default:
		answer.ReportJSON = string(arguments.Report)
	}
	return Args{Answer: &answer}, nil
}
