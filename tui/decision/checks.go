package decision

import (
	"slices"
	"strconv"
	"strings"

	"playhead/engine/sanitize"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// CheckLines returns the checks of an outcome in lines of w cells, problems first: a mark, what was checked,
// and what was found, on the same line if it fits.
func CheckLines(dc *draw.Context, checks []plan.Check, w int) []string {
	var out []string
	for _, c := range SortProblemsFirst(checks) {
		found := collapseSpaces(c.Detail)
		if found == "" && c.Verdict == plan.Unverified {
			found = "nobody verified it"
		}
		mark, detail := checkGlyph(dc, c.Verdict), dc.Wrap(found, w-4)
		lines := dc.Wrap(collapseSpaces(c.Text), w-2)
		if len(lines) == 0 {
			lines = []string{""}
		}
		if last := len(lines) - 1; len(detail) == 1 && dc.Width(lines[last])+3+dc.Width(detail[0]) <= w-2 {
			lines[last] += dc.Muted.Paint(" · " + detail[0])
			detail = nil
		}
		out = append(out, dc.MarkedLines(mark+" ", lines)...)
		for _, line := range detail {
			out = append(out, "    "+dc.Muted.Paint(line))
		}
	}
	return out
}

// collapseSpaces returns untrusted text as one paragraph.
func collapseSpaces(s string) string {
	return strings.Join(strings.Fields(sanitize.PlainLines(s)), " ")
}

// checkGlyph returns the one-cell glyph of a check's result.
func checkGlyph(dc *draw.Context, r plan.Result) string {
	switch r {
	case plan.Passed:
		return dc.Pass.Paint("✓")
	case plan.Failed:
		return dc.Fail.Paint("✗")
	}
	return dc.Warn.Paint("△")
}

// SortProblemsFirst returns checks in the order in which they matter to a person: those that do not hold, those
// that nobody has verified, the others.
func SortProblemsFirst(checks []plan.Check) []plan.Check {
	rank := map[plan.Result]int{plan.Failed: -2, plan.Unverified: -1}
	out := slices.Clone(checks)
	slices.SortStableFunc(out, func(a, b plan.Check) int { return rank[a.Verdict] - rank[b.Verdict] })
	return out
}

// CheckSummary returns a summary of checks, such as "1 failed, 1 unverified of 3 checks".
func CheckSummary(checks []plan.Check) string {
	n := map[plan.Result]int{}
	for _, c := range checks {
		n[c.Verdict]++
	}
	var parts []string
	if n[plan.Failed] > 0 {
		parts = append(parts, strconv.Itoa(n[plan.Failed])+" failed")
	}
	if n[plan.Unverified] > 0 {
		parts = append(parts, strconv.Itoa(n[plan.Unverified])+" unverified")
	}
	if len(parts) == 0 {
		return plan.CountText(len(checks), "check") + " passed"
	}
	return strings.Join(parts, ", ") + " of " + plan.CountText(len(checks), "check")
}
