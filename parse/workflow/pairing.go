package workflow

import (
	"regexp"
	"strings"

	"playhead/parse/plan"
)

// pair brings reported results to the declared assertions (§7): by order where the
// texts are equal, or nothing speaks against it, then by text. Assertions left open
// are unverified; results left over stand at the end.
func pair(declared []string, reported []result) (results []result, notes []plan.Note) {
	results = make([]result, len(declared))
	open := map[string][]int{} // assertions by their text, first to last
	for i, text := range declared {
		results[i].text = text
		key := compared(text)
		open[key] = append(open[key], i)
	}
	var rest []result
	for i, r := range reported {
		key := compared(r.text)
		_, known := open[key]
		switch {
		case i < len(declared) && key == compared(declared[i]):
			results[i].take(r)
		case len(reported) == len(declared) && !known:
			results[i].take(r)
			notes = append(notes, remark("assertion-text", "the result for another text was taken for the assertion: "+declared[i]))
		default:
			rest = append(rest, r)
		}
	}
	for _, r := range rest {
		key := compared(r.text)
		for len(open[key]) > 0 && results[open[key][0]].passed != nil {
			open[key] = open[key][1:]
		}
		if len(open[key]) > 0 {
			results[open[key][0]].take(r)
			continue
		}
		results = append(results, r)
		notes = append(notes, remark("assertion-text", "this result is not for one of the step's assertions: "+r.text))
	}
	return results, notes
}

func (to *result) take(r result) { to.passed, to.detail = r.passed, r.detail }

var (
	numbering  = regexp.MustCompile(`^(?:\(?[0-9]+\)|[0-9]+[.:])[\s\p{Z}]+`)
	quotedWith = "`\"'“”‘’«»"
)

// compared is an assertion's text as pairing compares it: quotes around it, leading
// numbering, a final period, letter case and runs of blanks do not count.
func compared(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for {
		length := len(text)
		text = strings.Trim(text, quotedWith+" ")
		text = text[len(numbering.FindString(text)):]
		text = strings.TrimSuffix(text, ".")
		if len(text) == length {
			return strings.ToLower(strings.ToUpper(text)) // ς is σ
		}
	}
}
