package why

import (
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/whatif"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/cells"
	"playhead/tui/decision"
	"playhead/tui/draw"
	"playhead/tui/pane/steps"
	"playhead/tui/runview"
)

// subject is what the reasons explain: a step with its decisions, in a state of the run.
type subject struct {
	whatif.DecisionSubject
	track              *track.Track // the state that the screen shows
	showsDefaultRoutes bool         // the row of several default routes is unfolded
}

// reasonLine is a line of the reasons, with the item that can be selected there.
type reasonLine struct {
	text string
	item reasonItem // zero: nothing can be selected
}

// newReasonLines returns lines that select one item.
func newReasonLines(x reasonItem, lines ...string) []reasonLine {
	out := make([]reasonLine, len(lines))
	for i, text := range lines {
		out[i] = reasonLine{text, x}
	}
	return out
}

// unselectableLines returns lines in which nothing can be selected.
func unselectableLines(lines []string) []reasonLine { return newReasonLines(reasonItem{}, lines...) }

func lineTexts(lines []reasonLine) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line.text
	}
	return out
}

// reasonLines returns the facts that the step's outcome was based on, its routes and its other rules. If the taken
// route would be out of sight in h lines, it comes first. rules are the rules that can be selected.
func (s subject) reasonLines(dc *draw.Context, rules []runview.EditableRule, w, h int) []reasonLine {
	r := s.Row
	if r == nil {
		return unselectableLines(dc.Wrap(dc.Muted.Paint(dc.Keys.FillInKeys(steps.NoStepsMessage)), w))
	}
	if r.Step == nil {
		return unselectableLines([]string{dc.Muted.Paint("Routes belong to steps. Select a step.")})
	}
	routes := s.routesAndFacts(dc, w)
	facts := slices.Concat(unselectableLines(s.failureLines(dc, w)), unselectableLines(dc.PaintLines(dc.Fail, s.limitText(), w)), unselectableLines(s.routeOutOfGroupLines(dc, w)), s.checkLines(dc, rules, w), unselectableLines(routes.outcomeFacts))
	taken := routes.lines[routes.takenFirstLine:routes.takenEndLine]
	first := slices.Concat(facts, taken)
	if len(first) >= h {
		first = slices.Concat(taken, facts)
	}
	out := slices.Concat(first, routes.lines[:routes.takenFirstLine], routes.lines[routes.takenEndLine:])
	if len(facts)+routes.takenEndLine < h || len(facts)+len(routes.lines) <= h {
		out = append(facts, routes.lines...)
	}
	out = append(out, s.precedingDecisionIfMissing(dc, out, w)...)
	return append(out, s.otherRuleLines(dc, rules, out, w)...)
}

// failedRow returns the row whose failure the pane explains: the row itself or the one that led to it. It
// returns nil if there is none.
func (s subject) failedRow() *track.Row {
	r := s.Row
	if _, about := s.OwnDecision(); s.PrecedingDecision != nil && !about {
		r = s.PrecedingRow
	}
	if r == nil || r.Status != track.Failed || r.Outcome == nil || r.Overridden {
		return nil
	}
	return r
}

// failureLines returns which step failed, and why.
func (s subject) failureLines(dc *draw.Context, w int) []string {
	r := s.failedRow()
	if r == nil {
		return nil
	}
	return dc.PaintLines(dc.Fail, wording.FailureText(r), w)
}

// limitText returns that the limit of entries ends the run before it goes where the row's own decision leads, "" if it
// does not.
func (s subject) limitText() string {
	d, about := s.OwnDecision()
	if !about && !s.track.IsOver() {
		return "" // an earlier decision, after which the run went on
	}
	return wording.LimitInsteadText(s.track, d)
}

// routeOutOfGroupLines returns which route left the row's group before the group was decided, nil if none did.
func (s subject) routeOutOfGroupLines(dc *draw.Context, w int) []string {
	if !s.IsLeftUndecided() {
		return nil
	}
	return dc.Wrap(wording.LeavingRouteText(s.Row), w)
}

// routeLines holds a step's routes in lines, and the facts that its outcome was based on.
type routeLines struct {
	outcomeFacts                 []string
	lines                        []reasonLine
	takenFirstLine, takenEndLine int // the lines of the taken route; both 0: none was taken
}

// routesAndFacts returns the candidates of the step's decision. Before there is one, it returns what the
// document writes.
func (s subject) routesAndFacts(dc *draw.Context, w int) routeLines {
	r := s.Row
	d, about := s.OwnDecision()
	if s.PrecedingDecision != nil && !about {
		lines := s.precedingDecisionWithCandidates(dc, w)
		if chosen := s.armChoiceLines(dc, nil, w); len(chosen) > 0 && !s.PrecedingDecision.IsArmChoice() { // a branch was chosen
			lines = chosen
		}
		if open := s.writtenRouteLines(dc, r, w); len(open) > 0 {
			lines = append(append(lines, unselectableLines([]string{dc.Muted.Paint(s.pendingText() + ":")})...), open...)
		}
		return routeLines{lines: lines}
	}
	out := append(s.armChoiceLines(dc, d, w), overrideLines(dc, r, d, about, w)...)
	switch {
	case s.Row != nil && s.Row.IsInUntakenArm():
		return routeLines{lines: out}
	case d != nil && len(d.Candidates) > 0:
		all := decision.DrawCandidates(dc, r, d, s.showsDefaultRoutes, w)
		n := len(out)
		return routeLines{decision.OutcomeFactLines(dc, r, d, w), append(out, withSelectableCandidates(all, r, d)...), n + all.TakenFirstLine, n + all.TakenEndLine}
	case len(r.Step.Routes) == 0 && len(out) == 0:
		return routeLines{lines: unselectableLines([]string{dc.Muted.Paint("This step has no routes of its own.")})}
	}
	open := s.writtenRouteLines(dc, r, w)
	if r.IsLeftByPerson() && len(open) > 0 {
		out = append(out, s.precedingDecisionIfMissing(dc, out, w)...)
		out = append(out, unselectableLines([]string{dc.Muted.Paint("not evaluated:")})...)
	}
	return routeLines{lines: append(out, open...)}
}

// precedingDecisionWithCandidates returns the decision that led to the row, with its candidates if it chose
// a branch.
func (s subject) precedingDecisionWithCandidates(dc *draw.Context, w int) []reasonLine {
	d := s.PrecedingDecision
	if d.IsArmChoice() {
		from := dc.Cut("from "+draw.CleanLine(s.PrecedingRow.StepLabel())+":", w) // the taken route is marked below
		return append(unselectableLines([]string{dc.Text.Paint(from)}), s.candidateLines(dc, s.PrecedingRow, d, w)...)
	}
	return precedingDecisionLines(dc, s.PrecedingRow, d, w)
}

// precedingDecisionIfMissing returns the decision that led to a row which has decided or is about to,
// unless it shows already.
func (s subject) precedingDecisionIfMissing(dc *draw.Context, shown []reasonLine, w int) []reasonLine {
	r := s.Row
	_, about := s.OwnDecision()
	if r.EntryDecision == nil || !about && (!r.Status.IsOver() || r.SkipReason == track.SkipAfterFailure) {
		return nil
	}
	if slices.ContainsFunc(shown, func(line reasonLine) bool { return line.item.decision == r.EntryDecision }) {
		return nil
	}
	return precedingDecisionLines(dc, r.EnteredFrom, r.EntryDecision, w)
}

// precedingDecisionLines returns a decision that led to the row, without its candidates.
func precedingDecisionLines(dc *draw.Context, from *track.Row, d *machine.Decision, w int) []reasonLine {
	lines := decision.PrecedingDecisionLines(dc, from, d, w-2)
	if d == from.Decision {
		lines = append(lines, changedRuleLines(dc, from, w-2)...)
	}
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	if d.TakenCandidate() == nil {
		return unselectableLines(lines)
	}
	return newReasonLines(reasonItem{row: from, decision: d, candidateIndex: *d.CandidateIndex}, lines...)
}

// changedRuleLines returns what a person changed about the rules of a row.
func changedRuleLines(dc *draw.Context, r *track.Row, w int) (out []string) {
	for _, text := range r.ChangedRuleTexts() {
		out = append(out, dc.SignedWarningLines("!", text, w)...)
	}
	return out
}

func (s subject) candidateLines(dc *draw.Context, r *track.Row, d *machine.Decision, w int) []reasonLine {
	return withSelectableCandidates(decision.DrawCandidates(dc, r, d, s.showsDefaultRoutes, w), r, d)
}

func (s subject) writtenRouteLines(dc *draw.Context, r *track.Row, w int) []reasonLine {
	return withSelectableCandidates(decision.UndecidedRouteLines(dc, r, s.showsDefaultRoutes, w), r, nil)
}

// withSelectableCandidates returns lines in which the candidates of a row's decision can be selected, or
// its routes if d is nil.
func withSelectableCandidates(all decision.CandidateLines, r *track.Row, d *machine.Decision) []reasonLine {
	out := unselectableLines(all.Lines)
	for i, candidate := range all.CandidateByLine {
		if candidate >= 0 || candidate == decision.DefaultRoutes {
			out[i].item = reasonItem{row: r, decision: d, candidateIndex: candidate}
		}
	}
	return out
}

// armChoiceLines returns the decisions between branches that belong to the row. It leaves out d, which the
// caller draws.
func (s subject) armChoiceLines(dc *draw.Context, d *machine.Decision, w int) (out []reasonLine) {
	for _, c := range s.ArmChoices(d) {
		out = append(out, s.candidateLines(dc, c.Row, c.Decision, w)...)
	}
	return out
}

// overrideLines returns what a person overrode: the outcome of the step or its route, which can be selected.
func overrideLines(dc *draw.Context, r *track.Row, d *machine.Decision, about bool, w int) []reasonLine {
	var out []reasonLine
	if r.Overridden && r.Outcome != nil {
		out = append(out, unselectableLines(dc.SignedWarningLines("!", wording.OverriddenText(r), w))...)
	}
	out = append(out, unselectableLines(changedRuleLines(dc, r, w))...)
	if d != nil && d.ByPerson && !about {
		move := reasonItem{row: r, decision: d, candidateIndex: noCandidate}
		for _, line := range dc.WarningLines(wording.ManualMoveText(track.PersonMoveText(r.Label, d), r.DecisionNote(d)), w-2) {
			out = append(out, reasonLine{"  " + line, move})
		}
	}
	return out
}

// checkLines returns lines about what the step's outcome was judged by, problems first. Each line selects
// the rule that asks for its check.
func (s subject) checkLines(dc *draw.Context, rules []runview.EditableRule, w int) (out []reasonLine) {
	if len(s.Row.Checks()) > 0 {
		for _, text := range s.Row.OtherWarnings() {
			out = append(out, unselectableLines(dc.SignedWarningLines("△", sanitize.PlainLines(text), w-2))...)
		}
		for i := range out {
			out[i].text = "  " + out[i].text
		}
	}
	for _, c := range decision.SortProblemsFirst(s.Row.Checks()) {
		x := reasonItem{}
		for _, rule := range rules {
			if rule.Row == s.Row && strings.Contains(rule.Text, c.Text) {
				x = reasonItem{row: s.Row, ruleNumber: rule.RuleIndex + 1}
			}
		}
		for _, line := range decision.CheckLines(dc, []plan.Check{c}, w-2) {
			out = append(out, reasonLine{"  " + line, x})
		}
	}
	return out
}

// otherRuleLines returns the rules that no line shows, below a heading.
func (s subject) otherRuleLines(dc *draw.Context, rules []runview.EditableRule, shown []reasonLine, w int) (out []reasonLine) {
	names, wide := map[int]string{}, 0
	rules = slices.DeleteFunc(rules, func(rule runview.EditableRule) bool {
		return slices.ContainsFunc(shown, func(line reasonLine) bool { return line.item.row != nil && line.item.isWrittenIn(rule) })
	})
	for i, rule := range rules {
		if names[i] = rule.Kind; rule.Row != s.Row {
			names[i] = draw.CleanLine(rule.Name(rule.Row.StepLabel()))
		}
		wide = max(wide, dc.Width(names[i]))
	}
	if len(rules) > 0 {
		out = unselectableLines([]string{dc.Muted.Paint("other rules:")})
	}
	for i, rule := range rules {
		head := cells.Spaces(decision.MarkWidth) + dc.Muted.Paint(decision.LineNumberText(rule.Location.Span.Line, false)+dc.Fit(names[i], wide)) + "  "
		text := strings.TrimPrefix(draw.FirstLine(rule.Text), "- ") // without the mark of a list
		for _, line := range dc.MarkedLines(head, dc.Wrap(text, max(1, w-dc.Width(head)))) {
			out = append(out, reasonLine{line, reasonItem{row: rule.Row, ruleNumber: rule.RuleIndex + 1}})
		}
	}
	return out
}

// takenCandidate returns the candidate that the shown decision took, the zero item if there is none.
func (s subject) takenCandidate() reasonItem {
	d := s.ShownDecision()
	if d.TakenCandidate() == nil {
		return reasonItem{}
	}
	x := reasonItem{row: s.Row, decision: d, candidateIndex: *d.CandidateIndex}
	switch {
	case d == s.PrecedingDecision:
		x.row = s.PrecedingRow
	case d.IsArmChoice():
		if x.row = whatif.RowOfArmChoice(s.Row, d); x.row == nil { // the branch is about to be chosen
			x.row = s.Row
		}
	}
	return x
}
