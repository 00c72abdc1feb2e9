package wording

import (
	"fmt"
	"slices"

	"playhead/engine/machine"
	"playhead/engine/track"
)

// LeftBy returns the route by which a group was left before its decision, and which of its own
// routes were not evaluated, such as "left by line 25; lines 9–10 were not evaluated".
func LeftBy(r *track.Row) string {
	text := "left undecided"
	switch d := newestDecision(r.Children); {
	case d == nil:
	case d.ByPerson:
		text = "left by a jump"
	case d.CandidateIndex != nil && *d.CandidateIndex < len(d.Candidates) && d.Candidates[*d.CandidateIndex].Line > 0:
		text = fmt.Sprintf("left by line %d", d.Candidates[*d.CandidateIndex].Line)
	}
	if r.Step == nil {
		return text
	}
	var lines []int
	for _, route := range r.Step.Routes {
		if !route.Do.Implicit && route.Do.Span.Line > 0 {
			lines = append(lines, route.Do.Span.Line)
		}
	}
	switch {
	case len(lines) == 0:
		return text
	case slices.Min(lines) == slices.Max(lines):
		return fmt.Sprintf("%s; line %d was not evaluated", text, lines[0])
	}
	return fmt.Sprintf("%s; lines %d–%d were not evaluated", text, slices.Min(lines), slices.Max(lines))
}

// newestDecision returns the newest decision of rows or of rows below them, nil if there is none.
func newestDecision(rows []*track.Row) *machine.Decision {
	var newest machine.Event
	var walk func([]*track.Row)
	walk = func(rows []*track.Row) {
		for _, r := range rows {
			for _, v := range r.History() {
				for _, e := range v.Events {
					if _, is := e.Body.(*machine.Decision); is && e.Seq > newest.Seq {
						newest = e
					}
				}
			}
			walk(r.Children)
		}
	}
	walk(rows)
	d, _ := newest.Body.(*machine.Decision)
	return d
}
