package sanitize

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A Part is the first character, control or control sequence of a text, as far as it matters to
// what a person reads.
type Part struct {
	Kind
	Size             int
	IsIncomplete     bool // more bytes could belong to it
	HasLastingEffect bool // of an Invisible part: it changes the style of what follows, or erases what is ahead
}

// Kind is what a Part does.
type Kind uint8

// The kinds of a Part.
const (
	Invisible Kind = iota // nothing shows where it stands
	Letter                // it shows as a character
	Moving                // it moves the cursor, or erases what was read before it
)

// First reads the first part of s, which is not empty.
func First(s string) Part {
	t := next(s)
	p := Part{Size: t.size, IsIncomplete: !utf8.FullRuneInString(s) || t.size == len(s) && unended(s)}
	switch {
	case t.kind == style, t.kind == motion && t.erasesAhead():
		p.HasLastingEffect = true
	case t.kind == motion:
		p.Kind = Moving
	case t.kind == text && !ignorable(t.char):
		p.Kind = Letter
	}
	return p
}

// erasesAhead reports whether a motion erases nothing before the cursor, and leaves it where it is.
func (t token) erasesAhead() bool {
	switch t.final {
	case 'X':
		return true
	case 'K', 'J':
		return t.params == "" || t.params == "0"
	}
	return false
}

// ignorable reports whether two characters read as neighbours with r between them: joiners, marks,
// variation selectors, fillers.
func ignorable(r rune) bool {
	return r >= 0x300 && unicode.In(r, unicode.Join_Control, unicode.M, unicode.Other_Default_Ignorable_Code_Point)
}

// unended reports whether s, one token, may go on.
func unended(s string) bool {
	last := s[len(s)-1]
	switch {
	case s == "\x1b", s == "\u009b":
		return true
	case s[0] != esc && s[0] != 0xc2:
		return false
	}
	switch r, size := utf8.DecodeRuneInString(s); r {
	case esc:
		return escapeUnended(s, last)
	case 0x9b:
		return last < 0x40 || last > 0x7e
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		return stringUnended(s[size:])
	}
	return false
}

func escapeUnended(s string, last byte) bool {
	switch s[1] {
	case '[':
		return len(s) == 2 || last < 0x40 || last > 0x7e
	case 'P', 'X', ']', '^', '_':
		return stringUnended(s[2:])
	}
	return last < 0x30
}

// stringUnended reports whether a string for the terminal has no end yet.
func stringUnended(s string) bool {
	if s == "" {
		return true
	}
	switch s[len(s)-1] {
	case 0x07, 0x18, 0x1a:
		return false
	case '\\':
		return len(s) < 2 || s[len(s)-2] != esc
	case 0x9c:
		return len(s) < 2 || s[len(s)-2] != 0xc2
	}
	return true
}

// A Line is one line of a terminal, drawn as its text comes.
type Line struct{ row row }

// NewLine returns an empty line.
func NewLine() *Line { return &Line{row{style: blank.style}} }

// Draw draws text, which ends where a part ends that nothing joins.
func (s *Line) Draw(text string) { s.row.add(text) }

// Column returns the column of the cursor, from 0 on.
func (s *Line) Column() int { return s.row.col }

// Columns returns how many columns the line has.
func (s *Line) Columns() int { return len(s.row.cells) }

// Read appends the characters between two columns, without their marks, and the column of each
// byte. Beyond the line's end there are blanks.
func (s *Line) Read(text []byte, columns []int, from, to int) ([]byte, []int) {
	for col := max(from, 0); col < to; col++ {
		char := " "
		if col < len(s.row.cells) {
			char = s.row.cells[col].text
		}
		_, size := utf8.DecodeRuneInString(char)
		for _, b := range []byte(char[:size]) {
			text, columns = append(text, b), append(columns, col)
		}
	}
	return text, columns
}

// Width returns how many columns a text without control characters takes.
func Width(text string) int { return ansi.StringWidth(text) }
