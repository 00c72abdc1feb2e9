package tui

import (
	"fmt"
	"image/color"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/whatif"
	"playhead/parse"
	"playhead/parse/plan"
	"playhead/parse/playbook"
	"playhead/tui/typeahead"

	tea "charm.land/bubbletea/v2"
)

// TestWhatIf: a person chooses or types another value, and the dialog shows what would be decided. Nothing changes
// until they confirm.
func TestWhatIf(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openAtBranch(t, w, h)
		sc.press("esc", "w")
		return sc
	})
}

// TestWhatIfUnavailable: if the only input has one possible value and nothing was executed, what-if is unavailable.
func TestWhatIfUnavailable(t *testing.T) {
	doc := "# E\n\n## INPUTS\n\n- `mode` (enum: only): x\n\n## STEP 1: Pick\n\n```if mode == \"only\"```\n\n" +
		"### STEP 1a: Sub\n\n@elicit(confirm, \"ok?\")\n\n```else```\n\n### STEP 1b: Other\n\nSay it.\n\n```endif```\n"
	p := playbook.Parse("a.playbook.md", []byte(doc), playbook.Options{})
	sc := open(t, p, 120, 40, func(c *Config) { c.Inputs, c.AskInputs = p.Inputs, true })
	sc.press("enter", "esc", "1", "g", "w")
	sc.want("Nothing can be changed at this decision.", "WHY 1")
	sc.wantNot("WHAT IF")
}

// TestWhatIfLongValues: long values and their destinations can be read completely.
func TestWhatIfLongValues(t *testing.T) {
	doc := "# E\n\n## STEP 1: Pick\n\n@elicit(select, \"which?\", \"the first of two long values\", \"the second of two long values\")\n\n" +
		"## STEP 2: Go\n\n```if __elicit_step_1 == \"the first of two long values\"```\n\n### STEP 2a: Sub\n\n@elicit(confirm, \"ok?\")\n\n```else```\n\n### STEP 2b: Other\n\nSay it.\n\n```endif```\n"
	for w, want := range map[int][]string{
		160: {"▌ 1 __elicit_step_1 = the second of two long values, not the first of two long values  → 2b Other  "},
		80: {
			"▌ 1 __elicit_step_1 = the second of    → 2b Other │", "▌     two long values, not the first              │", "▌     of two long values                          │",
			"  2 __elicit_step_1 = any other value  → 2b Other │",
		},
	} {
		sc := open(t, playbook.Parse("a.playbook.md", []byte(doc), playbook.Options{}), w, 24)
		sc.press("1", "esc", "1", "g", "j", "w")
		sc.want(want...)
	}
}

// TestWhatIfOfLongText: if a branch does not compare a variable, any other text of that variable changes nothing.
func TestWhatIfOfLongText(t *testing.T) {
	doc := "# E\n\n## STEP 1: Pick\n\n@elicit(input, \"what?\")\n\n## STEP 2: Pick\n\n@elicit(select, \"which?\", \"a\", \"b\")\n\n" +
		"## STEP 3: Go\n\n```if __elicit_step_2 == \"a\"```\n\n### STEP 3a: Sub\n\n@elicit(confirm, \"ok?\")\n\n```else```\n\n### STEP 3b: Other\n\nSay it.\n\n```endif```\n"
	sc := open(t, playbook.Parse("a.playbook.md", []byte(doc), playbook.Options{}), 160, 40)
	sc.send(tea.PasteMsg{Content: "x\ny\nz"})
	sc.press("enter", "1", "esc", "1", "g", "j", "j", "w")
	sc.want("__elicit_step_1 = any other value  → 3a Sub")
}

func TestWhatIfApplied(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	sc.press("esc", "1", "g", "j", "w")
	sc.want("WHAT IF at 2, line 8", "▌ 1 severity = low, not high", "→ 2a", "2 severity = any other value", "→ 2b", `severity = "low" → 2a`, "enter rewind and apply")
	sc.wantNot("then 2")
	sc.press("c")
	sc.want("c does nothing here. Press ↑↓ (choose), enter (rewind and apply), esc (cancel).", "WHAT IF at 2")
	sc.press("9")
	sc.want("9 does nothing here")
	sc.press("?")
	sc.want("KEYS", "list the keys")
	sc.wantNot("continue until you are needed")
	sc.press("esc", "2")
	sc.want("severity = high", "then 2 → 2b")
	sc.write("low")
	sc.want("then 2 → 2a")
	sc.write(" ") // blanks belong to the value
	sc.want("then 2 → 2b", `severity = "low " (only whitespace differs)`)
	sc.press("esc", "esc")
	sc.wantNot("WHAT IF")
	sc.press("k", "w")
	sc.want("▌ 1 outcome = fail, not pass", "→ the run fails", "→ 2")
	sc.press("enter")
	if n := len(sc.s.instead); n != 1 || sc.s.instead[0].Result != plan.Failed {
		t.Fatalf("instead %v", sc.s.instead)
	}
	sc.press("1", "G", "w")
	sc.want("Select a step that has made a decision")
}

// TestWhatIfAtEarlierMoment: at an earlier moment, what-if is about the newest decision of that moment.
func TestWhatIfAtEarlierMoment(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	sc.press("esc", "1", "g", "j", "t", "4", "g", "w")
	sc.want("as of event 1", "There is no decision to change at this event.")
	sc.press("G", "up", "w")
	sc.want("as of event", "WHAT IF at 2")
	sc.press("enter")
	if n := len(sc.s.instead); n != 1 || sc.s.instead[0].Value != "low" {
		t.Fatalf("instead %v", sc.s.instead)
	}
	sc.wantNot("as of event")
}

// TestWhatIfAtEvent: at the entry of a step, what-if is about the newest decision made before it. At any other event of
// the step, it is about the decision with which the attempt ended.
func TestWhatIfAtEvent(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	sc.write("Bo")
	sc.press("enter")
	sc.endReply("Wake up.")
	sc.want("✓ 2b")
	sc.press("esc", "t", "4")
	at := func(step, body string) {
		t.Helper()
		i := slices.IndexFunc(sc.s.events, func(e machine.Event) bool { return e.Step == step && fmt.Sprintf("%T", e.Body) == body })
		sc.press("g")
		sc.press(slices.Repeat([]string{"down"}, i)...)
		sc.press("w")
	}
	at("1", "*machine.StepEntered")
	sc.want("There is no decision to change at this event.")
	at("2b", "*machine.StepEntered")
	sc.want("WHAT IF at 2, ")
	sc.press("esc")
	for _, step := range []string{"1", "2b"} {
		for _, body := range []string{"*machine.ActionStarted", "*machine.VariableCaptured", "*machine.ActionFinished", "*machine.StepFinished", "*machine.Decision"} {
			if body == "*machine.VariableCaptured" && step == "2b" {
				body = "*machine.InputGiven"
				at(step, "*machine.InputNeeded")
				sc.want("WHAT IF at 2b, ")
				sc.press("esc")
			}
			at(step, body)
			sc.want("WHAT IF at " + step + ", ")
			sc.press("esc")
		}
	}
}

// TestWhatIfOnMap: on the map, what-if is about the decision of the selected row, whatever was selected before. It
// first selects a change that leads along the selected route.
func TestWhatIfOnMap(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	sc.press("esc", "1", "g", "j", "m", "g", "w")
	sc.want("WHAT IF at 1")
	sc.press("esc", "tab", "w")
	sc.want("▌ 1 outcome = fail")
	sc.press("esc", "j", "w")
	sc.want("WHAT IF at 2", "▌ 2 severity = any other value")
	sc.press("esc", "tab", "w")
	sc.want("▌ 1 severity = low")
	sc.press("esc", "G", "w")
	sc.want("Select a step that has made a decision")
	sc.press("g", "w")
	sc.want("WHAT IF at 1")
}

// TestWhatIfOfGroup: at a group that joins outcomes, what-if is about the substep that decided the outcome. At the end
// of the run, it is about the decision that ended the run.
func TestWhatIfOfGroup(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. Both\n- PASS ALL: COMPLETE\n- FAIL ANY: RETRY 1 STOP \"not ready\"\n"+
		"### 1.1 One\n```sh\nfalse\n```\n### 1.2 Two\n```sh\ntrue\n```\n"), 120, 40)
	sc.run(1, 0)
	sc.run(1, 0)
	sc.press("esc", "1", "g", "w")
	sc.want("WHAT IF at 1.1", "outcome = pass, not fail  → 1.2")
	sc.press("esc", "G", "t", "4", "G")
	sc.want("run stopped")
	sc.press("w")
	sc.want("WHAT IF at 1.1")
	sc.press("esc", "g")
	sc.press(slices.Repeat([]string{"down"}, slices.IndexFunc(sc.s.events, func(e machine.Event) bool {
		_, is := e.Body.(*machine.Decision)
		return is && e.Step == "1"
	}))...)
	sc.press("w")
	sc.want("WHAT IF at 1, ", "all retries used")
}

// TestWhatIfOfRetry: at the retry that led to a step, what-if does not preselect the change that all retries are used.
func TestWhatIfOfRetry(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. Try\n```sh\nfalse\n```\n- PASS: CONTINUE\n- FAIL: RETRY 1 STOP\n"), 120, 40)
	sc.run(1, 0)
	sc.run(1, 0)
	sc.press("esc", "1", "g", "4", "G")
	sc.want("▌ from 1, line 6 → 1")
	sc.press("w")
	sc.want("▌ 1 outcome = pass", "2 all retries used")
}

// TestLimitsMarkedAsUsed: retries that a person marked as used count as an override, and nothing says that the run used
// them up.
func TestLimitsMarkedAsUsed(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. Try\n```sh\nfalse\n```\n- PASS: CONTINUE\n- FAIL: RETRY 2 GOTO Repair\n\n"+
		"## 2. Rest\n```sh\ntrue\n```\n\n## Repair\n```sh\ntrue\n```\n- PASS: COMPLETE\n"), 120, 40)
	ended := sc.s.m.ResultEvent(plan.Product{ExitCode: 1})
	sc.s.running = nil
	sc.s.record(ended)
	sc.s.record(*sc.s.m.Next().Event)
	marked, err := sc.s.m.ChangeEvents(machine.WhatIfChange{LimitsUsed: true})
	if err != nil {
		t.Fatal(err)
	}
	sc.s.record(marked[0])
	sc.s.advance()
	sc.sync()
	sc.run(0, 0)
	sc.want("completed", "path   1 ✗ ⇢ Repair", "all retries marked as used → Repair", "✗ 1 Try")
	sc.wantNot("retries were used up")
	if !sc.m.timeline.ShownTrack.RowByLabel("1").IsChangedByPerson() {
		t.Error("step 1 has no mark")
	}
	sc.press("esc", "1", "g")
	sc.want("! all retries marked as used")
	sc.press("G") // the step to which the marking led
	sc.want("from 1, line 6 → Repair", "! all retries marked as used")
}

// TestWhatIfOfIterations: if the document limits iterations, what-if and the run speak of iterations, not of retries.
func TestWhatIfOfIterations(t *testing.T) {
	const write = `{"version": "1.0.0", "basePath": "prompts", "entryStep": "s_10aa", "steps": {
		"s_10aa": {"id": "s_10aa", "name": "Write", "prompt": {"path": "write.md"}, "iterations": {"min": 2, "max": 3},
			"check": {"prompt": {"path": "check.md"}, "responseFormat": {"result": "ok|ng"}, "onPass": {"complete": true}, "onFail": {}}}}}`
	p := parse.Load("steps_registry.json", parse.Options{FS: fstest.MapFS{
		"steps_registry.json": {Data: []byte(write)}, "prompts/write.md": {Data: []byte("Write.")}, "prompts/check.md": {Data: []byte("Check.")},
	}})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	sc := open(t, p, 120, 40)
	sc.press("space")
	sc.endReply("A draft.")
	sc.endReply(`{"result": "ok"}`)
	sc.press("w")
	sc.want("reply: ok, minimum of 2 iterations reached ", "outcome = fail, maximum of 3 iterations reached, not pass ", "│   4 minimum of 2 iterations reached ")
	sc.wantNot("retries")
	marked, err := sc.s.m.ChangeEvents(machine.WhatIfChange{LimitsUsed: true})
	if err != nil {
		t.Fatal(err)
	}
	sc.press("esc")
	sc.s.record(marked[0])
	sc.sync()
	sc.press("4")
	sc.want("! all iterations marked as used")
	sc.press("t")
	sc.want("all iterations marked as used")
	sc.press("t", "c")
	sc.endReply("A better draft.")
	sc.endReply(`{"result": "ok"}`)
	sc.want("s_10aa Write had all iterations marked as used")
	sc.wantNot("retries")
}

// TestWhatIfLeavesGroup: if a change ends the group, the list shows where the run continues, and the decision of the
// group shows below the decision of the step.
func TestWhatIfLeavesGroup(t *testing.T) {
	const doc = "## 1. Both\n- PASS ALL: CONTINUE\n- FAIL ANY: GOTO 3\n### 1.1 One\n```sh\nfalse\n```\n### 1.2 Two\n```sh\ntrue\n```\n" +
		"## 2. Then\n- YES: COMPLETE\n- NO: STOP\n## 3. Else\n- YES: COMPLETE\n- NO: STOP\n"
	sc := open(t, load(t, "a.runbook.md", doc), 120, 40)
	sc.run(0, 0)
	sc.run(0, 0)
	sc.press("esc", "1", "g", "j", "j", "w")
	sc.want("WHAT IF at 1.2", "▌ 1 outcome = fail, not pass  → 3", "fail → end of group 1", "then 1 fails → 3 (line 3)")
}

// TestWhatIfOfUntakenBranches: if no branch was taken, what-if is about the decision between the branches, whether it
// opens from the next step, its question or the group. WHY says why no branch was taken.
func TestWhatIfOfUntakenBranches(t *testing.T) {
	doc := "# E\n\n## STEP 1: Ask\n\n@elicit(select, \"Colour?\", \"red\", \"green\")\n\n@output(colour)\n\n## STEP 2: Choose\n\n" +
		"```if colour == \"green\"```\n\n### STEP 2a: Green\n\n@elicit(confirm, \"ok?\")\n\n```endif```\n\n## STEP 3: End\n\n@elicit(confirm, \"Done?\")\n"
	sc := open(t, playbook.Parse("a.playbook.md", []byte(doc), playbook.Options{}), 120, 40)
	sc.press("1")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("w")
	sc.want("WHAT IF at 2, line 11", "colour = green, not red", "→ 2a")
	sc.press("esc")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("esc", "4")
	sc.want("WHY 3", `from 2, skipped → 3 · no branch was taken: colour = "red"`)
	sc.press("1", "g", "j")
	sc.want(`no match: colour = "red"`, "━▸ skipped → 3 End (default)       no branch was taken", "pass → 3 End (default)          no match: skipped")
	sc.press("w")
	sc.want("WHAT IF at 2, line 11", "colour = green, not red", "→ 2a")
}

// TestWhatIfOfRowsWithoutStep: a phase of a flow and an included document are groups too, so what-if is about the last
// of their steps that made a decision.
func TestWhatIfOfRowsWithoutStep(t *testing.T) {
	sc := openFlow(t, 120, 40)
	sc.press("1", "g")
	sc.want("▌  ▾ initial")
	sc.press("w")
	sc.want("WHAT IF at initial.notes")
	sc = open(t, includingPlan(t), 120, 40)
	sc.run(0, time.Second, "/usr/bin/tar")
	sc.run(0, time.Second, "7 GB")
	sc.press("1", "g", "j")
	sc.want("▌    ▾ release")
	sc.press("w")
	sc.want("WHAT IF at 1/release/1.2")
}

// TestWhatIfAccepted: if an outcome waits to be accepted, what-if is about the answers, whether it opens from the
// question, the step or its events.
func TestWhatIfAccepted(t *testing.T) {
	step := "### 🔧 WORKFLOW STEP: Look\n```\nLook.\n```\n### 🛠️ TOOL: list\n### ✅ ASSERT:\n- it is there\n"
	sc := open(t, backup("# Backup\n\n"+step+step), 100, 30, func(c *Config) { c.IsTrusted = false })
	sc.manual = true
	sc.press("y", "1", "1")
	sc.write("seen")
	sc.press("enter")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("1", "3", "w")
	sc.want("WHAT IF at 2, ", "▌ 1 answer: accept  → completed", "2 answer: reject  → the run fails", "enter answer, then pause")
	sc.press("esc", "esc", "1", "g", "w")
	sc.want("WHAT IF at 1, ", "outcome = fail, not pass")
	sc.press("esc", "G", "t", "4", "up", "w")
	sc.want("as of event", "WHAT IF at 2, ", "answer: accept")
	sc.press("2", "enter")
	if n := len(sc.s.instead); n != 1 || sc.s.instead[0].Answer != "fail" {
		t.Fatalf("instead %v", sc.s.instead)
	}
	sc.want("The question is answered, and the run pauses.")
	sc = open(t, load(t, "a.runbook.md", "## 1. Fine?\n- YES: COMPLETE\n- NO: STOP\n"), 120, 40)
	sc.press("w") // no decision led here
	sc.want("WHAT IF at 1", "answer: yes  → completed", "answer: no   → stopped")
}

// TestWhatIfAtQuestion: while a question that chooses a branch is open, what-if is about the answers, also on the
// branches. WHY shows the branches.
func TestWhatIfAtQuestion(t *testing.T) {
	doc := "# E\n\n## STEP 1: Say\n\nSay it.\n\n## STEP 2: Where\n\n@elicit(confirm, \"go?\")\n\n```if __elicit_step_2 == \"yes\"```\n\n" +
		"### STEP 2a: Go\n\nGo.\n\n```else```\n\n### STEP 2b: Stay\n\nStay.\n\n```endif```\n"
	sc := open(t, playbookOf(t, "a.playbook.md", doc), 120, 40)
	sc.endReply("said")
	sc.press("w")
	sc.want("WHAT IF at 2, line 7", "answer: yes  → 2a", "answer: no   → 2b")
	sc.press("esc")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("esc", "4")
	sc.want(`if __elicit_step_2 == "yes" → 2a Go`, "else → 2b Stay")
	sc.press("1", "j", "w")
	sc.want("WHAT IF at 2, line 7", "answer: no   → 2b")
}

// TestWhatIfListsEffects: before a person applies a change, the dialog lists the effects that are not undone.
func TestWhatIfListsEffects(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n```sh\nmake\n```\n- PASS: CONTINUE\n- FAIL: GOTO 3\n"+
		"## 2. Two\n```sh\nmake check\n```\n## 3. Three\n- YES: COMPLETE\n- NO: STOP\n"), 120, 40)
	sc.run(0, time.Second)
	sc.run(0, time.Second)
	sc.press("esc", "1", "g", "w")
	sc.want("▌ 1 outcome = fail, not pass", "→ 3", "These effects are not undone: 2 make check.")
}

// TestWhatIfAfterGoingBack: what-if also works if a rewind is among the events.
func TestWhatIfAfterGoingBack(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	back := machine.Event{Seq: 99, By: machine.ByPerson, Body: &machine.RunRewound{ToSeq: 1}}
	all := slices.Insert(slices.Clone(sc.s.events), 1, back)
	sc.send(engine.Update{Events: all, IsRestarted: true, Status: sc.s.status})
	sc.press("esc", "1", "g", "j", "w")
	sc.want("WHAT IF at 2", `severity = "low" → 2a`)
}

// TestWhatIfThemeChange: the forecast has the colours of a theme that is chosen while the dialog is open.
func TestWhatIfThemeChange(t *testing.T) {
	sc := openAtBranch(t, 120, 40)
	sc.press("esc", "w")
	before := sc.m.View().Content
	sc.send(tea.BackgroundColorMsg{Color: color.White})
	open := sc.m.View().Content
	sc.press("esc", "w")
	if reopened := sc.m.View().Content; open != reopened || open == before {
		t.Errorf("the open dialog:\n%q\nthe reopened one:\n%q", open, reopened)
	}
}

// TestWhatIfAtQuestionOfSecondAttempt: at an open question, what-if is about its answer, not about the answer in an
// earlier attempt.
func TestWhatIfAtQuestionOfSecondAttempt(t *testing.T) {
	for _, no := range []string{"GOTO 1", "RETRY 2 GOTO 1"} {
		sc := open(t, load(t, "a.runbook.md", "## 1. Work\n```sh\nx\n```\n\n## 2. Gate\n- YES: CONTINUE\n- NO: "+no+"\n\n## 3. End\n```sh\nx\n```\n"), 120, 40)
		sc.run(0, 0)
		sc.press("n")
		if sc.s.running != nil {
			sc.run(0, 0)
		}
		sc.want("Yes or no?")
		sc.press("w")
		sc.want("answer: yes", "answer: no", "enter answer, then pause")
		sc.wantNot("rewind and apply", "outcome =")
	}
}

// TestWhatIfOfHeadline: at the end of a run, what-if is about the step in the first line of the summary, unless the
// person has selected another step.
func TestWhatIfOfHeadline(t *testing.T) {
	const doc = "# Blank\n\n## STEP 1: Rate\nRate it.\n@output(severity, extract:\"severity\")\n\n" +
		"## STEP 2: Act\n```if severity == \"high\"```\n\n### STEP 2a: Wake\nWake somebody.\n\n" +
		"```else```\n\n### STEP 2b: Ticket\nFile a ticket.\n\n```endif```\n"
	for _, goesElsewhere := range []bool{false, true} {
		sc := open(t, playbookOf(t, "blank.playbook.md", doc), 120, 40)
		sc.endReply(`{"severity": "high "}`)
		sc.endReply("Filed.")
		sc.want("2 Act almost matched line ")
		if m, ok := whatif.CurrentMoment(&sc.m.runView().RunView); !ok || m.StepLabel != "2" {
			t.Errorf("the current moment is at step %s", m.StepLabel)
		}
		want := "WHAT IF at 2, "
		if goesElsewhere {
			sc.press("esc", "1", "g", "A")
			want = "WHAT IF at 1, "
		}
		sc.press("w")
		sc.want(want)
	}
}

// TestWhatIfAtInterruptedCommand: the answer about an interrupted command decides where the run goes, so what-if is
// about that answer.
func TestWhatIfAtInterruptedCommand(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. Work\n```sh\nx\n```\n- FAIL: GOTO Clean\n\n## 2. Next\n```sh\nx\n```\n\n## Clean\n```sh\nx\n```\n"), 120, 40)
	sc.s.end(plan.Product{Cancelled: true})
	sc.sync()
	sc.want("The command was interrupted")
	sc.press("w")
	sc.want("WHAT IF at 1, line 1", "answer: pass  → 2 Next", "answer: fail  → Clean")
}
