package playbook

import (
	"fmt"
	"strings"
)

// readBranchMarker reads a branch marker (spec §4).
func (b *stepBodyReader) readBranchMarker(m branchMarker) {
	if len(b.nestedIfLines) > 0 {
		b.skipNestedMarker(m)
		return
	}
	if !m.isValid && !b.isInIgnoredBranch(m.word) {
		b.document.add(place{Line: m.line}, m.syntaxFinding(b.document.lines[m.line]))
	}
	switch m.word {
	case "if":
		b.readIf(m)
	case "endif":
		b.readEndif(m)
	default:
		b.readElifOrElse(m)
	}
}

// isInIgnoredBranch reports whether a marker is in a branch that is left out anyway.
func (b *stepBodyReader) isInIgnoredBranch(word string) bool {
	return b.branchState == inUnreadableBlock && word != "endif" || b.branchState == afterElifOrElseWithoutIf && word != "if"
}

// warnMisplacedBranchMarker warns of a line that is nearly a marker and stays text.
func (d *document) warnMisplacedBranchMarker(i int) {
	text := d.lines[i]
	if !strings.ContainsAny(text, "`~") {
		return
	}
	if m := malformedBranchMarkerPattern.FindStringSubmatch(text); m != nil {
		d.add(place{Line: i}, finding{"condition-syntax", "this is not a valid branch line: it is read as text, and no branch begins or ends here", "start it in the first column, and enclose the whole line in triple backticks, like: " + exampleOfMarker(strings.ToLower(m[1]), "```"+strings.TrimLeft(text, "`~>*+- \t\u00a0"))})
	}
}

// skipNestedMarker reads a marker inside a nested if, whose content is left out.
func (b *stepBodyReader) skipNestedMarker(m branchMarker) {
	switch m.word {
	case "if":
		b.reportNestedIf(m)
	case "endif":
		b.nestedIfLines = b.nestedIfLines[:len(b.nestedIfLines)-1]
	}
}

func (b *stepBodyReader) reportNestedIf(m branchMarker) {
	b.document.add(place{Line: m.line}, finding{"branch-structure", "branches do not nest: this if and everything up to its endif are ignored", "move the inner if into a step of its own"})
	b.nestedIfLines = append(b.nestedIfLines, m.line)
}

func (b *stepBodyReader) readIf(m branchMarker) {
	if b.branchState == inBlock || b.branchState == inUnreadableBlock {
		b.reportNestedIf(m)
		return
	}
	b.branchState, b.branchStateLine = inUnreadableBlock, m.line
	if m.isValid {
		b.branchState, b.currentBlock = inBlock, &branchBlock{}
		b.currentStep.branchBlocks = append(b.currentStep.branchBlocks, b.currentBlock)
		b.openArm(m)
	}
}

// readElifOrElse reads an elif or an else.
func (b *stepBodyReader) readElifOrElse(m branchMarker) {
	switch b.branchState {
	case inBlock:
		b.closeArm(m.line - 1)
		if !m.isValid && m.word == "elif" {
			return // the arm is left out
		}
		if b.currentBlock.hasElse {
			b.document.add(place{Line: m.line}, b.afterElseFinding(m))
		}
		b.openArm(m)
	case outsideBlocks, afterElifOrElseWithoutIf:
		if m.isValid || m.word == "else" {
			b.document.add(place{Line: m.line}, b.missingIfFinding(m))
		}
		b.branchState = afterElifOrElseWithoutIf
	}
}

// afterElseFinding returns the finding about an elif or another else after the else of a block.
func (b *stepBodyReader) afterElseFinding(m branchMarker) finding {
	f := finding{"branch-structure", m.word + " comes after else: it can never be taken", "put else last"}
	if m.word == "else" {
		f.message, f.suggestion = "this block already has an else: this one can never be taken", "remove one of them, or make the first an elif"
	}
	return f
}

// missingIfFinding returns the finding about an elif or else without if, and what it was probably meant to be.
func (b *stepBodyReader) missingIfFinding(m branchMarker) finding {
	f := finding{"branch-structure", m.word + " has no if: its contents are not executed", "open the block with ```if name == \"value\"```"}
	if b.lastEndifLine > 0 {
		f.message = fmt.Sprintf("%s follows an endif: its contents are not executed; it probably belongs to the if that ends on line %d", m.word, b.lastEndifLine)
		f.suggestion = fmt.Sprintf("remove the ```endif``` on line %d", b.lastEndifLine)
	}
	return f
}

func (b *stepBodyReader) readEndif(m branchMarker) {
	if b.branchState == outsideBlocks {
		b.document.add(place{Line: m.line}, finding{"branch-structure", "endif has no if", "remove it, or open the block with ```if name == \"value\"```"})
		return
	}
	b.closeArm(m.line - 1)
	b.branchState, b.currentBlock, b.lastEndifLine = outsideBlocks, nil, m.line+1
}

// openArm begins an arm of the current block.
func (b *stepBodyReader) openArm(m branchMarker) {
	b.currentArm, b.currentSubstep = &arm{branchMarker: m}, nil
	b.currentBlock.arms = append(b.currentBlock.arms, b.currentArm)
	b.currentBlock.hasElse = b.currentBlock.hasElse || m.word == "else"
}

// closeArm ends the current arm, if there is one.
func (b *stepBodyReader) closeArm(last int) {
	if b.currentArm == nil {
		return
	}
	b.currentArm.lastLine = last
	if b.currentSubstep != nil {
		b.currentSubstep.lastLine = last
	}
	b.currentArm, b.currentSubstep = nil, nil
}

// stableKey returns what identifies an arm in its step when the document is edited: its condition.
func (a *arm) stableKey() string {
	if a.word == "else" {
		return "else"
	}
	return a.condition.variable + a.condition.operator + a.condition.value
}
