package why

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/decision"
	"playhead/tui/draw"
	"playhead/tui/panes"
	"playhead/tui/runview"
)

// item is what can be selected among the reasons: a candidate of a decision, a route before the
// decision, or another rule of the document.
type item struct {
	row       *track.Row        // the row with the routes or branches; nil: nothing can be selected
	decision  *machine.Decision // nil: the row has not decided
	candidate int               // the index of the candidate or, without a decision, of the route
	rule      int               // the number of the rule, from 1; 0: the item is a candidate
}

// line returns the line of the document that a candidate is written on, 0 if the document does not
// write it.
func (x item) line() int {
	switch {
	case x.decision == nil && x.candidate < len(x.row.Step.Routes):
		if do := x.row.Step.Routes[x.candidate].Do; !do.Implicit {
			return do.Span.Line
		}
	case x.decision != nil && !x.decision.Candidates[x.candidate].Implicit:
		return x.decision.Candidates[x.candidate].Line
	}
	return 0
}

// isRule reports whether an item is written in a rule. A candidate that a fallback reached also belongs
// to the fallback's rule.
func (x item) isRule(rule runview.Rule) bool {
	line := rule.Clause.Text.Span.Line
	switch {
	case x.rule > 0:
		return rule.Row == x.row && rule.Index == x.rule-1
	case x.line() == 0:
		return false
	case x.decision != nil && track.IsChoice(x.decision):
		return rule.Row.Parent == x.row && rule.Clause.Kind == "condition" && line == x.line()
	case rule.Row != x.row || rule.Clause.Text.File != x.row.Step.RoutesIn.File:
		return false
	}
	routes := x.row.Step.Routes
	switch {
	case rule.Clause.Kind == "route":
		return x.candidate < len(routes) && routes[x.candidate].Writes(rule.Clause)
	case line == x.line():
		return true
	case x.decision == nil:
		return false
	}
	r := x.decision.Candidates[x.candidate].Reason
	return r != nil && r.FallbackLine > 0 && r.FallbackLine == line
}

func (x item) place(run *runview.Run) runview.Place {
	if x.rule > 0 {
		return run.PlaceOfClause(x.row, x.row.Plan().Deciding(x.row.Step)[x.rule-1])
	}
	return runview.PlaceOfRoute(x.row.Plan(), x.row.Step, x.line())
}

// isSelecting reports whether a reason is selected: the reasons show and have the focus.
func (p *Pane) isSelecting(run *runview.Run) bool {
	return p.sheet == reasons && run.Focus == panes.Why
}

// selected returns the selected item, at first the taken candidate. It returns the zero item if there is
// none.
func (p *Pane) selected(run *runview.Run) item {
	if !p.isSelecting(run) {
		return item{}
	}
	return p.selectedIn(p.contentNow(run).reasons)
}

func (p *Pane) selectedIn(lines []reasonLine) (first item) {
	taken := item{}
	for _, line := range lines {
		x := line.item
		switch {
		case x.row == nil:
			continue
		case x == p.item:
			return x
		case first.row == nil:
			first = x
		}
		if d := x.decision; d != nil && d == p.shownDecision() && (d != p.decisionBefore || track.IsChoice(d)) && d.CandidateIndex != nil && *d.CandidateIndex == x.candidate {
			taken = x
		}
	}
	if taken.row != nil {
		return taken
	}
	return first
}

// RulesInSight returns the rules in which the selected reason is written, else those of the taken
// candidate. selected is false for the latter.
func (p *Pane) RulesInSight(run *runview.Run) (rules []runview.Rule, selected bool) {
	x := p.selected(run)
	if selected = x.row != nil; !selected {
		x = p.takenCandidate()
	}
	if x.row == nil {
		return nil, false
	}
	for _, rule := range run.Rules() {
		if x.isRule(rule) {
			rules = append(rules, rule)
		}
	}
	return rules, selected
}

// moveSelection selects another reason. Beyond the ends, the lines scroll.
func (p *Pane) moveSelection(run *runview.Run, by int) {
	lines := p.contentNow(run).reasons
	var items []item
	for _, line := range lines {
		if line.item.row != nil && !slices.Contains(items, line.item) {
			items = append(items, line.item)
		}
	}
	at := slices.Index(items, p.selectedIn(lines))
	if to := min(max(0, at+by), len(items)-1); at >= 0 && to != at {
		p.item = items[to]
		p.showSelected(lines)
		return
	}
	p.top = max(0, p.top+by)
}

// showSelected scrolls until the selected reason is in sight.
func (p *Pane) showSelected(lines []reasonLine) {
	from := slices.IndexFunc(lines, func(line reasonLine) bool { return line.item == p.item })
	to := from
	for to < len(lines) && lines[to].item == p.item {
		to++
	}
	if h := p.box.H - 1; to < len(lines) { // the last line may count those that follow
		p.top = max(p.top, to-h)
	} else {
		p.top = max(p.top, to-p.box.H)
	}
	p.top = max(0, min(p.top, from))
}

// pick selects the reason on a line of the pane.
func (p *Pane) pick(run *runview.Run, y int) bool {
	lines := p.contentNow(run).reasons
	if i := p.top + y; y >= 0 && i < len(lines) && lines[i].item.row != nil {
		p.item, p.shown.stale = lines[i].item, true
		return true
	}
	return false
}

// drawSelected returns the lines, with those of the selected reason marked.
func (p *Pane) drawSelected(run *runview.Run, lines []reasonLine) []string {
	out := textsOf(lines)
	if !p.isSelecting(run) {
		return out
	}
	l, w, chosen := run.Look, p.box.W, p.selectedIn(lines)
	for i, line := range lines {
		if chosen.row != nil && line.item == chosen {
			out[i] = l.Raise(l.Mark(draw.SelectedInFocus)+ansi.TruncateLeft(line.text, 1, ""), w, draw.SelectedInFocus)
		}
	}
	return out
}

// selectableRules returns the rules that can be selected among the reasons. Rules about the whole
// document are not reasons.
func (p *Pane) selectableRules(run *runview.Run) []runview.Rule {
	if !p.isSelecting(run) || !run.Begun || run.Replay || p.row == nil || p.row != run.Selected {
		return nil
	}
	return slices.DeleteFunc(run.Rules(), func(rule runview.Rule) bool { return rule.Clause.IsOfDocument() })
}

// checks returns the checks of the step's outcome, problems first, each with the rule that asks for it.
func (p *Pane) checks(l *draw.Look, rules []runview.Rule, w int) (out []reasonLine) {
	if len(p.row.Checks()) > 0 {
		for _, text := range p.row.OtherWarnings() {
			out = append(out, facts(l.Warning("△ "+sanitize.Text(text), w-2))...)
		}
		for i := range out {
			out[i].text = "  " + out[i].text
		}
	}
	for _, c := range decision.ProblemsFirst(p.row.Checks()) {
		x := item{}
		for _, rule := range rules {
			if rule.Row == p.row && strings.Contains(rule.Text, c.Text) {
				x = item{row: p.row, rule: rule.Index + 1}
			}
		}
		for _, line := range decision.Checks(l, []plan.Check{c}, w-2) {
			out = append(out, reasonLine{"  " + line, x})
		}
	}
	return out
}

// otherRules returns the rules that no line shows.
func (p *Pane) otherRules(l *draw.Look, rules []runview.Rule, shown []reasonLine, w int) (out []reasonLine) {
	names, wide := map[int]string{}, 0
	rules = slices.DeleteFunc(rules, func(rule runview.Rule) bool {
		return slices.ContainsFunc(shown, func(line reasonLine) bool { return line.item.row != nil && line.item.isRule(rule) })
	})
	for i, rule := range rules {
		if names[i] = rule.Clause.Kind; rule.Row != p.row {
			names[i] = draw.Clean(rule.Clause.Name(rule.Row.Label))
		}
		wide = max(wide, l.Width(names[i]))
	}
	for i, rule := range rules {
		head := cells.Spaces(decision.MarkWidth) + l.Muted.Paint(decision.LineNo(rule.Clause.Text.Span.Line, false)+l.Fit(names[i], wide)) + "  "
		for _, part := range l.Wrap(draw.FirstLine(rule.Text), max(1, w-l.Width(head))) {
			out = append(out, reasonLine{head + part, item{row: rule.Row, rule: rule.Index + 1}})
			head = cells.Spaces(l.Width(head))
		}
	}
	return out
}

// takenCandidate returns the candidate that the shown decision took, the zero item if there is none.
func (p *Pane) takenCandidate() item {
	d := p.shownDecision()
	if d == nil || d.CandidateIndex == nil {
		return item{}
	}
	x := item{row: p.row, decision: d, candidate: *d.CandidateIndex}
	switch {
	case d == p.decisionBefore:
		x.row = p.decidedBy
	case track.IsChoice(d):
		x.row = groupOf(p.row, d)
	}
	return x
}

// groupOf returns the row at which d chose a branch: r or a row around it, nil if there is none.
func groupOf(r *track.Row, d *machine.Decision) *track.Row {
	for ; r != nil; r = r.Parent {
		if slices.Contains(r.Choices, d) {
			return r
		}
	}
	return nil
}
