package machine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

// releaseCheck is the worked example of rundown.md §7.1, tenants that of §7.2.
const (
	releaseCheck = `# Release check
## 1. Verify
- PASS ALL: CONTINUE
- FAIL ANY: RETRY 1 GOTO Repair
### 1.1 Unit tests
~~~bash
make test
~~~
### 1.2 Lint
- FAIL: RETRY 2 CONTINUE

A warning counts as a failure.
~~~sh
make lint
~~~
## 2. Mirrors
One mirror is enough.
- PASS ANY: CONTINUE
- FAIL ALL: STOP "no mirror answers"
### 2.1 Europe (net)
### 2.2 Asia (net)
## 3. Approve
Ship this build?
- YES: COMPLETE "approved"
- NO: STOP rejected
## Repair
~~~prompt
Undo the last merge, then clean the tree.
~~~
- PASS: GOTO 1
- FAIL: STOP "cannot repair"
`
	tenants = `# Move tenants
## {N}. Batch
Fetch batch {N}.
### {N}.{n} Tenant
Tenant {n} of batch {N}.
~~~sh
./move "$PLAYHEAD_STEP"
~~~
- PASS: GOTO NEXT
- FAIL: GOTO Diagnose
## Diagnose
Worth another try? If the batch is done, answer NO.
- YES: GOTO {N}.{n}
- NO: GOTO More
## More
Another batch?
- YES: GOTO NEXT {N}
- NO: COMPLETE "all moved"
`
)

// TestRundown walks documents through rundown.md §5: outcomes in, path and end out.
func TestRundown(t *testing.T) {
	tests := []struct {
		name, doc, outcomes, path, end string
	}{
		{"§7.1", releaseCheck, "pass fail fail fail fail pass pass pass fail pass no",
			"1.1 1.2 1.2 1.2 1.1 Repair 1.1 1.2 2.1 2.2 3", `stopped "rejected"`},
		{"§7.2", tenants, "pass fail yes pass fail no yes fail no no",
			"1.1 1.2 Diagnose 1.2 1.3 Diagnose More 2.1 Diagnose More", `completed "all moved"`},
		{"§5.3 defaults: PASS continues past the last step", "## 1 A\n## 2 B\n", "pass pass", "1 2", "completed"},
		{"§5.3 defaults: FAIL stops", "## 1 A\n## 2 B\n", "fail", "1", "stopped"},
		{"§5.3 CONTINUE skips named steps", "## 1 A\n## X\n## 2 B\n", "pass pass", "1 2", "completed"},
		{"§5.3 CONTINUE from a named step goes on in document order", "## 1 A\n- FAIL: GOTO X\n## X\n## Y\n## 2 B\n", "fail pass pass", "1 X 2", "completed"},
		{"§5.1 the first executable step, even of a named step", "## X\n### X.1 a\n## 1 A\n", "pass pass", "X.1 1", "completed"},
		{"§5.3 a substep that writes nothing stops where the step writes nothing", "## 1 A\n### 1.1 a\n### 1.2 b\n## 2 B\n", "fail", "1.1", "stopped"},
		{"§5.3 pessimistic: the step's fail side at once", "## 1 A\n- FAIL ANY: GOTO X\n### 1.1 a\n### 1.2 b\n## X\n", "fail pass", "1.1 X", "completed"},
		{"§5.3 a substep that writes only PASS has no written FAIL", "## 1 A\n- PASS: CONTINUE\n### 1.1 a\n- PASS: CONTINUE\n### 1.2 b\n## 2 B\n", "fail", "1.1", "stopped"},
		{"§5.3 optimistic runs all; one PASS is enough", "## 1 A\n- PASS ANY: CONTINUE\n- FAIL ALL: STOP\n### 1.1 a\n### 1.2 b\n### 1.3 c\n## 2 B\n", "fail pass fail pass", "1.1 1.2 1.3 2", "completed"},
		{"§5.3 optimistic: all failed", "## 1 A\n- FAIL ALL: COMPLETE none\n### 1.1 a\n### 1.2 b\n", "fail fail", "1.1 1.2", `completed "none"`},
		{"§5.3 outcomes count, not what was done about them", "## 1 A\n- FAIL ANY: COMPLETE bad\n### 1.1 a\n- FAIL: CONTINUE\n### 1.2 b\n", "fail pass", "1.1 1.2", `completed "bad"`},
		{"§5.3 substeps jumped over do not count", "## 1 A\n- PASS ALL: COMPLETE good\n### 1.1 a\n- PASS: GOTO 1.3\n### 1.2 b\n### 1.3 c\n", "pass pass", "1.1 1.3", `completed "good"`},
		{"§5.3 RETRY of a step clears results and starts again", "## 1 A\n- FAIL: RETRY 1 COMPLETE worn\n### 1.1 a\n### 1.2 b\n", "pass fail pass fail", "1.1 1.2 1.1 1.2", `completed "worn"`},
		{"§5.3 named substeps take part in the order", "## 1 A\n### 1.1 a\n### 1.Mid m\n### 1.2 b\n", "pass pass pass", "1.1 1.Mid 1.2", "completed"},
		{"§5.4 RETRY 2 tolerates two failures", "## 1 A\n- FAIL: RETRY 2 COMPLETE worn\n", "fail fail fail", "1 1 1", `completed "worn"`},
		{"§5.4 one retry counter serves both sides", "## 1 A\n- PASS: RETRY 1 COMPLETE p\n- FAIL: RETRY 1 COMPLETE f\n", "fail pass", "1 1", `completed "p"`},
		{"§5.4 PASS: RETRY 3 takes four passes", "## 1 A\n- PASS: RETRY 3 CONTINUE\n", "pass pass pass pass", "1 1 1 1", "completed"},
		{"§5.4 GOTO enters with the counter at 0", "## 1 A\n- FAIL: RETRY 1 GOTO 2\n## 2 B\n- FAIL: RETRY 1 GOTO 1\n", "fail fail fail fail fail fail", "1 1 2 2 1 1 2", ""},
		{"§5.4 GOTO 1 on 1.1 counts as its attempt", "## 1 A\n### 1.1 a\n- FAIL: RETRY 1 GOTO 1\n- PASS: GOTO 1\n", "pass fail", "1.1 1.1 1.1", ""},
		{"§5.5 GOTO N.M from outside is a new visit", "## 1 A\n- FAIL ANY: RETRY 1 STOP worn\n### 1.1 a\n- FAIL: CONTINUE\n### 1.2 b\n- PASS: GOTO X\n## X\n- PASS: GOTO 1.2\n", "fail pass pass fail", "1.1 1.2 X 1.2 1.1", ""},
		{"§5.6 NEXT raises, CONTINUE leaves", "## {N} A\n- PASS: GOTO NEXT\n- FAIL: CONTINUE\n", "pass pass fail", "1 2 3", "completed"},
		{"§5.6 {N} keeps its number across jumps", "## {N} A\n- PASS: GOTO NEXT\n- FAIL: GOTO X\n## X\n- PASS: GOTO {N}\n", "pass fail pass pass", "1 2 X 2 3", ""},
		{"§5.6 {n} is 1 whenever its step is entered at the start", "## 1 A\n### 1.{n} a\n- PASS: GOTO NEXT\n- FAIL: GOTO X\n## X\n- PASS: GOTO 1\n", "pass fail pass", "1.1 1.2 X 1.1", ""},
		{"§5.5 form 8 goes to the current {n}", "## 1 A\n### 1.{n} a\n- PASS: GOTO NEXT\n- FAIL: GOTO X\n## X\n- PASS: GOTO 1.{n}\n- FAIL: GOTO NEXT 1.{n}\n", "pass fail pass fail fail", "1.1 1.2 X 1.2 X 1.3", ""},
		{"§5.5 form 12 is 1 if never entered", "## X\n- PASS: GOTO NEXT 1.{n}\n## 1 A\n### 1.{n} a\n- PASS: STOP\n", "pass pass", "X 1.1", "stopped"},
		{"§5.5 form 10 with no instance is 1", "## X\n- PASS: GOTO NEXT {N}\n## {N} A\n### {N}.1 a\n", "pass pass", "X 1.1", "completed"},
		{"§5.5 forms 5 and 6", "## {N} A\n### {N}.1 a\n### {N}.2 b\n- PASS: GOTO NEXT {N}\n- FAIL: GOTO X\n## X\n- PASS: GOTO {N}.2\n- FAIL: GOTO {N}\n", "pass pass pass fail pass fail fail", "1.1 1.2 2.1 2.2 X 2.2 X 2.1", ""},
		{"§5.5 a person's jump has counter 0", "## 1 A\n- FAIL: RETRY 1 STOP\n", "fail|goto 1|fail|fail", "1 1 1 1", "stopped"},
		{"§5.3 nothing counts: pessimistic passes", "## 1 A\n- PASS ALL: COMPLETE none\n### 1.1 a\n### 1.2 b\n", "skip skip", "1.1 1.2", `completed "none"`},
		{"§5.3 nothing counts: optimistic fails", "## 1 A\n- FAIL ALL: COMPLETE none\n### 1.1 a\n### 1.2 b\n", "skip skip", "1.1 1.2", `completed "none"`},
		{"§5.2 prompt blocks wait for a person", "## 1 A\n~~~prompt\nlook\n~~~\n", "pass", "1", "completed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t, parse(t, tt.doc), machine.Options{}).feed(words(tt.outcomes)...)
			if d := cmp.Diff(strings.Fields(tt.path), r.m.EnteredStepLabels()); d != "" {
				t.Errorf("path: %s\ndecisions:\n%s", d, strings.Join(r.decisions(), "\n"))
			}
			result, message := r.result()
			end := string(result)
			if message != "" {
				end += ` "` + message + `"`
			}
			if end != tt.end {
				t.Errorf("ended %q, want %q\ndecisions:\n%s", end, tt.end, strings.Join(r.decisions(), "\n"))
			}
		})
	}
}

// words splits outcomes at blanks, or at | where an outcome has an argument.
func words(s string) []string {
	if strings.Contains(s, "|") {
		return strings.Split(s, "|")
	}
	return strings.Fields(s)
}

func parse(t *testing.T, doc string) *plan.Plan {
	t.Helper()
	p := rundown.Parse("test.runbook.md", []byte(doc), rundown.Options{})
	for _, d := range p.Diagnostics {
		if d.Severity == plan.Error {
			t.Fatal(d)
		}
	}
	return p
}

// TestRetriesByHand (rundown.md §5.4): a person's retry is another attempt, but uses none of the document's retries.
// The reason never counts more of these than there are.
func TestRetriesByHand(t *testing.T) {
	r := start(t, parse(t, "## 1 A\n- FAIL: RETRY 1 STOP\n"), machine.Options{}).feed("fail", "fail")
	again, err := r.m.RetryEvent("")
	if err != nil {
		t.Fatal(err)
	}
	r.apply(again)
	r.feed("fail")
	var why []string
	attempt := 0
	for _, e := range r.events {
		if d, is := e.Body.(*machine.Decision); is && d.CandidateIndex != nil {
			why, attempt = append(why, wording.CandidateReason(d, *d.CandidateIndex)), e.Attempt
		}
	}
	want := []string{"fail; 0 of 1 retry used", "fail; 1 of 1 retry used: STOP", "fail; 1 of 1 retry used: STOP"}
	if d := cmp.Diff(want, why); d != "" || attempt != 3 {
		t.Errorf("attempt %d: %s", attempt, d)
	}
}

// TestJumpInChild: inside an included document, a jump target is a step of that document, or after a slash one of the
// root document. Any other target is refused.
func TestJumpInChild(t *testing.T) {
	p := parse(t, "## 1 A\n- child.runbook.md\n## 2 B\n## 3 C\n")
	p.IncludedDocuments = []plan.IncludedDocument{{WrittenPath: "child.runbook.md", Name: "child", Plan: parse(t, "## 1 X\n## 2 Y\n")}}
	r := start(t, p, machine.Options{})
	r.settle()
	if _, err := r.m.JumpEvent("3", ""); err == nil {
		t.Error("a jump left the included document for a step of the root")
	}
	r.feed("goto 2", "goto /3")
	if d := cmp.Diff([]string{"1", "1/child/1", "1/child/2", "3"}, r.m.EnteredStepLabels()); d != "" {
		t.Error(d)
	}
}

// TestEditInChild: an edit applies to the step that it names, wherever the run is. A step with the same ID in another
// document stays as it is.
func TestEditInChild(t *testing.T) {
	p := parse(t, "## 1 A\n- child.runbook.md\n## 2 B\n```sh\nroot\n```\n")
	p.IncludedDocuments = []plan.IncludedDocument{{WrittenPath: "child.runbook.md", Name: "child", Plan: parse(t, "## 1 X\n## 2 Y\n```sh\nchild\n```\n")}}
	r := start(t, p, machine.Options{})
	edit := func(target string) error {
		e, err := r.m.EditEvent(target, 0, "changed")
		if err == nil {
			r.apply(e)
		}
		return err
	}
	if err := edit("1/child/2"); err == nil {
		t.Error("a step was edited in a document that the run is not in")
	}
	r.settle()
	if err := edit("/2"); err != nil {
		t.Fatal(err)
	}
	runs := func() string { return r.settle().Effect.(*machine.RunCommand).Text }
	r.feed("pass")
	if text := runs(); text != "child" {
		t.Errorf("the child's step runs %q", text)
	}
	r.feed("pass")
	if text := runs(); text != "changed" {
		t.Errorf("the root's step runs %q", text)
	}
}

// TestMissingChildren: missing included documents count as failed, each under its own name.
func TestMissingChildren(t *testing.T) {
	p := parse(t, "## 1 A\n- PASS ANY: CONTINUE\n- gone.runbook.md\n- gone.runbook.md\n")
	p.IncludedDocuments = []plan.IncludedDocument{{WrittenPath: "gone.runbook.md", Name: "gone", LoadProblem: "there is no such file"}}
	r := start(t, p, machine.Options{}).feed()
	var results plan.ChildResults
	for _, e := range r.events {
		if d, ok := e.Body.(*machine.Decision); ok {
			results = d.Outcome.ChildResults
		}
	}
	want := plan.ChildResults{{Label: "gone", Result: plan.Failed}, {Label: "gone~2", Result: plan.Failed}}
	if d := cmp.Diff(want, results); d != "" {
		t.Error(d)
	}
}
