package playbook

import (
	"fmt"
	"strings"
)

// readMarker reads a branch marker (spec §4).
func (b *stepBodyReader) readMarker(m marker) {
	if len(b.nestedIfLines) > 0 {
		b.skipNestedMarker(m)
		return
	}
	if !m.valid && !b.isLeftOut(m.word) {
		b.d.add(place{Line: m.line}, m.syntaxFinding(b.d.lines[m.line]))
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

// isLeftOut reports whether a marker is in a branch that is left out anyway.
func (b *stepBodyReader) isLeftOut(word string) bool {
	return b.state == inUnreadableBlock && word != "endif" || b.state == afterOrphan && word != "if"
}

// warnMisplacedMarker warns of a line that is nearly a marker and stays text.
func (d *document) warnMisplacedMarker(i int) {
	text := d.lines[i]
	if !strings.ContainsAny(text, "`~") {
		return
	}
	if m := nearMarkerPattern.FindStringSubmatch(text); m != nil {
		d.add(place{Line: i}, finding{"condition-syntax", "this is not a branch marker: it and its contents are read as text", "write it from the first column, between three backticks, like: ```" + strings.ToLower(m[1]) + "```"})
	}
}

// skipNestedMarker skips the content of a nested if.
func (b *stepBodyReader) skipNestedMarker(m marker) {
	switch m.word {
	case "if":
		b.reportNestedIf(m)
	case "endif":
		b.nestedIfLines = b.nestedIfLines[:len(b.nestedIfLines)-1]
	}
}

func (b *stepBodyReader) reportNestedIf(m marker) {
	b.d.add(place{Line: m.line}, finding{"branch-structure", "branches do not nest: this if and everything up to its endif is ignored", "move the inner if into a step of its own"})
	b.nestedIfLines = append(b.nestedIfLines, m.line)
}

func (b *stepBodyReader) readIf(m marker) {
	if b.state == inBlock || b.state == inUnreadableBlock {
		b.reportNestedIf(m)
		return
	}
	b.state, b.stateLine = inUnreadableBlock, m.line
	if m.valid {
		b.state, b.block = inBlock, &branchBlock{}
		b.currentStep.branchBlocks = append(b.currentStep.branchBlocks, b.block)
		b.openArm(m)
	}
}

// readElifOrElse reads an elif or an else.
func (b *stepBodyReader) readElifOrElse(m marker) {
	switch b.state {
	case inBlock:
		b.closeArm(m.line - 1)
		if !m.valid && m.word == "elif" {
			return // the arm is left out
		}
		if b.block.hasElse {
			b.d.add(place{Line: m.line}, finding{"branch-structure", fmt.Sprintf("%s comes after else: it can never be taken", m.word), "put else last"})
		}
		b.openArm(m)
	case outsideBlocks, afterOrphan:
		if m.valid || m.word == "else" {
			b.d.add(place{Line: m.line}, b.orphanFinding(m))
		}
		b.state = afterOrphan
	}
}

// orphanFinding returns what an elif or else without if was probably meant to be.
func (b *stepBodyReader) orphanFinding(m marker) finding {
	f := finding{"branch-structure", m.word + " has no if: its contents are not executed", "open the block with ```if name == \"value\"```"}
	if b.lastEndifLine > 0 {
		f.message = fmt.Sprintf("%s follows an endif: its contents are not executed; it probably belongs to the if that ends on line %d", m.word, b.lastEndifLine)
		f.suggestion = fmt.Sprintf("remove the ```endif``` of line %d", b.lastEndifLine)
	}
	return f
}

func (b *stepBodyReader) readEndif(m marker) {
	if b.state == outsideBlocks {
		b.d.add(place{Line: m.line}, finding{"branch-structure", "endif has no if", "remove it, or open the block with ```if name == \"value\"```"})
		return
	}
	b.closeArm(m.line - 1)
	b.state, b.block, b.lastEndifLine = outsideBlocks, nil, m.line+1
}

// openArm opens an arm.
func (b *stepBodyReader) openArm(m marker) {
	b.arm, b.substep = &arm{marker: m}, nil
	b.block.arms = append(b.block.arms, b.arm)
	b.block.hasElse = b.block.hasElse || m.word == "else"
}

// closeArm ends the current arm, if there is one.
func (b *stepBodyReader) closeArm(last int) {
	if b.arm == nil {
		return
	}
	b.arm.lastLine = last
	if b.substep != nil {
		b.substep.lastLine = last
	}
	b.arm, b.substep = nil, nil
}

// conditionKey returns an arm's own key, which is its condition.
func (a *arm) conditionKey() string {
	if a.word == "else" {
		return "else"
	}
	return a.cond.variable + a.cond.operator + a.cond.value
}
