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
	item reasonItem // zero: nothing can be selected
}

// selectableLines returns lines that select one item.
func selectableLines(x reasonItem, lines ...string) []reasonLine {
	out := make([]reasonLine, len(lines))
	for i, text := range lines {
		out[i] = reasonLine{text, x}
	}
	return out
}

// unselectableLines returns lines in which nothing can be selected.
func unselectableLines(lines []string) []reasonLine { return selectableLines(reasonItem{}, lines...) }

func lineTexts(lines []reasonLine) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = line.text
	}
	return out
}

// reasonLines returns the facts that the step's outcome was based on, and its routes. If the taken route
// would be out of sight, it comes first.
func (p *Pane) reasonLines(run *runview.Run, w, h int) []reasonLine {
	dc, r := run.DrawContext, p.subject.Row
	if r == nil {
		return unselectableLines(dc.Wrap(dc.Muted.Paint(dc.Keys.FillInKeys(steps.NoStepsMessage)), w))
	}
	if r.Step == nil {
		return unselectableLines([]string{dc.Muted.Paint("Routes belong to steps. Select a step.")})
	}
	routes, rules := p.routesAndFacts(dc, w), p.selectableRules(run)
	facts := slices.Concat(unselectableLines(p.failureLines(dc, w)), unselectableLines(dc.PaintLines(dc.Fail, p.limitText(), w)), unselectableLines(p.routeOutOfGroupLines(dc, w)), p.checkLines(dc, rules, w), unselectableLines(routes.outcomeFacts))
	taken := routes.lines[routes.takenFirstLine:routes.takenEndLine]
	first := slices.Concat(facts, taken)
	if len(first) >= h {
		first = slices.Concat(taken, facts)
	}
	out := slices.Concat(first, routes.lines[:routes.takenFirstLine], routes.lines[routes.takenEndLine:])
	if len(facts)+routes.takenEndLine < h || len(facts)+len(routes.lines) <= h {
		out = append(facts, routes.lines...)
	}
	out = append(out, p.precedingDecisionIfMissing(dc, out, w)...)
	return append(out, p.otherRuleLines(dc, rules, out, w)...)
}

// failedRow returns the row whose failure the pane explains: the row itself or the one that led to it. It
// returns nil if there is none.
func (p *Pane) failedRow() *track.Row {
	r := p.subject.Row
	if _, about := p.subject.OwnDecision(); p.subject.PrecedingDecision != nil && !about {
		r = p.subject.PrecedingRow
	}
	if r == nil || r.Status != track.Failed || r.Outcome == nil || r.Overridden {
		return nil
	}
	return r
}

// failureLines returns which step failed, and why.
func (p *Pane) failureLines(dc *draw.Context, w int) []string {
	r := p.failedRow()
	if r == nil {
		return nil
	}
	return dc.PaintLines(dc.Fail, wording.FailureText(r), w)
}

// limitText returns that the limit of visits ends the run before it goes where the row's own decision leads, "" if it
// does not.
func (p *Pane) limitText() string {
	d, about := p.subject.OwnDecision()
	if !about && !p.track.IsOver() {
		return "" // an earlier decision, after which the run went on
	}
	return wording.LimitInsteadText(p.track, d)
}

// routeOutOfGroupLines returns which route left the row's group before the group was decided, nil if none did.
func (p *Pane) routeOutOfGroupLines(dc *draw.Context, w int) []string {
	if !p.subject.IsLeftUndecided() {
		return nil
	}
	return dc.Wrap(wording.LeavingRouteText(p.subject.Row), w)
}

// routeLines holds a step's routes in lines, and the facts that its outcome was based on.
type routeLines struct {
	outcomeFacts                 []string
	lines                        []reasonLine
	takenFirstLine, takenEndLine int // the lines of the taken route; both 0: none was taken
}

// routesAndFacts returns the candidates of the step's decision. Before there is one, it returns what the
// document writes.
func (p *Pane) routesAndFacts(dc *draw.Context, w int) routeLines {
	r := p.subject.Row
	d, about := p.subject.OwnDecision()
	if p.subject.PrecedingDecision != nil && !about {
		lines := p.precedingDecisionWithCandidates(dc, w)
		if chosen := p.branchChoiceLines(dc, nil, w); len(chosen) > 0 && !p.subject.PrecedingDecision.IsArmChoice() { // a branch was chosen
			lines = chosen
		}
		if open := p.writtenRouteLines(dc, r, w); len(open) > 0 {
			lines = append(append(lines, unselectableLines([]string{dc.Muted.Paint(p.pendingText() + ":")})...), open...)
		}
		return routeLines{lines: lines}
	}
	out := append(p.branchChoiceLines(dc, d, w), overrideLines(dc, r, d, about, w)...)
	switch {
	case p.subject.Row != nil && p.subject.Row.IsInUntakenArm():
		return routeLines{lines: out}
	case d != nil && len(d.Candidates) > 0:
		all := decision.DrawCandidates(dc, r, d, p.showsDefaultRoutes, w)
		n := len(out)
		return routeLines{decision.OutcomeFactLines(dc, r, d, w), append(out, withSelectableCandidates(all, r, d)...), n + all.TakenFirstLine, n + all.TakenEndLine}
	case len(r.Step.Routes) == 0 && len(out) == 0:
		return routeLines{lines: unselectableLines([]string{dc.Muted.Paint("This step has no routes of its own.")})}
	}
	open := p.writtenRouteLines(dc, r, w)
	if r.IsLeftByPerson() && len(open) > 0 {
		out = append(out, p.precedingDecisionIfMissing(dc, out, w)...)
		out = append(out, unselectableLines([]string{dc.Muted.Paint("not evaluated:")})...)
	}
	return routeLines{lines: append(out, open...)}
}

// precedingDecisionWithCandidates returns the decision that led to the row, with its candidates if it chose
// a branch.
func (p *Pane) precedingDecisionWithCandidates(dc *draw.Context, w int) []reasonLine {
	d := p.subject.PrecedingDecision
	if d.IsArmChoice() {
		from := dc.Cut("from "+draw.CleanLine(p.subject.PrecedingRow.StepLabel())+":", w) // the taken route is marked below
		return append(unselectableLines([]string{dc.Text.Paint(from)}), p.candidateLines(dc, p.subject.PrecedingRow, d, w)...)
	}
	return precedingDecisionLines(dc, p.subject.PrecedingRow, d, w)
}

// precedingDecisionIfMissing returns the decision that led to a row which has decided or is about to,
// unless it shows already.
func (p *Pane) precedingDecisionIfMissing(dc *draw.Context, shown []reasonLine, w int) []reasonLine {
	r := p.subject.Row
	_, about := p.subject.OwnDecision()
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
	for i := range lines {
		lines[i] = "  " + lines[i]
	}
	if d.TakenCandidate() == nil {
		return unselectableLines(lines)
	}
	return selectableLines(reasonItem{row: from, decision: d, candidateIndex: *d.CandidateIndex}, lines...)
}

func (p *Pane) candidateLines(dc *draw.Context, r *track.Row, d *machine.Decision, w int) []reasonLine {
	return withSelectableCandidates(decision.DrawCandidates(dc, r, d, p.showsDefaultRoutes, w), r, d)
}

func (p *Pane) writtenRouteLines(dc *draw.Context, r *track.Row, w int) []reasonLine {
	return withSelectableCandidates(decision.UndecidedRouteLines(dc, r, p.showsDefaultRoutes, w), r, nil)
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

// branchChoiceLines returns the decisions between branches that belong to the row. It leaves out d, which the
// caller draws.
func (p *Pane) branchChoiceLines(dc *draw.Context, d *machine.Decision, w int) (out []reasonLine) {
	for _, c := range p.subject.ArmChoices(d) {
		out = append(out, p.candidateLines(dc, c.Row, c.Decision, w)...)
	}
	return out
}

// overrideLines returns what a person overrode: the outcome of the step or its route, which can be selected.
func overrideLines(dc *draw.Context, r *track.Row, d *machine.Decision, about bool, w int) []reasonLine {
	var out []reasonLine
	if r.Overridden && r.Outcome != nil {
		out = append(out, unselectableLines(dc.SignedWarningLines("!", wording.OverriddenText(r), w))...)
	}
	if text := r.LimitsUsedText(); text != "" {
		out = append(out, unselectableLines(dc.SignedWarningLines("!", text, w))...)
	}
	if d != nil && d.ByPerson && !about {
		move := reasonItem{row: r, decision: d, candidateIndex: noCandidate}
		for _, line := range dc.WarningLines(wording.ManualMoveText(track.PersonMoveText(r.Label, d), r.DecisionNote(d)), w-2) {
			out = append(out, reasonLine{"  " + line, move})
		}
	}
	return out
}

// Summary returns the decision in one line, for a folded pane: the row's own decision, else the one that
// led to the row. If that is wider than w cells, it names the steps of an included document by their labels
// there, and then begins with what decided.
func (p *Pane) Summary(dc *draw.Context, w int) string {
	if p.subject.Row == nil || p.subject.Row.Step == nil {
		return p.summary("")
	}
	document := strings.TrimSuffix(p.subject.Row.Label, p.subject.Row.LocalLabel)
	if p.subject.PrecedingRow != nil && !strings.HasPrefix(p.subject.PrecedingRow.Label, document) {
		document = ""
	}
	texts := []string{p.summary(""), p.summary(document)}
	if d := p.decisionByFact(); d != nil {
		to := " → " + wording.DestinationText(decisionWithoutDocument(d, document))
		fact := "why: " + wording.DecidingFact(decisionWithShortField(d))
		texts = append(texts, "why: "+wording.DecidingFact(d)+to, dc.Cut(fact, max(w-dc.Width(to), minFactWidth))+to, fact)
	}
	for _, text := range texts {
		if dc.Width(text) <= w {
			return text
		}
	}
	return texts[len(texts)-1]
}

// minFactWidth is the least width in cells to which what decided is cut, so that where it leads is there too.
const minFactWidth = 30

// decisionByFact returns the decision that the pane explains, nil if it is only about to be taken, or if a failure or a
// person explains it.
func (p *Pane) decisionByFact() *machine.Decision {
	d, about := p.subject.OwnDecision()
	if p.subject.PrecedingDecision != nil && !about {
		d = p.subject.PrecedingDecision
	}
	if d == nil || d.ByPerson || about || p.failedRow() != nil {
		return nil
	}
	return d
}

// summary returns the decision in one line. Labels that begin with document are shortened by it.
func (p *Pane) summary(document string) string {
	text := p.decisionSummary(document)
	if r := p.failedRow(); r != nil {
		return wording.FailureText(rowWithoutDocument(r, document)) + " · " + text
	}
	if limit := p.limitText(); limit != "" {
		return limit + " · " + text
	}
	if _, about := p.subject.OwnDecision(); about { // the text itself explains it, and the room is small
		return text
	}
	return "why: " + text
}

func (p *Pane) decisionSummary(document string) string {
	d, about := p.subject.OwnDecision()
	switch {
	case p.subject.Row == nil || p.hasDocumentErrors():
		return "this document cannot be run"
	case p.subject.PrecedingDecision != nil && !about:
		d := decisionWithoutDocument(wording.WithArmNames(p.subject.PrecedingRow, p.subject.PrecedingDecision), document)
		return wording.StepAndDecisionText(strings.TrimPrefix(p.subject.PrecedingRow.StepLabel(), document), d, wording.PersonNoteOrAnswerText(p.subject.PrecedingRow, p.subject.PrecedingDecision))
	case p.subject.IsLeftUndecided():
		return wording.LeavingRouteText(p.subject.Row)
	case d == nil && len(p.subject.Row.Checks()) > 0:
		return decision.CheckSummary(p.subject.Row.Checks()) + " · " + p.pendingText()
	case d == nil:
		return p.pendingText()
	}
	text := wording.DecisionText(decisionWithoutDocument(wording.WithArmNames(p.subject.Row, d), document), wording.PersonNoteOrAnswerText(p.subject.Row, d))
	if about {
		text = "about to take " + text
	}
	return text
}

// rowWithoutDocument returns a copy of a row whose label does not begin with the document.
func rowWithoutDocument(r *track.Row, document string) *track.Row {
	out := *r
	out.Label = strings.TrimPrefix(r.Label, document)
	return &out
}

// decisionWithShortField returns a copy of a decision in which a field of a reply has only its own name, without the
// fields around it.
func decisionWithShortField(d *machine.Decision) *machine.Decision {
	if d.Outcome == nil || d.Outcome.Reading == nil {
		return d
	}
	out, outcome, reading := *d, *d.Outcome, *d.Outcome.Reading
	reading.Variable = reading.Variable[strings.LastIndex(reading.Variable, ".")+1:]
	outcome.Reading, out.Outcome = &reading, &outcome
	return &out
}

// decisionWithoutDocument returns a copy of a decision in which the labels of steps do not begin with the
// document.
func decisionWithoutDocument(d *machine.Decision, document string) *machine.Decision {
	out := *d
	out.To = strings.TrimPrefix(d.To, document)
	if d.Outcome != nil && len(d.Outcome.ChildResults) > 0 {
		outcome := *d.Outcome
		outcome.ChildResults = slices.Clone(d.Outcome.ChildResults)
		for i := range outcome.ChildResults {
			outcome.ChildResults[i].Label = strings.TrimPrefix(outcome.ChildResults[i].Label, document)
		}
		out.Outcome = &outcome
	}
	return &out
}
