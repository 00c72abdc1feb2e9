// Package show prints what a document says, and which runs there are: its steps as a tree or a flow, its routes as a
// graph for Graphviz or Mermaid, its diagnostics as lines or SARIF.
package show

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/journal"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// WriteSteps prints the steps of a document, as wide as a terminal or, for 0, as they are.
func WriteSteps(w io.Writer, p *plan.Plan, width int) {
	if isFlow(p) {
		writeFlow(w, p, width)
		return
	}
	writeTree(w, p, width)
}

// WriteProblems prints what is wrong with a document, one diagnostic a line.
func WriteProblems(w io.Writer, p *plan.Plan) {
	if len(p.Source) > 0 || len(p.Files) > 0 {
		WriteDiagnostics(w, p.Diagnostics)
		return
	}
	for _, d := range p.Diagnostics {
		fmt.Fprintln(w, sanitize.Plain(d.StringWithoutLine()))
	}
}

// WriteDiagnostics prints one diagnostic a line. They quote the document.
func WriteDiagnostics(w io.Writer, ds []plan.Diagnostic) {
	for _, d := range ds {
		fmt.Fprintln(w, sanitize.Plain(d.String()))
	}
}

// WriteRuns prints the table of runs. Where it is wider than the terminal, titles and steps give way, and then the
// beginnings of paths, unless two paths would look the same.
func WriteRuns(out io.Writer, all []journal.Summary, width int) error {
	documents, room := []string{"DOCUMENT"}, 0
	for _, r := range all {
		documents = append(documents, sanitize.Plain(r.Path))
		room = max(room, ansi.StringWidth(documents[len(documents)-1]))
	}
	room = min(room, leastDocument)
	lines := runLines(all, wholeStep, maxTitle)
	for _, narrower := range [][2]int{{wholeStep, leastColumn}, {leastColumn, leastColumn}} {
		if width > 0 && width-ansi.StringWidth(lines[0]) < room {
			lines = runLines(all, narrower[0], narrower[1])
		}
	}
	for i, document := range shortenPaths(documents, width-ansi.StringWidth(lines[0])) {
		if _, err := fmt.Fprintln(out, lines[i]+document); err != nil {
			return err
		}
	}
	return nil
}

// runLines returns the table of runs without its last column.
func runLines(all []journal.Summary, step, title int) []string {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "RUN\tSTARTED\tRESULT\tSTEP\tTITLE\t")
	for _, r := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t\n", r.Run, r.Since().Local().Format(time.DateTime), r.Word(),
			ansi.Truncate(sanitize.Plain(position(r)), step, "…"), ansi.Truncate(sanitize.Plain(r.Title), title, "…"))
	}
	_ = w.Flush() // a strings.Builder takes everything
	return strings.Split(strings.TrimSuffix(table.String(), "\n"), "\n")
}

// shortenPaths leaves out the beginnings of paths that are wider than there is room. Where two
// different paths would look the same, both stay whole.
func shortenPaths(paths []string, room int) []string {
	whole := map[string]string{} // by the short path; empty: several are
	for _, path := range paths {
		short := shortenLeft(path, room)
		if other, has := whole[short]; has && other != path {
			path = ""
		}
		whole[short] = path
	}
	out := slices.Clone(paths)
	for i, path := range paths {
		if short := shortenLeft(path, room); whole[short] != "" {
			out[i] = short
		}
	}
	return out
}

const (
	maxTitle      = 24      // how many cells of a title a list has
	wholeStep     = 1 << 10 // the same of a step, whose label is short
	leastColumn   = 10      // what is left of them on a narrow terminal
	leastDocument = 18      // cells of a path, for which they give way
)

// position returns where a run stands, and which run it is a fork of.
func position(r journal.Summary) string {
	if r.Fork == "" {
		return r.Step
	}
	return strings.TrimSpace(r.Step + " (fork of " + r.Fork + ")")
}

// shortenLeft cuts the beginning of a text that is wider than room, unless room is 0.
func shortenLeft(text string, room int) string {
	if excess := ansi.StringWidth(text) - room; room > 0 && excess > 0 {
		return ansi.TruncateLeft(text, excess+1, "…")
	}
	return text
}
