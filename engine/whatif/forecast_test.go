package whatif_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/scenario"
	"playhead/engine/shell"
	"playhead/engine/track"
	"playhead/engine/whatif"
	"playhead/engine/wording"
	"playhead/examples"
	"playhead/parse"
	"playhead/parse/plan"
)

// TestForecastsComeTrue: at every decision of every example, the run goes where what-if forecasts, for each offered
// change and for each answer to a question. This includes branches, and the groups that end with the decision.
func TestForecastsComeTrue(t *testing.T) {
	groups, usedLimits, limitEnds := 0, 0, 0
	for _, name := range examples.Names() {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path, err := examples.Write(dir, name)
			if err != nil {
				t.Fatal(err)
			}
			p := parse.Load(path, parse.Options{Flags: map[string][]string{"input": {"FOLDER=src"}}})
			all := []scenario.Scenario{{}} // without answers: the test answers each question
			if source, err := os.ReadFile(parse.SidecarPath(path, "scenarios")); err == nil {
				if all, err = scenario.ParseSidecar(source); err != nil {
					t.Fatal(err)
				}
			}
			branches := 0
			for _, s := range all {
				r := begin(t, p, dir, s)
				r.finish()
				branches += r.appliesOffers()
				groups, usedLimits, limitEnds = groups+r.groups, usedLimits+r.usedLimits, limitEnds+r.limitEnds
			}
			if hasArms(p) && branches == 0 {
				t.Error("no offered change at a branch could be applied")
			}
		})
	}
	if groups == 0 {
		t.Error("no offered change ended a group")
	}
	if limitEnds == 0 {
		t.Error("no offered change led to an end by the limit of entries")
	}
	if usedLimits == 0 {
		t.Error("no offered change marked all retries as used")
	}
}

// hasArms reports whether a document has branches.
func hasArms(p *plan.Plan) (yes bool) {
	p.Walk(func(s, _ *plan.Step) bool {
		yes = yes || s.IsArm()
		return true
	})
	return yes
}

// TestForecastOfArm: a forecast names the arm of a branch as the document writes it.
func TestForecastOfArm(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.playbook.md")
	const text = "# A\n\n## INPUTS\n\n- `kind` (string: a): What\n\n## STEP 1: Route\n```if kind == \"a\"```\n\n### STEP 1a: One\nOne.\n\n```endif```\n\n" +
		"```if kind == \"b\"```\n\n### STEP 1b: Two\nTwo.\n\n```endif```\n\n## STEP 2: Sum up\nSum up.\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := begin(t, parse.Load(path, parse.Options{}), dir, scenario.Scenario{})
	r.finish()
	m, ok := whatif.MomentOfDecision(r.view(), nil, r.track.RowByLabel("1a").Decision)
	if !ok {
		t.Fatal("1a has no decision")
	}
	for _, d := range m.PossibleChanges(r.s.DecisionPreviewAt) {
		if d.Kind != whatif.OutcomeChange {
			continue
		}
		f, err := d.Forecast(whatif.Option{Value: "pass"})
		if err != nil {
			t.Fatal(err)
		}
		const arm = `1 if kind == "a"`
		if got := append(f.FollowUpTexts(), wording.DestinationText(f.Decision)); len(got) != 2 || got[0] != "then "+arm+" passes → 1" || got[1] != "end of group "+arm {
			t.Errorf("%q", got)
		}
	}
}

// run is a run of an example.
type run struct {
	*testing.T
	plan   *plan.Plan
	s      *engine.Session
	w      *engine.Watcher
	track  *track.Track
	events []machine.Event
	status engine.Status
	groups int // the number of compared forecasts that go on after the end of a group

	usedLimits int // the number of compared forecasts with all retries used
	limitEnds  int // the number of compared forecasts of an end by the limit of entries
}

func begin(t *testing.T, p *plan.Plan, dir string, s scenario.Scenario) *run {
	t.Helper()
	inputs, _, err := p.InitialVariables(s.Inputs)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := journal.NewVolatileStore(filepath.Join(dir, "runs")).Create(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	session, err := engine.New(engine.Config{
		FirstPlan: p, Shell: shell.NewRunner(0), WorkingDir: dir, Inputs: inputs, Now: time.Now, Run: stored,
		PreparedReplies: s.Replies.Replies, PreparedResults: s.Replies.Results, PreparedAnswers: &s.Answers, Options: machine.Options{Prompted: executesCommands(p)},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := &run{T: t, plan: p, s: session, w: session.WatchFromStart(), track: track.New(p)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = session.Run(context.Background())
	}()
	t.Cleanup(func() {
		session.Close()
		<-done
		_ = stored.Close()
	})
	r.wait()
	return r
}

// executesCommands reports whether the document has commands, so that a person has to decide their outcomes.
func executesCommands(p *plan.Plan) (yes bool) {
	p.Walk(func(s, _ *plan.Step) bool {
		for _, a := range s.Actions {
			_, command := a.Work.(plan.Command)
			yes = yes || command
		}
		return true
	})
	return yes
}

// wait follows the run until it waits, is paused or is over.
func (r *run) wait() {
	for first := true; first || r.status.State == engine.Running; first = false {
		select {
		case <-r.w.Changed():
		case <-time.After(10 * time.Second):
			r.Fatalf("the run does nothing: %+v", r.status)
		}
		u := r.w.Take()
		if u.IsRestarted {
			r.events, r.track = nil, track.New(r.plan)
		}
		r.events, r.status = append(r.events, u.Events...), u.Status
		r.track.Fold(u.Events...)
	}
}

// do fails the test if an action was refused, and then waits for the run.
func (r *run) do(what error) {
	r.Helper()
	if what != nil {
		r.Fatal(what)
	}
	r.wait()
}

// finish answers all questions until the run is over.
func (r *run) finish() {
	for range 60 {
		q := r.status.Question
		switch {
		case r.status.State == engine.Over:
			return
		case q == nil:
			r.do(r.s.Continue(engine.Continue, ""))
		case len(q.Options) > 0:
			r.appliesAnswers()
			r.do(r.s.Answer(machine.Answer{Value: q.Options[0], By: machine.ByPerson}))
		default:
			r.do(r.s.Skip(""))
		}
	}
}

// appliesAnswers compares the forecast for each answer to the open question with what the run does then.
func (r *run) appliesAnswers() {
	m, ok := whatif.MomentAtQuestion(r.view())
	if !ok {
		return
	}
	for _, d := range m.PossibleChanges(r.s.DecisionPreviewAt) {
		for _, o := range d.Options {
			if !r.applies(machine.Event{Seq: d.EventSeqBefore}, d, o) {
				r.Errorf("event %d: the answer %s has no forecast", d.EventSeqBefore, o.Value)
			}
		}
	}
}

// appliesOffers compares the forecast of each offered change with the decision that the run then makes. It returns the
// number of changes at branches.
func (r *run) appliesOffers() (branches int) {
	applied := 0
	for _, e := range r.events {
		d, is := e.Body.(*machine.Decision)
		if !is || d.ByPerson {
			continue
		}
		if m, _ := whatif.MomentOfDecision(r.view(), nil, d); m.HasPossibleChanges() != (len(m.PossibleChanges(r.s.DecisionPreviewAt)) > 0) {
			r.Errorf("event %d: HasPossibleChanges returns %t", e.Seq, m.HasPossibleChanges())
		}
		offers := r.offers(d)
		if len(offers) == 0 && d.Outcome != nil && d.Outcome.Source == plan.ChildrenSource {
			r.Errorf("event %d: no change is offered at group %s", e.Seq, e.Step)
		}
		for _, o := range offers {
			if r.applies(e, o.change, o.option) {
				applied++
				if o.option.LimitsUsed {
					r.usedLimits++
				}
				if d.IsArmChoice() {
					branches++
				}
			}
		}
	}
	if applied == 0 {
		r.Error("no offered change could be applied")
	}
	r.Logf("%d offers, %d of them at branches, %d with all retries used, %d ended groups", applied, branches, r.usedLimits, r.groups)
	return branches
}

func (r *run) view() *control.RunView {
	return &control.RunView{Plan: r.plan, Track: r.track, Events: r.events, Status: r.status}
}

// offer is a change that what-if offers, with one of its options.
type offer struct {
	change whatif.PossibleChange
	option whatif.Option
}

// offers returns the changes that what-if offers at a decision.
func (r *run) offers(d *machine.Decision) (all []offer) {
	m, _ := whatif.MomentOfDecision(r.view(), nil, d)
	for _, change := range m.PossibleChanges(r.s.DecisionPreviewAt) {
		for _, option := range change.Options {
			all = append(all, offer{change, option})
		}
		if change.AllowsAnyValue {
			all = append(all, offer{change, whatif.Option{Value: "something else"}})
		}
	}
	return all
}

// applies compares the forecast of an offered change with what the run does, and undoes the change. It reports whether
// there is a forecast.
func (r *run) applies(at machine.Event, d whatif.PossibleChange, o whatif.Option) bool {
	preview, change := r.s.DecisionPreviewAt(d.EventSeqBefore), d.ChangeTo(o)
	forecast, refused := preview(change)
	if err := r.s.RewindAndChange(d.EventSeqBefore, d.ChangeTo(o)); err != nil {
		if refused == nil {
			r.Fatalf("event %d, %s = %q: the change has a forecast, but cannot be applied: %v", at.Seq, d.Name(), o.Value+o.LimitsSuffix(), err)
		}
		return false
	}
	r.wait()
	if next := r.status.NextEvent; refused == nil && typeOf(next) != forecast[0].Body.Type() {
		r.Errorf("event %d, %s = %q: the run is paused before %s, not before the decision", at.Seq, d.Name(), o.Value+o.LimitsSuffix(), typeOf(next))
	}
	for i, e := range forecast {
		if end, ends := e.Body.(*machine.RunFinished); ends {
			r.do(r.s.Continue(engine.StepOver, ""))
			if made := r.track.Finished; made == nil || made.ErrorCode != end.ErrorCode {
				r.Fatalf("event %d, %s = %q: the forecast is an end with code %s, but the run ends with %+v", at.Seq, d.Name(), o.Value, end.ErrorCode, made)
			}
			r.limitEnds++
			continue
		}
		if made := r.nextDecision(d.EventSeqBefore, i); written(e) != made {
			r.Fatalf("event %d, %s = %q: forecast %d is\n%s\nand the run decides\n%s", at.Seq, d.Name(), o.Value+o.LimitsSuffix(), i, written(e), made)
		}
	}
	if len(forecast) > 1 {
		r.groups++
	}
	r.do(r.s.Undo())
	return refused == nil
}

// nextDecision continues the run to decision i after an event, counted from 0, and returns it as JSON.
func (r *run) nextDecision(after, i int) string {
	for range 4 {
		past, found := false, 0
		for _, e := range r.events {
			if d, is := e.Body.(*machine.Decision); past && is && !d.ByPerson {
				if found == i {
					return written(e)
				}
				found++
			}
			past = past || e.Seq == after
		}
		if r.status.State != engine.Paused {
			break
		}
		r.do(r.s.Continue(engine.StepOver, ""))
	}
	return "nothing"
}

func written(e machine.Event) string {
	line, _ := json.Marshal(e.Body)
	return string(line)
}

// typeOf returns the type of an event, "nothing" for nil.
func typeOf(e *machine.Event) string {
	if e == nil {
		return "nothing"
	}
	return e.Body.Type()
}
