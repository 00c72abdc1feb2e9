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
	Manual bool            // a person replies instead of a model
	Log    func(machine.LogRef) (Log, error)
	Files  []ChangedFile
	Part   func(kind string, seq int) (Log, error) // the partial output of the action that an event started
}

// ChangedFile is a file that the run changed, with its change as a unified diff.
type ChangedFile struct {
	Path  string
	New   bool
	Steps []string
	Diff  string
}

// builder builds the report of a run.
type builder struct {
	Source
	report         *Report
	track          *track.Track
	budget         textBudget
	visits         map[string][]*Visit   // by the labels of their steps, oldest first
	order          []string              // labels, as they were first visited
	reportedEvents map[int]bool          // the numbers of events that are in the report
	leftDocuments  map[string]*plan.Plan // included on branches that a rewind left, by their labels
}

// Of returns the report of a run. The run must have events.
func Of(s Source) *Report {
	b := &builder{
		Source: s, report: empty(), track: track.New(s.Plan), budget: textBudget{maxReport},
		visits: map[string][]*Visit{}, reportedEvents: map[int]bool{}, leftDocuments: map[string]*plan.Plan{},
	}
	chain := machine.Chain(s.Events)
	for _, e := range chain {
		b.change(b.track, e, 0)
		b.track.Fold(e)
		b.addRunFacts(e)
	}
	b.takeVisits(b.track, 0)
	b.markReported(chain)
	b.addAbandonedBranches()
	for _, f := range b.Files {
		b.report.Files = append(b.report.Files, File{f.Path, f.New, f.Steps, b.budget.excerpt(f.Diff)})
	}
	b.finish(chain)
	return b.report
}

func (b *builder) markReported(events []machine.Event) {
	for _, e := range events {
		b.reportedEvents[e.Seq] = true
	}
}

// addAbandonedBranches adds what the run did on branches that a rewind left.
func (b *builder) addAbandonedBranches() {
	for _, left := range machine.AbandonedBranches(b.Events) {
		branch := machine.Branch(b.Events, left.Tip)
		if !slices.ContainsFunc(branch, func(e machine.Event) bool { return !b.reportedEvents[e.Seq] }) {
			continue
		}
		t := track.New(b.Plan)
		for _, e := range branch {
			if !b.reportedEvents[e.Seq] {
				b.change(t, e, left.Rewound)
			}
			t.Fold(e)
			if c, is := e.Body.(*machine.ChildEntered); is {
				b.leftDocuments[c.Label] = documentAt(t, c.Label)
			}
		}
		b.takeVisits(t, left.Rewound)
		b.markReported(branch)
	}
}

// empty returns a report with the lists that its JSON always has.
func empty() *Report {
	return &Report{
		EnteredSteps: []string{}, Changes: []Change{}, Warnings: []Warning{},
		Inputs: []Variable{}, Variables: []Variable{}, Steps: []*Step{}, Graphs: []Graph{},
	}
}

// addRunFacts adds what an event says about the whole run.
func (b *builder) addRunFacts(e machine.Event) {
	switch body := e.Body.(type) {
	case *machine.Started:
		b.begin(e, body)
	case *machine.Forked:
		b.report.Run, b.report.Fork = body.As, &Fork{body.Run, body.Seq}
	case *machine.Warned:
		b.report.Warnings = append(b.report.Warnings, Warning{e.Step, body.Code, body.Message})
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

// variable returns a variable with its value, or with an excerpt of a long value.
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

// finish adds what is known only after all events.
func (b *builder) finish(chain []machine.Event) {
	r, t := b.report, b.track
	took := t.Elapsed(chain[len(chain)-1].Time)
	r.Ended, r.Took, r.EnteredSteps = r.Started.Add(took), Duration(took), append(r.EnteredSteps, t.Path...)
	b.result()
	if u := t.Used; u.String() != "" {
		r.Used = usedBy(u)
	}
	for _, v := range t.Vars {
		one := b.variable(v.Name, v.Value)
		one.Step, one.By = v.Step, v.By
		r.Variables = append(r.Variables, one)
	}
	b.rewinds()
	b.graphs(chain)
	b.endOpenVisits(r.Ended)
	r.Steps = append(append(r.Steps, b.steps(t.Rows)...), b.unknownSteps()...)
}

// result adds how the run ended, or what it waits for.
func (b *builder) result() {
	r, end, w := b.report, b.track.Finished, b.openQuestion()
	if r.Result = Unfinished; end != nil {
		r.Result, r.Message, w = string(end.Result), end.Message, end.Waiting
	}
	if w != nil {
		r.Waiting = &Waiting{w.Step, w.Kind, w.Prompt, waitingText(b.track, w)}
	}
	if end == nil {
		return
	}
	if final, ok := b.track.Final(); ok {
		text := final.Extract()
		if final.Type != plan.PlainText { // which a script may want as it is
			text = final.Pretty()
		}
		r.Output = &Output{final.Type, final.Step, b.budget.excerptOrEmpty(text)}
	}
}

// openQuestion returns the question that was open when the run was interrupted, nil if none was.
func (b *builder) openQuestion() *machine.Waiting {
	t := b.track
	switch {
	case t.Current == nil:
		return nil
	case b.Manual && isAwaitingReply(t.Current): // no event asks a person for a reply
		return &machine.Waiting{Step: t.Current.Label, Kind: machine.KindReply}
	case t.Current.Status != track.Waiting:
		return nil
	}
	all := t.Current.History()
	questions := all[len(all)-1].Questions
	asked := questions[len(questions)-1]
	return &machine.Waiting{Step: t.Current.Label, Kind: asked.Kind, Prompt: asked.Prompt, Options: asked.Options}
}

// isAwaitingReply reports whether a model's reply has not arrived.
func isAwaitingReply(r *track.Row) bool {
	return r.Status == track.Running && r.LastIsModel() && !r.NewestAction().Done
}

// waitingText returns where the run waits, and for what.
func waitingText(t *track.Track, w *machine.Waiting) string {
	if w.Step == "" {
		return "for " + wording.WaitingFor(w)
	}
	return "at " + strings.TrimSpace(w.Step+" "+titleOf(t, w.Step)) + ", for " + wording.WaitingFor(w)
}

// usedBy returns what models used, nil if it is unknown.
func usedBy(u track.Usage) *Used {
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

// steps returns the visible part of the tree. A row that stands for the instances of a step is visible
// until they exist. Phases only group steps, so their steps are returned instead.
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
		Label: r.Label, Title: r.Title, Status: r.Status.String(), Skip: r.Skip, Overridden: r.Overridden, Edited: r.Changed || len(r.Edits) > 0, Message: r.Message,
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
		texts := append([]string{plan.Show(r.Step.Text, b.track.Scope(r))}, r.Step.Instructions()...)
		s.Text = b.budget.excerpt(strings.TrimLeft(strings.Join(texts, "\n\n"), "\n"))
	}
	s.Children = b.steps(r.Children)
	return s
}

// unknownSteps returns steps that the run visited and that are not in the tree: steps on a branch that a
// rewind left, or of a document that another version of Playhead read differently.
func (b *builder) unknownSteps() []*Step {
	var out []*Step
	for _, label := range b.order {
		if visits := b.visits[label]; visits != nil {
			out = append(out, &Step{Label: label, Status: "left", Visits: visits})
		}
	}
	return out
}
