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

// placedInput is an Input with the place of its name.
type placedInput struct {
	Input
	place place
}

// readInput reads an item of a list of inputs: a name, a colon and a description. The index has the
// position of each name in the step's inputs.
func (d *document) readInput(s *step, it *item, index map[string]int) {
	left, description, found := cutAtColon(it.text)
	name := strings.TrimLeft(trimTrailingNotes(left), marksAroundName)
	if !isValidName(name) {
		d.warnUnnamedItem(s, it, "input", "`- NAME: description`")
		return
	}
	in := placedInput{Input{name, description}, it.placeAt(strings.Index(it.text, name))}
	d.warnUnusableName(s, in.place, name)
	openingMarks := left[:len(left)-len(strings.TrimLeft(left, marksAroundName))]
	if openingMarks != "" && !strings.HasSuffix(strings.TrimSpace(left), openingMarks) { // **NAME:** description
		in.Description = strings.TrimSpace(strings.TrimPrefix(description, openingMarks))
	}
	if !found || strings.TrimSpace(left) != name {
		d.add(in.place, s, finding{"item-form", "an input should be just a name, a colon and a description", "write `- " + name + ": description`"})
	}
	if i, twice := index[name]; twice {
		d.warnDuplicate(s, in.place, "input", name)
		s.inputs[i].Description = in.Description
		return
	}
	index[name] = len(s.inputs)
	s.inputs = append(s.inputs, in)
}

// cutAtColon splits a text at its first colon.
func cutAtColon(text string) (before, after string, found bool) {
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

// warnUnnamedItem warns of an item that names no variable, and so is ignored.
func (d *document) warnUnnamedItem(s *step, it *item, what, form string) {
	d.add(it.placeAt(0), s, finding{"item-dropped", fmt.Sprintf("this %s has no valid name, so it is ignored", what), "write it like " + form})
}

// warnUnusableName warns of a name that no placeholder can have.
func (d *document) warnUnusableName(s *step, at place, name string) {
	if !isPlaceholderName(name) {
		d.add(at, s, finding{"variable-name", fmt.Sprintf("[%s] does not work as a placeholder", name), "use capitals, digits and underscores"})
	}
}

func (d *document) warnDuplicate(s *step, at place, what, name string) {
	d.add(at, s, finding{"duplicate-variable", fmt.Sprintf("the step already has an %s %s", what, name), "keep one"})
}

// marksAroundName may surround a name.
const marksAroundName = "`*"

// isValidName reports whether a text can be the name of an input or variable (§3.3).
func isValidName(text string) bool {
	return text != "" && trailingNameStart(text) == 0 && (text[0] < '0' || text[0] > '9')
}

// trailingNameStart returns the offset of the letters, digits and _ with which a text ends.
func trailingNameStart(text string) int {
	n := len(text)
	for n > 0 && isIdentifierByte(text[n-1]) {
		n--
	}
	return n
}

func isIdentifierByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// trimTrailingNotes returns a text without trailing notes in parentheses, marks and blanks.
func trimTrailingNotes(text string) string {
	for {
		length := len(text)
		text = strings.TrimRight(strings.TrimSpace(text), marksAroundName)
		if strings.HasSuffix(text, ")") {
			text = text[:trailingNoteStart(text)]
		}
		if len(text) == length {
			return text
		}
	}
}

// trailingNoteStart returns the offset of the note in parentheses with which a text ends.
func trailingNoteStart(text string) int {
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
