package track

import (
	"fmt"
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/engine/match"
	"playhead/parse/plan"
	"playhead/parse/playbook"
)

const branching = "# Triage\n\n## STEP 1: Rate\nRate it.\n@output(severity)\n\n## STEP 2: Act\n```if severity == \"low\"```\n\n" +
	"### STEP 2a: File\nFile it.\n\n```else```\n\n### STEP 2b: Wake\nWake them.\n\n```endif```\n"

// TestPlaybook: a reply has its model and its tokens. The decision of a branch is stored with its step, and the arms of
// the branch know it.
func TestPlaybook(t *testing.T) {
	p := playbook.Parse("triage.playbook.md", []byte(branching), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	d.run("")
	one := d.track.RowByLabel("1")
	if d.track.ShowWaiting(one); one.Status != Waiting {
		t.Errorf("1 is %s", one.Status)
	}
	e := d.m.ResultEvent(plan.Product{Text: "high"})
	e.Body.(*machine.ActionFinished).ReplyInfo = &machine.ReplyInfo{Model: "m", FinishReason: "stop", Tokens: &machine.Tokens{InputTokens: 4, OutputTokens: 2}}
	d.apply(e)
	if a := one.NewestRequest(); one.Status != Running || a.Model != "m" || a.FinishReason != "stop" || d.track.ModelUsage.OutputTokens != 2 || a.Text != "Rate it." {
		t.Errorf("1 is %s, its reply %+v", one.Status, a)
	}
	d.run("")
	if v := d.track.Variables; len(v) != 1 || v[0] != (Variable{Name: "severity", Value: "high", SetByStep: "1", setByStepBeforePerson: "1"}) {
		t.Errorf("values %+v", v)
	}
	for label, want := range map[string]bool{"2a": false, "2b": true} {
		if c, taken := d.track.RowByLabel(label).ArmDecision(); c == nil || taken != want {
			t.Errorf("%s: taken %v of %+v", label, taken, c)
		}
	}
	if n := len(d.track.RowByLabel("2").ArmChoices); n != 1 {
		t.Errorf("%d choices", n)
	}
}

// TestTextOfSubstep: the text of a step is the prompt of its own call, so it is not part of the texts of its substeps.
func TestTextOfSubstep(t *testing.T) {
	text := strings.Replace(branching, "STEP 2: Act\n", "STEP 2: Act\nChoose.\n", 1)
	tr := New(playbook.Parse("triage.playbook.md", []byte(text), playbook.Options{}))
	for label, want := range map[string]string{"2": "Choose.", "2a": "File it.", "2b": "Wake them."} {
		if got := tr.TextWithParents(tr.RowByLabel(label)); got != want {
			t.Errorf("%s: %q, not %q", label, got, want)
		}
	}
}

// TestChangedByHand: a step is marked when a person changes its variable or its reply.
func TestChangedByHand(t *testing.T) {
	p := playbook.Parse("triage.playbook.md", []byte(branching), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	d.run("")
	d.apply(d.m.ResultEvent(plan.Product{Text: "high"}))
	d.run("")
	if d.track.RowByLabel("1").IsChangedByPerson() {
		t.Error("1 is marked, but nobody changed its output")
	}
	e, err := d.m.SetVariableEvent("severity", "low")
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	if !d.track.RowByLabel("1").IsChangedByPerson() || d.track.RowByLabel("2b").IsChangedByPerson() {
		t.Error("the variable of 1 was changed, but 1 is not the only step that is marked")
	}
	if f := d.track.Overrides; len(f) != 1 || f[0].Text() != "severity set" || f[0].Step != "1" {
		t.Errorf("noted: %v", f)
	}
	set := d.events[len(d.events)-1]
	if at, events := d.track.ChangedStep(set), d.track.RowByLabel("1").NewestAttempt().Events; at != "1" || events[len(events)-1].Seq != set.Seq {
		t.Errorf("step %s was changed, with the events of step 1 %+v", at, events)
	}
	d.track.Overrides = nil
	for _, text := range []string{"Wake one.", "Wake two.", ""} {
		if e, err = d.m.EditEvent("2b", 0, text); err != nil {
			t.Fatal(err)
		}
		d.apply(e)
		if got, want := len(d.track.Overrides), min(1, len(text)); got != want {
			t.Errorf("edited to %q: %d overrides", text, got)
		}
	}
	e = d.m.ResultEvent(plan.Product{Text: "woken"})
	e.By, e.Body.(*machine.ActionFinished).Overridden = machine.ByPerson, true
	d.apply(e)
	if !d.track.RowByLabel("2b").IsChangedByPerson() {
		t.Error("the reply of 2b was changed, but 2b is not marked")
	}
	if f := d.track.Overrides; len(f) != 1 || f[0] != (Override{Step: "2b", Kind: ChangedReply}) {
		t.Errorf("noted: %v", f)
	}
}

// TestChangedInput: the override of an input is listed at the step whose branch the input decides, once that is
// decided.
func TestChangedInput(t *testing.T) {
	const doc = "## INPUTS\n\n- `region` (string: EU): Where\n\n## STEP 1: Look\nLook.\n\n## STEP 2: File\n```if region == \"US\"```\n\n### STEP 2a: There\nThere.\n\n```endif```\n"
	p := playbook.Parse("a.playbook.md", []byte(doc), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	d.run("")
	for _, value := range []string{"UK", "US"} {
		e, err := d.m.SetVariableEvent("region", value)
		if err != nil {
			t.Fatal(err)
		}
		d.apply(e)
	}
	if f := d.track.Overrides; len(f) != 1 || f[0].Step != "1" {
		t.Errorf("before the decision: %+v", f)
	}
	d.apply(d.m.ResultEvent(plan.Product{Text: "seen"}))
	d.run("")
	if f := d.track.Overrides; len(f) != 1 || f[0].Step != "2" {
		t.Errorf("after the decision: %+v", f)
	}
}

// TestReloadWithoutStep: when a reload deletes a step, the answer of the next step gets the variable name of its
// answer.
func TestReloadWithoutStep(t *testing.T) {
	const one, two = "## STEP 1: Where\n@elicit(input, \"Where?\")\n\n", "## STEP %d: When\n@elicit(input, \"When?\")\n\n## STEP %d: Who\n@elicit(input, \"Who?\")\n"
	p := playbook.Parse("trip.playbook.md", []byte("# Trip\n\n"+one+fmt.Sprintf(two, 2, 3)), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	for _, answer := range []string{"Rome", "May"} {
		d.run("")
		e, err := d.m.AnswerEvent(machine.Answer{Value: answer, By: machine.ByPerson})
		if err != nil {
			t.Fatal(err)
		}
		d.apply(e)
	}
	d.run("")
	after := playbook.Parse("trip.playbook.md", []byte("# Trip\n\n"+fmt.Sprintf(two, 1, 2)), playbook.Options{})
	e, err := d.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(p, after, nil)})
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	if v := d.track.Variables; len(v) != 1 || v[0].Name != "__elicit_step_1" || v[0].Value != "May" {
		t.Errorf("values %+v", v)
	}
}

// TestStepOfVariableGone: when a reload deletes the step that set a variable, the variable does not pass to the step
// that gets its number, not even when a person sets it later.
func TestStepOfVariableGone(t *testing.T) {
	const deleted, kept = "## STEP 1: Rate\nRate it.\n@output(severity)\n\n", "## STEP %d: Read\nRead it.\n\n## STEP %d: Act\nAct.\n"
	p := playbook.Parse("a.playbook.md", []byte("# T\n\n"+deleted+fmt.Sprintf(kept, 2, 3)), playbook.Options{})
	for _, isSetBefore := range []bool{false, true} {
		d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
		set := func(value string) {
			e, err := d.m.SetVariableEvent("severity", value)
			if err != nil {
				t.Fatal(err)
			}
			d.apply(e)
		}
		for _, reply := range []string{"high", "read"} {
			d.run("")
			d.apply(d.m.ResultEvent(plan.Product{Text: reply}))
		}
		d.run("")
		if isSetBefore {
			set("low")
		}
		after := playbook.Parse("a.playbook.md", []byte("# T\n\n"+fmt.Sprintf(kept, 1, 2)), playbook.Options{})
		e, err := d.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(p, after, nil)})
		if err != nil {
			t.Fatal(err)
		}
		d.apply(e)
		if v := d.track.Variables[0]; v.IsStepGone == isSetBefore || v.SetByStep == "1" {
			t.Errorf("set before: %v: value %+v", isSetBefore, v)
		}
		set("none")
		read, act := d.track.RowByLabel("1"), d.track.RowByLabel("2")
		if read.ReplacedByPerson || len(read.NewestAttempt().Events) != 2 || len(act.NewestAttempt().Events) == 0 {
			t.Errorf("set before: %v: events of 1 %+v, of 2 %+v", isSetBefore, read.NewestAttempt().Events, act.NewestAttempt().Events)
		}
		if v := d.track.Variables[0]; v.IsStepGone || v.SetByStep != "2" || d.track.Overrides[0].Step != "2" {
			t.Errorf("set before: %v: value %+v, overrides %+v", isSetBefore, v, d.track.Overrides)
		}
	}
}

// TestFinalOutputAfterReload: after a reload, the final output of a completed run still belongs to its step.
func TestFinalOutputAfterReload(t *testing.T) {
	const first, last = "## STEP 1: Read\nRead it.\n\n", "## STEP %d: Write\nWrite it.\n\n"
	p := playbook.Parse("a.playbook.md", []byte("# T\n\n"+first+fmt.Sprintf(last, 2)+"## STEP 3: Sign\nSign it.\n"), playbook.Options{})
	for text, want := range map[string]string{fmt.Sprintf(last, 1) + "## STEP 2: Sign\nSign it.\n": "2", first + fmt.Sprintf(last, 2): ""} {
		d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
		for _, reply := range []string{"read", "written", "signed"} {
			d.run("")
			d.apply(d.m.ResultEvent(plan.Product{Text: reply}))
		}
		d.run("")
		after := playbook.Parse("a.playbook.md", []byte("# T\n\n"+text), playbook.Options{})
		e, err := d.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(p, after, nil)})
		if err != nil {
			t.Fatal(err)
		}
		d.apply(e)
		if final, ok := d.track.FinalArtifact(); !ok || final.RawText != "signed" || final.StepLabel != want {
			t.Errorf("final output %+v, want it from step %q", final, want)
		}
	}
}

// TestNextStepAfterReload: after a reload, the step that the run is about to enter has its new label.
func TestNextStepAfterReload(t *testing.T) {
	const first, rest = "## STEP 1: Read\nRead it.\n\n", "## STEP %d: Write\nWrite it.\n\n## STEP %d: Sign\nSign it.\n\n## STEP %d: Send\nSend it.\n"
	p := playbook.Parse("a.playbook.md", []byte("# T\n\n"+first+fmt.Sprintf(rest, 2, 3, 4)), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	for _, reply := range []string{"read", "written"} {
		d.run("")
		d.apply(d.m.ResultEvent(plan.Product{Text: reply}))
	}
	for d.track.DecidedRow != d.track.RowByLabel("2") {
		d.apply(*d.m.Next().Event)
	}
	after := playbook.Parse("a.playbook.md", []byte("# T\n\n"+fmt.Sprintf(rest, 1, 2, 3)), playbook.Options{})
	e, err := d.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(p, after, nil)})
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	if next := d.track.DestinationOrCurrentRow(); next.Title != "Sign" {
		t.Errorf("the run is about to enter %s %s", next.Label, next.Title)
	}
}

// TestEnteredStepsAfterReload: after a reload that gives the labels of entered steps to other steps, the entered steps
// are still found.
func TestEnteredStepsAfterReload(t *testing.T) {
	const deleted, rest = "## STEP 1: Read\nRead it.\n\n## STEP 2: Sort\nSort it.\n\n", "## STEP %d: Write\nWrite it.\n\n## STEP %d: Sign\nSign it.\n\n## STEP %d: Send\nSend it.\n\n## STEP %d: Wait\nWait.\n"
	p := playbook.Parse("a.playbook.md", []byte("# T\n\n"+deleted+fmt.Sprintf(rest, 3, 4, 5, 6)), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	for _, reply := range []string{"read", "sorted", "written"} {
		d.run("")
		d.apply(d.m.ResultEvent(plan.Product{Text: reply}))
	}
	d.run("")
	after := playbook.Parse("a.playbook.md", []byte("# T\n\n"+fmt.Sprintf(rest, 1, 2, 3, 4)), playbook.Options{})
	e, err := d.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(p, after, nil)})
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	var entered []string
	for r := range d.track.EnteredRows() {
		entered = append(entered, r.Title)
	}
	if got := strings.Join(entered, " "); got != "Sign Write" {
		t.Errorf("the run entered %s", got)
	}
	if over := d.track.JumpedOverRows(); over[d.track.RowByLabel("3")] {
		t.Error("the run did not jump over a step that comes next")
	}
}

// TestUntakenArmAfterReload: an untaken arm stays untaken when a reload moves it to another line.
func TestUntakenArmAfterReload(t *testing.T) {
	p := playbook.Parse("triage.playbook.md", []byte(branching), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	d.run("")
	d.apply(d.m.ResultEvent(plan.Product{Text: "high"}))
	d.run("")
	after := playbook.Parse("triage.playbook.md", []byte(strings.Replace(branching, "# Triage\n", "# Triage\n\nA longer\ndescription.\n", 1)), playbook.Options{})
	e, err := d.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(p, after, nil)})
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	for label, want := range map[string]bool{"2a": true, "2b": false} {
		if r := d.track.RowByLabel(label); r.IsInUntakenArm() != want {
			t.Errorf("%s: untaken %v", label, r.IsInUntakenArm())
		}
	}
}

// TestBranchesOfNewVisit: in a new visit, a step with its own text shows nothing of the branches of its earlier visit.
func TestBranchesOfNewVisit(t *testing.T) {
	p := playbook.Parse("triage.playbook.md", []byte(strings.Replace(branching, "Act\n", "Act\nThink.\n", 1)), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	for _, reply := range []string{"high", "thought", "woken"} {
		d.run("")
		d.apply(d.m.ResultEvent(plan.Product{Text: reply}))
	}
	d.run("")
	for _, change := range []func() (machine.Event, error){
		func() (machine.Event, error) { return d.m.JumpEvent("2", "") },
		func() (machine.Event, error) { return d.m.SetVariableEvent("severity", "low") },
	} {
		e, err := change()
		if err != nil {
			t.Fatal(err)
		}
		d.apply(e)
		d.run("")
	}
	d.apply(d.m.ResultEvent(plan.Product{Text: "thought"}))
	d.run("")
	for label, want := range map[string]Status{"2.if": Running, "2.else": Pending, "2b": Pending} {
		if r := d.track.RowByLabel(label); r.Status != want {
			t.Errorf("%s is %s", label, r.Status)
		}
	}
	if d.track.RowByLabel("2b").LastStatus() != Passed {
		t.Error("2b has lost its earlier visit")
	}
}

// TestLabelsOfDecisionAfterReloads: CurrentLabel returns the label that a decision's destination has in the current
// version.
func TestLabelsOfDecisionAfterReloads(t *testing.T) {
	versions := []string{"## STEP 1: A\nA.\n\n## STEP 2: B\nB.\n", "## STEP 1: New\nNew.\n\n## STEP 2: A\nA.\n\n## STEP 3: B\nB.\n",
		"## STEP 1: Newer\nNewer.\n\n## STEP 2: New\nNew.\n\n## STEP 3: A\nA.\n\n## STEP 4: B\nB.\n"}
	before := playbook.Parse("a.playbook.md", []byte("# T\n\n"+versions[0]), playbook.Options{})
	d := driver{t: t, m: machine.New(before, machine.Options{}), track: New(before)}
	d.run("")
	d.apply(d.m.ResultEvent(plan.Product{Text: "a"}))
	d.run("")
	for _, text := range versions[1:] {
		after := playbook.Parse("a.playbook.md", []byte("# T\n\n"+text), playbook.Options{})
		e, err := d.m.ReloadEvent(machine.Reload{Snapshot: "source.1", Match: match.Documents(before, after, nil)})
		if err != nil {
			t.Fatal(err)
		}
		d.apply(e)
		before = after
	}
	r := d.track.RowByLabel("3")
	if got := r.CurrentLabel(r.Decision, r.Decision.To); r.Title != "A" || r.Decision.To != "2" || got != "4" {
		t.Errorf("%s went to %s, now %s", r.Title, r.Decision.To, got)
	}
	if got := r.CurrentLabel(&machine.Decision{}, "2"); got != "2" {
		t.Errorf("another decision led to %s", got)
	}
}

// TestSameNumber: each of two steps with the same number has its own attempts.
func TestSameNumber(t *testing.T) {
	text := "# Twice\n## STEP 1: Ask\nAsk.\n## STEP 2: Sum up\nSum up.\n## STEP 2: Send\nSend it.\n"
	p := playbook.Parse("twice.playbook.md", []byte(text), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	d.run("ppp")
	for _, r := range d.track.Rows {
		if r.Status != Passed || len(r.StepAttempts) != 1 || r.StepAttempts[0].Actions[0].Text != plan.SourceText(r.Step.Text) {
			t.Errorf("%s %s is %s, with the attempts %+v", r.Label, r.Title, r.Status, r.StepAttempts)
		}
	}
	if r := d.track.CurrentRow; r.Title != "Send" {
		t.Errorf("the run is at %s", r.Title)
	}
}

// TestGroupsWithSameNumber: each of two groups with the same number has its own state.
func TestGroupsWithSameNumber(t *testing.T) {
	group := "## STEP 2: Act\n```if level == \"high\"```\n### STEP 2a: Page\nPage.\n```else```\n### STEP 2b: File\nFile.\n```endif```\n"
	p := playbook.Parse("twice.playbook.md", []byte("# Twice\n## STEP 1: Rate\nRate it.\n@output(level)\n"+group+group), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	for range 3 {
		d.run("")
		d.apply(d.m.ResultEvent(plan.Product{Text: "low"}))
	}
	d.run("")
	for _, r := range d.track.Rows[1:] {
		if r.Status != Passed || len(r.ArmChoices) != 1 {
			t.Errorf("%s is %s, with %d choices", r.Step.ID, r.Status, len(r.ArmChoices))
		}
	}
}

// TestAttemptOfBranch: a step without content of its own has one attempt for each visit, with the choice of its arm and its
// route, although it chooses before it is entered.
func TestAttemptOfBranch(t *testing.T) {
	p := playbook.Parse("triage.playbook.md", []byte(branching), playbook.Options{})
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	d.run("")
	for _, text := range []string{"low", "filed"} {
		d.apply(d.m.ResultEvent(plan.Product{Text: text}))
		d.run("")
	}
	if all := d.track.RowByLabel("2").AllAttempts(); len(all) != 1 || len(all[0].Events) != 3 {
		t.Errorf("%d attempts: %+v", len(all), all[0].Events)
	}
	e, err := d.m.JumpEvent("2", "")
	if err != nil {
		t.Fatal(err)
	}
	d.apply(e)
	d.run("")
	if all := d.track.RowByLabel("2").AllAttempts(); len(all) != 2 || len(all[1].Events) != 1 || all[1].Number != 1 {
		t.Errorf("%d attempts after a jump", len(all))
	}
}

// TestAttemptOfSeveralBranches: a step without content of its own that chooses twice before it is entered has one attempt
// for each visit. A jump between a choice and the arm begins another visit.
func TestAttemptOfSeveralBranches(t *testing.T) {
	const text = "# T\n\n## STEP 1: Rate\nRate it.\n@output(d)\n\n## STEP 2: Act\n```if d == \"deep\"```\n\n### STEP 2a: Read\nRead it.\n\n```endif```\n\n" +
		"```if d == \"quick\"```\n\n### STEP 2b: Skim\nSkim it.\n\n```endif```\n"
	p := playbook.Parse("a.playbook.md", []byte(text), playbook.Options{})
	for _, reply := range []string{"deep", "quick", "none"} {
		d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
		two := d.track.RowByLabel("2")
		checkAttempts := func(want int) {
			t.Helper()
			if all := two.AllAttempts(); len(all) != want {
				t.Errorf("%s: %d attempts, want %d", reply, len(all), want)
			}
		}
		d.run("")
		d.apply(d.m.ResultEvent(plan.Product{Text: reply}))
		for len(two.ArmChoices) == 0 {
			d.apply(*d.m.Next().Event)
		}
		e, err := d.m.JumpEvent("2", "")
		if err != nil {
			t.Fatal(err)
		}
		d.apply(e)
		checkAttempts(1)
		d.run("")
		checkAttempts(2)
	}
}
