package playbook

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// place is where something stands: a line, counted from 0, and a byte of it.
type place struct{ line, at int }

// decode checks and normalizes a file (spec §1). A problem has its place. Removing
// a BOM and turning CRLF and CR into LF moves neither lines nor columns, so places
// in the text are places in the file on disk.
func decode(file []byte) (text string, at place, problem string) {
	b := bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(b, '\r') >= 0 {
		b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
		b = bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
	}
	text = string(b)
	if i := firstInvalid(text); i < len(text) {
		problem = fmt.Sprintf("this is not valid UTF-8 (byte 0x%02x)", text[i])
		if text[i] == 0 {
			problem = "there is a NUL byte: this is not a text file"
		}
		head := text[:i]
		at = place{strings.Count(head, "\n"), i - strings.LastIndexByte(head, '\n') - 1}
	}
	return text, at, problem
}

// firstInvalid is the offset of the first NUL or byte that is not UTF-8, or the
// length of the text.
func firstInvalid(text string) int {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return len(text)
	}
	for i, r := range text {
		if r == 0 {
			return i
		}
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD") {
			return i
		}
	}
	return len(text)
}

// findCode finds the lines that are fenced code, its fences included (spec §1).
// Branch markers are fences of one line, and no code; where one is written over two, the
// backticks that end it open none. open is the line of a fence
// that is never closed, -1 if there is none.
func findCode(lines []string) (code []bool, open int) {
	code = make([]bool, len(lines))
	fence := ""
	open = -1
	split := false // a marker goes on: its backticks are expected on a line of their own
	for i, text := range lines {
		run := fenceRun(text)
		switch {
		case fence == "" && isHeading(text):
			split = false
		case fence == "" && markerLike(text):
			split = !strings.HasSuffix(strings.TrimRight(text, blanks), "```")
		case fence == "" && split && isBareFence(text):
			split = false
		case fence != "":
			code[i] = true
			if closes(text, run, fence) {
				fence, open = "", -1
			}
		case run != "" && opens(text, run):
			code[i] = true
			fence, open = run, i
		}
	}
	return code, open
}

// fenceRun is the run of at least three backticks or tildes that a line starts
// with, "" if it does not.
func fenceRun(text string) string {
	text = unindent(text)
	if text == "" || text[0] != '`' && text[0] != '~' {
		return ""
	}
	n := 1
	for n < len(text) && text[n] == text[0] {
		n++
	}
	if n < 3 {
		return ""
	}
	return text[:n]
}

// opens reports whether a line that starts with a run opens fenced code: the info
// string of backticks holds none, and markers do not count.
func opens(text, run string) bool {
	info := unindent(text)[len(run):]
	return run[0] == '~' || strings.IndexByte(info, '`') < 0 && !markerLike(text)
}

// isBareFence reports whether a line is three backticks and nothing else.
func isBareFence(text string) bool { return strings.TrimRight(unindent(text), blanks) == "```" }

// closes reports whether a line with a run closes a fence: it is as long, and there
// is nothing else.
func closes(text, run, fence string) bool {
	return strings.HasPrefix(run, fence) && strings.TrimSpace(text) == run
}

// unindent removes up to three spaces: as far as a fence may be indented.
func unindent(text string) string {
	n := 0
	for n < len(text) && n < 3 && text[n] == ' ' {
		n++
	}
	return text[n:]
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
