package why

import (
	"slices"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/decision"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/runview"
)

// reasonItem is what can be selected among the reasons: a candidate of a decision, a route before the
// decision, or another rule of the document.
type reasonItem struct {
	row            *track.Row        // the row with the routes or branches; nil: nothing can be selected
	decision       *machine.Decision // nil: the row has not decided
	candidateIndex int               // the index of the candidate or, without a decision, of the route; noCandidate: a person decided; decision.DefaultRoutes: a row of several
	ruleNumber     int               // the number of the rule, from 1; 0: the item is a candidate
}

// noCandidate is the candidateIndex of a decision that a person made instead.
const noCandidate = -1

// isTaken reports whether an item is what its decision took.
func (i reasonItem) isTaken() bool {
	if i.decision.TakenCandidate() != nil {
		return *i.decision.CandidateIndex == i.candidateIndex
	}
	return i.candidateIndex == noCandidate
}

// documentLine returns where the document writes a candidate, 0 if the format added it.
func (i reasonItem) documentLine() int {
	switch {
	case i.candidateIndex < 0:
	case i.decision == nil && i.candidateIndex < len(i.row.Step.Routes):
		if do := i.row.Step.Routes[i.candidateIndex].Do; !do.Implicit {
			return do.Span.Line
		}
	case i.decision != nil && !i.decision.Candidates[i.candidateIndex].Implicit:
		return i.decision.Candidates[i.candidateIndex].Line
	}
	return 0
}

// isWrittenIn reports whether an item is written in a rule. A candidate that a fallback reached also belongs
// to the fallback's rule.
func (i reasonItem) isWrittenIn(rule runview.EditableRule) bool {
	line := rule.Location.Span.Line
	switch {
	case i.ruleNumber > 0:
		return rule.Row == i.row && rule.RuleIndex == i.ruleNumber-1
	case i.documentLine() == 0:
		return false
	case i.decision != nil && i.decision.IsArmChoice():
		return rule.Row.Parent == i.row && rule.Kind == "condition" && line == i.documentLine()
	case rule.Row != i.row || rule.Location.File != i.row.Step.RoutesLocation.File:
		return false
	}
	routes := i.row.Step.Routes
	switch {
	case rule.Kind == "route":
		return i.candidateIndex < len(routes) && routes[i.candidateIndex].IsWrittenIn(rule.Rule)
	case line == i.documentLine():
		return true
	case i.decision == nil:
		return false
	}
	r := i.decision.Candidates[i.candidateIndex].Reason
	return r != nil && r.FallbackIntentLine > 0 && r.FallbackIntentLine == line
}

// documentPlace returns the place of the item's rule or route in the document.
func (i reasonItem) documentPlace(run *runview.Run) runview.DocumentPlace {
	if i.ruleNumber > 0 {
		return run.PlaceOfRule(i.row, i.row.Plan().RulesOf(i.row.Step)[i.ruleNumber-1])
	}
	return runview.PlaceOfRoute(i.row.Plan(), i.row.Step, i.documentLine())
}

// isReasonSelected reports whether a reason is selected: the reasons show and have the focus.
func (p *Pane) isReasonSelected(run *runview.Run) bool {
	return p.sheet == reasonsSheet && run.Focus == layout.WhyPane
}

// selectedItem returns the item under the mark, at first what was taken. It returns the zero item if
// nothing is marked.
func (p *Pane) selectedItem(run *runview.Run) reasonItem {
	if !p.isReasonSelected(run) {
		return reasonItem{}
	}
	return p.selectedItemIn(p.currentContent(run).reasons)
}

func (p *Pane) selectedItemIn(lines []reasonLine) (first reasonItem) {
	taken := reasonItem{}
	for _, line := range lines {
		x := line.item
		switch {
		case x.row == nil:
			continue
		case x == p.selectedReason:
			return x
		case first.row == nil:
			first = x
		}
		if d := x.decision; d != nil && d == p.subject.ShownDecision() && (d != p.subject.PrecedingDecision || d.IsArmChoice()) && x.isTaken() {
			taken = x
		}
	}
	if taken.row != nil {
		return taken
	}
	return first
}

// isFoldSelected reports whether the row of several default routes is selected.
func (p *Pane) isFoldSelected(run *runview.Run) bool {
	return p.selectedItem(run).candidateIndex == decision.DefaultRoutes
}

// foldDefaultRoutes folds or unfolds the selected row of several default routes, and reports whether one is selected.
func (p *Pane) foldDefaultRoutes(run *runview.Run, action string) bool {
	if !p.isFoldSelected(run) {
		return false
	}
	p.selectedReason = p.selectedItem(run)
	p.subject.showsDefaultRoutes = action == "right" || action == "open" && !p.subject.showsDefaultRoutes
	p.drawnFrom.isStale = true
	p.scrollToSelected(p.currentContent(run).reasons)
	return true
}

// RulesOfReason returns the rules in which the selected reason is written, else those of the taken
// candidate. selected is false for the latter.
func (p *Pane) RulesOfReason(run *runview.Run) (rules []runview.EditableRule, selected bool) {
	x := p.selectedItem(run)
	if selected = x.row != nil; !selected {
		x = p.subject.takenCandidate()
	}
	if x.row == nil {
		return nil, false
	}
	for _, rule := range run.EditableRules() {
		if x.isWrittenIn(rule) {
			rules = append(rules, rule)
		}
	}
	return rules, selected
}

// moveSelection selects another reason. Beyond the ends, the lines scroll.
func (p *Pane) moveSelection(run *runview.Run, by int) {
	lines := p.currentContent(run).reasons
	var items []reasonItem
	for _, line := range lines {
		if line.item.row != nil && !slices.Contains(items, line.item) {
			items = append(items, line.item)
		}
	}
	at := slices.Index(items, p.selectedItemIn(lines))
	if to := min(max(0, at+by), len(items)-1); at >= 0 && to != at {
		p.selectedReason = items[to]
		p.scrollToSelected(lines)
		return
	}
	p.topLine = max(0, p.topLine+by)
}

// isUnfoldedBelow reports whether an item is a default route of the selected row of several.
func (p *Pane) isUnfoldedBelow(x reasonItem) bool {
	chosen := p.selectedReason
	return p.subject.showsDefaultRoutes && chosen.candidateIndex == decision.DefaultRoutes &&
		x.row == chosen.row && x.decision == chosen.decision && x.ruleNumber == 0 && x.candidateIndex >= 0
}

// scrollToSelected scrolls until the selected reason is in sight, and what is unfolded below it as far as it fits.
func (p *Pane) scrollToSelected(lines []reasonLine) {
	from := slices.IndexFunc(lines, func(line reasonLine) bool { return line.item == p.selectedReason })
	to := from
	for to < len(lines) && (lines[to].item == p.selectedReason || p.isUnfoldedBelow(lines[to].item)) {
		to++
	}
	if h := p.box.H - 1; to < len(lines) { // the last line may count those that follow
		p.topLine = max(p.topLine, to-h)
	} else {
		p.topLine = max(p.topLine, to-p.box.H)
	}
	p.topLine = max(0, min(p.topLine, from))
}

// selectAtLine selects the reason on line y of the pane, and reports whether there is one.
func (p *Pane) selectAtLine(run *runview.Run, y int) bool {
	lines := p.currentContent(run).reasons
	if i := p.topLine + y; y >= 0 && i < len(lines) && lines[i].item.row != nil {
		p.selectedReason, p.drawnFrom.isStale = lines[i].item, true
		return true
	}
	return false
}

// markSelected returns the lines, with those of the selected reason marked.
func (p *Pane) markSelected(run *runview.Run, lines []reasonLine) []string {
	out := lineTexts(lines)
	if !p.isReasonSelected(run) {
		return out
	}
	dc, w, chosen := run.DrawContext, p.box.W, p.selectedItemIn(lines)
	for i, line := range lines {
		if chosen.row != nil && line.item == chosen {
			out[i] = dc.HighlightRow(dc.SelectionMark(draw.SelectedFocused)+ansi.TruncateLeft(line.text, 1, ""), w, draw.SelectedFocused)
		}
	}
	return out
}

// selectableRules returns the rules that can be selected among the reasons. Rules about the whole
// document are not reasons.
func (p *Pane) selectableRules(run *runview.Run) []runview.EditableRule {
	if !p.isReasonSelected(run) || !run.IsBegun || run.IsReplay || p.subject.Row == nil || p.subject.Row != run.SelectedRow {
		return nil
	}
	return slices.DeleteFunc(run.EditableRules(), func(rule runview.EditableRule) bool { return rule.IsOfDocument() })
}
