package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestReplay: a recording plays on the screen, forwards and backwards, and executes nothing.
func TestReplay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	doc := "## 1. Say\n```sh\necho said >> trace; echo out loud\n```\n## 2. Sure?\n- YES: COMPLETE \"sure enough\"\n- NO: STOP\n"
	if err := os.WriteFile(filepath.Join(dir, "a.runbook.md"), []byte(doc), 0o644); err != nil {
		t.Fatal(err)
	}
	id := recorded(t, dir, "a.runbook.md", "--trust", "--answer", "2=yes")
	x := openWith(t, pty.Winsize{Rows: 24, Cols: 80}, dir, nil, "replay", id, "--paused", "--speed", "16")
	x.sees("‖ replay 16× 00:00/") // without the total: a busy machine may record more than a second
	x.types("p")
	x.sees("This is a replay: nothing is executed")
	x.types("n")
	x.sees("out loud") // the first key plays the first step, as in plain mode
	x.sees("c play")
	x.types("c")
	x.sees("✓ COMPLETED  sure")
	x.sees("esc look around")
	x.types("\x1b")
	x.sees("u back")
	x.types("c")
	x.sees("The recording is over")
	x.types("uu")
	x.sees("out loud")
	x.types("<")
	x.sees("Replay speed: 8×.")
	x.types("K")
	x.sees("Fork the run at step")
	x.types("y")
	x.sees("Forked: run")
	x.types("q")
	x.ends(0)
	if trace, err := os.ReadFile(filepath.Join(dir, "trace")); err != nil || string(trace) != "said\n" {
		t.Errorf("the command ran again: %q, %v", trace, err)
	}
}

// TestReplayOfAQuestion: a replay shows a question and its answer, in the panes and while presenting, although it opens
// no dialog.
func TestReplayOfAQuestion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.playbook.md"), "# Ask\n\n## STEP 1: Choose\n\n@elicit(select, \"Who is to be woken?\", \"Ann\", \"Bo\")\n\nSay {{__elicit_step_1}}.\n")
	write(t, filepath.Join(dir, "replies.yaml"), "'1': Wake up\n")
	id := recorded(t, dir, "a.playbook.md", "--replies", "replies.yaml", "--answer", "1=Bo")
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "replay", id, "--end")
	x.sees("? Who is to be woken?")
	x.sees("    Ann")
	x.sees("› Bo")
	x.sees("from a flag")
	x.types("q")
	x.ends(0)
	x = openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "replay", id, "--present", "--speed", "0.25", "--paused")
	x.sees("‖ replay")
	x.types("c")
	x.gets("Who is to be woken?")
	x.sees("✓ COMPLETED")
	x.sees("Wake up")
	x.types("q")
	x.ends(0)
	if strings.Contains(x.all(), "Not run yet") {
		t.Error("a step showed no content")
	}
}

// TestReplayCutOff: a recording that ends during a command says so and shows the output so far.
func TestReplayCutOff(t *testing.T) {
	t.Parallel()
	cmd, lines := start(t)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	_ = cmd.Wait()
	id := strings.Fields(program(t, cmd, "runs"))[6]
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, cmd.Dir, "replay", id)
	x.sees("The recording ends here: Playhead was quit, or the run was interrupted")
	x.sees("│ begun")
	x.sees("■ replay")
	x.types("q")
	x.ends(0)
}

// recorded runs a document to its end without a terminal, and returns the run's ID.
func recorded(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := command(t, dir, append([]string{"run", "--json"}, args...)...).Output()
	_, id, began := strings.Cut(string(out), `"run":"`)
	if !began {
		t.Fatal(err)
	}
	id, _, _ = strings.Cut(id, `"`)
	return id
}

// TestReplayInLines: in plain mode commands with or without a colon control the replay at any time, and the output has
// no control sequences.
func TestReplayInLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.runbook.md"), "## 1. Say\n```sh\necho said >> trace; echo out loud\n```\n## 2. Sure?\n- YES: COMPLETE \"sure enough\"\n- NO: STOP\n")
	id := recorded(t, dir, "a.runbook.md", "--trust", "--answer", "2=yes")
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "replay", id, "--plain", "--paused", "--no-color")
	x.says("Press enter to pause or play. Type :over to play one step, or :help to list all commands.")
	x.says("paused at the start, event 1 of")
	x.tells("speed 16", "the replay speed is 16×")
	x.tells("over", "out loud", "the next step is [2]. Press enter to play")
	x.tells(":pass", "this is a replay: nothing is executed")
	x.tells("jump 1", "paused at [1] Say, event 2 of")
	x.tells("", "[2] answered yes, from a flag", "sure enough", "The recording is over. Press enter to quit.")
	x.tells("summary", "path  1 2")
	x.tells("undo", "paused at [2] Sure?")
	x.tells("quit")
	x.ends(exitOK)
	if strings.Contains(x.all(), "\x1b") || strings.Contains(strings.ReplaceAll(x.all(), "\r\n", "\n"), "\r") {
		t.Errorf("%q", x.all())
	}
	if trace, err := os.ReadFile(filepath.Join(dir, "trace")); err != nil || string(trace) != "said\n" {
		t.Errorf("the command ran again: %q, %v", trace, err)
	}
}
