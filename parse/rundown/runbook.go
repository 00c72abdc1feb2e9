package rundown

import (
	"fmt"
	"strings"

	"github.com/yuin/goldmark/text"
)

const suffix = ".runbook.md"

// hasSuffix ignores letter case.
func hasSuffix(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

// runbook reads an item of one word ending in .runbook.md (spec §3.7), and warns
// of what is nearly one.
func (d *document) runbook(s text.Segment, e *element) bool {
	raw := strings.TrimSpace(d.src.str[s.Start:s.Stop])
	if _, ok := runbookPath(raw); ok {
		e.role, e.doc, e.isShown, e.at = body, raw, false, s.Start
		return true
	}
	path := raw
	if strings.HasPrefix(raw, "`") || strings.HasPrefix(raw, "[") || strings.HasPrefix(raw, "<") {
		path = linkedPath(raw)
	}
	if hasSuffix(path, ".md") && !strings.ContainsAny(path, blanks) && (path == raw || hasSuffix(path, suffix)) {
		d.add(s.Start, finding{"runbook-suffix",
			fmt.Sprintf("%s: %q is prompt text and includes nothing", d.current.name(), raw),
			"to include a document, name it NAME.runbook.md and write its path alone, without marks"})
	}
	return false
}

func runbookPath(raw string) (string, bool) {
	return raw, hasSuffix(raw, suffix) && !strings.ContainsAny(raw, blanks+"`<>") && raw[0] != '['
}

// linkedPath is what a code span or a link leads to, "" if raw is neither.
func linkedPath(raw string) string {
	if inner := strings.Trim(raw, "`"); inner != raw {
		return strings.Trim(inner, blanks)
	}
	if inner := strings.TrimSuffix(strings.TrimPrefix(raw, "<"), ">"); raw[0] == '<' && len(inner) == len(raw)-2 {
		return inner
	}
	_, dest, found := strings.Cut(raw, "](")
	dest, closed := strings.CutSuffix(dest, ")")
	if !found || !closed {
		return ""
	}
	return strings.Trim(firstWord(strings.Trim(dest, blanks)), "<>")
}
