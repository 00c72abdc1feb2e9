// Package playbook parses PLAYBOOK.md documents (spec/playbook.md) into Plans.
//
// A playbook is read line by line, as its specification says. This is not a Markdown parser: it
// only knows fenced code, whose content stays as it is (content.go). Headings of level 2 divide the
// file into sections (sections.go). INPUTS and ARTIFACTS are read directly (inputs.go, output.go),
// and the lines of each step go through a small state machine (body.go, branch.go) that separates
// branch markers, substep headings and directives from text. Then the steps are visited in the
// order in which they run, to check what is defined at each point (flow.go, reach.go), and
// converted to a Plan (lower.go). An error does not stop the parser: all problems of a document are
// reported at once.
//
// The Plan contains values of this package, plain data with one pure method each: the prompts
// (template.go, message.go, tool.go) and the Judges (capture.go).
//
// The terms of the format (STEP, @output, extract …) occur only in this package.
package playbook

import (
	"fmt"
	"regexp"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// Format is the name of the format, and the prefix of its diagnostics' codes.
const Format = "playbook"

// MaxSize limits the size of a document, in bytes (spec §1).
const MaxSize = 200_000

// Options are what Parse needs besides the document's text.
type Options struct {
	// PromptFileProblem returns why a file in @prompt(file:…) cannot be read in a run, "" if it can. The path
	// is relative to the playbook. nil: files are not checked.
	PromptFileProblem func(path string) (problem string)
}

// Parse compiles a document. name is the file as the person named it. Parse always returns a Plan.
// If a diagnostic is an error, the Plan can be shown but not run.
func Parse(name string, file []byte, o Options) *plan.Plan {
	d := &document{reporter: newReporter(name), options: o}
	p := &plan.Plan{Format: Format, Path: name, Title: source.NameWithoutSuffix(name, documentSuffix, ".md"), Source: file}
	if d.readLines(file) {
		d.compile(p)
	}
	p.Diagnostics = d.Sorted()
	return p
}

// document is a playbook that is being read.
type document struct {
	reporter
	options          Options
	isCodeLine       []bool // by line: it is fenced code
	title            string
	titleLine        int // counted from 0; -1: there is none
	description      string
	systemPromptText content
	inputs           []*input
	inputByName      map[string]*input
	steps            []*step
	artifact         artifact
	fetchesText      bool // a step includes text that is known only during the run
}

// readLines prepares the file's lines (spec §1). It reports whether they can be parsed.
func (d *document) readLines(file []byte) bool {
	if len(file) > MaxSize {
		d.add(place{}, finding{"too-large", fmt.Sprintf("the file is %d bytes long; the limit for a playbook is 200,000", len(file)), "split it into several playbooks"})
		return false
	}
	text := source.Normalize(file)
	at, problem := source.NotTextReason(text)
	d.lines = strings.Split(text, "\n")
	switch {
	case problem != "":
		d.add(place(source.PlaceOf(text, at)), finding{"encoding", problem, source.SaveAsUTF8})
	case strings.TrimSpace(text) == "":
		d.add(place{}, finding{"empty", "the document is empty", "write a title (# Title) and at least one step (## STEP 1: Title)"})
	default:
		return true
	}
	return false
}

// compile reads the document's parts, checks them and converts them.
func (d *document) compile(p *plan.Plan) {
	var open int
	if d.isCodeLine, open = findCodeLines(d.lines); open >= 0 {
		d.add(place{Line: open}, finding{"unclosed-fence", "this code block is never closed: the rest of the file belongs to it", source.CloseFenceSuggestion})
	}
	d.readSections()
	d.warnMalformedHeadings()
	d.checkStepNumbers()
	d.checkVariables()
	d.addWarningsToSteps()
	if d.titleLine >= 0 {
		p.Title = d.title
	}
	p.Description = d.description
	d.fillPlan(p)
}

const documentSuffix = ".playbook.md"

// IsDocumentName reports whether a file's name makes it a playbook (spec, Detection).
func IsDocumentName(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), documentSuffix)
}

var stepHeadingPattern = regexp.MustCompile(`^##\s+STEP\s+\d+:`)

// LooksLikePlaybook reports whether a text looks like a playbook: it has a title, and a line that begins like
// a step's heading (spec, Detection). Fenced code does not count, because otherwise every text
// about playbooks would be one.
func LooksLikePlaybook(file []byte) bool {
	text := source.Normalize(file)
	if _, problem := source.NotTextReason(text); problem != "" || !strings.Contains(text, "STEP") {
		return false
	}
	lines := strings.Split(text, "\n")
	code, _ := findCodeLines(lines)
	title, step := false, false
	for i, l := range lines {
		if code[i] || !strings.HasPrefix(l, "#") {
			continue
		}
		_, isTitle := parseTitleHeading(l)
		title = title || isTitle
		step = step || stepHeadingPattern.MatchString(l)
	}
	return title && step
}
