package scenario

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"playhead/engine/routes"
	"playhead/engine/sanitize"
	"playhead/engine/wording"
)

// FileReport has the results of a document's scenarios, and the routes that they took.
type FileReport struct {
	Path      string   `json:"path"`
	Scenarios []Report `json:"scenarios"`
	Coverage  Coverage `json:"coverage"`
}

// Coverage counts the routes of a document that scenarios took.
type Coverage struct {
	Routes  routes.Routes `json:"routes"`
	Untaken []string      `json:"never"`
	lines   []int         // the lines of the routes not taken, for people
}

// CoverageOf returns a coverage for the report.
func CoverageOf(c *routes.Coverage) Coverage {
	out := Coverage{Routes: c.Routes(), Untaken: []string{}}
	for _, e := range c.Untaken() {
		out.Untaken = append(out.Untaken, c.Name(e))
		out.lines = append(out.lines, e.Line)
	}
	return out
}

// Failed reports whether any scenario failed.
func (f FileReport) Failed() bool {
	return slices.ContainsFunc(f.Scenarios, func(r Report) bool { return r.Status == Fail })
}

// WriteText writes the report as text.
func (f FileReport) WriteText(w io.Writer) {
	fmt.Fprintln(w, f.Path)
	for _, s := range f.Scenarios {
		fmt.Fprintf(w, "  %-7s  %s%s\n", s.Status, sanitize.Plain(s.Name), failureText(s))
	}
	if len(f.Scenarios) == 0 {
		fmt.Fprintln(w, "  has no scenarios")
	}
	if f.Coverage.Routes.Total == 0 {
		fmt.Fprintln(w, "  has no written routes: its steps run in order")
		return
	}
	fmt.Fprintf(w, "  routes taken: %d of %d\n", f.Coverage.Routes.TakenCount, f.Coverage.Routes.Total)
	for i, route := range f.Coverage.Untaken {
		fmt.Fprintf(w, "    never  line %d  %s\n", f.Coverage.lines[i], sanitize.Plain(route))
	}
}

// WriteFailuresFirst prints what became of the scenarios, the failed ones first, and in summary
// how many passed.
func WriteFailuresFirst(out, summary io.Writer, files []FileReport) {
	order := func(failed bool) int {
		if failed {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(files, func(x, y FileReport) int { return order(x.Failed()) - order(y.Failed()) })
	passed, all := 0, 0
	for _, f := range files {
		slices.SortStableFunc(f.Scenarios, func(x, y Report) int {
			return order(x.Status != Pass) - order(y.Status != Pass)
		})
		for _, s := range f.Scenarios {
			all++
			if s.Status == Pass {
				passed++
			}
		}
		if len(f.Scenarios) > 0 {
			f.WriteText(out)
		}
	}
	fmt.Fprintf(summary, "%s: %d passed\n", wording.Count(all, "scenario"), passed)
}

// failureText returns why a scenario did not pass, and how far it came.
func failureText(s Report) string {
	if s.Status == Pass {
		return ""
	}
	text := ": " + s.Reason
	if len(s.Path) > 0 {
		text += " (path " + strings.Join(s.Path, " ")
		if len(s.Answers) > 0 {
			text += ", answers " + strings.Join(s.Answers, " ")
		}
		text += ")"
	}
	return sanitize.Plain(text)
}
