// Package workflow parses workflow documents (spec/workflow.md) into Plans: steps under keyword
// headings that name their tools, inputs, outputs and assertions.
//
// A workflow is read line by line. This is not a Markdown parser. First, the kinds of the lines are
// determined: headings, fenced blocks, comments, text (outline.go, heading.go). Text that was read
// in the wrong encoding is repaired if a heading proves it (repair.go). Then steps are built from
// the lines (reader.go, list.go), their items are read (tools.go, inputs.go, outputs.go), and the
// flow of values between them is checked (template.go). Many deviations are accepted with a warning
// that shows the right form. An error does not stop the parser: all problems are reported at once.
//
// The Plan contains values of this package, plain data with one pure method each: the prompts
// (template.go, message.go) and the Judge of a model's report (report.go).
//
// The terms of the format occur only in this package.
package workflow

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// Format is the name of the format, and the prefix of its diagnostics' codes.
const Format = "workflow"

// MaxSize limits the size of a document, in bytes (§1).
const MaxSize = 1 << 20

// Flags are the command line flags that change how Parse compiles a document.
var Flags = []plan.Flag{
	{Name: noRepairFlag, Help: "do not repair text that was saved in the wrong encoding (Workflow)", Kind: plan.SwitchFlag},
	{Name: inputFlag, Help: plan.InputFlagHelp, Kind: plan.RepeatableFlag, IsValidPairName: isValidName},
}

const (
	noRepairFlag = "no-repair"
	inputFlag    = "input" // NAME=value
)

// Options are what Parse needs besides the document's text.
type Options struct {
	Flags map[string][]string // the values of Flags
}

// initialVariables returns the names of the variables that have a value before the run, sorted.
func (o Options) initialVariables() []string {
	var names []string
	for _, pair := range o.Flags[inputFlag] {
		name, _, _ := strings.Cut(pair, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Parse compiles a document. name is the file as the person named it. Parse always returns a Plan.
// If a diagnostic is an error, the Plan can be shown but not run.
func Parse(name string, file []byte, o Options) *plan.Plan {
	d := &document{reporter: newReporter(name), options: o}
	p := &plan.Plan{Format: Format, Path: name, Title: path.Base(filepath.ToSlash(name)), Source: file}
	if d.readLines(file) {
		d.compile(p)
	}
	p.Diagnostics = d.Sorted()
	return p
}

// document is a workflow that is being read.
type document struct {
	reporter
	options       Options
	outline       *outline
	title         string
	sections      []*section
	steps         []*step
	runInputs     []plan.Input // asked for before the run
	usedVariables []string     // the names of the variables that the document uses, sorted
}

// section is a sequence of steps below a heading. The first section may have no heading.
type section struct {
	title string
	line  int
	steps []*step
}

// readLines prepares the file's lines (§1). It reports whether they can be parsed.
func (d *document) readLines(file []byte) bool {
	if len(file) > MaxSize {
		d.add(place{}, nil, finding{"too-large", fmt.Sprintf("the file is %d bytes long; the limit for a workflow is 1 MiB", len(file)), "split it into several workflows"})
		return false
	}
	s := decodeFile(file)
	d.linesOnDisk = strings.Split(s.text, "\n")
	d.lines = d.linesOnDisk
	if s.problem != "" {
		d.add(s.problemPlace, nil, finding{"unreadable", s.problem, source.SaveAsUTF8})
		return false
	}
	if s.hasBOM {
		d.add(place{}, nil, finding{"bom", "the file begins with a byte order mark", "save it as UTF-8 without BOM"})
	}
	if s.hasCR {
		d.add(place{Line: s.firstCRLine}, nil, finding{"line-endings", "a line ends in CRLF or CR", "save the file with LF line endings"})
	}
	return true
}

// compile reads the document's parts, checks them and converts them.
func (d *document) compile(p *plan.Plan) {
	d.outline = classifyLines(d.linesOnDisk)
	d.repairEncodingDamage()
	d.readSteps()
	d.checkBlocksAndSteps()
	for _, s := range d.steps {
		d.finishStep(s)
	}
	d.checkVariables()
	if d.title != "" {
		p.Title = d.title
	}
	d.fillPlan(p)
}

// checkBlocksAndSteps reports blocks that nothing closes, and a document without steps.
func (d *document) checkBlocksAndSteps() {
	for _, f := range d.outline.unclosedBlocks {
		d.add(f.place, d.stepAtLine(f.place.Line), finding{"unclosed-block", f.description + " is still open at the end of the file", "end a comment with -->; end a fenced block by repeating its opening backticks or tildes on a line of their own; if it contains other fenced blocks, use more backticks or tildes than they do"})
	}
	if len(d.steps) > 0 {
		return
	}
	d.add(place{}, nil, finding{"no-steps", "the document has no step heading" + d.outline.uncountedStepsText(),
		"add a heading `" + stepPart.canonicalHeading("") + "`, outside fenced blocks and comments"})
}

// stepAtLine returns the step that contains a line, nil if there is none.
func (d *document) stepAtLine(line int) *step {
	i := sort.Search(len(d.steps), func(i int) bool { return d.steps[i].line > line })
	if i == 0 {
		return nil
	}
	return d.steps[i-1]
}

// LooksLikeWorkflow reports whether a text is recognised as a workflow (§1): has says that it has a step heading outside
// fences and comments. nearly says that it has one, or that a line is nearly one: it is inside a fence or comment, or
// not quite valid.
func LooksLikeWorkflow(file []byte) (has, nearly bool) {
	if !bytes.Contains(bytes.ToUpper(file), []byte("STEP")) {
		return false, false
	}
	o := classifyLines(strings.Split(decodeFile(file).text, "\n"))
	if o.firstStepLine >= 0 {
		isInUnclosed := len(o.unclosedBlocks) > 0 && o.unclosedBlocks[0].place.Line < o.firstStepLine
		return !isInUnclosed, true
	}
	return false, o.uncountedStepsText() != ""
}
