package lines

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine"
	"playhead/engine/linediff"
	"playhead/engine/sanitize"
	"playhead/engine/track"
)

// printDocument prints the document that contains a step, with line numbers. The first line of each step has
// a note about the step in this run.
func (in *inspector) printDocument(name string) error {
	doc := in.track.Plan
	if name != "" {
		row, err := in.findRow(name)
		if err != nil {
			return err
		}
		doc = row.Plan()
	}
	notes := map[int]string{}
	in.eachRow(func(r *track.Row, _ int) {
		if r.Step == nil || r.Plan() != doc {
			return
		}
		if note := in.marginNote(r); note != "" {
			notes[r.Step.Span.Line] = "  <- " + note
		}
	})
	lines := linediff.SplitLines(doc.Source)
	digits := len(fmt.Sprint(len(lines)))
	for i, line := range lines {
		in.printLine("  %*d  %s%s", digits, i+1, sanitize.PlainLines(line), notes[i+1])
	}
	return nil
}

// marginNote returns in words what the screen shows of a step in the margin of the document.
func (in *inspector) marginNote(r *track.Row) string {
	var out []string
	if r.Status != track.Pending {
		out = append(out, r.Status.String())
	}
	if slices.ContainsFunc(in.status.Breakpoints, func(b engine.Breakpoint) bool { return b.Step == r.Step.ID }) {
		out = append(out, "breakpoint")
	}
	if r == in.runView.controlRunView().PositionRow() {
		out = append(out, "the run is here")
	}
	return strings.Join(out, ", ")
}
