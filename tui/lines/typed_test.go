package lines

import (
	"bytes"
	"slices"
	"testing"
)

// TestTypedLines: lines are those that were typed, however they come; the last needs no end.
func TestTypedLines(t *testing.T) {
	for _, pieces := range [][]string{{"yes\nno\n\nlast"}, {"y", "es", "\n", "no\n\n", "la", "st"}, {"yes\nno", "\n\nlast"}} {
		var got []string
		var keys inputBuffer
		take := func() {
			for line, whole := keys.line(); whole; line, whole = keys.line() {
				got = append(got, line)
			}
		}
		for _, piece := range pieces {
			if !keys.add([]byte(piece)) {
				t.Errorf("%q is too long", piece)
			}
			take()
		}
		keys.end()
		take()
		if want := []string{"yes", "no", "", "last"}; !slices.Equal(got, want) {
			t.Errorf("%q: %q", pieces, got)
		}
	}
}

// TestTypedWithoutEnd: what has no line end is read no further than anybody types.
func TestTypedWithoutEnd(t *testing.T) {
	var keys inputBuffer
	for range maxLine >> 20 {
		if !keys.add(bytes.Repeat([]byte("a"), 1<<20)) {
			t.Fatalf("%d bytes are too many", len(keys.text))
		}
	}
	if keys.add([]byte("a")) {
		t.Error("there is no end")
	}
	if !keys.add([]byte("\n")) {
		t.Error("the line has ended")
	}
}
