package lines

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// supposed is the change that the last what-if was about.
type supposed struct {
	seq    int // the event before the decision
	change machine.Change
}

// The names under which the outcome of what decides can be another one, and the reply that
// it was decided by.
const (
	outcome = "outcome"
	reply   = "reply"
)

// whatIf lists what could be different at the last decision, or at the last one of a step. With
// NAME=VALUE it prints what would be decided; with yes it makes the change.
func (t *questions) whatIf(arg string) error {
	if arg == "yes" {
		if t.supposed == nil {
			return errors.New("name the change first: :what-if NAME=VALUE")
		}
		s := *t.supposed
		return t.session.Instead(s.seq, s.change)
	}
	step := ""
	if name, _, _ := strings.Cut(arg, "="); strings.ContainsAny(name, ` "`) || name == arg && arg != "" {
		row, rest, err := t.run().Leading(arg, false)
		if err != nil {
			return err
		}
		step, arg = row.Label, rest
	}
	i := t.decisionIndex(step)
	if i < 1 {
		return errors.New("no decision has been made yet" + atStep(step))
	}
	if arg == "" {
		t.listChanges(i, step)
		return nil
	}
	name, value, found := strings.Cut(arg, "=")
	if !found {
		return errors.New("write :what-if severity=low, :what-if outcome=fail or :what-if 2 outcome=fail")
	}
	return t.suppose(i, strings.TrimSpace(name), strings.TrimSpace(value))
}

// suppose prints what would be decided at the i-th event with a change.
func (t *questions) suppose(i int, name, value string) error {
	change := machine.Change{Variable: name, Value: value}
	if name == outcome {
		change = machine.Change{Result: plan.Result(value)}
	}
	if at, work := t.modelCallBefore(i); work != nil && name == reply {
		if n := replyIndex(work.Choices(), value); n >= 0 {
			value = work.Choices()[n].Reply
		}
		i, change = at+1, machine.Change{Reply: &value}
	}
	e, err := t.session.Suppose(t.events[i-1].Seq)(change)
	if err != nil {
		return err
	}
	t.line("  then step %s decides:", label(e.Step))
	t.printCandidates(e.Body.(*machine.Decision))
	for _, done := range track.SideEffects(t.events[:i], t.events[i:]) {
		t.line("  stays done: %s", sanitize.Plain(done))
	}
	t.line("  :what-if yes rewinds to before that, with the change")
	t.supposed = &supposed{t.events[i-1].Seq, change}
	return nil
}

// modelCallBefore returns the index of the event with which the step that decides at the i-th event
// asked its model, and the call.
func (t *questions) modelCallBefore(i int) (at int, work *plan.Model) {
	e := t.status.Next
	if i < len(t.events) {
		e = &t.events[i]
	}
	if row := t.track.Row(e.Step); row != nil && row.IsUnit() {
		return row.RequestIn(t.events[:i])
	}
	return 0, nil
}

// atStep returns " at step …" for a step that was named.
func atStep(step string) string {
	if step == "" {
		return ""
	}
	return " at step " + step
}

// decisionIndex is the place of the last decision that was not a person's, of a step if one is named:
// among the events, or behind them if it is about to be made; -1 for none.
func (t *questions) decisionIndex(step string) int {
	of := func(e machine.Event) bool { return step == "" || e.Step == step }
	if next := t.status.Next; next != nil && next.Body.Type() == "routed" && of(*next) {
		return len(t.events)
	}
	for i, e := range slices.Backward(t.events) {
		if d, is := e.Body.(*machine.Decision); is && !d.Forced && of(e) {
			return i
		}
	}
	return -1
}

// listChanges lists what can be supposed.
func (t *questions) listChanges(i int, step string) {
	of := "the step that decided last"
	if step != "" {
		of = "step " + label(step)
	}
	t.line("  %s=pass, %s=fail: of %s", outcome, outcome, of)
	if _, work := t.modelCallBefore(i); work != nil {
		t.line("  %s=TEXT: another reply of its model", reply)
		for n, c := range work.Choices() {
			t.line("  %s=%d: %s", reply, n+1, sanitize.Plain(c.Name))
		}
	}
	for _, x := range t.track.Vars {
		line := fmt.Sprintf("%s=…: it is %s", x.Name, plan.TextOf(x.Value))
		if values := t.track.Plan.Compared(x.Name); len(values) > 0 {
			line += "; routes ask for " + strings.Join(values, ", ")
		}
		t.line("  %s", sanitize.Plain(line))
	}
}
