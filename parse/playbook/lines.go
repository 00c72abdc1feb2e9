package playbook

import (
	"strings"

	"playhead/parse/source"
)

// place is where something stands: a line, counted from 0, and a byte of it.
type place struct{ Line, At int }

// findCode finds the lines that are fenced code, its fences included (spec §1).
// Branch markers are fences of one line, and no code; where one is written over two, the
// backticks that end it open none. open is the line of a fence
// that is never closed, -1 if there is none.
func findCode(lines []string) (code []bool, open int) {
	code = make([]bool, len(lines))
	open = -1
	var opener source.Fence
	split := false // a marker goes on: its backticks are expected on a line of their own
	for i, text := range lines {
		fence, isFence := fenceOf(text)
		switch {
		case open >= 0:
			code[i] = true
			if isFence && fence.Closes(opener) {
				open = -1
			}
		case isHeading(text):
			split = false
		case markerLike(text):
			split = !strings.HasSuffix(strings.TrimRight(text, blanks), "```")
		case split && isBareFence(text):
			split = false
		case isFence && opens(fence, text):
			code[i] = true
			opener, open = fence, i
		}
	}
	return code, open
}

// fenceOf reads a line as a fence, which is indented by three columns at most.
func fenceOf(text string) (source.Fence, bool) {
	f, ok := source.ReadFence(text)
	return f, ok && f.Columns <= source.MaxFenceIndent
}

// opens reports whether a fence opens a block of code: markers do not.
func opens(f source.Fence, text string) bool {
	return f.CanOpen() && (f.Char == '~' || !markerLike(text))
}

// isBareFence reports whether a line is three backticks and nothing else.
func isBareFence(text string) bool { return strings.TrimRight(unindent(text), blanks) == "```" }

// unindent removes up to three spaces: as far as a fence may be indented.
func unindent(text string) string {
	n := 0
	for n < len(text) && n < 3 && text[n] == ' ' {
		n++
	}
	return text[n:]
}
