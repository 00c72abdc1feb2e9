package playbook

import (
	"fmt"
	"playhead/parse/source"
	"strings"
)

// body divides the lines of one step into its own text, its arms and their sub-steps (spec §4).
type body struct {
	d       *document
	s       *step
	state   state
	from    int    // the line of the marker that began the state
	block   *block // the current block, if in an arm
	arm     *arm
	sub     *part // the current sub-step of the arm
	nested  []int // the lines of nested ifs that are open; their content is left out
	ended   int   // the line of the last endif, 0 if there was none
	letters map[string]int
	lone    []*part // implicit sub-steps, which get their letters last
}

// state says where a line is among the branches of a step.
type state int

const (
	outside state = iota
	inBlock
	unread // in a block whose if cannot be read
	orphan // after an elif or else without if
)

// line reads the next line.
func (b *body) line(i int) {
	text := b.d.text[i]
	switch {
	case b.d.code[i]:
		b.add(i)
	case isBareFence(text): // the end of a marker that is written on two lines
	case markerLike(text):
		b.marker(parseMarker(i, text))
	case strings.HasPrefix(text, "###") && b.heading(i):
	case b.directive(i):
	default:
		b.d.misplacedMarker(i)
		b.add(i)
	}
}

// currentPart returns the part to which text belongs, nil if the text is left out.
func (b *body) currentPart() *part {
	switch {
	case b.state == outside:
		return &b.s.part
	case b.arm == nil || len(b.nested) > 0:
		return nil
	}
	return b.sub
}

// add adds a line of text. In an arm, text before the first sub-step heading becomes a sub-step of
// its own.
func (b *body) add(i int) {
	if b.currentPart() == nil && !source.IsBlank(b.d.text[i]) {
		b.begin(i)
	}
	if p := b.currentPart(); p != nil {
		p.from.add(i)
	}
}

// begin opens an implicit sub-step if the line is in an arm.
func (b *body) begin(i int) {
	if b.arm == nil || len(b.nested) > 0 || b.sub != nil {
		return
	}
	p := &part{head: i, number: b.s.number, title: b.s.title, implicit: true}
	b.open(p)
	b.lone = append(b.lone, p)
}

func (b *body) open(p *part) {
	b.sub = p
	b.arm.subs = append(b.arm.subs, p)
}

// directive reads a directive. It reports whether the line is one.
func (b *body) directive(i int) bool {
	known := directiveWord(b.d.text[i])
	if known == "" {
		b.d.nearDirective(i, "the line is sent as text")
		return false
	}
	b.begin(i)
	p := b.currentPart()
	return p == nil || b.d.directive(p, known, i)
}

// substepHeading reads ### STEP Na: Title. If the line is not such a heading, the title is empty.
func substepHeading(text string) (digits, letter, title string) {
	c := cursor{text: text}
	if !c.take("###") || !c.spaces() || !c.take("STEP") || !c.spaces() {
		return "", "", ""
	}
	digits = c.digits()
	letter = c.word()
	if digits == "" || len(letter) != 1 || letter < "a" || letter > "z" || !c.take(":") || !c.spaces() {
		return "", "", ""
	}
	return number(digits), letter, c.rest()
}

// heading reads a sub-step heading. It reports whether the line is one.
func (b *body) heading(i int) bool {
	digits, letter, title := substepHeading(b.d.text[i])
	if title == "" {
		return false
	}
	label := digits + letter
	at := place{Line: i}
	if b.state == outside {
		b.d.add(at, finding{"substep-label", fmt.Sprintf("%s is a sub-step outside a branch: it is read as text of step %s", label, b.s.label), "put it between ```if …``` and ```endif```, or make it a ## STEP"})
		return false
	}
	if b.arm == nil || len(b.nested) > 0 {
		return true
	}
	b.checkLabel(digits, letter, at)
	if b.sub != nil {
		b.sub.last = i - 1
	}
	b.open(&part{head: i, number: b.s.number, label: label, title: title})
	return true
}

func (b *body) checkLabel(digits, letter string, at place) {
	if digits != b.s.label {
		b.d.add(at, finding{"substep-label", fmt.Sprintf("sub-step %s%s is in step %s", digits, letter, b.s.label), "number it " + b.s.label + letter})
	} else if line := b.letters[letter]; line > 0 {
		b.d.add(at, finding{"substep-label", fmt.Sprintf("there is already a sub-step %s%s on line %d", digits, letter, line), "take the next free letter"})
	}
	if b.letters[letter] == 0 {
		b.letters[letter] = at.Line + 1
	}
}

// end closes what is open at the end of the step.
func (b *body) end(last int) {
	for _, line := range b.nested {
		b.unclosed(line)
	}
	if b.state == inBlock || b.state == unread {
		b.unclosed(b.from)
	}
	b.closeArm(last)
	free := byte('a')
	for _, p := range b.lone {
		p.label, free = b.free(free)
		b.d.add(place{Line: p.head}, finding{"implicit-substep", fmt.Sprintf("this text has no sub-step heading: it is sub-step %s", p.label), fmt.Sprintf("write ### STEP %s: Title above it", p.label)})
	}
}

// free returns the label with the first free letter, starting at from. If no letter is free,
// letters are doubled.
func (b *body) free(from byte) (label string, next byte) {
	for ; from <= 'z'; from++ {
		if letter := string(from); b.letters[letter] == 0 {
			b.letters[letter] = 1
			return b.s.label + letter, from + 1
		}
	}
	b.letters[""]++
	n := b.letters[""] - 1
	return b.s.label + string(rune('a'+n/26%26)) + string(rune('a'+n%26)), from
}

func (b *body) unclosed(line int) {
	b.d.add(place{Line: line}, finding{"branch-structure", "this if has no endif: it ends at the end of the step", "write ```endif``` after its last branch"})
}
