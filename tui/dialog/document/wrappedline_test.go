package document

import (
	"fmt"
	"strings"
	"testing"

	"playhead/tui/keymap"
	"playhead/tui/runview/runviewtest"
)

// TestRowsOfALongLine: rowsAround wraps only a part of a long line, around a byte. The rows do not depend on where
// scrolling began.
func TestRowsOfALongLine(t *testing.T) {
	const width, height = 20, 5
	dc := runviewtest.New(t, keymap.New("", nil, nil)).DrawContext
	for _, word := range []string{"word", "wörd", "単語", "a-word-that-is-longer-than-a-row"} {
		var b strings.Builder
		for i := 0; b.Len() < 12_000; i++ {
			fmt.Fprintf(&b, "%s%d ", word, i)
		}
		line := newWrappedLine(dc, b.String(), width, height)
		rows, from := line.rowsAround(0)
		row, at := 0, from
		for { // down to the end, row by row
			around, aroundFrom := line.rowsAround(at)
			above := rowAt(around, aroundFrom, at)
			if len(around) > 40*height || at > 0 && above == 0 {
				t.Fatalf("%s: byte %d is row %d of %d", word, at, above, len(around))
			}
			if len(around) == above+height { // the last page
				break
			}
			if len(around) < above+height {
				t.Fatalf("%s: less than a page from byte %d on", word, at)
			}
			if row < len(rows) && rows[row] != around[above] {
				t.Fatalf("%s: row %d is %q or %q", word, row, rows[row], around[above])
			}
			row, at = row+1, at+len(around[above])
		}
		last, lastFrom := line.rowsAround(len(line.text))
		if got := lastFrom + len(strings.Join(last[:len(last)-height], "")); got != at {
			t.Errorf("%s: the last page begins at byte %d from above and at %d from the end", word, at, got)
		}
	}
}

// rowAt returns the index of the row that begins at a byte, -1 if there is none.
func rowAt(rows []string, from, at int) int {
	for i, row := range rows {
		if from == at {
			return i
		}
		from += len(row)
	}
	return -1
}
