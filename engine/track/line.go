package track

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// EventLine is one event as the history shows it.
type EventLine struct {
	Seq              int
	Time             time.Time
	StepDisplayLabel string // "": none
	Attempt          int
	Description      string // such as entered, command, exit 1, pass → 3
	By               string
	Client           string // through which client a person acted; "": at the run's own screen
	Note             string
	Overridden       bool
}

// EventLine returns an event as the history shows it. About an answer it also says if a condition of the
// document asks for almost the same text.
func (t *Track) EventLine(e machine.Event) EventLine {
	names := map[string]string{}
	t.addArmNames(names, e)
	return newEventLine(e, t.planOfAnswer(e), names)
}

// EventLineFunc returns a function that returns the event at an index as EventLine does. Any goroutine may
// call it, also while the track folds further events.
func (t *Track) EventLineFunc(events []machine.Event) func(i int) EventLine {
	plans, names := map[string]*plan.Plan{}, map[string]string{}
	for i := range events {
		t.addArmNames(names, events[i])
		if p := t.planOfAnswer(events[i]); p != nil {
			plans[events[i].Step] = p
		}
	}
	return func(i int) EventLine { return newEventLine(events[i], plans[events[i].Step], names) }
}

// MomentText names the moment after an event by its place and by what happened, such as "step 2 (exit 0)". It can be a
// part of a sentence.
func (t *Track) MomentText(e machine.Event) string {
	if e.Seq == 1 {
		return t.MomentPlace(e)
	}
	text, _, _ := strings.Cut(t.EventLine(e).Description, "\n")
	return t.MomentPlace(e) + " (" + plan.CutText(text, maxMomentText) + ")"
}

// MomentPlace names where the run is at an event: its step, else its number.
func (t *Track) MomentPlace(e machine.Event) string {
	switch label := t.EventLine(e).StepDisplayLabel; {
	case e.Seq == 1:
		return "the start"
	case label != "":
		return "step " + plan.CutText(label, maxMomentLabel)
	}
	return fmt.Sprintf("event %d", e.Seq)
}

// MomentTextAfter names the moment after the event with the sequence number seq, as MomentText does. If the event is a
// rewind, an undo or a redo, the moment is the one to which it leads. If the event is not among events, it names the number.
func (t *Track) MomentTextAfter(events []machine.Event, seq int) string {
	i := slices.IndexFunc(events, func(e machine.Event) bool { return e.Seq == seq })
	if i < 0 {
		return fmt.Sprintf("event %d", seq)
	}
	if r, is := events[i].Body.(*machine.RunRewound); is {
		return t.MomentTextAfter(events[:i], r.ToSeq)
	}
	return t.MomentText(events[i])
}

// VisitText names the visit of a step to which an event belongs, such as "step 2, visit 3, attempt 2". It leaves out
// the visit or the attempt if there is only one, and does not count visits of groups.
func (t *Track) VisitText(label string, seq int) string {
	text := "step " + t.DisplayLabel(label)
	var visit, visits, attempt, attempts int // attempts are those of the visit
	if r := t.rowByLabel[label]; r != nil {
		for _, x := range r.StepAttempts {
			if x.Number <= 1 {
				visits++
			}
			if x.EntrySeq <= seq {
				visit, attempt = visits, x.Number
			}
			if visits == visit {
				attempts = x.Number
			}
		}
	}
	if visits > 1 {
		text += fmt.Sprintf(", visit %d", visit)
	}
	if attempts > 1 {
		text += fmt.Sprintf(", attempt %d", attempt)
	}
	return text
}

// maxMomentText limits what MomentText says about what happened, and maxMomentLabel the label of its step, in characters.
const maxMomentText, maxMomentLabel = 40, 30

// planOfAnswer returns the document of the step that an event answers, nil if the event is not an answer or the
// step is unknown.
func (t *Track) planOfAnswer(e machine.Event) *plan.Plan {
	if _, answers := e.Body.(*machine.InputGiven); answers {
		if r := t.RowOfEvent(e); r != nil {
			return r.Plan()
		}
	}
	return nil
}

// addArmNames adds the display labels of the arms that an event names, by their labels.
func (t *Track) addArmNames(names map[string]string, e machine.Event) {
	labels := []string{e.Step}
	if d, is := e.Body.(*machine.Decision); is {
		labels = append(labels, d.To)
	}
	for _, label := range labels {
		if name := t.DisplayLabel(label); name != label {
			names[label] = name
		}
	}
}

// newEventLine returns an event as the history shows it. p is the document of an answered step, nil if it is
// unknown. armNames are the display labels of arms, by their labels.
func newEventLine(e machine.Event, p *plan.Plan, armNames map[string]string) EventLine {
	if d, is := e.Body.(*machine.Decision); is && armNames[d.To] != "" {
		named := *d
		named.To, e.Body = armNames[d.To], &named
	}
	e.Step = cmp.Or(armNames[e.Step], e.Step)
	l := EventLine{Seq: e.Seq, Time: e.Time, StepDisplayLabel: e.Step, Attempt: e.Attempt, By: cmp.Or(e.PreparedBy, e.By), Client: e.Client, Note: machine.PersonNote(e.Note)}
	l.Description = DescribeEvent(e)
	switch b := e.Body.(type) {
	case *machine.StepFinished:
		l.Overridden = b.Overridden
	case *machine.ActionFinished:
		l.Overridden = b.Overridden
	case *machine.Decision:
		l.Overridden = b.ByPerson
	case *machine.LimitsUsed:
		l.Overridden = true
	case *machine.VariableCaptured:
		l.Overridden = e.By == machine.ByPerson
	case *machine.InputGiven:
		if p != nil {
			l.Description += answerDifferenceText(p, b.Assignments)
		}
	}
	return l
}

// differenceText returns that two texts differ in a way that is hard to see, such as `not "three": only whitespace
// differs`, else "".
func differenceText(expected, actual string) string {
	hard := plan.SlightDifference(expected, actual)
	if hard == "" {
		return ""
	}
	return fmt.Sprintf("not %q: only %s", expected, hard)
}

// answerDifferenceText returns how an answer differs from a text with which the document compares it, in
// parentheses, if that is hard to see, else "".
func answerDifferenceText(p *plan.Plan, set []plan.Assignment) string {
	for _, a := range set {
		compared, value := p.ComparedValues(a.Name), plan.ValueText(a.Value)
		if slices.Contains(compared, value) {
			continue
		}
		for _, expected := range compared {
			if text := differenceText(expected, value); text != "" {
				return " (" + text + ")"
			}
		}
	}
	return ""
}

// actionKindText returns the kind of an action as documents name it.
func actionKindText(kind string) string {
	switch kind {
	case "prompt_ref":
		return "prompt"
	case "read":
		return "output read:"
	}
	return kind
}

// DescribeEvent returns a description of an event in a few words.
func DescribeEvent(e machine.Event) string {
	switch b := e.Body.(type) {
	case *machine.RunStarted:
		return "run " + b.RunID + " started"
	case *machine.StepEntered:
		if e.Attempt > 1 {
			return fmt.Sprintf("entered, attempt %d", e.Attempt)
		}
		return "entered"
	case *machine.ActionStarted:
		return actionKindText(b.Kind) + " started"
	case *machine.ActionFinished:
		return actionKindText(b.Kind) + " " + actionEndText(b)
	case *machine.InputNeeded:
		who := "a person: "
		if b.Kind == machine.KindReply {
			who = "" // the text names the model
		}
		return "waits for " + who + NeededAnswerText(b.Kind, b.Prompt, b.Options)
	case *machine.InputGiven:
		return "answered " + plan.VisibleLines(b.Value)
	case *machine.VariableCaptured:
		return b.Variable + " = " + plan.VisibleLines(plan.ValueText(b.Value))
	case *machine.StepFinished:
		if e.PreparedBy != "" { // the source of the outcome is a person
			return string(b.Result)
		}
		return string(b.Result) + outcomeSourceSuffix(b.Outcome)
	case *machine.Decision:
		return routeText(b)
	case *machine.ChildEntered:
		return "includes " + b.Document
	case *machine.ChildFinished:
		return b.Document + " " + ResultWord(b.Result)
	case *machine.WarningRecorded:
		if b.Code == machine.LogpointCode {
			return LogpointText(b.Message)
		}
		return "warning: " + b.Message
	case *machine.RunFinished:
		return "run " + EndWord(b)
	case *machine.ApprovalChanged:
		return "approval policy: " + b.Policy
	case *machine.RunResumed:
		return "run resumed"
	case *machine.RunRewound:
		switch {
		case b.Undo:
			return "undo: back at " + rewindTargetText(e, b)
		case b.Redo:
			return "redo: back at " + rewindTargetText(e, b)
		case b.Rerun:
			return "rewound to rerun step " + e.Step
		}
		return "rewound to " + rewindTargetText(e, b)
	case *machine.RunForked:
		return fmt.Sprintf("forked from run %s after event %d", b.FromRunID, b.FromSeq)
	case *machine.ActionEdited:
		return "edited"
	case *machine.DocumentReloaded:
		return ReloadText(b)
	case *machine.ShellOpened:
		return "shell opened"
	case *machine.PlayheadToolCalled:
		return e.Client + " calls " + b.Tool
	case *machine.LimitsUsed:
		return MarkedLimitsText(b)
	case *machine.FileChanging:
		return fileChangeText(b)
	case *machine.FileRestored:
		return "restored " + plan.VisibleText(b.Path)
	default:
		return e.Body.Type()
	}
}

// LogpointText returns the text that a person reads for a machine.LogpointMessage, such as "reached logpoint 4".
func LogpointText(message string) string {
	return "reached logpoint " + strings.TrimSuffix(strings.TrimPrefix(message, machine.LogpointMessage("")), " log")
}

// fileChangeText returns what a tool does to a file, such as "changes notes.md".
func fileChangeText(b *machine.FileChanging) string {
	verb := "changes "
	switch {
	case b.HashBefore == "":
		verb = "creates "
	case b.HashAfter == "":
		verb = "deletes "
	}
	return verb + plan.VisibleText(b.Path)
}

// ReloadText returns which version of the document a run continues with.
func ReloadText(b *machine.DocumentReloaded) string {
	changed := cmp.Or(b.Summary, machine.NothingAffected)
	if b.EditSubject != "" {
		return b.EditSubject + " (" + changed + " changed)"
	}
	return "document reloaded: " + changed + " changed"
}

// ResultWord returns the result of a run as people read it.
func ResultWord(r plan.RunResult) string {
	if r == plan.Awaiting {
		return "waiting"
	}
	return string(r)
}

// EndWord returns how a run ended or was left as people read it.
func EndWord(b *machine.RunFinished) string {
	if b.IsPaused() {
		return "paused"
	}
	return ResultWord(b.Result)
}

// actionEndText returns how an action ended: exit 1, signal KILL, an error.
func actionEndText(b *machine.ActionFinished) string {
	switch {
	case b.Error != "":
		return "failed: " + b.Error
	case b.Signal != "":
		return "signal " + b.Signal
	case b.ExitCode != nil:
		return fmt.Sprintf("exit %d", *b.ExitCode)
	case b.IsCutOff():
		return "interrupted"
	case b.Outcome != nil && b.Outcome.Result != plan.Undecided:
		return string(b.Outcome.Result)
	default:
		return "finished"
	}
}

func outcomeSourceSuffix(o *plan.Outcome) string {
	if o == nil || o.Source == "" {
		return ""
	}
	return " (" + OutcomeSourceText(o) + ")"
}

// OutcomeSourceText returns where an outcome comes from: exit 1, answer, or the steps below that decided it.
func OutcomeSourceText(o *plan.Outcome) string {
	if o.Source == plan.ChildrenSource {
		return "decided by its substeps"
	}
	return o.Source
}

// NeededAnswerText returns what a person is asked for, such as "pass or fail".
func NeededAnswerText(kind, prompt string, options []string) string {
	switch kind {
	case machine.KindApproveCall:
		return "approval of the call to " + prompt
	case machine.KindReply:
		return "a model's reply"
	}
	return cmp.Or(machine.AlternativesText(options), "an answer")
}

// routeText returns which route a decision took, such as "FAIL: RETRY 2 → 2.2" or "PASS → 2 (default)", and whether
// the value almost met a condition before it.
func routeText(d *machine.Decision) string {
	text := "→ " + d.To
	if d.Destination.Kind == machine.ToGroupRoutes {
		text = "→ end of group " + d.To
	}
	if c := d.TakenCandidate(); c != nil {
		taken := c.Text
		if condition, move, _ := strings.Cut(taken, ": "); c.Implicit && strings.EqualFold(move, "continue") {
			taken = condition // the document has no such line to cite
		}
		text = d.WithoutDestination(taken) + " " + text
		if c.Implicit {
			text += " (default)"
		}
	}
	if near := NearMissText(d); near != "" {
		text += " (" + near + ")"
	}
	return text
}

// NearMissText returns that a value almost met a condition before the route that a decision took, such as `not
// "three": only whitespace differs`, "" if none did.
func NearMissText(d *machine.Decision) string {
	evaluated := d.Candidates
	if d.TakenCandidate() != nil {
		evaluated = evaluated[:*d.CandidateIndex]
	}
	for _, c := range evaluated {
		if d.ByPerson || c.Reason == nil || c.Matched {
			continue
		}
		if near := differenceText(c.Reason.Expected, c.Reason.Actual); near != "" {
			return near
		}
	}
	return ""
}

// InterventionText returns what a person did to a run in a few words, such as "edit of step 3".
func InterventionText(e machine.Event) string {
	switch b := e.Body.(type) {
	case *machine.ActionEdited:
		return "edit of step " + e.Step
	case *machine.DocumentReloaded:
		if b.EditSubject != "" {
			return b.EditSubject
		}
		return "reload of the document"
	case *machine.LimitsUsed:
		return "marking all " + limitedMoves(b) + " of step " + e.Step + " as used"
	case *machine.InputGiven:
		return "answer to step " + e.Step
	case *machine.VariableCaptured:
		return formatAssignment(b)
	case *machine.ActionFinished:
		switch {
		case b.Overridden:
			return "change to the reply of step " + e.Step
		case b.Kind == "tool":
			return "result of the tool call of step " + e.Step
		}
		return "reply for step " + e.Step
	case *machine.StepFinished:
		if b.Result == plan.Skipped {
			return "skip of step " + e.Step
		}
		return "override of step " + e.Step + " with " + string(b.Result)
	case *machine.RunRewound:
		if b.Rerun {
			return "rerun of step " + e.Step
		}
		return "rewind to " + rewindTargetText(e, b)
	case *machine.Decision:
		if b.Destination.SameVisit {
			return "rerun of step " + b.To
		}
		return "jump to step " + b.To
	}
	return DescribeEvent(e)
}

// rewindTargetText returns where a run was rewound to.
func rewindTargetText(e machine.Event, b *machine.RunRewound) string {
	switch {
	case b.ToSeq == 1:
		return "the start"
	case e.Step != "":
		return "step " + e.Step
	}
	return fmt.Sprintf("event %d", b.ToSeq)
}

// maxShownValue is the length in bytes up to which a value is shown with its name.
const maxShownValue = 40

func formatAssignment(b *machine.VariableCaptured) string {
	if text := plan.ValueText(b.Value); len(text) <= maxShownValue && !strings.Contains(text, "\n") {
		return b.Variable + " = " + plan.VisibleText(text)
	}
	return "change to the variable " + b.Variable
}
