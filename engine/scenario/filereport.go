package scenario

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"playhead/engine/routes"
	"playhead/engine/sanitize"
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
	fmt.Fprintf(w, "  routes taken: %d of %d\n", f.Coverage.Routes.Taken, f.Coverage.Routes.Total)
	for i, route := range f.Coverage.Untaken {
		fmt.Fprintf(w, "    never  line %d  %s\n", f.Coverage.lines[i], sanitize.Plain(route))
	}
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
