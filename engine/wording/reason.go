package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// isEvaluatedCandidate reports whether candidate i was compared. Candidates after the taken one are not.
func isEvaluatedCandidate(d *machine.Decision, i int) bool {
	return d.TakenCandidate() == nil || i <= *d.CandidateIndex
}

// decidedEarlierText returns which candidate was taken before the others were evaluated.
func decidedEarlierText(d *machine.Decision) string {
	if c := d.TakenCandidate(); c != nil && c.Line > 0 && !c.Implicit {
		return fmt.Sprintf("not evaluated: line %d matched", c.Line)
	}
	return "not evaluated"
}

// CandidateReason returns why candidate i of a decision was taken or not. The text is untrusted, because it
// may contain the document's words. Old journals contain the text itself.
func CandidateReason(d *machine.Decision, i int) string { return candidateReason(d, i, false) }

// candidateReason returns what CandidateReason does. With selectorFirst, it begins with the value that selected the
// target, if one did, because that decided between the targets of the intent.
func candidateReason(d *machine.Decision, i int, selectorFirst bool) string {
	c, o := d.Candidates[i], d.Outcome
	r := c.Reason
	switch {
	case c.ReasonText != "" || r == nil:
		return c.ReasonText
	case !isEvaluatedCandidate(d, i):
		return decidedEarlierText(d)
	case o == nil && r.Variable == "": // a candidate without a condition
		return ""
	case o == nil:
		return r.ComparisonText()
	}
	text := ""
	switch {
	case r.IsValueTested && !c.Matched: // the outcome matched, and only the value did not
		return r.ComparisonText()
	case !c.Matched && hasExpectedIntent(d, i):
		return otherResultText(o)
	case !isExplainedByFormat(o) && (c.Matched || d.TakenCandidate() == nil || len(o.ChildResults) > 0):
		text = outcomeSummary(o)
	case !isExplainedByFormat(o):
		text = outcomeWord(o) // the taken candidate has the reason of the outcome
	case c.Matched:
		text = readingText(o, selectorFirst)
	default: // the matching candidate has the rest of the reason
		text = outcomeWord(o)
	}
	if r.IsValueTested && !(isExplainedByFormat(o) && c.Matched) {
		text += "; " + r.ComparisonText()
	}
	if isTakenCandidate(d, i) {
		text += budgetsOfDecisionText(d, r)
	}
	return text
}

// hasExpectedIntent reports whether candidate i of a decision demands the intent of the outcome. If it does not match
// nevertheless, it demands another result.
func hasExpectedIntent(d *machine.Decision, i int) bool {
	r, o := d.Candidates[i].Reason, d.Outcome
	return r != nil && o != nil && o.Intent != "" && r.Expected == o.Intent
}

// otherResultText returns the result that kept an outcome from matching a candidate with its intent, such as "the
// intent is closing, but the outcome is fail (spelling failed)".
func otherResultText(o *plan.Outcome) string {
	text := fmt.Sprintf("the intent is %s, but the outcome is %s", o.Intent, o.Result)
	if r := o.Reading; r != nil && r.FailedValidator != "" && o.Result != plan.Passed && !o.Overridden {
		text += " (" + r.FailedValidator + " failed)"
	}
	return text
}

// DecidingFact returns what decided where a run went, without the destination.
func DecidingFact(d *machine.Decision) string {
	text := ""
	switch o := d.Outcome; {
	case o != nil && len(o.UntakenBranches) > 0:
		text = strings.Join(distinctComparisons(o.UntakenBranches), ", ")
	case o != nil && isExplainedByFormat(o):
		text = readingText(o, true)
	case d.TakenCandidate() != nil:
		text = cmp.Or(CandidateReasonWithRetry(d, *d.CandidateIndex), d.TakenCandidate().Text)
	}
	return cmp.Or(sanitize.Plain(text), OutcomeText(d))
}

// takenReason returns the reason of the candidate that a decision took, nil if there is none.
func takenReason(d *machine.Decision) *plan.Reason {
	if c := d.TakenCandidate(); c != nil {
		return c.Reason
	}
	return nil
}

func isTakenCandidate(d *machine.Decision, i int) bool {
	return d.CandidateIndex != nil && *d.CandidateIndex == i
}

// isExplainedByFormat reports whether a format explains how it came to an outcome.
func isExplainedByFormat(o *plan.Outcome) bool { return o.Reading != nil || o.OldReadingText != "" }

// outcomeWord returns an outcome in one word: its intent, else its result.
func outcomeWord(o *plan.Outcome) string {
	if o.Intent != "" {
		return o.Intent
	}
	return string(o.Result)
}

// outcomeSummary returns an outcome in a few words. For a joined outcome it names the children that
// decided.
func outcomeSummary(o *plan.Outcome) string {
	switch {
	case len(o.ChildResults) > 0:
	case o.Overridden: // the reason is that of the original outcome
		return outcomeWord(o)
	default: // why no branch was taken is not repeated for each route
		return outcomeWord(o) + quotedExcerpt(o.Reason)
	}
	return outcomeWord(o) + ": " + DecidingChildrenText(o)
}

// OutcomeReason returns why a step came to an outcome, "" if unknown.
func OutcomeReason(o *plan.Outcome) string {
	if o.Reason != "" || len(o.UntakenBranches) == 0 {
		return o.Reason
	}
	return NoBranchText + ": " + strings.Join(distinctComparisons(o.UntakenBranches), ", ")
}

// NoBranchText is the reason of a group that was skipped because none of its branches was taken.
const NoBranchText = "no branch was taken"

// distinctComparisons returns what was compared for the first few branches, each value once. If one of the texts
// says more about the value than another, such as "only case differs", that one stands.
func distinctComparisons(reasons []plan.Reason) (out []string) {
	for _, r := range reasons {
		text := r.ComparisonText()
		if slices.ContainsFunc(out, func(other string) bool { return strings.HasPrefix(other, text) }) {
			continue
		}
		out = slices.DeleteFunc(out, func(other string) bool { return strings.HasPrefix(text, other) })
		out = append(out, text)
	}
	return out[:min(len(out), plan.MaxListedItems)]
}

// DecidingChildrenText returns which children decided a joined outcome.
func DecidingChildrenText(o *plan.Outcome) string {
	failed := o.ChildResults.Count(plan.Failed) + o.ChildResults.Count(plan.Errored)
	switch {
	case o.Result == plan.Failed:
		return labelsWithResult(o.ChildResults, plan.Failed) + " failed"
	case failed == 0 && len(o.ChildResults) > plan.MaxListedItems:
		return fmt.Sprintf("all %d passed", len(o.ChildResults))
	default:
		return labelsWithResult(o.ChildResults, plan.Passed) + " passed"
	}
}

// labelsWithResult lists the first few children with one of the results.
func labelsWithResult(all plan.ChildResults, results ...plan.Result) string {
	var out []string
	for _, c := range all {
		if slices.Contains(results, c.Result) {
			out = append(out, c.Label)
		}
	}
	if len(out) > plan.MaxListedItems {
		return fmt.Sprintf("%s and %d more", strings.Join(out[:plan.MaxListedItems], ", "), len(out)-plan.MaxListedItems)
	}
	return strings.Join(out, ", ")
}

// maxExcerptChars limits an excerpt in a reason, in characters.
const maxExcerptChars = 240

// quotedExcerpt returns a space and the first line of a text in quotes, "" if the text is empty.
func quotedExcerpt(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line == "" {
		return ""
	}
	return ` "` + plan.CutText(line, maxExcerptChars) + `"`
}

// ReadingText returns how a format came to an outcome, "" if it does not say.
func ReadingText(o *plan.Outcome) string { return readingText(o, false) }

func readingText(o *plan.Outcome, selectorFirst bool) string {
	r := o.Reading
	if r == nil || o.OldReadingText != "" {
		return o.OldReadingText
	}
	if r.RejectionCode != "" {
		return o.Reason
	}
	text := readValueText(r, o)
	switch u := r.TargetSelector; {
	case u == nil:
	case selectorFirst && text != "":
		text = targetSelectorText(u) + "; " + text
	default:
		text += "; " + targetSelectorText(u)
	}
	for _, v := range r.ValidatorResults {
		text += validationText(v)
	}
	return strings.TrimPrefix(text, "; ")
}

// targetSelectorText returns the value that selected a target.
func targetSelectorText(u *plan.TargetSelector) string {
	text := u.Key + " is missing"
	if u.Value != "" {
		text = u.Key + "=" + u.Value
	}
	if u.IsDefault {
		text += " → default"
	}
	return text
}

// readValueText returns what was read from a reply or an exit status, before any validation.
func readValueText(r *plan.Reading, o *plan.Outcome) string {
	leads := ""
	if r.Intent != "" {
		leads = " → " + r.Intent
	}
	switch {
	case r.HasNoObject && r.Intent == "":
		return "no JSON object → retry"
	case r.HasNoObject:
		return "no JSON object" + leads + fallbackText(r)
	case r.IsIntentImplied:
		return "no gate, so the intent is assumed to be " + r.Intent
	case r.CompletionRule != "" && r.IsDone:
		return fmt.Sprintf("%s: iteration %d, done", r.CompletionRule, r.Iteration)
	case r.CompletionRule != "":
		return fmt.Sprintf("%s: iteration %d, not done", r.CompletionRule, r.Iteration)
	case r.CheckResult != "":
		return "check " + r.CheckResult + quotedExcerpt(o.Reason)
	case r.ExitCode != nil:
		return fmt.Sprintf("exit %d", *r.ExitCode) + leads
	case r.AbnormalEnd != "":
		return r.AbnormalEnd + leads
	case r.Variable == "":
		return ""
	}
	text := fmt.Sprintf("%s=%q", r.Variable, r.Actual)
	if r.IsJSON {
		text = r.Variable + "=" + r.Actual
	}
	if r.HasNoValue {
		text = r.Variable + " is missing"
	}
	switch text += leads; {
	case r.FallbackIntent != "":
		text += fallbackText(r)
	case r.IntentAlias != "":
		text += " (alias)"
	case !r.IsJSON:
		text += plan.DifferenceNote(r.Intent, r.Actual)
	}
	return text
}

// IntentReadingText returns how an intent was read from a reply that names it, "" if it came from elsewhere.
func IntentReadingText(o *plan.Outcome) string {
	r := o.Reading
	if r == nil || r.Variable == "" || r.Intent == "" || r.HasNoObject || r.FallbackIntent != "" {
		return ""
	}
	return readValueText(r, o)
}

// fallbackText returns that the intent is not in the reply, and which line of the document names
// it.
func fallbackText(r *plan.Reading) string {
	if r.FallbackIntentLine == 0 {
		return " (fallback)"
	}
	return fmt.Sprintf(" (fallback, line %d)", r.FallbackIntentLine)
}

// validationText returns the result of a validator. If all passed, only their number is given.
func validationText(v plan.ValidatorResult) string {
	text := ""
	switch {
	case v.Passed && v.ValidatorCount > 0 && v.Position == v.ValidatorCount:
		return fmt.Sprintf("; %d of %s passed", v.Position, plan.CountText(v.ValidatorCount, "validator"))
	case v.Passed:
		return ""
	case v.FailurePattern != "":
		text = fmt.Sprintf("; %s failed (%s)", v.Validator, v.FailurePattern)
	default:
		text = fmt.Sprintf("; %s failed", v.Validator)
	}
	if v.FailureIgnored {
		text += ", but counts as passed"
	}
	return text
}

// reasonNamesTarget reports whether the reason of the taken candidate ends with the destination.
func reasonNamesTarget(d *machine.Decision, r *plan.Reason) bool {
	bounded := r != nil && r.MinOrMax != "" && r.MoveAfterLimit == ""
	return d.Outcome != nil && isExplainedByFormat(d.Outcome) && d.Destination.Kind == machine.ToStep && !bounded && (r == nil || r.MoveText == "")
}

// ComparisonTexts returns what was compared for the candidates of a decision, each comparison once.
func ComparisonTexts(d *machine.Decision) []string {
	var out []string
	for i := range d.Candidates {
		if text := CandidateReason(d, i); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// WithReasonText returns an event with the reasons of its decision and outcomes as text, for readers of
// its JSON.
func WithReasonText(e machine.Event) machine.Event {
	switch b := e.Body.(type) {
	case *machine.StepFinished:
		c := *b
		c.Outcome = outcomeWithText(b.Outcome)
		e.Body = &c
	case *machine.Decision:
		e.Body = decisionWithText(b)
	case *machine.RunFinished:
		c := *b
		c.WaitingFor = WaitingWithReasonText(b.WaitingFor)
		e.Body = &c
	}
	return e
}

// WaitingWithReasonText does for a Waiting, which may be nil, what WithReasonText does for an event.
func WaitingWithReasonText(w *machine.Waiting) *machine.Waiting {
	if w == nil || w.NextDecision == nil {
		return w
	}
	c := *w
	c.NextDecision = decisionWithText(w.NextDecision)
	return &c
}

func decisionWithText(d *machine.Decision) *machine.Decision {
	c := *d
	c.Outcome, c.Candidates = outcomeWithText(d.Outcome), slices.Clone(d.Candidates)
	for i := range c.Candidates {
		c.Candidates[i].ReasonText = CandidateReason(d, i)
	}
	return &c
}

func outcomeWithText(o *plan.Outcome) *plan.Outcome {
	if o == nil || len(o.UntakenBranches) == 0 {
		return o
	}
	c := *o
	c.Reason = OutcomeReason(o)
	return &c
}
