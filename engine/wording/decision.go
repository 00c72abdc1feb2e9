package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// WithArmNames returns a decision of a row in which arms are called as the document writes them instead of by their
// labels, and steps have the labels of the version of the document that is in force. The row may be nil.
func WithArmNames(r *track.Row, d *machine.Decision) *machine.Decision {
	if r == nil || d == nil {
		return d
	}
	out := *d
	out.To = r.CurrentLabel(d, d.To)
	if d.Outcome != nil {
		o := *d.Outcome
		o.ChildResults = slices.Clone(o.ChildResults)
		for i := range o.ChildResults {
			o.ChildResults[i].Label = r.CurrentLabel(d, o.ChildResults[i].Label)
		}
		out.Outcome = outcomeWithArmNames(r, &o)
	}
	for group := r; group != nil; group = group.GroupRow() {
		if group.Label == out.To {
			out.To = group.DisplayLabel()
		}
	}
	return &out
}

// outcomeWithArmNames does for an outcome what WithArmNames does.
func outcomeWithArmNames(r *track.Row, o *plan.Outcome) *plan.Outcome {
	out := *o
	out.ChildResults = slices.Clone(o.ChildResults)
	for i, result := range out.ChildResults {
		for _, child := range r.Children {
			if child.Label == result.Label && child.Step != nil && child.Step.IsArm() {
				out.ChildResults[i].Label = child.Step.ArmText()
			}
		}
	}
	return &out
}

// DecisionText returns the position of the taken route, where it leads and why, such as "line 37 → 2 ·
// fail". personText is what PersonNoteOrAnswerText returns for it.
func DecisionText(d *machine.Decision, personText string) string {
	c := d.TakenCandidate()
	switch {
	case d.ByPerson:
		return ManualMoveText(personDestination(d), personText)
	case c == nil:
		return OutcomeText(d) + " → " + DestinationText(d) + skipReason(d.Outcome)
	}
	s := "default"
	if !c.Implicit {
		s = fmt.Sprintf("line %d", c.Line)
	}
	why := cmp.Or(candidateReason(d, *d.CandidateIndex, true), c.Text)
	if retry := retryText(d, *d.CandidateIndex); retry != "" {
		why = withoutBudget(why, c.Reason) + ", " + retry
	}
	why = d.WithoutDestination(why)
	if personText != "" {
		why = personText + strings.TrimPrefix(why, outcomeWord(d.Outcome))
	}
	return s + " → " + DestinationText(d) + " · " + sanitize.Plain(why)
}

// skipReason returns why the document itself skipped a step, to follow a decision, "" if it did not.
func skipReason(o *plan.Outcome) string {
	if o == nil || o.Result != plan.Skipped || o.Overridden || OutcomeReason(o) == "" {
		return ""
	}
	return " · " + sanitize.Plain(OutcomeReason(o))
}

// OutcomeText returns the outcome on which a decision was based, such as "fail, exit 1".
func OutcomeText(d *machine.Decision) string {
	if d.Outcome == nil {
		return ""
	}
	s := string(d.Outcome.Result)
	if d.Outcome.Intent != "" {
		s += " " + sanitize.Plain(d.Outcome.Intent)
	}
	switch {
	case d.Outcome.Overridden:
		s += ", overridden" + PreparedSuffix(d.Outcome.Reason)
	case d.Outcome.Source != "":
		s += ", " + sanitize.Plain(track.OutcomeSourceText(d.Outcome))
	}
	return s
}

// DestinationText returns where a decision leads.
func DestinationText(d *machine.Decision) string {
	switch {
	case d.Destination.Kind == machine.ToDocumentEnd && d.Destination.Result != "":
		if saysOnlyFailure(d) {
			return EndText(d.Destination.Result, "")
		}
		return EndText(d.Destination.Result, d.Destination.Message)
	case d.Destination.Kind == machine.ToGroupRoutes:
		return "end of group " + sanitize.Plain(d.To)
	}
	return sanitize.Plain(d.To)
}

// PreviewDestinationText returns where the run goes on after the last event of a preview: a decision, the entry of
// the step that begins the next included document, or the end of the run by its limit of entries.
func PreviewDestinationText(last machine.Event) string {
	switch b := last.Body.(type) {
	case *machine.Decision:
		return DestinationText(b)
	case *machine.RunFinished:
		return EndText(b.Result, b.Message)
	}
	return sanitize.Plain(last.Step)
}

// PreviewEndResult returns how the run ends after the last event of a preview, "" if it goes on.
func PreviewEndResult(last machine.Event) plan.RunResult {
	switch b := last.Body.(type) {
	case *machine.Decision:
		if b.Destination.Kind == machine.ToDocumentEnd {
			return b.Destination.Result
		}
	case *machine.RunFinished:
		return b.Result
	}
	return ""
}

// GroupDecisionText returns the outcome of a group and where its decision leads, such as "4 fails → Rollback
// (line 185)".
func GroupDecisionText(group string, d *machine.Decision) string {
	s := sanitize.Plain(group)
	switch {
	case d.Outcome == nil:
		s += " decides"
	case d.Outcome.Result == plan.Passed:
		s += " passes"
	case d.Outcome.Result == plan.Skipped:
		s += " is skipped"
	default:
		s += " fails"
	}
	s += " → " + DestinationText(d)
	if c := d.TakenCandidate(); c != nil && c.Line > 0 && !c.Implicit {
		s += fmt.Sprintf(" (line %d)", c.Line)
	}
	return s
}

// ArmChoiceText returns which arm a choice took and what was compared, such as: kind = "refund" → 2d (else, line 34).
func ArmChoiceText(d *machine.Decision) string {
	var compared []plan.Reason
	for i, c := range d.Candidates {
		if c.Reason != nil && c.Reason.Variable != "" && isEvaluatedCandidate(d, i) {
			compared = append(compared, *c.Reason)
		}
	}
	text := sanitize.Plain(strings.Join(distinctComparisons(compared), ", ")) + " → " + DestinationText(d)
	c := d.TakenCandidate()
	if c == nil {
		return text + " (" + NoBranchText + ")"
	}
	return text + fmt.Sprintf(" (%s, line %d)", sanitize.Plain(c.Text), c.Line)
}

// IsSelectedByReply reports whether a value of the reply selected the route that a decision took.
func IsSelectedByReply(d *machine.Decision) bool {
	c := d.TakenCandidate()
	return !d.ByPerson && c != nil && !c.Implicit && d.Outcome != nil && d.Outcome.Reading != nil && d.Outcome.Reading.TargetSelector != nil
}

// SelectedTargetText returns where the value of a reply led, such as: size = "large" (team.size) → program (line 33).
func SelectedTargetText(d *machine.Decision) string {
	s, c := d.Outcome.Reading.TargetSelector, d.TakenCandidate()
	text := s.Key + " is missing"
	if s.Value != "" {
		text = s.Key + " = " + s.Value
	}
	if s.Path != "" {
		text += " (" + s.Path + ")"
	}
	route := fmt.Sprintf("line %d", c.Line)
	if s.IsDefault {
		route = "default, " + route
	}
	return sanitize.Plain(text) + " → " + DestinationText(d) + " (" + route + ")"
}

// saysOnlyFailure reports whether the message of an end says only that the step failed: the format's own message, about
// a failure that has no reason. If the run ends for another cause, the end has an error code.
func saysOnlyFailure(d *machine.Decision) bool {
	c := d.TakenCandidate()
	return c != nil && c.Implicit && d.Destination.Result == plan.RunFailed && d.Destination.ErrorCode == "" &&
		d.Outcome != nil && d.Outcome.Result == plan.Failed && d.Outcome.Reason == ""
}

// EndText returns how a run ends, with its message.
func EndText(result plan.RunResult, message string) string {
	text := track.ResultWord(result)
	if result == plan.RunFailed {
		text = "the run fails"
	}
	if message == "" {
		return text
	}
	return text + " " + Quote(message)
}

// StepAndDecisionText returns the step of a decision and the decision, such as "from 2, line 38 → 2b".
func StepAndDecisionText(label string, d *machine.Decision, personText string) string {
	return "from " + sanitize.Plain(label) + ", " + DecisionText(d, personText)
}

// personDestination returns where a person's decision led: to a step, or to another attempt of one.
func personDestination(d *machine.Decision) string {
	if d.Destination.SameVisit {
		return "rerun of " + d.To
	}
	return d.To
}

// ManualMoveText returns where a person sent a run, and their note, if any, with the signs of an override.
func ManualMoveText(to, note string) string {
	return "⇢ ! " + withNote(sanitize.Plain(to), note)
}

// OverriddenMoveText returns where a person's decision led, and their note, if any.
func OverriddenMoveText(d *machine.Decision, note string) string {
	if d.Destination.SameVisit {
		return withNote(sanitize.Plain(personDestination(d)), note)
	}
	return withNote("→ "+sanitize.Plain(d.To)+", overridden", note)
}

// PersonMoveText returns where a person's decision at a step led, and their note, if any, in a text about the step.
func PersonMoveText(step string, d *machine.Decision, note string) string {
	text := sanitize.Plain(track.PersonMoveText(step, d))
	if !machine.IsPreparedNote(note) {
		text += " by a person"
	}
	return withNote(text, note)
}

// withNote returns what a person did, and their note, if any, or what a prepared answer did.
func withNote(text, note string) string {
	switch {
	case note == "":
		return text
	case machine.IsPreparedNote(note):
		return text + PreparedSuffix(note)
	}
	return text + ": " + Quote(note)
}

// ByPreparedAnswer says who made an intervention that a flag or a file prepared.
const ByPreparedAnswer = "by a prepared answer"

// PreparedSuffix returns ByPreparedAnswer after a blank if an intervention has the note of a prepared one, else "".
func PreparedSuffix(note string) string {
	if machine.IsPreparedNote(note) {
		return " " + ByPreparedAnswer
	}
	return ""
}

// CandidateReasonWithDestination returns CandidateReason, with the destination if the candidate was taken.
func CandidateReasonWithDestination(d *machine.Decision, i int) string {
	c, why := d.Candidates[i], sanitize.Plain(CandidateReason(d, i))
	switch retry := retryText(d, i); {
	case retry != "" && !d.ByPerson:
		return withoutBudget(why, c.Reason) + " → " + DestinationText(d) + ", " + retry
	case isTakenCandidate(d, i) && !d.ByPerson && reasonNamesTarget(d, c.Reason):
		return why
	case isTakenCandidate(d, i) && !d.ByPerson:
		return strings.TrimSpace(why + " → " + DestinationText(d))
	case why == "" && c.Matched:
		return "would match"
	case why == "":
		return "no match"
	case !c.Matched && isEvaluatedCandidate(d, i):
		return "no match: " + why
	}
	return why
}

// VariableOrigin returns where a variable's value comes from. SetByStep may also have the title of the step.
func VariableOrigin(v track.Variable) string {
	switch {
	case v.SetBy != "":
		return "set by a person"
	case v.IsStepGone:
		return "a step that the document no longer has"
	case v.SetByStep == "":
		return "input"
	}
	return "step " + sanitize.Plain(v.SetByStep)
}

// ReplyOrigin returns where a value of a reply comes from. path is its path in the reply, "" if that is its name.
func ReplyOrigin(path string) string {
	if path == "" {
		return "reply"
	}
	return sanitize.Plain(path) + " in the reply"
}

// VariableSetText says that a person has set a variable during a run. hadValue is whether it had a value before.
func VariableSetText(name string, hadValue bool) string {
	text := sanitize.Plain(name) + " is set."
	if hadValue {
		text += " Effects of the old value are not undone."
	}
	return text
}

// Quote returns untrusted text as a quotation on one line, in the quotes that documents have.
func Quote(text string) string { return `"` + sanitize.Plain(text) + `"` }

// PreparedByText returns where an answer that nobody typed comes from, "" for other answers.
func PreparedByText(by string) string {
	return map[string]string{
		machine.ByFlag: "from a flag", machine.ByFile: "from a file", machine.ByAuto: "automatic", "replay": "from an earlier run",
	}[by]
}

// AuthorOfLine returns who made the event of a line: the client through which a person acted, else what AuthorText returns.
func AuthorOfLine(l track.EventLine) string {
	if l.Client != "" {
		return "through " + sanitize.Plain(l.Client)
	}
	return AuthorText(l.By)
}

// AuthorText returns who made an event, such as "by a person" or "from a flag".
func AuthorText(by string) string {
	if by == machine.ByPerson {
		return "by a person"
	}
	return cmp.Or(PreparedByText(by), "by "+sanitize.Plain(by))
}
