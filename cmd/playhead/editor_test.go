package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestDocumentInEditor: E opens the document in the editor at the line that the focused pane shows, in a run and after
// it is resumed. The run notices what the editor saves.
func TestDocumentInEditor(t *testing.T) {
	t.Parallel()
	dir := copied(t)
	path := filepath.Join(dir, "vim")
	script := "#!/bin/sh\necho \"$@\" >> \"" + dir + "/opened\"\necho editing $1\nsed -i s/announced/told/ \"$2\"\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	editor := []string{"VISUAL=" + path}
	opened := func() string {
		text, _ := os.ReadFile(filepath.Join(dir, "opened"))
		return strings.ReplaceAll(string(text), dir, "DIR")
	}
	x := openWith(t, pty.Winsize{Rows: 40, Cols: 120}, dir, editor, "run", "deploy.runbook.md", "--trust", "--break", "2")
	x.sees("‖ paused at breakpoint 2")
	x.types("E")
	x.sees("The document changed: 1 step. Press ctrl+r to use it.")
	source, err := os.ReadFile(filepath.Join(dir, "deploy.runbook.md"))
	if err != nil {
		t.Fatal(err)
	}
	line := func(text string) string {
		before, _, found := strings.Cut(string(source), text)
		if !found {
			t.Fatalf("there is no %q", text)
		}
		return "+" + strconv.Itoa(1+strings.Count(before, "\n")) + " DIR/deploy.runbook.md\n"
	}
	want := line("## 2.")
	if got := opened(); got != want {
		t.Errorf("the editor got %q, want %q", got, want)
	}
	x.types("q")
	x.ends(exitAwaiting)
	run := strings.Fields(program(t, x.cmd, "runs"))[6]

	x = openWith(t, pty.Winsize{Rows: 40, Cols: 120}, dir, editor, "resume", run)
	x.sees("‖ paused")
	x.types("L")
	x.sees("DOCUMENT")
	x.types("gE")
	x.comesBackFrom("editing +1\r\n")
	x.types("\x1b")
	x.loses("DOCUMENT")
	x.types("4E")
	route := line("- FAIL: RETRY 1 GOTO 2")
	x.comesBackFrom("editing " + strings.Fields(route)[0] + "\r\n")
	x.types("q")
	x.ends(exitAwaiting)
	want += "+1 DIR/deploy.runbook.md\n" + route
	if got := opened(); got != want {
		t.Errorf("the editor got %q, want %q", got, want)
	}
}

// TestFolderInEditor: E opens the right file of a document that is a folder.
func TestFolderInEditor(t *testing.T) {
	t.Parallel()
	dir := copied(t)
	path := filepath.Join(dir, "vim")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho editing $1 ${2##*/}\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	x := openWith(t, pty.Winsize{Rows: 40, Cols: 120}, dir, []string{"VISUAL=" + path}, "run", "gate", "--source", "recording")
	x.sees("✓ completed")
	x.types("1E")
	x.comesBackFrom("editing +5 steps_registry.json\r\n")
	x.types("LgE")
	x.comesBackFrom("editing +1 steps_registry.json\r\n")
}

// comesBackFrom waits until an external program on the terminal has written a text and the screen is drawn again.
func (t *terminal) comesBackFrom(text string) {
	t.t.Helper()
	t.says(text)
	t.waits(func() string {
		_, after, _ := strings.Cut(t.all(), text)
		_, frames, _ := strings.Cut(after, "\x1b[?1049h")
		return frames
	}, frameEnd)
}
