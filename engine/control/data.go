package control

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// JSONArguments are the arguments of an action as JSON values, by the keys of its parameters and the
// keys that only programs use (Action.ArgumentKeys).
type JSONArguments map[string]json.RawMessage

// RemoteSession is a Session in another process, which carries out actions there.
type RemoteSession interface {
	Perform(action string, args JSONArguments) error
}

// argumentKeys returns the keys of a parameter's arguments.
func (p Param) argumentKeys() []string {
	switch {
	case p.Kind == AssignmentParam:
		return []string{"name", "value"}
	case p.Kind == ChoiceParam:
		return []string{"option"}
	case p.Kind == TextParam && p.HelpName != "":
		return []string{strings.ToLower(p.HelpName)}
	}
	return []string{map[ParamKind]string{
		StepParam: "step", EventParam: "event", ResultParam: "result", BreakpointParam: "breakpoint", ReplySourceParam: "source", TextParam: "text", NoteParam: "reason",
		RuleParam: "clause", NewStepParam: "target", OtherStepParam: "other", BeforeAfterParam: "side",
	}[p.Kind]}
}

// ArgumentKeys returns all keys that the action's arguments can have.
func (a *Action) ArgumentKeys() (keys []string) {
	for _, p := range a.Params {
		keys = append(keys, p.argumentKeys()...)
	}
	return append(keys, a.ProgramOnlyKeys...)
}

// ReadArguments reads the arguments of the action from JSON: an object, or a string as ParseLine reads it. The
// error says which argument is missing or invalid.
func (a *Action) ReadArguments(r RunView, data json.RawMessage) (Args, error) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || string(data) == "null" {
		return a.ParseLine(r, "")
	}
	if data[0] == '"' {
		var line string
		if err := json.Unmarshal(data, &line); err != nil {
			return Args{}, err
		}
		return a.ParseLine(r, line)
	}
	var object JSONArguments
	if err := json.Unmarshal(data, &object); err != nil {
		return Args{}, fmt.Errorf("the arguments must be a JSON object or a string: %w", err)
	}
	return a.readObject(r, object)
}

// readObject reads the arguments from an object.
func (a *Action) readObject(r RunView, object JSONArguments) (args Args, err error) {
	keys := a.ArgumentKeys()
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(keys, key) {
			return args, fmt.Errorf("%s has no argument %q (it takes: %s)", a.Name, key, cmp.Or(strings.Join(keys, ", "), "none"))
		}
	}
	for _, p := range a.Params {
		if err := p.readArgument(r, object, &args); err != nil {
			return args, fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	if step := r.ArgumentRow(args); step != nil {
		args.ActionIndex = max(0, step.EditableActionIndex())
	}
	return args, a.readProgramOnlyArguments(r, object, &args)
}

// readArgument reads the parameter's part of the arguments.
func (p Param) readArgument(r RunView, object JSONArguments, args *Args) error {
	text, err := object.textOf(p.argumentKeys()[0])
	if err != nil {
		return err
	}
	switch {
	case p.Kind == AssignmentParam:
		args.Name = text
		if args.Text, err = object.textOf("value"); err == nil && args.Name == "" && object["change"] == nil {
			err = errors.New(`the argument "name" is missing`)
		}
		return err
	case text == "" && p.IsOptional:
		return nil
	case text == "" && p.Kind == TextParam: // an answer may be empty, but it must be given
		if object[p.argumentKeys()[0]] == nil && object["fields"] == nil {
			return fmt.Errorf("the argument %q is missing", p.argumentKeys()[0])
		}
		return nil
	case text == "" && object["all"] == nil:
		return fmt.Errorf("the argument %q is missing", p.argumentKeys()[0])
	case text == "":
		return nil
	case p.Kind == StepParam:
		args.Row, err = r.findStep(text)
		return err
	case p.Kind == TextParam:
		args.Text = text
		return nil
	case p.Kind == NoteParam:
		args.Note = text
		return nil
	}
	_, err = p.readFromLine(r, text, args)
	return err
}

// textOf returns an argument that is a string, or a number as it is written.
func (j JSONArguments) textOf(key string) (string, error) {
	data := j[key]
	if len(data) == 0 || string(data) == "null" {
		return "", nil
	}
	if data[0] == '{' || data[0] == '[' {
		return "", fmt.Errorf("the argument %q must be a string or a number", key)
	}
	if data[0] != '"' {
		return string(data), nil
	}
	var text string
	err := json.Unmarshal(data, &text)
	return text, err
}

// readProgramOnlyArguments reads the arguments that a line cannot give.
func (a *Action) readProgramOnlyArguments(r RunView, object JSONArguments, args *Args) error {
	for _, key := range a.ProgramOnlyKeys {
		if object[key] == nil {
			continue
		}
		var to any
		var fields, breaks []string
		switch key {
		case "fields":
			to = &fields
		case "values":
			to = &args.Assignments
		case "reason":
			to = &args.Note
		case "action":
			to = &args.ActionIndex
		case "change":
			to = &args.WhatIfChange
		case "all":
			to = &breaks
		}
		if err := json.Unmarshal(object[key], to); err != nil {
			return fmt.Errorf("%s: %s: %w", a.Name, key, err)
		}
		switch key {
		case "action":
			if step := r.ArgumentRow(*args); step != nil && (args.ActionIndex < 0 || args.ActionIndex >= len(step.Step.Actions)) {
				return fmt.Errorf("%s: step %s has no action %d", a.Name, step.Label, args.ActionIndex)
			}
		case "fields":
			args.Answer = &machine.Answer{Fields: fields, By: machine.ByPerson, Note: args.Note, Assignments: args.Assignments}
		case "all":
			args.Breakpoints = []engine.Breakpoint{}
			for _, text := range breaks {
				b, err := r.parseListedBreakpoint(text)
				if err != nil {
					return err
				}
				args.Breakpoints = append(args.Breakpoints, b)
			}
		}
	}
	return nil
}

// EncodeArguments returns arguments of the action as JSON values. ReadArguments reads them back.
func (a *Action) EncodeArguments(args Args) JSONArguments {
	out := JSONArguments{}
	for _, p := range a.Params {
		switch key := p.argumentKeys()[0]; p.Kind {
		case StepParam:
			if args.Row != nil {
				out.set(key, args.Row.Label)
			}
		case EventParam:
			out.set(key, args.EventSeq)
		case ResultParam:
			out.set(key, args.Result)
		case AssignmentParam:
			out.set("name", args.Name)
			out.set("value", args.Text)
		case RuleParam:
			out.set(key, args.RuleIndex+1)
		case BeforeAfterParam:
			out.set(key, map[bool]string{false: "before", true: "after"}[args.IsAfterStep])
		case NewStepParam, OtherStepParam:
			if args.TargetID != "" {
				out.set(key, args.TargetID)
			}
		case BreakpointParam:
			if args.Breakpoints == nil {
				out.set(key, args.Breakpoint.String())
			}
		case NoteParam:
			out.set(key, args.Note)
		default:
			out.set(key, args.Text)
		}
	}
	a.encodeProgramOnlyArguments(out, args)
	return out
}

func (a *Action) encodeProgramOnlyArguments(out JSONArguments, args Args) {
	if answer := args.Answer; answer != nil {
		out.set("value", answer.Value)
		args.Note, args.Assignments = answer.Note, answer.Assignments
		if answer.Fields != nil {
			delete(out, "value")
			out.set("fields", answer.Fields)
		}
	}
	for _, key := range a.ProgramOnlyKeys {
		switch {
		case key == "reason" && args.Note != "":
			out.set(key, args.Note)
		case key == "values" && len(args.Assignments) > 0:
			out.set(key, args.Assignments)
		case key == "action":
			out.set(key, args.ActionIndex)
		case key == "change" && args.WhatIfChange != machine.WhatIfChange{}:
			out.set(key, args.WhatIfChange)
		case key == "all" && args.Breakpoints != nil:
			texts := make([]string, len(args.Breakpoints))
			for i, b := range args.Breakpoints {
				texts[i] = b.String()
			}
			out.set(key, texts)
		}
	}
}

// JSON returns the arguments as a JSON object.
func (j JSONArguments) JSON() (json.RawMessage, error) {
	return json.Marshal(map[string]json.RawMessage(j))
}

// set sets an argument. The values of arguments can always be encoded.
func (j JSONArguments) set(key string, value any) { j[key], _ = json.Marshal(value) }

// AlwaysUnavailableReason returns why the action cannot be done now with any arguments, "" if it can be
// done with some.
func (a *Action) AlwaysUnavailableReason(r RunView) Sentence {
	candidates := []Args{{}}
	for _, p := range a.Params {
		switch {
		case p.Kind == ResultParam:
			candidates = []Args{{Result: plan.Passed}, {Result: plan.Failed}}
		case p.Kind == StepParam && !p.IsOptional:
			candidates = candidates[:0]
			for _, label := range r.StepLabels() {
				candidates = append(candidates, Args{Row: r.RowByLabel(label)})
			}
		}
	}
	why := Sentence(NoStepsReason)
	for _, args := range candidates {
		if why = a.UnavailableReason(r, args); why == "" {
			break
		}
	}
	return why
}
