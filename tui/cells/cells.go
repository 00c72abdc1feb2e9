// Package cells measures text in terminal cells. A character takes none, one or two cells. Terminals differ
// in how they count emoji, so a Measure counts like the current terminal.
package cells

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Measure measures and shapes text in terminal cells. Terminals count emoji in one of two ways. Which one
// this terminal uses is known after it has answered.
type Measure struct{ WidthMethod ansi.Method }

// Width returns how many cells a line takes.
func (m Measure) Width(s string) int {
	if isPrintableASCII(s) {
		return len(s)
	}
	return m.WidthMethod.StringWidth(s)
}

// isPrintableASCII reports whether a line is printable ASCII, in which each byte takes one cell.
func isPrintableASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Cut shortens a line to w cells, with an ellipsis if something is missing.
func (m Measure) Cut(s string, w int) string {
	switch {
	case w <= 0:
		return ""
	case m.Width(s) <= w:
		return s
	}
	return m.truncate(s, w, "…")
}

// CutWords is like Cut, but cuts at a blank if that keeps most of the line.
func (m Measure) CutWords(s string, w int) string {
	if m.Width(s) <= w {
		return s
	}
	cut := m.Cut(s, w)
	if at := strings.LastIndexByte(cut, ' '); at > 0 && m.Width(cut[:at]) > w/2 {
		return cut[:at] + " …"
	}
	return cut
}

// truncate shortens a line that is longer than w cells. It appends blanks first: when the library counts
// emoji in the old way, it would leave some lines uncut without them.
func (m Measure) truncate(s string, w int, tail string) string {
	for room := w; ; room-- {
		if out := m.WidthMethod.Truncate(s+Spaces(w+1), room, tail); m.Width(out) <= w || room <= 0 {
			return out // the library counts some emoji as too narrow
		}
	}
}

// AdaptEmoji splits emoji that this terminal does not draw as one sign, so that their width is known.
func (m Measure) AdaptEmoji(s string) string {
	if m.WidthMethod == ansi.WcWidth {
		return SplitEmoji(s)
	}
	return s
}

// Fit makes a line exactly w cells wide.
func (m Measure) Fit(s string, w int) string {
	s = m.Cut(s, w)
	return s + Spaces(w-m.Width(s))
}

// LeftRight puts one text left and one right on a line of w cells. If both do not fit, it cuts the left one.
func (m Measure) LeftRight(left, right string, w int) string {
	if right == "" {
		return m.Fit(left, w)
	}
	rw := m.Width(right)
	if rw+1 >= w {
		return m.Fit(right, w)
	}
	return m.Fit(left, w-rw-1) + " " + right
}

// Wrap breaks a text of several lines at words. A word that is longer than a line, such as a path, may also
// break after a slash. It does not break at a blank with which a quoted value begins or ends: that would hide the blank.
func (m Measure) Wrap(s string, w int) []string {
	if w <= 0 || s == "" {
		return nil
	}
	breaks := ""
	for word := range strings.FieldsSeq(s) {
		if len(word) > w && m.Width(word) > w {
			breaks = "/"
			break
		}
	}
	if glued := glueQuotedBlanks(s); glued != s && !strings.Contains(s, noBreakSpace) {
		return strings.Split(strings.ReplaceAll(m.WidthMethod.Wrap(glued, w, breaks), noBreakSpace, " "), "\n")
	}
	return strings.Split(m.WidthMethod.Wrap(s, w, breaks), "\n")
}

const noBreakSpace = "\u00a0"

// glueQuotedBlanks replaces the blanks with which quoted values begin or end by no-break spaces.
func glueQuotedBlanks(s string) string {
	if !strings.Contains(s, ` "`) && !strings.Contains(s, `" `) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		parts := strings.Split(line, `"`)
		for k := 1; k < len(parts)-1; k += 2 { // between an opening and a closing quote
			inner := strings.Trim(parts[k], " ")
			from := len(parts[k]) - len(strings.TrimLeft(parts[k], " "))
			parts[k] = strings.Repeat(noBreakSpace, from) + inner + strings.Repeat(noBreakSpace, len(parts[k])-from-len(inner))
		}
		lines[i] = strings.Join(parts, `"`)
	}
	return strings.Join(lines, "\n")
}

// codeSeparators are the characters after which a long word in code may break.
const codeSeparators = "/,;=&|"

// WrapCode breaks a line of code into rows of at most w cells, without dropping anything. It breaks before
// blanks, so that the next row shows them, or after a separator. If that leaves less than a third of a row,
// it breaks where the row is full.
func (m Measure) WrapCode(line string, w int) []string {
	if w <= 0 || m.Width(line) <= w {
		return []string{line}
	}
	return m.splitAtColumns(line, m.breakColumns(ansi.Strip(line), w))
}

// WrapText breaks one line of text like WrapCode, without the blanks at which it breaks.
func (m Measure) WrapText(line string, w int) []string {
	rows := m.WrapCode(line, w)
	out := rows[:1]
	for _, row := range rows[1:] {
		if row = strings.TrimLeft(row, " "); row != "" {
			out = append(out, row)
		}
	}
	return out
}

// breakColumns returns the columns at which the rows of an unstyled line begin, except the first row.
func (m Measure) breakColumns(line string, w int) (out []int) {
	from, at, blank, separator, before := 0, 0, 0, 0, ""
	for len(line) > 0 {
		sign, width := m.firstSign(line)
		line = line[len(sign):]
		if sign == " " && before != " " {
			blank = at
		}
		if at+width-from > w {
			switch { // a break that leaves a row less than a third full is not used
			case blank-from >= w/3:
				from = blank
			case separator-from >= w/3:
				from = separator
			default:
				from = at
			}
			out = append(out, from)
		}
		at += width
		if strings.Contains(codeSeparators, sign) {
			separator = at
		}
		before = sign
	}
	return out
}

// splitAtColumns divides a line, which may have styles, at cells.
func (m Measure) splitAtColumns(line string, at []int) []string {
	var rows []string
	var row strings.Builder
	for cell := 0; len(line) > 0; {
		sign, width := m.firstSign(line)
		if width > 0 && len(at) > 0 && cell >= at[0] {
			rows, at = append(rows, row.String()), at[1:]
			row.Reset()
		}
		row.WriteString(sign)
		line, cell = line[len(sign):], cell+width
	}
	return append(rows, row.String())
}

// firstSign returns the first character or control sequence of a line, and its width as Width counts it.
func (m Measure) firstSign(line string) (sign string, width int) {
	if line[0] == '\x1b' {
		_, _, n, _ := ansi.DecodeSequence(line, 0, nil)
		return line[:n], 0
	}
	sign, _ = ansi.FirstGraphemeCluster(line, m.WidthMethod)
	return sign, m.Width(sign)
}

// Slice returns the part of a line between two columns.
func (m Measure) Slice(s string, from, to int) string {
	if from <= 0 && m.Width(s) <= to {
		return s
	}
	if isPrintableASCII(s) {
		from, to = min(from, len(s)), min(to, len(s))
		return s[from:to]
	}
	if m.Width(s) > to {
		s = m.truncate(s, to, "")
	}
	// The library's Cut cuts the wrong end if emoji are counted in the old way.
	return m.WidthMethod.TruncateLeft(s, from, "")
}

// ExpandToCharacters extends a part of a line so that it divides no character.
func (m Measure) ExpandToCharacters(line string, from, to int) (int, int) {
	for at := 0; len(line) > 0; {
		first, w := ansi.FirstGraphemeCluster(line, m.WidthMethod)
		if line = line[len(first):]; at < from && from < at+w {
			from = at
		}
		if at < to && to < at+w {
			to = at + w
		}
		at += w
	}
	return from, to
}

const blanks = "                                                                                                                                                                                                        "

// Spaces returns n blanks, "" if n is negative.
func Spaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}

// HorizontalLine returns a horizontal line of n cells.
func HorizontalLine(n int) string { return strings.Repeat("─", max(0, n)) }

// SplitEmoji splits signs that only some terminals draw as one: joined emoji, skin tones, flags, signs with a
// variant. Each part has the width that Measure gives it, so rows stay aligned on every terminal. It is not
// needed for a terminal that reports that it measures whole signs (mode 2027).
func SplitEmoji(frame string) string {
	if !slices.ContainsFunc(joinerPrefixes[:], func(part string) bool { return strings.Contains(frame, part) }) {
		return frame
	}
	var b strings.Builder
	b.Grow(len(frame))
	for i, r := range frame {
		switch {
		case r == '\u200d' && beginsWithSign(frame[i+len("\u200d"):]), r == '\ufe0f', r == '\u20e3': // joiner, variant, keycap
		case '\U0001f1e6' <= r && r <= '\U0001f1ff': // half a flag
			b.WriteByte(byte('A' + r - '\U0001f1e6'))
		case '\U0001f3fb' <= r && r <= '\U0001f3ff': // a skin tone
			b.WriteString("  ")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// joinerPrefixes are the characters that combine several signs to one, as far as their bytes are equal.
var joinerPrefixes = [...]string{"\u200d", "\ufe0f", "\u20e3", "\U0001f1e6"[:3], "\U0001f3fb"[:3]}

// beginsWithSign reports whether a joiner is followed by a sign. Letters need their joiners, and are drawn the
// same with them on all terminals.
func beginsWithSign(rest string) bool {
	for _, r := range rest {
		return r >= '\u2190'
	}
	return false
}
