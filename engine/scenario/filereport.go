package scenario

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"playhead/engine/routes"
	"playhead/engine/sanitize"
)

// FileReport says how the scenarios of a document went, and which of its routes they took.
type FileReport struct {
	Path      string   `json:"path"`
	Scenarios []Report `json:"scenarios"`
	Coverage  Coverage `json:"coverage"`
}

// Coverage is which routes of a document scenarios took.
type Coverage struct {
	Routes  routes.Routes `json:"routes"`
	Untaken []string      `json:"never"`
	lines   []int         // of those, for people
}

// CoverageOf is a coverage as it is reported.
func CoverageOf(c *routes.Coverage) Coverage {
	out := Coverage{Routes: c.Routes(), Untaken: []string{}}
	for _, e := range c.Untaken() {
		out.Untaken = append(out.Untaken, c.Name(e))
		out.lines = append(out.lines, e.Line)
	}
	return out
}

// Failed reports whether a scenario has failed.
func (f FileReport) Failed() bool {
	return slices.ContainsFunc(f.Scenarios, func(r Report) bool { return r.Status == Fail })
}

// WriteText prints the report as text.
func (f FileReport) WriteText(w io.Writer) {
	fmt.Fprintln(w, f.Path)
	for _, s := range f.Scenarios {
		fmt.Fprintf(w, "  %-7s  %s%s\n", s.Status, sanitize.Plain(s.Name), failureText(s))
	}
	if len(f.Scenarios) == 0 {
		fmt.Fprintln(w, "  has no scenarios")
	}
	if f.Coverage.Routes.Total == 0 {
		fmt.Fprintln(w, "  writes no routes: its steps follow each other")
		return
	}
	fmt.Fprintf(w, "  routes taken: %d of %d\n", f.Coverage.Routes.Taken, f.Coverage.Routes.Total)
	for i, route := range f.Coverage.Untaken {
		fmt.Fprintf(w, "    never  line %d  %s\n", f.Coverage.lines[i], sanitize.Plain(route))
	}
}

// failureText is why a scenario has not passed, and how far it came.
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
