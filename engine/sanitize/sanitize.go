// Package sanitize makes text that others wrote safe to show in a terminal.
//
// A terminal obeys the text that it receives. Untrusted text could move the cursor, erase earlier text,
// set the window's title, write to the clipboard or reverse the reading direction. There are two ways to
// show such text, depending on where it comes from.
//
// Text of documents, models, servers, file names and errors goes through Plain or PlainLines. A person may
// agree to it, so nothing may be lost: hidden characters become escapes, such as \x1b[2K and \u202e
// (visible.go).
//
// The output of programs was meant for a terminal. It goes through Output, OutputPlain or OutputPlainLines,
// which return what a terminal would show. FirstPart reads it piece by piece, and a DrawnLine draws it (part.go).
//
// Most lines are returned unchanged and without an allocation.
package sanitize

import "strings"

// isPrintableOr reports whether s contains only printable ASCII and the byte also.
func isPrintableOr(s string, also byte) bool {
	for i := range len(s) {
		if !isPrintable(s[i]) && s[i] != also {
			return false
		}
	}
	return true
}

func isPrintable(b byte) bool { return b >= ' ' && b < 0x7f }

// The output of a program is read as a terminal would read it (scan.go). Only visible characters and
// styles are kept; styles are the CSI sequences that end in m (SGR). A line that moves the cursor, as
// progress bars do with carriage returns, is first drawn into a row of cells (row.go). The result is
// what a terminal would show at the end of the line.

const resetStyle = "\x1b[0m"

// Output returns one line of a program's output as a terminal would show it. Colours and styles are
// kept. Carriage returns, backspaces, tabs and movements within the line are carried out. All other
// control characters and a line end at the end are removed. The result is valid UTF-8 and leaves no
// style switched on.
func Output[T string | []byte](line T) string { return emulateLine(string(line), true) }

// OutputPlain is like Output, but without colours and styles.
func OutputPlain[T string | []byte](line T) string { return emulateLine(string(line), false) }

// OutputPlainLines is like OutputPlain for several lines: its line ends are LF alone.
func OutputPlainLines[T string | []byte](text T) string {
	s := string(text)
	if isPrintableOr(s, '\n') {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = emulateLine(line, false)
	}
	return strings.Join(lines, "\n")
}

// emulateLine returns one line as a terminal would show it, with or without styles.
func emulateLine(s string, styles bool) string {
	if isPrintableOr(s, ' ') {
		return s
	}
	s = strings.TrimRight(s, "\r\n")
	safe, flat := filterLine(s, styles)
	if !flat {
		safe, _ = filterLine(drawLine(s), styles)
	}
	return safe
}
