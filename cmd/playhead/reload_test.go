package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestReloadOnScreen saves the document of a paused run, as an editor would, and continues with the saved document in
// each possible way.
func TestReloadOnScreen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		changes []string // of the document: old texts, each followed by its new one
		notice  string
		deeds   []deed
	}{
		"here": {[]string{"echo announced", "echo told"}, "The document changed: 1 step. Press ctrl+r to use it.", []deed{
			{"", "\x12", "+echo told"},
			{"", "1", "Continue with the changed document?"},
			{"", "y", "┃ $ echo told"},
			{"", "n", "✓ COMPLETED  deployed"},
		}},
		"before the first changed step": {[]string{"exit 3", "exit 0"}, "The document changed: 1 step.", []deed{
			{"", "\x12", "rewind to step 1.1, the first changed step that has run"},
			{"", "2", "1.1 echo pushing; exit 3"},
			{"", "y", "▶   ○ 1.1 Push"},
			{"", "c", "✓ 1.2 Verify"},
		}},
		"from the start": {[]string{`COMPLETE "deployed"`, "CONTINUE"}, "The document changed: 1 route.", []deed{
			{"", "\x12", "start again with the changed document"},
			{"", "2", "Start again with the changed document?"},
			{"", "y", "▶   ○ 1.1 Push"},
		}},
		"at another step": {[]string{"GOTO 2", "STOP", "## 2. Announce\n```sh\necho announced\n```\n- PASS: COMPLETE \"deployed\"\n- FAIL: STOP\n", "## 2. Ask\nIs it well?\n\n## 3. Leave\n```sh\necho left\n```\n"},
			"The document changed:", []deed{
				{"", "\x12", "continue at a step of the changed document…"},
				{"", "1", "▌ 2 Ask"},
				{"", "leave\r", "echo left"},
				{"", "y", "▶ ○ 3 Leave"},
			}},
		"not at all": {[]string{"GOTO 2", "GOTO 7"}, "The saved document has 1 error, so the run keeps its own copy.", []deed{
			{"", "\x12", "deploy.runbook.md:12:3: substep 1.1"},
			{"", "\x1b", "!The saved document has errors"},
			{"", "c", "✓ completed"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copied(t)
			path := filepath.Join(dir, "deploy.runbook.md")
			x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "run", "deploy.runbook.md", "--trust", "--break", "2")
			x.sees("‖ paused at breakpoint 2")
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			write(t, path+".new", strings.NewReplacer(c.changes...).Replace(string(source)))
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
			scene{first: c.notice, deeds: c.deeds}.play(t, x)
		})
	}
}

// TestDocumentGone: the run says that its document was deleted, also when it is resumed.
func TestDocumentGone(t *testing.T) {
	t.Parallel()
	dir := copied(t)
	x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "run", "deploy.runbook.md", "--trust", "--break", "2")
	x.sees("‖ paused at breakpoint 2")
	if err := os.Remove(filepath.Join(dir, "deploy.runbook.md")); err != nil {
		t.Fatal(err)
	}
	const notice = "The document no longer exists, so the run keeps its own copy."
	scene{first: notice, deeds: []deed{
		{"", "j", "!" + notice},
		{"", "\x12", notice},
	}}.play(t, x)
	x.types("q")
	x.ends(exitAwaiting)
	y := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "resume", program(t, x.cmd, "runs", "--json")[9:13], "--plain")
	y.sees(notice)
	y.types(":reload\r")
	y.sees("deploy.runbook.md no longer exists, so the run keeps its own copy")
}

// TestReloadWhileWriting: reloading while a person types an answer updates the question and keeps the typed text.
func TestReloadWhileWriting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "name.playbook.md")
	const document = "# Names\n## STEP 1: Ask\nWho is it?\n@elicit(input, \"Name?\")\n"
	write(t, path, document)
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 90}, dir, "run", "name.playbook.md", "--source", "manual")
	x.sees("│ Name?")
	x.types("Ada")
	write(t, path, strings.Replace(document, "Name?", "Whole name?", 1))
	x.sees("The document changed: 1 step.")
	x.types("\x12")
	x.sees("continue here with the changed document")
	x.types("1")
	x.sees("│ Whole name?")
	x.sees("│ › Ada")
}

// TestReloadBeforeRun saves a document with errors, then one that needs trust. The trust dialog keeps showing the old
// text until the person reloads the document.
func TestReloadBeforeRun(t *testing.T) {
	t.Parallel()
	dir := copied(t)
	path := filepath.Join(dir, "deploy.runbook.md")
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	save := func(changes ...string) { write(t, path, strings.NewReplacer(changes...).Replace(string(source))) }
	save("GOTO 2", "GOTO 7")
	x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "run", "deploy.runbook.md")
	x.sees("Press E to correct the document in your editor, then press ctrl+r")
	x.types("\x12")
	x.sees("The document's files have no change that affects the run.")
	save()
	x.sees("The document's files changed. Press ctrl+r to open the document again.")
	x.types("\x12")
	x.sees("echo announced")
	save("announced", "told")
	x.sees("The document's files changed.")
	x.sees("echo announced")
	x.types("\x12")
	x.sees("echo told")
	save("announced", "shouted")
	x.sees("The document's files changed.")
	x.types("y")
	x.sees("The document changed: 1 step. Press ctrl+r to use it.")
}

// TestReloadNoticeInLines: plain mode reports that the document was saved, and repeats its prompt.
func TestReloadNoticeInLines(t *testing.T) {
	t.Parallel()
	dir := copied(t)
	path := filepath.Join(dir, "deploy.runbook.md")
	x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "deploy.runbook.md", "--plain", "--trust", "--break", "2")
	x.says("paused before 2 at breakpoint 2")
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.Replace(string(source), "announced", "told", 1))
	x.says("The document changed: 1 step. Type :reload for details.")
	x.says("paused before 2")
	x.types(":reload\r")
	x.says("+echo told")
}

// TestResumedDocumentIsUnchanged: a resumed run of a document in a hidden folder finds no difference between its copy
// and the document.
func TestResumedDocumentIsUnchanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, ".agent/gate"), os.DirFS("testdata/routing/gate")); err != nil {
		t.Fatal(err)
	}
	x := openIn(t, pty.Winsize{Rows: 30, Cols: 120}, dir, "run", ".agent/gate", "--source", "manual", "--step")
	x.sees("‖ paused")
	x.types("q")
	x.ends(exitAwaiting)
	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	x = openIn(t, pty.Winsize{Rows: 30, Cols: 120}, dir, "resume", run)
	x.sees("‖ paused")
	x.types("\x12")
	x.sees("The document's files have no change that affects the run.")
}
