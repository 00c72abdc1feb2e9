package form

import (
	"strings"

	"charm.land/bubbles/v2/textarea"
)

// rowsOf says which rows of an editor begin a line of its text: the others go on with a
// line that is too long for one row, or are behind the last.
type rowsOf struct {
	text   string
	w      int
	begins []bool
}

// promptWidth is how much of a row stands before its text.
const promptWidth = 2

// prompt stands before a row.
func (r *rowsOf) prompt(row int) string {
	if row < len(r.begins) && r.begins[row] {
		return "› "
	}
	return "  "
}

// wrap wraps a text as an editor of a width does, which tells nobody where: so does one of
// a single line.
func (r *rowsOf) wrap(text string, w int) {
	if text == r.text && w == r.w && r.begins != nil {
		return
	}
	r.text, r.w, r.begins = text, w, r.begins[:0]
	single := textarea.New()
	single.ShowLineNumbers, single.Prompt, single.MaxHeight = false, "", 0
	single.SetWidth(w - promptWidth)
	for line := range strings.SplitSeq(text, "\n") {
		single.SetValue(line)
		r.begins = append(r.begins, true)
		for range single.LineInfo().Height - 1 {
			r.begins = append(r.begins, false)
		}
	}
}
