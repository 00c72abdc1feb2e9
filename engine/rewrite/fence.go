package rewrite

import (
	"regexp"
	"slices"
	"strings"
)

// block is a fenced block: what stands in front of its fence, the fence, what is behind
// it, the lines between, and the fence that closes it.
var block = regexp.MustCompile("(?s)^([ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})([^\n]*\n)(.*\n)([ \t]*)(`{3,}|~{3,})([ \t]*\n?)$")

// fenced writes the text of a block, with the indentation that its lines have. A fence
// that the text would end gets longer.
func fenced(part string, _ int, old, text string) (string, error) {
	m := block.FindStringSubmatch(part)
	if m == nil || m[6][0] != m[2][0] {
		return "", errElsewhere
	}
	body, ok := inside(m[4], m[1], old, text)
	if !ok {
		return "", errElsewhere
	}
	opens, closes := m[2], m[6]
	if n := longest(text, opens[:1]); n >= len(opens) {
		opens = strings.Repeat(opens[:1], n+1)
		closes = opens
	}
	return m[1] + opens + m[3] + body + m[5] + closes + m[7], nil
}

// inside is the body of a block with another text, between the blank lines that are
// around it.
func inside(body, before, old, text string) (string, bool) {
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	full := func(line string) bool { return strings.TrimSpace(line) != "" }
	from := slices.IndexFunc(lines, full)
	if from < 0 {
		return "", false
	}
	to := len(lines)
	for !full(lines[to-1]) {
		to--
	}
	bare := make([]string, 0, to-from)
	for _, line := range lines[from:to] {
		bare = append(bare, line[min(blanks(line), len(before)):])
	}
	if strings.TrimSpace(strings.Join(bare, "\n")) != old {
		return "", false
	}
	written := indented(text, lines[from][:blanks(lines[from])], spaces(before))
	return strings.Join(slices.Concat(lines[:from], written, lines[to:]), "\n") + "\n", true
}

// indented are the lines of a text, the first behind lead, the others behind indent.
func indented(text, lead, indent string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case i == 0:
			lines[i] = lead + line
		case line != "":
			lines[i] = indent + line
		}
	}
	return lines
}

// blanks is how many blanks a line begins with.
func blanks(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// spaces is the indentation below what stands in front of a fence.
func spaces(before string) string {
	if strings.TrimSpace(before) == "" {
		return before
	}
	return strings.Repeat(" ", len(before))
}

// longest is the length of the longest fence of a character that a line of the text
// begins with.
func longest(text, char string) int {
	n := 0
	for line := range strings.Lines(text) {
		line = line[blanks(line):]
		n = max(n, len(line)-len(strings.TrimLeft(line, char)))
	}
	return n
}
