// Package decision is a run's decisions in words: where one leads, what it weighed, and
// what the outcome that it was made about was judged by.
package decision

import (
	"cmp"
	"fmt"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/draw"
)

// Told is a decision in a few words: line 37 → 2 · fail; retry 0 of 2 used.
func Told(r *track.Row, d *machine.Decision) string {
	switch {
	case d.Forced:
		return Sent(d.To, r.Reason)
	case d.Taken == nil || *d.Taken >= len(d.Candidates):
		return Outcome(d) + " → " + Destination(d)
	}
	c := d.Candidates[*d.Taken]
	s := "default"
	if !c.Implicit {
		s = fmt.Sprintf("line %d", c.Line)
	}
	return s + " → " + Destination(d) + " · " + draw.Clean(cmp.Or(c.Why, c.Text))
}

// Outcome is what a decision was made about: fail, exit 1.
func Outcome(d *machine.Decision) string {
	if d.Outcome == nil {
		return ""
	}
	s := string(d.Outcome.Result)
	if d.Outcome.Intent != "" {
		s += " " + draw.Clean(d.Outcome.Intent)
	}
	if d.Outcome.Source != "" {
		s += ", " + draw.Clean(d.Outcome.Source)
	}
	return s
}

// Destination names where a decision leads.
func Destination(d *machine.Decision) string {
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

// From is where a decision was made that led to a step, and which: from 2, line 38 → 2b.
func From(r *track.Row, d *machine.Decision) string {
	return "from " + draw.Clean(r.Label) + ", " + Told(r, d)
}

// LedTo is which decision led to a row, "" where none did.
func LedTo(r *track.Row) string {
	if r.From == nil || r.Came == nil {
		return ""
	}
	return From(r.From, r.Came)
}

// Sent says where a person sent a run, and the reason that they gave, if any.
func Sent(to, reason string) string { return "⇢ ! " + ByHand(to, reason) }

// ByHand says what a person made of something, and the reason that they gave, if any.
func ByHand(what, reason string) string {
	s := draw.Clean(what) + " by hand"
	if reason != "" {
		s += ": " + draw.Quote(reason)
	}
	return s
}
