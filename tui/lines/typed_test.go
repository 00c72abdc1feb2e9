package lines

import (
	"bytes"
	"slices"
	"testing"
)

// TestTypedLines: lines are complete however the input is divided, and the last one needs no line end.
func TestTypedLines(t *testing.T) {
	for _, pieces := range [][]string{{"yes\nno\n\nlast"}, {"y", "es", "\n", "no\n\n", "la", "st"}, {"yes\nno", "\n\nlast"}} {
		var got []string
		var keys inputBuffer
		take := func() {
			for line, whole := keys.takeNextLine(); whole; line, whole = keys.takeNextLine() {
				got = append(got, line)
			}
		}
		for _, piece := range pieces {
			if !keys.addInput([]byte(piece)) {
				t.Errorf("%q is too long", piece)
			}
			take()
		}
		keys.endLastLine()
		take()
		if want := []string{"yes", "no", "", "last"}; !slices.Equal(got, want) {
			t.Errorf("%q: %q", pieces, got)
		}
	}
}

// TestTypedWithoutEnd: input without a line end is read up to a limit.
func TestTypedWithoutEnd(t *testing.T) {
	var keys inputBuffer
	for range maxLineBytes >> 20 {
		if !keys.addInput(bytes.Repeat([]byte("a"), 1<<20)) {
			t.Fatalf("%d bytes are too many", len(keys.bytes))
		}
	}
	if keys.addInput([]byte("a")) {
		t.Error("input beyond the limit is accepted")
	}
	if !keys.addInput([]byte("\n")) {
		t.Error("a line end at the limit is refused")
	}
}
