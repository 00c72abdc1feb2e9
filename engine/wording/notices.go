package wording

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// Notice is something that deserves attention in a run that is over.
type Notice struct {
	Row          *track.Row
	Text         string // safe to show
	IsOverride   bool   // a person overrode something
	IsNotReached bool   // the run ended before the step, or jumped over it
}

// Notices returns what deserves attention in a run that is over, in the order of the steps:
// failures after which it continued, groups that passed although a step below failed, used-up retries, fallbacks, conditions
// on undefined names, warnings, reruns of what was interrupted, overrides, groups without a decision, steps that were not
// reached and, if it did not complete, aliases. If every step passed as the document says, there are only the steps that
// the run jumped over. Why the step of DecisiveFailureRow failed is left out: see FailureText.
func Notices(t *track.Track) []Notice {
	var out []Notice
	cause := DecisiveFailureRow(t)
	for _, r := range t.AllRows() {
		texts := noticeTextsOf(t, r, r == cause)
		for _, text := range texts {
			out = append(out, Notice{Row: r, Text: text})
		}
		for _, text := range overrideTextsOf(t, r, r == cause, texts) {
			out = append(out, Notice{Row: r, Text: text, IsOverride: true})
		}
	}
	if !t.IsOver() {
		return out
	}
	unreached, _ := stepsNotRun(t)
	if t.Finished.Result == plan.Completed && len(out) == 0 { // the document ends where it says
		unreached = unreached.jumpedOver(t)
	}
	return append(out, unreached.notices()...)
}

// notices returns a notice for each step, or one for all if they are too many.
func (n *notRunSteps) notices() []Notice {
	rows, text := n.rows, "not reached"
	if n.count > maxNotReachedNotices {
		rows, text = rows[:1], text+" (and "+CountText(n.count-1, "more step")+")"
	}
	var out []Notice
	for _, r := range rows {
		out = append(out, Notice{Row: r, Text: text, IsNotReached: true})
	}
	return out
}

// maxNotReachedNotices limits how many steps that were not reached have a notice each.
const maxNotReachedNotices = 3

// DecisiveFailureRow returns the step whose failure decided the result of a run: the step at which the run
// failed or, if the run completed, the last failed step after which it continued. It returns nil if there
// is none, or if a limit ended the run.
func DecisiveFailureRow(t *track.Track) *track.Row {
	if t.LimitFlag() != "" {
		return nil
	}
	if r := t.FailedStep(); r != nil || t.Finished == nil || t.Finished.Result != plan.Completed {
		return r
	}
	for _, label := range slices.Backward(t.EnteredStepLabels) {
		r := t.RowByLabel(label)
		if r.HasFailed() && r.Step != nil && r.LastVisit() != nil && continuedAfterFailureText(r, r.LastVisit(), true) != "" {
			return failedRowBelow(r)
		}
	}
	return nil
}

// failedRowBelow returns the last step that failed below a row, or the row itself if none did.
func failedRowBelow(r *track.Row) *track.Row {
	for _, child := range slices.Backward(r.Children) {
		if child.Outcome != nil && !child.HasFailed() || child.IncludedDocument != nil && child.Status == track.Passed {
			continue
		}
		if below := failedRowBelow(child); below.HasFailed() {
			return below
		}
	}
	return r
}

// noticeTextsOf returns the notices about one step.
func noticeTextsOf(t *track.Track, r *track.Row, isCause bool) []string {
	var out []string
	if all := r.AllVisits(); len(all) > 0 && r.Step != nil {
		out = earlierVisitTexts(r, all)
		v := all[len(all)-1]
		if text := continuedAfterFailureText(r, v, isCause); text != "" {
			out = append(out, text)
		}
		if d := lastDecision(v); d != nil {
			out = append(out, nearMissTexts(d)...)
			if text := passedDespiteFailureText(WithArmNames(r, d)); text != "" {
				out = append(out, text)
			}
			if text := aliasText(d); text != "" && t.Finished != nil && t.Finished.Result != plan.Completed {
				out = append(out, text)
			}
		}
	}
	for _, d := range r.ArmChoices {
		out = append(append(out, nearMissTexts(d)...), undefinedNameTexts(r, d)...)
	}
	if r.Step != nil && r.EndedBeforeRoutes() && (r.Status == track.LeftUndecided || writtenRouteLines(r.Step) != nil) {
		out = append(out, LeavingRouteText(r))
	}
	for _, w := range r.OwnWarnings() {
		isCauseOfEnd := isCause && strings.Contains(failedText(r), sanitize.Plain(w.Message)) // which is shown elsewhere
		if w.Code != machine.LogpointCode && !isCauseOfEnd && !isInEndMessage(t, w.Message) {
			out = append(out, "warning: "+sanitize.Plain(w.Message))
		}
	}
	if wasInterruptedAndRerun(r) {
		out = append(out, "interrupted and rerun")
	}
	return out
}

// earlierVisitTexts returns the failures and fallbacks of visits that another visit followed, without the failures of
// attempts that were retried.
func earlierVisitTexts(r *track.Row, all []*track.Visit) []string {
	var out []string
	for i, v := range all[:len(all)-1] {
		text := ""
		switch d := lastDecision(v); {
		case d != nil && d.Outcome != nil && d.Outcome.Reading != nil && d.Outcome.Reading.FallbackIntent != "":
			text = sanitize.Plain(readValueText(d.Outcome.Reading, d.Outcome))
		case all[i+1].Attempt <= 1:
			text = continuedAfterFailureText(r, v, false)
		}
		if text != "" && !slices.Contains(out, "earlier visit: "+text) {
			out = append(out, "earlier visit: "+text)
		}
	}
	return out
}

// overrideTextsOf returns what a person overrode at a row, unless one of the row's other notices says it.
func overrideTextsOf(t *track.Track, r *track.Row, isCause bool, others []string) []string {
	var out []string
	for _, o := range t.Overrides {
		if o.Step != r.Label {
			continue
		}
		text := noticeOfOverride(o)
		if text == LimitsUsedText && slices.ContainsFunc(others, func(other string) bool { return strings.Contains(other, text) }) {
			continue // it is named with where the run went
		}
		if r.Overridden && r.Outcome != nil && o.Description == track.OverrideText(r.Outcome.Result) && (o.Note == "" || o.Note == OutcomeNote(newestVisit(r))) {
			text = OverriddenText(r)
		}
		if !(isCause && r.Overridden && text == failedText(r)) && !slices.Contains(others, text) && !slices.Contains(out, text) { // the cause of the run's result is shown elsewhere
			out = append(out, text)
		}
	}
	return out
}

// wasInterruptedAndRerun reports whether a command or call of the step was interrupted and run again, so that its
// effects may have happened twice.
func wasInterruptedAndRerun(r *track.Row) bool {
	return slices.ContainsFunc(r.AllVisits(), func(v *track.Visit) bool {
		return slices.ContainsFunc(v.Questions, func(q track.Question) bool {
			wasNotReady := slices.ContainsFunc(v.Actions, func(a *track.Action) bool { return a.Error != "" && a.Error == q.Prompt })
			return q.Kind == machine.KindResume && !wasNotReady && q.Answer != nil && q.Answer.Value == "rerun"
		})
	})
}

func noticeOfOverride(o track.Override) string {
	text := o.Description
	if !isPreparedNote(o.Note) {
		text += " by a person"
	}
	if o.Note != "" {
		text += ": " + o.Note
	}
	return sanitize.Plain(text)
}

// isInEndMessage reports whether the message at the end of the run contains a warning.
func isInEndMessage(t *track.Track, warning string) bool {
	return t.Finished != nil && strings.Contains(t.Finished.Message, warning)
}

// continuedAfterFailureText returns that a step failed and the run continued, or that its retries were used up,
// else "". It leaves out why the step failed if isCause is set, because FailureText says that.
func continuedAfterFailureText(r *track.Row, v *track.Visit, isCause bool) string {
	d := lastDecision(v)
	if d == nil || d.ByPerson || isAnsweredNo(v) {
		return ""
	}
	used := retriesUsedUpText(v, d)
	if o := d.Outcome; o == nil || o.Result == plan.Passed || o.Result == plan.Skipped {
		return used
	}
	switch {
	case endsRunOrGroup(d) && !groupPassedDespiteFailure(r, v) && (isCause || used == ""):
		return used
	case used == "":
		used = "the run continued"
	}
	used += " → " + DestinationText(d)
	switch {
	case isCause, r.Overridden && v == newestVisit(r): // the override has a notice of its own
		return used
	case v == r.LastVisit():
		return failedText(r) + "; " + used
	}
	return failedReasonText(reasonOfEarlierVisit(v, d.Outcome), v) + "; " + used
}

// reasonOfEarlierVisit returns the reason of a failed visit's outcome, else its source, such as "exit 1". It is "" if
// there is no reason and the visit had no actions.
func reasonOfEarlierVisit(v *track.Visit, o *plan.Outcome) string {
	if reason := OutcomeReason(o); reason != "" || len(v.Actions) == 0 {
		return reason
	}
	return o.Source
}

// isAnsweredNo reports whether a person answered no, which is a choice and not a failure.
func isAnsweredNo(v *track.Visit) bool {
	n := len(v.Questions)
	return n > 0 && v.Questions[n-1].Answer != nil && v.Questions[n-1].Answer.Value == machine.DenyCall
}

// endsRunOrGroup reports whether a decision ended the run, or the group around its step.
func endsRunOrGroup(d *machine.Decision) bool {
	return d.Arrival.Kind == machine.ToDocumentEnd || d.Arrival.Kind == machine.ToGroupRoutes
}

// groupPassedDespiteFailure reports whether a visit is the newest of a row and failed, and the group around it passed.
func groupPassedDespiteFailure(r *track.Row, v *track.Visit) bool {
	if v != r.LastVisit() || r.Parent == nil || r.Parent.Outcome == nil || r.Parent.Outcome.Result != plan.Passed {
		return false
	}
	return slices.ContainsFunc(r.Parent.Outcome.ChildResults, func(c plan.ChildResult) bool {
		return c.Label == r.Label && (c.Result == plan.Failed || c.Result == plan.Errored)
	})
}

func lastDecision(v *track.Visit) *machine.Decision {
	for _, e := range slices.Backward(v.Events) {
		if d, is := e.Body.(*machine.Decision); is && !track.IsArmChoice(d) {
			return d
		}
	}
	return nil
}

// retriesUsedUpText returns that the decision of a visit found all retries used up, or marked as used by a
// person, "" if it did not.
func retriesUsedUpText(v *track.Visit, d *machine.Decision) string {
	if v.LimitsUsed && d.FollowsUsedLimit() {
		return LimitsUsedText
	}
	r := takenReason(d)
	if r == nil {
		return ""
	}
	for _, b := range append(slices.Clip(r.ExhaustedBudgets), r.Budget) {
		switch {
		case b.Kind != "retry" || b.Limit == nil || b.MoveAfterLimit == "":
		case *b.Limit == 1:
			return "its only retry was used up"
		default:
			return fmt.Sprintf("all %d retries were used up", *b.Limit)
		}
	}
	return ""
}

// LimitsUsedText says that a person made the run continue as if there were no more retries.
const LimitsUsedText = track.LimitsUsedText + " by a person"

// nearMissTexts returns the conditions of a decision that failed because of a difference that is hard to see,
// such as: line 9 did not match "Refund": kind = "Refund " (only whitespace differs).
func nearMissTexts(d *machine.Decision) []string {
	var out []string
	for i, c := range d.Candidates {
		if c.Reason != nil && !c.Matched && isEvaluatedCandidate(d, i) && c.Reason.SlightDifference() != "" {
			out = append(out, sanitize.Plain(fmt.Sprintf("line %d did not match %q: %s", c.Line, c.Reason.Expected, c.Reason.ComparisonText())))
		}
	}
	return out
}

// undefinedNameTexts returns the conditions of a choice between the arms of a row that compared a name which the
// document defines nowhere before, such as: line 18: category is not set: no input or earlier output has this name.
func undefinedNameTexts(r *track.Row, d *machine.Decision) []string {
	var out []string
	for _, arm := range r.Children {
		if arm.Step == nil || arm.Step.ArmTest == nil || arm.Step.ArmTest.VariableSource != plan.UnknownSource {
			continue
		}
		for i, c := range d.Candidates {
			if c.Line == arm.Step.Span.Line && isEvaluatedCandidate(d, i) && c.Reason != nil && c.Reason.HasNoValue {
				out = append(out, sanitize.Plain(fmt.Sprintf("line %d: %s: no input or earlier output has this name", c.Line, c.Reason.ComparisonText())))
			}
		}
	}
	return out
}

// passedDespiteFailureText returns that a group passed although a step below it failed, and by which route, such as:
// passed although 1.1 failed; line 4: PASS ANY: CONTINUE. It returns "" if none failed.
func passedDespiteFailureText(d *machine.Decision) string {
	o, i := d.Outcome, d.CandidateIndex
	if o == nil || d.ByPerson || o.Overridden || o.Result != plan.Passed {
		return ""
	}
	failed := labelsWithResult(o.ChildResults, plan.Failed, plan.Errored)
	if failed == "" {
		return ""
	}
	text := "passed although " + failed + " failed"
	switch {
	case i == nil || *i >= len(d.Candidates):
	case d.Candidates[*i].Implicit:
		text += "; " + d.Candidates[*i].Text + " (default)"
	default:
		text += fmt.Sprintf("; line %d: %s", d.Candidates[*i].Line, d.Candidates[*i].Text)
	}
	return sanitize.Plain(text)
}

// aliasText returns that a word in the reply was read as another intent, "" if it was not.
func aliasText(d *machine.Decision) string {
	if d.Outcome == nil || d.Outcome.Reading == nil || d.Outcome.Reading.IntentAlias == "" {
		return ""
	}
	r := d.Outcome.Reading
	return sanitize.Plain(fmt.Sprintf("%s = %q was read as %s (alias)", r.Variable, r.Actual, r.Intent))
}

// notRunSteps are steps that a run did not run. An included document whose steps have no rows yet is one
// row for all of them.
type notRunSteps struct {
	rows  []*track.Row
	count int // of steps
}

func (n *notRunSteps) add(r *track.Row) {
	n.rows, n.count = append(n.rows, r), n.count+max(1, r.StepCountWithoutRows())
}

// jumpedOver returns those of the steps that the run jumped over.
func (n *notRunSteps) jumpedOver(t *track.Track) (out notRunSteps) {
	jumps := t.JumpedOver()
	for _, r := range n.rows {
		if jumps[r] {
			out.add(r)
		}
	}
	return out
}

// stepsNotRun returns the steps that a run did not run, without those that only a jump reaches: the steps that
// it did not reach, and those in arms that were not taken.
func stepsNotRun(t *track.Track) (unreached, untaken notRunSteps) {
	onlyJumpsReach := t.OnlyJumpsReach()
	for _, r := range t.AllRows() {
		switch {
		case !r.IsExecutable() && r.StepCountWithoutRows() == 0 || r.IsHidden || onlyJumpsReach[r]:
		case r.IsInUntakenArm():
			untaken.add(r)
		case r.Status == track.Pending || r.SkipReason == track.SkipAfterFailure:
			unreached.add(r)
		}
	}
	return unreached, untaken
}

// StepCountsText returns how many steps ended with which result, such as "10 passed · 2 failed · 1 retried".
func StepCountsText(t *track.Track) string {
	var parts []string
	add := func(n int, word string) {
		if n > 0 {
			parts = append(parts, track.FormatThousands(n)+" "+word)
		}
	}
	var passed, failed, skipped, left, retried, again int
	for _, r := range t.AllRows() {
		switch {
		case !r.IsExecutable():
		case r.Status == track.Passed:
			passed++
		case r.Status == track.Failed:
			failed++
		case r.Status == track.Skipped && r.SkipReason != track.SkipAfterFailure:
			skipped++
		case r.Status == track.LeftUndecided:
			left++
		}
		switch {
		case isRetried(r):
			retried++
		case r.IsExecutable() && len(r.Visits) > 1:
			again++
		}
	}
	add(passed, "passed")
	add(failed, "failed")
	add(skipped, "skipped")
	add(left, "exited without an outcome")
	add(retried, "retried")
	add(again, "visited again")
	if end := t.Finished; end != nil && end.Result.IsFinal() {
		unreached, untaken := stepsNotRun(t)
		add(unreached.count, "not reached")
		add(untaken.count, "not taken")
	}
	return strings.Join(parts, " · ")
}

// ProgressText returns how many steps are done, such as "3/4 done", and of a run that is over "3 of 4 ran".
func ProgressText(t *track.Track) string {
	done, total := t.Progress()
	switch {
	case total == 0:
		return "0 done"
	case t.IsOver():
		return fmt.Sprintf("%d of %d ran", done, total)
	case !isTotalKnown(t):
		return fmt.Sprintf("%d done", done)
	}
	return fmt.Sprintf("%d/%d done", done, total)
}

// ProgressCountText returns how many steps are done as "3/4", without a word, for the place beside a progress
// bar.
func ProgressCountText(t *track.Track) string {
	done, total := t.Progress()
	if total == 0 || !isTotalKnown(t) {
		return ProgressText(t)
	}
	return fmt.Sprintf("%d/%d", done, total)
}

// isTotalKnown reports whether it is known how many steps a run has. The total of a flow is not until it
// ends: steps that only a route reaches count once they are entered.
func isTotalKnown(t *track.Track) bool {
	done, total := t.Progress()
	return done < total || t.Finished != nil
}

// isRetried reports whether the document retried a step, which used a part of a retry limit.
func isRetried(r *track.Row) bool {
	return slices.ContainsFunc(r.AllVisits(), func(v *track.Visit) bool {
		r := takenReason(lastDecision(v))
		return r != nil && r.Kind == "retry" && r.MoveAfterLimit == ""
	})
}

// takenReason returns the reason of the candidate that a decision took, nil if there is none.
func takenReason(d *machine.Decision) *plan.Reason {
	if d == nil || d.CandidateIndex == nil || *d.CandidateIndex >= len(d.Candidates) {
		return nil
	}
	return d.Candidates[*d.CandidateIndex].Reason
}
