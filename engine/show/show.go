// Package show writes what the command line prints: the steps of a document as a tree or a flow, its routes as a graph
// for Graphviz or Mermaid, diagnostics as lines or SARIF, lists of runs, events, and the settings in effect.
package show

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/charmbracelet/x/ansi"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// WriteSteps writes the steps of a document in lines of at most width columns; 0 means no limit.
func WriteSteps(w io.Writer, p *plan.Plan, width int) {
	if isFlow(p) {
		writeFlow(w, p, width)
		return
	}
	writeTree(w, p, width)
}

// WriteDocumentDiagnostics writes the diagnostics of a document, one per line. They have no line numbers if the document could
// not be read.
func WriteDocumentDiagnostics(w io.Writer, p *plan.Plan) {
	if p.HasText() {
		WriteDiagnostics(w, p.Diagnostics)
		return
	}
	for _, d := range p.Diagnostics {
		fmt.Fprintln(w, sanitize.Plain(d.StringWithoutLine()))
	}
}

// WriteDiagnostics writes one diagnostic per line, made safe to show because they quote the document.
func WriteDiagnostics(w io.Writer, ds []plan.Diagnostic) {
	for _, d := range ds {
		fmt.Fprintln(w, sanitize.Plain(d.String()))
	}
}

// WriteRuns writes the table of runs. If it is wider than width, and width is not 0, it shortens titles and steps,
// and then cuts the beginnings of paths, unless two paths would look the same.
func WriteRuns(out io.Writer, all []journal.RunSummary, width int) error {
	documents, room, title := []string{"DOCUMENT"}, 0, 0
	for _, r := range all {
		documents = append(documents, sanitize.Plain(r.Path))
		room = max(room, ansi.StringWidth(documents[len(documents)-1]))
		title = max(title, ansi.StringWidth(sanitize.Plain(r.Title)))
	}
	room, title = min(room, minPathWidth), min(title, maxTitleWidth)
	var lines []string
	for _, step := range []int{maxStepWidth, minColumnWidth} { // titles give way first
		lines = runTableLines(all, step, title)
		missing := room - width + ansi.StringWidth(lines[0])
		if width <= 0 || missing <= 0 {
			break
		}
		lines = runTableLines(all, step, max(minColumnWidth, title-missing))
		if title-missing >= minColumnWidth {
			break
		}
	}
	for i, document := range shortenPaths(documents, width-ansi.StringWidth(lines[0])) {
		if _, err := fmt.Fprintln(out, lines[i]+document); err != nil {
			return err
		}
	}
	return nil
}

// WriteRunsJSON writes runs as a JSON array. The state of a run is the word that the table has.
func WriteRunsJSON(out io.Writer, all []journal.RunSummary) error {
	type run struct {
		journal.RunSummary
		State string `json:"state"`
	}
	list := make([]run, len(all))
	for i, r := range all {
		list[i] = run{r, r.ResultWord()}
	}
	return json.NewEncoder(out).Encode(list)
}

// WriteEvent writes an event as a line of JSON.
func WriteEvent(w io.Writer, e machine.Event) {
	line, err := wording.WithReasonText(e.WithOutputCut()).MarshalJSON() // the line of the journal, except for long outputs and reasons
	if err != nil {
		return // the journal has encoded this event before
	}
	_, _ = w.Write(append(line, '\n')) // if the reader has gone, the process ends
}

// WriteEvents writes events as lines, as in the journal except for escapes and long outputs, until done
// is closed. It skips the first skipCount events.
func WriteEvents(w io.Writer, events *engine.Watcher, skipCount int, done <-chan struct{}) {
	for over := false; !over; {
		select {
		case <-events.Changed():
		case <-done:
			over = true
		}
		for _, e := range events.Take().Events {
			if skipCount > 0 {
				skipCount--
				continue
			}
			WriteEvent(w, e)
		}
	}
}

// runTableLines returns the table of runs without its last column.
func runTableLines(all []journal.RunSummary, step, title int) []string {
	t := table.New().BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).BorderColumn(false).BorderHeader(false).
		StyleFunc(func(int, int) lipgloss.Style { return lipgloss.NewStyle().PaddingRight(2) }).
		Headers("RUN", "STARTED", "RESULT", "STEP", "TITLE")
	for _, r := range all {
		t.Row(r.Run, r.BeganAt().Local().Format(time.DateTime), r.ResultWord(),
			ansi.Truncate(sanitize.Plain(runPosition(r)), step, "…"), ansi.Truncate(sanitize.Plain(r.Title), title, "…"))
	}
	return strings.Split(t.String(), "\n")
}

// shortenPaths cuts the beginnings of paths that are wider than room. If two different paths would look
// the same, both stay whole.
func shortenPaths(paths []string, room int) []string {
	whole := map[string]string{} // the whole path by the shortened one; empty: several paths have it
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
	maxTitleWidth  = 24      // the maximum width of a title, in cells
	maxStepWidth   = 1 << 10 // the maximum width of a step: practically no limit, because labels are short
	minColumnWidth = 10      // the width of shortened titles and steps
	minPathWidth   = 18      // the width of a path for which titles and steps are shortened
)

// runPosition returns the step that a run is at, and the run of which it is a fork.
func runPosition(r journal.RunSummary) string {
	if r.ForkOf == "" {
		return r.Step
	}
	return strings.TrimSpace(r.Step + " (fork of " + r.ForkOf + ")")
}

// shortenLeft cuts the beginning of a text that is wider than room, unless room is 0.
func shortenLeft(text string, room int) string {
	if excess := ansi.StringWidth(text) - room; room > 0 && excess > 0 {
		return ansi.TruncateLeft(text, excess+1, "…")
	}
	return text
}
