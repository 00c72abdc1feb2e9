package wording

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// isEvaluated reports whether candidate i was compared. Candidates after the taken one are not.
func isEvaluated(d *machine.Decision, i int) bool {
	return d.CandidateIndex == nil || i <= *d.CandidateIndex
}

// decidedEarlierText returns which candidate was taken before the others were evaluated.
func decidedEarlierText(d *machine.Decision) string {
	if c := d.Candidates[*d.CandidateIndex]; c.Line > 0 && !c.Implicit {
		return fmt.Sprintf("not evaluated: line %d matched", c.Line)
	}
	return "not evaluated"
}

// Reason returns why candidate i of a decision was taken or not. The text is untrusted, because it
// may contain the document's words. Old journals contain the text itself.
func Reason(d *machine.Decision, i int) string {
	c, o := d.Candidates[i], d.Outcome
	r := c.Reason
	switch {
	case c.Why != "" || r == nil:
		return c.Why
	case !isEvaluated(d, i):
		return decidedEarlierText(d)
	case o == nil && r.Variable == "": // an else
		return ""
	case o == nil:
		return r.Compared()
	}
	text := ""
	switch {
	case !isRead(o):
		text = summary(o)
	case c.Matched:
		text = Reading(o)
	default: // the rest is said of the candidate that matches
		text = word(o)
	}
	if r.Tested && !(isRead(o) && c.Matched) {
		text += "; " + r.Compared()
	}
	if isTaken(d, i) {
		text += budgets(d, r)
	}
	return text
}

func isTaken(d *machine.Decision, i int) bool {
	return d.CandidateIndex != nil && *d.CandidateIndex == i
}

// isRead reports whether a format explains how it came to an outcome.
func isRead(o *plan.Outcome) bool { return o.Reading != nil || o.Why != "" }

// word returns an outcome in one word: its intent, else its result.
func word(o *plan.Outcome) string {
	if o.Intent != "" {
		return o.Intent
	}
	return string(o.Result)
}

// summary returns an outcome in a few words. For a joined outcome it names the children that
// decided.
func summary(o *plan.Outcome) string {
	if len(o.Results) == 0 {
		return word(o) + excerpt(OutcomeReason(o))
	}
	return word(o) + ": " + Deciders(o)
}

// OutcomeReason returns why a step came to an outcome, "" if unknown.
func OutcomeReason(o *plan.Outcome) string {
	var compared []string
	for _, r := range o.Untaken {
		if text := r.Compared(); !slices.Contains(compared, text) && len(compared) < plan.MaxNamed {
			compared = append(compared, text)
		}
	}
	if o.Reason != "" || len(compared) == 0 {
		return o.Reason
	}
	return "no branch was taken: " + strings.Join(compared, ", ")
}

// Deciders returns which children decided a joined outcome.
func Deciders(o *plan.Outcome) string {
	failed := o.Results.Count(plan.Failed) + o.Results.Count(plan.Errored)
	switch {
	case o.Result == plan.Failed:
		return labels(o.Results, plan.Failed) + " failed"
	case failed == 0 && len(o.Results) > plan.MaxNamed:
		return fmt.Sprintf("all %d passed", len(o.Results))
	default:
		return labels(o.Results, plan.Passed) + " passed"
	}
}

// labels lists the first few children with a result.
func labels(all plan.Results, r plan.Result) string {
	var out []string
	for _, c := range all {
		if c.Result == r {
			out = append(out, c.Label)
		}
	}
	if len(out) > plan.MaxNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(out[:plan.MaxNamed], ", "), len(out)-plan.MaxNamed)
	}
	return strings.Join(out, ", ")
}

// maxExcerpt limits an excerpt in a reason, in characters.
const maxExcerpt = 80

// excerpt returns a space and the first line of a text in quotes, "" if the text is empty.
func excerpt(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line == "" {
		return ""
	}
	if r := []rune(line); len(r) > maxExcerpt {
		line = string(r[:maxExcerpt]) + "…"
	}
	return ` "` + line + `"`
}

// Reading returns how a format came to an outcome, "" if it does not say.
func Reading(o *plan.Outcome) string {
	r := o.Reading
	if r == nil || o.Why != "" {
		return o.Why
	}
	if r.RejectionCode != "" {
		return o.Reason
	}
	text := read(r, o)
	if u := r.Rule; u != nil {
		text += "; " + u.Key + " is missing"
		if u.Value != "" {
			text = strings.TrimSuffix(text, " is missing") + "=" + u.Value
		}
		if u.Default {
			text += " → default"
		}
	}
	for _, v := range r.Validations {
		text += validation(v)
	}
	return strings.TrimPrefix(text, "; ")
}

// read returns what was read from a reply or an exit status, before any validation.
func read(r *plan.Reading, o *plan.Outcome) string {
	leads := ""
	if r.Intent != "" {
		leads = " → " + r.Intent
	}
	switch {
	case r.NoObject && r.Intent == "":
		return "no JSON object → retry"
	case r.NoObject:
		return "no JSON object" + leads + fallbackSource(r)
	case r.Implied:
		return "no gate, so " + r.Intent + " is assumed"
	case r.Completion != "" && r.IsDone:
		return fmt.Sprintf("%s: iteration %d, done", r.Completion, r.Iteration)
	case r.Completion != "":
		return fmt.Sprintf("%s: iteration %d, not done", r.Completion, r.Iteration)
	case r.Check != "":
		return "check " + r.Check + excerpt(o.Reason)
	case r.ExitCode != nil:
		return fmt.Sprintf("exit %d", *r.ExitCode) + leads
	case r.Ended != "":
		return r.Ended + leads
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
	case r.Fallback != "":
		text += fallbackSource(r)
	case r.Alias != "":
		text += " (alias)"
	}
	return text
}

// fallbackSource returns that the intent is not in the reply, and which line of the document names
// it.
func fallbackSource(r *plan.Reading) string {
	if r.FallbackLine == 0 {
		return " (fallback)"
	}
	return fmt.Sprintf(" (fallback, line %d)", r.FallbackLine)
}

// validation returns the result of a validator. If all passed, only their number is given.
func validation(v plan.Validation) string {
	text := ""
	switch {
	case v.Passed && v.Of > 0 && v.Nth == v.Of:
		return fmt.Sprintf("; validators %d/%d", v.Nth, v.Of)
	case v.Passed:
		return ""
	case v.FailurePattern != "":
		text = fmt.Sprintf("; %s failed (%s)", v.Validator, v.FailurePattern)
	default:
		text = fmt.Sprintf("; %s failed", v.Validator)
	}
	if v.Skipped {
		text += ", skipped"
	}
	return text
}

// budgets returns what the taken candidate used of its budgets. If a format explains the outcome,
// the destination follows.
func budgets(d *machine.Decision, r *plan.Reason) string {
	text := ""
	for _, b := range append(slices.Clip(r.Exhausted), r.Budget) {
		switch {
		case b.Used == nil:
		case !isRead(d.Outcome):
			text += "; " + Budget(&b)
		case b.Then != "" && b.Bound != "": // a step that is not repeated any more continues
		case b.Then != "":
			text += "; " + Budget(&b)
		case b.Bound != "":
			return text + fmt.Sprintf(", iteration %d < %s %d", *b.Used+1, b.Bound, *b.Limit+1)
		case r.Move != "":
			return text + " → " + r.Move + " " + nth(&b)
		default:
			text += ", " + b.Kind + " " + nth(&b)
		}
	}
	switch {
	case !isRead(d.Outcome):
		return text
	case r.Move != "":
		return text + " → " + r.Move
	case d.Arrival.Kind == machine.ToDocumentEnd:
		return text + "; " + machine.ToEnd
	}
	return text + " → " + d.To
}

// namesTarget reports whether the reason of the taken candidate ends with the destination.
func namesTarget(d *machine.Decision, r *plan.Reason) bool {
	bounded := r != nil && r.Bound != "" && r.Then == ""
	return d.Outcome != nil && isRead(d.Outcome) && d.Arrival.Kind == machine.ToStep && !bounded && (r == nil || r.Move == "")
}

// nth returns which use of a budget a decision makes, such as "1/2".
func nth(b *plan.Budget) string {
	if b.Limit == nil {
		return fmt.Sprint(*b.Used + 1)
	}
	return fmt.Sprintf("%d/%d", *b.Used+1, *b.Limit)
}

// Budget returns how much of a budget was used before a decision, "" if there is no budget.
func Budget(b *plan.Budget) string {
	if b.Used == nil {
		return ""
	}
	text := fmt.Sprintf("%s %d used", b.Kind, *b.Used)
	if b.Limit != nil {
		text = fmt.Sprintf("%s %d of %d used", b.Kind, *b.Used, *b.Limit)
	}
	if b.Then != "" {
		text += ": " + b.Then
	}
	return text
}

// Comparisons returns what was compared for the candidates of a decision, each comparison once.
func Comparisons(d *machine.Decision) []string {
	var out []string
	for i := range d.Candidates {
		if text := Reason(d, i); text != "" && !slices.Contains(out, text) {
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
		c := *b
		c.Outcome, c.Candidates = outcomeWithText(b.Outcome), slices.Clone(b.Candidates)
		for i := range c.Candidates {
			c.Candidates[i].Why = Reason(b, i)
		}
		e.Body = &c
	}
	return e
}

func outcomeWithText(o *plan.Outcome) *plan.Outcome {
	if o == nil || len(o.Untaken) == 0 {
		return o
	}
	c := *o
	c.Reason = OutcomeReason(o)
	return &c
}
