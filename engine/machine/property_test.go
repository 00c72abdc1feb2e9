package machine_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// guard is the entry limit of the random runs; a person's retries, at most freeMoves, do not count.
const (
	guard     = 60
	freeMoves = 5
)

// TestFold: folding a run's events gives its state, and Next of the fold returns each event that the machine made
// itself. A run ends within its entry limit, whatever the outcomes are.
func TestFold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomPlan(t)
		r := random(t, p)
		folded := machine.New(p, machine.Options{})
		for i, e := range r.events {
			next := folded.Next()
			if next.Event != nil && e.By == "" {
				if d := cmp.Diff(e.Body, next.Event.Body); d != "" {
					t.Fatalf("event %d differs from Next of the fold:\n%s", i, d)
				}
			}
			if err := folded.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(r.m.EnteredStepLabels(), folded.EnteredStepLabels()); d != "" {
			t.Fatalf("paths differ: %s", d)
		}
		if n := len(r.m.EnteredStepLabels()); n > guard+freeMoves {
			t.Fatalf("%d visits, the limit is %d", n, guard)
		}
	})
}

// TestCloneIsApart: applying events to a clone leaves the original unchanged.
func TestCloneIsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomPlan(t)
		r := start(t, p, machine.Options{})
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			n := r.settle()
			if n.Result != nil {
				break
			}
			r.one(n, rapid.SampledFrom([]string{"pass", "fail"}).Draw(t, "outcome"))
		}
		before := cmp.Diff(nil, r.m.Next().Event)
		path := r.m.EnteredStepLabels()
		clone := &run{t: t, m: r.m.Clone()}
		for range 10 {
			if n := clone.settle(); n.Result == nil {
				clone.one(n, "pass")
			}
		}
		if cmp.Diff(nil, r.m.Next().Event) != before || cmp.Diff(path, r.m.EnteredStepLabels()) != "" {
			t.Fatal("the original changed with its clone")
		}
	})
}

// random runs the plan with random outcomes and interventions to its end.
func random(t *rapid.T, p *plan.Plan) *run {
	r := start(t, p, machine.Options{})
	free := 0
	for {
		n := r.settle()
		if n.Result != nil {
			return r
		}
		outcome := rapid.SampledFrom([]string{"pass", "fail", "pass", "fail", "skip", "again"}).Draw(t, "outcome")
		if outcome == "again" {
			if free++; free > freeMoves {
				outcome = "fail"
			}
		}
		r.one(n, outcome)
	}
}

// randomPlan makes documents with groups, templates and all kinds of moves.
func randomPlan(t *rapid.T) *plan.Plan {
	p := &plan.Plan{Format: "test", EntryLimit: plan.EntryLimit{Max: guard, Code: "test/limit", Message: "too many"}}
	var ids []string
	for i := range rapid.IntRange(1, 4).Draw(t, "steps") {
		s := &plan.Step{ID: fmt.Sprint(i + 1), IsTargetOnly: i > 0 && rapid.Bool().Draw(t, "aside")}
		ids = append(ids, s.ID)
		for j := range rapid.IntRange(0, 3).Draw(t, "children") {
			c := &plan.Step{ID: fmt.Sprintf("%s.%d", s.ID, j+1)}
			if j == 0 && rapid.Bool().Draw(t, "template") {
				c.ID = s.ID + ".{n}"
				c.HasInstances = true
				c.Label = plan.Text{{Literal: s.ID + "."}, {Literal: "{n}", TemplateStep: c.ID}}
				s.Children = append(s.Children, c)
				ids = append(ids, c.ID)
				break
			}
			ids = append(ids, c.ID)
			s.Children = append(s.Children, c)
		}
		s.Join = rapid.SampledFrom([]plan.Join{plan.JoinAll, plan.JoinAny}).Draw(t, "join")
		p.Steps = append(p.Steps, s)
	}
	p.Walk(func(s, parent *plan.Step) bool {
		s.Routes = randomRoutes(t, ids, parent != nil)
		if len(s.Children) == 0 {
			s.Actions = []plan.Action{{Work: rapid.SampledFrom([]plan.Work{plan.Command{}, plan.Decide{}}).Draw(t, "work")}}
		}
		return true
	})
	return p
}

func randomRoutes(t *rapid.T, ids []string, child bool) []plan.Route {
	return []plan.Route{
		{When: plan.Matcher{Result: plan.Passed}, Do: randomMove(t, ids, child, true)},
		{When: plan.Matcher{Result: plan.Failed}, Do: randomMove(t, ids, child, true)},
	}
}

func randomMove(t *rapid.T, ids []string, child, retry bool) plan.Move {
	id := rapid.SampledFrom(ids).Draw(t, "target")
	moves := []plan.Move{
		{Verb: plan.Continue}, {Verb: plan.Continue},
		{Verb: plan.Goto, To: plan.Target{Step: id}, KeepsVisit: true},
		{Verb: plan.Goto, To: plan.Target{Step: id, IsNextInstance: id[len(id)-1] == '}'}, KeepsVisit: true},
		{Verb: plan.EndDocument, Result: plan.Stopped},
	}
	if child {
		moves = append(moves, plan.Move{Verb: plan.LeaveGroup})
	}
	if retry {
		then := randomMove(t, ids, child, false)
		moves = append(moves, plan.Move{Verb: plan.RunAgain, Limit: &plan.Limit{Counter: plan.AttemptCounter, Max: 3}, AfterLimit: &then})
	}
	return rapid.SampledFrom(moves).Draw(t, "move")
}

// TestFoldCallsNothing: Apply renders no prompt and calls no judge, so an old
// journal is read the same way by newer code.
func TestFoldCallsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomPlan(t)
		r := random(t, p)
		deaf := *p
		deaf.Steps = mute(p.Steps)
		folded := machine.New(&deaf, machine.Options{})
		for _, e := range r.events {
			if err := folded.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(r.m.EnteredStepLabels(), folded.EnteredStepLabels()); d != "" {
			t.Fatal(d)
		}
	})
}

// panics is a Prompt that must not be rendered, and a Judge that must not be asked.
type panics struct{}

func (panics) Render(plan.Scope) (plan.Rendered, error) { panic("rendered while folding") }

func (panics) Judge(plan.Product, plan.Scope) plan.Verdict { panic("judged while folding") }

func muteAction(a plan.Action) plan.Action {
	a.Judge = panics{}
	switch w := a.Work.(type) {
	case plan.Command:
		w.Text = panics{}
		a.Work = w
	case plan.Fetch:
		w.Ref = panics{}
		a.Work = w
	case plan.Tool:
		w.Args = panics{}
		a.Work = w
	case plan.Model:
		w.Prompt = panics{}
		a.Work = w
	}
	return a
}

func mute(steps []*plan.Step) []*plan.Step {
	out := make([]*plan.Step, len(steps))
	for i, s := range steps {
		c := *s
		if c.Label != nil {
			c.Label = panics{}
		}
		c.Text = panics{}
		c.Children = mute(s.Children)
		c.Actions, c.Routes = nil, nil
		for _, a := range s.Actions {
			c.Actions = append(c.Actions, muteAction(a))
		}
		for _, r := range s.Routes {
			r.Do.NextVisitPrompt, r.Do.Message = panics{}, panics{}
			c.Routes = append(c.Routes, r)
		}
		out[i] = &c
	}
	return out
}

// TestOverrideIsAsIfItHadBeenSo: an override before the next step is entered leads to where that outcome would have led
// in the first place.
func TestOverrideIsAsIfItHadBeenSo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := randomPlan(t)
		straight, corrected := start(t, p, machine.Options{}), start(t, p, machine.Options{})
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			n := straight.settle()
			if n.Result != nil {
				break
			}
			outcome := rapid.SampledFrom([]string{"pass", "fail"}).Draw(t, "outcome")
			straight.one(n, outcome)
			m := corrected.settle()
			if !rapid.Bool().Draw(t, "corrected") {
				corrected.one(m, outcome)
				continue
			}
			corrected.one(m, map[string]string{"pass": "fail", "fail": "pass"}[outcome])
			corrected.arrive()
			e, err := corrected.m.OverrideEvent(plan.Result(outcome), "")
			if err != nil {
				t.Fatal(err)
			}
			corrected.apply(e)
		}
		straight.settle()
		corrected.settle()
		if d := cmp.Diff(straight.m.EnteredStepLabels(), corrected.m.EnteredStepLabels()); d != "" {
			t.Fatalf("paths differ: %s", d)
		}
	})
}

// arrive applies the machine's own events until it is between two steps or the run is over.
func (r *run) arrive() {
	for n := r.m.Next(); n.Event != nil && !r.m.IsBetweenSteps(); n = r.m.Next() {
		r.apply(*n.Event)
	}
}
