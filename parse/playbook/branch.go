package playbook

import (
	"fmt"
	"strings"
)

// marker reads a branch marker (spec §4).
func (b *body) marker(m marker) {
	if len(b.nested) > 0 {
		b.inside(m)
		return
	}
	if !m.valid && !b.passes(m.word) {
		b.d.add(place{Line: m.line}, m.wrong(b.d.text[m.line]))
	}
	switch m.word {
	case "if":
		b.opens(m)
	case "endif":
		b.closes(m)
	default:
		b.alternative(m)
	}
}

// passes reports whether a marker belongs to something that is left out anyway.
func (b *body) passes(word string) bool {
	return b.state == unread && word != "endif" || b.state == orphan && word != "if"
}

// misplacedMarker warns of a line that is nearly a marker and stays text.
func (d *document) misplacedMarker(i int) {
	text := d.text[i]
	if !strings.ContainsAny(text, "`~") {
		return
	}
	if m := nearMarker.FindStringSubmatch(text); m != nil {
		d.add(place{Line: i}, finding{"condition-syntax", "this is not a branch marker: it and its contents are read as text", "write it from the first column, between three backticks, like: ```" + strings.ToLower(m[1]) + "```"})
	}
}

// inside skips the content of a nested if.
func (b *body) inside(m marker) {
	switch m.word {
	case "if":
		b.reportNestedIf(m)
	case "endif":
		b.nested = b.nested[:len(b.nested)-1]
	}
}

func (b *body) reportNestedIf(m marker) {
	b.d.add(place{Line: m.line}, finding{"branch-structure", "branches do not nest: this if and everything up to its endif is ignored", "make the inner choice a step of its own"})
	b.nested = append(b.nested, m.line)
}

func (b *body) opens(m marker) {
	if b.state == inBlock || b.state == unread {
		b.reportNestedIf(m)
		return
	}
	b.state, b.from = unread, m.line
	if m.valid {
		b.state, b.block = inBlock, &block{}
		b.s.blocks = append(b.s.blocks, b.block)
		b.enter(m)
	}
}

// alternative reads an elif or an else.
func (b *body) alternative(m marker) {
	switch b.state {
	case inBlock:
		b.closeArm(m.line - 1)
		if !m.valid && m.word == "elif" {
			return // the arm is left out
		}
		if b.block.closed {
			b.d.add(place{Line: m.line}, finding{"branch-structure", fmt.Sprintf("%s comes after else: it can never be taken", m.word), "put else last"})
		}
		b.enter(m)
	case outside, orphan:
		if m.valid || m.word == "else" {
			b.d.add(place{Line: m.line}, b.orphanFinding(m))
		}
		b.state = orphan
	}
}

// orphanFinding returns what an elif or else without if was probably meant to be.
func (b *body) orphanFinding(m marker) finding {
	f := finding{"branch-structure", m.word + " has no if: its contents are not executed", "open the branch with ```if name == \"value\"```"}
	if b.ended > 0 {
		f.message = fmt.Sprintf("%s follows an endif: its contents are not executed; it probably belongs to the if that ends on line %d", m.word, b.ended)
		f.suggestion = fmt.Sprintf("remove the ```endif``` of line %d", b.ended)
	}
	return f
}

func (b *body) closes(m marker) {
	if b.state == outside {
		b.d.add(place{Line: m.line}, finding{"branch-structure", "endif has no if", "remove it, or open the branch with ```if name == \"value\"```"})
		return
	}
	b.closeArm(m.line - 1)
	b.state, b.block, b.ended = outside, nil, m.line+1
}

// enter opens an arm.
func (b *body) enter(m marker) {
	b.arm, b.sub = &arm{marker: m}, nil
	b.block.arms = append(b.block.arms, b.arm)
	b.block.closed = b.block.closed || m.word == "else"
}

// closeArm ends the current arm, if there is one.
func (b *body) closeArm(last int) {
	if b.arm == nil {
		return
	}
	b.arm.last = last
	if b.sub != nil {
		b.sub.last = last
	}
	b.arm, b.sub = nil, nil
}

// key returns an arm's own key, which is its condition.
func (a *arm) key() string {
	if a.word == "else" {
		return "else"
	}
	return a.cond.variable + a.cond.operator + a.cond.value
}
