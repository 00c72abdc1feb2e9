package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// recordedDoc returns a folder with a playbook and its recording.
func recordedDoc(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.playbook.md":  "# Ask\n## STEP 1: One\nSay it.\n",
		"a.replies.yaml": "\"1\": recorded long ago\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPlainAsksForASource: without a model, plain mode asks for another reply source. It offers a finished run for
// replay once, without the fork of that run.
func TestPlainAsksForASource(t *testing.T) {
	t.Parallel()
	dir := recordedDoc(t)
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md", "--plain")
	x.sees("1  recording  a.replies.yaml\n  2  manual  you reply\n[1-2, enter for 1]")
	x.types("7\n\n")
	x.sees("recorded long ago")
	x.ends(0)
	run := strings.Fields(strings.Split(program(t, x.cmd, "runs"), "\n")[1])[0]
	program(t, x.cmd, "fork", run)
	x = openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md", "--plain")
	x.sees("2  replay:" + run)
	x.sees("3  manual")
	x.types("2\n")
	x.sees("recorded long ago")
	x.ends(0)
}

func TestScreenAsksForASource(t *testing.T) {
	t.Parallel()
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, recordedDoc(t), "a.playbook.md")
	x.sees("Where do replies come from?")
	x.types("1")
	x.sees("✓ completed")
	x.types("q")
	x.ends(0)
}

// TestScreenAsksForInputsAfterTheSource: inputs that have defaults can be changed before the run (docs/playbook.md).
func TestScreenAsksForInputsAfterTheSource(t *testing.T) {
	t.Parallel()
	dir := recordedDoc(t)
	document := "# Ask\n## INPUTS\n- `tone` (string: warm): How it sounds\n## STEP 1: One\nSay it.\n"
	if err := os.WriteFile(filepath.Join(dir, "a.playbook.md"), []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md", "--step")
	x.sees("Where do replies come from?")
	x.types("1")
	x.sees("Inputs of this run")
	x.types("\r")
	x.sees("paused")
	x.types("c")
	x.sees("✓ completed")
	x.types("q")
	x.ends(0)
}

// TestRunThatIsOverAsksForNoSource: opening a finished run does not ask for a reply source.
func TestRunThatIsOverAsksForNoSource(t *testing.T) {
	t.Parallel()
	dir := recordedDoc(t)
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md")
	x.sees("Where do replies come from?")
	x.types("1")
	x.sees("✓ completed")
	x.types("q")
	x.ends(0)
	run := strings.Fields(strings.Split(program(t, x.cmd, "runs"), "\n")[1])[0]
	x = openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "resume", run)
	x.sees("✓ completed")
	x.types("q")
	x.ends(0)
	x = openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "resume", run, "--plain")
	x.sees("the run is over: enter quits")
	x.types("\n")
	x.ends(0)
}

// lackingDoc returns a folder with a playbook that asks first a person, then a model, and a configuration whose model
// has no key.
func lackingDoc(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "playhead"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a.playbook.md":        "# Ask\n## STEP 1: One\n@elicit(confirm, \"Begin?\")\n## STEP 2: Two\nSay it.\n",
		"playhead/config.yaml": "model: big\nmodels:\n  big: {base_url: 'http://127.0.0.1:1/v1', key: NO_SUCH_KEY, model: gpt-5}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestModelIsAskedForWhenItIsCalled: a person can start a run whose model has no key, and gets the question for a reply
// source at the first model call. Once finished, the run opens without that question.
func TestModelIsAskedForWhenItIsCalled(t *testing.T) {
	t.Parallel()
	dir := lackingDoc(t)
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "a.playbook.md")
	x.sees("Run it anyway?")
	x.sees("step 2 needs a model, but the model big needs a")
	x.types("y")
	x.sees("Begin?")
	x.types("y")
	x.sees("Where do replies come from?")
	x.sees("$NO_SUCH_KEY is not set")
	x.types("2")
	x.sees("Reply in the model's place")
	x.types("fine\x13")
	x.sees("✓ completed")
	x.types("q")
	x.ends(0)
	run := strings.Fields(strings.Split(program(t, x.cmd, "runs"), "\n")[1])[0]
	x = openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, "resume", run)
	x.sees("✓ completed")
	x.types("q")
	x.ends(0)
}

// TestPlainSaysWhyNoModelIsAsked: plain mode says why the model cannot be called, and another reply source can take its
// place.
func TestPlainSaysWhyNoModelIsAsked(t *testing.T) {
	t.Parallel()
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, lackingDoc(t), "a.playbook.md", "--plain")
	x.sees("Run it anyway? [yes/no]")
	x.types("yes\n")
	x.sees("Begin?")
	x.types("y\n")
	x.sees("but the reply source cannot be used: the model")
	x.types(":source manual\nfine\n")
	x.sees("completed")
}
