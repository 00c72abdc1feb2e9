package scenario

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"playhead/engine/routes"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// FileReport has the results of a document's scenarios, and the routes that they took.
type FileReport struct {
	Path      string        `json:"path"`
	Scenarios []Report      `json:"scenarios"`
	Coverage  RouteCoverage `json:"coverage"`
}

// RouteCoverage counts the routes of a document that scenarios took.
type RouteCoverage struct {
	Routes       routes.RouteTotals `json:"routes"`
	Untaken      []string           `json:"never"`
	untakenLines []int              // the lines of the routes in Untaken, for WriteText
}

// NewRouteCoverage returns a coverage for the report.
func NewRouteCoverage(c *routes.Coverage) RouteCoverage {
	out := RouteCoverage{Routes: c.Counts(), Untaken: []string{}}
	for _, e := range c.UntakenEdges() {
		out.Untaken = append(out.Untaken, c.EdgeName(e))
		out.untakenLines = append(out.untakenLines, e.Line)
	}
	return out
}

// HasFailures reports whether any scenario failed.
func (f FileReport) HasFailures() bool {
	return slices.ContainsFunc(f.Scenarios, func(r Report) bool { return r.Status == StatusFail })
}

// WriteText writes the report as text.
func (f FileReport) WriteText(w io.Writer) {
	fmt.Fprintln(w, f.Path)
	for _, s := range f.Scenarios {
		fmt.Fprintf(w, "  %-7s  %s%s\n", s.Status, sanitize.Plain(s.Name), failureText(s))
	}
	if len(f.Scenarios) == 0 {
		fmt.Fprintln(w, "  no scenarios")
	}
	if f.Coverage.Routes.Total == 0 {
		fmt.Fprintln(w, "  "+routes.NoExplicitRoutesText)
		return
	}
	fmt.Fprintf(w, "  routes taken: %d of %d\n", f.Coverage.Routes.TakenCount, f.Coverage.Routes.Total)
	for i, route := range f.Coverage.Untaken {
		fmt.Fprintf(w, "    not taken  line %d  %s\n", f.Coverage.untakenLines[i], sanitize.Plain(route))
	}
}

// WriteFailuresFirst writes the results of the scenarios to out, failed ones first, and the number of
// passed ones to summary.
func WriteFailuresFirst(out, summary io.Writer, files []FileReport) {
	order := func(failed bool) int {
		if failed {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(files, func(x, y FileReport) int { return order(x.HasFailures()) - order(y.HasFailures()) })
	passed, all := 0, 0
	for _, f := range files {
		slices.SortStableFunc(f.Scenarios, func(x, y Report) int {
			return order(x.Status != StatusPass) - order(y.Status != StatusPass)
		})
		for _, s := range f.Scenarios {
			all++
			if s.Status == StatusPass {
				passed++
			}
		}
		if len(f.Scenarios) > 0 {
			f.WriteText(out)
		}
	}
	fmt.Fprintf(summary, "%s: %d passed\n", plan.CountText(all, "scenario"), passed)
}

// failureText returns why a scenario did not pass, with its path and its answers. It returns "" for one
// that passed.
func failureText(s Report) string {
	if s.Status == StatusPass {
		return ""
	}
	text := ": " + s.Reason
	if len(s.ActualPath) > 0 {
		text += " (actual path " + strings.Join(s.ActualPath, " ")
		if len(s.QueuedAnswers) > 0 {
			text += ", answers " + strings.Join(s.QueuedAnswers, " ")
		}
		text += ")"
	}
	return sanitize.Plain(text)
}
