// Package whatif lists what could have been different at a decision of a run, for all front ends:
// values that were known then, the outcome, the reply that it was read from, the answer to the open
// question, and used-up limits. The session tries a change or makes it.
package whatif

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// DecisionMoment is the moment of a decision in a run.
type DecisionMoment struct {
	StepLabel string            // the label of the step that decides
	Decision  *machine.Decision // nil: it depends on the answer to the open question

	run              *control.RunView
	eventCountBefore int                 // the number of events before it
	trackBefore      func() *track.Track // folds those events when it is first called
}

// momentThatDecided returns the moment of a decision. For a group that joins outcomes it returns that of the substep
// that decided, unless the group can still retry; for a step none of whose branches was taken, that of the
// choice between them. It returns false unless the decision is one of the run's
// events or the next one.
func momentThatDecided(run *control.RunView, d *machine.Decision) (DecisionMoment, bool) {
	for i, e := range slices.Backward(run.Events) {
		if e.Body == machine.Body(d) {
			return newDecisionMoment(run, e, i).momentOfDecidingSubstep(), true
		}
	}
	if next := run.Status.NextEvent; next != nil && d != nil && next.Body == machine.Body(d) {
		return newDecisionMoment(run, *next, len(run.Events)).momentOfDecidingSubstep(), true
	}
	return DecisionMoment{}, false
}

// previousMomentNotByPerson returns the moment of the newest decision of the same step, before this one, that was
// not made by a person. For groups see momentThatDecided. It returns false if there is none.
func (m DecisionMoment) previousMomentNotByPerson() (DecisionMoment, bool) {
	for i, e := range slices.Backward(m.run.Events[:m.eventCountBefore]) {
		if d, is := e.Body.(*machine.Decision); is && !d.ByPerson && e.Step == m.StepLabel {
			return newDecisionMoment(m.run, e, i).momentOfDecidingSubstep(), true
		}
	}
	return DecisionMoment{}, false
}

// MomentAtQuestion returns the moment of the decision that depends on the answer to the open question. It
// returns false if no question is open whose answer is the outcome of a step or chooses between its branches.
func MomentAtQuestion(run *control.RunView) (DecisionMoment, bool) {
	q := run.Status.Question
	if q == nil || len(run.Events) == 0 || !isOutcomeAsked(run, q) && !isBranchAsked(run, q) {
		return DecisionMoment{}, false
	}
	return DecisionMoment{StepLabel: q.Action.StepLabel, run: run, eventCountBefore: len(run.Events), trackBefore: trackBefore(run, len(run.Events))}, true
}

// isOutcomeAsked reports whether the answer is the outcome of a step. After an interrupted model call it can be the part of
// the reply that has arrived instead.
func isOutcomeAsked(run *control.RunView, q *machine.Question) bool {
	r := run.Track.RowByLabel(q.Action.StepLabel)
	return q.Kind == machine.KindAcceptOutcome || q.Kind == machine.KindDecide || q.Kind == machine.KindResume && r != nil && !r.NewestIsModelCall()
}

// isBranchAsked reports whether a question offers answers and is the last thing before a step chooses a branch.
func isBranchAsked(run *control.RunView, q *machine.Question) bool {
	r := run.Track.RowByLabel(q.Action.StepLabel)
	return q.Kind == machine.KindAsk && len(q.Options) > 0 && r != nil && r.Step != nil && q.Action.ActionIndex == len(r.Step.Actions)-1 &&
		slices.ContainsFunc(r.Step.Children, (*plan.Step).IsArm)
}

func newDecisionMoment(run *control.RunView, e machine.Event, at int) DecisionMoment {
	return DecisionMoment{StepLabel: e.Step, Decision: e.Body.(*machine.Decision), run: run, eventCountBefore: at, trackBefore: trackBefore(run, at)}
}

// trackBefore returns a function that returns the track before the run's i-th event. Whether a change is
// possible is asked for every frame, mostly without the track, and folding a long run takes milliseconds.
func trackBefore(run *control.RunView, i int) func() *track.Track {
	return sync.OnceValue(func() *track.Track {
		if i == len(run.Events) {
			return run.Track
		}
		t := track.New(run.Track.FirstPlan)
		t.Fold(run.Events[:i]...)
		return t
	})
}

// momentOfDecidingSubstep returns the moment of the last substep whose result decided what a group comes to, or of
// the choice between branches if none of them was taken. It returns m if m is not such a decision, if the
// group can still retry, or if a person decided the substep.
func (m DecisionMoment) momentOfDecidingSubstep() DecisionMoment {
	o := m.Decision.Outcome
	switch {
	case o == nil || hasLimitLeft(m.Decision):
		return m
	case o.Result == plan.Skipped && !o.Overridden:
		return m.momentOfUntakenChoice()
	case o.Source != plan.ChildrenSource:
		return m
	}
	for i, e := range slices.Backward(m.run.Events[:m.eventCountBefore]) {
		d, is := e.Body.(*machine.Decision)
		if !is || !slices.ContainsFunc(o.ChildResults, func(c plan.ChildResult) bool {
			return c.Label == e.Step && (c.Result == plan.Passed) == (o.Result == plan.Passed)
		}) {
			continue
		}
		if d.ByPerson {
			break
		}
		return newDecisionMoment(m.run, e, i).momentOfDecidingSubstep()
	}
	return m
}

// momentOfUntakenChoice returns the moment of the choice between branches after which the step was skipped, m if there
// is none.
func (m DecisionMoment) momentOfUntakenChoice() DecisionMoment {
	for i, e := range slices.Backward(m.run.Events[:m.eventCountBefore]) {
		if d, is := e.Body.(*machine.Decision); is {
			if e.Step == m.StepLabel && d.SkippedAllArms() {
				return newDecisionMoment(m.run, e, i)
			}
			break
		}
	}
	return m
}

// Line returns the line of the document where the decision is written: that of the first of its routes that the
// document writes out, else that of the step. It returns 0 if it is not written.
func (m DecisionMoment) Line() int {
	if m.Decision != nil {
		for _, c := range m.Decision.Candidates {
			if c.Line > 0 && !c.Implicit {
				return c.Line
			}
		}
	}
	if r := m.trackBefore().RowByLabel(m.StepLabel); r != nil && r.Step != nil {
		return r.Step.Span.Line
	}
	return 0
}

// PossibleChangeKind is what could have been different.
type PossibleChangeKind int

// The kinds of possible changes.
const (
	VariableChange PossibleChangeKind = iota
	OutcomeChange                     // of the step that decides
	ReplyChange                       // the reply from which the outcome was read
	LimitsChange                      // all retries, repetitions and other limits are used up
	AnswerChange                      // to the open question
)

// PossibleChange is something that could have been different before a decision.
type PossibleChange struct {
	Kind           PossibleChangeKind
	Variable       track.Variable // the variable with its actual value
	ActualText     string         // the actual reply or outcome
	UnknownIntent  string         // of a reply: the word that was not accepted as an intent, "" if there is none
	Options        []Option       // other values that the document names
	AllowsAnyValue bool           // any other value is possible too

	EventSeqBefore int      // the sequence number of the last event before the change
	SideEffects    []string // what has run since and is not undone

	limitedNoun string // of a change of limits: what is limited

	trackBefore func() *track.Track    // of the moment of the decision
	preview     engine.DecisionPreview // previews decisions from the run before the change
	forecasts   map[Option]Forecast    // what Options lead to, as far as that is known
}

// Name returns what could have been different: the name of a variable or of the kind.
func (p *PossibleChange) Name() string {
	if p.Kind == VariableChange {
		return p.Variable.Name
	}
	return [...]string{OutcomeChange: "outcome", ReplyChange: "reply", LimitsChange: p.limitedNoun, AnswerChange: "answer"}[p.Kind]
}

// Option is a possible value and its name.
type Option struct {
	Name, Value string
	LimitsUsed  bool   // all limits are used up too
	usedLimits  string // which limits these are, see wording.UsedLimitsText
}

// LimitsSuffix returns what an option says about limits, after its name or value, "" if it says nothing.
func (o Option) LimitsSuffix() string {
	if o.LimitsUsed {
		return ", " + o.usedLimits
	}
	return ""
}

// ListedValueText returns a value as an item of a list: in quotes if it has a comma.
func ListedValueText(value string) string {
	if strings.Contains(value, ",") {
		return strconv.Quote(value)
	}
	return plan.VisibleText(value)
}

// ParseOption returns the option that a text names, or one with the text as any other value. The error names the
// possible values.
func (p *PossibleChange) ParseOption(text string) (Option, error) {
	var possible []string
	if p.Kind == OutcomeChange { // the actual one too
		possible = []string{string(plan.Passed), string(plan.Failed)}
	}
	for _, o := range p.Options {
		if text == o.Name+o.LimitsSuffix() || text == o.Value+o.LimitsSuffix() {
			return o, nil
		}
		if value := o.Value + o.LimitsSuffix(); !slices.Contains(possible, value) {
			possible = append(possible, value)
		}
	}
	switch {
	case p.AllowsAnyValue || slices.Contains(possible, text):
		return Option{Name: text, Value: text}, nil
	case len(possible) == 0:
		return Option{}, fmt.Errorf("%s has no other possible value", p.Name())
	}
	return Option{}, fmt.Errorf("%s cannot be %q (possible: %s)", p.Name(), text, machine.AlternativesText(possible))
}

// ChangeTo returns the change to an option: one of Options, or any other if AllowsAnyValue is set.
func (p *PossibleChange) ChangeTo(o Option) machine.WhatIfChange {
	c := machine.WhatIfChange{LimitsUsed: o.LimitsUsed || p.Kind == LimitsChange}
	switch p.Kind {
	case OutcomeChange:
		c.Result = plan.Result(o.Value)
	case ReplyChange:
		c.Reply = &o.Value
	case AnswerChange:
		c.Answer = o.Value
	case VariableChange:
		c.Variable, c.Value = p.Variable.Name, o.Value
	}
	return c
}

// addLimitOptions adds an option with all limits used up after each one that would use a limit. The option of a change
// of limits gets its name.
func (p *PossibleChange) addLimitOptions() {
	p.forecasts = map[Option]Forecast{}
	if p.Kind == LimitsChange {
		p.Options[0].Name = p.usedLimitsText(p.Options[0])
		return
	}
	var out []Option
	for _, o := range p.Options {
		out = append(out, o)
		f, err := p.Forecast(o)
		if err != nil {
			continue
		}
		p.forecasts[o] = f
		if hasLimitLeft(f.Decision) {
			o.LimitsUsed = true
			o.usedLimits = p.usedLimitsText(o)
			out = append(out, o)
		}
	}
	p.Options = out
}

// usedLimitsText returns which limits an option uses up.
func (p *PossibleChange) usedLimitsText(o Option) string {
	text := ""
	if f, err := p.Forecast(o); err == nil {
		text = wording.UsedLimitsText(f.Decision)
	}
	return cmp.Or(text, wording.AllRetriesUsed)
}

// HasPossibleChanges reports whether anything could have been different. It hardly ever folds events.
func (m DecisionMoment) HasPossibleChanges() bool {
	if m.Decision == nil || hasLimitLeft(m.Decision) {
		return true
	}
	steps := m.run.Track
	if m.isReloadedSince() {
		steps = m.trackBefore()
	}
	return m.hasReplyOrOutcome(steps) || m.hasVariables()
}

// hasVariables reports whether any variable had a value before the decision.
func (m DecisionMoment) hasVariables() bool {
	for _, e := range slices.Backward(m.run.Events[:m.eventCountBefore]) {
		var inputs map[string]any
		switch b := e.Body.(type) {
		case *machine.RunStarted:
			inputs = b.Inputs
		case *machine.DocumentReloaded:
			inputs = b.Inputs
		case *machine.VariableCaptured:
			// A nil value withdraws that of one variable, which tells nothing about the others.
			return b.Value != nil || len(m.trackBefore().Variables) > 0
		}
		for _, value := range inputs {
			if value != nil {
				return true
			}
		}
	}
	return false
}

// isReloadedSince reports whether the document was loaded again after the decision, so that its steps may
// differ.
func (m DecisionMoment) isReloadedSince() bool {
	return slices.ContainsFunc(m.run.Events[m.eventCountBefore:], func(e machine.Event) bool {
		_, is := e.Body.(*machine.DocumentReloaded)
		return is
	})
}

// hasReplyOrOutcome reports whether another reply or outcome is possible, according to the steps of a track.
func (m DecisionMoment) hasReplyOrOutcome(t *track.Track) bool {
	r := m.actingRow(t)
	if r == nil || !m.Decision.IsArmChoice() {
		return r != nil
	}
	_, work := r.ModelRequestIn(m.run.Events[:m.eventCountBefore])
	return work != nil
}

// actingRow returns the row of the step that decides, nil if the step has no actions.
func (m DecisionMoment) actingRow(t *track.Track) *track.Row {
	if r := t.RowByLabel(m.StepLabel); r != nil && r.IsExecutable() && len(r.Step.Actions) > 0 {
		return r
	}
	return nil
}

// PossibleChanges returns what could have been different. At a question it is the answer. At a decision it is
// first the reply and the outcome if the step acts, then limits, then the known variables. previewAfter returns
// the function that previews decisions from the run after an event.
func (m DecisionMoment) PossibleChanges(previewAfter func(seq int) engine.DecisionPreview) []PossibleChange {
	out := m.possibleChanges()
	previews := map[int]engine.DecisionPreview{}
	for i := range out {
		change := &out[i]
		if previews[change.EventSeqBefore] == nil {
			previews[change.EventSeqBefore] = previewAfter(change.EventSeqBefore)
		}
		change.preview = previews[change.EventSeqBefore]
		change.addLimitOptions()
	}
	return out
}

func (m DecisionMoment) possibleChanges() []PossibleChange {
	if m.Decision == nil {
		return []PossibleChange{m.answerChange()}
	}
	var out []PossibleChange
	if r := m.actingRow(m.trackBefore()); r != nil {
		if at, work := r.ModelRequestIn(m.run.Events[:m.eventCountBefore]); work != nil {
			out = append(out, m.replyChange(at, work))
		}
		if !m.Decision.IsArmChoice() {
			out = append(out, m.outcomeChange())
		}
	}
	if hasLimitLeft(m.Decision) {
		change := m.possibleChangeAfter(m.eventCountBefore - 1)
		change.Kind, change.Options, change.limitedNoun = LimitsChange, []Option{{Value: "used"}}, "retries"
		if budget := budgetLeft(m.Decision); budget.Kind == machine.RepeatBudget {
			change.limitedNoun = "iterations"
		}
		out = append(out, change)
	}
	for _, x := range m.trackBefore().Variables {
		out = append(out, m.variableChange(x))
	}
	return out
}

// possibleChangeAfter returns a possible change after the run's i-th event.
func (m DecisionMoment) possibleChangeAfter(i int) PossibleChange {
	events := m.run.Events
	return PossibleChange{EventSeqBefore: events[i].Seq, SideEffects: track.SideEffects(events[:i+1], events[i+1:]), trackBefore: m.trackBefore}
}

func (m DecisionMoment) variableChange(x track.Variable) PossibleChange {
	change := m.possibleChangeAfter(m.eventCountBefore - 1)
	change.Kind, change.Variable = VariableChange, x
	for _, v := range m.run.Plan.KnownValues(x.Name) {
		if v != plan.ValueText(x.Value) {
			change.Options = append(change.Options, Option{Name: v, Value: v})
		}
	}
	change.AllowsAnyValue = !slices.ContainsFunc(m.run.Plan.Inputs, func(in plan.Input) bool { return in.Name == x.Name && in.HasFixedValues() })
	return change
}

func (m DecisionMoment) answerChange() PossibleChange {
	change, q := m.possibleChangeAfter(m.eventCountBefore-1), m.run.Status.Question
	change.Kind = AnswerChange
	names := map[string]string{}
	if q.Kind == machine.KindAcceptOutcome {
		names = map[string]string{"pass": "accept", "fail": "reject"}
	}
	for _, value := range q.Options {
		if value != "rerun" { // which decides nothing yet
			change.Options = append(change.Options, Option{Name: cmp.Or(names[value], value), Value: value})
		}
	}
	return change
}

func (m DecisionMoment) outcomeChange() PossibleChange {
	change := m.possibleChangeAfter(m.eventCountBefore - 1)
	change.Kind = OutcomeChange
	if o := m.Decision.Outcome; o != nil {
		change.ActualText = string(o.Result)
	}
	for _, r := range []plan.Result{plan.Passed, plan.Failed} {
		if string(r) != change.ActualText {
			change.Options = append(change.Options, Option{Name: string(r), Value: string(r)})
		}
	}
	return change
}

// replyChange returns the change to another reply to the request at index at.
func (m DecisionMoment) replyChange(at int, work *plan.Model) PossibleChange {
	change := m.possibleChangeAfter(at)
	change.Kind, change.AllowsAnyValue = ReplyChange, true
	for _, c := range work.Choices() {
		change.Options = append(change.Options, Option{Name: c.Name, Value: c.Reply})
	}
	if rest := m.run.Events[at+1:]; len(rest) > 0 {
		if b, ok := rest[0].Body.(*machine.ActionFinished); ok {
			change.ActualText = b.Output
		}
	}
	if m.Decision != nil && m.Decision.Outcome != nil && m.Decision.Outcome.Reading != nil && m.Decision.Outcome.Reading.FallbackIntent != "" {
		change.UnknownIntent = m.Decision.Outcome.Reading.Actual
	}
	return change
}

// hasLimitLeft reports whether a decision uses a limit that is not used up.
func hasLimitLeft(d *machine.Decision) bool { return budgetLeft(d) != nil }

// budgetLeft returns the first budget with such a limit, nil if there is none.
func budgetLeft(d *machine.Decision) *plan.Budget {
	for _, c := range d.Candidates {
		b := c.Reason
		if b != nil && c.Matched && b.Limit != nil && b.Used != nil && *b.Used < *b.Limit {
			return &b.Budget
		}
	}
	return nil
}
