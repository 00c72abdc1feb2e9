package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// Source is what a report is made of.
type Source struct {
	Plan   *plan.Plan
	Events []machine.Event // all of the journal
	Log    func(machine.LogRef) (Log, error)
	Part   func(kind string, seq int) (Log, error) // what came of the action of a kind that an event started
}

// builder folds events into a report.
type builder struct {
	Source
	report *Report
	track  *track.Track
	budget textBudget
	visits map[string][]*Visit
	order  []string // labels, as they were first visited
}

// Of makes the report of a run, which has events.
func Of(s Source) *Report {
	b := &builder{
		Source: s, report: empty(), track: track.New(s.Plan), budget: textBudget{maxReport},
		visits: map[string][]*Visit{},
	}
	chain := machine.Chain(s.Events)
	for _, e := range chain {
		b.track.Fold(e)
		b.fold(e)
	}
	b.finish(chain)
	return b.report
}

// empty has all the lists that its JSON has.
func empty() *Report {
	return &Report{
		Taken: []string{}, Changes: []Change{}, Warnings: []Warning{},
		Inputs: []Variable{}, Variables: []Variable{}, Steps: []*Step{}, Graphs: []Graph{},
	}
}

// fold takes an event over.
func (b *builder) fold(e machine.Event) {
	switch body := e.Body.(type) {
	case *machine.Started:
		b.begin(e, body)
	case *machine.Forked:
		b.report.Run, b.report.Fork = body.As, &Fork{body.Run, body.Seq}
	case *machine.Entered:
		b.enter(e, body)
	case *machine.ActionStarted:
		b.startWork(e, body)
	case *machine.ActionFinished:
		b.finishWork(e, body)
	case *machine.InputNeeded:
		b.ask(e, body)
	case *machine.InputGiven:
		b.answer(e, body)
	case *machine.Captured:
		b.capture(e, body)
	case *machine.StepFinished:
		b.end(e, body)
	case *machine.Decision:
		b.decide(e, body)
	case *machine.Warned:
		b.report.Warnings = append(b.report.Warnings, Warning{e.Step, body.Code, body.Message})
	}
	if e.By == machine.ByPerson {
		b.change(e)
	}
}

func (b *builder) begin(e machine.Event, s *machine.Started) {
	r := b.report
	r.Run, r.Path, r.Title = s.Run, s.Path, cmp.Or(s.Title, b.Plan.Title)
	r.Format, r.kind = s.Format, cmp.Or(b.Plan.Kind, s.Format)
	r.Started, r.Prompted = e.Time, s.Options.Prompted
	for _, name := range slices.Sorted(maps.Keys(s.Inputs)) {
		r.Inputs = append(r.Inputs, b.variable(name, s.Inputs[name]))
	}
}

// variable is a value, whole unless it is long.
func (b *builder) variable(name string, value any) Variable {
	data, err := json.Marshal(value)
	if err != nil || len(data) <= leastExcerpt {
		return Variable{Name: name, Value: value}
	}
	text, is := value.(string)
	if !is {
		text = string(data)
	}
	return Variable{Name: name, Text: b.budget.excerpt(text)}
}

func (b *builder) enter(e machine.Event, body *machine.Entered) {
	for _, o := range body.Opened {
		b.visit(o.Step, &Visit{Event: e.Seq, Attempt: o.Attempt, Started: e.Time})
	}
	b.visit(e.Step, &Visit{Event: e.Seq, Attempt: e.Attempt, Started: e.Time})
}

func (b *builder) visit(label string, v *Visit) {
	if b.visits[label] == nil {
		b.order = append(b.order, label)
	}
	b.visits[label] = append(b.visits[label], v)
}

// at is the newest visit of the event's step.
func (b *builder) at(e machine.Event) *Visit {
	all := b.visits[e.Step]
	if len(all) == 0 {
		b.visit(e.Step, &Visit{Event: e.Seq, Attempt: max(1, e.Attempt), Started: e.Time})
		return b.at(e)
	}
	return all[len(all)-1]
}

func (b *builder) capture(e machine.Event, body *machine.Captured) {
	if e.Step == "" {
		return
	}
	set := b.variable(body.Variable, body.Value)
	set.By = e.By
	v := b.at(e)
	v.Set = append(v.Set, set)
}

func (b *builder) end(e machine.Event, body *machine.StepFinished) {
	v := b.at(e)
	v.Result, v.Forced, v.ended = string(body.Result), body.Forced, e.Time
	v.Reason = cmp.Or(e.Reason, body.Error)
	if o := body.Outcome; o != nil {
		v.Source, v.Reason, v.Checks = o.Source, cmp.Or(v.Reason, wording.OutcomeReason(o)), o.Checks
		if body.Forced {
			v.Override = &Override{string(o.From), v.Result, cmp.Or(e.Reason, o.Reason), e.Time}
		}
	}
}

func (b *builder) decide(e machine.Event, d *machine.Decision) {
	out := &Decision{Event: e.Seq, To: d.To, Forced: d.Forced, Reason: e.Reason, Candidates: []Candidate{}}
	for i, c := range d.Candidates {
		taken := d.Taken != nil && *d.Taken == i
		out.Candidates = append(out.Candidates, Candidate{c.Line, c.Text, c.Matched, taken, wording.Reason(d, i), c.Implicit})
	}
	v := b.at(e)
	v.Decisions = append(v.Decisions, out)
}

// finish adds what only the whole run says.
func (b *builder) finish(chain []machine.Event) {
	r, t := b.report, b.track
	took := t.Elapsed(chain[len(chain)-1].Time)
	r.Ended, r.Took, r.Taken = r.Started.Add(took), Duration(took), append(r.Taken, t.Path...)
	b.result()
	if u := t.Used; u.String() != "" {
		r.Used = used(u)
	}
	for _, v := range t.Vars {
		one := b.variable(v.Name, v.Value)
		one.Step, one.By = v.Step, v.By
		r.Variables = append(r.Variables, one)
	}
	b.rewinds()
	b.graphs(chain)
	b.endOpenVisits(r.Ended)
	b.addPartialOutput()
	r.Steps = append(append(r.Steps, b.steps(t.Rows)...), b.unknownSteps()...)
}

// result says how the run ended, or what it waits for.
func (b *builder) result() {
	r, end := b.report, b.track.Finished
	if r.Result = Unfinished; end == nil {
		return
	}
	r.Result, r.Message = string(end.Result), end.Message
	if w := end.Waiting; w != nil {
		r.Waiting = &Waiting{w.Step, w.Kind, w.Prompt}
	}
	if final, ok := b.track.Final(); ok {
		r.Output = &Output{final.Type, final.Step, b.budget.excerptOrEmpty(final.Pretty())}
	}
}

// used is what models used, nil if nothing is known of it.
func used(u track.Usage) *Used {
	if u.String() == "" {
		return nil
	}
	out := &Used{In: u.In, Out: u.Out, text: u.String()}
	if u.Money() != "" {
		out.Cost = &u.Cost
	}
	return out
}

// endOpenVisits sets the end of visits that are not over.
func (b *builder) endOpenVisits(now time.Time) {
	for _, all := range b.visits {
		for i, v := range all {
			if v.ended.IsZero() {
				v.ended = now
				if i+1 < len(all) {
					v.ended = all[i+1].Started
				}
			}
		}
	}
}

// MarshalJSON implements json.Marshaler.
func (d Duration) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "%d", time.Duration(d).Milliseconds()), nil
}

// steps is the tree as far as it exists: what stands for instances that do not exist
// yet is there, what did so before is not. Phases only group steps, and are left out.
func (b *builder) steps(rows []*track.Row) []*Step {
	var out []*Step
	for _, r := range rows {
		switch {
		case r.IsPhase():
			out = append(out, b.steps(r.Children)...)
		case !r.Hidden:
			out = append(out, b.step(r))
		}
	}
	return out
}

func (b *builder) step(r *track.Row) *Step {
	s := &Step{
		Label: r.Label, Title: r.Title, Status: r.Status.String(), Skip: r.Skip, Forced: r.Forced, Edited: r.Changed || len(r.Edits) > 0, Message: r.Message,
		Visits: b.visits[r.Label],
	}
	delete(b.visits, r.Label)
	switch {
	case r.Doc != nil:
		s.Kind = "document"
	default:
		s.Kind, s.Line = r.Step.Kind, r.Step.Span.Line
		if r.Step.ID != r.Label {
			s.ID = r.Step.ID
		}
		said := append([]string{plan.Show(r.Step.Text, b.track.Scope(r))}, r.Step.Instructions()...)
		s.Text = b.budget.excerpt(strings.TrimLeft(strings.Join(said, "\n\n"), "\n"))
	}
	s.Children = b.steps(r.Children)
	return s
}

// unknownSteps returns steps that the run visited and its document does not have: it was
// recorded by a version that read the document differently.
func (b *builder) unknownSteps() []*Step {
	var out []*Step
	for _, label := range b.order {
		if visits := b.visits[label]; visits != nil {
			out = append(out, &Step{Label: label, Status: "left", Visits: visits})
		}
	}
	return out
}
