package wording

import (
	"fmt"
	"slices"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// continuation is how a run continued after an attempt that failed, or that found limits used up.
type continuation struct {
	attempt          *track.Attempt
	describesFailure bool   // it says that the attempt failed
	reason           string // why it failed
	used             *usedLimits
	destination      string // where the run went, "" if it is not said
	isNext           bool   // the run has not gone there yet
	completedSubject string // of "... completed" although the attempt failed, such as "the run"; "" if the run went elsewhere
}

// continuationOf returns how a run continued after an attempt, nil if the attempt neither failed nor found limits used up.
// It leaves out why the step failed if isCause is set, because FailureText says that.
func continuationOf(r *track.Row, attempt *track.Attempt, isCause bool) *continuation {
	d := lastDecision(attempt)
	if d == nil || d.ByPerson || isAnsweredNo(attempt) {
		return nil
	}
	c := &continuation{attempt: attempt, used: usedLimitsOf(attempt, d)}
	o := d.Outcome
	if o != nil && o.Result == plan.Passed && attempt.MarkedLimitsText == "" && (d.Destination.Result == "" || d.Destination.Result == plan.Completed) {
		c.used = nil // the document repeats a step that passes, and the run continues as planned
	}
	hasFailed := o != nil && o.Result != plan.Passed && o.Result != plan.Skipped
	if !hasFailed || endsRunOrGroup(d) && !groupPassedDespiteFailure(r, attempt) && (isCause || c.used == nil) {
		if c.used == nil {
			return nil
		}
		return c
	}
	if completesDocument(d) {
		c.completedSubject = "the run"
		if r.DocumentFile() != "" {
			c.completedSubject = "the included document"
		}
	} else {
		c.destination = DestinationText(d)
	}
	switch {
	case isCause, r.Overridden && attempt == r.NewestAttempt(): // the override has a notice of its own
	case attempt == r.NewestStepAttempt() && r.Outcome != nil: // a group that the run has entered again has none
		c.describesFailure, c.reason = true, failureCause(r)
	default:
		c.describesFailure, c.reason = true, reasonOfEarlierAttempt(r, attempt, o)
	}
	return c
}

// text returns the continuation for a list. when says when the attempt was, "" if it is the latest.
func (c *continuation) text(when string) string {
	text := "the run continued"
	if c.isNext {
		text = "the run continues"
	}
	if c.used != nil {
		text = c.used.text()
	}
	switch {
	case c.completedSubject != "" && c.used != nil:
		text += "; " + c.completedSubject + " completed"
	case c.completedSubject != "":
		text = c.completedSubject + " completed"
	}
	if c.destination != "" {
		text += " → " + c.destination
	}
	if c.describesFailure {
		return failedReasonText(when, c.reason, c.attempt) + "; " + text
	}
	return text
}

// predicate returns what a sentence says about the attempt's step.
func (c *continuation) predicate(when string) string {
	switch {
	case c.describesFailure:
		return c.text(when)
	case c.used == nil:
		return "failed" + when + "; " + c.text(when)
	case c.used.byPerson:
		return "had " + c.used.text() + when
	}
	return "used up " + c.used.moves + when
}

// weight returns how much attention the notice about the continuation deserves.
func (c *continuation) weight() noticeWeight {
	switch {
	case c.describesFailure || c.used == nil:
		return failureWeight
	case c.used.byPerson:
		return overriddenOutcomeWeight
	}
	return retriesUsedWeight
}

// isOverride reports whether a person made the run continue as it did.
func (c *continuation) isOverride() bool { return c.used != nil && c.used.byPerson }

// reasonOfEarlierAttempt returns the reason of the outcome of a row's failed attempt, else its source, such as "exit 1", or
// which children failed. It is "" if there is no reason and the attempt had no actions.
func reasonOfEarlierAttempt(r *track.Row, attempt *track.Attempt, o *plan.Outcome) string {
	if o.Source == plan.ChildrenSource && o.Reason == "" {
		return DecidingChildrenText(outcomeWithArmNames(r, o))
	}
	if reason := OutcomeReason(o); reason != "" || len(attempt.Actions) == 0 {
		return reason
	}
	return sourceText(o)
}

// isAnsweredNo reports whether a person answered no, which is a choice and not a failure.
func isAnsweredNo(attempt *track.Attempt) bool {
	n := len(attempt.Questions)
	return n > 0 && attempt.Questions[n-1].Answer != nil && attempt.Questions[n-1].Answer.Value == machine.DenyCall
}

// endsRunOrGroup reports whether a decision ended the group around its step, or ended the run without completing it.
func endsRunOrGroup(d *machine.Decision) bool {
	return d.Destination.Kind == machine.ToDocumentEnd && !completesDocument(d) || d.Destination.Kind == machine.ToGroupRoutes
}

// completesDocument reports whether a decision completed the run, or the included document of its step.
func completesDocument(d *machine.Decision) bool {
	return d.Destination.Kind == machine.ToDocumentEnd && (d.Destination.Result == "" || d.Destination.Result == plan.Completed)
}

// groupPassedDespiteFailure reports whether an attempt is the newest of a row and failed, and the group around it passed.
func groupPassedDespiteFailure(r *track.Row, attempt *track.Attempt) bool {
	if attempt != r.NewestStepAttempt() || r.Parent == nil || r.Parent.Outcome == nil || r.Parent.Outcome.Result != plan.Passed {
		return false
	}
	return slices.ContainsFunc(r.Parent.Outcome.ChildResults, func(c plan.ChildResult) bool {
		return c.Label == r.Label && (c.Result == plan.Failed || c.Result == plan.Errored)
	})
}

// lastDecision returns the last decision of an attempt that is not a choice between arms, nil if there is none.
func lastDecision(attempt *track.Attempt) *machine.Decision {
	for _, e := range slices.Backward(attempt.Events) {
		if d, is := e.Body.(*machine.Decision); is && !d.IsArmChoice() {
			return d
		}
	}
	return nil
}

// usedLimits are limits of retries or iterations that a decision found used up, or that a person
// marked as used.
type usedLimits struct {
	moves    string // such as "all 3 retries"
	end      string // the end of the text, such as " were used up"
	byPerson bool   // a person marked them as used
}

func (u *usedLimits) text() string { return u.moves + u.end }

// usedLimitsOf returns the limits that the decision of an attempt found used up, nil if it found none.
func usedLimitsOf(attempt *track.Attempt, d *machine.Decision) *usedLimits {
	if attempt.MarkedLimitsText != "" && d.FollowsUsedLimit() {
		return &usedLimits{moves: attempt.MarkedLimitsText, byPerson: true}
	}
	r := takenReason(d)
	if r == nil {
		return nil
	}
	for _, b := range append(slices.Clip(r.ExhaustedBudgets), r.Budget) {
		switch {
		case b.Kind != "retry" || b.Limit == nil || b.MoveAfterLimit == "":
		case *b.Limit == 1:
			return &usedLimits{moves: "its only retry", end: " was used up"}
		case *b.Limit == 2:
			return &usedLimits{moves: "both retries", end: " were used up"}
		default:
			return &usedLimits{moves: fmt.Sprintf("all %d retries", *b.Limit), end: " were used up"}
		}
	}
	return nil
}
