package tui

import (
	"strings"
	"testing"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/breakpoints"
	"playhead/tui/dialog/changedfiles"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/comparison"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/longtext"
	"playhead/tui/dialog/preview"
	"playhead/tui/dialog/reload"
	"playhead/tui/dialog/start"
	"playhead/tui/dialog/whatif"
	"playhead/tui/keymap"
	"playhead/tui/terminal"
	"playhead/tui/typeahead"
)

// twoQuestions is a document that asks two questions and then runs a command.
const twoQuestions = "## 1. Sure?\n- YES: CONTINUE\n- NO: STOP\n\n## 2. Really?\n- YES: CONTINUE\n- NO: STOP\n\n## 3. Build\n```sh\nmake\n```\n\n## 4. Look\nLook.\n"

// typeKeys types a text as keys with an interval between them, and enter for each line break.
func (sc *testScreen) typeKeys(text string, interval time.Duration) {
	for _, r := range text {
		key := string(r)
		if r == '\n' {
			key = "enter"
		}
		sc.burst(key)
		sc.clock = sc.clock.Add(interval)
	}
}

// TestTypedAnswer: the first letter of a typed answer answers the question, and the other keys do nothing, whether they
// arrive at once or at typing speed.
func TestTypedAnswer(t *testing.T) {
	for _, interval := range []time.Duration{0, 250 * time.Millisecond} {
		for _, answer := range []string{"yes\nno\n", "pass\nfail\n"} {
			sc := open(t, load(t, "a.runbook.md", twoQuestions), 100, 30)
			sc.pause()
			sc.typeKeys(answer, interval)
			sc.want("2 Really?", "y yes → 3 Build", "Keys are ignored until you stop typing.", "1/4 done")
			sc.pause()
			sc.burst("y")
			sc.want("2/4 done")
		}
	}
}

// TestTypedTrust: the rest of a typed answer to the question about trust does not answer a question of the run.
func TestTypedTrust(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", twoQuestions), 100, 30, func(c *Config) {
		c.IsTrusted, c.CommandsToTrust = false, []DocumentCommand{{StepLabel: "3", Text: "make"}}
	})
	sc.pause()
	sc.typeKeys("yes\nno\n", 0)
	sc.want("1 Sure?", "0/4 done")
	sc.wantNot("Trust this document?", "Skip step", "Edit")
}

// TestTypedOption: at a list of answers, a letter that the list does not use performs its own action, and the rest of a
// typed option does nothing. The option can still be chosen afterwards.
func TestTypedOption(t *testing.T) {
	doc := "# A\n\n## STEP 1: One\n@elicit(select, \"Which?\", \"one\", \"two\", \"three\")\n## STEP 2: Two\n@elicit(confirm, \"Publish?\")\n"
	for text, shows := range map[string]string{"two\n": "TIMELINE", "s\n": "Skip step 1: note", "why\n": "Select a step that has made a decision", "v\n": "VALUES"} {
		sc := open(t, playbookOf(t, "a.playbook.md", doc), 100, 30)
		sc.typeKeys(text, 0)
		if row := sc.m.timeline.ShownTrack.RowByLabel("1"); !row.Status.IsOpen() {
			t.Errorf("%q: step 1 is %s", text, row.Status)
		}
		sc.want(shows)
		sc.press("esc", "a", "2")
		if got := sc.given(); got != "person two" {
			t.Errorf("%q, then 2: answered %q", text, got)
		}
	}
}

// TestArrowsAfterALetter: arrow keys work at once in a list that a letter opened at a question, because no typed
// text contains arrows.
func TestArrowsAfterALetter(t *testing.T) {
	sc := openAtQuestion(t, 120, 40)
	sc.burst("t")
	before := sc.m.timeline.ShownEventIndex()
	for range 4 {
		sc.clock = sc.clock.Add(200 * time.Millisecond)
		sc.burst("up")
	}
	if now := sc.m.timeline.ShownEventIndex(); now != before-4 {
		t.Errorf("event %d is selected, want %d", now, before-4)
	}
}

// TestStepKeyAtItsOwnPace: the key that stepped to a question does not answer the question while the person repeats the
// key every 250 ms.
func TestStepKeyAtItsOwnPace(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. Build\n```sh\nmake\n```\n\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n"), 100, 30)
	sc.press("space")
	sc.run(0, time.Second)
	for range 8 {
		sc.burst("n")
		sc.clock = sc.clock.Add(250 * time.Millisecond)
	}
	sc.want("Yes or no?", "n was ignored: you pressed it just before this dialog opened.")
}

// TestRefusedKeys: a dialog that is not a question of the run refuses keys that it does not use, and names the keys
// that it has.
func TestRefusedKeys(t *testing.T) {
	for name, d := range map[string]dialog.Dialog{
		"choose":        choose.New("Which?", nil, ""),
		"breakpoints":   breakpoints.NewList(open(t, release(t), 120, 40).m.runView()),
		"confirm":       &confirm.Dialog{Name: "Sure?"},
		"preview":       &preview.Dialog{},
		"errors":        &reload.ErrorsDialog{},
		"long text":     &longtext.Dialog{},
		"missing":       &start.MissingNeedsDialog{},
		"trust":         &start.TrustDialog{},
		"changed files": &changedfiles.Dialog{},
		"comparison":    &comparison.Dialog{},
		"what if":       &whatif.Dialog{},
	} {
		for _, action := range []string{"over", "skip", "breaks", "edit", "change-steps", "timeline"} {
			if dialog.AllowsAction(d, keymap.FindKeyAction(action)) {
				t.Errorf("%s: the key of %s works", name, action)
			}
		}
		if !dialog.AllowsAction(d, keymap.FindKeyAction("interrupt")) {
			t.Errorf("%s: the key of interrupt does not work", name)
		}
	}
	sc := open(t, release(t), 120, 40)
	sc.press("1", "g", "B")
	sc.want("BREAKPOINTS")
	sc.burst("e")
	sc.want("e does nothing here. Press enter (set one), ↑↓ (choose), esc (back).", "BREAKPOINTS")
	sc.burst("\r", "enter")
	if len(sc.m.breakpoints) > 0 {
		t.Error("a key after a refused key sets a breakpoint")
	}
	sc.press("b")
	if len(sc.m.breakpoints) > 0 || !strings.Contains(sc.frame(), "b does nothing here.") {
		t.Error("b sets a breakpoint behind the dialog")
	}
	sc.press("esc")
	sc.wantNot("BREAKPOINTS")
}

// TestRefusedInForm: letters typed at an input that takes no text change nothing.
func TestRefusedInForm(t *testing.T) {
	p := playbookOf(t, "r.playbook.md", "# R\n\n## INPUTS\n- `far` (boolean: true)\n- `near` (boolean: true)\n\n## STEP 1: Read\n@elicit(confirm, \"Now?\")\n")
	sc := open(t, p, 100, 30, func(c *Config) { c.Inputs, c.AskInputs = []plan.Input(p.Inputs), true })
	sc.typeKeys("abc\n", 0)
	sc.want("far", "input 1 of 2", "a does nothing here.")
	if len(sc.m.breakpoints) > 0 {
		t.Error("a letter sets a breakpoint")
	}
}

// TestTrustDialogSetsBreakpoints: a person can set breakpoints before they trust the document.
func TestTrustDialogSetsBreakpoints(t *testing.T) {
	sc := open(t, release(t), 120, 40, func(c *Config) {
		c.IsTrusted, c.CommandsToTrust = false, []DocumentCommand{{StepLabel: "1.1", Text: "tar"}}
	})
	sc.press("b")
	sc.want("Trust this document?", "The run pauses before each attempt of")
	sc.press("B")
	sc.want("B does nothing here. Press y (trust and run)", "Trust this document?")
}

// TestHelpNamesAnswers: help describes the keys of a question as the question does.
func TestHelpNamesAnswers(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", twoQuestions), 100, 30)
	sc.press("?")
	sc.want("y    yes → 2 Really?", "n    no → stopped", "see where a change would lead")
	sc.wantNot("cancel")
}

// TestYesPasses: y also answers the question whether a step passed. n adds a note there.
func TestYesPasses(t *testing.T) {
	sc := open(t, planWithQuestion(t), 120, 40)
	sc.press("n")
	sc.want("enter keep")
	sc.press("esc", "y")
	sc.want("✓ COMPLETED")
}

// TestYesAndNoOutsideDialog: y and n also answer a question from other panes. Without a question they copy and step
// there, so the first press only leads to the question.
func TestYesAndNoOutsideDialog(t *testing.T) {
	for key, answer := range map[string]string{"y": "yes", "n": "no"} {
		sc := open(t, load(t, "a.runbook.md", twoQuestions), 100, 30)
		sc.press("esc", "1")
		sc.want("a answer  y yes → step 2  n no → stopped")
		sc.press(key)
		sc.want("Press " + key + " again to answer \"" + answer + "\".")
		sc.burst(key) // before the person can have read the screen
		if got := sc.given(); got != "" {
			t.Errorf("%s outside answered %q", key, got)
		}
		sc.clock = sc.clock.Add(typeahead.QuietTime)
		sc.press(key)
		if got := sc.given(); !strings.Contains(got, answer) {
			t.Errorf("%s %s answered %q", key, key, got)
		}
	}
}

// TestCopyAtEarlierMoment: at an earlier moment, y copies, although a question is open now.
func TestCopyAtEarlierMoment(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", twoQuestions), 100, 30)
	sc.press("y", "esc", "t", "4", "g", "y")
	sc.want("Copy what?")
	sc.wantNot("Press y again")
}

// TestAnswerMessageEnds: a message about a question disappears when the question closes.
func TestAnswerMessageEnds(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", twoQuestions), 100, 30)
	sc.press("esc", "n")
	sc.want("Press n again")
	if err := sc.s.Answer(machine.Answer{Value: "yes"}); err != nil {
		t.Fatal(err)
	}
	sc.sync()
	sc.want("2 Really?")
	sc.wantNot("Press n again")
}

// TestEnterLongAfterADigit: enter is ignored only right after a digit that answered a question, not later.
func TestEnterLongAfterADigit(t *testing.T) {
	var g typeahead.Guard
	now := time.Now()
	g.NoteAnswer(now, terminal.KeyPress("1"))
	if digit := g.TakeAnswerDigitBeforeEnter(now.Add(1500*time.Millisecond), terminal.KeyPress("enter"), keymap.Map{}); digit != "" {
		t.Errorf("ignored after %s", digit)
	}
}

// TestIgnoredKeysMessageEnds: once keys work again, no message says that they are ignored.
func TestIgnoredKeysMessageEnds(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("q", "/")
	sc.want("Keys are ignored until you stop typing.")
	sc.clock = sc.clock.Add(2 * time.Second)
	sc.send(typeahead.IgnoringEnded{})
	sc.want("/ does nothing here.")
	sc.wantNot("Keys are ignored")
}

// TestMessageReplacesCaption: when presenting, a message replaces the caption of an earlier key.
func TestMessageReplacesCaption(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", twoQuestions), 80, 24)
	sc.press("V", "esc")
	sc.want("pressed esc")
	sc.press("J")
	sc.want("The run is already at this step. Select another one.")
	sc.wantNot("pressed")
}
