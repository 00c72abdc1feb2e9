package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// cells measures and shapes text in terminal cells. Terminals count emoji in two
// ways; which one this terminal uses is known once it has answered.
type cells struct{ method ansi.Method }

// width is how many cells a line takes.
func (c cells) width(s string) int {
	if plain(s) {
		return len(s)
	}
	return c.method.StringWidth(s)
}

// plain reports whether a line is printable ASCII: one cell a byte.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// cut shortens a line to w cells; what is missing shows as an ellipsis.
func (c cells) cut(s string, w int) string {
	switch {
	case w <= 0:
		return ""
	case c.width(s) <= w:
		return s
	}
	return c.truncate(s, w, "…")
}

// truncate shortens a line that is longer than w cells. The library takes some lines for
// short enough where emoji count the old way; with blanks behind them it does not.
func (c cells) truncate(s string, w int, tail string) string {
	return c.method.Truncate(s+spaces(w+1), w, tail)
}

// signs is a text with its signs as this terminal draws them.
func (c cells) signs(s string) string {
	if c.method == ansi.WcWidth {
		return separate(s)
	}
	return s
}

// fit makes a line exactly w cells wide.
func (c cells) fit(s string, w int) string {
	s = c.cut(s, w)
	return s + spaces(w-c.width(s))
}

// spread puts one text left and one right on a line of w cells. The left one gives way.
func (c cells) spread(left, right string, w int) string {
	if right == "" {
		return c.fit(left, w)
	}
	rw := c.width(right)
	if rw+1 >= w {
		return c.fit(right, w)
	}
	return c.fit(left, w-rw-1) + " " + right
}

// wrap breaks a text of several lines at words.
func (c cells) wrap(s string, w int) []string {
	if w <= 0 || s == "" {
		return nil
	}
	return strings.Split(c.method.Wrap(s, w, ""), "\n")
}

// hard breaks one line wherever it is full.
func (c cells) hard(s string, w int) []string {
	if w <= 0 || c.width(s) <= w {
		return []string{s}
	}
	return strings.Split(c.method.Hardwrap(s, w, true), "\n")
}

// slice is the part of a line between two columns.
func (c cells) slice(s string, from, to int) string {
	if from <= 0 && c.width(s) <= to {
		return s
	}
	if plain(s) {
		from, to = min(from, len(s)), min(to, len(s))
		return s[from:to]
	}
	if c.width(s) > to {
		s = c.truncate(s, to, "")
	}
	// The library's Cut cuts the wrong end where emoji count the old way.
	return c.method.TruncateLeft(s, from, "")
}

const blanks = "                                                                                                                                                                                                        "

func spaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}

func rule(n int) string { return strings.Repeat("─", max(0, n)) }
