// Package whatif lists what could have been different at a decision of a run, for all front ends:
// values that were known then, the outcome, the reply that it was read from, the answer to the open
// question, and used-up limits. The session tries a difference or makes it real.
package whatif

import (
	"cmp"
	"slices"

	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// DecisionMoment is the moment of a decision in a run.
type DecisionMoment struct {
	StepLabel string            // the label of the step that decides
	Decision  *machine.Decision // nil: it depends on the answer to the open question
	Line      int               // in the document; 0: the decision is not written there

	run              *control.RunView
	eventCountBefore int // the number of events before it
	trackBefore      *track.Track
}

// MomentOf returns the moment of a decision. For a group that joins outcomes it returns that of the substep
// that decided, unless the group can still retry. It returns false unless the decision is one of the run's
// events or the next one.
func MomentOf(run *control.RunView, d *machine.Decision) (DecisionMoment, bool) {
	for i, e := range slices.Backward(run.Events) {
		if e.Body == machine.Body(d) {
			return newDecisionMoment(run, e, i).decidingSubstep(), true
		}
	}
	if next := run.Status.NextEvent; next != nil && d != nil && next.Body == machine.Body(d) {
		return newDecisionMoment(run, *next, len(run.Events)).decidingSubstep(), true
	}
	return DecisionMoment{}, false
}

// LastMoment returns the moment of the newest decision that was not made by a person, or that is about to
// be made, also by accepting or rejecting an outcome. If step is not empty, only its decisions count. For
// groups see MomentOf. It returns false if there is none.
func LastMoment(run *control.RunView, step string) (DecisionMoment, bool) {
	made := func(e machine.Event) bool {
		d, is := e.Body.(*machine.Decision)
		return is && !d.ByPerson && (step == "" || e.Step == step)
	}
	if m, ok := AtQuestion(run); ok && IsHeld(run, m.StepLabel) && (step == "" || step == m.StepLabel) {
		return m, true
	}
	if next := run.Status.NextEvent; next != nil && made(*next) {
		return newDecisionMoment(run, *next, len(run.Events)).decidingSubstep(), true
	}
	for i, e := range slices.Backward(run.Events) {
		if made(e) {
			return newDecisionMoment(run, e, i).decidingSubstep(), true
		}
	}
	return DecisionMoment{}, false
}

// IsHeld reports whether the outcome of a step is known, and waits for a person to accept it.
func IsHeld(run *control.RunView, step string) bool {
	q := run.Status.Question
	return q != nil && q.Kind == machine.KindAcceptOutcome && q.Action.Step == step
}

// AtQuestion returns the moment of the decision that depends on the answer to the open question. It returns
// false if no question is open whose answer is the outcome of a step.
func AtQuestion(run *control.RunView) (DecisionMoment, bool) {
	q := run.Status.Question
	if q == nil || q.Kind != machine.KindAcceptOutcome && q.Kind != machine.KindDecide || len(run.Events) == 0 {
		return DecisionMoment{}, false
	}
	m := DecisionMoment{StepLabel: q.Action.Step, run: run, eventCountBefore: len(run.Events), trackBefore: run.Track}
	m.Line = m.documentLine()
	return m, true
}

func newDecisionMoment(run *control.RunView, e machine.Event, at int) DecisionMoment {
	m := DecisionMoment{StepLabel: e.Step, Decision: e.Body.(*machine.Decision), run: run, eventCountBefore: at, trackBefore: run.Track}
	if at < len(run.Events) {
		m.trackBefore = track.New(run.Track.FirstPlan)
		m.trackBefore.Fold(run.Events[:at]...)
	}
	m.Line = m.documentLine()
	return m
}

// decidingSubstep returns the moment of the last substep whose result decided what a group comes to. It
// returns m if m is not such a decision, if the group can still retry, or if a person decided the substep.
func (m DecisionMoment) decidingSubstep() DecisionMoment {
	o := m.Decision.Outcome
	if o == nil || o.Source != plan.ChildrenSource || m.hasLimitLeft() {
		return m
	}
	for i, e := range slices.Backward(m.run.Events[:m.eventCountBefore]) {
		d, is := e.Body.(*machine.Decision)
		if !is || !slices.ContainsFunc(o.Results, func(c plan.ChildResult) bool {
			return c.Label == e.Step && (c.Result == plan.Passed) == (o.Result == plan.Passed)
		}) {
			continue
		}
		if d.ByPerson {
			break
		}
		return newDecisionMoment(m.run, e, i).decidingSubstep()
	}
	return m
}

// documentLine returns where the decision is written: at the first of its routes, else at the step.
func (m DecisionMoment) documentLine() int {
	if m.Decision != nil {
		for _, c := range m.Decision.Candidates {
			if c.Line > 0 {
				return c.Line
			}
		}
	}
	if r := m.trackBefore.Row(m.StepLabel); r != nil && r.Step != nil {
		return r.Step.Span.Line
	}
	return 0
}

// DifferenceKind is what could have been different.
type DifferenceKind int

// The kinds of differences.
const (
	VariableDifference DifferenceKind = iota
	OutcomeDifference                 // of the step that decides
	ReplyDifference                   // the reply from which the outcome was read
	LimitsDifference                  // all retries, repetitions and other limits are used up
	Answer                            // to the open question
)

// Difference is something that could have been different before a decision.
type Difference struct {
	Kind           DifferenceKind
	Variable       track.Var // the variable with its actual value
	ActualText     string    // the actual reply or outcome
	Options        []Option  // other values that the document names
	AllowsAnyValue bool      // any other value is possible too

	EventSeqBefore int      // the sequence number of the last event before the difference
	SideEffects    []string // what has run since and is not undone
}

// Name returns what could have been different: the name of a variable or of the kind.
func (d *Difference) Name() string {
	if d.Kind == VariableDifference {
		return d.Variable.Name
	}
	return [...]string{OutcomeDifference: "outcome", ReplyDifference: "reply", LimitsDifference: "retries", Answer: "answer"}[d.Kind]
}

// Option is a possible value and its name.
type Option struct{ Name, Value string }

// ChangeTo returns the difference as a change with a value: one of Options, or any if AllowsAnyValue is set.
func (d *Difference) ChangeTo(value string) machine.Change {
	switch d.Kind {
	case OutcomeDifference:
		return machine.Change{Result: plan.Result(value)}
	case ReplyDifference:
		return machine.Change{Reply: &value}
	case LimitsDifference:
		return machine.Change{LimitsUsed: true}
	case Answer:
		return machine.Change{Answer: value}
	}
	return machine.Change{Variable: d.Variable.Name, Value: value}
}

// Differences returns what could have been different. At a question it is the answer. At a decision it is
// first the reply and the outcome if the step acts, then limits, then the known variables.
func (m DecisionMoment) Differences() []Difference {
	if m.Decision == nil {
		return []Difference{m.answer()}
	}
	var out []Difference
	if r := m.trackBefore.Row(m.StepLabel); r != nil && r.IsExecutable() && len(r.Step.Actions) > 0 {
		if at, work := r.ModelRequestIn(m.run.Events[:m.eventCountBefore]); work != nil {
			out = append(out, m.replyDifference(at, work))
		}
		if !track.IsArmChoice(m.Decision) {
			out = append(out, m.outcomeDifference())
		}
	}
	if m.hasLimitLeft() {
		d := m.differenceAfter(m.eventCountBefore - 1)
		d.Kind, d.Options = LimitsDifference, []Option{{Name: "all used", Value: "used"}}
		out = append(out, d)
	}
	for _, x := range m.trackBefore.Vars {
		out = append(out, m.variableDifference(x))
	}
	return out
}

// differenceAfter returns a difference after the run's i-th event.
func (m DecisionMoment) differenceAfter(i int) Difference {
	events := m.run.Events
	return Difference{EventSeqBefore: events[i].Seq, SideEffects: track.SideEffects(events[:i+1], events[i+1:])}
}

func (m DecisionMoment) variableDifference(x track.Var) Difference {
	d := m.differenceAfter(m.eventCountBefore - 1)
	d.Kind, d.Variable = VariableDifference, x
	for _, v := range m.run.Plan.KnownValues(x.Name) {
		if v != plan.ValueText(x.Value) {
			d.Options = append(d.Options, Option{v, v})
		}
	}
	d.AllowsAnyValue = !slices.ContainsFunc(m.run.Plan.Inputs, func(in plan.Input) bool {
		return in.Name == x.Name && (in.Type == "enum" || in.Type == "boolean")
	})
	return d
}

func (m DecisionMoment) answer() Difference {
	d, q := m.differenceAfter(m.eventCountBefore-1), m.run.Status.Question
	d.Kind = Answer
	names := map[string]string{}
	if q.Kind == machine.KindAcceptOutcome {
		names = map[string]string{"pass": "accept", "fail": "reject"}
	}
	for _, value := range q.Options {
		d.Options = append(d.Options, Option{cmp.Or(names[value], value), value})
	}
	return d
}

func (m DecisionMoment) outcomeDifference() Difference {
	d := m.differenceAfter(m.eventCountBefore - 1)
	d.Kind = OutcomeDifference
	if o := m.Decision.Outcome; o != nil {
		d.ActualText = string(o.Result)
	}
	for _, r := range []plan.Result{plan.Passed, plan.Failed} {
		if string(r) != d.ActualText {
			d.Options = append(d.Options, Option{string(r), string(r)})
		}
	}
	return d
}

// replyDifference returns the difference of another reply to the request at index at.
func (m DecisionMoment) replyDifference(at int, work *plan.Model) Difference {
	d := m.differenceAfter(at)
	d.Kind, d.AllowsAnyValue = ReplyDifference, true
	for _, c := range work.Choices() {
		d.Options = append(d.Options, Option{c.Name, c.Reply})
	}
	if rest := m.run.Events[at+1:]; len(rest) > 0 {
		if b, ok := rest[0].Body.(*machine.ActionFinished); ok {
			d.ActualText = b.Output
		}
	}
	return d
}

// hasLimitLeft reports whether the decision uses a limit that is not used up.
func (m DecisionMoment) hasLimitLeft() bool {
	return slices.ContainsFunc(m.Decision.Candidates, func(c machine.Candidate) bool {
		b := c.Reason
		return b != nil && c.Matched && b.Limit != nil && b.Used != nil && *b.Used < *b.Limit
	})
}
