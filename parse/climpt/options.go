package climpt

import (
	"slices"
	"strings"

	"playhead/parse/plan"
)

// Flags are the load options of both dialects (spec §1). A flag wins over what
// agent.json says.
var Flags = []plan.Flag{
	{Name: "entry", Help: "start at this STEP"},
	{Name: "verdict", Help: "the verdict TYPE, which chooses the entry: count:iteration, poll:state …"},
	{Name: "verdict-config", Help: "the verdict's configuration, as JSON"},
	{Name: MaxIterations, Help: "end the run as failed after N visits to steps"},
	{Name: "model", Help: "the model to ask"},
	{Name: "input", Help: "give an input a value: NAME=VALUE (repeatable)", Kind: plan.Many},
	{Name: "custom", Help: "fill {NAME} in prompts: NAME=VALUE (repeatable)", Kind: plan.Many},
	{Name: "stdin", Help: "take the input text of prompts from a FILE, or from standard input: -", Path: true, Stdin: stdinText},
	{Name: "system", Help: "take the system prompt from this FILE", Path: true},
	{Name: "root", Help: "the project's FOLDER, which paths in a registry start from", Path: true},
	{Name: "prompts", Help: "the FOLDER of prompt files", Path: true},
	{Name: "schemas", Help: "the FOLDER of schema files", Path: true},
	{Name: "validator-timeout", Help: "end a validator's command after this TIME, as 90s; 0 is never (default 10m)"},
	{Name: "edition-fallback", Help: "take a prompt of the edition default where its own is missing", Kind: plan.Switch},
}

// MaxIterations is the flag that says how many executions of steps a run may take.
const MaxIterations = "max-iterations"

// stdinText is the option that holds the text which --stdin - has read.
const stdinText = "stdin-text"

// Options are what was said with Flags, by name without dashes.
type Options map[string][]string

// Get is the value of an option, "" if it was not given.
func (o Options) Get(name string) string {
	if values := o[name]; len(values) > 0 {
		return values[len(values)-1]
	}
	return ""
}

// Has reports whether an option was given.
func (o Options) Has(name string) bool { return len(o[name]) > 0 }

// Pair is a NAME=VALUE.
type Pair struct{ Name, Value string }

// Pairs are the values of a repeatable option, each name once with its last value.
func (o Options) Pairs(name string) []Pair {
	var out []Pair
	for _, text := range o[name] {
		key, value, _ := strings.Cut(text, "=")
		out = slices.DeleteFunc(out, func(p Pair) bool { return p.Name == key })
		out = append(out, Pair{key, value})
	}
	return out
}

// Stdin is the input text of prompts; false if there is none.
func (f *Flow) Stdin() (text string, ok bool) {
	if f.Options.Has(stdinText) {
		return f.Options.Get(stdinText), true
	}
	name := f.Options.Get("stdin")
	if name == "" {
		return "", false
	}
	data, err := f.Read(name, maxText)
	if err != nil {
		f.Error(Place{File: name}, "file-not-found", "the input text of --stdin cannot be read: "+missing(err), "check the path")
		return "", false
	}
	return string(data), true
}
