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

// document prints the document that a step is in with the numbers of its lines. Beside the line at which
// a step begins stands what the run did there.
func (v *inspector) document(name string) error {
	doc := v.track.Plan
	if name != "" {
		row, err := v.step(name)
		if err != nil {
			return err
		}
		doc = row.Plan()
	}
	notes := map[int]string{}
	v.eachRow(func(r *track.Row, _ int) {
		if r.Step == nil || r.Plan() != doc {
			return
		}
		if note := v.noteOf(r); note != "" {
			notes[r.Step.Span.Line] = "  <- " + note
		}
	})
	lines := linediff.Split(doc.Source)
	digits := len(fmt.Sprint(len(lines)))
	for i, line := range lines {
		v.line("  %*d  %s%s", digits, i+1, sanitize.Text(line), notes[i+1])
	}
	return nil
}

// noteOf returns in words what the margin of the screen's document shows of a step.
func (v *inspector) noteOf(r *track.Row) string {
	var out []string
	if r.Status != track.Pending {
		out = append(out, r.Status.String())
	}
	if slices.ContainsFunc(v.status.Breaks, func(b engine.Breakpoint) bool { return b.Step == r.Step.ID }) {
		out = append(out, "breakpoint")
	}
	if r == v.view.run().Position() {
		out = append(out, "the run is here")
	}
	return strings.Join(out, ", ")
}
