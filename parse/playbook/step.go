package playbook

import "playhead/parse/plan"

// step is a ## STEP: its own text and directives (the embedded stepPart), and its branches (spec §3, §4).
type step struct {
	stepPart
	branchBlocks []*branchBlock
	parts        []*stepPart // its own part and its substeps, in document order
}

// branchBlock is a sequence from if to endif.
type branchBlock struct {
	arms    []*arm
	hasElse bool // it has an else
}

// arm is one arm of a block, with its marker.
type arm struct {
	branchMarker
	lastLine int // before the next marker
	substeps []*stepPart
}

// stepPart is what steps and substeps have in common (spec §3, §5).
type stepPart struct {
	firstLine  int // its heading, or the first line of an implicit substep; lines count from 0
	lastLine   int
	stepNumber int
	label      string // "" for an implicit substep until it gets a letter
	title      string
	isImplicit bool
	textRanges lineRanges
	content    content

	output        *output
	storedOutputs []*output // its own output; in an arm's last substep also that of the step
	elicit        *elicit
	promptRef     *promptRef
	tool          *tool
	runWarnings   []plan.RunWarning // about what is left out of it
}

// nameForMessages returns the part's name for messages.
func (p *stepPart) nameForMessages() string { return "step " + p.label }

// callsModel reports whether the part calls a model (spec §5). A tool replaces the call, and a
// question without text needs none.
func (p *stepPart) callsModel() bool {
	return p.tool == nil && (p.content.text != "" || p.promptRef != nil)
}

// hasOwnContent reports whether the part has content of its own.
func (p *stepPart) hasOwnContent() bool { return p.tool != nil || p.elicit != nil || p.callsModel() }

// moveOutputToArms moves the output of a step without content of its own to the last substep of each
// arm, because the result of the arm is the step's result.
func (s *step) moveOutputToArms() {
	if s.output == nil || s.hasOwnContent() || len(s.branchBlocks) == 0 {
		return
	}
	for _, b := range s.branchBlocks {
		for _, a := range b.arms {
			if n := len(a.substeps); n > 0 {
				a.substeps[n-1].storedOutputs = append(a.substeps[n-1].storedOutputs, s.output)
			}
		}
	}
	s.storedOutputs = nil
}

// collectParts sets the step's parts, and the output that each part stores.
func (s *step) collectParts() {
	s.parts = []*stepPart{&s.stepPart}
	for _, b := range s.branchBlocks {
		for _, a := range b.arms {
			s.parts = append(s.parts, a.substeps...)
		}
	}
	for _, p := range s.parts {
		if p.output != nil {
			p.storedOutputs = []*output{p.output}
		}
	}
}

// readStep reads a step: its heading, and the lines up to last.
func (d *document) readStep(head, last int, digits, title string) {
	s := &step{stepPart: stepPart{firstLine: head, stepNumber: atoi(digits), label: trimLeadingZeros(digits), title: title}}
	last = d.trimBlankLines(lineRange{head, last}).last
	s.lastLine = last
	b := stepBodyReader{document: d, currentStep: s, lineBySubstepLetter: map[string]int{}}
	for i := head + 1; i <= last; i++ {
		b.readLine(i)
	}
	b.finish(last)
	d.steps = append(d.steps, s)
	s.collectParts()
	for _, p := range s.parts {
		p.content = d.joinRanges(p.textRanges)
		d.warnIneffectiveBesideTool(p)
		d.fetchesText = d.fetchesText || p.callsModel() && p.promptRef != nil && p.promptRef.variable == ""
	}
	s.moveOutputToArms()
}
