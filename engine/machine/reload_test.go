package machine_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/parse/plan"
	"playhead/parse/playbook"
	"playhead/parse/workflow"
)

// outline is a document that can be edited. The IDs of its steps follow their order; routes name the identities of
// steps, which stay.
type outline struct {
	top  []*part
	next int // the identity of the newest step
}

type part struct {
	identity int
	version  int // the version of its text and of its first command
	commands int
	below    []*part
	template bool
	goTo     int // the identity that a failure leads to; 0: it continues
}

func (o *outline) new(t *rapid.T) *part {
	o.next++
	return &part{identity: o.next, commands: rapid.IntRange(1, 3).Draw(t, "commands")}
}

func drawOutline(t *rapid.T) *outline {
	o := &outline{}
	for range rapid.IntRange(1, 5).Draw(t, "steps") {
		p := o.new(t)
		for i := range rapid.IntRange(0, 3).Draw(t, "children") {
			c := o.new(t)
			c.template = i == 0 && rapid.Bool().Draw(t, "template")
			p.below = append(p.below, c)
		}
		o.top = append(o.top, p)
	}
	for _, p := range o.all() {
		if rapid.Bool().Draw(t, "goes") {
			p.goTo = rapid.SampledFrom(o.all()).Draw(t, "target").identity
		}
	}
	return o
}

func (o *outline) all() (out []*part) {
	for _, p := range o.top {
		out = append(append(out, p), p.below...)
	}
	return out
}

func (o *outline) clone() *outline {
	c := &outline{next: o.next}
	for _, p := range o.top {
		q := *p
		q.below = nil
		for _, b := range p.below {
			x := *b
			q.below = append(q.below, &x)
		}
		c.top = append(c.top, &q)
	}
	return c
}

// edit changes the document in one way.
func (o *outline) edit(t *rapid.T) {
	i := rapid.IntRange(0, len(o.top)-1).Draw(t, "at")
	switch rapid.SampledFrom([]string{"insert", "remove", "move", "change", "commands", "route", "inside"}).Draw(t, "edit") {
	case "insert":
		o.top = slices.Insert(o.top, i, o.new(t))
	case "inside":
		p := o.top[i]
		p.below = slices.Insert(p.below, len(p.below)/2, o.new(t))
	case "remove":
		if len(o.top) > 1 {
			o.top = slices.Delete(o.top, i, i+1)
		}
	case "move":
		p := o.top[i]
		o.top = slices.Delete(o.top, i, i+1)
		o.top = slices.Insert(o.top, rapid.IntRange(0, len(o.top)).Draw(t, "to"), p)
	case "change":
		o.top[i].version++
	case "commands":
		o.top[i].commands = rapid.IntRange(1, 3).Draw(t, "commands")
	case "route":
		o.top[i].goTo = rapid.SampledFrom(o.all()).Draw(t, "target").identity
	}
}

// plan compiles the document. The Extra of a step holds its identity, which no run reads.
func (o *outline) plan() *plan.Plan {
	p := &plan.Plan{Format: "test", EntryLimit: plan.EntryLimit{Max: guard, Code: "test/limit", Message: "too many"}}
	ids := map[int]string{}
	for i, top := range o.top {
		ids[top.identity] = fmt.Sprint(i + 1)
		for j, c := range top.below {
			ids[c.identity] = fmt.Sprintf("%d.%d", i+1, j+1)
			if c.template {
				ids[c.identity] = fmt.Sprintf("%d.each{n}", i+1) // so that its labels differ from those of the others
			}
		}
	}
	step := func(x *part, above string) *plan.Step {
		title := fmt.Sprintf("step-%d", x.identity)
		s := &plan.Step{ID: ids[x.identity], Title: title, StableKey: above + title, Extra: plan.Details{"identity": x.identity}}
		s.Text = plan.Literal(fmt.Sprintf("%d version %d", x.identity, x.version))
		if x.template {
			s.HasInstances = true
			number := s.ID[:len(s.ID)-len("{n}")]
			s.Label = plan.Text{{Literal: number}, {Literal: "{n}", TemplateStep: s.ID}}
		}
		fails := plan.Move{Verb: plan.Continue}
		if to := ids[x.goTo]; to != "" {
			fails = plan.Move{Verb: plan.Goto, To: plan.Target{Step: to, IsNextInstance: to[len(to)-1] == '}'}, KeepsVisit: true}
		}
		s.Routes = []plan.Route{{When: plan.Matcher{Result: plan.Passed}, Do: plan.Move{Verb: plan.Continue}}, {When: plan.Matcher{Result: plan.Failed}, Do: fails}}
		return s
	}
	for _, top := range o.top {
		s := step(top, "")
		for _, c := range top.below {
			child := step(c, s.StableKey+"/")
			child.Actions = commands(c)
			s.Children = append(s.Children, child)
		}
		if len(s.Children) == 0 {
			s.Actions = commands(top)
		}
		p.Steps = append(p.Steps, s)
	}
	return p
}

func commands(x *part) (out []plan.Action) {
	for i := range x.commands {
		out = append(out, plan.Action{Work: plan.Command{Text: plan.Literal(fmt.Sprintf("%d command %d version %d", x.identity, i, x.version*max(0, 1-i)))}})
	}
	return out
}

// some continues the run for a while; it reports whether the run still has something to do.
func (r *run) some(t *rapid.T, name string) bool {
	for range rapid.IntRange(0, 12).Draw(t, name) {
		n := r.settle()
		if n.Result != nil {
			return false
		}
		r.one(n, rapid.SampledFrom([]string{"pass", "pass", "fail"}).Draw(t, "outcome"))
	}
	for range rapid.IntRange(0, 4).Draw(t, "events") {
		n := r.m.Next()
		if n.Event == nil {
			break
		}
		r.apply(*n.Event)
	}
	return r.m.Next().Result == nil
}

// TestReloadUnchanged: after a reload of the same document, a run continues just as it does without the reload.
func TestReloadUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOutline(t)
		r := start(t, o.plan(), machine.Options{})
		r.some(t, "before")
		if r.m.Result() == nil && len(r.m.EnteredStepLabels()) == 0 {
			return // it begins at the new document's entry
		}
		other := &run{t: t, m: r.m.Clone()}
		m := match.Documents(r.m.Plan(), o.clone().plan(), nil)
		if s := m.Summary(); s != "" {
			t.Fatalf("changed: %s", s)
		}
		e, err := r.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: m})
		if err != nil {
			t.Fatal(err)
		}
		r.apply(e)
		for range 20 {
			a, b := r.m.Next(), other.m.Next()
			if d := cmp.Diff(b, a); d != "" {
				t.Fatalf("next differs: %s", d)
			}
			switch {
			case a.Result != nil:
				return
			case a.Event != nil:
				r.apply(*a.Event)
				other.apply(*b.Event)
			default:
				outcome := rapid.SampledFrom([]string{"pass", "fail"}).Draw(t, "outcome")
				r.one(a, outcome)
				other.one(b, outcome)
			}
		}
	})
}

// TestReloadWithoutIncludedDocument: the refusal names the document that the new version no longer includes.
func TestReloadWithoutIncludedDocument(t *testing.T) {
	p := parse(t, "## 1 Prepare\n- lint.runbook.md\n\n- PASS: CONTINUE\n- FAIL: STOP\n")
	p.IncludedDocuments = []plan.IncludedDocument{{WrittenPath: "lint.runbook.md", Name: "lint", Plan: parse(t, "## 1 Look\nReady?\n")}}
	r := start(t, p, machine.Options{})
	r.settle()
	_, err := r.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(p, parse(t, "## 1 Prepare\nReady?\n"), nil)})
	if want := "the changed document no longer includes 1/lint: choose the step to continue at"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestReload: after any edits, no finished command runs again unasked. A fold of the events gives the same state, also
// after a rewind.
func TestReload(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOutline(t)
		first := o.plan()
		r := start(t, first, machine.Options{})
		for range rapid.IntRange(1, 3).Draw(t, "reloads") {
			if !r.some(t, "before") {
				break
			}
			done := finishedCommands(r.events)
			before := r.m.Plan()
			o = o.clone()
			for range rapid.IntRange(1, 3).Draw(t, "edits") {
				o.edit(t)
			}
			after := o.plan()
			m := match.Documents(before, after, nil)
			e, err := r.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: m})
			var noPlace *machine.NoPlaceError
			target := errors.As(err, &noPlace)
			if target {
				e, err = r.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: m, TargetStepID: rapid.SampledFrom(after.StepIDs()).Draw(t, "target")})
			}
			if err != nil {
				t.Fatal(err)
			}
			r.apply(e)
			checkMatched(t, m)
			if target {
				continue
			}
			for range 20 { // to the end of the visit
				n := r.m.Next()
				if n.Event == nil {
					break
				}
				if b, starts := n.Event.Body.(*machine.ActionStarted); starts && slices.Contains(done, b.Text) {
					t.Fatalf("%q runs again at %s; before: %v", b.Text, n.Event.Step, done)
				}
				if _, enters := n.Event.Body.(*machine.StepEntered); enters {
					break
				}
				r.apply(*n.Event)
			}
		}
		r.some(t, "after")
		fold := func(events []machine.Event) *machine.Machine {
			m := machine.New(first, machine.Options{})
			for _, e := range events {
				if err := m.Apply(e); err != nil {
					t.Fatal(err)
				}
			}
			return m
		}
		if d := machine.Differ(r.m, fold(r.events)); d != "" {
			t.Fatalf("the fold has another state: %s", d)
		}
		n := rapid.IntRange(1, len(r.events)).Draw(t, "rewind")
		if d := cmp.Diff(fold(r.events[:n]).Next(), fold(r.events[:n]).Clone().Next()); d != "" {
			t.Fatal(d)
		}
	})
}

// finishedCommands returns the commands that the newest attempt has finished.
func finishedCommands(events []machine.Event) (done []string) {
	text := ""
	for _, e := range events {
		switch b := e.Body.(type) {
		case *machine.StepEntered:
			done = nil
		case *machine.ActionStarted:
			text = b.Text
		case *machine.ActionFinished:
			done = append(done, text)
		}
	}
	return done
}

// checkMatched checks that each step is matched with the step of the same identity.
func checkMatched(t *rapid.T, m *match.Match) {
	d := m.FindDocument("")
	identity := func(s *plan.Step) any { return s.Details()["identity"] }
	d.OldPlan.Walk(func(s, _ *plan.Step) bool {
		to := d.NewPlan.FindStep(d.NewID(s.ID))
		if to != nil && identity(to) != identity(s) {
			t.Fatalf("step %s (%v) is matched with %s (%v)", s.ID, identity(s), to.ID, identity(to))
		}
		still := false
		d.NewPlan.Walk(func(n, _ *plan.Step) bool { still = still || identity(n) == identity(s); return true })
		if to == nil && still {
			t.Fatalf("step %s (%v) has no match", s.ID, identity(s))
		}
		return true
	})
}

// TestReloadRenumbersAnswers: when steps are renumbered, each answer stays with its step, although the new name of one
// is the old name of another.
func TestReloadRenumbersAnswers(t *testing.T) {
	document := func(numbers ...int) *plan.Plan {
		var b strings.Builder
		b.WriteString("# Trip\n\n")
		if len(numbers) == 5 {
			b.WriteString("## STEP 1: Begin\nGreet.\n\n")
			numbers = numbers[1:]
		}
		for i, title := range []string{"Where", "When", "Who"} {
			fmt.Fprintf(&b, "## STEP %d: %s\n@elicit(input, \"%s?\")\n\n", numbers[i], title, title)
		}
		fmt.Fprintf(&b, "## STEP %d: Book\nBook {{__elicit_step_%d}}, {{__elicit_step_%d}}, {{__elicit_step_%d}}.\n", numbers[3], numbers[0], numbers[1], numbers[2])
		p := playbook.Parse("trip.playbook.md", []byte(b.String()), playbook.Options{})
		if !p.Runnable() {
			t.Fatal(p.Diagnostics)
		}
		return p
	}
	for i := range 40 { // maps have another order each time
		r := &run{t: t, m: machine.New(document(1, 2, 3, 4), machine.Options{})}
		r.apply(*r.m.Next().Event)
		for _, answer := range []string{"Rome", "May", "Ann"} {
			if q := r.settle().Question; q == nil {
				t.Fatal("no question")
			}
			e, err := r.m.AnswerEvent(machine.Answer{Value: answer, By: machine.ByPerson})
			if err != nil {
				t.Fatal(err)
			}
			r.apply(e)
		}
		for i%2 == 0 && !r.m.IsBetweenSteps() { // else the last answer is not stored yet
			r.apply(*r.m.Next().Event)
		}
		e, err := r.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(r.m.Plan(), document(1, 2, 3, 4, 5), nil)})
		if err != nil {
			t.Fatal(err)
		}
		r.apply(e)
		n := r.settle()
		call, calls := n.Effect.(*machine.CallModel)
		if !calls || call.Prompt != "Book Rome, May, Ann." {
			t.Fatalf("next is %+v, call %+v", n, call)
		}
	}
}

// TestReloadKeepsHeldReport: a report that waits for a person's decision survives a reload that changes its step or an
// earlier one.
func TestReloadKeepsHeldReport(t *testing.T) {
	const (
		above  = "### 🔧 WORKFLOW STEP: Rest\n```\nRest.\n```\n### 🛠️ TOOL: rest\n"
		begin  = "### 🔧 WORKFLOW STEP: Verify\n```\nVerify.\n```\n### 🛠️ TOOL: verify\n### 📤 OUTPUTS:\n- sum → SUM\n### ✅ ASSERT:\n- it is right\n"
		inputs = "### 📥 INPUTS:\n- HOST: where\n"
	)
	for _, c := range []struct{ name, before, after, label string }{
		{"a step above", begin, above + begin, "2"},
		{"another assertion", begin, begin + "- it is new\n", "1"},
		{"inputs added", begin, begin + inputs, "1"},
		{"inputs removed", begin + inputs, begin, "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			parse := func(text string) *plan.Plan {
				return workflow.Parse("a.md", []byte(text), workflow.Options{Flags: map[string][]string{"input": {"HOST=db1"}}})
			}
			r := &run{t: t, m: machine.New(parse(c.before), machine.Options{})}
			first := *r.m.Next().Event
			first.Body.(*machine.RunStarted).Inputs = map[string]any{"HOST": "db1"}
			r.apply(first)
			r.settle()
			report := `{"step_number":0,"status":"passed","output_variables":{"SUM":"5f3c"}}`
			r.apply(r.m.ResultEvent(plan.Product{ToolCalls: []plan.ToolCall{{ID: "1", Name: "report_step_result", Arguments: report}}}))
			r.settle()
			e, err := r.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(r.m.Plan(), parse(c.after), nil)})
			if err != nil {
				t.Fatal(err)
			}
			r.apply(e)
			if q := r.settle().Question; q == nil || q.Kind != machine.KindAcceptOutcome || r.m.Position() != c.label {
				t.Fatalf("at %s: %+v", r.m.Position(), q)
			}
			e, err = r.m.AnswerEvent(machine.Answer{Value: "pass", By: machine.ByPerson})
			if err != nil {
				t.Fatal(err)
			}
			r.apply(e)
			if end := r.settle().Result; end == nil || end.Variables["SUM"] != "5f3c" {
				t.Errorf("ended %+v", end)
			}
		})
	}
}
