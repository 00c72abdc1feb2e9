package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/replay"
	"playhead/parse"
	"playhead/tui/layout"
)

func TestTypingIntoCommand(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.press("3", "enter")
	sc.want("ctrl+] to end typing · keys go to the command")
	sc.write("yes q?")
	sc.press("enter", "ctrl+c", "up", "esc", "backspace", "tab")
	sc.send(tea.PasteMsg{Content: "pasted"})
	if got, want := sc.s.typed.String(), "yes q?\r\x03\x1b[A\x1b\x7f\tpasted"; got != want {
		t.Errorf("typed %q, want %q", got, want)
	}
	sc.press("ctrl+]")
	sc.wantNot("to end typing")
	sc.run(0, time.Second)
	sc.press("1", "g", "down", "3", "enter")
	sc.want("No command is running here")
}

// TestNoTypingAtEarlierMoment: at an earlier moment and in a replay, a person cannot type into a command.
func TestNoTypingAtEarlierMoment(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n- PASS: RETRY 3\n```sh\nmake\n```\n"), 120, 40)
	sc.run(0, time.Second, "made once")
	sc.press("t", "4", "g", "down", "down", "3")
	sc.want("as of event 3")
	sc.press("enter")
	sc.wantNot("to end typing")
	sc.want("No command is running here")

	sc.press("esc", "3")
	sc.want("enter type")
	run := sc.m.runView()
	run.IsReplay = true
	if sc.m.screen.Output.CanType(run) {
		t.Error("a person can type into a replay")
	}
}

// TestTitleNamesEndTypingKey: on a narrow screen, the title still shows the whole hint about the key that ends typing.
func TestTitleNamesEndTypingKey(t *testing.T) {
	sc := open(t, release(t), 80, 24)
	sc.press("3", "enter")
	sc.want("─ ctrl+] to end typing ┤")
}

// TestLostLog: if a log is missing, the output pane says so.
func TestLostLog(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n```sh\nmake\n```\n## 2. Two\nReady?\n"), 120, 40)
	sc.run(0, time.Second, "made once")
	clear(sc.s.logs)
	sc.press("esc", "1", "down", "up")
	sc.want("The log of this output is missing from the run's folder")
}

// openWithOutput returns the screen of a run whose first command has printed n lines.
func openWithOutput(t testing.TB, w, h, n int) *testScreen {
	sc := open(t, release(t), w, h)
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("%d of %d", i+1, n)
	}
	sc.s.print(lines...)
	sc.sync()
	return sc
}

// TestOutputBelowSteps: on a small screen, output gets the rows that the steps leave blank.
func TestOutputBelowSteps(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. Build\n```sh\nmake\n```\n## 2. Push\n```sh\nmake push\n```\n"), 60, 16)
	sc.press("1")
	sc.s.print(strings.Split("a b c d e f g h i j k l", " ")...)
	sc.sync()
	sc.want("○ 2 Push", "│ d ", "│ l ")
	sc.wantNot("│ c ")
}

func TestOutputFollowsItsEnd(t *testing.T) {
	sc := openWithOutput(t, 120, 40, 500)
	sc.want("500 of 500", "following")
	sc.press("3", "up")
	sc.s.print("new")
	sc.sync()
	sc.wantNot("│ new")
	sc.want("line 473 of 501")
	sc.press("pgdown")
	sc.want("│ new")
	sc.press("g")
	sc.want("│ 1 of 500", "line 1 of 501")
	sc.press("G")
	sc.s.print("newer")
	sc.sync()
	sc.want("│ newer", "following")
}

func TestFindInOutput(t *testing.T) {
	sc := openWithOutput(t, 120, 40, 500)
	sc.press("3", "/")
	sc.write("33")
	sc.want("/33", "14 of 14", "433 of 500") // the nearest match is above
	sc.press("enter", "]")
	sc.want("14 of 14 · no more")
	for range 7 {
		sc.press("[")
	}
	sc.want("333 of 500", "7 of 14")
	sc.press("]")
	sc.want("8 of 14")
	if !strings.Contains(sc.m.frame, sc.m.drawContext.Match.Paint("33")) || !strings.Contains(sc.m.frame, sc.m.drawContext.CurrentMatch.Paint("33")) {
		t.Error("matches are not highlighted")
	}
	sc.press("esc")
	sc.wantNot("/33")
}

func TestWrapAndPan(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	sc.s.print(strings.Repeat("0123456789", 20) + "end")
	sc.sync()
	sc.wantNot("9end")
	sc.press("W")
	sc.want("9end")
	sc.press("W", "3")
	for range 16 {
		sc.press("right")
	}
	sc.want("9end")
}

func TestSizeOfTheCommandsTerminal(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	if box := sc.m.screen.Layout.PaneRects[layout.OutputPane]; sc.s.size[0] != box.W || sc.s.size[1] > box.H {
		t.Errorf("the session has %v, the pane is %d × %d", sc.s.size, box.W, box.H)
	}
}

// TestNoAnswerKeyAtEarlierMoment: at an earlier moment at which a question was open, the output pane names no key to
// answer it.
func TestNoAnswerKeyAtEarlierMoment(t *testing.T) {
	sc := open(t, load(t, "ask.runbook.md", "## 1. Sure?\nWell?\n- YES: CONTINUE\n- NO: STOP\n## 2. Really?\nWell?\n"), 80, 24)
	sc.press("esc", "3")
	sc.want("Nothing is executed here", "to go to the question")
	sc.press("1", "a", "y", "esc", "t", "4", "k", "k", "k", "k", "k", "3")
	sc.want("as of event 3 of 8", "Nothing is executed here")
	sc.wantNot("to go to the question")
}

// TestAStepThatHasOnlyBegun: a replay can be at a step that was entered and has executed nothing yet. No hint
// offers to run to it.
func TestAStepThatHasOnlyBegun(t *testing.T) {
	sc := open(t, release(t), 80, 24)
	sc.send(engine.Update{Events: sc.s.events[:2], IsRestarted: true, Status: engine.Status{State: engine.Paused}})
	sc.want("• 1.1", "Not run yet.")
	sc.wantNot("run to this step")
}

func TestAnInterruptedStepSaysSo(t *testing.T) {
	sc := open(t, release(t), 80, 24)
	sc.press("ctrl+c", "esc", "3")
	sc.want("Interrupted before any output. Press a to go", "to the question.")
	sc.press("r")
	sc.want("Running. Nothing printed yet.", "▶   ⠋ 1.1")
	sc.wantNot("signal")
}

// TestAQuietCommand: a running command that prints nothing may wait for input, so a hint says how to type into it,
// also while the steps have the focus.
func TestAQuietCommand(t *testing.T) {
	sc := open(t, release(t), 80, 24)
	sc.s.print("who are you")
	sc.sync()
	sc.want("3 output")
	sc.clock = sc.clock.Add(3 * time.Second)
	sc.send(spinnerTickMsg{})
	sc.want("3 output, then enter to type")
	sc.s.print("I see")
	sc.sync()
	sc.want("3 output")
}

func TestACommandThatWaitsForInput(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		sc := open(t, release(t), size[0], size[1])
		sc.s.print("who are you", "your name: ")
		sc.s.logs[sc.s.status.RunningLog].IsLastLineOpen = true
		sc.sync()
		sc.wantNot("enter type")
		sc.clock = sc.clock.Add(600 * time.Millisecond)
		sc.send(spinnerTickMsg{})
		sc.press("4")
		sc.want("╰ 3 output, then enter to type  ")
		sc.press("3")
		sc.want("╰ enter type  ")
		sc.press("1")
		sc.want("╰ enter type  space pause")
		sc.press("enter")
		sc.want("to end typing")
		if want := "your name: " + sc.m.drawContext.Caret.Paint(" "); !strings.Contains(sc.m.frame, want) {
			t.Error("no caret shows")
		}
		sc.write("Bob")
		if got := sc.s.typed.String(); got != "Bob" {
			t.Errorf("typed %q", got)
		}
	}
}

func TestTheCaretHasALineOfItsOwnBehindALineThatEnded(t *testing.T) {
	sc := openWithOutput(t, 80, 24, 100)
	sc.press("3", "enter")
	sc.want("│ 100 of 100")
	lines := strings.Split(sc.m.frame, "\n")
	box := sc.m.screen.Layout.PaneRects[layout.OutputPane]
	if last := lines[box.Y+box.H-1]; !strings.Contains(last, sc.m.drawContext.Caret.Paint(" ")) {
		t.Errorf("the last line is %q", last)
	}
}

// TestNoOutputAtQuestion: a question shows no message about an earlier step that executed nothing.
func TestNoOutputAtQuestion(t *testing.T) {
	doc := "# Ask\n\n## STEP 1: First\n\n@elicit(select, \"Colour?\", \"red\", \"blue\")\n\n@output(colour)\n\n" +
		"## STEP 2: Second\n\n@elicit(confirm, \"Done?\")\n"
	p := parse.Load("a.playbook.md", parse.Options{FS: fstest.MapFS{"a.playbook.md": {Data: []byte(doc)}}})
	sc := open(t, p, 100, 30)
	sc.press("1", "enter")
	sc.want("Done?", "y yes")
	sc.wantNot("ended before anything ran")
	sc.press("y", "esc", "1", "g", "3")
	sc.want("This step asks a person, and prints nothing.")
}

// TestWithoutOutput: a step that is over says why it has no output.
func TestWithoutOutput(t *testing.T) {
	doc := "# R\n## 1. Ask\nReady?\n- YES: CONTINUE\n- NO: STOP\n## 2. Build\n```sh\nmake\n```\n- PASS: CONTINUE\n- FAIL: CONTINUE\n## 3. End\nFine?\n"
	sc := open(t, load(t, "r.runbook.md", doc), 100, 30)
	sc.press("esc", "1", "j", "b", "a", "y")
	sc.want("paused")
	sc.press("s", "esc", "1", "g", "3")
	sc.want("This step asks a person, and prints nothing.")
	sc.press("1", "j", "3")
	sc.want("This step was skipped, so nothing ran.")
}

// TestPauseBeforeARetry: a pause before the next attempt of a step looks different from a pause after the previous
// attempt.
func TestPauseBeforeARetry(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\n- FAIL: RETRY 2 STOP\n```sh\nmake\n```\n"), 120, 40, func(c *Config) { c.Breakpoints = []engine.Breakpoint{{Step: "1"}} })
	sc.press("n")
	sc.want("attempt 1 of 3")
	sc.run(1, time.Second, "no")
	sc.want("before attempt 2 of 3 · failed")
	sc.press("n")
	sc.want(" attempt 2 of 3")
	sc.wantNot("before attempt")
}

// TestHelpNamesWhatThePaneShows: the title of help names what the fourth pane shows: WHY, the timeline or the values.
func TestHelpNamesWhatThePaneShows(t *testing.T) {
	sc := open(t, release(t), 120, 40)
	for _, c := range []struct{ keys, place string }{{"4", "for the why pane"}, {"t", "for the timeline"}, {"v 4", "for the values"}} {
		sc.press(strings.Fields(c.keys + " ?")...)
		sc.want(c.place + " and for all panes")
		sc.press("?")
	}
}

// TestHelpInReplay: help and the menu say what keys do in a replay, and help does not list actions that a replay never
// allows.
func TestHelpInReplay(t *testing.T) {
	sc := open(t, release(t), 160, 90)
	sc.press("?")
	sc.want("change inputs before the first step", "insert, move or remove steps", "run to the selected step")
	sc.press("esc")
	sc.m.conn.player = replay.New(replay.NewRecording(sc.m.timeline.Events, 0), nil)
	sc.press("?")
	sc.want("play one step", "go back one step", "pause, or play", "open the timeline", "quit")
	sc.wantNot("run one step", "undo the last", "until you are needed", "change inputs", "insert, move or remove", "edit a step", "override", "set or clear a breakpoint", "need your approval")
	sc.press("esc", ":")
	sc.want("play one step", "go back one step")
	sc.wantNot("counts as one", "undo the last")
}

// TestNoOutputInReplay: a replay executes nothing, so its empty output pane names no key that runs a step.
func TestNoOutputInReplay(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "## 1. One\nReady?\n## 2. Two\n```sh\nmake\n```\n"), 120, 40)
	sc.press("esc", "1", "j")
	sc.want("Not run yet. Press a to go to the open question")
	sc.m.conn.player = replay.New(replay.NewRecording(sc.m.timeline.Events, 0), nil)
	sc.press("k", "j")
	sc.want("Not run yet.")
	sc.wantNot("Not run yet. Press")
}

// TestOutputOfAJudgedStep: if a person gave the outcome of a step, the output pane says that nothing was executed.
func TestOutputOfAJudgedStep(t *testing.T) {
	sc := open(t, release(t), 100, 30, func(c *Config) { c.IsTrusted = false })
	sc.press("m", "p", "p", "esc", "1", "g", "j", "3")
	sc.want("1.1 Tools", "Nothing was executed: a person gave the outcome.")
}
