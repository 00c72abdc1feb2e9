package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/creack/pty"
)

const helloPlaybook = "# Hello\n\n## STEP 1: Greet\n\nSay hello.\n\n## STEP 2: Leave\n\nSay bye.\n"

// TestReloadNeeds saves documents that need more than the run was started with: the run asks for permissions and
// inputs, and refuses a tool server that was not started.
func TestReloadNeeds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		changed string // appended to the document
		notice  string
		deeds   []deed
		file    string // a file that the run writes afterwards
	}{
		"a tool of Playhead itself": {
			"\n## STEP 3: Write\n\nWrite it.\n\n@tool(local, Write, {\"file_path\": \"note.txt\", \"content\": \"written\"})\n",
			"The document changed: 1 step.",
			[]deed{
				{"", "\x12", "1 new or changed command to allow"}, {"", "1", "These commands would run under your account:"},
				{"", "y", "0/3 done"}, {"", "c", "✓ completed"},
			}, "note.txt",
		},
		"an input": {
			"\n## STEP 3: Send\n\nSend it to {{region}}.\n\n## INPUTS\n\n- `region` (string): Where to\n",
			"The document changed:",
			[]deed{
				{"", "\x12", "continue here"}, {"", "1", "New inputs of the changed document"}, {"", "\r", "This input is required."},
				{"", "europe\r", "!New inputs of the changed document"}, {"", "c", "Send it to europe."},
			}, "",
		},
		"a tool server": {
			"\n## STEP 3: List\n\n@tool(files, list, {})\n\nSay what there is.\n",
			`The changed document uses the tool server "files", which this run was started without`, nil, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, filepath.Join(dir, "a.playbook.md"), helloPlaybook)
			write(t, filepath.Join(dir, "a.replies.yaml"), "\"1\": hello\n\"2\": bye\n\"3\": done\n")
			x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "a.playbook.md", "--replies", "a.replies.yaml", "--step")
			x.sees("‖ paused")
			write(t, filepath.Join(dir, "new"), helloPlaybook+c.changed)
			if err := os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "a.playbook.md")); err != nil {
				t.Fatal(err)
			}
			scene{first: c.notice, deeds: c.deeds}.play(t, x)
			if c.file == "" {
				return
			}
			if _, err := os.Stat(filepath.Join(dir, c.file)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestReloadLosesADocument: an error in a saved included document counts as an error of the document.
func TestReloadLosesADocument(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	child := "## 1. Look\n\nIs it there?\n\n- YES: COMPLETE\n- NO: STOP\n"
	write(t, filepath.Join(dir, "a.runbook.md"), "## 1. Begin\n\nDo it.\n\n## 2. Verify\n\n- b.runbook.md\n")
	write(t, filepath.Join(dir, "b.runbook.md"), child)
	x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "a.runbook.md", "--step")
	x.sees("‖ paused")
	write(t, filepath.Join(dir, "new"), child+"- FAIL: GOTO 9\n")
	if err := os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "b.runbook.md")); err != nil {
		t.Fatal(err)
	}
	scene{first: "The saved document has 1 error", deeds: []deed{{"", "\x12", "a.runbook.md:7:3: b.runbook.md: it has errors: line 7"}}}.play(t, x)
}
