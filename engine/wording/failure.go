package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// EndSentence returns a sentence that says why a run ended: the limit that ended it, else the failure that decided
// its result, else the route that stopped or failed it. It is "" for other runs, and for a run that failed because a
// condition almost matched, which HeadlineNotice says.
func EndSentence(t *track.Track) string {
	if t.LimitFlag() != "" && len(t.EnteredSteps) > 0 {
		return limitText(t)
	}
	if r := DecisiveFailureRow(t); r != nil {
		return FailureText(r)
	}
	if r := t.RowWithFailingRoute(); r != nil {
		return failedByRouteText(r)
	}
	r := t.DecidedRow
	if !t.IsOver() || t.Finished.Result != plan.Stopped || r == nil || r.Decision == nil || r.Decision.ByPerson ||
		r.Decision.Destination.Kind != machine.ToDocumentEnd || r.Decision.Destination.Result != plan.Stopped {
		return "" // a person may have stopped the run after the decision
	}
	return stoppedByRouteText(r, "the run")
}

// failedByRouteText returns that the route of a step that did not fail failed the run, and the limit or the value that
// decided it. It is "" if a condition almost matched.
func failedByRouteText(r *track.Row) string {
	d := r.Decision
	if len(nearMissNotices(r, d)) > 0 {
		return ""
	}
	text := StepName(r) + " " + r.Status.String()
	if d.CandidateIndex == nil {
		return text + ", and none of its routes matched"
	}
	text += ", and its route failed the run"
	reason := UsedLimitsText(d)
	if o := d.Outcome; reason == "" && o != nil && isExplainedByFormat(o) {
		reason = readingText(o, true)
	}
	if reason != "" {
		text += ": " + sanitize.Plain(reason)
	}
	return text
}

// stoppedByRouteText returns that the route of a step that did not fail stopped the run, or an included document.
func stoppedByRouteText(r *track.Row, what string) string {
	return StepName(r) + " " + r.Status.String() + ", and its route stopped " + what
}

// RaiseLimitText says how a longer run is possible after the limit of entries ended this one, "" if it did not.
func RaiseLimitText(t *track.Track) string {
	flag := t.LimitFlag()
	if flag == "" {
		return ""
	}
	return "Start a new run with --" + flag + " N to raise the limit."
}

// limitText returns the last step of a run that its limit ended, how often the step ran, and the limit, such as "3
// Review ran 9 times, then the run ended: maximum iterations reached: 10".
func limitText(t *track.Track) string {
	last, times := t.EnteredSteps[len(t.EnteredSteps)-1], 0
	for _, s := range t.EnteredSteps {
		if s == last || s.CurrentLabel != "" && s.CurrentLabel == last.CurrentLabel {
			times++
		}
	}
	name := sanitize.Plain(last.Label)
	if r := t.RowByLabel(last.CurrentLabel); r != nil {
		name = StepName(r)
	}
	ran := "once"
	if times > 1 {
		ran = plan.CountText(times, "time")
	}
	return name + " ran " + ran + ", then the run ended: " + sanitize.Plain(t.Plan.EntryLimit.Message)
}

// LimitInsteadText returns that the limit of entries ends or ended the run before it goes where a decision leads, and
// the limit; "" if it does not.
func LimitInsteadText(t *track.Track, d *machine.Decision) string {
	if !t.IsStoppedByLimit(d) {
		return ""
	}
	if t.IsOver() {
		return limitInsteadText("failed", t.Plan.EntryLimit.Message)
	}
	return limitInsteadText("fails", t.Plan.EntryLimit.Message)
}

// PreviewLimitText returns LimitInsteadText for a preview with this last event.
func PreviewLimitText(last machine.Event) string {
	if b, ends := last.Body.(*machine.RunFinished); ends {
		return limitInsteadText("fails", b.Message)
	}
	return ""
}

func limitInsteadText(verb, limit string) string {
	return "the run " + verb + " instead of continuing: " + sanitize.Plain(limit)
}

// FailureText returns which step failed, why, and the last line that its command printed, such as: 5 Migrate failed: exit
// 127, "psql: not found". If a person failed the step, the last line is left out.
func FailureText(r *track.Row) string { return StepName(r) + " " + failurePredicate(r) }

// StepName returns the label of a row, and its title if it has one; for an arm, its step and condition.
func StepName(r *track.Row) string {
	name := r.DisplayLabel()
	if name == r.Label && r.Title != r.LocalLabel && r.Title != r.Label {
		name += " " + r.Title
	}
	return sanitize.Plain(name)
}

// FinalOutputText returns the type of a final output and the step that produced it, such as "text, from step 3". The step is
// left out if the document no longer has it.
func FinalOutputText(outputType, step string) string {
	if step == "" {
		return outputType
	}
	return outputType + ", from step " + step
}

// StepsText returns the labels of one or more steps, such as "step 3" or "steps 3, 5".
func StepsText(labels []string) string {
	if len(labels) == 1 {
		return "step " + labels[0]
	}
	return "steps " + strings.Join(labels, ", ")
}

// IsFailureText reports whether the message of a run says exactly what FailureText says about a step.
func IsFailureText(message string, r *track.Row) bool {
	return sanitize.Plain(message) == "step "+sanitize.Plain(r.Label)+" "+failurePredicate(r)
}

// failurePredicate returns why a step failed and the last line that its command printed, such as: failed: exit 127, "psql: not
// found".
func failurePredicate(r *track.Row) string {
	if r.Overridden {
		return OverriddenText(r)
	}
	return failedReasonText("", failureCause(r), r.NewestStepAttempt())
}

// failedReasonText returns that an attempt failed, when ("" if it is the latest), why if that is known, and the last line
// that its command printed. If an answer failed it after an interruption, the answer is why, and the line is left out.
func failedReasonText(when, reason string, attempt *track.Attempt) string {
	text := "failed" + when
	if answer := failedInterruptionText(attempt); answer != "" {
		return text + ": " + answer
	}
	if reason != "" {
		text += ": " + sanitize.Plain(reason)
	}
	if last := lastPrintedLine(attempt); last != "" {
		text += ", " + Quote(ansi.Truncate(sanitize.Plain(last), maxPrintedWidth, "…"))
	}
	return text
}

// failedInterruptionText returns who failed an attempt after it was interrupted, their note, and what the format says about
// that; "" if nobody did.
func failedInterruptionText(attempt *track.Attempt) string {
	if attempt == nil || len(attempt.Questions) == 0 || len(attempt.Actions) == 0 {
		return ""
	}
	q, newest := attempt.Questions[len(attempt.Questions)-1], attempt.Actions[len(attempt.Actions)-1]
	if q.Kind != machine.KindResume || q.Answer == nil || q.Answer.Value != "fail" || newest.Index != q.ActionIndex || !newest.WasCutOff {
		return ""
	}
	text := "it was interrupted, and a person marked it as failed"
	if q.AnsweredBy != machine.ByPerson {
		text = "it was interrupted, and a prepared answer marked it as failed"
	}
	note := q.AnswerEvent.Note
	if note != "" {
		text += ", note: " + Quote(note)
	}
	if o := attempt.Outcome; o != nil && o.Reason != "" && o.Reason != note {
		text += "; " + sanitize.Plain(o.Reason)
	}
	return text
}

// maxPrintedWidth limits the width of that line, in cells.
const maxPrintedWidth = 120

// lastPrintedLine returns the last line that the newest command of an attempt printed.
func lastPrintedLine(attempt *track.Attempt) string {
	if attempt == nil {
		return ""
	}
	for _, a := range slices.Backward(attempt.Actions) {
		if end, done := a.EndEvent.Body.(*machine.ActionFinished); done && a.Kind == "command" {
			lines := strings.Split(strings.TrimSpace(end.Output), "\n")
			return strings.TrimSpace(lines[len(lines)-1])
		}
	}
	return ""
}

// OverriddenText returns the overridden outcome of a row with the original outcome and the person's note, such as:
// failed, overridden (exit 0), note: "staging only".
func OverriddenText(r *track.Row) string {
	by, before, note := OverrideParts(r)
	text := r.Status.String() + ", " + by
	if before != "" {
		text += " (" + before + ")"
	}
	if note != "" {
		text += ", " + note
	}
	return text
}

// OverrideParts returns who changed the outcome of a row, what it was before and why, and their note; before and
// note may be "".
func OverrideParts(r *track.Row) (by, before, note string) {
	written := OutcomeNote(r.NewestAttempt())
	by = "overridden" + PreparedSuffix(written)
	if note = machine.PersonNote(written); note != "" {
		note = "note: " + Quote(note)
	}
	before = originalOutcomeTexts[r.Outcome.OriginalResult]
	switch a := overriddenAction(r.NewestAttempt()); {
	case a == nil:
	case a.ExitCode != nil:
		before = fmt.Sprintf("exit %d", *a.ExitCode)
	case a.WasCutOff:
		before = "interrupted"
	}
	if own := r.Outcome.Reason; own != "" && own != written {
		before = strings.TrimPrefix(before+": "+sanitize.Plain(own), ": ")
	}
	return by, before, note
}

// overriddenAction returns the action whose outcome was overridden, nil if there is none: the newest that had begun by then.
// After an action that was interrupted or held, its step may go on to others.
func overriddenAction(attempt *track.Attempt) *track.Action {
	if attempt == nil {
		return nil
	}
	seq := overrideSeq(attempt)
	for _, a := range slices.Backward(attempt.Actions) {
		if seq == 0 || cmp.Or(a.StartEvent.Seq, a.EndEvent.Seq) < seq {
			return a
		}
	}
	return nil
}

// overrideSeq returns the number of the event that overrode the outcome of an attempt, 0 if it is not known.
func overrideSeq(attempt *track.Attempt) int {
	for _, e := range slices.Backward(attempt.Events) {
		if b, ends := e.Body.(*machine.StepFinished); ends && b.Overridden && e.By != "" {
			return e.Seq
		}
	}
	for _, q := range slices.Backward(attempt.Questions) {
		if q.Answer != nil && q.Answer.Outcome != nil && q.Answer.Outcome.Overridden {
			return q.AnswerEvent.Seq
		}
	}
	return 0
}

// OutcomeNote returns what a person wrote when they answered with the outcome of an attempt or overrode it, "" if nothing.
// The reason of the outcome is no substitute, because it may be the machine's own.
func OutcomeNote(attempt *track.Attempt) string {
	if attempt == nil {
		return ""
	}
	for _, e := range slices.Backward(attempt.Events) {
		if b, ends := e.Body.(*machine.StepFinished); ends && b.Overridden && e.By != "" {
			return e.Note
		}
	}
	if q := attempt.DecidingQuestion(); q != nil {
		return q.AnswerEvent.Note
	}
	return ""
}

// originalOutcomeTexts has the text for the outcome that a step had before a person changed it.
var originalOutcomeTexts = map[plan.Result]string{
	plan.Passed: "originally passed", plan.Failed: "originally failed", plan.Errored: "originally an error", plan.Undecided: "originally undecided",
}

// DecidingAnswerText returns the answer that decided the outcome of a row, such as "answered no" or "rejected". It is "" if
// no answer did, or if nobody gave it.
func DecidingAnswerText(r *track.Row) string {
	return decidingAnswerTextOfAttempt(r.NewestStepAttempt(), r.Outcome)
}

// decidingAnswerTextOfAttempt returns the answer that decided the outcome of an attempt, as DecidingAnswerText does.
func decidingAnswerTextOfAttempt(attempt *track.Attempt, o *plan.Outcome) string {
	q := attempt.DecidingQuestion()
	if q == nil || q.AnswerEvent.By == machine.ByAuto || o == nil || q.Answer.Outcome == nil || o.Overridden {
		return ""
	}
	followed := func(a *track.Action) bool { return a.Index > q.ActionIndex && a.Outcome != nil }
	if slices.ContainsFunc(attempt.Actions, followed) { // the answer was only a value for that action
		return ""
	}
	if q.Kind == machine.KindAcceptOutcome {
		return AnswerText(q) + "ed"
	}
	return "answered " + AnswerText(q)
}

// AnswerText returns the answer to a question on one line.
func AnswerText(q *track.Question) string {
	return sanitize.Plain(plan.VisibleText(AnswerLabel(q.Kind, q.Answer.Value)))
}

// AnswerLabel returns the answer to a question of this kind as people read it. If the question is whether to accept an
// outcome, "pass" is shown as "accept", and "fail" as "reject".
func AnswerLabel(kind, value string) string {
	if kind == machine.KindAcceptOutcome {
		return cmp.Or(map[string]string{"pass": "accept", "fail": "reject"}[value], value)
	}
	return value
}

// DistinctAnswerText returns the answer that decided the outcome of an attempt, if it has another name than the outcome,
// such as "answered no" for a failure; else "".
func DistinctAnswerText(attempt *track.Attempt, o *plan.Outcome) string {
	text := decidingAnswerTextOfAttempt(attempt, o)
	if q := attempt.DecidingQuestion(); text == "" || q.Kind != machine.KindDecide || q.Answer.Value == string(o.Result) {
		return ""
	}
	return text
}

// PersonNoteOrAnswerText returns what a person said about a decision of a row: the note with which they made it, or their
// answer that decided the outcome, if it has another name.
func PersonNoteOrAnswerText(r *track.Row, d *machine.Decision) string {
	if d.ByPerson {
		return r.DecisionNote(d)
	}
	attempt, _ := r.AttemptOfDecision(d)
	return DistinctAnswerText(attempt, d.Outcome)
}

// failureCause returns why a step failed.
func failureCause(r *track.Row) string {
	o := r.Outcome
	refuted := failedCheckText(o)
	if text := DecidingAnswerText(r); text != "" {
		switch note := machine.PersonNote(OutcomeNote(r.NewestStepAttempt())); {
		case note != "":
			text += ": " + Quote(note)
		case o.Reason != "":
			text += "; " + o.Reason
		}
		if refuted != "" {
			text += "; " + refuted
		}
		return text
	}
	if refuted != "" {
		return refuted
	}
	switch {
	case o.Source == "" || o.Reason != "":
		return OutcomeReason(o)
	case o.Source == plan.ChildrenSource:
		return childrenFailureCause(r)
	}
	return sourceText(o)
}

// sourceText returns what an outcome was read from, and what the format read there if it says so, such as "check ng".
func sourceText(o *plan.Outcome) string {
	if o.Reading == nil || o.Reading.ExitCode != nil {
		return o.Source
	}
	return cmp.Or(readingText(o, true), o.Source)
}

// childrenFailureCause returns why a step that joins outcomes failed: why an included document could not run, else which
// route stopped the last document that did not complete, else the last failure in it, else which children failed.
func childrenFailureCause(r *track.Row) string {
	for _, w := range slices.Backward(r.Warnings) {
		if w.Document != "" {
			return w.Message
		}
	}
	if text := stoppedDocumentText(r); text != "" {
		return text
	}
	if below := failedRowBelow(r); below.Plan() != r.Plan() && below.HasFailed() && below.Step != nil {
		return FailureText(below)
	}
	return DecidingChildrenText(outcomeWithArmNames(r, r.Outcome))
}

// stoppedDocumentText returns by which route the last included document of a row stopped, and with which message, "" if
// all completed, or if the last one stopped because a step failed.
func stoppedDocumentText(r *track.Row) string {
	for _, document := range slices.Backward(r.Children) {
		if document.IncludedDocument == nil || document.Status != track.Failed {
			continue
		}
		for _, step := range slices.Backward(document.Children) {
			d := step.Decision
			if d == nil || d.ByPerson || step.HasFailed() || d.Destination.Kind != machine.ToDocumentEnd || d.Destination.Result != plan.Stopped {
				continue
			}
			text := stoppedByRouteText(step, sanitize.Plain(document.LocalLabel))
			if document.EndMessage != "" {
				text += ": " + Quote(document.EndMessage)
			}
			return text
		}
		return ""
	}
	return ""
}

// failedCheckText returns the first check of an outcome that does not hold, "" if there is none, if the
// reason of the outcome names it, or if the format explains the outcome.
func failedCheckText(o *plan.Outcome) string {
	at := slices.IndexFunc(o.Checks, func(c plan.Check) bool { return c.Verdict == plan.Failed })
	if at < 0 || isExplainedByFormat(o) || strings.Contains(o.Reason, o.Checks[at].Text) {
		return ""
	}
	text := "check failed: " + o.Checks[at].Text
	if found := o.Checks[at].Detail; found != "" {
		text += " (" + found + ")"
	}
	return text
}

// LeavingRouteText returns the route by which a group was left before its decision, and which of its own
// routes were not evaluated, such as "exited by the route on line 25; lines 9–10 were not evaluated".
func LeavingRouteText(r *track.Row) string {
	text := LeftUndecidedText
	d := LeavingDecision(r)
	switch c := d.TakenCandidate(); {
	case d == nil: // the run was ended
	case d.ByPerson:
		text = "exited by a jump"
	case c != nil && c.Line > 0:
		text = fmt.Sprintf("exited by the route on line %d", c.Line)
	}
	lines := writtenRouteLines(r.Step)
	switch {
	case len(lines) == 0:
		return text
	case slices.Min(lines) == slices.Max(lines):
		return fmt.Sprintf("%s; line %d was not evaluated", text, lines[0])
	}
	return fmt.Sprintf("%s; lines %d–%d were not evaluated", text, slices.Min(lines), slices.Max(lines))
}

// LeavingDecision returns the decision below a group that led out of it, nil if there is none.
func LeavingDecision(group *track.Row) *machine.Decision {
	d := group.NewestDecisionBelow()
	if d == nil || d.Destination.Kind == machine.ToStep && hasRowBelow(group.Children, d.To) {
		return nil
	}
	return d
}

// writtenRouteLines returns the lines of the routes that the document writes for a step, nil if there is none.
func writtenRouteLines(s *plan.Step) []int {
	var lines []int
	for _, route := range s.Routes {
		for _, m := range route.WrittenMoves() {
			if m.Span.Line > 0 {
				lines = append(lines, m.Span.Line)
			}
		}
	}
	return lines
}

// hasRowBelow reports whether a label is that of one of the rows or of one below them.
func hasRowBelow(rows []*track.Row, label string) bool {
	return slices.ContainsFunc(rows, func(r *track.Row) bool { return r.Label == label || hasRowBelow(r.Children, label) })
}
