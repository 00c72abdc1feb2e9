package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// budgetsOfDecisionText returns what the taken candidate used of its budgets. If a format explains the outcome,
// the destination follows.
func budgetsOfDecisionText(d *machine.Decision, r *plan.Reason) string {
	text := ""
	for _, b := range append(slices.Clip(r.ExhaustedBudgets), r.Budget) {
		switch {
		case b.Used == nil:
		case !isExplainedByFormat(d.Outcome):
			text += "; " + usedBudgetAndMoveText(&b)
		case b.MoveAfterLimit != "" && b.MinOrMax != "": // the step is not repeated any more, and the run continues
		case b.MoveAfterLimit != "":
			text += "; " + usedBudgetAndMoveText(&b)
		case b.MinOrMax != "":
			return text + fmt.Sprintf(", iteration %d < %s %d", *b.Used+1, b.MinOrMax, *b.Limit+1)
		case r.MoveText != "":
			return text + " → " + r.MoveText + " " + nthUseText(&b)
		default:
			text += ", " + b.Kind + " " + nthUseText(&b)
		}
	}
	switch {
	case !isExplainedByFormat(d.Outcome):
		return text
	case r.MoveText != "":
		return text + " → " + r.MoveText
	case d.Destination.Kind == machine.ToDocumentEnd:
		return text + "; " + machine.EndLabel
	}
	return text + " → " + d.To
}

// nthUseText returns which use of a budget a decision makes, such as "1/2".
func nthUseText(b *plan.Budget) string {
	if b.Limit == nil {
		return fmt.Sprint(*b.Used + 1)
	}
	return fmt.Sprintf("%d/%d", *b.Used+1, *b.Limit)
}

// usedBudgetAndMoveText returns how much of a budget was used before a decision, "" if there is no budget.
func usedBudgetAndMoveText(b *plan.Budget) string {
	if b.Used == nil {
		return ""
	}
	text := usedBudgetText(b)
	if b.MoveAfterLimit != "" {
		text += ": " + b.MoveAfterLimit
	}
	return text
}

// usedBudgetText returns how much of a budget was used, such as "2 of 2 retries used" or "goto used 3 times".
func usedBudgetText(b *plan.Budget) string {
	if b.Limit == nil {
		return fmt.Sprintf("%s used %s", b.Kind, plan.CountText(*b.Used, "time"))
	}
	kind := b.Kind
	switch {
	case *b.Limit == 1:
	case kind == "retry":
		kind = "retries"
	default:
		kind += "s"
	}
	return fmt.Sprintf("%d of %d %s used", *b.Used, *b.Limit, kind)
}

// withoutBudget returns the text of a reason without how much of its budget was used before.
func withoutBudget(text string, r *plan.Reason) string {
	return strings.TrimSuffix(text, "; "+usedBudgetAndMoveText(&r.Budget))
}

// retryText returns which retry a decision makes by taking candidate i, such as "retry 1 of 2"; "" if
// it makes none, or the reason says so itself.
func retryText(d *machine.Decision, i int) string {
	r := d.Candidates[i].Reason
	if !isTakenCandidate(d, i) || r == nil || r.Kind != "retry" || r.Used == nil || r.Limit == nil || r.MoveAfterLimit != "" || d.Outcome == nil || isExplainedByFormat(d.Outcome) {
		return ""
	}
	return fmt.Sprintf("retry %d of %d", *r.Used+1, *r.Limit)
}

// CandidateReasonWithRetry returns CandidateReason, but with the retry that the decision makes, such as "retry 1 of 2", in
// place of how many were used before.
func CandidateReasonWithRetry(d *machine.Decision, i int) string {
	why := CandidateReason(d, i)
	if retry := retryText(d, i); retry != "" {
		return withoutBudget(why, d.Candidates[i].Reason) + "; " + retry
	}
	return why
}

// LimitText returns which retry a decision makes by taking a candidate, such as "retry 1 of 2", or else how much of the
// candidate's limit was used before; "" if it has none.
func LimitText(d *machine.Decision, i int) string {
	r := d.Candidates[i].Reason
	if r == nil {
		return ""
	}
	return cmp.Or(retryText(d, i), usedBudgetAndMoveText(&r.Budget))
}

// AllRetriesUsed is what UsedLimitsText says of retries.
const AllRetriesUsed = "all retries used"

// UsedLimitsText returns which limits a decision found used up, such as "all retries used" or "minimum of 2 iterations
// reached", "" if none.
func UsedLimitsText(d *machine.Decision) string {
	r := takenReason(d)
	if r == nil {
		return ""
	}
	var out []string
	for _, b := range append(slices.Clip(r.ExhaustedBudgets), r.Budget) {
		text := AllRetriesUsed
		switch {
		case b.Limit == nil || b.MoveAfterLimit == "":
			continue
		case b.Kind == machine.RepeatBudget:
			text = fmt.Sprintf("%s of %d iterations reached", cmp.Or(boundNames[b.MinOrMax], "maximum"), *b.Limit+1)
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, ", ")
}

var boundNames = map[string]string{"min": "minimum", "max": "maximum"}
