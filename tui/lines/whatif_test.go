package lines

import (
	"strings"
	"testing"
	"testing/fstest"

	"playhead/engine"
	"playhead/parse"
	"playhead/parse/plan"
)

// branches returns a document with a decision between branches.
func branches() *plan.Plan {
	return parse.Load("go.playbook.md", parse.Options{FS: fstest.MapFS{"go.playbook.md": {Data: []byte("# Go\n\n" +
		"## STEP 1: Where\n\n@elicit(select, \"which?\", \"low\", \"high\")\n\n" +
		"## STEP 2: Go\n\n```if __elicit_step_1 == \"low\"```\n\n### STEP 2a: Low\n\n@elicit(confirm, \"down?\")\n\n" +
		"```else```\n\n### STEP 2b: High\n\n@elicit(confirm, \"up?\")\n\n```endif```\n\n" +
		"## STEP 3: End\n\n@elicit(confirm, \"bye?\")\n")}}})
}

// TestWhatIfAtBranches: at a step that decided between branches, and at its branches, :what-if and :why are about that
// decision, both before and after its group ends.
func TestWhatIfAtBranches(t *testing.T) {
	got, _ := followManualReplies(t, branches(), nil, ":break 2:after to 3", "high", "yes", ":what-if 2", ":continue",
		":what-if 2", ":what-if 2.if", ":what-if 2.else", ":what-if 2a", ":what-if 2 __elicit_step_1=low", ":why 2", ":quit")
	for text, n := range map[string]int{
		"  possible changes at step 2, line 9:\n":                             5,
		"  with this change, step 2 decides:\n":                               1,
		"  -> 2a\n":                                                           1,
		"  line 9, if __elicit_step_1 == \"low\": no match: ":                 1,
		"  line 15, else: taken\n  -> 2b\n  default, pass: continue: taken: ": 1,
	} {
		if strings.Count(got, text) != n {
			t.Errorf("want %d times %q in\n%s", n, text, got)
		}
	}
}

// TestWhyAfterAnotherVisit: at a branch that ran in an earlier visit of its step, :why is about the newest decision
// between the branches, even if the step itself asked for the value that they compare.
func TestWhyAfterAnotherVisit(t *testing.T) {
	asksItself := parse.Load("go.playbook.md", parse.Options{FS: fstest.MapFS{"go.playbook.md": {Data: []byte("# Go\n\n" +
		"## STEP 1: Where\n\n@elicit(select, \"which?\", \"low\", \"high\")\n\n```if __elicit_step_1 == \"low\"```\n\n### STEP 1a: Low\n\n@elicit(confirm, \"down?\")\n\n" +
		"```else```\n\n### STEP 1b: High\n\n@elicit(confirm, \"up?\")\n\n```endif```\n\n## STEP 2: End\n\n@elicit(confirm, \"bye?\")\n")}}})
	for branch, p := range map[string]*plan.Plan{"1": asksItself, "2": branches()} {
		got, _ := followManualReplies(t, p, nil, ":break 3", "low", "yes", ":jump 1", "high", "yes", ":why "+branch+"a", ":why "+branch+".if", ":quit")
		if strings.Count(got, "no match") != 2 || strings.Contains(got, "  from "+branch+", line ") {
			t.Errorf(":why is not about the second visit:\n%s", got)
		}
	}
}

// TestWhyOfUnchosenBranch: at a branch to which a person jumped, :why and :what-if are not about the earlier decision
// for another branch.
func TestWhyOfUnchosenBranch(t *testing.T) {
	got, _ := followManualReplies(t, branches(), nil, ":break 3", "low", "yes", ":jump 2b", "yes", ":why 2b", ":why 2.else", ":what-if 2b", ":quit")
	if strings.Contains(got, "else: not evaluated") || strings.Count(got, "from 2, jump to 2b by a person") != 1 || !strings.Contains(got, "  possible changes at step 2b, ") {
		t.Errorf(":why is not about the jump:\n%s", got)
	}
}

// TestNoBranch: :why and :map say that no branch was taken, and :why says that a person jumped.
func TestNoBranch(t *testing.T) {
	p := parse.Load("go.playbook.md", parse.Options{FS: fstest.MapFS{"go.playbook.md": {Data: []byte("# Go\n\n" +
		"## STEP 1: Where\n\n@elicit(confirm, \"go?\")\n\n```if __elicit_step_1 == \"yes\"```\n\n### STEP 1a: Low\n\n@elicit(confirm, \"down?\")\n\n```endif```\n\n" +
		"## STEP 2: End\n\n@elicit(confirm, \"bye?\")\n")}}})
	got, _ := followManualReplies(t, p, nil, ":break 2", "no", ":why 1", ":map", ":jump 1a it is deep", ":why", ":quit")
	wantLines(t, got, "  no branch taken -> end of group 1", "    no branch matches -> 2 (default), taken once", "  from 1, jump to 1a by a person: \"it is deep\"")
}

// TestWhyOfOverride: :why says that a person overrode an outcome or marked all retries as used.
func TestWhyOfOverride(t *testing.T) {
	got, _ := follow(t, "## 1. Fine?\n- YES: CONTINUE\n- NO: RETRY 1 CONTINUE\n## 2. Sure?\n- YES: CONTINUE\n- NO: CONTINUE\n## 3. Done?\n- YES: COMPLETE\n",
		engine.Config{}, false, ":break 1:after", "no", ":what-if retries=used", ":what-if yes", ":why 1", ":break 3", ":continue", "no", ":override pass it is fine", ":why 2", ":quit")
	wantLines(t, got, "  ! all retries marked as used", "  ! passed, overridden (originally failed), note: \"it is fine\"")
}

// TestWhyOfRetry: why says which retry a decision makes, as the line of the decision does.
func TestWhyOfRetry(t *testing.T) {
	got, _ := follow(t, "## 1. Fine?\n- YES: CONTINUE\n- NO: RETRY 2 STOP\n", engine.Config{}, false, "no", ":why 1", ":quit")
	wantLines(t, got, "  line 3, NO: RETRY 2 STOP: taken: fail; retry 1 of 2")
}

// TestWhatIfAtQuestion: at a question that decides a step, :what-if is about the answers, as on the screen.
func TestWhatIfAtQuestion(t *testing.T) {
	got, _ := follow(t, "## 1. Fine?\n- YES: CONTINUE\n- NO: STOP\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n",
		engine.Config{}, false, "yes", ":what-if", ":quit")
	wantLines(t, got, "  possible answers at step 2, line 4:", "  answer=yes: yes -> completed")

	got, _ = follow(t, "## 1. Fine?\n- YES: CONTINUE\n- NO: STOP\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n",
		engine.Config{}, false, "yes", ":rerun 2", ":what-if", ":quit")
	wantLines(t, got, "  possible answers at step 2, line 4:", "  answer=yes: yes -> completed") // also after a person ran the step again
}

// TestWhatIfValues: :what-if refuses an impossible value and names the possible ones. A value in quotes keeps its
// blanks.
func TestWhatIfValues(t *testing.T) {
	got, _ := followManualReplies(t, branches(), nil, "high", "yes", ":what-if 2 __elicit_step_1=\"low \"", ":what-if 1 outcome=banana", ":what-if 1 outcome=fail retries=used", ":what-if 1 x=1", ":what-if x=1", ":quit")
	wantParts(t, got, `"x" cannot be changed at step 1: :what-if 1 lists what can be changed`, ": :what-if lists what can be changed", `__elicit_step_1 = "low " (only whitespace differs)`, `outcome cannot be "banana" (possible: pass or fail)`, `outcome cannot be "fail retries=used" (possible: pass or fail)`)
	got, _ = follow(t, "## 1. Fine?\n- YES: CONTINUE\n- NO: RETRY 1 STOP\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n",
		engine.Config{}, false, "yes", ":what-if 1", ":what-if 1 outcome=banana", `:what-if 1 outcome="fail, all retries used"`, ":quit")
	wantLines(t, got, `  outcome=…: was pass; could be fail (-> 1) or "fail, all retries used" (-> stopped)`, "  -> end")
	wantParts(t, got, `(possible: pass, fail or "fail, all retries used")`)
}

// TestNearMiss: the line of a decision says that a value almost met a condition, and values show their blanks.
func TestNearMiss(t *testing.T) {
	got, _ := followManualReplies(t, branches(), nil, "high", ":what-if 2 __elicit_step_1=\"low \\n\"", ":what-if yes", ":continue", ":values", ":timeline 9", ":what-if 2", ":quit")
	wantLines(t, got, `[2] branched -> 2b (line 15: else; not "low": only whitespace differs)`)
	wantParts(t, got, `  __elicit_step_1 = "low \n"  (set by a person)`, `__elicit_step_1 = "low \n"`, `__elicit_step_1=…: was "low \n"; could be low (-> 2a)`)
}
