// Package sanitize makes text that others wrote safe to show in a terminal.
//
// A terminal obeys what it is sent. Untrusted text could move the cursor, erase what stands
// before it, set the window's title, write the clipboard or turn the reading direction round.
// There are two ways to show such a text, and whose it is decides which.
//
// What a document, a model, a server, a file name or an error says goes through Plain or Text. A
// person agrees to it, so nothing of it may go missing: characters that do not show are written
// as escapes, \x1b[2K and \u202e (visible.go).
//
// What a program printed was meant for a terminal, so it goes through Output, OutputPlain or
// OutputText, which show what a terminal would show (screen.go).
//
// Most lines come out as they went in, without an allocation.
package sanitize

import "strings"

// isClean reports whether s has only printable ASCII and the byte also.
func isClean(s string, also byte) bool {
	for i := range len(s) {
		if !isPrintable(s[i]) && s[i] != also {
			return false
		}
	}
	return true
}

func isPrintable(b byte) bool { return b >= ' ' && b < 0x7f }

// What a program printed is read as a terminal would read it (scan.go), and only two things are
// let through: characters that show as themselves, and colours and styles, which are the CSI
// sequences that end in m (SGR). A line that steers the cursor within itself, as progress bars do
// with carriage returns, is drawn into a row of cells first (row.go), so that it shows what a
// terminal would show at its end.

const resetStyle = "\x1b[0m"

// Output returns one line that a program printed as a terminal would show it: colours and styles
// stay, carriage returns, backspaces, tabs and moves within the line are carried out, every
// other control is gone. A line end at the end is dropped. What it returns is valid UTF-8 and
// leaves no style switched on.
func Output[T string | []byte](line T) string { return emulate(string(line), true) }

// OutputPlain is like Output, but without colours and styles.
func OutputPlain[T string | []byte](line T) string { return emulate(string(line), false) }

// OutputText is like OutputPlain for several lines: its line ends are LF alone.
func OutputText[T string | []byte](text T) string {
	s := string(text)
	if isClean(s, '\n') {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = emulate(line, false)
	}
	return strings.Join(lines, "\n")
}

// emulate emulates one line, with its styles or without.
func emulate(s string, styles bool) string {
	if isClean(s, ' ') {
		return s
	}
	s = strings.TrimRight(s, "\r\n")
	safe, flat := filter(s, styles)
	if !flat {
		safe, _ = filter(draw(s), styles)
	}
	return safe
}
