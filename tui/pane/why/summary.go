package why

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/decision"
	"playhead/tui/draw"
)

// fittingSummary returns the decision in one line, for a folded pane: the row's own decision, else the one that
// led to the row. If that is wider than w cells, it names the steps of an included document by their labels
// there, and then begins with what decided.
func (s subject) fittingSummary(dc *draw.Context, w int) string {
	if s.Row == nil || s.Row.Step == nil {
		return s.summary("")
	}
	document := strings.TrimSuffix(s.Row.Label, s.Row.LocalLabel)
	if s.PrecedingRow != nil && !strings.HasPrefix(s.PrecedingRow.Label, document) {
		document = ""
	}
	texts := []string{s.summary(""), s.summary(document)}
	if d := s.decisionByFact(); d != nil {
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
func (s subject) decisionByFact() *machine.Decision {
	d, about := s.OwnDecision()
	if s.PrecedingDecision != nil && !about {
		d = s.PrecedingDecision
	}
	if d == nil || d.ByPerson || about || s.failedRow() != nil {
		return nil
	}
	return d
}

// summary returns the decision in one line. Labels that begin with document are shortened by it.
func (s subject) summary(document string) string {
	text := s.decisionSummary(document)
	if r := s.failedRow(); r != nil {
		return wording.FailureText(rowWithoutDocument(r, document)) + " · " + text
	}
	if limit := s.limitText(); limit != "" {
		return limit + " · " + text
	}
	if _, about := s.OwnDecision(); about { // the text itself explains it, and the room is small
		return text
	}
	return "why: " + text
}

func (s subject) decisionSummary(document string) string {
	d, about := s.OwnDecision()
	switch {
	case s.Row == nil || s.hasDocumentErrors():
		return "this document cannot be run"
	case s.PrecedingDecision != nil && !about:
		d := decisionWithoutDocument(wording.WithArmNames(s.PrecedingRow, s.PrecedingDecision), document)
		return wording.StepAndDecisionText(strings.TrimPrefix(s.PrecedingRow.StepLabel(), document), d, wording.PersonNoteOrAnswerText(s.PrecedingRow, s.PrecedingDecision))
	case s.IsLeftUndecided():
		return wording.LeavingRouteText(s.Row)
	case d == nil && len(s.Row.Checks()) > 0:
		return decision.CheckSummary(s.Row.Checks()) + " · " + s.pendingText()
	case d == nil:
		return s.pendingText()
	}
	text := wording.DecisionText(decisionWithoutDocument(wording.WithArmNames(s.Row, d), document), wording.PersonNoteOrAnswerText(s.Row, d))
	if about {
		text = "next: " + text
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

// stateText returns whether a route is taken, about to be taken, or not decided yet.
func (s subject) stateText(dc *draw.Context) string {
	d, about := s.OwnDecision()
	switch {
	case s.Row != nil && s.Row.IsPhase():
		return ""
	case s.hasDocumentErrors():
		return dc.Muted.Paint("cannot be run")
	case s.Row != nil && s.Row.IsInUntakenArm():
		return dc.Muted.Paint("not taken")
	case s.IsLeftUndecided():
		return dc.Muted.Paint(wording.LeftUndecidedText)
	case s.Row != nil && s.Row.Status.IsOpen() && len(s.Row.ArmChoices) > 0 && !about:
		return dc.Muted.Paint("branch taken")
	case s.PrecedingDecision != nil && !about:
		return dc.Muted.Paint("what led here")
	case d == nil:
		return dc.Muted.Paint(s.pendingText())
	case about:
		return dc.Bold.Paint("route about to be taken")
	case d.ByPerson:
		return dc.Warn.Paint("overridden")
	}
	outcome := s.outcomeText(d)
	if s.Row.Status.IsOpen() && s.Row.Attempt > 1 { // the newest attempt has no outcome yet
		outcome = fmt.Sprintf("attempt %d: %s", s.Row.Attempt-1, outcome)
	}
	return dc.Muted.Paint(outcome)
}

// outcomeText returns the outcome on which the row's own decision was based.
func (s subject) outcomeText(d *machine.Decision) string {
	if d == s.Row.Decision && d.Outcome != nil && d.Outcome.Intent == "" && s.Row.HasToolResult() && d.Outcome.Source == "reply" {
		return string(d.Outcome.Result) + ", tool result"
	}
	return cmp.Or(wording.DecidingAnswerText(s.Row), wording.OutcomeText(d))
}

// pendingText returns why the row has no decision: it is not decided, or not reached.
func (s subject) pendingText() string {
	switch {
	case !s.track.IsOver():
		return "not decided yet"
	case s.Row.Status == track.Pending:
		return cmp.Or(s.Row.EarlierVisitText(), "not reached")
	case s.Row == wording.RowOfEndByPerson(s.track):
		return wording.EndedByPersonText(s.track.Finished, s.track.EndPreparedBy)
	}
	return "not decided"
}

// hasDocumentErrors reports whether the row's document has errors, so that nothing is decided.
func (s subject) hasDocumentErrors() bool {
	return s.Row != nil && s.Row.Step != nil && !s.Row.Plan().Runnable()
}
