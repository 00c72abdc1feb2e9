package control

import (
	"fmt"
	"slices"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// mode returns what has the run go on in a mode.
func mode(m engine.Mode) func(Session, Run, Args) error {
	return func(s Session, _ Run, _ Args) error { return s.Go(m, "") }
}

func end(result plan.RunResult) func(Session, Run, Args) error {
	return func(s Session, _ Run, a Args) error { return s.End(result, a.Text) }
}

func jump(s Session, r Run, a Args) error {
	if r.Replay {
		return s.Jump(a.Step.Label, "")
	}
	return s.Jump(a.Step.Target(), a.Reason)
}

func answer(s Session, _ Run, a Args) error {
	if a.Answer != nil {
		return s.Answer(*a.Answer)
	}
	return s.Answer(machine.Answer{Value: a.Text, By: machine.ByPerson, Note: a.Reason, Set: a.Values})
}

// decide answers the open question, or sets the outcome of the step at hand.
func decide(result plan.Result) func(Session, Run, Args) error {
	return func(s Session, r Run, a Args) error {
		if q := r.Status.Question; q != nil && !isToolResult(q) {
			a.Text = Side(q, result)
			return answer(s, r, a)
		}
		return s.Force(result, a.Reason, a.Values...)
	}
}

// Side returns the question's own word for pass or fail: yes or no where those are its answers.
func Side(q *machine.Question, result plan.Result) string {
	own := map[plan.Result]string{plan.Passed: "yes", plan.Failed: "no"}[result]
	if slices.Contains(q.Options, own) {
		return own
	}
	return string(result)
}

// again makes another attempt of the step that the run is at, or rewinds to before an earlier
// one and runs that, with the edits that were made since.
func again(s Session, r Run, a Args) error {
	row := r.Step(a)
	if row == r.Track.Current {
		return s.Retry(a.Reason)
	}
	return s.Repeat(r.Events[r.index(row.Last().Seq)-1].Seq, engine.StepOver)
}

// toggleBreak sets a breakpoint, in the place of the step's other one, or clears the step's
// where the new one has no condition.
func toggleBreak(s Session, r Run, a Args) error { return s.Break(r.Toggled(a.Break)) }

// Toggled returns the breakpoints with one set or cleared.
func (r Run) Toggled(b engine.Breakpoint) []engine.Breakpoint {
	all := slices.DeleteFunc(slices.Clone(r.Breaks), func(other engine.Breakpoint) bool { return other.Step == b.Step })
	if len(all) < len(r.Breaks) && b.Conditions() == "" {
		return all
	}
	return append(all, b)
}

// edit replaces what one of the step's actions does. Without a text there is nothing to do.
func edit(s Session, r Run, a Args) error {
	step := r.Step(a)
	switch a.Text {
	case "":
		return &Refusal{Sentence(fmt.Sprintf("The edit of step %s has no text.", step.Label))}
	case step.ActionText(a.Action):
		return &Refusal{Sentence(fmt.Sprintf("Step %s is unchanged: the edit equals the document.", step.Label))}
	}
	return s.Edit(step.Target(), a.Action, a.Text)
}
