package compare

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

const loop = `# Loop
## 1. Draft
Drafted?
- PASS: CONTINUE
- FAIL: STOP "no draft"
## 2. Review
Good enough?
- YES: CONTINUE
- NO: GOTO 1
## 3. Send
~~~sh
send
~~~
- PASS: COMPLETE
- FAIL: RETRY 2 GOTO Sorry
## Sorry
Said so?
`

const tenants = `# Tenants
## {N}. Batch
Fetch it.
### {N}.{n} Tenant
~~~sh
./move
~~~
- PASS: GOTO NEXT
- FAIL: GOTO More
## More
Another?
- YES: GOTO NEXT {N}
- NO: COMPLETE
`

// TestAlign: attempts of the same step are paired, and an additional pass through a loop stays unpaired.
func TestAlign(t *testing.T) {
	for _, c := range []struct {
		name, doc  string
		a, b, want string
	}{
		{"the same", loop, "pass pass exit_0", "pass pass exit_0", "= 1\n= 2\n= 3\n"},
		{
			"a loop taken once more", loop, "pass fail pass pass exit_0", "pass fail pass fail pass pass exit_0",
			"= 1\n= 2\n= 1\n= 2 outcome route decision\n~~~\n+ 1\n+ 2\n= 3\n",
		},
		{
			"a step retried", loop, "pass pass exit_0", "pass pass exit_1 exit_0",
			"= 1\n= 2\n= 3 outcome route output\n~~~\n+ 3\n",
		},
		{
			"a retry used up", loop, "pass pass exit_1 exit_0", "pass pass exit_1 exit_1 exit_1 pass",
			"= 1\n= 2\n= 3\n= 3 outcome route output\n~~~\n+ 3\n+ Sorry\n",
		},
		{"a run that has not got as far", loop, "pass", "pass pass exit_0", "= 1\n= 2\n+ 3\n"},
		{"one ended, the other went on", loop, "fail", "pass pass exit_0", "= 1 outcome route decision\n~~~\n+ 2\n+ 3\n"},
		{"a jump by a person", loop, "pass pass exit_0", "pass goto_Sorry pass", "= 1\n= 2 outcome route interventions decision\n~~~\n- 3\n+ Sorry\n"},
		{
			"instances", tenants, "exit_0 exit_0 exit_1 fail", "exit_0 exit_1 pass exit_1 fail",
			"= 1.1\n= 1.2 outcome route output\n~~~\n- 1.3\n+ More\n+ 2.1\n= More\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := func(s string) Side {
				said := strings.Fields(s)
				for i := range said {
					said[i] = strings.ReplaceAll(said[i], "_", " ")
				}
				return walked(t, runbook(c.doc), nil, said...)
			}
			if d := cmp.Diff(c.want, sketch(Runs(run(c.a), run(c.b)))); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestReasonOfRetry: a person reads which retry a decision makes, and programs how many were used before.
func TestReasonOfRetry(t *testing.T) {
	c := Runs(walked(t, runbook(loop), nil, "pass", "pass", "exit 0"), walked(t, runbook(loop), nil, "pass", "pass", "exit 1", "exit 0"))
	if d := c.Divergence.B.Decisions[0]; d.ShownWhy != "fail; retry 1 of 2" || d.Why != "fail; 0 of 2 retries used" {
		t.Errorf("%q, as JSON %q", d.ShownWhy, d.Why)
	}
}

// TestDivergenceOfBranches: when a variable leads two runs into different branches of a playbook, the divergence names
// the variable and the step that set it.
func TestDivergenceOfBranches(t *testing.T) {
	p := example(t, "triage.playbook.md", nil)
	in := map[string]any{"service": "mail", "report": "r"}
	a := walked(t, p, in, `Bad. {"severity": "high", "area": "mail"}`, "1. Look.", "Bo, who is on call", "Wake up!", "no", "Over soon.", "none", "# Sum")
	b := walked(t, p, in, `Meh. {"severity": "low", "area": "mail"}`, "1. Look.", "A ticket", "no", "Over soon.", "none", "# Sum of a low one")
	c := Runs(a, b)
	if d := cmp.Diff("= 1 value reply\n= 2 route prompt\n~~~\n- 2b\n+ 2a\n= 3\n= 3b\n= 4\n= 5 prompt reply\n", sketch(c)); d != "" {
		t.Error(d)
	}
	at := c.Divergence
	if at == nil || at.A.NextStep != "2b" || at.B.NextStep != "2a" || at.A.Decisions[0].RouteText != "else" || at.B.Decisions[0].RouteText != `if severity == "low"` {
		t.Fatalf("they diverge: %+v", at)
	}
	if !strings.Contains(at.B.Decisions[0].Why, `severity = "low"`) {
		t.Errorf("the reason in run b is %q", at.B.Decisions[0].Why)
	}
	want := VariableDifference{Name: "severity", A: "high", B: "low", FromA: "step 1", FromB: "step 1", IsTested: true}
	if len(at.DifferingVariables) == 0 || at.DifferingVariables[0] != want {
		t.Errorf("values %+v", at.DifferingVariables)
	}
	if want := (Difference{Aspect: "final output", A: "# Sum", B: "# Sum of a low one"}); len(c.EndDifferences) != 1 || c.EndDifferences[0] != want {
		t.Errorf("ends %+v", c.EndDifferences)
	}
}

// TestHardToSee: values that differ only in whitespace are quoted, with a note that says so.
func TestHardToSee(t *testing.T) {
	p := example(t, "triage.playbook.md", nil)
	run := func(look string) Side {
		return walked(t, p, map[string]any{"service": "mail", "report": "r"}, `Bad. {"severity": "high", "area": "mail"}`, look)
	}
	c := Runs(run("Look "), run("Look"))
	want := []Difference{
		{Aspect: "value", VariableName: "checks", A: `"Look "`, B: `"Look" (only whitespace differs)`},
		{Aspect: "reply", A: `"Look "`, B: `"Look" (only whitespace differs)`},
	}
	if d := cmp.Diff(want, c.Pairs[1].Differences); d != "" {
		t.Error(d)
	}
	if a, b := (VariableDifference{A: "high ", B: "high", FromA: "step 1", FromB: "step 1"}).Describe(); a != `"high " (step 1)` || b != `"high" (only whitespace differs) (step 1)` {
		t.Errorf("%s, %s", a, b)
	}
}

// TestDivergenceOfRegistry: when one run takes a loop of a registry once more, the divergence names both decisions and
// the action in the reply that differs.
func TestDivergenceOfRegistry(t *testing.T) {
	reply := func(intent string) string {
		return fmt.Sprintf(`{"found": {"size": "small", "changes": []}, "text": "A line.", "next_action": {"action": %q, "reason": "so"}}`, intent)
	}
	p := example(t, "changelog", nil)
	a := walked(t, p, map[string]any{"release": "1.4"}, reply("next"), reply("next"), reply("next"), reply("closing"), "exit 0")
	b := walked(t, p, map[string]any{"release": "1.4"}, reply("next"), reply("next"), reply("escalate"), reply("next"), reply("next"), reply("closing"), "exit 0")
	c := Runs(a, b)
	want := "= initial.changes\n= continuation.changes\n= verification.changes outcome route reply\n~~~\n" +
		"+ continuation.changes\n+ verification.changes\n= closure.changes\n"
	if d := cmp.Diff(want, sketch(c)); d != "" {
		t.Error(d)
	}
	if c.Divergence.A.Decisions[0].RouteText == c.Divergence.B.Decisions[0].RouteText || c.Divergence.B.NextStep != "continuation.changes" {
		t.Errorf("they diverge: %+v, %+v", c.Divergence.A, c.Divergence.B)
	}
	if got, want := c.Divergence.B.Decisions[0].Describe(), "escalate → continuation.changes (line 97)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	values := []VariableDifference{{Name: "next_action.action", A: "next", B: "escalate", FromA: "reply", FromB: "reply", IsTested: true}}
	if d := cmp.Diff(values, c.Divergence.DifferingVariables); d != "" {
		t.Error(d)
	}
}

// TestDivergenceOfSelector: a reply value that selects the next step comes first among the variables that differ.
func TestDivergenceOfSelector(t *testing.T) {
	const action = `, "next_action": {"action": "next"}}`
	p := example(t, "changelog", nil)
	in := func(release string) map[string]any { return map[string]any{"release": release} }
	small := walked(t, p, in("1.4"), `{"found": {"size": "small"}`+action)
	for reply, want := range map[string]VariableDifference{
		`{"found": {"size": "large"}`: {Name: "size", A: "small", B: "large", FromA: "found.size in the reply", FromB: "found.size in the reply", IsTested: true},
		`{"found": {}`:                {Name: "size", A: "small", FromA: "found.size in the reply", IsTested: true},
	} {
		c := Runs(small, walked(t, p, in("1.5"), reply+action))
		if d := cmp.Diff([]VariableDifference{want, {Name: "release", A: "1.4", B: "1.5", FromA: "input", FromB: "input"}}, c.Divergence.DifferingVariables); d != "" {
			t.Errorf("%s: %s", reply, d)
		}
	}
}

// TestOverridden: an override is a difference of outcome or route, even if both runs go on to the same step.
func TestOverridden(t *testing.T) {
	p := runbook(loop)
	a := walked(t, p, nil, "pass", "pass", "exit 0")
	b := walked(t, p, nil, "pass", "force pass", "exit 0")
	c := Runs(a, b)
	if c.Divergence != nil {
		t.Errorf("they diverge: %+v", c.Divergence)
	}
	d := c.Pairs[1].Differences[0]
	if d.Aspect != "outcome" || !strings.Contains(d.B, "overridden") || strings.Contains(d.A, "overridden") {
		t.Errorf("outcome %+v", d)
	}
	b = walked(t, p, nil, "pass", "goto 3", "exit 0")
	c = Runs(a, b)
	if d := c.Pairs[1].Differences; len(d) < 2 || d[1].Aspect != "route" || d[1].B != "→ 3, overridden: \"by test\"" {
		t.Errorf("route %+v", d)
	}
}

// TestStopAndContinue: a run that a route ended names this route, even if the other run took it too and a person
// continued there. Only a run that a person ended was stopped.
func TestStopAndContinue(t *testing.T) {
	p := runbook("# R\n## 1. Ready\nReady?\n- YES: CONTINUE\n- NO: STOP \"not ready\"\n## 2. Go\nGo?\n")
	by := Runs(walked(t, p, nil, "no"), starting(t, p, nil).say("no", "goto 2", "pass").side("bbbb")).Divergence
	if got := by.A.Decisions; len(got) != 1 || got[0].Describe() != `NO: STOP "not ready" → end (line 5)` || by.A.NoDecisionReason != "" {
		t.Errorf("run a ended because of %+v, %q", got, by.A.NoDecisionReason)
	}
	if got := by.B.Decisions; len(got) != 1 || got[0].Describe() != `→ 2, overridden: "by test"` {
		t.Errorf("run b continued because of %+v", got)
	}
	w := starting(t, p, nil).say("yes")
	e, err := w.m.EndEvent(plan.Stopped, "tired", machine.ByPerson)
	if err != nil {
		t.Fatal(err)
	}
	w.apply(e)
	by = Runs(w.side("cccc"), walked(t, p, nil, "yes", "again", "pass")).Divergence
	if by.A.NoDecisionReason != "it was stopped" || by.A.Decisions != nil {
		t.Errorf("a person ended run a, but its decisions are %+v and its reason is %q", by.A.Decisions, by.A.NoDecisionReason)
	}
}

// TestEditedAtTheEnd: an edit in a run that is over does not open its last attempt again.
func TestEditedAtTheEnd(t *testing.T) {
	w := starting(t, runbook(loop), nil).say("pass")
	isOpen := func() bool {
		attempts := pathOf(w.side("aaaa")).attempts
		return attempts[len(attempts)-1].isOpen
	}
	if !isOpen() {
		t.Error("the last attempt is not open, but the run waits for an answer")
	}
	w.say("pass", "exit 0")
	e, err := w.m.EditEvent("1", 0, "other")
	if err != nil {
		t.Fatal(err)
	}
	if w.apply(e); isOpen() {
		t.Error("the edit opened the last attempt again")
	}
}

// TestRuleEdit: the comparison shows an edit of a rule as the rule before and after it.
func TestRuleEdit(t *testing.T) {
	const text = "## 1. Send\n```sh\nsend\n```\n- FAIL: STOP\n"
	side := starting(t, runbook(text), nil).say("exit 0").side("a")
	want := Difference{Aspect: "edit", B: "- FAIL: STOP → - FAIL: RETRY 2"}
	for _, before := range []int{len(side.Events), 1} { // 1: before the run enters a step
		edited := side
		edited.RunID = "b"
		edited.Events = slices.Insert(slices.Clone(side.Events), before, machine.Event{By: machine.ByPerson, Body: &machine.DocumentReloaded{
			EditSubject: "edit of the route of step 1", Load: func() (*plan.Plan, error) { return runbook(strings.Replace(text, "STOP", "RETRY 2", 1)), nil },
		}})
		if got := Runs(side, edited).Pairs[0].Differences; !slices.Contains(got, want) {
			t.Errorf("edited after %d events: no %+v in %+v", before, want, got)
		}
	}
}

// TestChangedStep: a person's edit is an intervention in the edited step, whichever step the run is at.
func TestChangedStep(t *testing.T) {
	const text = "## 1. Go\nGo?\n## 2. Pack\nPacked?\n### 2.1 Box\n```sh\nbox\n```\n## 3. Send\n```sh\nsend\n```\n- FAIL: STOP\n"
	edited := func(step string) machine.Event {
		return machine.Event{Seq: 100, Step: "1", By: machine.ByPerson, Body: &machine.DocumentReloaded{
			EditSubject: "edit of a route", MatchedSteps: []machine.MatchedStep{{OldID: step, NewID: step, RuleEdited: true}},
			Load: func() (*plan.Plan, error) { return runbook(strings.Replace(text, "STOP", "RETRY 2", 1)), nil },
		}}
	}
	for _, c := range []struct {
		step, want string
		said       []string
	}{
		{"3", "3", []string{"pass", "exit 0", "exit 0"}},
		{"2", "2.1", []string{"pass", "exit 0", "exit 0"}}, // the first attempt in the group
		{"1", "1", []string{"pass", "exit 0", "exit 0"}},
		{"3", "1", nil}, // step 3 has no attempt, so the current step has the edit
	} {
		side := starting(t, runbook(text), nil).say(c.said...).side("aaaa")
		side.Events = slices.Insert(slices.Clone(side.Events), 3, edited(c.step))
		for _, attempt := range pathOf(side).attempts {
			n := 0
			if attempt.Step == c.want {
				n = 1
			}
			if len(attempt.Interventions) != n || len(attempt.Edits) != n {
				t.Errorf("edit of %s: step %s has %q, %v", c.step, attempt.Step, attempt.Interventions, attempt.Edits)
			}
		}
	}
	p := example(t, "triage.playbook.md", nil)
	in := map[string]any{"service": "mail", "report": "r"}
	run := func(said ...string) Side {
		return walked(t, p, in, append([]string{`Bad. {"severity": "high", "area": "mail"}`}, said...)...)
	}
	comparison := Runs(run("set severity=critical", "1. Look."), run("1. Look."))
	want := []Difference{{Aspect: "interventions", A: "1 severity = critical"}, {Aspect: "value", VariableName: "severity", A: "critical", B: "high"}}
	if d := cmp.Diff(want, comparison.Pairs[0].Differences); d != "" || len(comparison.Pairs[1].Differences) > 0 {
		t.Errorf("%s, %+v", d, comparison.Pairs[1].Differences)
	}
}

// TestEdits: the comparison shows an edit as the text before and after it, and a long edit as a line diff.
func TestEdits(t *testing.T) {
	const long = "send one\nsend two"
	edited := func(texts ...string) Side {
		w := starting(t, runbook("## 1. Send\n```sh\nsend\n```\n"), nil)
		for _, text := range texts {
			e, err := w.m.EditEvent("1", 0, text)
			if err != nil {
				t.Fatal(err)
			}
			w.apply(e)
		}
		return w.say("exit 0").side(fmt.Sprint(len(texts)))
	}
	for _, c := range []struct {
		a, b     Side
		want     []Difference
		ofAspect []string
	}{
		{edited(), edited("send --all"), []Difference{{Aspect: "edit", B: "send → send --all"}}, nil},
		{edited("send --all"), edited("send --all", ""), []Difference{{Aspect: "edit", A: "send → send --all", B: "send → send --all; send --all → send"}}, nil},
		{edited(), edited(long), []Difference{{Aspect: "edit", B: "send → 2 lines"}}, []string{"edit in 1"}},
		{edited(long), edited(long), nil, nil},
	} {
		r := Runs(c.a, c.b)
		if err := r.ReadTextDifferences(); err != nil {
			t.Fatal(err)
		}
		var got []Difference
		var aspects []string
		for _, d := range r.Pairs[0].Differences {
			if d.Aspect == "edit" {
				got = append(got, d)
			}
		}
		for _, d := range r.Pairs[0].TextDifferences {
			aspects = append(aspects, d.Aspect)
		}
		if !reflect.DeepEqual(got, c.want) || !slices.Equal(aspects, c.ofAspect) {
			t.Errorf("%+v %q, want %+v %q", got, aspects, c.want, c.ofAspect)
		}
	}
}

// TestFork: the comparison of a run with its fork says where the fork was made, and finds the divergence.
func TestFork(t *testing.T) {
	w := starting(t, runbook(loop), nil).say("pass")
	at := len(w.events)
	b := starting(t, runbook(loop), nil).say("pass")
	b.fork("aaaa", "bbbb", at)
	c := Runs(w.say("pass", "exit 0").side("aaaa"), b.say("fail", "pass", "pass", "exit 0").side("bbbb"))
	if c.Fork == nil || *c.Fork != (Fork{RunID: "bbbb", OriginalRunID: "aaaa", EventSeq: at, Moment: "step 2 (waits for a person: yes or no)"}) {
		t.Errorf("fork %+v", c.Fork)
	}
	if c.Divergence == nil || c.Divergence.CommonPairCount != 2 {
		t.Errorf("they diverge: %+v", c.Divergence)
	}
}

// TestForkInProgress: a step that the fork has not finished yet has no differences.
func TestForkInProgress(t *testing.T) {
	p := example(t, "triage.playbook.md", nil)
	w := starting(t, p, map[string]any{"service": "mail", "report": "r"}).say(`Bad. {"severity": "high", "area": "mail"}`, "1. Look.")
	asked := len(w.events)
	whole := w.say("Bo, who is on call", "Wake up!", "no", "Over soon.", "none", "# Sum").side("aaaa")
	isReply := func(e machine.Event) bool { _, is := e.Body.(*machine.ActionFinished); return is }
	replied := asked + slices.IndexFunc(whole.Events[asked:], isReply)
	for n := asked; n <= replied; n++ {
		part := whole
		part.RunID, part.Events = "bbbb", whole.Events[:n]
		for _, c := range []*Comparison{Runs(whole, part), Runs(part, whole)} {
			if err := c.ReadTextDifferences(); err != nil {
				t.Fatal(err)
			}
			last := c.Pairs[2]
			fork := last.B
			if c.A.ID == "bbbb" {
				fork = last.A
			}
			if fork.Step != "2b" || !fork.IsOpen() || fork.Result != "" || len(last.Differences)+len(last.TextDifferences) > 0 {
				t.Errorf("after %d events: %s has the outcome %q and differs in %+v", n, fork.Step, fork.outcomeText(), last.Differences)
			}
		}
	}
}

// TestEditedDocument: steps are paired by their keys, not by their numbers.
func TestEditedDocument(t *testing.T) {
	edited := strings.NewReplacer("## 3.", "## 4.", "## 2.", "## 3.").Replace(loop)
	edited = strings.Replace(edited, "## 3. Review", "## 2. Spell\nSpelled?\n## 3. Review", 1)
	edited = strings.Replace(edited, "send\n", "send --all\n", 1)
	a, b := walked(t, runbook(loop), nil, "pass", "pass", "exit 0"), walked(t, runbook(edited), nil, "pass", "pass", "pass", "exit 0")
	a.SourceHashes, b.SourceHashes = map[string]string{"a.runbook.md": "1"}, map[string]string{"a.runbook.md": "2"}
	c := Runs(a, b)
	if d := cmp.Diff("= 1 route\n~~~\n+ 2\n= 2|3\n= 3|4 command\n", sketch(c)); d != "" {
		t.Error(d)
	}
	if len(c.ChangedFiles) != 1 {
		t.Errorf("changed %v", c.ChangedFiles)
	}
}

// TestCopiesOfADocument: files with the same relative path below the folders of two documents match.
func TestCopiesOfADocument(t *testing.T) {
	side := func(document string, hashes map[string]string) Side {
		return Side{DocumentPath: document, SourceHashes: hashes, Plan: &plan.Plan{}}
	}
	for name, c := range map[string]struct {
		a, b Side
		want []string
	}{
		"folders": {
			side("/a/agent", map[string]string{"/a/agent/agent.json": "1", "/a/agent/prompts/x.md": "2"}),
			side("/b/copy", map[string]string{"/b/copy/agent.json": "1", "/b/copy/prompts/x.md": "3"}),
			[]string{"prompts/x.md"},
		},
		"files": {
			side("/a/x.runbook.md", map[string]string{"/a/x.runbook.md": "1", "/a/sub.runbook.md": "2"}),
			side("/b/x.runbook.md", map[string]string{"/b/x.runbook.md": "1", "/b/sub.runbook.md": "2"}),
			nil,
		},
		"one document": {
			side("/a/x.runbook.md", map[string]string{"/a/x.runbook.md": "1"}),
			side("/a/x.runbook.md", map[string]string{"/a/x.runbook.md": "2"}),
			[]string{"/a/x.runbook.md"},
		},
	} {
		if got := Runs(c.a, c.b).ChangedFiles; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestUnknownDocument: without the document, steps are paired by their IDs.
func TestUnknownDocument(t *testing.T) {
	a := walked(t, runbook(loop), nil, "pass", "pass", "exit 0")
	a.Plan = &plan.Plan{}
	if d := cmp.Diff("= 1\n= 2\n= 3\n", sketch(Runs(a, a))); d != "" {
		t.Error(d)
	}
	none := Side{Plan: &plan.Plan{}}
	if c := Runs(none, a); c.Divergence != nil || c.RunBehind() != "" && len(c.Pairs) != 3 {
		t.Errorf("%+v", c)
	}
}

// TestValues: a variable that a person set is a difference at the divergence and at the end.
func TestValues(t *testing.T) {
	p := runbook(loop)
	a := walked(t, p, nil, "set who=Ann", "pass", "pass", "exit 0")
	b := walked(t, p, nil, "pass", "fail", "pass", "pass", "exit 0")
	c := Runs(a, b)
	want := []VariableDifference{{Name: "who", A: "Ann", FromA: "set by a person"}}
	if d := cmp.Diff(want, c.DifferingVariables); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want, c.Divergence.DifferingVariables); d != "" {
		t.Error(d)
	}
}

// TestEditBeforeVisit: an edit belongs to the edited step, even if the run has not reached it yet.
func TestEditBeforeVisit(t *testing.T) {
	w := starting(t, runbook(loop), nil)
	e, err := w.m.EditEvent("3", 0, "other")
	if err != nil {
		t.Fatal(err)
	}
	w.apply(e)
	w.say("pass", "pass", "exit 0")
	for _, attempt := range pathOf(w.side("aaaa")).attempts {
		if edits := len(attempt.Interventions); edits > 0 != (attempt.Step == "3") {
			t.Errorf("step %s: %v", attempt.Step, attempt.Interventions)
		}
	}
}

// TestInterruptedCommand: only the last run of an interrupted command is compared, and its rerun is an intervention.
func TestInterruptedCommand(t *testing.T) {
	p := runbook("## 1. Count\n```sh\nseq 9\n```\n- PASS: COMPLETE\n- FAIL: STOP\n")
	a := starting(t, p, nil)
	a.apply(a.m.ResultEvent(plan.Product{Cancelled: true, Signal: "INT"}))
	a.settle()
	c := Runs(a.say("rerun", "exit 0").side("aaaa"), walked(t, p, nil, "exit 0"))
	if got, want := sketch(c), "= 1 interventions\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestValueSetTwice: when one attempt sets a variable twice, only the last value counts.
func TestValueSetTwice(t *testing.T) {
	p := runbook("# A\n## 1. Ask\nWhat?\n- PASS: CONTINUE\n## 2. End\nDone?\n")
	a := starting(t, p, map[string]any{"v": "0"}).say("set v=1", "set v=2").side("aaaa")
	b := starting(t, p, map[string]any{"v": "0"}).say("set v=1", "set v=2").side("bbbb")
	c := Runs(a, b)
	if len(c.Pairs) == 0 || len(c.Pairs[0].A.assignments) != 1 {
		t.Fatalf("%+v", c.Pairs)
	}
	if d := c.Pairs[0].Differences; len(d) > 0 {
		t.Errorf("equal attempts differ: %+v", d)
	}
}
