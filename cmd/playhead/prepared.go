package main

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/scenario"
	"playhead/parse/infile"
	"playhead/parse/near"
	"playhead/parse/plan"
)

// prepared reads the answers that flags and files give.
func (o answerOptions) prepared() (*engine.Answers, error) {
	all := &engine.Answers{ByLabel: map[string][]engine.Prepared{}}
	if o.answersFile != "" {
		source, err := infile.Read(o.answersFile, infile.Given)
		if err != nil {
			return nil, usage("cannot read the answers: %w", err)
		}
		if *all, err = scenario.ReadAnswers(source, machine.ByFile); err != nil {
			return nil, usage("%s: %w", o.answersFile, err)
		}
	}
	flags, err := o.byLabel()
	if err != nil {
		return nil, err
	}
	if all.ByLabel == nil {
		all.ByLabel = flags
	}
	for label, items := range flags { // flags go before the file
		all.ByLabel[label] = items
	}
	queue, err := o.queue()
	all.Queue = append(all.Queue, queue...)
	return all, err
}

func (o answerOptions) byLabel() (map[string][]engine.Prepared, error) {
	out := map[string][]engine.Prepared{}
	for _, flag := range o.answers {
		label, value, found := strings.Cut(flag, "=")
		if !found || label == "" {
			return nil, usage("--answer %q is not LABEL=VALUE: write it like --answer 4=yes", flag)
		}
		item, _ := scenario.Item(value, machine.ByFlag) // whether it fits the document is known later
		out[label] = append(out[label], item)
	}
	return out, nil
}

// queue splits --decide at commas; quotes keep one together, for messages.
func (o answerOptions) queue() ([]engine.Prepared, error) {
	var out []engine.Prepared
	for _, flag := range o.decide {
		r := csv.NewReader(strings.NewReader(flag))
		r.LazyQuotes = true
		values, err := r.Read()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, usage("--decide %q cannot be read: %w", flag, err)
		}
		for _, value := range values {
			item, err := scenario.Item(value, machine.ByFlag)
			if err != nil {
				return nil, usage("--decide: %w", err)
			}
			out = append(out, item)
		}
	}
	return out, nil
}

// inputFlag is the flag that gives an input a value.
const inputFlag = "input"

// values are the inputs that flags and files give; those that the document does not
// have are refused.
func (o runOptions) values(p *plan.Plan) (map[string]any, error) {
	out, err := o.given()
	for name := range out {
		if err == nil && !p.Takes(name) {
			err = usage("%s has no input %q: %s", p.Path, name, near.Hint(name, inputNames(p)))
		}
	}
	return out, err
}

func inputNames(p *plan.Plan) []string {
	names := make([]string, len(p.Inputs))
	for i, in := range p.Inputs {
		names[i] = in.Name
	}
	return names
}

// given reads the inputs that flags and files give.
func (o runOptions) given() (map[string]any, error) {
	out, err := o.fromFile()
	if err != nil {
		return nil, err
	}
	flags, err := pairs(o.inputs)
	if err != nil {
		return nil, err
	}
	for name, value := range flags {
		out[name] = value
	}
	return out, nil
}

// fromFile reads the file of inputs. A scalar is the text that is written there, so
// that 1.10 stays a version; anything else is JSON.
func (o runOptions) fromFile() (map[string]any, error) {
	out := map[string]any{}
	if o.inputsFile == "" {
		return out, nil
	}
	source, err := infile.Read(o.inputsFile, infile.Given)
	if err != nil {
		return nil, usage("cannot read the inputs: %w", err)
	}
	var nodes map[string]yaml.Node
	if err := scenario.Read(source, &nodes); err != nil {
		return nil, usage("%s is no mapping of inputs to values: %w", o.inputsFile, scenario.Shape(err))
	}
	for name, n := range nodes {
		value, err := valueOf(&n)
		if err != nil {
			return nil, usage("%s: %s: %w", o.inputsFile, name, err)
		}
		if value != nil { // null is no value
			out[name] = value
		}
	}
	return out, nil
}

func valueOf(n *yaml.Node) (any, error) {
	var value any
	err := n.Decode(&value)
	if n.Kind != yaml.ScalarNode || value == nil || err != nil {
		return value, err
	}
	if yes, boolean := value.(bool); boolean {
		return strconv.FormatBool(yes), nil
	}
	return n.Value, nil
}

// pairs reads flags of the form NAME=VALUE.
func pairs(flags []string) (map[string]string, error) {
	out := map[string]string{}
	for _, flag := range flags {
		name, value, found := strings.Cut(flag, "=")
		if !found || name == "" {
			return nil, usage("--input %q is not NAME=VALUE: write it like --input version=1.2", flag)
		}
		out[name] = value
	}
	return out, nil
}
