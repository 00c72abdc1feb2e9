package rundown_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"playhead/parse/plan"
	"playhead/parse/rundown"
)

// TestEditSteps: after any insertion, copy, move or removal, steps are numbered without gaps and routes lead to the
// same steps as before.
func TestEditSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "steps")
		var doc strings.Builder
		doc.WriteString("# Title\n")
		for i := range n {
			to := (i + rapid.IntRange(1, n-1).Draw(t, "target")) % n
			heading := rapid.SampledFrom([]string{"## %d. Step %c", "## **%d. Step %c**", "## %d. Step %c ##", "\n%d Step %c\n---"}).Draw(t, "heading")
			fmt.Fprintf(&doc, heading+"\nText.\n- FAIL: GOTO %d\n", i+1, 'A'+i, to+1)
		}
		p := rundown.Parse("a.runbook.md", []byte(doc.String()), rundown.Options{})
		if !p.Runnable() {
			t.Fatal(p.Diagnostics)
		}
		step := func(name string) string { return rapid.SampledFrom(p.StepIDs()).Draw(t, name) }
		e := plan.StepEdit{Step: step("step"), OtherStep: step("other"), After: rapid.Bool().Draw(t, "after"), Text: "New one"}
		e.Verb = rapid.SampledFrom([]plan.StepVerb{plan.InsertStep, plan.DuplicateStep, plan.RemoveStep, plan.MoveStep}).Draw(t, "verb")
		text, err := rundown.EditSteps(p, e)
		if err != nil {
			if e.Verb == plan.MoveStep && e.Step == e.OtherStep || e.Verb == plan.RemoveStep && strings.Contains(err.Error(), "refers to step "+e.Step) {
				return
			}
			t.Fatal(err)
		}
		now := rundown.Parse("a.runbook.md", []byte(text), rundown.Options{})
		want := map[plan.StepVerb]int{plan.InsertStep: n + 1, plan.DuplicateStep: n + 1, plan.RemoveStep: n - 1, plan.MoveStep: n}[e.Verb]
		if len(now.Steps) != want {
			t.Fatalf("%d steps, want %d:\n%s", len(now.Steps), want, text)
		}
		leads := func(p *plan.Plan, s *plan.Step) string {
			for _, r := range s.Routes {
				if to := p.FindStep(r.Do.To.Step); to != nil {
					return to.Title
				}
			}
			return ""
		}
		for i, s := range now.Steps {
			if s.ID != fmt.Sprint(i+1) {
				t.Fatalf("step %s is at position %d:\n%s", s.ID, i+1, text)
			}
			for _, old := range p.Steps {
				if old.Title == s.Title && leads(p, old) != leads(now, s) {
					t.Fatalf("%s led to %q and leads to %q:\n%s", s.Title, leads(p, old), leads(now, s), text)
				}
			}
		}
	})
}

// TestEditStepsKeepsCode: a line of a script that looks like a heading is not counted and not renumbered.
func TestEditStepsKeepsCode(t *testing.T) {
	const script = "```bash\n## 1. a comment\necho a\n```\n"
	p := rundown.Parse("a.runbook.md", []byte("# Title\n\n## 1. A\n\n"+script+"\n## 2. B\n\nText.\n"), rundown.Options{})
	for verb, want := range map[plan.StepVerb]string{
		plan.DuplicateStep: "## 2. A copy\n\n" + script + "\n## 3. B\n",
		plan.InsertStep:    "## 2. New\n\n" + script + "\n## 3. B\n",
	} {
		text, err := rundown.EditSteps(p, plan.StepEdit{Verb: verb, Step: "1", After: true, Text: "New\n\n" + script})
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%s, %v:\n%s", verb, err, text)
		}
	}
}

// TestEditStepsWithIndentedHeading: a heading with up to three spaces of indentation, also without a blank line before
// it, is renumbered.
func TestEditStepsWithIndentedHeading(t *testing.T) {
	p := rundown.Parse("a.runbook.md", []byte("# Title\n\n## 1. A\n\n   ## 2. B\nText.\n   ### 2.1 C\n\n## 3. D\n\n- FAIL: GOTO 2\n"), rundown.Options{})
	text, err := rundown.EditSteps(p, plan.StepEdit{Verb: plan.DuplicateStep, Step: "1"})
	if err != nil || !strings.HasSuffix(text, "## 2. A copy\n\n   ## 3. B\nText.\n   ### 3.1 C\n\n## 4. D\n\n- FAIL: GOTO 3\n") {
		t.Errorf("%v:\n%s", err, text)
	}
}

// TestEditStepsReadsHeadings: a heading with emphasis, closing marks or an underline is copied and renumbered.
func TestEditStepsReadsHeadings(t *testing.T) {
	p := rundown.Parse("a.runbook.md", []byte("# Title\n\n## **1. A**\n\n### *1.1* B (bot)\n\n## 2. C ##\n\n3 D\n---\n\n- FAIL: GOTO 2\n"), rundown.Options{})
	for step, want := range map[string]string{
		"1":   "## **1. A**\n\n### *1.1* B (bot)\n\n## **2. A copy**\n\n### *2.1* B (bot)\n\n## 3. C ##\n\n4 D\n---\n\n- FAIL: GOTO 3\n",
		"1.1": "## **1. A**\n\n### *1.1* B (bot)\n\n### *1.2* B copy (bot)\n\n## 2. C ##\n\n3 D\n---\n\n- FAIL: GOTO 2\n",
		"2":   "## **1. A**\n\n### *1.1* B (bot)\n\n## 2. C ##\n\n## 3. C copy ##\n\n4 D\n---\n\n- FAIL: GOTO 2\n",
		"3":   "## **1. A**\n\n### *1.1* B (bot)\n\n## 2. C ##\n\n3 D\n---\n\n- FAIL: GOTO 2\n\n4 D copy\n---\n\n- FAIL: GOTO 2\n",
	} {
		text, err := rundown.EditSteps(p, plan.StepEdit{Verb: plan.DuplicateStep, Step: step, After: true})
		if err != nil || text != "# Title\n\n"+want {
			t.Errorf("step %s: %v\n%s", step, err, text)
		}
	}
}

// TestCopyOfNamedStep: the copy of a named step has substeps of its own.
func TestCopyOfNamedStep(t *testing.T) {
	p := rundown.Parse("a.runbook.md", []byte("# Title\n\n## Build\n\n### Build.1 A\n\nText.\n\n### Build.b B\n\nText.\n"), rundown.Options{})
	text, err := rundown.EditSteps(p, plan.StepEdit{Verb: plan.DuplicateStep, Step: "Build"})
	want := string(p.Source) + "\n## BuildCopy\n\n### BuildCopy.1 A\n\nText.\n\n### BuildCopy.b B\n\nText.\n"
	if err != nil || text != want {
		t.Errorf("%v:\n%s", err, text)
	}
	if copied := rundown.Parse("a.runbook.md", []byte(text), rundown.Options{}); !copied.Runnable() {
		t.Error(copied.Diagnostics)
	}
}

// TestCopyOfUntitledSubstep: the title of the copy comes between the ID and the agent.
func TestCopyOfUntitledSubstep(t *testing.T) {
	for heading, want := range map[string]string{"### 1.1 (bot)": "### 1.2 copy (bot)", "### 1.1": "### 1.2 copy"} {
		p := rundown.Parse("a.runbook.md", []byte("# Title\n\n## 1. A\n\n"+heading+"\n\nText.\n"), rundown.Options{})
		text, err := rundown.EditSteps(p, plan.StepEdit{Verb: plan.DuplicateStep, Step: "1.1"})
		if err != nil || !strings.HasSuffix(text, heading+"\n\nText.\n\n"+want+"\n\nText.\n") {
			t.Errorf("%v:\n%s", err, text)
		}
	}
}

// TestEditStepsKeepsByteOrderMark: the mark stays at the beginning, and the heading after it is renumbered.
func TestEditStepsKeepsByteOrderMark(t *testing.T) {
	p := rundown.Parse("a.runbook.md", []byte("\ufeff## 1. A\r\n\r\n## 2. B\r\n"), rundown.Options{})
	text, err := rundown.EditSteps(p, plan.StepEdit{Verb: plan.InsertStep, Step: "1", Text: "New"})
	if want := "\ufeff## 1. New\r\n\r\n## 2. A\r\n\r\n## 3. B\r\n"; err != nil || text != want {
		t.Errorf("%v: %q", err, text)
	}
}

// TestEditStepsRefusesUnreadableHeadings: an edit is refused if a heading's number is not on its line as plain text.
func TestEditStepsRefusesUnreadableHeadings(t *testing.T) {
	const refusal = "the heading on line 5 cannot be renumbered: edit the file yourself"
	for heading, want := range map[string]string{
		"2\nB\n---":              refusal,
		"**2 B\nmore**\n---":     refusal,
		"## [2. B][r]":           refusal,
		"### *1*.1 B":            refusal,
		"**Build\nmore**\n---":   "", // it has no number
		"2 [B\nmore][r]\n---":    "",
		"## 2. *B* `## 7. code`": "",
	} {
		p := rundown.Parse("a.runbook.md", []byte("# Title\n\n## 1. A\n\n"+heading+"\n\nText.\n\n[r]: https://example.org\n"), rundown.Options{})
		if !p.Runnable() {
			t.Fatal(heading, p.Diagnostics)
		}
		text, err := rundown.EditSteps(p, plan.StepEdit{Verb: plan.DuplicateStep, Step: "1"})
		if got := fmt.Sprint(err); want != "" && got != want || want == "" && err != nil {
			t.Errorf("%q: %s\n%s", heading, got, text)
		}
	}
}
