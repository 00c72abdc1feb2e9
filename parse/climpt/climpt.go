// Package climpt is what both dialects of Climpt's registries share: reading JSON
// with places (json.go, value.go, fields.go), agent.json in both layouts (agent.go),
// telling the dialects apart (dialect.go), the folders that count and the files that
// were read (flow.go, tree.go), load options (options.go) and prompt files
// (prompt.go). A dialect is a package below this one: it takes a Flow and makes a
// Plan of it.
package climpt

import (
	"fmt"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// Code is the prefix of the codes of both dialects' diagnostics.
const Code = "climpt/"

// Report collects the diagnostics of one loading.
type Report struct {
	diagnostics []plan.Diagnostic
	count       map[plan.Severity]int
}

// maxFound is how many diagnostics of each severity are kept: nobody reads more of them, and a
// file can be made of errors.
const maxFound = 5000

// Error reports what keeps a registry from running. The code has no prefix.
func (r *Report) Error(at Place, code, message, suggestion string) {
	r.add(plan.Diagnostic{Severity: plan.Error, Pointer: at.Pointer(), Code: code, Message: message, Suggestion: suggestion}, at)
}

// Warn reports what is probably not meant so.
func (r *Report) Warn(at Place, code, message, suggestion string) {
	r.add(plan.Diagnostic{Severity: plan.Warning, Pointer: at.Pointer(), Code: code, Message: message, Suggestion: suggestion}, at)
}

// Info reports what a person should know.
func (r *Report) Info(at Place, code, message, suggestion string) {
	r.add(plan.Diagnostic{Severity: plan.Info, Pointer: at.Pointer(), Code: code, Message: message, Suggestion: suggestion}, at)
}

// add puts a diagnostic at its place.
func (r *Report) add(d plan.Diagnostic, at Place) {
	if r.count == nil {
		r.count = map[plan.Severity]int{}
	}
	if r.count[d.Severity]++; r.count[d.Severity] > maxFound {
		return
	}
	d.File, d.Line, d.Column, d.Code = at.File, max(at.Line, 1), max(at.Column, 1), Code+d.Code
	r.diagnostics = append(r.diagnostics, d)
}

// Diagnostics are those so far, each once. Of a file whose JSON is broken that alone is
// said: what it lacks may stand behind the place.
func (r *Report) Diagnostics() []plan.Diagnostic {
	broken := map[string]bool{}
	for _, d := range r.diagnostics {
		broken[d.File] = broken[d.File] || d.Code == Code+"bad-json"
	}
	reported := make(map[plan.Diagnostic]bool, len(r.diagnostics))
	out := slices.DeleteFunc(slices.Clone(r.diagnostics), func(d plan.Diagnostic) bool {
		follows := broken[d.File] && d.Code != Code+"bad-json" && d.Code != Code+"duplicate-key"
		repeated := reported[d]
		reported[d] = true
		return follows || repeated
	})
	last := map[plan.Severity]int{}
	for i, d := range out {
		last[d.Severity] = i
	}
	for severity, i := range last {
		if more := r.count[severity] - maxFound; more > 0 {
			out[i].Message += fmt.Sprintf(" (and %d more of this severity)", more)
		}
	}
	return out
}

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
