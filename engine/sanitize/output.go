package sanitize

import "strings"

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

// OutputPlain is Output without colours and styles.
func OutputPlain[T string | []byte](line T) string { return emulate(string(line), false) }

// OutputText is OutputPlain for several lines: its line ends are LF alone.
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

// emulate does the work for one line, with its styles or without.
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
