package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/parse/playbook"
)

const triage = `# Triage
A ticket is sorted.

## SYSTEM
You sort tickets.

## STEP 1: Rate
Rate {{ticket}}.
@output(severity, extract:"severity")

## STEP 2: Act
First, breathe.

` + "```if severity == \"high\"```" + `
### STEP 2a: Page
@elicit(select, "Whom?", "ann", "bob")
Write to {{__elicit_step_2}}.
` + "```else```" + `
### STEP 2b: File
File it.
` + "```endif```" + `

## STEP 3: Sum up
@prompt(file:style.md)
Sum up.
@output(summary)
`

// TestPlaybook: a model's reply decides a branch. An answer and a fetched text become part of a prompt, and earlier
// outputs part of the system message (playbook.md §5, §7).
func TestPlaybook(t *testing.T) {
	p := playbook.Parse("triage.playbook.md", []byte(triage), playbook.Options{})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	r := &run{t: t, m: machine.New(p, machine.Options{})}
	first := *r.m.Next().Event
	first.Body.(*machine.RunStarted).Inputs = map[string]any{"ticket": "disk full"}
	r.apply(first)

	call := r.settle().Effect.(*machine.CallModel)
	if call.Prompt != "Rate disk full." || !strings.HasPrefix(call.SystemMessage, "You sort tickets.") {
		t.Errorf("asked %q under %q", call.Prompt, call.SystemMessage)
	}
	r.apply(r.m.ResultEvent(plan.Product{Text: `It is {"severity": "high"}.`}))

	if call := r.settle().Effect.(*machine.CallModel); call.Prompt != "First, breathe." {
		t.Errorf("asked %q", call.Prompt)
	}
	r.apply(r.m.ResultEvent(plan.Product{Text: "Done."}))
	if q := r.settle().Question; q == nil || q.Prompt != "Whom?" || cmp.Diff([]string{"ann", "bob"}, q.Options) != "" {
		t.Fatalf("question %+v", q)
	}
	if _, err := r.m.AnswerEvent(machine.Answer{Value: "carl", By: machine.ByPerson}); err == nil {
		t.Error("an answer that is not an option is accepted")
	}
	r.feed("bob")
	call = r.settle().Effect.(*machine.CallModel)
	if call.Prompt != "Write to bob." || !strings.Contains(call.SystemMessage, `It is {"severity": "high"}.`) {
		t.Errorf("asked %q under %q", call.Prompt, call.SystemMessage)
	}
	r.apply(r.m.ResultEvent(plan.Product{Text: "Dear bob"}))

	if fetch := r.settle().Effect.(*machine.FetchText); fetch.Scheme != "file" || fetch.Name != "style.md" {
		t.Errorf("fetches %+v", fetch)
	}
	r.apply(r.m.ResultEvent(plan.Product{Text: "Be brief."}))
	call = r.settle().Effect.(*machine.CallModel)
	if call.Prompt != "Be brief.\n\nSum up." {
		t.Errorf("asked %q", call.Prompt)
	}
	r.apply(r.m.ResultEvent(plan.Product{Text: "All well."}))
	r.settle()

	if result, _ := r.result(); result != plan.Completed {
		t.Errorf("ended %s", result)
	}
	if d := cmp.Diff([]string{"1", "2", "2a", "3"}, r.m.EnteredStepLabels()); d != "" {
		t.Error(d)
	}
	got := r.m.Next().Result.Variables
	want := map[string]any{"ticket": "disk full", "severity": "high", "__elicit_step_2": "bob", "summary": "All well."}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := r.decisions()[1]; got != `2 -> 2a: if severity == "high"` {
		t.Errorf("branch decided as %q", got)
	}
}

// TestOwnOutputBesideBranch: the output of a step's own text is context for its branch, or for later steps if no branch
// is taken. It can be the final output (playbook.md §4, §7).
func TestOwnOutputBesideBranch(t *testing.T) {
	const branch = "```if x == \"1\"```\n### STEP %sa: A\nNever.\n"
	doc := "# A\n## STEP 1: One\nFirst.\n" + fmt.Sprintf(branch, "1") + "```else```\n### STEP 1b: B\nArm.\n```endif```\n" +
		"## STEP 2: Two\nSecond.\n" + fmt.Sprintf(branch, "2") + "```endif```\n"
	r := start(t, playbook.Parse("a.playbook.md", []byte(doc), playbook.Options{}), machine.Options{})
	for i, want := range []struct{ prompt, context string }{{"First.", ""}, {"Arm.", "reply 0"}, {"Second.", "reply 1"}} {
		call := r.settle().Effect.(*machine.CallModel)
		if call.Prompt != want.prompt || !strings.Contains(call.SystemMessage, want.context) {
			t.Errorf("asked %q under %q", call.Prompt, call.SystemMessage)
		}
		r.apply(r.m.ResultEvent(plan.Product{Text: fmt.Sprint("reply ", i)}))
	}
	r.settle()
	if label, text := r.m.FinalOutput(); label != "2" || text != "reply 2" {
		t.Errorf("the final output is %q, of step %s", text, label)
	}
}

// TestCallsFail: a failed call fails the step and the run; text that cannot be
// fetched is a warning only (playbook.md §5, §7).
func TestCallsFail(t *testing.T) {
	p := playbook.Parse("a.playbook.md", []byte("# A\n## STEP 1: One\n@prompt(file:gone.md)\nSay it.\n"), playbook.Options{})
	r := start(t, p, machine.Options{})
	r.settle()
	r.apply(r.m.ResultEvent(plan.Product{Err: "there is no gone.md"}))
	if call := r.settle().Effect.(*machine.CallModel); call.Prompt != "Say it." {
		t.Errorf("asked %q", call.Prompt)
	}
	r.apply(r.m.ResultEvent(plan.Product{Err: "the server is away"}))
	r.settle()
	result, message := r.result()
	if result != plan.RunFailed || !strings.Contains(message, "the server is away") {
		t.Errorf("ended %s %q", result, message)
	}
	warned := 0
	for _, e := range r.events {
		if w, ok := e.Body.(*machine.WarningRecorded); ok && w.Code == "playbook/prompt-unresolved" {
			warned++
		}
	}
	if warned != 1 {
		t.Errorf("%d warnings", warned)
	}
}

// TestNoPromptLeft: if a step has nothing to send because a text cannot be fetched, it is a step without a prompt: no model
// is asked, the answer to a question is its output, and its branches are decided (playbook.md §5, §4).
func TestNoPromptLeft(t *testing.T) {
	const arm = "```if x == \"yes\"```\n### STEP 1a: B\n@elicit(confirm, \"B?\")\n```endif```\n"
	for doc, want := range map[string]string{
		"@output(x)\n": "1 pass map[]",
		"@elicit(confirm, \"Go?\")\n@output(x)\n":       "1 pass map[__elicit_step_1:yes x:yes]",
		"@elicit(confirm, \"Go?\")\n@output(x)\n" + arm: "1 1a pass map[__elicit_step_1:yes x:yes]",
		arm: "1 skipped map[]",
	} {
		r := start(t, playbook.Parse("a.playbook.md", []byte("# A\n## STEP 1: A\n@prompt(file:gone.md)\n"+doc), playbook.Options{}), machine.Options{})
		n := r.settle()
		for ; n.Result == nil; n = r.settle() {
			if n.Effect == nil {
				r.one(n, "yes")
				continue
			}
			if _, fetches := n.Effect.(*machine.FetchText); !fetches {
				t.Fatalf("%q: performs %T", doc, n.Effect)
			}
			r.apply(r.m.ResultEvent(plan.Product{Err: "there is no gone.md"}))
		}
		var ended plan.Result
		for _, e := range r.events {
			if b, ends := e.Body.(*machine.StepFinished); ends && e.Step == "1" {
				ended = b.Result
			}
		}
		got := fmt.Sprintf("%s %s %v", strings.Join(r.m.EnteredStepLabels(), " "), ended, n.Result.Variables)
		if got != want || r.warnings()[0] != "playbook/prompt-unresolved" {
			t.Errorf("%q: %s, warnings %v, want %s", doc, got, r.warnings(), want)
		}
	}
}

// TestLeftOut: when the run ignores a part of the document, it records a warning for the step of that part, even if the
// step has nothing but branches, and before it enters another step.
func TestLeftOut(t *testing.T) {
	doc := "# T\n## STEP 1: A\n```if d = 'a'```\nx\n```endif```\n```if d == \"a\"```\n### STEP 1a: B\n@elicit(ask, \"x\")\ny\n```endif```\n" +
		"```if d == \"b\"```\n### STEP 1b: C\nz\n```endif```\n## STEP 2: D\n@elicit[confirm]\n@elicit(confirm, \"Go on?\")\n"
	r := start(t, playbook.Parse("a.playbook.md", []byte(doc), playbook.Options{}), machine.Options{})
	if q := r.settle().Question; q == nil || q.Prompt != "Go on?" {
		t.Fatalf("asks %+v", q)
	}
	var got []string
	for _, e := range r.events {
		switch b := e.Body.(type) {
		case *machine.WarningRecorded:
			got = append(got, e.Step+" "+b.Code)
		case *machine.StepFinished:
			got = append(got, e.Step+" "+fmt.Sprintf("%s: %d untaken, %s", b.Result, len(b.Outcome.UntakenBranches), b.Outcome.UntakenBranches[0].ComparisonText()))
		}
	}
	want := []string{"1 playbook/condition-syntax", "1 skipped: 2 untaken, d is not set", "2 playbook/directive-like"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestStepTextBeforeArm: a run that is paused before an arm is chosen shows the text of the step with the arms, not that of
// the last step that ran (contract, waiting).
func TestStepTextBeforeArm(t *testing.T) {
	const arm = "```if x == \"\"```\n### STEP %s: Sub\n@elicit(confirm, \"Sub?\")\n```endif```\n"
	doc := "# T\n## STEP 1: First\n@elicit(confirm, \"First?\")\none {{name:string:x}}\n## STEP 2: Branch only\n" + fmt.Sprintf(arm, "2a") +
		"## STEP 3: Both\nthree {{name:string:x}}\n" + fmt.Sprintf(arm, "3a") + fmt.Sprintf(arm, "3b")
	r := start(t, playbook.Parse("a.playbook.md", []byte(doc), playbook.Options{}), machine.Options{})
	var got []string
	for n := r.m.Next(); n.Result == nil; n = r.m.Next() {
		switch {
		case n.Event == nil:
			r.one(n, "yes")
			continue
		case n.Event.Body.Type() == "routed" && n.Event.Body.(*machine.Decision).IsArmChoice():
			got = append(got, n.Event.Step+": "+r.m.WaitingWhilePaused(n.Event).StepText)
		}
		r.apply(*n.Event)
	}
	if d := cmp.Diff([]string{"2: ", "3: three x", "3: three x"}, got); d != "" {
		t.Error(d)
	}
}

// TestUndefinedInQuestion: a placeholder in a question that nothing defines gives a warning when the question is asked
// (playbook.md §3).
func TestUndefinedInQuestion(t *testing.T) {
	doc := "# T\n## STEP 1: Ask\n@elicit(input, \"Hello {{ghost}} and {{ghost}}, who?\")\n"
	r := start(t, playbook.Parse("a.playbook.md", []byte(doc), playbook.Options{}), machine.Options{})
	q := r.settle().Question
	if w := r.warnings(); q.Prompt != "Hello {{ghost}} and {{ghost}}, who?" || len(w) != 1 || w[0] != "playbook/placeholder-undefined" {
		t.Errorf("asks %q, warnings %q", q.Prompt, w)
	}
}
