// Package sanitize makes text that others wrote safe to show in a terminal: what commands,
// models and tools print, and the titles and prompts of documents.
//
// A terminal obeys what it is sent. Untrusted text could move the cursor, set the window's
// title, write the clipboard, switch screens or turn the reading direction round. So a text is
// read as a terminal would read it (scan.go) and only two things are let through: characters
// that show as themselves (runes.go), and colours and styles, which are the CSI sequences that
// end in m (SGR). Whatever Line returns is therefore free of ESC but for SGR, free of other
// controls, valid UTF-8, and leaves no style switched on.
//
// Most lines come out as they went in, without an allocation. A line that steers the cursor
// within itself, as progress bars do with carriage returns, is drawn into a row of cells first
// (row.go), so that it shows what a terminal would show at its end.
package sanitize

import "strings"

const resetStyle = "\x1b[0m"

// Line returns one line of raw command output as a terminal would show it: colours and styles
// stay, carriage returns, backspaces, tabs and moves within the line are carried out, every
// other control is gone. A line end at the end is dropped.
func Line[T string | []byte](s T) string { return show(string(s), true) }

// Plain returns text as one line without any control, colour or style. Line ends become spaces.
func Plain[T string | []byte](s T) string {
	text := strings.TrimRight(string(s), "\r\n")
	if strings.Contains(text, "\n") {
		text = strings.NewReplacer("\r\n", " ", "\n", " ").Replace(text)
	}
	return show(text, false)
}

// Text is Plain for text of several lines: its line ends are LF alone.
func Text[T string | []byte](s T) string {
	text := string(s)
	if isClean(text, '\n') {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = show(line, false)
	}
	return strings.Join(lines, "\n")
}

// show does the work for one line, with its styles or without.
func show(s string, styles bool) string {
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

// isClean says whether s is printable ASCII and the byte also alone.
func isClean(s string, also byte) bool {
	for i := range len(s) {
		if !isPrintable(s[i]) && s[i] != also {
			return false
		}
	}
	return true
}

func isPrintable(b byte) bool { return b >= ' ' && b < 0x7f }
