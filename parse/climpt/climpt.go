// Package climpt has what both dialects of Climpt's registries share: JSON with places (json.go,
// value.go, fields.go), agent.json in both layouts (agent.go, parameter.go, tools.go, verdict.go),
// detection of the dialect (dialect.go), folders and files (flow.go, files.go), load options and
// diagnostics (climpt.go), and prompt files (prompt.go). Each dialect is a package below this one that turns a Flow into a Plan.
package climpt

import (
	"slices"
	"strings"

	"playhead/parse/plan"
)

// CodePrefix is the prefix of the codes of both dialects' diagnostics.
const CodePrefix = "climpt/"

// DiagnosticCollector collects the diagnostics of one load.
type DiagnosticCollector struct {
	diagnostics     []plan.Diagnostic
	countBySeverity map[plan.Severity]int
}

// maxPerSeverity limits the diagnostics of each severity, because a broken file can have an error in
// every line, and nobody reads so many.
const maxPerSeverity = 5000

// Error adds an error, which keeps a registry from running. The code has no prefix, here and in Warn and
// Info. suggestion may be "".
func (dc *DiagnosticCollector) Error(at Place, code, message, suggestion string) {
	dc.add(plan.Diagnostic{Severity: plan.Error, Pointer: at.Pointer(), Code: code, Message: message, Suggestion: suggestion}, at)
}

// Warn adds a warning about what is probably a mistake.
func (dc *DiagnosticCollector) Warn(at Place, code, message, suggestion string) {
	dc.add(plan.Diagnostic{Severity: plan.Warning, Pointer: at.Pointer(), Code: code, Message: message, Suggestion: suggestion}, at)
}

// Info adds an information that a person should have.
func (dc *DiagnosticCollector) Info(at Place, code, message, suggestion string) {
	dc.add(plan.Diagnostic{Severity: plan.Info, Pointer: at.Pointer(), Code: code, Message: message, Suggestion: suggestion}, at)
}

// add stores a diagnostic, completed with its place and the prefix of its code, unless there are too many
// of its severity already.
func (dc *DiagnosticCollector) add(d plan.Diagnostic, at Place) {
	if dc.countBySeverity == nil {
		dc.countBySeverity = map[plan.Severity]int{}
	}
	if dc.countBySeverity[d.Severity]++; dc.countBySeverity[d.Severity] > maxPerSeverity {
		return
	}
	d.File, d.Line, d.Column, d.Code = at.File, max(at.Line, 1), max(at.Column, 1), CodePrefix+d.Code
	dc.diagnostics = append(dc.diagnostics, d)
}

// Diagnostics returns the diagnostics so far, each once. For a file with broken JSON it returns only the
// problems of the JSON itself, because what seems to be missing may come after the error.
func (dc *DiagnosticCollector) Diagnostics() []plan.Diagnostic {
	broken := map[string]bool{}
	for _, d := range dc.diagnostics {
		broken[d.File] = broken[d.File] || d.Code == CodePrefix+"bad-json"
	}
	reported := make(map[plan.Diagnostic]bool, len(dc.diagnostics))
	out := slices.DeleteFunc(slices.Clone(dc.diagnostics), func(d plan.Diagnostic) bool {
		isConsequence := broken[d.File] && d.Code != CodePrefix+"bad-json" && d.Code != CodePrefix+"duplicate-key"
		isRepetition := reported[d]
		reported[d] = true
		return isConsequence || isRepetition
	})
	last := map[plan.Severity]int{}
	for i, d := range out {
		last[d.Severity] = i
	}
	for severity, i := range last {
		if more := dc.countBySeverity[severity] - maxPerSeverity; more > 0 {
			out[i].Message += " (" + plan.CountText(more, "more diagnostic") + " of this severity not shown)"
		}
	}
	return out
}

// Flags are the load options of both dialects (spec §1). They take precedence over agent.json.
var Flags = []plan.Flag{
	{Name: "entry", Help: "start at this STEP (Climpt)"},
	{Name: "verdict", Help: "use this verdict TYPE (count:iteration, detect:keyword …): it selects the first step and, if no step has a gate, decides when the run ends (Climpt)"},
	{Name: "verdict-config", Help: "the verdict's configuration, as JSON (Climpt)"},
	{Name: MaxIterationsFlag, Help: "end the run if it enters more than N steps in total, repeats included (Climpt)"},
	{Name: "model", Help: "the model to ask"},
	{Name: "input", Help: plan.InputFlagHelp, Kind: plan.RepeatableFlag},
	{Name: "custom", Help: "fill {NAME} in prompts: NAME=VALUE (repeatable) (Climpt)", Kind: plan.RepeatableFlag},
	{Name: "stdin", Help: "read the input text of prompts from FILE (-: standard input) (Climpt)", IsPath: true, StdinTextFlag: stdinTextOption},
	{Name: "system", Help: "take the system prompt from this FILE (Climpt)", IsPath: true},
	{Name: "root", Help: "the project root FOLDER; paths in a registry are relative to it (Climpt)", IsPath: true},
	{Name: "prompts", Help: "the FOLDER of prompt files (Climpt)", IsPath: true},
	{Name: "schemas", Help: "the FOLDER of schema files (Climpt)", IsPath: true},
	{Name: "validator-timeout", Help: "end a validator's command after this TIME, such as 90s; 0 means no limit (default 10m) (Climpt)"},
	{Name: "edition-fallback", Help: "if a step's prompt file is missing, use the file for the edition \"default\" (Climpt)", Kind: plan.SwitchFlag},
}

// MaxIterationsFlag is the name of the flag that limits how often a run may enter steps.
const MaxIterationsFlag = "max-iterations"

// stdinTextOption is the option with the text of standard input, if --stdin is "-".
const stdinTextOption = "stdin-text"

// Options are the values of Flags, by name without dashes.
type Options map[string][]string

// Get returns the last value of an option, or "".
func (o Options) Get(name string) string {
	if values := o[name]; len(values) > 0 {
		return values[len(values)-1]
	}
	return ""
}

// Has reports whether an option was given.
func (o Options) Has(name string) bool { return len(o[name]) > 0 }

// NameValue is a parsed NAME=VALUE.
type NameValue struct{ Name, Value string }

// NameValues returns the values of a repeatable option. The last value of a name counts.
func (o Options) NameValues(name string) []NameValue {
	var out []NameValue
	for _, text := range o[name] {
		key, value, _ := strings.Cut(text, "=")
		out = slices.DeleteFunc(out, func(p NameValue) bool { return p.Name == key })
		out = append(out, NameValue{key, value})
	}
	return out
}

// StdinText returns the input text of prompts from --stdin, and whether there is one. It reports a file
// that cannot be read.
func (f *Flow) StdinText() (text string, ok bool) {
	if f.Options.Has(stdinTextOption) {
		return f.Options.Get(stdinTextOption), true
	}
	name := f.Options.Get("stdin")
	if name == "" {
		return "", false
	}
	data, problem := f.Read(name, maxTextSize)
	if problem != nil {
		f.Error(Place{File: name}, "file-not-found", "the input text of --stdin cannot be read: "+problem.Message, "check the path")
		return "", false
	}
	return string(data), true
}
