package parse

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"playhead/parse/climpt"
	"playhead/parse/plan"
	"playhead/parse/playbook"
	"playhead/parse/rundown"
	"playhead/parse/workflow"
)

// format is a row of the table of formats: all that this package knows of one.
type format struct {
	name    string // as in --format, Plan.Format and codes of diagnostics
	title   string // as in Plan.Kind and messages
	limit   int64  // bytes
	hasName func(name string) bool
	claim   func(name string, file []byte) claim
	sign    string // how its text marks a step; "" if it is not Markdown
	parse   func(l *loader, file []byte) *plan.Plan
	flags   []plan.Flag // the options that only some formats have

	// own turns a diagnostic of this package into one of the format; absent means that the file does
	// not exist. nil leaves it unchanged.
	own func(d *plan.Diagnostic, absent bool)

	// steps returns the text of a document with a change of its steps; nil: the order of steps in
	// the file has no meaning.
	steps func(p *plan.Plan, e plan.StepEdit) (string, error)
}

// claim says how strongly a format recognises a file. The strongest claim wins; other claims of at
// least reads are reported.
type claim int

const (
	never    claim = iota
	explains       // only if nobody else claims it: the format can say what is missing
	reads          // the text has its form
	matches        // its text passes the format's test
	named          // its name has the suffix of the format
	keyword        // it contains words that only this format uses
)

var formats = []format{
	{"rundown", "Rundown", rundown.MaxSize, rundown.HasName, claimRundown, "## 1. Title", (*loader).rundown, nil, nil, rundown.EditSteps},
	{"playbook", "Playbook", playbook.MaxSize, playbook.HasName, claimPlaybook, "# Title and ## STEP 1: Title", (*loader).playbook, nil, nil, playbook.EditSteps},
	{"workflow", "Workflow", workflow.MaxSize, noName, claimWorkflow, "### 🔧 WORKFLOW STEP: Title", (*loader).workflow, workflow.Flags, workflow.Complete, workflow.EditSteps},
	{string(climpt.Registry), "Climpt registry", climpt.MaxSize, isJSON, claimClimpt, "", (*loader).climpt, climpt.Flags, ownClimpt, nil},
	{string(climpt.Stepflow), "Climpt step flow", climpt.MaxSize, noName, noClaim, "", (*loader).climpt, climpt.Flags, ownClimpt, nil}, // the row above claims files for both dialects
}

// HasFormatName reports whether a file is named like the documents of a format.
func HasFormatName(name string) bool {
	return slices.ContainsFunc(formats, func(f format) bool { return f.hasName(name) })
}

// Formats returns the names that Options.Format accepts.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Flags returns the options that only some formats have.
func Flags() []plan.Flag {
	var out []plan.Flag
	for _, f := range formats {
		for _, flag := range f.flags {
			if !slices.ContainsFunc(out, func(other plan.Flag) bool { return other.Name == flag.Name }) {
				out = append(out, flag)
			}
		}
	}
	return out
}

// FlagsOf returns the options of a format, by its name.
func FlagsOf(name string) []plan.Flag {
	if f := byFormat(name); f != nil {
		return f.flags
	}
	return nil
}

// Having returns the names of the formats that have an option.
func Having(flag string) []string {
	var names []string
	for _, f := range formats {
		if slices.ContainsFunc(f.flags, func(own plan.Flag) bool { return own.Name == flag }) {
			names = append(names, f.name)
		}
	}
	return names
}

func (l *loader) rundown(file []byte) *plan.Plan {
	f := l.finder()
	return rundown.Parse(l.name, file, rundown.Options{ID: f.self, Find: f.find})
}

func (l *loader) playbook(file []byte) *plan.Plan {
	return playbook.Parse(l.name, file, playbook.Options{File: l.promptFile})
}

func (l *loader) workflow(file []byte) *plan.Plan {
	return workflow.Parse(l.name, file, workflow.Options{Flags: l.Flags})
}

func claimRundown(name string, file []byte) claim {
	switch {
	case rundown.HasName(name):
		return named
	case markdown(name) && rundown.Claims(file):
		return reads
	}
	return never
}

// claimPlaybook follows the detection rule of playbook.md.
func claimPlaybook(name string, file []byte) claim {
	switch {
	case playbook.HasName(name):
		return named
	case markdown(name) && playbook.Claims(file):
		return matches
	}
	return never
}

// claimWorkflow follows the detection rule of workflow.md §1.
func claimWorkflow(name string, file []byte) claim {
	if !markdown(name) {
		return never
	}
	has, nearly := workflow.Claims(file)
	switch {
	case has:
		return keyword
	case nearly:
		return explains
	}
	return never
}

// owned converts a diagnostic to the format's own codes and words.
func (f *format) owned(d plan.Diagnostic, absent bool) plan.Diagnostic {
	if f != nil && f.own != nil {
		f.own(&d, absent)
	}
	return d
}

// choose returns the format of a file, and the other formats that claim it.
func (l *loader) choose(name string, file []byte) (chosen *format, others []*format, t *trouble) {
	if l.Format != "" {
		if f := byFormat(l.Format); f != nil {
			return f, nil, nil
		}
		return nil, nil, &trouble{"unknown-format", fmt.Sprintf("there is no format %q", l.Format), "use one of " + strings.Join(Formats(), ", ")}
	}
	best := never
	var claimants []*format
	for i := range formats {
		f := &formats[i]
		switch c := f.claim(name, file); {
		case c > best:
			if best >= reads {
				claimants = append(claimants, chosen)
			}
			chosen, best = f, c
		case c >= reads:
			claimants = append(claimants, f)
		}
	}
	if chosen == nil {
		if problem := unreadable(file); problem != "" {
			return nil, nil, &trouble{"unreadable", problem, "save it as UTF-8 text"}
		}
		return nil, nil, unclaimed(name, file)
	}
	return chosen, claimants, nil
}

// unclaimed returns why no format claims a file, and what would make it a document.
func unclaimed(name string, file []byte) *trouble {
	var signs []string
	for _, f := range formats {
		if f.sign != "" {
			signs = append(signs, f.sign+" ("+f.title+")")
		}
	}
	steps := "write steps: " + strings.Join(signs, ", or ")
	switch {
	case len(bytes.TrimSpace(file)) == 0:
		return &trouble{"unknown-format", "it is empty", steps}
	case markdown(name):
		return &trouble{"unknown-format", "the file has no steps in any format that Playhead knows",
			steps + "; --format " + strings.Join(Formats(), ", ") + " says what is missing"}
	}
	return &trouble{"unknown-format", "no format has files with such a name",
		"name it .md, or .runbook.md for a Rundown, or use --format " + strings.Join(Formats(), ", ")}
}

func byFormat(name string) *format {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i]
		}
	}
	return nil
}

// byName returns the format that the person chose or that the file name indicates, or nil.
func (l *loader) byName(name string) *format {
	if f := byFormat(l.Format); f != nil {
		return f
	}
	for i := range formats {
		if formats[i].hasName(name) {
			return &formats[i]
		}
	}
	return nil
}

// limit returns how many bytes of a file suffice to recognise it.
func (l *loader) limit(name string) int64 {
	if f := l.byName(name); f != nil {
		return f.limit
	}
	most := int64(0)
	for _, f := range formats {
		if f.limit < climpt.MaxSize { // a larger file is recognised by its name
			most = max(most, f.limit)
		}
	}
	return most
}

func isJSON(name string) bool { return strings.EqualFold(path.Ext(filepath.ToSlash(name)), ".json") }

func noName(string) bool { return false }

func noClaim(string, []byte) claim { return never }

func markdown(name string) bool {
	ext := strings.ToLower(path.Ext(filepath.ToSlash(name)))
	return ext == ".md" || ext == ".markdown"
}

// Detect returns the title of the format of a file or folder, and false if no format reads it.
func Detect(name string) (title string, ok bool) {
	l := newLoader(Options{})
	l.name = name
	l.file = l.inFolder(name)
	file, problem := readFile(l.disk, l.file, l.limit(l.file))
	if problem != nil {
		return "", false
	}
	f, _, problem := l.choose(l.file, file)
	if problem != nil || f.claim(l.file, file) < reads {
		return "", false
	}
	if f.name == string(climpt.Registry) { // Registry claims files for both dialects
		f = byFormat(f.parse(l, file).Format)
	}
	return f.title, true
}

// suffixes are the suffixes of documents, longer ones first.
var suffixes = []string{".runbook.md", ".playbook.md", ".md", ".json"}

// Beside returns the path of a file of some kind that belongs to a document or a document folder:
// release.scenarios.yaml for release.runbook.md.
func Beside(document, kind string) string {
	dir, base := filepath.Split(filepath.Clean(document))
	for _, suffix := range suffixes {
		if name, found := strings.CutSuffix(base, suffix); found {
			base = name
			break
		}
	}
	return dir + base + "." + kind + ".yaml"
}

// unreadable returns why a file is not text, "" if it is.
func unreadable(file []byte) string {
	switch {
	case plan.UTF16(file):
		return "it is UTF-16"
	case bytes.IndexByte(file, 0) >= 0:
		return "it contains a NUL byte: this is not a text file"
	case !utf8.Valid(file):
		return "it is not valid UTF-8"
	}
	return ""
}

// EditSteps returns the text of a document with a change of its steps. Numbers are updated, and so
// are the routes and variables that refer to them. p is the current document.
func EditSteps(p *plan.Plan, e plan.StepEdit) ([]byte, error) {
	f := byFormat(p.Format)
	if f == nil || f.steps == nil {
		return nil, fmt.Errorf("the transitions of a %s determine its order of steps: edit the file and reload it", p.Kind)
	}
	text, err := f.steps(p, e)
	return []byte(text), err
}
