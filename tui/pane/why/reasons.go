package why

import (
	"slices"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/decision"
	"playhead/tui/draw"
	"playhead/tui/pane/steps"
)

// reasonLines are what the step's outcome was judged by, and its routes. Where the one that
// was taken would be out of sight, it comes first.
func (p *Pane) reasonLines(l *draw.Look, w, h int) []string {
	r := p.row
	if r == nil {
		return l.Wrap(l.Muted.Paint(l.Keys.Sentence(steps.NoSteps)), w)
	}
	if r.Step == nil {
		return []string{l.Muted.Paint("Routes belong to steps: select one.")}
	}
	ways := p.routes(l, w)
	reading := slices.Concat(p.failure(l, w), p.left(l, w), decision.Checks(l, r.Checks(), w), ways.facts)
	if len(reading)+ways.to < h || len(reading)+len(ways.lines) <= h {
		return append(reading, ways.lines...)
	}
	return slices.Concat(ways.lines[ways.from:ways.to], reading, ways.lines[:ways.from], ways.lines[ways.to:])
}

// failed is the step that the pane is about, or the one before it, if that failed.
func (p *Pane) failed() *track.Row {
	r := p.row
	if _, about := p.decision(); p.decisionBefore != nil && !about {
		r = p.decidedBy
	}
	if r == nil || r.Status != track.Failed || r.Outcome == nil || r.Overridden {
		return nil
	}
	return r
}

// failure is which step failed, and why.
func (p *Pane) failure(l *draw.Look, w int) []string {
	r := p.failed()
	if r == nil {
		return nil
	}
	var out []string
	for _, line := range l.Wrap(wording.Failure(r), w) {
		out = append(out, l.Fail.Paint(line))
	}
	return out
}

// left is which route led out of the group before it was decided.
func (p *Pane) left(l *draw.Look, w int) []string {
	if !p.isLeft() {
		return nil
	}
	return l.Wrap(wording.LeftBy(p.row), w)
}

// routeLines are a step's routes in lines, and what its outcome was read from.
type routeLines struct {
	facts, lines []string
	from, to     int // the lines of the one that was taken; from 0 to 0: none was
}

// routes lists the ways out of the step: as they were weighed, or, before that,
// as the document writes them.
func (p *Pane) routes(l *draw.Look, w int) routeLines {
	r := p.row
	d, about := p.decision()
	if p.decisionBefore != nil && !about {
		if track.IsChoice(p.decisionBefore) {
			return routeLines{lines: append([]string{decision.Before(l, p.decidedBy, p.decisionBefore, w)}, decision.Candidates(l, p.decisionBefore, w).Lines...)}
		}
		if chosen := choices(l, r, nil, w); len(chosen) > 0 { // it goes on in a branch
			return routeLines{lines: append(chosen, decision.WrittenRoutes(l, r.Step.Routes, w)...)}
		}
		return routeLines{lines: append([]string{decision.Before(l, p.decidedBy, p.decisionBefore, w)}, decision.WrittenRoutes(l, r.Step.Routes, w)...)}
	}
	out := append(choices(l, r, d, w), forced(l, r, d, about, w)...)
	switch {
	case p.passedBy():
		return routeLines{lines: out}
	case d != nil && len(d.Candidates) > 0:
		all := decision.Candidates(l, d, w)
		n := len(out)
		return routeLines{decision.Facts(l, r, d, w), append(out, all.Lines...), n + all.From, n + all.To}
	case len(r.Step.Routes) == 0 && len(out) == 0:
		return routeLines{lines: []string{l.Muted.Paint("This step has no routes of its own.")}}
	}
	return routeLines{lines: append(out, decision.WrittenRoutes(l, r.Step.Routes, w)...)}
}

// choices sets which arms were taken: those of the row, and of the choice that the
// row is an arm of. The one that is the decision d is shown with it.
func choices(l *draw.Look, r *track.Row, d *machine.Decision, w int) []string {
	var out []string
	above, _ := r.Choice()
	for _, c := range append([]*machine.Decision{above}, r.Choices...) {
		if c != nil && c != d {
			out = append(out, decision.Candidates(l, c, w).Lines...)
		}
	}
	return out
}

// passedBy reports whether the row is in an arm that was not taken.
func (p *Pane) passedBy() bool {
	if p.row == nil || p.row.Status != track.Pending {
		return false
	}
	d, taken := p.row.Choice()
	return d != nil && !taken
}

// forced says what a person overrode, in the step's outcome or its route.
func forced(l *draw.Look, r *track.Row, d *machine.Decision, about bool, w int) []string {
	var out []string
	add := func(text string) { out = append(out, l.Warn.Paint(l.Cut(text, w))) }
	if r.Overridden && r.Outcome != nil {
		add("! " + wording.Overridden(r.Status.String(), r.Outcome.Reason))
	}
	if d != nil && d.ByPerson && !about {
		add(wording.Override(track.Moved(r.Label, d), r.Reason))
	}
	return out
}

// Summary returns the decision in one line, for a folded pane: the one that is made here, else the
// one that led here.
func (p *Pane) Summary() string {
	if r := p.failed(); r != nil {
		return wording.Failure(r) + " · " + p.summary()
	}
	return "why: " + p.summary()
}

func (p *Pane) summary() string {
	d, about := p.decision()
	switch {
	case p.row == nil || p.broken():
		return "this document cannot be run"
	case p.decisionBefore != nil && !about:
		return wording.DecisionAt(p.decidedBy, p.decisionBefore)
	case p.isLeft():
		return wording.LeftBy(p.row)
	case d == nil && len(p.row.Checks()) > 0:
		return decision.Tally(p.row.Checks()) + " · not decided yet"
	case d == nil:
		return "not decided yet"
	case about:
		return "about to take " + wording.Decision(p.row, d)
	}
	return wording.Decision(p.row, d)
}
