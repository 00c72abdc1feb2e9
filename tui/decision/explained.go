package decision

import (
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// Facts is how a step's outcome was read, and what the next prompt is where a
// decision replaces it: facts one behind the other, as many to a line as there is room.
func Facts(l *draw.Look, r *track.Row, d *machine.Decision, w int) []string {
	if d == nil || d.Outcome == nil || r.Step == nil {
		return nil
	}
	facts := r.Step.Explain(*d.Outcome)
	if from := d.Arrival.Origin.From; from != "" {
		facts = append(facts, plan.Fact{Name: "next prompt", Value: from})
	}
	line, out := "", []string{}
	for _, f := range facts {
		fact := l.Muted.Paint(draw.Clean(f.Name)) + " " + draw.FirstLine(f.Value)
		switch next := line + l.Muted.Paint(" · ") + fact; {
		case line == "":
			line = fact
		case l.Width(next) <= w:
			line = next
		default:
			out, line = append(out, l.Wrap(line, w)...), fact
		}
	}
	if line != "" {
		out = append(out, l.Wrap(line, w)...)
	}
	return out
}
