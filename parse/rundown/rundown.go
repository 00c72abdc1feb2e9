// Package rundown parses Rundown documents (spec/rundown.md) into Plans.
//
// A runbook is Markdown whose headings are steps. The file becomes text with places (textlines.go),
// the front matter is removed (frontmatter.go), and goldmark finds the blocks (markdown.go).
// Headings open steps (outline.go, heading.go), and all other top-level blocks become elements of
// their step (content.go): transitions, prompt text, body. Then the steps are checked (numbers.go,
// order.go, targets.go) and converted to a Plan (lower.go). An error does not stop the parser: all
// problems of a document are reported at once.
//
// The terms of the format (PASS, RETRY, {N}, rd run …) occur only in this package.
package rundown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// Format is the name of the format, and the prefix of its diagnostics' codes.
const Format = "rundown"

// maxTransitions is the default limit of moves of a run (spec §5.8).
const maxTransitions = 1000

// Options are what Parse needs besides the document's text.
type Options struct {
	DocumentID string     // the document's ID, as FindFile returns it, to recognise cycles
	FindFile   FileFinder // finds the included documents; nil: there are none
}

// Parse compiles a document and those that it includes. name is the file as the person named it.
// Parse always returns a Plan. If a diagnostic is an error, the Plan can be shown but not run.
func Parse(name string, file []byte, o Options) *plan.Plan {
	m := parseDocument(name, file)
	find := o.FindFile
	if find == nil {
		find = func(*IncludedFile, string) IncludedFile { return IncludedFile{MissingReason: source.NoSuchFile} }
	}
	m.loadAllIncluded(o.DocumentID, find)
	return m.plan
}

// readText prepares the file's text (spec §1). It reports whether the text can be parsed.
func (d *document) readText(file []byte) bool {
	if len(file) > MaxSize {
		d.add(0, finding{"too-large", fmt.Sprintf("the file is %d bytes long; the limit for a runbook is 1 MiB", len(file)), "split it into several runbooks and include them"})
		return false
	}
	src, problem := newTextLines(file)
	if problem != "" {
		d.add(0, finding{"unreadable", problem, source.SaveAsUTF8})
		return false
	}
	d.sourceLines = src
	d.readFrontMatter()
	d.cutLongLines()
	return true
}

// cutLongLines reports lines that are too long, and cuts them, because Markdown does not parse such lines in
// linear time.
func (d *document) cutLongLines() {
	for i, at := range d.sourceLines.lineStarts {
		if from, to := d.sourceLines.lineBounds(i, i); to-from > maxLineLength {
			d.add(at, finding{"long-line", fmt.Sprintf("the line is %d bytes long; the limit is 64 KiB", to-from), "break the line"})
		}
	}
	d.sourceLines.cutLines(maxLineLength)
}

// compile reads the steps, checks them and converts them.
func (d *document) compile(p *plan.Plan) {
	root, refs, deep := parseBlocks(d.sourceLines)
	d.plainTextParser = newPlainTextParser(d.sourceLines, refs)
	if deep >= 0 {
		d.add(deep, finding{"too-deep", "quotes and lists are nested deeper than 100 levels here; what is nested deeper is read as text", "flatten them"})
	}
	d.introStart = d.frontMatter.nextLine
	d.readOutline(root)
	d.warnUnclosedFence(root)
	d.setLastLines()
	d.eachStep(d.findBodyAndTransitions)
	index := d.indexSteps()
	d.resolveTargets(index)
	d.warnModifiersInLastSubsteps()
	d.warnLiteralPlaceholders(index)
	if len(index.stepByID) == 0 {
		d.addAt(1, 1, finding{"no-steps", "the document has no steps", "write at least one step: ## 1. Title"})
	}
	d.copyTitleAndIntro(p)
	p.Steps = d.convertSteps(index)
	p.EntryLimit = plan.TransitionLimit(maxTransitions, Format+"/transition-limit")
	if first := p.StartStep(); first != nil && first.ID != "" {
		p.Entries = []plan.Entry{{Step: first.ID}}
	}
}

// setLastLines sets where each step ends: before the next heading that opens a step, and for a step at the
// end of its last substep.
func (d *document) setLastLines() {
	last := len(d.sourceLines.lineStarts) - 1
	for i := len(d.parsedSteps) - 1; i >= 0; i-- {
		step := &d.parsedSteps[i]
		first := d.sourceLines.lineAt(step.offset)
		_, step.lastLine = d.sourceLines.trimBlankLines(first, last)
		if n := len(step.substeps); n > 0 {
			step.lastLine = step.substeps[n-1].lastLine
		}
		last = first - 1
	}
}

// copyFrontMatter copies the front matter to the Plan.
func (d *document) copyFrontMatter(p *plan.Plan) {
	name := d.frontMatter.name
	if name == "" {
		name = nameWithoutSuffix(d.File)
	}
	p.Title, p.Description = name, d.frontMatter.description
	p.Scenarios, p.ScenariosProblem = d.frontMatter.scenarios, d.frontMatter.scenariosError
	p.Extra = map[string]any{"name": name}
	for key, value := range map[string]string{"version": d.frontMatter.version, "author": d.frontMatter.author} {
		if value != "" {
			p.Extra[key] = value
		}
	}
	if len(d.frontMatter.tags) > 0 {
		p.Extra["tags"] = d.frontMatter.tags
	}
}

// copyTitleAndIntro copies the title, and the text before the first step, to the Plan.
func (d *document) copyTitleAndIntro(p *plan.Plan) {
	if d.title != "" {
		p.Title = d.title
	}
	first, last := d.sourceLines.trimBlankLines(d.introStart, d.introEnd-1)
	if first > last {
		return
	}
	intro := d.sourceLines.textOfLines(first, last)
	p.Extra["intro"] = intro
	if p.Description == "" {
		p.Description = intro
	}
}

func nameWithoutSuffix(file string) string {
	return source.NameWithoutSuffix(file, runbookSuffix, ".md")
}

// IsDocumentName reports whether a file's name makes it a runbook (spec §1).
func IsDocumentName(name string) bool { return hasSuffixFold(name, runbookSuffix) }

// LooksLikeRunbook reports whether a text looks like a runbook: it has a top-level heading of level 2 that is
// a static or {N} step (spec §1).
func LooksLikeRunbook(file []byte) bool {
	d := &document{}
	if !d.readText(file) {
		return false
	}
	root, refs, _ := parseBlocks(d.sourceLines)
	d.plainTextParser = newPlainTextParser(d.sourceLines, refs)
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			if k := parseStepHeading(d.headingText(h).text).kind; k == staticKind || k == dynamicKind {
				return true
			}
		}
	}
	return false
}

// severityByCode has the codes of spec §4 that do not keep a document from running.
// Every other code is an error.
var severityByCode = map[string]plan.Severity{
	"ambiguous-format":    plan.Warning,
	"ignored-construct":   plan.Warning,
	"front-matter":        plan.Warning,
	"front-matter-name":   plan.Warning,
	"scenario-invalid":    plan.Warning,
	"h1-late":             plan.Warning,
	"heading-separator":   plan.Warning,
	"leading-zero":        plan.Warning,
	"numbered-name":       plan.Warning,
	"transition-like":     plan.Warning,
	"transition-repeated": plan.Warning,
	"lazy-text":           plan.Warning,
	"agg-trailing":        plan.Warning,
	"named-unreachable":   plan.Warning,
	"child-missing":       plan.Warning,
	"child-invalid":       plan.Warning,
	"runbook-suffix":      plan.Warning,
	"fence-info":          plan.Warning,
	"empty-command":       plan.Warning,
	"command-literal":     plan.Warning,
	"unclosed-fence":      plan.Warning,
}

// reporter collects a document's diagnostics.
type reporter struct {
	source.DiagnosticCollector
	sourceLines *textLines
}

func newReporter(file string) reporter {
	return reporter{DiagnosticCollector: source.DiagnosticCollector{File: file, Format: Format, SeverityByCode: severityByCode, DefaultSeverity: plan.Error}}
}

// finding is a diagnostic without a place.
type finding struct{ code, message, suggestion string }

// add reports a finding at an offset of the source.
func (r *reporter) add(at int, f finding) {
	line, column := 1, 1
	if r.sourceLines != nil {
		line, column = r.sourceLines.placeAt(at)
	}
	r.addAt(line, column, f)
}

// addAt reports a finding at a line and a column of the file.
func (r *reporter) addAt(line, column int, f finding) {
	r.Add(line, column, f.code, f.message, f.suggestion)
}
