package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/examples"
	"playhead/parse/plan"
	"playhead/tui/bar"
	"playhead/tui/typeahead"
)

const branching = "# Triage\n\n## STEP 1: Rate\nRate the report.\n@output(severity, extract:\"severity\")\n\n" +
	"## STEP 2: Act\n" + "```if severity == \"low\"```\n\n### STEP 2a: File a ticket\nFile it.\n\n" +
	"```else```\n\n### STEP 2b: Wake somebody\n@elicit(input, \"Who is to be woken?\")\nWrite to them.\n\n" +
	"### STEP 2c: Log it\nWrite it down.\n\n```endif```\n\n## STEP 3: Sum up\nSum up.\n"

// openAtBranch returns the screen of a run that has taken a branch and waits for a reply in it.
func openAtBranch(t testing.TB, w, h int) *testScreen {
	t.Helper()
	sc := open(t, playbookOf(t, "triage.playbook.md", branching), w, h)
	sc.endReply("Every third visitor cannot pay.\n{\"severity\": \"high\"}")
	return sc
}

// endReply ends the model's call with a reply.
func (sc *testScreen) endReply(text string) {
	sc.t.Helper()
	sc.clock = sc.clock.Add(time.Second)
	if sc.s.status.RunningLog != "" && len(sc.s.logs[sc.s.status.RunningLog].LogLines) == 0 {
		sc.s.print(strings.Split(text, "\n")...)
	}
	sc.s.nextReplyInfo = &machine.ReplyInfo{Model: "gpt-5-mini", Tokens: &machine.Tokens{InputTokens: 400, OutputTokens: 80}, Cost: new(0.0018)}
	sc.s.end(plan.Product{Text: text})
	sc.sync()
}

func TestBranchWhy(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openAtBranch(t, w, h)
		sc.press("esc", "4")
		return sc
	})
}

// TestBranchAfterwards: after the run has left a step, its WHY still shows the branch that was taken, and WHY of the
// other branch says why that was not taken.
func TestBranchAfterwards(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	sc.press("esc", "1", "g", "j")
	sc.want("WHY 2", `no match: severity = "high"`, "→ 2b")
	sc.press("j", "j")
	sc.want("WHY 2a", "not taken", `no match: severity = "high"`)
	sc.press("j", "j", "j")
	sc.want("WHY 2c", "not decided yet")
	sc.press("a")
	sc.write("Bo")
	sc.press("enter")
	sc.endReply("Dear Bo")
	sc.endReply("Logged")
	if r := sc.m.timeline.ShownTrack.RowByLabel("2"); r.Status != track.Passed {
		t.Fatalf("2 is %s", r.Status)
	}
	sc.press("g", "j")
	sc.want("WHY 2", `no match: severity = "high"`, "→ 2b", "pass → 3 Sum up (default)")
}

// TestBranchTimeline: in the timeline, a branch shows the number of its step, and as much of its condition as
// fits.
func TestBranchTimeline(t *testing.T) {
	sc := open(t, playbookOf(t, "triage.playbook.md", branching), 80, 24)
	sc.endReply(`{"severity": "low"}`)
	sc.endReply("Filed")
	sc.press("t")
	sc.want("2a               entered", "2 if severity …  pass")
}

func TestBranchValues(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openAtBranch(t, w, h)
		sc.write("Bo, who is on call")
		sc.press("enter")
		sc.clock = sc.clock.Add(typeahead.QuietTime)
		sc.press("v")
		return sc
	})
}

func TestSummaryTellsTokens(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openAfterReply(t, w, h)
		sc.endReply("Summed up.")
		sc.want("tokens 4,520 in · 892 out · $0.02")
		return sc
	})
}

// TestQuestionAfterInterruptedReply: after a model's call is interrupted, the question about its step speaks of a
// reply, not of a command.
func TestQuestionAfterInterruptedReply(t *testing.T) {
	sc := openDuringReply(t, 120, 40, 3)
	sc.press("q")
	sc.want("The model is still replying for step 1")
	sc.press("n", "ctrl+c")
	sc.want("The reply was interrupted", "r rerun")
}

// TestBranchWithOwnText: if a step has its own text and then branches, WHY shows the branch that was taken.
func TestBranchWithOwnText(t *testing.T) {
	sc := open(t, playbookOf(t, "own.playbook.md", "# Own\n\n## STEP 1: Rate\nRate it.\n@output(level)\n\n## STEP 2: Act\nAct.\n\n"+
		"```if level == \"low\"```\n### STEP 2a: File\n@elicit(input, \"Where?\")\n```else```\n### STEP 2b: Page\n@elicit(input, \"Whom?\")\n```endif```\n"), 110, 30)
	sc.endReply("high")
	sc.endReply("Done.")
	sc.press("esc", "g", "j")
	sc.want("WHY 2", "branch taken", `no match: level = "high"`, "→ 2b")
}

// TestQuestionAfterInterruptedToolCall: after a model's tool call is interrupted, the question about its step says that
// the tool may have acted.
func TestQuestionAfterInterruptedToolCall(t *testing.T) {
	sc := openAtToolCall(t, 120, 40)
	sc.press("y", "q")
	sc.want("The call to web/list for step 1 is still running")
	sc.press("n", "ctrl+c")
	sc.want("The call to web/list was interrupted and may have had effects.", "r rerun", "interrupted 0.6s ✗")
}

// TestProgressOfManySteps: the progress bar has a segment for each step if there is room.
func TestProgressOfManySteps(t *testing.T) {
	for steps, want := range map[int]int{2: 6, 20: 20, 32: 32, 90: 40} {
		doc := ""
		for i := range steps {
			doc += fmt.Sprintf("## %d. Fine?\n- YES: CONTINUE\n- NO: STOP\n", i+1)
		}
		sc := open(t, load(t, "a.runbook.md", doc), 120, 40)
		if got := bar.ProgressWidth(sc.m.runView(), 120); got != want {
			t.Errorf("%d steps: %d cells, want %d", steps, got, want)
		}
	}
}

// TestProgressSegments: in every format, the steps that are counted have segments of the progress bar. A step that
// only a route reaches gets one when the run arrives there.
func TestProgressSegments(t *testing.T) {
	dir := t.TempDir()
	for _, name := range examples.Names() {
		// Steps of included documents get segments only during the run.
		if p := loadExample(t, dir, name).plan; len(p.IncludedDocuments) == 0 {
			wantSegments(t, open(t, p, 120, 40, func(c *Config) { c.IsTrusted = false }), name)
		}
	}
	doc := "# A\n## 1. One\n```sh\nx\n```\n- FAIL: GOTO Repair\n\n## Repair\n- PASS ALL: CONTINUE\n- FAIL ANY: STOP\n\n### Repair.1 Look\n```sh\nx\n```\n\n### Repair.2 Mend\n```sh\nx\n```\n"
	sc := open(t, load(t, "a.runbook.md", doc), 120, 40)
	sc.want("0/1 done")
	wantSegments(t, sc, "at the start")
	sc.run(1, 0)
	sc.want("⠋ Repair.1", "1/2 done")
	wantSegments(t, sc, "in a named group")
}

// wantSegments fails unless the progress bar has cells for all counted steps and for no others.
func wantSegments(t *testing.T, sc *testScreen, name string) {
	t.Helper()
	_, total := sc.m.timeline.ShownTrack.Progress()
	if got := bar.ProgressWidth(sc.m.runView(), 120); got < min(total, 24) || total <= 24 && got%total != 0 {
		t.Errorf("%s: %d cells for %d steps", name, got, total)
	}
}

// TestProgressOfAChoice: a step that asks and then branches keeps its segment of the progress bar.
func TestProgressOfAChoice(t *testing.T) {
	asking := "# Ask\n\n## STEP 1: Ask\n@elicit(confirm, \"Ship it?\")\n" + "```if __elicit_step_1 == \"yes\"```\n\n### STEP 1a: Ship\nShip it.\n\n" +
		"```endif```\n\n## STEP 2: Sum up\nSum up.\n"
	sc := open(t, playbookOf(t, "ask.playbook.md", asking), 120, 40)
	before := bar.ProgressWidth(sc.m.runView(), 120)
	sc.press("y")
	sc.want("1a Ship")
	if got := bar.ProgressWidth(sc.m.runView(), 120); got != before || got != 9 {
		t.Errorf("the bar has %d cells, it had %d before", got, before)
	}
}

// TestHiddenBlanks: an answer with blanks that would not show is quoted, and the timeline says which condition
// it almost met.
func TestHiddenBlanks(t *testing.T) {
	doc := "# Count\n\n## STEP 1: Count\n@elicit(input, \"How many?\")\n\n## STEP 2: Act\n```if __elicit_step_1 == \"three\"```\n\n" +
		"### STEP 2a: Three\n@elicit(input, \"Three?\")\n\n```else```\n\n### STEP 2b: Other\n@elicit(input, \"What now?\")\n\n```endif```\n"
	sc := open(t, playbookOf(t, "count.playbook.md", doc), 120, 40)
	if err := sc.s.Answer(machine.Answer{Value: "three ", By: machine.ByFlag}); err != nil {
		t.Fatal(err)
	}
	sc.sync()
	sc.press("esc", "1", "g", "4")
	sc.want(`› "three " │ ? How many?`, "WHY 1", `answered "three " ┤`, `│   › "three " `)
	sc.press("4", "t")
	sc.want(`answered "three " (not "three": only whitespace differs)`, `__elicit_step_1 = "three "`, `else → 2b (not "three": only whitespace differs)`)
}
