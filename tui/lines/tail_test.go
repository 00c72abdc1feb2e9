package lines

import (
	"strings"
	"testing"
)

// TestLongLinesKeepCharacters: a line that is printed in pieces is not cut within a character.
func TestLongLinesKeepCharacters(t *testing.T) {
	want := strings.Repeat("€", maxPieceBytes) // three bytes each, so a piece of maxPieceBytes would cut one
	log := logTail{unfinishedLine: []byte(want + "\n")}
	var got strings.Builder
	log.takeCompleteLines(func(line []byte) {
		if piece := string(line); len(piece) > maxPieceBytes || !strings.HasPrefix(piece, "€") || !strings.HasSuffix(piece, "€") {
			t.Errorf("a piece of %d bytes begins with %q", len(piece), piece[:3])
		}
		got.Write(line)
	})
	if got.String() != want || len(log.unfinishedLine) != 0 {
		t.Errorf("the pieces have %d bytes, and %d are left", got.Len(), len(log.unfinishedLine))
	}
}
