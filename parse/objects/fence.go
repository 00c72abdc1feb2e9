package objects

import (
	"encoding/json"
	"strings"
)

// Block is a fenced block of code in a text.
type Block struct{ Tag, Text string } // Tag is the first word behind the fence

// Fenced are the fenced blocks of a text that are closed, in their order.
func Fenced(text string) []Block {
	var out []Block
	fence, tag := "", ""
	from, at := 0, 0
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		run := fenceRun(bare)
		switch {
		case fence == "" && run != "":
			fence, tag, from = run, firstWord(bare[len(run):]), at+len(line)
		case fence != "" && run == bare && strings.HasPrefix(run, fence):
			out, fence = append(out, Block{tag, text[from:at]}), ""
		}
		at += len(line)
	}
	return out
}

// JSON is the JSON of a text that is JSON, or holds it: its last fenced block, or else its
// last object.
func JSON(text string) (raw string, ok bool) {
	if json.Valid([]byte(text)) {
		return text, true
	}
	if blocks := Fenced(text); len(blocks) > 0 {
		if raw = strings.TrimSpace(blocks[len(blocks)-1].Text); json.Valid([]byte(raw)) {
			return raw, true
		}
	}
	raw = Last(text)
	return raw, raw != ""
}

func firstWord(text string) string {
	for word := range strings.FieldsSeq(text) {
		return word
	}
	return ""
}

// fenceRun is the fence that a line begins with, "" if it has none.
func fenceRun(line string) string {
	for _, mark := range []string{"`", "~"} {
		n := len(line) - len(strings.TrimLeft(line, mark))
		if n >= 3 && !strings.Contains(line[n:], "`") {
			return line[:n]
		}
	}
	return ""
}
