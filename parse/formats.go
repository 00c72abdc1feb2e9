package parse

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"playhead/parse/climpt"
	"playhead/parse/files"
	"playhead/parse/plan"
	"playhead/parse/playbook"
	"playhead/parse/rundown"
	"playhead/parse/source"
	"playhead/parse/workflow"
)

// format is a row of the table of formats: all that this package knows about a format.
type format struct {
	name               string // as in --format, Plan.Format and codes of diagnostics
	title              string // as in Plan.FormatTitle and messages
	maxSize            int64  // bytes
	isDocumentName     func(name string) bool
	claimFile          func(name string, file []byte) claimStrength
	stepHeadingExample string // how its text marks a step; "" if it is not Markdown
	parse              func(l *loader, file []byte) *plan.Plan
	flags              []plan.Flag // the options that only some formats have

	// adaptDiagnostic changes a diagnostic of this package to the codes and words of the format. absent says
	// that the file does not exist. nil: no change.
	adaptDiagnostic func(d *plan.Diagnostic, absent bool)

	// editSteps returns the text of a document with a change of its steps. nil: steps cannot be edited,
	// because their order in the file has no meaning.
	editSteps func(p *plan.Plan, e plan.StepEdit) (string, error)
}

// claimStrength says how certain it is that a file is in a format. The strongest claim wins, the first one of
// equals. Other claims of at least claimedByForm are reported.
type claimStrength int

const (
	notClaimed       claimStrength = iota
	claimedToExplain               // the text lacks something, and the format can say what
	claimedByForm                  // the text has its form
	claimedByTest                  // its text passes the format's test
	claimedByName                  // its name has the suffix of the format
	claimedByKeyword               // it contains words that only this format uses
)

var formats = []format{
	{
		name: "rundown", title: "Rundown", maxSize: rundown.MaxSize, stepHeadingExample: "## 1. Title",
		isDocumentName: rundown.IsDocumentName, claimFile: claimRundown, parse: (*loader).parseRundown, editSteps: rundown.EditSteps,
	},
	{
		name: "playbook", title: "Playbook", maxSize: playbook.MaxSize, stepHeadingExample: "# Title and ## STEP 1: Title",
		isDocumentName: playbook.IsDocumentName, claimFile: claimPlaybook, parse: (*loader).parsePlaybook, editSteps: playbook.EditSteps,
	},
	{
		name: "workflow", title: "Workflow", maxSize: workflow.MaxSize, stepHeadingExample: "### 🔧 WORKFLOW STEP: Title",
		isDocumentName: matchesNoName, claimFile: claimWorkflow, parse: (*loader).parseWorkflow, editSteps: workflow.EditSteps,
		flags: workflow.Flags, adaptDiagnostic: workflow.CompleteDiagnostic,
	},
	{
		name: string(climpt.Registry), title: "Climpt registry", maxSize: climpt.MaxJSONSize,
		isDocumentName: isJSONName, claimFile: claimClimpt, parse: (*loader).parseClimpt, // claims files for both dialects
		flags: climpt.Flags, adaptDiagnostic: adaptClimptDiagnostic,
	},
	{
		name: string(climpt.Stepflow), title: "Climpt step flow", maxSize: climpt.MaxJSONSize,
		isDocumentName: matchesNoName, claimFile: claimsNoFile, parse: (*loader).parseClimpt,
		flags: climpt.Flags, adaptDiagnostic: adaptClimptDiagnostic,
	},
}

// IsDocumentName reports whether a file name has the suffix of a format's documents.
func IsDocumentName(name string) bool {
	return slices.ContainsFunc(formats, func(f format) bool { return f.isDocumentName(name) })
}

// FormatNames returns the names that Options.Format accepts.
func FormatNames() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// RunResultByWord returns the result that a word means in the scenarios of a format. ok is false for an unknown
// word.
func RunResultByWord(word string) (result plan.RunResult, ok bool) {
	result, ok = rundown.RunResultByWord[word]
	return result, ok
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

// FlagsOfFormat returns the options of the format with a name, or nil.
func FlagsOfFormat(name string) []plan.Flag {
	if f := formatByName(name); f != nil {
		return f.flags
	}
	return nil
}

// FormatsWithFlag returns the names of the formats that have an option.
func FormatsWithFlag(flag string) []string {
	var names []string
	for _, f := range formats {
		if slices.ContainsFunc(f.flags, func(own plan.Flag) bool { return own.Name == flag }) {
			names = append(names, f.name)
		}
	}
	return names
}

func (l *loader) parseRundown(file []byte) *plan.Plan {
	f := l.newIncludeFinder()
	return rundown.Parse(l.givenPath, file, rundown.Options{DocumentID: f.rootDocument, FindFile: f.find})
}

func (l *loader) parsePlaybook(file []byte) *plan.Plan {
	return playbook.Parse(l.givenPath, file, playbook.Options{PromptFileProblem: l.addPromptFile})
}

func (l *loader) parseWorkflow(file []byte) *plan.Plan {
	return workflow.Parse(l.givenPath, file, workflow.Options{Flags: l.Flags})
}

func claimRundown(name string, file []byte) claimStrength {
	switch {
	case rundown.IsDocumentName(name):
		return claimedByName
	case isMarkdownName(name) && rundown.LooksLikeRunbook(file):
		return claimedByForm
	}
	return notClaimed
}

// claimPlaybook follows the detection rule of playbook.md.
func claimPlaybook(name string, file []byte) claimStrength {
	switch {
	case playbook.IsDocumentName(name):
		return claimedByName
	case isMarkdownName(name) && playbook.LooksLikePlaybook(file):
		return claimedByTest
	}
	return notClaimed
}

// claimWorkflow follows the detection rule of workflow.md §1.
func claimWorkflow(name string, file []byte) claimStrength {
	if !isMarkdownName(name) {
		return notClaimed
	}
	has, nearly := workflow.LooksLikeWorkflow(file)
	switch {
	case has:
		return claimedByKeyword
	case nearly:
		return claimedToExplain
	}
	return notClaimed
}

// adaptedDiagnostic returns a diagnostic of this package in the codes and words of the format, which may be
// nil. absent says that the file does not exist.
func (f *format) adaptedDiagnostic(d plan.Diagnostic, absent bool) plan.Diagnostic {
	if f != nil && f.adaptDiagnostic != nil {
		f.adaptDiagnostic(&d, absent)
	}
	return d
}

// chooseFormat returns the format of a file, and the other formats that claim it. file is its content, which
// may be cut off at recognitionReadLimit.
func (l *loader) chooseFormat(file []byte) (chosen *format, others []*format, problem *files.Problem) {
	if l.Format != "" {
		if f := formatByName(l.Format); f != nil {
			return f, nil, nil
		}
		return nil, nil, newUnknownFormatProblem(fmt.Sprintf("there is no format %q", l.Format),
			"use one of "+strings.Join(FormatNames(), ", "))
	}
	best := notClaimed
	for i := range formats {
		f := &formats[i]
		switch c := f.claimFile(l.readPath, file); {
		case c > best:
			if best >= claimedByForm {
				others = append(others, chosen)
			}
			chosen, best = f, c
		case c >= claimedByForm:
			others = append(others, f)
		}
	}
	if chosen == nil {
		if _, problem := source.NotTextReason(string(file)); problem != "" {
			return nil, nil, &files.Problem{Code: "unreadable", Message: problem, Suggestion: source.SaveAsUTF8}
		}
		return nil, nil, unclaimedProblem(l.readPath, file)
	}
	return chosen, others, nil
}

// unclaimedProblem returns why no format claims a file, and what would make it a document.
func unclaimedProblem(name string, file []byte) *files.Problem {
	var signs []string
	for _, f := range formats {
		if f.stepHeadingExample != "" {
			signs = append(signs, f.stepHeadingExample+" ("+f.title+")")
		}
	}
	steps := "use headings such as " + strings.Join(signs, ", or ")
	switch {
	case len(bytes.TrimSpace(file)) == 0:
		return newUnknownFormatProblem("it is empty", steps)
	case isMarkdownName(name):
		return newUnknownFormatProblem("the file has no steps in any format that Playhead knows",
			steps+"; use --format with one of "+strings.Join(FormatNames(), ", ")+" to see what is missing")
	}
	return newUnknownFormatProblem("no format uses this file name",
		"name it NAME.md, or NAME.runbook.md for a runbook, or use --format with one of "+strings.Join(FormatNames(), ", "))
}

func newUnknownFormatProblem(message, suggestion string) *files.Problem {
	return &files.Problem{Code: "unknown-format", Message: message, Suggestion: suggestion}
}

func formatByName(name string) *format {
	for i := range formats {
		if formats[i].name == name {
			return &formats[i]
		}
	}
	return nil
}

// formatWithoutReading returns the format that the person chose or that the file name indicates, or nil.
func (l *loader) formatWithoutReading() *format {
	if f := formatByName(l.Format); f != nil {
		return f
	}
	for i := range formats {
		if formats[i].isDocumentName(l.readPath) {
			return &formats[i]
		}
	}
	return nil
}

// recognitionReadLimit returns how many bytes of the file are read to find its format.
func (l *loader) recognitionReadLimit() int64 {
	if f := l.formatWithoutReading(); f != nil {
		return f.maxSize
	}
	most := int64(0)
	for _, f := range formats {
		if f.maxSize < climpt.MaxJSONSize { // a larger file is recognised by its name
			most = max(most, f.maxSize)
		}
	}
	return most
}

func isJSONName(name string) bool {
	return strings.EqualFold(path.Ext(filepath.ToSlash(name)), ".json")
}

func matchesNoName(string) bool { return false }

func claimsNoFile(string, []byte) claimStrength { return notClaimed }

func isMarkdownName(name string) bool {
	ext := strings.ToLower(path.Ext(filepath.ToSlash(name)))
	return ext == ".md" || ext == ".markdown"
}

// DetectFormatTitle returns the title of the format of a file or folder, and false if no format reads it.
func DetectFormatTitle(name string) (title string, ok bool) {
	l := newLoader(name, Options{})
	file, problem := files.Read(l.files, l.readPath, l.recognitionReadLimit())
	if problem != nil {
		return "", false
	}
	f, _, problem := l.chooseFormat(file)
	if problem != nil || f.claimFile(l.readPath, file) < claimedByForm {
		return "", false
	}
	if f.name == string(climpt.Registry) { // Registry claims files for both dialects
		f = formatByName(f.parse(l, file).Format)
	}
	return f.title, true
}

// documentSuffixes are the suffixes of documents, longer ones first.
var documentSuffixes = []string{".runbook.md", ".playbook.md", ".md", ".json"}

// SidecarPath returns the path of a file of some kind that belongs to a document or a document folder:
// release.scenarios.yaml for release.runbook.md.
func SidecarPath(document, kind string) string {
	dir, base := filepath.Split(filepath.Clean(document))
	if base == "." || base == ".." { // a folder whose name only its whole path has
		if path, err := filepath.Abs(document); err == nil {
			dir, base = filepath.Split(path)
		}
	}
	for _, suffix := range documentSuffixes {
		if name, found := strings.CutSuffix(base, suffix); found {
			base = name
			break
		}
	}
	return dir + base + "." + kind + ".yaml"
}

// EditSteps returns the text of a document with a change of its steps. Numbers are updated, and so
// are the routes and variables that refer to them. p is the current document.
func EditSteps(p *plan.Plan, e plan.StepEdit) ([]byte, error) {
	f := formatByName(p.Format)
	if f == nil || f.editSteps == nil {
		return nil, p.StepEditError()
	}
	text, err := f.editSteps(p, e)
	return []byte(text), err
}
