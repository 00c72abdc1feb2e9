package tui

import (
	"strings"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/typeahead"

	tea "charm.land/bubbletea/v2"
)

func TestUnavailableKeySaysWhy(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	for key, why := range map[string]string{
		"n": "Press space to pause before the next step.", "c": "already running", "a": "No question is open.", "]": "Press / to search.", "Q": "Press ? to list the keys", "x": "There is nothing to export yet.",
	} {
		sc.press(key)
		sc.want(why)
	}
	sc.press("down")
	sc.wantNot("Press ? to list the keys")
}

func TestEscKeepsWhatWasTyped(t *testing.T) {
	sc := open(t, planWithQuestion(t), 120, 40)
	sc.press("n")
	sc.write("looks good")
	sc.press("enter")
	sc.want("note: looks good")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("esc")
	sc.want("Press a to go back to the question", "WHY 1")
	sc.press("a")
	sc.want("note: looks good")
	sc.press("p")
	last := sc.s.events[len(sc.s.events)-4:]
	if e := last[0]; e.Note != "looks good" || e.By != "person" {
		t.Errorf("answered %+v", e)
	}
	sc.want("✓ COMPLETED  approved")
}

// TestStepKeyAnswersNothing: the key that stepped to a question does not answer the question while the person repeats
// the key without a pause.
func TestStepKeyAnswersNothing(t *testing.T) {
	doc := "## 1. One\nDo it.\n- PASS: CONTINUE\n- FAIL: STOP\n\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n"
	sc := open(t, load(t, "a.runbook.md", doc), 100, 30, func(c *Config) { c.Breakpoints = []engine.Breakpoint{{Step: "2"}} })
	sc.press("p")
	sc.want("paused")
	sc.clock = sc.clock.Add(time.Second)
	for range 4 {
		sc.press("n")
		sc.clock = sc.clock.Add(120 * time.Millisecond)
	}
	sc.want("Yes or no?", "n was ignored: you pressed it just before this dialog opened.")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("n")
	sc.want("stopped")
}

// TestRepeatedPass: while the key that passes a step at a pause is repeated without a pause, it does not pass the next
// step, because nobody has seen that step yet.
func TestRepeatedPass(t *testing.T) {
	doc := "## 1. One\n```sh\ntrue\n```\n\n## 2. Two\n```sh\ntrue\n```\n\n## 3. Three\n```sh\ntrue\n```\n\n## 4. Sure?\n- YES: COMPLETE\n- NO: STOP\n"
	sc := open(t, load(t, "a.runbook.md", doc), 100, 30, func(c *Config) {
		c.Breakpoints = []engine.Breakpoint{{Step: "2"}, {Step: "3"}, {Step: "4"}}
	})
	sc.run(0, time.Second, "done")
	sc.want("paused", "○ 2 Two")
	for range 4 {
		sc.burst("p")
		sc.clock = sc.clock.Add(120 * time.Millisecond)
	}
	sc.want("✓ 2 Two", "○ 3 Three", "p was ignored: you have just pressed it for another step.")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("p")
	sc.want("✓ 3 Three", "○ 4 Sure?")
}

// TestRepeatedAnswer: a key that is repeated without a pause does not answer the next question, whether it answered the
// question before or did something else.
func TestRepeatedAnswer(t *testing.T) {
	doc := "## 1. Sure?\n- YES: CONTINUE\n- NO: STOP\n\n## 2. Really?\n- YES: CONTINUE\n- NO: STOP\n\n" +
		"## 3. Build\n```sh\nmake\n```\n\n## 4. Publish?\n- YES: COMPLETE\n- NO: STOP\n"
	sc := open(t, load(t, "a.runbook.md", doc), 100, 30)
	repeat := func(key string, times int) {
		for range times {
			sc.burst(key)
			sc.clock = sc.clock.Add(120 * time.Millisecond)
		}
	}
	sc.pause()
	repeat("y", 4)
	sc.want("2 Really?", "Keys are ignored until you stop typing.")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("y")
	sc.pause()
	repeat("y", 2) // copies, because no question is open
	sc.run(0, 0)
	repeat("y", 2)
	sc.want("4 Publish?", "Keys are ignored until you stop typing.")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("y")
	sc.want("completed")
}

// TestUnreadDialog: a dialog that opens by itself is not answered by a key that comes before a person can have read it.
func TestUnreadDialog(t *testing.T) {
	doc := "## 1. Build\n```sh\nmake\n```\n\n## 2. Publish?\n- YES: COMPLETE\n- NO: STOP\n"
	sc := open(t, load(t, "a.runbook.md", doc), 100, 30, func(c *Config) {
		c.IsTrusted, c.CommandsToTrust = false, []DocumentCommand{{StepLabel: "1", Text: "make"}}
	})
	sc.burst("y")
	sc.clock = sc.clock.Add(200 * time.Millisecond)
	sc.burst("s")
	sc.want("Trust this document?", "s was ignored: this dialog has just opened.")
	sc.press("y")
	sc.run(0, time.Second, "done")
	sc.burst("n")
	sc.want("2 Publish?", "n was ignored: this dialog has just opened. Read it, then press the key again.")
	sc.burst("w") // is not ignored, because it does not answer the question
	sc.want("WHAT IF")
	sc.press("esc", "n")
	sc.want("stopped")
}

// TestKeyOfAMenuAnswersNothing: the key that closes a menu does not answer the question behind the menu.
func TestKeyOfAMenuAnswersNothing(t *testing.T) {
	doc := "## 1. Build\nBuild it.\n```sh\nmake\n```\n\n## 2. Publish?\n- YES: COMPLETE\n- NO: STOP\n"
	sc := open(t, load(t, "a.runbook.md", doc), 100, 30)
	sc.press("2", "y")
	sc.want("Copy what?")
	sc.clock = sc.clock.Add(time.Second)
	sc.run(0, 0)
	sc.press("y")
	sc.wantNot("Copy what?")
	sc.clock = sc.clock.Add(50 * time.Millisecond)
	sc.burst("y")
	sc.want("Yes or no?", "Copied 1's text.")
}

// TestKeyShowsHiddenQuestionFirst: on a screen that shows one pane, a key does not answer a hidden question, but shows
// it first.
func TestKeyShowsHiddenQuestionFirst(t *testing.T) {
	sc := openAtQuestion(t, 60, 16)
	sc.press("esc", "f")
	sc.want("Press the same key again", "y yes → ")
	if n := len(sc.m.timeline.ShownTrack.EnteredSteps); sc.m.timeline.ShownTrack.EnteredSteps[n-1].Label != "3" {
		t.Fatalf("the hidden question was answered: %v", sc.m.timeline.ShownTrack.EnteredStepLabels())
	}
	sc.press("f")
	sc.want("f was ignored")
	sc.clock = sc.clock.Add(typeahead.QuietTime)
	sc.press("f")
	if n := len(sc.m.timeline.ShownTrack.EnteredSteps); sc.m.timeline.ShownTrack.EnteredSteps[n-1].Label != "Rollback" {
		t.Errorf("the question was not answered: %v", sc.m.timeline.ShownTrack.EnteredStepLabels())
	}
}

func TestAnswerTakesItsRoute(t *testing.T) {
	for key, path := range map[string]string{"p": "3", "y": "3", "f": "Rollback", "n": "Rollback"} {
		sc := openAtQuestion(t, 80, 24)
		sc.press(key)
		if got := sc.m.timeline.ShownTrack.EnteredSteps[len(sc.m.timeline.ShownTrack.EnteredSteps)-1].Label; got != path {
			t.Errorf("%s leads to %s, want %s", key, got, path)
		}
	}
}

func TestQuitAsksWhileACommandRuns(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("q")
	sc.want("Quit?", "Step 1.1 is still running", "with playhead resume")
	sc.press("n")
	if sc.quit {
		t.Fatal("n quits")
	}
	sc.press("q", "enter")
	sc.want("Quit?", "enter does nothing here. Press y (yes), n (no), esc (cancel).")
	if sc.quit {
		t.Fatal("enter quits")
	}
	sc.press("y")
	if !sc.quit {
		t.Error("y does not quit")
	}
	sc = openAtQuestion(t, 120, 40)
	sc.press("q")
	if !sc.quit {
		t.Error("q does not quit although nothing runs")
	}
}

// TestHelpInConfirmation: the help lists the keys of a confirmation, and only those, and leaves it open.
func TestHelpInConfirmation(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("q")
	sc.want("Quit?", "? help")
	sc.press("?")
	sc.want("KEYS", "y    confirm", "n    cancel", "?       list the keys")
	sc.wantNot("run to the selected step")
	sc.press("?")
	sc.want("Quit?", "y yes  n no")
	sc.press("y")
	if !sc.quit {
		t.Error("y quits")
	}
}

// TestEnterDoesNotConfirmInterruption: enter does not confirm a dialog that would interrupt the running command.
func TestEnterDoesNotConfirmInterruption(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("r", "enter")
	sc.want("will be interrupted first.", "enter does nothing here. Press y (yes), n (no), esc (cancel).")
	if sc.s.running == nil {
		t.Fatal("enter has ended the command")
	}
	sc.press("n")
	sc.wantNot("will be interrupted first.")
}

func TestInterruptTwiceQuits(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("ctrl+c")
	sc.want("The command was interrupted", "r rerun")
	sc.press("r")
	if sc.s.running == nil {
		t.Fatal("r does not rerun the step")
	}
	sc.press("esc", "ctrl+c", "ctrl+c")
	if !sc.quit {
		t.Error("the second ctrl+c does not quit")
	}
}

func TestInterruptAtAQuestionSaysThatItQuits(t *testing.T) {
	sc := openAtQuestion(t, 80, 24)
	sc.press("ctrl+c")
	sc.want("Press ctrl+c again to quit")
	if sc.quit {
		t.Fatal("the first ctrl+c quits")
	}
	sc.press("esc", "ctrl+c")
	if sc.quit {
		t.Fatal("ctrl+c quits although another key came after the first one")
	}
	sc.press("ctrl+c")
	if !sc.quit {
		t.Error("the second ctrl+c does not quit")
	}
}

func TestAnInterventionAsksWhileACommandRuns(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("p")
	sc.want("Override step 1.1 with pass?", "will be interrupted first.")
	sc.press("y")
	if r := sc.m.timeline.ShownTrack.RowByLabel("1.1"); !r.Overridden || r.Status != track.Passed {
		t.Errorf("1.1 is %s, overridden %v", r.Status, r.Overridden)
	}
}

func TestStepping(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("space")
	sc.run(0, time.Second, "ok")
	sc.want("Not run yet. Press n to run this step.")
	sc.press("G", "k", "k")
	sc.want("Press . to run to this step.")
	sc.press("esc")
	sc.want("‖ paused", "▶   ○ 1.2", "WHY 1.2", "from 1.1, default → 1.2 · pass", "$ df -Pk /tmp")
	sc.press("n")
	if sc.s.running == nil || sc.s.running.Action.StepLabel != "1.2" {
		t.Fatal("n does not enter 1.2")
	}
	sc.run(0, time.Second)
	sc.want("‖ paused")
	sc.press("c")
	sc.run(0, time.Second)
	sc.want("waits for you")
	if sc.s.mode != engine.Continue {
		t.Error("c does not end stepping")
	}
}

func TestRunTo(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("G", "k", "k", ".") // 2 Push
	sc.want("running to 2 · 00:00", "space pause")
	sc.run(0, time.Second)
	sc.run(0, time.Second)
	sc.want("‖ paused", "▶ ○ 2 Push")
}

// TestNoticeAtTheStart: a notice leaves the keys of the first dialog in sight. Without a dialog, it is in the last
// line until the next key.
func TestNoticeAtTheStart(t *testing.T) {
	notice := func(c *Config) { c.Notice = "no model is configured" }
	untrusted := func(c *Config) {
		c.IsTrusted, c.CommandsToTrust = false, []DocumentCommand{{StepLabel: "1.1", Text: "true"}}
	}
	sc := open(t, release(t), 80, 24, notice, untrusted)
	sc.want("△ no model is configured", "y trust and run")
	sc.press("m")
	sc.wantNot("no model is configured")
	sc = open(t, release(t), 80, 24, notice)
	sc.want("╰ no model is configured")
}

// TestAnswersAreClicked: a click on an answer in a dialog works like a click on a key in the last line. Help lists the
// answers.
func TestAnswersAreClicked(t *testing.T) {
	sc := open(t, release(t), 120, 40, func(c *Config) {
		c.IsTrusted, c.CommandsToTrust = false, []DocumentCommand{{StepLabel: "1.1", Text: "rm -rf /"}}
	})
	sc.press("?")
	sc.want("s    trust the document, and pause", "m    run the commands yourself, and")
	sc.press("esc")
	for y, line := range strings.Split(sc.frame(), "\n") {
		if before, _, found := strings.Cut(line, "trust and step"); found {
			sc.send(tea.MouseClickMsg{X: sc.m.drawContext.Width(before), Y: y, Button: tea.MouseLeft})
		}
	}
	sc.want("paused")
}

func TestTrustAnswers(t *testing.T) {
	asked := func(remembered *int) *testScreen {
		return open(t, release(t), 120, 40, func(c *Config) {
			c.IsTrusted, c.CommandsToTrust = false, []DocumentCommand{{StepLabel: "1.1", Text: "rm -rf /"}}
			c.RememberTrust = func() error { *remembered++; return nil }
		})
	}
	n := 0
	sc := asked(&n)
	sc.press("c")
	sc.want("c does nothing here. Press y (trust and run), s (trust and step), m (run them yourself), esc (look around), n q", "(quit).")
	sc.press("esc", "down", "a", "y")
	if n != 1 || sc.s.running == nil {
		t.Errorf("remembered %d times; running %v", n, sc.s.running)
	}
	sc = asked(&n)
	sc.press("m")
	sc.want("Do this step yourself")
	if n != 1 {
		t.Error("running without executing is no yes")
	}
	sc = open(t, release(t), 120, 40, func(c *Config) { // a resumed run keeps its choice whether it executes anything
		c.IsTrusted, c.ResumedEvents = false, []machine.Event{{Seq: 1, Body: &machine.RunStarted{RunID: "7f3a"}}}
	})
	sc.press("m", "esc")
	sc.want("Trust this document?", "trust and continue")
	sc.wantNot("without executing")
	if sc.s != nil {
		t.Error("the run began")
	}
	sc = asked(&n)
	sc.press("q")
	if !sc.quit || sc.s != nil {
		t.Error("q does not quit, or the run began")
	}
}

func TestAQuestionNeverTakesTheKeysOfAnother(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.run(0, time.Second)
	sc.run(0, time.Second)
	sc.press("q") // while 2 Push runs
	sc.want("Quit?", "Step 2 is still running")
	sc.run(0, time.Second)
	sc.wantNot("Quit?")
	sc.want("Yes or no?", "Nothing is running any more. Press q to quit.")
	sc.burst("y")
	if sc.m.timeline.ShownTrack.CurrentRow.Label != "3" || sc.s.status.State != engine.Waiting {
		t.Error("the document's question was answered")
	}
	sc.clock = sc.clock.Add(2 * time.Second)
	sc.press("y")
	if sc.m.timeline.ShownTrack.Finished == nil {
		t.Error("a key after a pause does not answer the question")
	}
}

func TestAnInterventionDoesNotHitTheNextStep(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("P")
	sc.write("no need")
	sc.run(0, time.Second) // 1.1 ends by itself
	sc.press("enter")
	sc.want("the run has already moved past 1.1")
	if len(sc.m.timeline.ShownTrack.Overrides) != 0 {
		t.Errorf("overrides %v", sc.m.timeline.ShownTrack.Overrides)
	}
}

func TestHistoryAboveAQuestion(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.press("tab", "t")
	sc.want("TIMELINE", "waits for a person")
	sc.press("a")
	sc.want("Yes or no?")
}

// TestInstruction: an instruction to a person shows completely in the dialog and in the text pane, while it is
// asked and afterwards.
func TestInstruction(t *testing.T) {
	doc := "# Deploy\n\n## 1 Announce\nLook first.\n~~~prompt\nAsk in the channel whether anybody deploys today, and wait " +
		"ten minutes for an answer before you go on to the end.\n\n  https://chat.example/deploys\n~~~\n## 2 Done\nfine?\n"
	sizes(t, func(t *testing.T, w, h int) *testScreen { return open(t, load(t, "deploy.runbook.md", doc), w, h) })
	sc := open(t, load(t, "deploy.runbook.md", doc), 80, 24)
	sc.press("p", "esc", "k")
	sc.want("✓ 1 Announce", "Look first.", "before you go on to the end.", "    https://chat.example/deploys")
}

// TestOverrideAfterFlag: an override by a person is named instead of the flag that had answered.
func TestOverrideAfterFlag(t *testing.T) {
	sc := open(t, load(t, "q.runbook.md", "## 1. Sure?\n- YES: CONTINUE\n- NO: STOP\n\n## 2. Build\n```sh\nmake\n```\n"), 100, 30)
	sc.s.mode = engine.PauseNext
	if err := sc.s.Answer(machine.Answer{Value: "yes", By: machine.ByFlag}); err != nil {
		t.Fatal(err)
	}
	sc.sync()
	sc.press("1", "g")
	sc.want("passed · from a flag")
	if err := sc.s.OverridePrevious(plan.Failed, ""); err != nil {
		t.Fatal(err)
	}
	sc.sync()
	sc.want("failed · overridden")
	sc.wantNot("flag")
}
