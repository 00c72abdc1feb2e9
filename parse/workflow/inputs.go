package workflow

import (
	"fmt"
	"strings"
)

// Input is a variable that a step needs, as shown by `show` (§2).
type Input struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// input is an Input with the place of its name.
type input struct {
	Input
	at place
}

// readInput reads an item of a list of inputs: a name, a colon and a description. The index has the
// position of each name in the step's inputs.
func (d *document) readInput(s *step, it *item, index map[string]int) {
	left, description, found := cutColon(it.text)
	name := strings.TrimLeft(withoutNotes(left), marks)
	if !validName(name) {
		d.noName(s, it, "input", "`- NAME: description`")
		return
	}
	in := input{Input{name, description}, it.place(strings.Index(it.text, name))}
	d.checkName(s, in.at, name)
	opened := left[:len(left)-len(strings.TrimLeft(left, marks))]
	if opened != "" && !strings.HasSuffix(strings.TrimSpace(left), opened) { // **NAME:** description
		in.Description = strings.TrimSpace(strings.TrimPrefix(description, opened))
	}
	if !found || strings.TrimSpace(left) != name {
		d.add(in.at, s, finding{"item-form", "an input is a name, a colon and what it is", "write `- " + name + ": description`"})
	}
	if i, twice := index[name]; twice {
		d.duplicate(s, in.at, "input", name)
		s.inputs[i].Description = in.Description
		return
	}
	index[name] = len(s.inputs)
	s.inputs = append(s.inputs, in)
}

// cutColon splits a text at its first colon.
func cutColon(text string) (before, after string, found bool) {
	i := strings.IndexAny(text, ":：")
	if i < 0 {
		return text, "", false
	}
	size := 1
	if text[i] != ':' {
		size = len("：")
	}
	return text[:i], strings.TrimSpace(text[i+size:]), true
}

// noName leaves out an item that names no variable.
func (d *document) noName(s *step, it *item, what, form string) {
	d.add(it.place(0), s, finding{"item-dropped", fmt.Sprintf("this %s has no valid name, so it is ignored", what), "write it like " + form})
}

// checkName warns of a name that no placeholder can have.
func (d *document) checkName(s *step, at place, name string) {
	if !substitutable(name) {
		d.add(at, s, finding{"variable-name", fmt.Sprintf("a placeholder cannot be called %s", name), "use capitals, digits and underscores"})
	}
}

func (d *document) duplicate(s *step, at place, what, name string) {
	d.add(at, s, finding{"duplicate-variable", fmt.Sprintf("the step already has an %s %s", what, name), "keep one"})
}

// marks may surround a name.
const marks = "`*"

// validName reports whether a text can be the name of an input or variable (§3.3).
func validName(text string) bool {
	return text != "" && identStart(text) == 0 && (text[0] < '0' || text[0] > '9')
}

// identStart returns the offset of the letters, digits and _ with which a text ends.
func identStart(text string) int {
	n := len(text)
	for n > 0 && identByte(text[n-1]) {
		n--
	}
	return n
}

func identByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// withoutNotes returns a text without trailing notes in parentheses, marks and blanks.
func withoutNotes(text string) string {
	for {
		length := len(text)
		text = strings.TrimRight(strings.TrimSpace(text), marks)
		if strings.HasSuffix(text, ")") {
			text = text[:noteStart(text)]
		}
		if len(text) == length {
			return text
		}
	}
}

// noteStart returns the offset of the note in parentheses with which a text ends.
func noteStart(text string) int {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}
