package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
	"playhead/tui/layout"
)

// TestTextTakesRoomOfMissingOutput: a step that asks a person has no output, so its text takes the room.
func TestTextTakesRoomOfMissingOutput(t *testing.T) {
	doc := "# Ask\n## 1. Decide\n" + strings.Repeat("A line that has to be read.\n\n", 6) + "- YES: COMPLETE\n- NO: STOP\n"
	sc := open(t, load(t, "ask.runbook.md", doc), 80, 24)
	sc.wantNot("OUTPUT", "more line")
	sc.want("n no → stopped")
	sc.press("esc", "3")
	sc.want("OUTPUT", "Nothing is executed here")
	sc.wantNot("more line")
	sc.press("1")
	sc.wantNot("OUTPUT")
}

// TestAShortTextLendsLines: the output begins directly below a short text, even while it is empty. The terminal
// size of commands and a person's split stay.
func TestAShortTextLendsLines(t *testing.T) {
	doc := "# Long\n## 1. Count\nCounts.\n```sh\nseq 100\n```\n"
	sc := open(t, load(t, "long.runbook.md", doc), 120, 40)
	first, size := func() int { return sc.m.screen.Layout.PaneRects[layout.OutputPane].Y }, sc.m.conn.outputSize
	share := first()
	for i := range 100 {
		sc.s.print(fmt.Sprint(i))
	}
	sc.sync()
	if text := sc.m.screen.Layout.PaneRects[layout.TextPane]; text.H != 3 || first() != share || sc.m.conn.outputSize != size {
		t.Errorf("the output begins at %d, it began at %d; the terminal is %v, it was %v", first(), share, sc.m.conn.outputSize, size)
	}
	sc.want("$ seq 100")
	sc.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	sc.want("Counts.", "$ seq 100")
	before := first()
	sc.press("ctrl+down", "ctrl+down", "ctrl+down")
	if at := first(); at != before+3 {
		t.Errorf("the output begins at %d, it began at %d", at, before)
	}
}

// TestAShortOutputLendsLines: a long text takes the lines that short output leaves. Growing output takes them back in
// at most three moves, and keeps them until the command ends.
func TestAShortOutputLendsLines(t *testing.T) {
	long := strings.Repeat("A line to read.\n\n", 6) + "```sh\nseq 9\n```\n"
	doc := "# Long\n## 1. Begin\n```sh\ntrue\n```\n## 2. Count\n" + long + "## 3. Again\n" + long
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		sc := open(t, load(t, "long.runbook.md", doc), size[0], size[1])
		first := func() int { return sc.m.screen.Layout.PaneRects[layout.OutputPane].Y }
		sc.press("space")
		sc.run(0, time.Second)
		lent, terminal := first(), sc.m.conn.outputSize
		sc.want("‖ paused", "Not run yet. Press n to run this step.", "$ seq 9")
		sc.wantNot("more line")
		sc.press("n")
		for range 3 {
			sc.s.print("a")
			sc.sync()
			if first() != lent {
				t.Fatalf("%v: the output begins at %d, it began at %d", size, first(), lent)
			}
		}
		moves := 0
		for range 30 {
			at := first()
			sc.s.print("b")
			if sc.sync(); first() != at {
				moves++
			}
		}
		if moves > 3 || sc.m.screen.Layout.PaneRects[layout.OutputPane].H < sc.m.screen.Layout.TerminalRect.H || sc.m.conn.outputSize != terminal {
			t.Errorf("%v: the output is at %+v after %d moves; the terminal is %v, it was %v", size, sc.m.screen.Layout.PaneRects[layout.OutputPane], moves, sc.m.conn.outputSize, terminal)
		}
		sc.run(0, time.Second)
		sc.want("‖ paused", "▶ ○ 3 Again")
		if first() != lent {
			t.Errorf("%v: step 3 begins at %d, step 2 at %d", size, first(), lent)
		}
	}
}

// TestBorderWhileGoingThroughCalls: going through the calls of a step moves the border above them at most once.
func TestBorderWhileGoingThroughCalls(t *testing.T) {
	sc := openAfterToolCalls(t, 120, 40)
	sc.endCall(time.Second, plan.Product{ToolCalls: []plan.ToolCall{{
		ID: "r", Name: "report_step_result", Arguments: `{"step_number":0,"status":"failed","error_message":"no archive"}`,
	}}})
	sc.press("3")
	at, moves := sc.m.screen.Layout.PaneRects[layout.OutputPane].Y, 0
	for _, key := range strings.Fields("{ { { { { { } } } } } } { {") {
		sc.press(key)
		if now := sc.m.screen.Layout.PaneRects[layout.OutputPane].Y; now != at {
			at, moves = now, moves+1
		}
	}
	if moves > 1 {
		t.Errorf("the border moved %d times", moves)
	}
}

func TestAQuestionBelowALongText(t *testing.T) {
	doc := "# Ask\n## 1. Decide\n" + strings.Repeat("A line that has to be read.\n\n", 9) + "- YES: COMPLETE\n- NO: STOP\n"
	sc := open(t, load(t, "ask.runbook.md", doc), 60, 16)
	sc.want("more lines", "Yes or no?")
}

func TestALookAroundBeginsWhereThereIsSomethingToSee(t *testing.T) {
	sc := open(t, release(t), 80, 24)
	sc.press("3")
	for range 3 {
		sc.run(0, 0, "ok")
	}
	sc.press("esc")
	sc.want("OUTPUT 2 make push")
	if sc.m.screen.Focus != layout.OutputPane {
		t.Errorf("focus %d", sc.m.screen.Focus)
	}
	sc = open(t, load(t, "ask.runbook.md", "## 1. One?\n- YES: CONTINUE\n- NO: STOP\n\n## 2. Two?\n- YES: COMPLETE\n- NO: STOP\n"), 80, 24)
	sc.press("esc", "3", "a", "y", "esc")
	sc.wantNot("OUTPUT")
	if sc.m.screen.Focus != layout.StepsPane {
		t.Errorf("focus %d", sc.m.screen.Focus)
	}
}

// TestProgressOfAGroup: if a step has replied and its substep asks, both the progress bar and the steps show that the
// step has begun.
func TestProgressOfAGroup(t *testing.T) {
	sc := open(t, playbookOf(t, "a.playbook.md", "# A\n## STEP 1: Rate\nRate it.\n```if severity == \"low\"```\n### STEP 1a: File\nFile it.\n```else```\n### STEP 1b: Wake\n@elicit(confirm, \"Wake them?\")\n```endif```\n## STEP 2: End\nSay it.\n"), 120, 40)
	sc.endReply("It is grave.")
	sc.want("▾ 1 Rate", "• │", "━━━┄┄┄╸┄┄┄┄┄")
}

// TestTheProgressKeepsItsRoom: from 80 columns on, the progress shows however long the title is and however few
// panes fit.
func TestTheProgressKeepsItsRoom(t *testing.T) {
	title := strings.Repeat("A title that is longer than the screen ", 6)
	var steps strings.Builder
	for i := range 12 {
		fmt.Fprintf(&steps, "## %d. Step\n```sh\ntrue\n```\n", i+1)
	}
	for _, name := range []string{"a.runbook.md", strings.Repeat("a-long-name-", 8) + ".runbook.md"} {
		for _, at := range []struct{ w, h, least int }{{80, 24, 12}, {100, 30, 12}, {120, 40, 24}, {160, 48, 24}, {100, 18, 12}} {
			sc := open(t, load(t, name, "# "+title+"\n"+steps.String()), at.w, at.h)
			for _, key := range []string{"1", "z", "z"} {
				sc.press(key)
				first, _, _ := strings.Cut(sc.frame(), "\n")
				_, rail, _ := strings.Cut(first, " ╸")
				rail, _, _ = strings.Cut(rail, " ")
				if n := 1 + len([]rune(rail)); n < at.least {
					t.Errorf("%d × %d after %s: %d cells of progress, want %d\n%s", at.w, at.h, key, n, at.least, first)
				}
			}
		}
	}
}

// TestWhyTakesUnusedLines: WHY takes the lines that text and output do not need, even where it would be folded
// to its title, and gives them back to growing output.
func TestWhyTakesUnusedLines(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}, {120, 40}} {
		for lines := range 14 {
			doc := "# Count\n## 1. Begin\n```sh\ntrue\n```\n## 2. Count\n" + strings.Repeat("A line to read.\n\n", lines) +
				"```sh\nseq 40\n```\n- PASS: CONTINUE\n- FAIL: RETRY 2 GOTO Rollback\n## Rollback\n```sh\ntrue\n```\n"
			sc := open(t, load(t, "count.runbook.md", doc), size[0], size[1])
			sc.press("space")
			sc.run(0, time.Second)
			if lines == 0 {
				sc.want("├ WHY 2", "from 1, default → 2", "RETRY 2 GOTO Rollback")
			}
			sc.press("n")
			for i := range 40 {
				sc.s.print(fmt.Sprint("line ", i+1))
				sc.sync()
			}
			if got, least := sc.m.screen.Layout.PaneRects[layout.OutputPane].H, sc.m.screen.Layout.TerminalRect.H; got < least {
				t.Errorf("%v with %d lines of text: the output has %d lines, its terminal %d", size, lines, got, least)
			}
			sc.run(0, time.Second)
			sc.want("line 40")
		}
	}
}

// TestExplicitRoutesWrap: routes that the document states wrap and are never cut.
func TestExplicitRoutesWrap(t *testing.T) {
	doc := "# R\n## 1. Ask\nShall it?\n- YES: CONTINUE\n- NO: STOP \"the person who was asked did not want it after all\"\n"
	for _, size := range [][2]int{{80, 24}, {60, 16}} {
		sc := open(t, load(t, "r.runbook.md", doc), size[0], size[1])
		sc.press("esc", "4")
		sc.want("after all\"")
		sc.press("a", "n", "2")
		sc.want("after all\"")
	}
}

// TestALongStateLeavesRoom: the first line ends at the corner of the screen, however long the label of the step is at
// which the run is paused.
func TestALongStateLeavesRoom(t *testing.T) {
	doc := "# Long\n## 1. Begin\n```sh\ntrue\n```\n"
	for _, size := range [][2]int{{60, 16}, {80, 24}} {
		sc := open(t, load(t, "a-long-name-of-a-document.runbook.md", doc), size[0], size[1])
		sc.s.status.State, sc.s.status.HitBreakpoint = "paused", "The-first-step-with-a-long-name"
		sc.sync()
		first, _, _ := strings.Cut(sc.frame(), "\n")
		if !strings.Contains(first, "‖ paused at breakpoint") || !strings.HasSuffix(first, "╮") {
			t.Errorf("%v: %s", size, first)
		}
	}
}

// TestTheBorderWhileGoingThroughEvents: while a person moves through events, the timeline gives lines to a text
// and output that need them, and takes none back.
func TestTheBorderWhileGoingThroughEvents(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		sc := openAtQuestion(t, size[0], size[1])
		sc.press("esc", "t", "4")
		top := sc.m.screen.Layout.PaneRects[layout.WhyPane].Y
		for _, key := range strings.Fields(strings.Repeat("up ", 19) + strings.Repeat("down ", 19)) {
			sc.press(key)
			if now := sc.m.screen.Layout.PaneRects[layout.WhyPane].Y; now < top {
				t.Errorf("%v: the timeline begins at %d, it began at %d", size, now, top)
			} else {
				top = now
			}
		}
	}
}
