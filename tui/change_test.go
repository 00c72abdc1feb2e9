package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/match"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/parse/rundown"
	"playhead/tui/dialog/note"
	"playhead/tui/session"
	"playhead/tui/typeahead"
)

func TestRerunAsksFirst(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.press("esc", "r")
	sc.want("Run step 3 again?", "The effects of earlier attempts are not undone")
	sc.press("n")
	if n := len(sc.m.timeline.ShownTrack.RowByLabel("3").StepAttempts); n != 1 {
		t.Fatalf("3 was entered %d times", n)
	}
	sc.press("r", "y")
	if n := len(sc.m.timeline.ShownTrack.RowByLabel("3").StepAttempts); n != 2 {
		t.Errorf("3 was entered %d times", n)
	}
}

func TestTextAfterRefusedSearchIsIgnored(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.press("esc", "g", "3", "/")
	sc.want("There is no output to search here")
	sc.burst("p", "r", "f")
	sc.want("There is no output to search here")
	if sc.s.status.State != engine.Waiting || len(sc.m.screen.Dialogs) > 0 {
		t.Fatal("a letter of the search text worked as a key")
	}
	sc.press("esc", "?")
	sc.want("KEYS")
	sc.press("esc", "3", "/")
	for _, key := range []string{"p", "r", "f"} { // the person types slowly
		sc.clock = sc.clock.Add(600 * time.Millisecond)
		sc.burst(key)
	}
	if sc.s.status.State != engine.Waiting || len(sc.m.screen.Dialogs) > 0 {
		t.Fatal("a letter of a slowly typed search text worked as a key")
	}
	sc.clock = sc.clock.Add(time.Second)
	sc.press("p")
	if sc.m.timeline.ShownTrack.Finished == nil {
		t.Error("after a pause, p does not pass the step")
	}
}

// TestFieldRefusedByDialog: if a dialog refuses the key that opens the list of steps, letters typed for the list do not
// answer the dialog.
func TestFieldRefusedByDialog(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.press("esc", "r")
	asked := sc.m.screen.Dialogs.Top()
	sc.press("'")
	sc.want("does nothing here")
	sc.clock = sc.clock.Add(600 * time.Millisecond)
	sc.burst("y")
	if sc.m.screen.Dialogs.Top() != asked || sc.s.status.State != engine.Waiting {
		t.Error("a letter of a step's name answered the dialog")
	}
}

func TestHintsNameTheStepTheyActOn(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.press("esc", "k")
	sc.want("y yes 3", "n no 3", "r rerun 2", "s skip 3", "J jump to 2", "q quit")
}

func TestAPausedRunStaysPaused(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("space")
	sc.run(0, time.Second)
	sc.want("p pass 1.2", "r rerun 1.1")
	sc.press("p")
	if r := sc.m.timeline.ShownTrack.RowByLabel("1.2"); r.Status != track.Passed || !r.Overridden {
		t.Errorf("1.2 is %s", r.Status)
	}
	sc.want("‖ paused", "▶ ○ 2 Push")
	sc.press("r")
	sc.want("Run step 1.2 again?")
	sc.press("y")
	if sc.s.running == nil || sc.s.running.Action.StepLabel != "1.2" {
		t.Fatal("1.2 does not run")
	}
	sc.run(0, time.Second)
	sc.want("‖ paused", "▶ ○ 2 Push")
	sc.press("G", "J", "enter")
	sc.want("‖ paused", "▶ ◇ Rollback")
}

func TestAFinishedRunAsksBeforeItIsChanged(t *testing.T) {
	for _, key := range []string{"f", "r"} {
		sc := openAtQuestion(t, 120, 40)
		sc.press("p", key)
		sc.want("The run is over. This reopens it, and it continues from step 3.")
		if sc.m.timeline.ShownTrack.Finished == nil {
			t.Fatalf("%s reopens the run without asking", key)
		}
		sc.press("y")
		if sc.m.timeline.ShownTrack.Finished != nil {
			t.Errorf("%s and y do not reopen the run", key)
		}
	}
}

func TestDialogClosesWithItsStep(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("s")
	sc.want("Skip step 1.1?")
	sc.run(0, time.Second)
	sc.wantNot("Skip step 1.1?")
	sc.want("the run has already moved past 1.1")
	sc.burst("s") // typed before the person could see that the dialog had closed
	if len(sc.m.screen.Dialogs) > 0 {
		t.Error("the key opens a dialog about the next step")
	}
	sc.clock = sc.clock.Add(2 * time.Second)
	sc.press("s")
	sc.want("Skip step 1.2?")
	sc.s.end(plan.Product{Cancelled: true})
	sc.sync()
	sc.wantNot("Skip step 1.2?")
	sc.want("The command was interrupted")
}

// TestQuitDialogFollowsTheRun: the dialog that confirms quitting stays open while the run continues, and its
// text names what runs now.
func TestQuitDialogFollowsTheRun(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("q")
	sc.want("Step 1.1 is still running")
	sc.m.Update(engine.Update{Status: engine.Status{State: engine.Running}})
	sc.want("Step 1.1 is still running")
	sc.run(0, time.Second)
	sc.want("Quit?", "Step 1.2 is still running")
}

func TestKeysAreIgnoredAfterCommandEnds(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("3", "enter")
	sc.write("secret")
	sc.run(0, time.Second)
	sc.want("The command ended")
	for _, k := range "quit" {
		sc.clock = sc.clock.Add(200 * time.Millisecond)
		sc.burst(string(k))
	}
	if len(sc.m.screen.Dialogs) > 0 || sc.s.typed.String() != "secret" {
		t.Fatalf("typed %q, dialogs %v", sc.s.typed.String(), sc.m.screen.Dialogs)
	}
	sc.want("The command ended. Keys are ignored until you stop typing.")
	sc.clock = sc.clock.Add(100 * time.Millisecond)
	sc.send(typeahead.IgnoringEnded{})
	sc.want("Keys are ignored until you stop typing.")
	sc.clock = sc.clock.Add(2 * time.Second)
	sc.send(typeahead.IgnoringEnded{})
	sc.want("The command ended. Keys control Playhead again.")
	sc.press("q")
	sc.want("Quit?")
}

// TestInterruptWhileKeysAreIgnored: ctrl+c quits even if a person never pauses while keys are ignored.
func TestInterruptWhileKeysAreIgnored(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("3", "enter")
	sc.run(0, time.Second)
	for range 20 {
		sc.burst("q")
		sc.clock = sc.clock.Add(200 * time.Millisecond)
	}
	sc.wantNot("Quit?")
	sc.burst("ctrl+c")
	sc.want("Keys control Playhead again.", "⠋ 1.2")
	sc.press("q")
	sc.want("Quit?")
}

func TestAJumpNeedsAnotherStep(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.press("J")
	sc.want("The run is already at this step. Select another one.")
	if _, writing := sc.m.screen.Dialogs.Top().(*note.Dialog); writing {
		t.Error("a dialog asks for a note")
	}
	sc.press("esc", "k")
	sc.press("J")
	sc.want("Jump to step 2: note", "enter jump")
}

func TestNoteHintNamesTheAnswer(t *testing.T) {
	sc := open(t, planWithQuestion(t), 120, 40)
	sc.press("n")
	sc.want("enter keep")
	sc.press("esc", "P")
	sc.want("enter pass")
}

// TestAnswerWithNoteKeys: shift with the key of yes or no adds a note to the answer.
func TestAnswerWithNoteKeys(t *testing.T) {
	for _, key := range []string{"Y", "P"} {
		sc := openAtQuestion(t, 120, 40)
		sc.want("Yes or no?  y yes → completed \"approved\"  n no → Rollback")
		sc.press(key)
		sc.want("Answer \"yes\" for step 3, with a note", "Yes or no? ", "enter yes")
	}
	sc := openAtQuestion(t, 120, 40)
	sc.press("N")
	sc.write("not today")
	sc.press("enter")
	if n := len(sc.m.timeline.ShownTrack.EnteredSteps); sc.m.timeline.ShownTrack.EnteredSteps[n-1].Label != "Rollback" {
		t.Errorf("the answer did not lead to Rollback: %v", sc.m.timeline.ShownTrack.EnteredStepLabels())
	}
}

// planWithQuestion returns a document that asks a person whether a step passed.
func planWithQuestion(t *testing.T) *plan.Plan {
	return load(t, "look.runbook.md", "# Look\n## 1. Look\nLook at it.\n- PASS: COMPLETE \"approved\"\n")
}

// TestRerunOfEarlierStep: r rewinds to the selected step and runs it again, after a dialog that lists the effects that
// are not undone.
func TestRerunOfEarlierStep(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n```sh\nmake\n```\n## 2. Two\n```sh\nmake check\n```\n## 3. Three\n- YES: COMPLETE\n- NO: STOP\n"), 120, 40)
	sc.run(0, time.Second)
	sc.run(0, time.Second)
	sc.press("esc", "1", "g", "e")
	sc.write(" all")
	sc.press("ctrl+s")
	sc.want("! edited for this run:", "make all", "Press r to run the step again")
	sc.press("r")
	sc.want("Rewind and run step 1 again?", "are not undone:", "  1 make ", "  2 make check ")
	sc.press("y")
	if len(sc.s.repeated) != 1 || sc.s.repeated[0] != 1 {
		t.Errorf("repeated from %v", sc.s.repeated)
	}
}

// TestUndoNamesTheAction: the last line says which action was undone.
func TestUndoNamesTheAction(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.press("esc", "p", "u")
	sc.want("Undone: answer to step 3. Press U to redo it")
}

// TestConfirmationListsAllEffects: a confirmation lists every effect that is not undone, and its keys stay in sight
// while the list scrolls. A long message does not cover them.
func TestConfirmationListsAllEffects(t *testing.T) {
	doc := ""
	for n := range 12 {
		doc += fmt.Sprintf("## %d. Step\n```sh\nset -e\n# what it does\n\nmake part%d\n```\n", n+1, n+1)
	}
	sc := open(t, load(t, "a.runbook.md", doc+"## 13. Sure?\n- YES: COMPLETE\n- NO: STOP\n"), 60, 16)
	for range 12 {
		sc.run(0, time.Second)
	}
	sc.press("esc", "1", "g", "r")
	sc.want("Rewind and run step 1 again?", "  1 make part1", "more lines", "y yes  n no", "↑↓ scroll")
	sc.wantNot("12 make part12", "set -e")
	sc.press("G")
	sc.want("  12 make part12", "y yes  n no")
	sc.press("x")
	sc.want("x does nothing here. Press y (yes), n (no), ↑↓", "y yes  n no")
	sc.press("y")
	if len(sc.s.repeated) != 1 {
		t.Errorf("rewound %v", sc.s.repeated)
	}
}

// TestPassOverridesStepBeforePause: at a pause, pass and fail override the previous step if it is selected (workflow.md
// §8). Otherwise they give the outcome of the next step.
func TestPassOverridesStepBeforePause(t *testing.T) {
	for _, selected := range []bool{true, false} {
		sc := open(t, backup("## All\n"+reportDoc+"## More\n"+strings.ReplaceAll(reportDoc, "# Backup\n", "")), 100, 30)
		sc.press("space")
		report := `{"step_number":0,"status":"passed","assertion_results":[{"assertion":"it is younger than 24 hours","passed":true}],"output_variables":{"ARCHIVE":7}}`
		sc.endCall(time.Second, plan.Product{ToolCalls: []plan.ToolCall{{ID: "r", Name: "report_step_result", Arguments: report}}})
		sc.want("‖ paused", "p pass 2 → completed")
		if selected {
			sc.press("1", "g", "j")
			sc.want("f fail 1 → the run fails")
			sc.press("p")
			sc.want("Step 1 has already passed.")
		}
		sc.press("f")
		first, second := sc.m.timeline.ShownTrack.RowByLabel("1"), sc.m.timeline.ShownTrack.RowByLabel("2")
		if got := first.Status == track.Failed; got != selected || (second.Status == track.Failed) == selected {
			t.Errorf("selected: %v; 1 is %s, 2 is %s", selected, first.Status, second.Status)
		}
		if group := first.Parent; group != nil && group.Status != first.Status {
			t.Errorf("selected: %v; its group is %s", selected, group.Status)
		}
		if vars := sc.m.timeline.ShownTrack.Variables; (len(vars) > 0) == selected {
			t.Errorf("selected: %v; values %v", selected, vars)
		}
	}
}

// TestAnEditThatHidesASecret: an edit with the placeholder of a masked secret is not applied, and stays in the
// dialog.
func TestAnEditThatHidesASecret(t *testing.T) {
	doc := load(t, "a.runbook.md", "## 1. One\n```sh\nlogin •••\n```\n## 2. Two\n- YES: COMPLETE\n")
	sc := open(t, doc, 120, 40, func(c *Config) { c.SecretNames = []string{"token"} })
	sc.run(0, time.Second)
	sc.press("esc", "1", "g", "e")
	sc.write(" --again")
	sc.press("ctrl+s")
	sc.want("••• stands for a masked secret", "login ••• --again")
	for range []rune("••• --again") {
		sc.press("backspace")
	}
	sc.write("--anew")
	sc.press("ctrl+s")
	sc.want("! edited for this run:", "login --anew")
}

// TestFirstEscKeepsEdit: the first esc says that an edit would be lost, and the second closes the dialog.
func TestFirstEscKeepsEdit(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n```sh\nmake\n```\n## 2. Two\n- YES: COMPLETE\n"), 120, 40)
	sc.run(0, time.Second)
	sc.press("esc", "1", "g", "e", "esc")
	sc.wantNot("Edit step 1 for this run")
	sc.press("e")
	sc.write(" all")
	sc.press("esc")
	sc.want("Press ctrl+s to apply it, or press esc again to discard", "make all")
	sc.write("!")
	sc.press("esc")
	sc.want("make all!", "Edit step 1 for this run")
	sc.press("esc")
	sc.wantNot("Edit step 1 for this run", "edited for this run")
}

// TestEditAfterFailure: at a pause after a failed step, the first hints offer to edit and rerun that step, although the
// next step is selected.
func TestEditAfterFailure(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. Build\n```sh\nmkae\n```\n- FAIL: GOTO 3\n\n## 2. Push\n```sh\npush\n```\n\n## 3. Clean\n```sh\nclean\n```\n"), 100, 30)
	sc.press("space")
	sc.run(127, time.Second, "sh: mkae: not found")
	sc.want("╰ e edit  r rerun 1  c continue", "▌▶ ○ 3 Clean")
	sc.press("e")
	sc.want("Edit which step?", "▌ 1 command of 1  mkae", "2 command of 3  clean")
	sc.press("1")
	sc.want("Edit step 1 for this run")
	sc.press("esc", "up", "e")
	sc.want("Edit step 2 for this run")
}

// TestEditAfterFailureBeforeAQuestion: if the next step has only routes, e offers them and the failed step's
// command.
func TestEditAfterFailureBeforeAQuestion(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. Build\n```sh\nmkae\n```\n- FAIL: GOTO 2\n\n## 2. Go on?\n- YES: CONTINUE\n- NO: STOP\n"), 100, 30)
	sc.press("space")
	sc.run(1, time.Second)
	sc.press("e")
	sc.want("Edit what?", "1 command of 1  mkae", "YES: CONTINUE", "NO: STOP")
}

// TestDocumentChangedDuringDialog: if an open dialog does not let ctrl+r through, the message about a saved document
// says to press esc first.
func TestDocumentChangedDuringDialog(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	after := rundown.Parse("release.runbook.md", []byte("# Doc\n\n## 1 One\nDone?\n"), rundown.Options{})
	saved := session.DocumentChanged{SavedVersion: &engine.ReloadOffer{
		DocumentVersion: &engine.DocumentVersion{Plan: after}, Match: match.Documents(sc.m.timeline.LiveTrack.Plan, after, nil),
	}}
	sc.send(saved)
	sc.want(". Press ctrl+r to use it.")
	sc.press("P")
	sc.send(saved)
	sc.want(". Press esc, then ctrl+r to use it.")
}
