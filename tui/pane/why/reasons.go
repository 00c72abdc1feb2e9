package why

import (
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/decision"
	"playhead/tui/draw"
	"playhead/tui/pane/steps"
	"playhead/tui/runview"
)

// reasonLine is a line of the reasons, with the item that can be selected there.
type reasonLine struct {
	text string
	item item // zero: nothing can be selected
}

// about returns lines that select one item.
func about(x item, lines ...string) []reasonLine {
	out := make([]reasonLine, len(lines))
	for i, text := range lines {
		out[i] = reasonLine{text, x}
	}
	return out
}

// facts returns lines in which nothing can be selected.
func facts(lines []string) []reasonLine { return about(item{}, lines...) }

func textsOf(lines []reasonLine) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line.text
	}
	return out
}

// reasonLines returns the facts that the step's outcome was based on, and its routes. If the taken route
// would be out of sight, it comes first.
func (p *Pane) reasonLines(run *runview.Run, w, h int) []reasonLine {
	l, r := run.Look, p.row
	if r == nil {
		return facts(l.Wrap(l.Muted.Paint(l.Keys.Sentence(steps.NoSteps)), w))
	}
	if r.Step == nil {
		return facts([]string{l.Muted.Paint("Routes belong to steps. Select a step.")})
	}
	ways, rules := p.routes(l, w), p.selectableRules(run)
	reading := slices.Concat(facts(p.failure(l, w)), facts(p.leftLines(l, w)), p.checks(l, rules, w), facts(ways.facts))
	taken := ways.lines[ways.from:ways.to]
	first := slices.Concat(reading, taken)
	if len(first) >= h {
		first = slices.Concat(taken, reading)
	}
	out := slices.Concat(first, ways.lines[:ways.from], ways.lines[ways.to:])
	if len(reading)+ways.to < h || len(reading)+len(ways.lines) <= h {
		out = append(reading, ways.lines...)
	}
	return append(out, p.otherRules(l, rules, out, w)...)
}

// failed returns the step that the pane explains, or the step that led to it, if it failed, else nil.
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

// failure returns which step failed, and why.
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

// leftLines returns which route left the group before the group was decided.
func (p *Pane) leftLines(l *draw.Look, w int) []string {
	if !p.isLeftUndecided() {
		return nil
	}
	return l.Wrap(wording.LeftBy(p.row), w)
}

// routeLines holds a step's routes in lines, and the facts that its outcome was based on.
type routeLines struct {
	facts    []string
	lines    []reasonLine
	from, to int // the lines of the taken route; both 0: none was taken
}

// routes returns the routes of the step: the candidates of its decision or, before there is one, the
// routes that the document writes.
func (p *Pane) routes(l *draw.Look, w int) routeLines {
	r := p.row
	d, about := p.decision()
	if p.decisionBefore != nil && !about {
		lines := p.entryReasons(l, w)
		if chosen := choices(l, r, nil, w); len(chosen) > 0 && !track.IsChoice(p.decisionBefore) { // a branch was chosen
			lines = chosen
		}
		if open := written(l, r, w); len(open) > 0 {
			lines = append(append(lines, facts([]string{l.Muted.Paint(p.pendingText() + ":")})...), open...)
		}
		return routeLines{lines: lines}
	}
	out := append(choices(l, r, d, w), facts(overrides(l, r, d, about, w))...)
	switch {
	case p.isInUntakenArm():
		return routeLines{lines: out}
	case d != nil && len(d.Candidates) > 0:
		all := decision.Candidates(l, r, d, w)
		n := len(out)
		return routeLines{decision.Facts(l, r, d, w), append(out, itemsOf(all, r, d)...), n + all.From, n + all.To}
	case len(r.Step.Routes) == 0 && len(out) == 0:
		return routeLines{lines: facts([]string{l.Muted.Paint("This step has no routes of its own.")})}
	}
	open := written(l, r, w)
	if r.SentElsewhere() && len(open) > 0 {
		out = append(out, facts([]string{l.Muted.Paint("not evaluated:")})...)
	}
	return routeLines{lines: append(out, open...)}
}

// entryReasons returns the decision that led to the row.
func (p *Pane) entryReasons(l *draw.Look, w int) []reasonLine {
	d := p.decisionBefore
	if track.IsChoice(d) {
		return append(facts(decision.Before(l, p.decidedBy, d, w)), candidates(l, p.decidedBy, d, w)...)
	}
	lines := decision.Before(l, p.decidedBy, d, w-2)
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	if d.CandidateIndex == nil {
		return facts(lines)
	}
	return about(item{row: p.decidedBy, decision: d, candidate: *d.CandidateIndex}, lines...)
}

func candidates(l *draw.Look, r *track.Row, d *machine.Decision, w int) []reasonLine {
	return itemsOf(decision.Candidates(l, r, d, w), r, d)
}

func written(l *draw.Look, r *track.Row, w int) []reasonLine {
	return itemsOf(decision.WrittenRoutes(l, r, w), r, nil)
}

// itemsOf returns lines in which the candidates of a row's decision can be selected, or its routes if d
// is nil.
func itemsOf(all decision.CandidateLines, r *track.Row, d *machine.Decision) []reasonLine {
	out := facts(all.Lines)
	for i, candidate := range all.Of {
		if candidate >= 0 {
			out[i].item = item{row: r, decision: d, candidate: candidate}
		}
	}
	return out
}

// choices returns the decisions between branches: those of the row, and the decision of its group if the
// row is a branch. It leaves out d, which the caller draws.
func choices(l *draw.Look, r *track.Row, d *machine.Decision, w int) (out []reasonLine) {
	if above, _ := r.Choice(); above != nil && above != d {
		out = candidates(l, groupOf(r, above), above, w)
	}
	for _, c := range r.Choices {
		if c != d {
			out = append(out, candidates(l, r, c, w)...)
		}
	}
	return out
}

// isInUntakenArm reports whether the row is in a branch that was not taken.
func (p *Pane) isInUntakenArm() bool {
	if p.row == nil || p.row.Status != track.Pending {
		return false
	}
	d, taken := p.row.Choice()
	return d != nil && !taken
}

// overrides returns what a person overrode: the outcome of the step or its route.
func overrides(l *draw.Look, r *track.Row, d *machine.Decision, about bool, w int) []string {
	var out []string
	add := func(text string) { out = append(out, l.Warning(text, w)...) }
	if r.Overridden && r.Outcome != nil {
		add("! " + wording.Overridden(r))
	}
	if d != nil && d.ByPerson && !about {
		add(wording.ManualMove(track.MoveText(r.Label, d), r.Reason))
	}
	return out
}

// Summary returns the decision in one line, for a folded pane: the row's own decision, else the one that
// led to the row. If that is wider than w cells, it names the steps of an included document by their labels there.
func (p *Pane) Summary(l *draw.Look, w int) string {
	text := p.longSummary()
	if p.row == nil || p.row.Step == nil || l.Width(text) <= w {
		return text
	}
	document := strings.TrimSuffix(p.row.Label, p.row.Local)
	if document == "" || p.decidedBy != nil && !strings.HasPrefix(p.decidedBy.Label, document) {
		return text
	}
	return strings.ReplaceAll(text, draw.Clean(document), "")
}

func (p *Pane) longSummary() string {
	if r := p.failed(); r != nil {
		return wording.Failure(r) + " · " + p.summary()
	}
	if _, about := p.decision(); about { // the text itself explains it, and the room is small
		return p.summary()
	}
	return "why: " + p.summary()
}

func (p *Pane) summary() string {
	d, about := p.decision()
	switch {
	case p.row == nil || p.hasDocumentErrors():
		return "this document cannot be run"
	case p.decisionBefore != nil && !about:
		return wording.DecisionAt(p.decidedBy, p.decisionBefore)
	case p.isLeftUndecided():
		return wording.LeftBy(p.row)
	case d == nil && len(p.row.Checks()) > 0:
		return decision.Tally(p.row.Checks()) + " · " + p.pendingText()
	case d == nil:
		return p.pendingText()
	case about:
		return "about to take " + wording.Decision(p.row, d)
	}
	return wording.Decision(p.row, d)
}
