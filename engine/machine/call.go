package machine

import (
	"cmp"
	"encoding/json"
	"fmt"

	"playhead/parse/plan"
)

// call asks a model, calls a tool or fetches text. The whole request is built before it is
// recorded.
func (m *Machine) call(f *frame, w plan.Work, kind string) Next {
	if f.open.interrupted {
		return m.resumption(f)
	}
	effect, started, err := m.request(f, w, kind)
	switch {
	case err != nil:
		return nextEvent(m.failedRequest(f, kind, err, started.Notes))
	case f.open.started:
		return Next{Effect: effect}
	default:
		return nextEvent(f.at(started))
	}
}

// failedRequest returns the event that ends an action whose request cannot be made.
func (m *Machine) failedRequest(f *frame, kind string, err error, notes []plan.Note) Event {
	o := &plan.Outcome{Result: plan.Errored, Source: m.source("prompt"), Reason: err.Error()}
	return f.at(&ActionFinished{Action: m.index(f), Kind: kind, Error: err.Error(), Outcome: o, Notes: notes})
}

// request returns the effect of an action and the event that announces it.
func (m *Machine) request(f *frame, w plan.Work, kind string) (Effect, *ActionStarted, error) {
	started := &ActionStarted{Action: m.index(f), Kind: kind, Call: &Call{}}
	switch w := w.(type) {
	case plan.Fetch:
		err := m.fill(&started.Text, w.Ref, f, started)
		return &FetchText{m.ref(f), w.Scheme, started.Text}, started, err
	case plan.Tool:
		started.Server, started.Tool = w.Server, w.Name
		args, _ := f.promptOf(m.index(f), w.Args)
		err := m.fill(&started.Args, args, f, started)
		started.Args = cmp.Or(started.Args, "{}")
		if err == nil && !json.Valid([]byte(started.Args)) {
			err = fmt.Errorf("the arguments are not JSON: %s", started.Args)
		}
		return &CallTool{Action: m.ref(f), Server: w.Server, Tool: w.Name, Args: started.Args, Change: f.open.change}, started, err
	default:
		return m.modelRequest(f, w.(plan.Model), started)
	}
}

// fill renders a prompt into a part of the request and keeps the notes that rendering gives.
func (m *Machine) fill(part *string, p plan.Prompt, f *frame, started *ActionStarted) error {
	if p == nil {
		return nil
	}
	r, err := p.Render(m.scope(f))
	*part = r.Text
	if part == &started.Text {
		started.Origin = r.Origin
	}
	started.Notes = append(started.Notes, r.Notes...)
	return err
}

// read judges what the step has so far.
func (m *Machine) read(f *frame, a plan.Action) Next {
	if f.open.interrupted { // the held outcome is judged instead
		return m.resumption(f)
	}
	v := plan.Verdict{Outcome: *f.outcome}
	v.Result = plan.Passed
	if a.Judge != nil {
		v = a.Judge.Judge(plan.Product{Text: f.outcome.Text, Data: f.outcome.Data}, m.scope(f))
	}
	return nextEvent(f.at(&ActionFinished{Action: m.index(f), Kind: "read", Outcome: &v.Outcome, Set: v.Assignments, Notes: v.Notes}))
}

// replyOutcome returns the outcome of a call without a Judge: a call passes with its text, and a
// failed call is an error. Text that cannot be fetched only causes a warning, and the step
// continues without it.
func (m *Machine) replyOutcome(p *plan.Product, w plan.Work, before *plan.Outcome) *plan.Outcome {
	_, fetch := w.(plan.Fetch)
	switch {
	case fetch:
		o := *before
		o.Result = plan.Passed
		return &o
	case p.Err != "":
		return &plan.Outcome{Result: plan.Errored, Source: m.source("call"), Reason: p.Err}
	default:
		return &plan.Outcome{Result: plan.Passed, Source: "reply", Text: p.Text, Data: p.Data}
	}
}
