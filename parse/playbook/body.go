package playbook

import (
	"fmt"
	"strings"

	"playhead/parse/source"
)

// stepBodyReader divides the lines of one step into its own text, its arms and their substeps (spec §4).
type stepBodyReader struct {
	document            *document
	currentStep         *step
	branchState         branchState
	branchStateLine     int            // the line of the marker that began the state
	currentBlock        *branchBlock   // nil outside blocks
	currentArm          *arm           // nil outside arms that are read
	currentSubstep      *stepPart      // of the arm
	nestedIfLines       []int          // the lines of nested ifs that are open; their content is left out
	lastEndifLine       int            // the line number of the last endif, from 1; 0: there was none
	lineBySubstepLetter map[string]int // the line numbers of substep headings, from 1; "" counts labels of two letters
	implicitSubsteps    []*stepPart    // implicit substeps, which get their letters last
}

// branchState says where a line is among the branches of a step.
type branchState int

const (
	outsideBlocks branchState = iota
	inBlock
	inUnreadableBlock        // in a block whose if cannot be read
	afterElifOrElseWithoutIf // after an elif or else without if
)

// readLine reads the next line.
func (b *stepBodyReader) readLine(i int) {
	text := b.document.lines[i]
	switch {
	case b.document.isCodeLine[i]:
		b.addText(i)
	case isBareFence(text): // the end of a marker that is written on two lines
	case isBranchMarkerLike(text):
		b.readBranchMarker(parseBranchMarker(i, text))
	case strings.HasPrefix(text, "###") && b.readSubstepHeading(i):
	case b.readDirectiveLine(i):
	default:
		b.document.warnMisplacedBranchMarker(i)
		b.addText(i)
	}
}

// currentPart returns the part to which text belongs, nil if the text is left out.
func (b *stepBodyReader) currentPart() *stepPart {
	switch {
	case b.branchState == outsideBlocks:
		return &b.currentStep.stepPart
	case b.currentArm == nil || len(b.nestedIfLines) > 0:
		return nil
	}
	return b.currentSubstep
}

// addText adds a line of text. In an arm, text before the first substep heading becomes a substep of
// its own.
func (b *stepBodyReader) addText(i int) {
	if b.currentPart() == nil && !source.IsBlank(b.document.lines[i]) {
		b.openImplicitSubstep(i)
	}
	if p := b.currentPart(); p != nil {
		p.textRanges.add(i)
	}
}

// openImplicitSubstep opens an implicit substep if the line is in an arm.
func (b *stepBodyReader) openImplicitSubstep(i int) {
	if b.currentArm == nil || len(b.nestedIfLines) > 0 || b.currentSubstep != nil {
		return
	}
	p := &stepPart{firstLine: i, stepNumber: b.currentStep.stepNumber, title: b.currentStep.title, isImplicit: true}
	b.openSubstep(p)
	b.implicitSubsteps = append(b.implicitSubsteps, p)
}

func (b *stepBodyReader) openSubstep(p *stepPart) {
	b.currentSubstep = p
	b.currentArm.substeps = append(b.currentArm.substeps, p)
}

// readDirectiveLine reads a directive. It returns false if the line is text.
func (b *stepBodyReader) readDirectiveLine(i int) bool {
	known := directiveWord(b.document.lines[i])
	if known == "" {
		b.document.warnMalformedDirective(i, "the line is read as text")
		return false
	}
	b.openImplicitSubstep(i)
	p := b.currentPart()
	return p == nil || b.document.readDirective(p, known, i)
}

// parseSubstepHeading reads ### STEP Na: Title. If the line is not such a heading, the title is empty.
func parseSubstepHeading(text string) (digits, letter, title string) {
	c := cursor{text: text}
	if !c.skipText("###") || !c.skipBlanks() || !c.skipText("STEP") || !c.skipBlanks() {
		return "", "", ""
	}
	digits = c.readDigits()
	letter = c.readWord()
	if digits == "" || len(letter) != 1 || letter < "a" || letter > "z" || !c.skipText(":") || !c.skipBlanks() {
		return "", "", ""
	}
	return trimLeadingZeros(digits), letter, c.remainingText()
}

// readSubstepHeading reads a substep heading. It returns false if the line is text: it is no such heading, or it is
// outside a branch.
func (b *stepBodyReader) readSubstepHeading(i int) bool {
	digits, letter, title := parseSubstepHeading(b.document.lines[i])
	if title == "" {
		return false
	}
	label := digits + letter
	at := place{Line: i}
	if b.branchState == outsideBlocks {
		b.document.add(at, finding{"substep-label", fmt.Sprintf("%s is a substep outside a branch: it is read as text of step %s", label, b.currentStep.label), "put it between ```if …``` and ```endif```, or make it a ## STEP"})
		return false
	}
	if b.currentArm == nil || len(b.nestedIfLines) > 0 {
		return true
	}
	b.warnSubstepLabel(digits, letter, at)
	if b.currentSubstep != nil {
		b.currentSubstep.lastLine = i - 1
	}
	b.openSubstep(&stepPart{firstLine: i, stepNumber: b.currentStep.stepNumber, label: label, title: title})
	return true
}

func (b *stepBodyReader) warnSubstepLabel(digits, letter string, at place) {
	const nextFreeLetter = "the next free letter"
	line := b.lineBySubstepLetter[letter]
	switch {
	case digits != b.currentStep.label:
		wanted := letter
		if line > 0 {
			wanted = " and give it " + nextFreeLetter
		}
		b.document.add(at, finding{"substep-label", fmt.Sprintf("substep %s%s is in step %s", digits, letter, b.currentStep.label), "number it " + b.currentStep.label + wanted})
	case line > 0:
		b.document.add(at, finding{"substep-label", fmt.Sprintf("the substep on line %d already has the letter %s", line, letter), "give this one " + nextFreeLetter})
	}
	if line == 0 {
		b.lineBySubstepLetter[letter] = at.Line + 1
	}
}

// finish closes what is open at the end of the step.
func (b *stepBodyReader) finish(last int) {
	for _, line := range b.nestedIfLines {
		b.warnUnclosedIf(line)
	}
	if b.branchState == inBlock || b.branchState == inUnreadableBlock {
		b.warnUnclosedIf(b.branchStateLine)
	}
	b.closeArm(last)
	free := byte('a')
	for _, p := range b.implicitSubsteps {
		p.label, free = b.nextFreeSubstepLabel(free)
		b.document.add(place{Line: p.firstLine}, finding{"implicit-substep", fmt.Sprintf("this text has no substep heading, so it becomes substep %s", p.label), fmt.Sprintf("write ### STEP %s: Title above it", p.label)})
	}
}

// nextFreeSubstepLabel returns the label with the first free letter, starting at from, and the letter to start at next
// time. If no letter is free, the label has two letters.
func (b *stepBodyReader) nextFreeSubstepLabel(from byte) (label string, next byte) {
	for ; from <= 'z'; from++ {
		if letter := string(from); b.lineBySubstepLetter[letter] == 0 {
			b.lineBySubstepLetter[letter] = 1
			return b.currentStep.label + letter, from + 1
		}
	}
	b.lineBySubstepLetter[""]++
	n := b.lineBySubstepLetter[""] - 1
	return b.currentStep.label + string(rune('a'+n/26%26)) + string(rune('a'+n%26)), from
}

func (b *stepBodyReader) warnUnclosedIf(line int) {
	b.document.add(place{Line: line}, finding{"branch-structure", "this if has no endif: it ends at the end of the step", "write ```endif``` after its last branch"})
}
