package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

const plainly = "# Rate it\n\n## 1. Rate\nIs it severe?\n- YES: GOTO Page\n- NO: CONTINUE\n" +
	"## 2. Log\n```sh\necho Logged it\n```\n## Page\nWake them.\n"

// tells types a line and waits for the texts that it leads to.
func (t *terminal) tells(line string, wants ...string) {
	t.t.Helper()
	t.types(line + "\n")
	for _, want := range wants {
		t.says(want)
	}
}

// says waits until the program has written a text, even if the text is no longer on the screen.
func (t *terminal) says(text string) {
	t.t.Helper()
	t.waits(t.all, text)
}

// TestLinesDoEverything: plain mode has a command for each action.
func TestLinesDoEverything(t *testing.T) {
	t.Parallel()
	x := open(t, plainly, "--plain", "--trust")
	x.says("[1] Rate: Is it severe? [yes/no/skip/…]")
	x.tells(":help", ":what-if [STEP] [NAME=VALUE]", ":export [KIND [FILE]]")
	x.tells(":steps", "[1] Rate: waiting  <- the run is here")
	x.tells(":break 2", "Breakpoint set: 2.")
	x.tells("no", "paused before 2")
	x.tells(":edit 2 echo Written", "uses the edit the next time it begins")
	x.tells(":what-if outcome=pass", "with this change, step 1 decides:", "-> Page")
	x.tells(":continue", "$ echo Written", "completed", "playhead resume ")
	x.ends(exitOK)
	run := strings.Fields(program(t, x.cmd, "runs"))[6]

	x = openWith(t, pty.Winsize{Rows: 24, Cols: 80}, x.cmd.Dir, []string{"EDITOR=sed -i s/Logged/Rewritten/"}, "resume", run, "--plain")
	x.says("the run is over: enter quits, :help lists the commands")
	x.tells(":summary", "! [2] Log: edited")
	x.tells(":write-back", "-echo Logged it", "+echo Written")
	x.tells(":export html report.html", "saved in report.html")
	x.tells(":copy 2", "copied 1 line")
	x.tells(":copy why 1", "copied 3 lines")
	x.tells(":coverage", "1 of 2 routes taken")
	x.tells(":fork", "; resume with: playhead resume")
	x.tells(":compare", "RUN ")
	x.tells(":undo", "undo: back at step ", "paused before 2")
	x.tells(":edit 2", "uses the edit the next time it begins")
	x.waits(func() string { // an earlier enter would go to the editor
		return x.all()[strings.LastIndex(x.all(), "uses the edit the next time it begins"):]
	}, "enter continues")
	x.tells("", "$ echo Rewritten it")
	x.waits(func() string {
		_, after, _ := strings.Cut(x.all(), "$ echo Rewritten it")
		return after
	}, "the run is over: enter quits")
	x.tells(":quit")
	x.ends(exitOK)
	if _, err := os.Stat(filepath.Join(x.cmd.Dir, "report.html")); err != nil {
		t.Error(err)
	}
}

// TestLinesFromTheStart: in plain mode a person chooses the document, describes it and may run it without executing
// commands.
func TestLinesFromTheStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.runbook.md"), plainly)
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "--plain")
	x.says("documents here")
	x.says("[1-7, enter for 1, ?1 to describe 1]")
	x.tells("99", `"99" is not a number from 1 to 7`)
	x.tells("?1", "├ 1 Rate")
	x.tells("", "Run it? [yes/no/prompted]")
	x.tells("prompted", "[1] Rate: Is it severe?")
	x.tells("no", "$ echo Logged it", "[2] Log [pass/fail/skip/…]")
	x.tells(":quit")
	x.ends(exitAwaiting)
}

const rated = "# Rate\n## STEP 1: Rate\nRate it.\n@output(severity: enum, \"low\", \"high\")\n"

// TestReplyIsLookedAt: a manual reply with a typo is not sent. In plain mode the editor changes it, on the screen it
// stays in its dialog.
func TestReplyIsLookedAt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "rate.playbook.md"), rated)
	x := openWith(t, pty.Winsize{Rows: 24, Cols: 80}, dir, []string{"EDITOR=sed -i s/hgih/high/"}, "rate.playbook.md", "--plain", "--source", "manual")
	x.says("[1] type your reply in place of the model, or :answer to write it in $EDITOR [skip/…]")
	x.tells("hgih", "the value is not one of low, high", "not sent yet: press enter to send it as it is, type :answer to change it in $EDITOR")
	x.tells(":answer", "-> end", "completed")
	x.ends(exitOK)

	x = openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "rate.playbook.md", "--source", "manual")
	x.sees("Reply in the model's place.")
	x.types("hgih\x13")
	x.sees("Not sent:")
	x.types("\x7f\x7f\x7fi")
	x.types("gh\x13")
	x.sees("✓ completed")
	x.types("q")
	x.ends(exitOK)
}
