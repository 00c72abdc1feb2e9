package control

import (
	"bytes"
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

// Arguments are the arguments of an action as JSON values, by the keys of its parameters and the
// keys that only programs use (Action.Keys).
type Arguments map[string]json.RawMessage

// Remote is a Session in another process, which carries out actions there.
type Remote interface {
	Perform(action string, args Arguments) error
}

// Keys returns the keys of a parameter's arguments.
func (p Param) Keys() []string {
	switch {
	case p.Kind == Assignment:
		return []string{"name", "value"}
	case p.Kind == Word:
		return []string{"option"}
	case p.Kind == Text && p.Name != "":
		return []string{strings.ToLower(p.Name)}
	}
	return []string{map[Kind]string{
		Step: "step", Event: "event", Result: "result", Breakpoint: "breakpoint", Source: "source", Text: "text", Reason: "reason",
		Clause: "clause", NewStep: "target", OtherStep: "other", BeforeAfter: "side",
	}[p.Kind]}
}

// Keys returns all keys that the action's arguments can have.
func (a *Action) Keys() (keys []string) {
	for _, p := range a.Params {
		keys = append(keys, p.Keys()...)
	}
	return append(keys, a.Details...)
}

// Read reads the arguments of the action from JSON: an object, or a string as Parse reads it. The
// error says which argument is missing or invalid.
func (a *Action) Read(r Run, data json.RawMessage) (Args, error) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || string(data) == "null" {
		return a.Parse(r, "")
	}
	if data[0] == '"' {
		var line string
		if err := json.Unmarshal(data, &line); err != nil {
			return Args{}, err
		}
		return a.Parse(r, line)
	}
	var given Arguments
	if err := json.Unmarshal(data, &given); err != nil {
		return Args{}, fmt.Errorf("arguments must be an object or a string: %w", err)
	}
	return a.readObject(r, given)
}

// readObject reads the arguments from an object.
func (a *Action) readObject(r Run, given Arguments) (args Args, err error) {
	keys := a.Keys()
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(keys, key) {
			return args, fmt.Errorf("%s has no argument %q: %s", a.Name, key, strings.Join(keys, ", "))
		}
	}
	for _, p := range a.Params {
		if err := p.readData(r, given, &args); err != nil {
			return args, fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	if step := r.Step(args); step != nil {
		args.Action = max(0, step.Editable())
	}
	return args, a.readDetails(r, given, &args)
}

// readData reads the parameter's part of the arguments.
func (p Param) readData(r Run, given Arguments, args *Args) error {
	text, err := given.text(p.Keys()[0])
	if err != nil {
		return err
	}
	switch {
	case p.Kind == Assignment:
		args.Name = text
		if args.Text, err = given.text("value"); err == nil && args.Name == "" && given["change"] == nil {
			err = errors.New("it needs a name and a value")
		}
		return err
	case text == "" && p.Optional:
		return nil
	case text == "" && p.Kind == Text: // an answer may be empty, but it must be given
		if given[p.Keys()[0]] == nil && given["fields"] == nil {
			return fmt.Errorf("it needs %s", p.Keys()[0])
		}
		return nil
	case text == "" && given["all"] == nil:
		return fmt.Errorf("it needs %s", p.Keys()[0])
	case text == "":
		return nil
	case p.Kind == Step:
		args.Step, err = r.findStep(text)
		return err
	case p.Kind == Text:
		args.Text = text
		return nil
	case p.Kind == Reason:
		args.Reason = text
		return nil
	}
	_, err = p.read(r, text, args)
	return err
}

// text returns an argument that is a string, or a number as it is written.
func (g Arguments) text(key string) (string, error) {
	data := g[key]
	if len(data) == 0 || string(data) == "null" {
		return "", nil
	}
	if data[0] == '{' || data[0] == '[' {
		return "", fmt.Errorf("%s must be text or a number", key)
	}
	if data[0] != '"' {
		return string(data), nil
	}
	var text string
	err := json.Unmarshal(data, &text)
	return text, err
}

// readDetails reads the arguments that a line cannot give.
func (a *Action) readDetails(r Run, given Arguments, args *Args) error {
	for _, key := range a.Details {
		if given[key] == nil {
			continue
		}
		var to any
		var fields, breaks []string
		switch key {
		case "fields":
			to = &fields
		case "values":
			to = &args.Values
		case "reason":
			to = &args.Reason
		case "action":
			to = &args.Action
		case "change":
			to = &args.Change
		case "all":
			to = &breaks
		}
		if err := json.Unmarshal(given[key], to); err != nil {
			return fmt.Errorf("%s: %s: %w", a.Name, key, err)
		}
		switch key {
		case "action":
			if step := r.Step(*args); step != nil && (args.Action < 0 || args.Action >= len(step.Step.Actions)) {
				return fmt.Errorf("%s: step %s has no action %d", a.Name, step.Label, args.Action)
			}
		case "fields":
			args.Answer = &machine.Answer{Fields: fields, By: machine.ByPerson, Note: args.Reason, Set: args.Values}
		case "all":
			args.Breaks = []engine.Breakpoint{}
			for _, text := range breaks {
				b, err := r.breakpoint(text)
				if err != nil {
					return err
				}
				args.Breaks = append(args.Breaks, b)
			}
		}
	}
	return nil
}

// Data returns arguments of the action as JSON values. Read reads them back.
func (a *Action) Data(args Args) Arguments {
	out := Arguments{}
	for _, p := range a.Params {
		switch key := p.Keys()[0]; p.Kind {
		case Step:
			if args.Step != nil {
				out.put(key, args.Step.Label)
			}
		case Event:
			out.put(key, args.Event)
		case Result:
			out.put(key, args.Result)
		case Assignment:
			out.put("name", args.Name)
			out.put("value", args.Text)
		case Clause:
			out.put(key, args.Clause+1)
		case BeforeAfter:
			out.put(key, map[bool]string{false: "before", true: "after"}[args.After])
		case NewStep, OtherStep:
			if args.Target != "" {
				out.put(key, args.Target)
			}
		case Breakpoint:
			if args.Breaks == nil {
				out.put(key, args.Break.String())
			}
		case Reason:
			out.put(key, args.Reason)
		default:
			out.put(key, args.Text)
		}
	}
	a.putDetails(out, args)
	return out
}

func (a *Action) putDetails(out Arguments, args Args) {
	if answer := args.Answer; answer != nil {
		out.put("value", answer.Value)
		args.Reason, args.Values = answer.Note, answer.Set
		if answer.Fields != nil {
			delete(out, "value")
			out.put("fields", answer.Fields)
		}
	}
	for _, key := range a.Details {
		switch {
		case key == "reason" && args.Reason != "":
			out.put(key, args.Reason)
		case key == "values" && len(args.Values) > 0:
			out.put(key, args.Values)
		case key == "action":
			out.put(key, args.Action)
		case key == "change" && args.Change != machine.Change{}:
			out.put(key, args.Change)
		case key == "all" && args.Breaks != nil:
			texts := make([]string, len(args.Breaks))
			for i, b := range args.Breaks {
				texts[i] = b.String()
			}
			out.put(key, texts)
		}
	}
}

// JSON returns the arguments as a JSON object.
func (g Arguments) JSON() (json.RawMessage, error) {
	return json.Marshal(map[string]json.RawMessage(g))
}

// put sets an argument. The values of arguments can always be encoded.
func (g Arguments) put(key string, value any) { g[key], _ = json.Marshal(value) }

// UnavailableAlways returns why the action cannot be done now with any arguments, "" if it can be
// done with some.
func (a *Action) UnavailableAlways(r Run) Sentence {
	candidates := []Args{{}}
	for _, p := range a.Params {
		switch {
		case p.Kind == Result:
			candidates = []Args{{Result: plan.Passed}, {Result: plan.Failed}}
		case p.Kind == Step && !p.Optional:
			candidates = candidates[:0]
			for _, label := range r.Labels() {
				candidates = append(candidates, Args{Step: r.Row(label)})
			}
		}
	}
	why := Sentence("This document has no steps.")
	for _, args := range candidates {
		if why = a.Unavailable(r, args); why == "" {
			break
		}
	}
	return why
}
