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

// Notice is something that deserves attention in a run that is over.
type Notice struct {
	Row          *track.Row
	Text         string            // safe to show
	IsOverride   bool              // a person overrode something
	IsNotReached bool              // the run ended before the step, or jumped over it
	Decision     *machine.Decision // the decision with the condition that it is about; nil: it is about no condition
	weight       noticeWeight
	predicate    string // what a sentence says about the step, safe to show
}

// noticeWeight is how much a notice deserves attention. The first is the most important.
type noticeWeight int

const (
	failureWeight noticeWeight = iota
	endedByPersonWeight
	overriddenOutcomeWeight
	retriesUsedWeight
	fallbackWeight
	conditionWeight
	warningWeight
	rerunWeight
	overrideWeight
	undecidedWeight
	aliasWeight
	notReachedWeight
)

// Sentence returns what the notice says of its step, such as "2 Migrate was overridden with pass by a person".
func (n *Notice) Sentence() string { return StepName(n.Row) + " " + n.predicate }

// HeadlineNotice returns the notice that deserves the most attention in a run without an EndSentence. Of a run that
// failed, whose message tells what went wrong, it is the one about a condition. It returns nil if there are no notices, or
// if the run only ended before some steps and did not complete.
func HeadlineNotice(t *track.Track, all []Notice) *Notice {
	if t.IsOver() && t.Finished.Result == plan.RunFailed {
		all = slices.DeleteFunc(slices.Clone(all), func(n Notice) bool { return n.weight != conditionWeight })
	}
	if !t.IsOver() || len(all) == 0 || EndSentence(t) != "" {
		return nil
	}
	decider := overriddenDecider(t)
	n := slices.MinFunc(all, func(a, b Notice) int { return cmp.Compare(a.headlineWeight(decider), b.headlineWeight(decider)) })
	if n.IsNotReached && t.Finished.Result != plan.Completed {
		return nil
	}
	return &n
}

// headlineWeight returns the weight of the notice, the least if it is the override that decided the run's result.
func (n *Notice) headlineWeight(decider *track.Row) noticeWeight {
	if n.Row == decider && n.IsOverride && n.weight == overriddenOutcomeWeight {
		return -1
	}
	return n.weight
}

// overriddenDecider returns the step whose overridden outcome completed the run, nil if there is none.
func overriddenDecider(t *track.Track) *track.Row {
	r := t.DecidedRow
	if !t.IsOver() || t.Finished.Result != plan.Completed || r == nil || !r.Overridden || r.HasFailed() {
		return nil
	}
	return r
}

// Notices returns what deserves attention in a run that is over, in the order of the steps:
// failures after which it continued, groups that passed although a step below failed, used-up retries, fallbacks, conditions
// on undefined names, warnings, reruns of what was interrupted, overrides, groups without a decision, the end of the
// run by a person, steps that were not reached and, if it did not complete, aliases. If every step passed as the document
// says, there are only the steps that the run jumped over. Why the step of DecisiveFailureRow failed is left out: see FailureText.
func Notices(t *track.Track) []Notice {
	var out []Notice
	cause := DecisiveFailureRow(t)
	for _, r := range t.AllRows() {
		own := noticesOf(t, r, r == cause)
		out = append(append(out, own...), overrideNoticesOf(t, r, r == cause, own)...)
	}
	if !t.IsOver() {
		return out
	}
	if r := RowOfEndByPerson(t); r != nil {
		out = append(out, Notice{
			Row: r, Text: EndedByPersonText(t.Finished, t.EndPreparedBy), IsOverride: true,
			weight: endedByPersonWeight, predicate: "was the last step, because " + endAuthorText(t.EndPreparedBy) + " ended the run",
		})
	}
	unreached, _ := stepsNotRun(t)
	if t.Finished.Result == plan.Completed && len(out) == 0 { // the document ends where it says
		unreached = unreached.jumpedOver(t)
	}
	return append(out, unreached.notices()...)
}

// RowOfEndByPerson returns the step at which a person ended the run as completed or stopped, nil if nobody did. For a
// cancelled run, the result says this already.
func RowOfEndByPerson(t *track.Track) *track.Row {
	if !t.IsOver() || !t.Finished.ByPerson || t.Finished.Result == plan.Cancelled {
		return nil
	}
	return t.CurrentRow
}

// EndedByPersonText says that a person, or an answer that they prepared, ended the run, and with which result. preparedBy
// is PreparedBy of the event.
func EndedByPersonText(b *machine.RunFinished, preparedBy string) string {
	return endAuthorText(preparedBy) + " ended the run: " + string(b.Result)
}

func endAuthorText(preparedBy string) string {
	if preparedBy == "" {
		return "a person"
	}
	return "a prepared answer"
}

// notices returns a notice for each step, or one for all if they are too many.
func (n *notRunSteps) notices() []Notice {
	rows, text, predicate := n.rows, "not reached", "was not reached"
	if n.count > maxNotReachedNotices {
		more := n.count - 1
		rows, text, predicate = rows[:1], text+" (and "+plan.CountText(more, "more step")+")", "and "+plan.CountText(more, "more step")+" were not reached"
	}
	var out []Notice
	for _, r := range rows {
		out = append(out, Notice{Row: r, Text: text, IsNotReached: true, weight: notReachedWeight, predicate: predicate})
	}
	return out
}

// maxNotReachedNotices limits how many steps that were not reached have a notice each.
const maxNotReachedNotices = 3

// DecisiveFailureRow returns the step whose failure decided the result of a run: the step at which the run
// failed or, if the run completed, the last failed step after which it continued. It returns nil if there
// is none, or if a limit ended the run or an overridden outcome completed it.
func DecisiveFailureRow(t *track.Track) *track.Row {
	if t.LimitFlag() != "" || overriddenDecider(t) != nil {
		return nil
	}
	if r := t.FailedRow(); r != nil || t.Finished == nil || t.Finished.Result != plan.Completed {
		return failedStepAround(r)
	}
	for r := range t.EnteredRows() {
		if r.HasFailed() && r.Step != nil && r.NewestStepAttempt() != nil && continuationOf(r, r.NewestStepAttempt(), true) != nil {
			return failedRowBelow(r)
		}
	}
	return nil
}

// failedStepAround returns the step that failed because a document that it includes did, if the document continued after
// the failure of r, else r, which may be nil.
func failedStepAround(r *track.Row) *track.Row {
	if r == nil || r.DocumentFile() == "" || r.Decision == nil || r.Decision.ByPerson || r.Decision.Destination.Kind != machine.ToStep {
		return r
	}
	around := r.Parent
	for around.IncludedDocument == nil {
		around = around.Parent
	}
	if !around.Parent.HasFailed() {
		return r
	}
	return failedStepAround(around.Parent)
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

// noticesOf returns the notices about one step, without the overrides.
func noticesOf(t *track.Track, r *track.Row, isCause bool) []Notice {
	var out []Notice
	add := func(weight noticeWeight, text, predicate string) {
		out = append(out, Notice{Row: r, Text: text, weight: weight, predicate: predicate})
	}
	if all := r.AllAttempts(); len(all) > 0 && r.Step != nil {
		out = earlierVisitNotices(t, r, all)
		attempt := all[len(all)-1]
		if c := continuationOf(r, attempt, isCause); c != nil {
			c.isNext = t.IsAboutToFollow(lastDecision(attempt))
			out = append(out, Notice{Row: r, Text: c.text(""), IsOverride: c.isOverride(), weight: c.weight(), predicate: c.predicate("")})
		}
		if d := lastDecision(attempt); d != nil {
			out = append(out, nearMissNotices(r, d)...)
			if text := passedDespiteFailureText(WithArmNames(r, d)); text != "" {
				add(failureWeight, text, text)
			}
			if text := aliasText(d); text != "" && t.Finished != nil && t.Finished.Result != plan.Completed {
				add(aliasWeight, text, "used an alias for an intent: "+text)
			}
		}
	}
	for _, d := range r.ArmChoices {
		out = append(append(out, nearMissNotices(r, d)...), undefinedNameNotices(r, d)...)
	}
	if r.Step != nil && r.EndedBeforeRoutes() && (r.Status == track.LeftUndecided || writtenRouteLines(r.Step) != nil) {
		text := LeavingRouteText(r)
		add(undecidedWeight, text, "was "+text)
	}
	for _, w := range r.OwnWarnings() {
		isCauseOfEnd := isCause && strings.Contains(failurePredicate(r), sanitize.Plain(w.Message)) // which is shown elsewhere
		if w.Code != machine.LogpointCode && !isCauseOfEnd && !isInEndMessage(t, w.Message) {
			text := sanitize.Plain(w.Message)
			if r.Plan().AdviceByCode[w.Code].IsFallback {
				add(fallbackWeight, "warning: "+text, "took the fallback intent: "+text)
			} else {
				add(warningWeight, "warning: "+text, "warned: "+text)
			}
		}
	}
	switch earlier, latest := interruptedVisits(r); {
	case latest:
		add(rerunWeight, "interrupted and rerun", "was interrupted and rerun")
	case earlier:
		add(rerunWeight, "earlier visit: interrupted and rerun", "was interrupted and rerun in an earlier visit")
	}
	return out
}

// earlierVisitNotices returns the failures and fallbacks of attempts that another attempt followed, without the failures of
// attempts that were retried. If the attempts used up the limit that ended the run, there are also aliases, without that of
// the last attempt.
func earlierVisitNotices(t *track.Track, r *track.Row, all []*track.Attempt) []Notice {
	var out []Notice
	aliasOfLast := aliasText(lastDecision(all[len(all)-1]))
	for i, attempt := range all[:len(all)-1] {
		n := Notice{Row: r}
		switch d := lastDecision(attempt); {
		case d != nil && d.Outcome != nil && d.Outcome.Reading != nil && d.Outcome.Reading.FallbackIntent != "":
			n.Text = sanitize.Plain(readValueText(d.Outcome.Reading, d.Outcome))
			n.weight, n.predicate = fallbackWeight, "took the fallback intent in an earlier visit: "+n.Text
		case all[i+1].Number <= 1:
			if c := continuationOf(r, attempt, false); c != nil {
				n.Text, n.IsOverride, n.weight, n.predicate = c.text(""), c.isOverride(), c.weight(), c.predicate(" in an earlier visit")
			}
		}
		if text := aliasText(lastDecision(attempt)); n.Text == "" && t.LimitFlag() != "" && text != aliasOfLast {
			n.Text, n.weight, n.predicate = text, aliasWeight, "used an alias for an intent in an earlier visit: "+text
		}
		isKnown := slices.ContainsFunc(out, func(other Notice) bool { return other.Text == "earlier visit: "+n.Text })
		if n.Text != "" && !isKnown {
			n.Text = "earlier visit: " + n.Text
			out = append(out, n)
		}
	}
	return out
}

// overrideNoticesOf returns what a person overrode at a row, unless one of the row's other notices says it.
func overrideNoticesOf(t *track.Track, r *track.Row, isCause bool, others []Notice) []Notice {
	var out []Notice
	for _, o := range t.Overrides {
		if o.Step != r.Label {
			continue
		}
		text := overrideText(o)
		if o.Kind == track.LimitsMarkedAsUsed && slices.ContainsFunc(others, func(other Notice) bool { return strings.Contains(other.Text, text) }) {
			continue // it is named with where the run went
		}
		if r.Overridden && r.Outcome != nil && o.Kind == track.OverriddenOutcome && o.Result == r.Outcome.Result && (o.Note == "" || o.Note == OutcomeNote(r.NewestAttempt())) {
			text = OverriddenText(r)
		}
		isKnown := slices.ContainsFunc(slices.Concat(others, out), func(other Notice) bool { return other.Text == text })
		if isKnown || isCause && r.Overridden && text == failurePredicate(r) { // the cause of the run's result is shown elsewhere
			continue
		}
		n := Notice{Row: r, Text: text, IsOverride: true}
		n.weight, n.predicate = overridePredicate(o)
		out = append(out, n)
	}
	return out
}

// overridePredicate returns what a sentence says about an override, and how important that is.
func overridePredicate(o track.Override) (noticeWeight, string) {
	by := authorSuffix(o)
	object, what := sanitize.Plain(o.Object), sanitize.Plain(o.Text())
	switch o.Kind {
	case track.OverriddenOutcome:
		return overriddenOutcomeWeight, "was " + what + by
	case track.OverriddenRoute:
		return overrideWeight, "ended with a jump to " + object + by
	case track.RerunByPerson:
		if o.Object != o.Step {
			return overrideWeight, "ended with a rerun of " + object + by
		}
		return overrideWeight, "was rerun" + by
	case track.EditedAction:
		return overrideWeight, "was edited" + by
	case track.EditedRule:
		return overrideWeight, "had a rule edited" + by
	case track.ChangedReply:
		return overrideWeight, "had its reply changed" + by
	case track.GivenResult:
		return overrideWeight, "had its call to " + object + " answered" + by
	case track.ChangedArguments:
		return overrideWeight, "had the arguments of the call to " + object + " changed" + by
	case track.LimitsMarkedAsUsed:
		return overriddenOutcomeWeight, "had " + what + by
	}
	return overrideWeight, "had " + what + by // a variable
}

// interruptedVisits reports whether a command or call of the step was interrupted and run again, so that its effects may
// have happened twice: in an earlier visit, and in the latest one.
func interruptedVisits(r *track.Row) (earlier, latest bool) {
	for i, attempt := range r.AllAttempts() {
		if i > 0 && attempt.Number <= 1 {
			earlier, latest = earlier || latest, false
		}
		latest = latest || slices.ContainsFunc(attempt.Questions, func(q track.Question) bool {
			wasNotReady := slices.ContainsFunc(attempt.Actions, func(a *track.Action) bool { return a.Error != "" && a.Error == q.Prompt })
			return q.Kind == machine.KindResume && !wasNotReady && q.Answer != nil && q.Answer.Value == "rerun"
		})
	}
	return earlier, latest
}

// authorSuffix says that a person or a prepared answer made an override. It is "" if only a person can make it.
func authorSuffix(o track.Override) string {
	if o.Kind == track.LimitsMarkedAsUsed {
		return ""
	}
	return cmp.Or(PreparedSuffix(o.Note), " by a person")
}

func overrideText(o track.Override) string {
	text := o.Text() + authorSuffix(o)
	if note := machine.PersonNote(o.Note); note != "" {
		text += ": " + note
	}
	return sanitize.Plain(text)
}

// isInEndMessage reports whether the message at the end of the run contains a warning.
func isInEndMessage(t *track.Track, warning string) bool {
	return t.Finished != nil && strings.Contains(t.Finished.Message, warning)
}

// nearMissNotices returns the conditions of a decision that failed because of a difference that is hard to see,
// such as: line 9 expects "Refund": kind = "Refund " (only whitespace differs).
func nearMissNotices(r *track.Row, d *machine.Decision) []Notice {
	var out []Notice
	for i, c := range d.Candidates {
		if c.Reason != nil && !c.Matched && isEvaluatedCandidate(d, i) && (c.Reason.IsValueTested || !hasExpectedIntent(d, i)) && c.Reason.SlightDifference() != "" {
			compared := c.Reason.ComparisonText()
			out = append(out, Notice{
				Row: r, Decision: d, Text: sanitize.Plain(fmt.Sprintf("line %d expects %q: %s", c.Line, c.Reason.Expected, compared)),
				weight: conditionWeight, predicate: sanitize.Plain(fmt.Sprintf("almost matched line %d: %s", c.Line, compared)),
			})
		}
	}
	return out
}

// undefinedNameNotices returns the conditions of a choice between the arms of a row that compared a name which the
// document defines nowhere before, such as: line 18: category is not set: no input or earlier output has this name.
func undefinedNameNotices(r *track.Row, d *machine.Decision) []Notice {
	var out []Notice
	for _, arm := range r.Children {
		if arm.Step == nil || arm.Step.ArmTest == nil || arm.Step.ArmTest.VariableSource != plan.UnknownSource {
			continue
		}
		for i, c := range d.Candidates {
			if c.Line == arm.Step.Span.Line && isEvaluatedCandidate(d, i) && c.Reason != nil && c.Reason.HasNoValue {
				out = append(out, Notice{
					Row: r, Decision: d, Text: sanitize.Plain(fmt.Sprintf("line %d: %s: no input or earlier output has this name", c.Line, c.Reason.ComparisonText())),
					weight: conditionWeight, predicate: sanitize.Plain(fmt.Sprintf("compares a variable that has no value: %s (line %d)", c.Reason.Variable, c.Line)),
				})
			}
		}
	}
	return out
}

// passedDespiteFailureText returns that a group passed although a step below it failed, and by which route, such as:
// passed although 1.1 failed; line 4: PASS ANY: CONTINUE. It returns "" if none failed.
func passedDespiteFailureText(d *machine.Decision) string {
	o := d.Outcome
	if o == nil || d.ByPerson || o.Overridden || o.Result != plan.Passed {
		return ""
	}
	failed := labelsWithResult(o.ChildResults, plan.Failed, plan.Errored)
	if failed == "" {
		return ""
	}
	text := "passed although " + failed + " failed"
	switch c := d.TakenCandidate(); {
	case c == nil:
	case c.Implicit:
		text += "; " + c.Text + " (default)"
	default:
		text += fmt.Sprintf("; line %d: %s", c.Line, c.Text)
	}
	return sanitize.Plain(text)
}

// aliasText returns that a word in the reply was read as another intent, "" if it was not.
func aliasText(d *machine.Decision) string {
	if d == nil || d.Outcome == nil || d.Outcome.Reading == nil || d.Outcome.Reading.IntentAlias == "" {
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
	jumps := t.JumpedOverRows()
	for _, r := range n.rows {
		if jumps[r] {
			out.add(r)
		}
	}
	return out
}

// stepsNotRun returns the steps that a run did not run, without those outside the order of the steps: the steps that
// it did not reach, and those in arms that were not taken.
func stepsNotRun(t *track.Track) (unreached, untaken notRunSteps) {
	onlyJumpsReach := t.JumpOnlyRows()
	for _, r := range t.AllRows() {
		switch {
		case !r.IsCountable() && r.StepCountWithoutRows() == 0 || r.IsHidden || onlyJumpsReach[r]:
		case r.NewestStepAttempt() != nil: // it ran, perhaps before its group was entered again
		case r.IsInUntakenArm():
			untaken.add(r)
		case r.Status == track.Pending || r.SkipReason == track.SkipAfterFailure:
			unreached.add(r)
		}
	}
	return unreached, untaken
}

// SupersededEffectsText says how many side effects the run had on branches that it abandoned by rewinding, "" if none.
func SupersededEffectsText(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 command or call ran in attempts that were rewound"
	}
	return plan.FormatThousands(n) + " commands or calls ran in attempts that were rewound"
}

// StepCountsText returns how many steps ended with which result, such as "10 passed · 2 failed · 1 retried".
func StepCountsText(t *track.Track) string {
	var parts []string
	add := func(n int, word string) {
		if n > 0 {
			parts = append(parts, plan.FormatThousands(n)+" "+word)
		}
	}
	var passed, failed, skipped, left, retried, again int
	for _, r := range t.AllRows() {
		switch status := r.LastStatus(); {
		case !r.IsExecutable():
		case status == track.Passed:
			passed++
		case status == track.Failed:
			failed++
		case status == track.Skipped && r.SkipReason != track.SkipAfterFailure:
			skipped++
		case status == track.LeftUndecided:
			left++
		}
		switch {
		case isRetried(r):
			retried++
		case r.IsExecutable() && len(r.StepAttempts) > 1:
			again++
		}
	}
	add(passed, "passed")
	add(failed, "failed")
	add(skipped, "skipped")
	add(left, LeftUndecidedText)
	add(retried, "retried")
	add(again, "ran again")
	if end := t.Finished; end != nil && end.Result.IsFinal() {
		unreached, untaken := stepsNotRun(t)
		add(unreached.count, "not reached")
		add(untaken.count, "in branches not taken")
	}
	return strings.Join(parts, " · ")
}

// ProgressText returns how many steps are done, such as "3/4 done", and of a run that is over "3 of 4 ran".
func ProgressText(t *track.Track) string {
	if _, total := t.Progress(); total > 0 && t.IsOver() {
		return fmt.Sprintf("%d of %d ran", t.RanStepCount(), total)
	}
	count, _ := doneCount(t)
	return count + " done"
}

// ProgressCountText returns how many steps are done as "3/4", without a word, for the place beside a progress
// bar. A count without a total has the word.
func ProgressCountText(t *track.Track) string {
	count, hasTotal := doneCount(t)
	if !hasTotal {
		count += " done"
	}
	return count
}

// doneCount returns how many steps are done, and of how many if that is known. While all known steps are done and the run
// goes on, it is not: instances of steps and steps outside the order count once they are entered.
func doneCount(t *track.Track) (count string, hasTotal bool) {
	done, total := t.Progress()
	if total == 0 || done == total && t.Finished == nil {
		return fmt.Sprint(done), false
	}
	return fmt.Sprintf("%d/%d", done, total), true
}

// isRetried reports whether the document retried a step, which used a part of a retry limit.
func isRetried(r *track.Row) bool {
	return slices.ContainsFunc(r.AllAttempts(), func(attempt *track.Attempt) bool {
		r := takenReason(lastDecision(attempt))
		return r != nil && r.Kind == "retry" && r.MoveAfterLimit == ""
	})
}
