package rewrite

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// errTextDiffers is the error for an excerpt that does not contain the expected text, because the
// parser has repaired or assembled the text.
var errTextDiffers = errors.New("the text in the document differs from the text that the step uses: edit the file yourself")

// replaceText returns a file in which text replaces old at a location. It keeps the line ends and everything else. The
// error is errTextDiffers if old is not there.
func replaceText(file []byte, at plan.TextLocation, old, text string) ([]byte, error) {
	all := slices.Collect(strings.Lines(string(file)))
	from, to := at.Span.Line-1, at.Span.LastLine
	if from < 0 || to > len(all) || to <= from {
		return nil, errTextDiffers
	}
	part, end := strings.Join(all[from:to], ""), "\n"
	if strings.Contains(part, "\r\n") {
		end = "\r\n"
	}
	plain := strings.ReplaceAll(part, "\r\n", "\n")
	if strings.ReplaceAll(plain, "\n", end) != part {
		return nil, errors.New("the text in the document mixes LF and CRLF line endings: edit the file yourself")
	}
	written, err := excerptWriter(at)(plain, at.Span.Column, old, text)
	if err != nil {
		return nil, err
	}
	written = strings.ReplaceAll(written, "\n", end)
	return []byte(strings.Join(all[:from], "") + written + strings.Join(all[to:], "")), nil
}

// excerptWriter returns the function that writes a text into an excerpt: it returns the new part of the
// file, in which the text begins at a column.
func excerptWriter(at plan.TextLocation) func(part string, column int, old, text string) (string, error) {
	switch {
	case at.IsFenced:
		return writeBlock
	case at.IsQuotedJSON:
		return writeJSON
	}
	return writePlain
}

func writePlain(part string, column int, old, text string) (string, error) {
	off := columnOffset(part, column)
	behind, ok := cutPrefix(part[off:], old)
	if !ok || old == "" {
		return "", errTextDiffers
	}
	return part[:off] + text + behind, nil
}

// cutPrefix returns what follows a text at the beginning of a part. The part may have additional
// blanks at the end of lines, because formats can leave them out.
func cutPrefix(part, text string) (behind string, ok bool) {
	for line := range strings.Lines(text) {
		bare, whole := strings.CutSuffix(line, "\n")
		if part, ok = strings.CutPrefix(part, bare); ok && whole {
			part, ok = strings.CutPrefix(strings.TrimLeft(part, " \t"), "\n")
		}
		if !ok {
			return "", false
		}
	}
	return part, ok
}

// columnOffset returns the byte offset of a column in the first line.
func columnOffset(text string, column int) int {
	n := 0
	for i := range text {
		if n++; n >= column {
			return i
		}
	}
	return len(text)
}

// lineBreakPattern matches blanks and line breaks, which have no meaning in JSON.
var lineBreakPattern = regexp.MustCompile(`[ \t]*\n[ \t]*`)

func writeJSON(part string, column int, old, text string) (string, error) {
	off := columnOffset(part, column)
	in := json.NewDecoder(strings.NewReader(part[off:]))
	var s string
	if err := in.Decode(&s); err != nil || s != old {
		return "", errTextDiffers
	}
	out, err := plan.EncodeJSON(text)
	if err != nil {
		return "", err
	}
	return part[:off] + string(out) + part[off+int(in.InputOffset()):], nil
}

// fencedBlockPattern matches a fenced block: what is before its fence, the fence, the rest of that line, the
// lines between, and the closing fence.
var fencedBlockPattern = regexp.MustCompile("(?s)^([ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?)(`{3,}|~{3,})([^\n]*\n)(.*\n)([ \t]*)(`{3,}|~{3,})([ \t]*\n?)$")

// writeBlock writes the text of a block with the indentation of its lines. If the text would close
// the fence, the fence becomes longer.
func writeBlock(part string, _ int, old, text string) (string, error) {
	m := fencedBlockPattern.FindStringSubmatch(part)
	if m == nil || m[6][0] != m[2][0] {
		return "", errTextDiffers
	}
	body, ok := replaceBlockBody(m[4], m[1], old, text)
	if !ok {
		return "", errTextDiffers
	}
	opener, closer := m[2], m[6]
	if n := longestFence(text, opener[:1]); n >= len(opener) {
		opener = strings.Repeat(opener[:1], n+1)
		closer = opener
	}
	return m[1] + opener + m[3] + body + m[5] + closer + m[7], nil
}

// replaceBlockBody returns the body of a block with text in the place of old. The blank lines around old stay. before
// is what is before the fence in its line. The result is false if the body does not consist of old.
func replaceBlockBody(body, before, old, text string) (string, bool) {
	lines := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	hasText := func(line string) bool { return strings.TrimSpace(line) != "" }
	from := slices.IndexFunc(lines, hasText)
	if from < 0 {
		return "", false
	}
	to := len(lines)
	for !hasText(lines[to-1]) {
		to--
	}
	bare := make([]string, 0, to-from)
	for _, line := range lines[from:to] {
		bare = append(bare, line[min(indentWidth(line), len(before)):])
	}
	if strings.TrimSpace(strings.Join(bare, "\n")) != old {
		return "", false
	}
	written := indentLines(text, lines[from][:indentWidth(lines[from])], indentBelow(before))
	return strings.Join(slices.Concat(lines[:from], written, lines[to:]), "\n") + "\n", true
}

// indentLines returns the lines of a text, the first with the prefix lead and the others with indent.
func indentLines(text, lead, indent string) []string {
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

// indentWidth returns how many blanks a line begins with.
func indentWidth(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// indentBelow returns the indentation of lines below a fence that has before in front of it.
func indentBelow(before string) string {
	if strings.TrimSpace(before) == "" {
		return before
	}
	return strings.Repeat(" ", len(before))
}

// longestFence returns the length of the longest fence of a character that a line of the text
// begins with.
func longestFence(text, char string) int {
	n := 0
	for line := range strings.Lines(text) {
		line = line[indentWidth(line):]
		n = max(n, len(line)-len(strings.TrimLeft(line, char)))
	}
	return n
}
