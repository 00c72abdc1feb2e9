package tui

import (
	"cmp"
	"fmt"
	"slices"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// grounds are what the step's outcome was judged by, and its ways out. Where the one that
// was taken would be out of sight, it comes first.
func (v *inspector) grounds(l *look, w, h int) []string {
	r := v.row
	if r == nil {
		return l.Wrap(l.Muted.Paint(l.keys.said(noSteps)), w)
	}
	if r.Step == nil {
		return []string{l.Muted.Paint("Routes belong to steps: select one.")}
	}
	reading, ways := checked(l, r.Checks(), w), v.routes(l, w)
	reading = append(reading, ways.facts...)
	if len(reading)+ways.to < h || len(reading)+len(ways.lines) <= h {
		return append(reading, ways.lines...)
	}
	return slices.Concat(ways.lines[ways.from:ways.to], reading, ways.lines[:ways.from], ways.lines[ways.to:])
}

// ways are a step's routes in lines, and what its outcome was read from.
type ways struct {
	facts, lines []string
	from, to     int // the lines of the one that was taken; from 0 to 0: none was
}

// routes lists the ways out of the step: as they were weighed, or, before that,
// as the document writes them.
func (v *inspector) routes(l *look, w int) ways {
	r := v.row
	d, about := v.decision()
	if v.came != nil && !about {
		if track.Chooses(v.came) {
			return ways{lines: append([]string{v.origin(l, w)}, weighed(l, v.came, w)...)}
		}
		if chosen := choices(l, r, nil, w); len(chosen) > 0 { // it goes on in a branch
			return ways{lines: append(chosen, written(l, r.Step.Routes, w)...)}
		}
		return ways{lines: append([]string{v.origin(l, w)}, written(l, r.Step.Routes, w)...)}
	}
	out := append(choices(l, r, d, w), forced(l, r, d, about, w)...)
	switch {
	case v.passedBy():
		return ways{lines: out}
	case d != nil && len(d.Candidates) > 0:
		all := weigh(l, d, w)
		n := len(out)
		return ways{explained(l, r, d, w), append(out, all.lines...), n + all.from, n + all.to}
	case len(r.Step.Routes) == 0 && len(out) == 0:
		return ways{lines: []string{l.Muted.Paint("This step has no routes of its own.")}}
	}
	return ways{lines: append(out, written(l, r.Step.Routes, w)...)}
}

// choices sets which arms were taken: those of the row, and of the choice that the
// row is an arm of. The one that is the decision d is shown with it.
func choices(l *look, r *track.Row, d *machine.Decision, w int) []string {
	var out []string
	above, _ := r.Choice()
	for _, c := range append([]*machine.Decision{above}, r.Choices...) {
		if c != nil && c != d {
			out = append(out, weighed(l, c, w)...)
		}
	}
	return out
}

// passedBy reports whether the row is in an arm that was not taken.
func (v *inspector) passedBy() bool {
	if v.row == nil || v.row.Status != track.Pending {
		return false
	}
	d, taken := v.row.Choice()
	return d != nil && !taken
}

// origin says, of a step that is not decided yet, which decision led to it.
func (v *inspector) origin(l *look, w int) string {
	ink := l.Accent
	if v.came.Forced {
		ink = l.Warn
	}
	return ink.Paint(l.Cut(from(v.from, v.came), w))
}

// from is where a decision was made that led to a step, and which: from 2, line 38 → 2b.
func from(r *track.Row, d *machine.Decision) string {
	return "from " + draw.Clean(r.Label) + ", " + told(r, d)
}

// ledTo is which decision led to a row, "" where none did.
func ledTo(r *track.Row) string {
	if r.From == nil || r.Came == nil {
		return ""
	}
	return from(r.From, r.Came)
}

// forced says what a person overrode, in the step's outcome or its route.
func forced(l *look, r *track.Row, d *machine.Decision, about bool, w int) []string {
	var out []string
	add := func(text, reason string) {
		if reason != "" {
			text += ": " + draw.Quote(reason)
		}
		out = append(out, l.Warn.Paint(l.Cut(text, w)))
	}
	if r.Forced && r.Outcome != nil {
		add("! "+r.Status.String()+" by hand", r.Outcome.Reason)
	}
	if d != nil && d.Forced && !about {
		add("⇢ ! "+draw.Clean(track.Moved(r.Label, d))+" by hand", r.Reason)
	}
	return out
}

// destination names where a decision leads.
func destination(d *machine.Decision) string {
	switch {
	case d.Arrival.Kind == machine.ToOver && d.Arrival.Message != "":
		return string(d.Arrival.Result) + " " + draw.Quote(d.Arrival.Message)
	case d.Arrival.Kind == machine.ToOver && d.Arrival.Result != "":
		return string(d.Arrival.Result)
	case d.Arrival.Kind == machine.ToSide:
		return "step " + draw.Clean(d.To) + " decides"
	}
	return draw.Clean(d.To)
}

// written lists routes that are still to be decided on.
func written(l *look, rs []plan.Route, w int) []string {
	var out []string
	for _, r := range rs {
		if r.Do.Text == "" {
			continue
		}
		out = append(out, l.Cut("  "+l.Muted.Paint(lineNo(r.Do.Span.Line, r.Do.Implicit))+roadText(r.Do.Text, r.Do.Implicit), w))
	}
	return out
}

// lineNo is the line that a route stands on; one that the format supplies stands on none.
func lineNo(n int, implicit bool) string {
	if n == 0 || implicit {
		return "     "
	}
	return fmt.Sprintf("%4d ", n)
}

// roadText is a route as the document writes it; one that the format supplies says so.
func roadText(s string, implicit bool) string {
	if implicit {
		return draw.Clean(s) + " (default)"
	}
	return draw.Clean(s)
}

// summary is the decision in one line, for a folded pane: the one that is made
// here, else the one that led here.
func (v *inspector) summary() string {
	d, about := v.decision()
	switch {
	case v.row == nil || v.broken():
		return "this document cannot be run"
	case v.came != nil && !about:
		return from(v.from, v.came)
	case d == nil && len(v.row.Checks()) > 0:
		return tally(v.row.Checks()) + " · not decided yet"
	case d == nil:
		return "not decided yet"
	case about:
		return "about to take " + told(v.row, d)
	}
	return told(v.row, d)
}

// told is a decision in a few words: line 37 → 2 · fail; retry 0 of 2 used.
func told(r *track.Row, d *machine.Decision) string {
	switch {
	case d.Forced && r.Reason != "":
		return "⇢ ! " + draw.Clean(d.To) + " by hand: " + draw.Quote(r.Reason)
	case d.Forced:
		return "⇢ ! " + draw.Clean(d.To) + " by hand"
	case d.Taken == nil || *d.Taken >= len(d.Candidates):
		return outcome(d) + " → " + destination(d)
	}
	c := d.Candidates[*d.Taken]
	s := "default"
	if !c.Implicit {
		s = fmt.Sprintf("line %d", c.Line)
	}
	return s + " → " + destination(d) + " · " + draw.Clean(cmp.Or(c.Why, c.Text))
}
