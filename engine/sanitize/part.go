package sanitize

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A Part is the first character, control character or control sequence of a text.
type Part struct {
	PartKind
	Size             int
	IsIncomplete     bool // more bytes could belong to it
	HasLastingEffect bool // of an InvisiblePart: it changes the style of the text after it, or erases text after the cursor
}

// PartKind is what a Part does.
type PartKind uint8

// The kinds of a Part.
const (
	InvisiblePart PartKind = iota // it shows nothing
	VisiblePart                   // it shows as a character
	MovingPart                    // it moves the cursor, or erases what was read before it
)

// FirstPart reads the first part of s, which is not empty.
func FirstPart(s string) Part {
	t := readToken(s)
	p := Part{Size: t.size, IsIncomplete: !utf8.FullRuneInString(s) || t.size == len(s) && isIncompleteToken(s)}
	switch {
	case t.kind == styleToken, t.kind == motionToken && t.onlyErasesAhead():
		p.HasLastingEffect = true
	case t.kind == motionToken:
		p.PartKind = MovingPart
	case t.kind == textToken && !isIgnorable(t.char):
		p.PartKind = VisiblePart
	}
	return p
}

// onlyErasesAhead reports whether a motionToken only erases text at the cursor and after it.
func (t token) onlyErasesAhead() bool {
	switch t.finalByte {
	case 'X':
		return true
	case 'K', 'J':
		return t.params == "" || t.params == "0"
	}
	return false
}

// isIgnorable reports whether a reader does not notice r between two characters: joiners, marks, variation
// selectors, fillers.
func isIgnorable(r rune) bool {
	return r >= 0x300 && unicode.In(r, unicode.Join_Control, unicode.M, unicode.Other_Default_Ignorable_Code_Point)
}

// isIncompleteToken reports whether the token s may continue with more bytes.
func isIncompleteToken(s string) bool {
	last := s[len(s)-1]
	switch {
	case s == "\x1b", s == "\u009b":
		return true
	case s[0] != escByte && s[0] != 0xc2:
		return false
	}
	switch r, size := utf8.DecodeRuneInString(s); r {
	case escByte:
		return isIncompleteEscape(s, last)
	case 0x9b:
		return last < 0x40 || last > 0x7e
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		return isIncompleteControlString(s[size:])
	}
	return false
}

func isIncompleteEscape(s string, last byte) bool {
	switch s[1] {
	case '[':
		return len(s) == 2 || last < 0x40 || last > 0x7e
	case 'P', 'X', ']', '^', '_':
		return isIncompleteControlString(s[2:])
	}
	return last < 0x30
}

// isIncompleteControlString reports whether a string for the terminal has no end yet.
func isIncompleteControlString(s string) bool {
	if s == "" {
		return true
	}
	switch s[len(s)-1] {
	case 0x07, 0x18, 0x1a:
		return false
	case '\\':
		return len(s) < 2 || s[len(s)-2] != escByte
	case 0x9c:
		return len(s) < 2 || s[len(s)-2] != 0xc2
	}
	return true
}

// A DrawnLine is one line of a terminal, to which text is drawn piece by piece.
type DrawnLine struct{ row terminalRow }

// NewDrawnLine returns an empty line.
func NewDrawnLine() *DrawnLine { return &DrawnLine{terminalRow{nextStyle: blankCell.style}} }

// Draw draws text at the cursor. The text that follows must not combine with its last character.
func (d *DrawnLine) Draw(text string) { d.row.drawText(text) }

// CursorColumn returns the column of the cursor, from 0 on.
func (d *DrawnLine) CursorColumn() int { return d.row.column }

// ColumnCount returns how many columns the line has.
func (d *DrawnLine) ColumnCount() int { return len(d.row.cells) }

// AppendChars appends the characters between two columns, without their marks, and the column of each
// byte. Beyond the line's end there are blanks.
func (d *DrawnLine) AppendChars(text []byte, columns []int, from, to int) ([]byte, []int) {
	for col := max(from, 0); col < to; col++ {
		char := " "
		if col < len(d.row.cells) {
			char = d.row.cells[col].text
		}
		_, size := utf8.DecodeRuneInString(char)
		for _, b := range []byte(char[:size]) {
			text, columns = append(text, b), append(columns, col)
		}
	}
	return text, columns
}

// ColumnWidth returns how many columns a text without control characters takes.
func ColumnWidth(text string) int { return ansi.StringWidth(text) }
