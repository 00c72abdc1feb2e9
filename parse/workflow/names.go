package workflow

import "strings"

// marks may stand around a name.
const marks = "`*"

// validName reports whether a text is the name of an input or variable (§3.3).
func validName(text string) bool {
	return text != "" && identStart(text) == 0 && (text[0] < '0' || text[0] > '9')
}

// identStart is where the letters, digits and _ begin that a text ends with.
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

// unnoted is a text without notes in parentheses, marks and blanks at its end.
func unnoted(text string) string {
	for {
		was := len(text)
		text = strings.TrimRight(strings.TrimSpace(text), marks)
		if strings.HasSuffix(text, ")") {
			text = text[:noteStart(text)]
		}
		if len(text) == was {
			return text
		}
	}
}

// noteStart is where the note in parentheses begins that a text ends with.
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
