package machine

import (
	"cmp"
	"fmt"
	"slices"

	"playhead/parse/plan"
)

// ResultEvent returns the action.finished event for the result of the open effect, with its outcome. The
// session adds log, duration and output to the body.
func (m *Machine) ResultEvent(p plan.Product) Event {
	f := m.topFrame()
	if len(f.openAction.wantedCalls) > 0 && !f.openAction.interrupted { // otherwise a person ends the conversation
		return m.toolResultEvent(f, p)
	}
	a, kind := m.currentAction(f)
	body := &ActionFinished{ActionIndex: m.currentActionIndex(f), Kind: kind, Signal: p.Signal, Error: p.Err, Output: p.Text}
	_, command := a.Work.(plan.Command)
	if command && p.Err == "" && p.Signal == "" && !p.Cancelled {
		code := p.ExitCode
		body.ExitCode = &code
	}
	switch {
	case p.Cancelled:
		body.Outcome = &plan.Outcome{Result: plan.Undecided, Source: outcomeSourceCancelled}
	case p.SetupProblem != "":
		body.Error, body.Outcome = p.SetupProblem, &plan.Outcome{Result: plan.Undecided, Source: outcomeSourceNotReady, Reason: p.SetupProblem}
		body.Warnings = append(body.Warnings, plan.RunWarning{Code: m.plan.WarningCode("unknown-tool"), Message: p.SetupProblem})
	case kind == "model" && p.Err == "":
		m.judgeReply(f, a, p, body)
	case a.Judge != nil && (command || p.Err == ""): // a failed call has nothing to judge
		v := a.Judge.Judge(p, m.scope(f))
		body.Outcome, body.Assignments, body.Warnings = &v.Outcome, v.Assignments, v.Warnings
	case command:
		body.Outcome = exitOutcome(&p)
	default:
		body.Outcome = m.unjudgedOutcome(&p, a.Work, f.outcome)
	}
	if w, _ := a.Work.(plan.Command); w.NotFoundWarning != nil && p.ExitCode == exitNotFound {
		body.Warnings = append(body.Warnings, *w.NotFoundWarning)
	}
	if code := m.failedEffectCode(a.Work); p.Err != "" && code != "" {
		body.Warnings = append(body.Warnings, plan.RunWarning{Code: code, Message: p.Err})
	}
	dropOverrideOfEarlierAction(body.Outcome)
	return f.newEvent(body)
}

// dropOverrideOfEarlierAction makes a failure count as the action's own. A judge copies the step's outcome so far, in
// which a person may have passed an action that was interrupted.
func dropOverrideOfEarlierAction(o *plan.Outcome) {
	if o != nil && o.Result != plan.Passed {
		o.Overridden, o.OriginalResult = false, ""
	}
}

// exitNotFound is the exit status with which a shell reports an unknown command.
const exitNotFound = 127

// outcomeSourceCancelled is the source of the outcome of an action that was cut off.
const outcomeSourceCancelled = "cancelled"

// outcomeSourceNotReady is the source of the outcome of a model call that could not be made yet.
const outcomeSourceNotReady = "not ready"

// failedEffectCode returns the code of the warning that an effect could not be performed.
func (m *Machine) failedEffectCode(w plan.Work) string {
	switch w.(type) {
	case plan.Command:
		return m.plan.WarningCode("command-not-started")
	case plan.Fetch:
		return m.plan.WarningCode("prompt-unresolved")
	case plan.Model:
		return cmp.Or(m.plan.ModelFailureCode, m.plan.WarningCode("model-failed"))
	default:
		return ""
	}
}

// passedOutcome is the outcome of most commands. Outcomes are never changed, so it can be shared.
var passedOutcome = &plan.Outcome{Result: plan.Passed, Source: "exit 0"}

// exitOutcome returns the outcome of a command without a Judge: exit status 0 passes.
func exitOutcome(p *plan.Product) *plan.Outcome {
	source := ""
	switch {
	case p.Err != "":
		source = "not started"
	case p.TimedOut:
		source = "timeout"
	case p.Signal != "":
		source = "signal " + p.Signal
	case p.ExitCode != 0:
		source = fmt.Sprintf("exit %d", p.ExitCode)
	default:
		return passedOutcome
	}
	return &plan.Outcome{Result: plan.Failed, Source: source, Reason: p.Err}
}

// joinResults combines the results of children. Under All one failure fails the group, and under Any one
// pass passes it.
func joinResults(j plan.Join, rs plan.ChildResults) *plan.Outcome {
	o := &plan.Outcome{Result: plan.Passed, Source: plan.ChildrenSource, ChildResults: slices.Clone(rs)}
	failed := rs.Count(plan.Failed) + rs.Count(plan.Errored)
	switch {
	case j == plan.JoinAll && failed > 0:
		o.Result = plan.Failed
	case j == plan.JoinAny && rs.Count(plan.Passed) == 0:
		o.Result = plan.Failed
	}
	return o
}
