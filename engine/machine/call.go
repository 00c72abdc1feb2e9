package machine

import (
	"cmp"
	"encoding/json"
	"fmt"

	"playhead/parse/plan"
)

// makeCall asks a model, calls a tool or fetches text. The whole request is built before it is
// recorded.
func (m *Machine) makeCall(f *documentFrame, w plan.Work, kind string) Next {
	if f.openAction.interrupted {
		return m.askResumption(f)
	}
	effect, started, err := m.newRequest(f, w, kind)
	switch {
	case err != nil:
		return nextEvent(m.failedRequestEvent(f, kind, err, started.Warnings))
	case f.openAction.started:
		return Next{Effect: effect}
	default:
		return nextEvent(f.newEvent(started))
	}
}

// failedRequestEvent returns the event that ends an action whose request cannot be made.
func (m *Machine) failedRequestEvent(f *documentFrame, kind string, err error, warnings []plan.RunWarning) Event {
	o := &plan.Outcome{Result: plan.Errored, Source: m.sourceInFormatTerms("prompt"), Reason: err.Error()}
	return f.newEvent(&ActionFinished{ActionIndex: m.currentActionIndex(f), Kind: kind, Error: err.Error(), Outcome: o, Warnings: warnings})
}

// newRequest returns the effect of an action and the event that announces it.
func (m *Machine) newRequest(f *documentFrame, w plan.Work, kind string) (Effect, *ActionStarted, error) {
	started := &ActionStarted{ActionIndex: m.currentActionIndex(f), Kind: kind, Call: &Call{}}
	switch w := w.(type) {
	case plan.Fetch:
		err := m.renderInto(&started.Text, w.Ref, f, started)
		return &FetchText{m.actionRef(f), w.Scheme, started.Text}, started, err
	case plan.Tool:
		started.Server, started.Tool = w.Server, w.Name
		args, _ := f.actionPrompt(m.currentActionIndex(f), w.Args)
		err := m.renderInto(&started.Args, args, f, started)
		started.Args = cmp.Or(started.Args, "{}")
		if err == nil && !json.Valid([]byte(started.Args)) {
			err = fmt.Errorf("the arguments of the tool call are not JSON: %s", started.Args)
		}
		return &CallTool{Action: m.actionRef(f), Server: w.Server, Tool: w.Name, Args: started.Args, PendingChange: f.openAction.pendingChange}, started, err
	default:
		return m.newModelRequest(f, w.(plan.Model), started)
	}
}

// renderInto renders a prompt into a part of the request, and adds the warnings from rendering to the request.
func (m *Machine) renderInto(part *string, p plan.Prompt, f *documentFrame, started *ActionStarted) error {
	if p == nil {
		return nil
	}
	r, err := p.Render(m.scope(f))
	*part = r.Text
	if part == &started.Text {
		started.PromptOrigin = r.Origin
	}
	started.Warnings = append(started.Warnings, r.Warnings...)
	return err
}

// judgeOwnOutcome judges the step's outcome so far, without an effect.
func (m *Machine) judgeOwnOutcome(f *documentFrame, a plan.Action) Next {
	if f.openAction.interrupted { // the held outcome is judged instead
		return m.askResumption(f)
	}
	v := plan.Verdict{Outcome: *f.outcome}
	v.Result = plan.Passed
	if a.Judge != nil {
		v = a.Judge.Judge(plan.Product{Text: f.outcome.Text, Data: f.outcome.Data}, m.scope(f))
	}
	dropOverrideOfEarlierAction(&v.Outcome)
	return nextEvent(f.newEvent(&ActionFinished{ActionIndex: m.currentActionIndex(f), Kind: "read", Outcome: &v.Outcome, Assignments: v.Assignments, Warnings: v.Warnings}))
}

// unjudgedOutcome returns the outcome of a call without a Judge: a call passes with its text, and a
// failed call is an error. Text that cannot be fetched only causes a warning, and the step
// continues without it.
func (m *Machine) unjudgedOutcome(p *plan.Product, w plan.Work, before *plan.Outcome) *plan.Outcome {
	_, fetch := w.(plan.Fetch)
	switch {
	case fetch:
		o := *before
		o.Result = plan.Passed
		return &o
	case p.Err != "":
		return &plan.Outcome{Result: plan.Errored, Source: m.sourceInFormatTerms("call"), Reason: p.Err}
	default:
		return &plan.Outcome{Result: plan.Passed, Source: "reply", Text: p.Text, Data: p.Data}
	}
}
