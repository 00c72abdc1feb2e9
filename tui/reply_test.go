package tui

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/track"
)

// writingDoc asks a model, with a prompt that is longer than its pane.
var writingDoc = "# Greet\n\n## STEP 1: Write\nWrite a **greeting** to the people on call, in the tone of the house:\n\n" +
	strings.Repeat("- be brief, name facts, never invent any\n", 12) + "\nEnd with a question.\n\n@output(said)\n\n" +
	"## STEP 2: Sum up\nSum {{said}} up.\n"

// openReplyEditor returns the screen of a run in which a person replies in a model's place.
func openReplyEditor(t testing.TB, w, h int) *testScreen {
	t.Helper()
	p := playbookOf(t, "greet.playbook.md", writingDoc)
	sc := open(t, p, w, h, func(c *Config) { c.IsTrusted = false })
	sc.manual = true
	sc.press("y")
	return sc
}

// runAtOnce runs a program to its end, as Bubble Tea does between two frames.
func runAtOnce(c *exec.Cmd, _ string, done tea.ExecCallback) tea.Cmd {
	return func() tea.Msg { return done(c.Run()) }
}

func TestManualReply(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen {
		sc := openReplyEditor(t, w, h)
		sc.write("Good morning!")
		sc.edit("enter", "enter")
		sc.write("Is anything on fire?")
		return sc
	})
}

func (sc *testScreen) said() string {
	for _, e := range sc.s.events {
		if b, ok := e.Body.(*machine.ActionFinished); ok && b.Kind == "model" {
			return e.By + ": " + b.Output
		}
	}
	return ""
}

// TestLongReplyHasScrollbar: a scrollbar shows that rows of the written reply are out of sight, and the page keys still
// scroll the prompt.
func TestLongReplyHasScrollbar(t *testing.T) {
	sc := openReplyEditor(t, 80, 24)
	sc.send(tea.PasteMsg{Content: strings.Repeat("line\n", 30) + "last"})
	if row := regexp.MustCompile(`(?m)^.*› last.*$`).FindString(sc.frame()); !strings.HasSuffix(row, "┃") {
		t.Errorf("no scrollbar at %q in\n%s", row, sc.frame())
	}
	sc.want("Write a greeting", "› last")
	sc.press("pgdown")
	sc.want("› last")
	sc.wantNot("Write a greeting")
}

func TestManualReplyIsKeptAndSent(t *testing.T) {
	sc := openReplyEditor(t, 80, 24)
	sc.want("Reply in the model's place", "prompt as sent", "waits for you", "greeting")
	if r := sc.m.timeline.ShownTrack.RowByLabel("1"); r.Status != track.Waiting {
		t.Errorf("1 is %s", r.Status)
	}
	sc.press("ctrl+s")
	sc.want("The text is empty")
	sc.write("pf?q")
	sc.press("pgdown")
	sc.want("End with a question.")
	sc.press("esc", "down", "a")
	sc.want("pf?q")
	sc.press("enter")
	sc.send(tea.PasteMsg{Content: "second\r\nthird"})
	sc.press("ctrl+s")
	if got := sc.said(); got != "person: pf?q\nsecond\nthird" {
		t.Errorf("said %q", got)
	}
	sc.want("Sum pf?q")
}

// TestQuitAsksForWhatIsWritten: quitting asks for confirmation if it would lose a typed text.
func TestQuitAsksForWhatIsWritten(t *testing.T) {
	sc := openReplyEditor(t, 80, 24)
	sc.write("half a reply")
	sc.press("esc", "q")
	sc.want("Quit?", "Your unsent text would be lost", "Resume it with")
	sc.press("n", "a")
	sc.want("half a reply")
	sc.press("ctrl+c")
	sc.want("unsent text is lost")
	sc.press("ctrl+s")
	if got := sc.said(); got != "person: half a reply" {
		t.Errorf("said %q", got)
	}

	for name, sc := range map[string]*testScreen{"a reply": openReplyEditor(t, 80, 24), "a choice": openManualReply(t, 80, 24)} {
		if sc.press("esc"); sc.m.question.dialog.HasUnsentText() {
			t.Errorf("%s counts as unsent text before a key was pressed", name)
		}
	}
	sc = openManualReply(t, 80, 24)
	sc.press("4")
	if sc.m.question.dialog.HasUnsentText() {
		t.Error("a choice that was only opened counts as unsent text")
	}
	if sc.write("!"); !sc.m.question.dialog.HasUnsentText() {
		t.Error("an edited choice does not count as unsent text")
	}
}

func TestBigPaste(t *testing.T) {
	sc := openReplyEditor(t, 80, 24)
	big := strings.Repeat("a line of it\n", 100_000) + "end"
	sc.write("x")
	sc.send(tea.PasteMsg{Content: big})
	sc.want("1.3 MB in 100,001 lines", "xa line of it")
	sc.write("ignored")
	sc.press("ctrl+s")
	if got := sc.said(); got != "person: x"+big {
		t.Errorf("said %d bytes", len(got))
	}
	sc.send(tea.PasteMsg{Content: "\tcode\n"})
	sc.want("ctrl+e to edit it")
	sc.press("backspace")
	sc.wantNot("ctrl+e to edit it")
}

// TestRowsOfTheEditor: the › sign is before each line of the text, but neither before the further rows of a wrapped
// line nor below the last line.
func TestRowsOfTheEditor(t *testing.T) {
	sc := openReplyEditor(t, 80, 24)
	sc.write("A line that is far too long for one row of this small editor, so that it goes on in others.")
	sc.press("enter")
	sc.write("Second.")
	sc.want("│ › A line that is far", "│   ", "│ › Second.")
	if n := strings.Count(sc.frame(), "│ › "); n != 2 {
		t.Errorf("%d lines are marked\n%s", n, sc.frame())
	}
}

func TestReplyInOwnEditor(t *testing.T) {
	sc := openReplyEditor(t, 80, 24)
	script := filepath.Join(t.TempDir(), "ed")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho outside >> \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VISUAL", script)
	t.Setenv("TMPDIR", t.TempDir())
	sc.m.externalPrograms.runProgram = runAtOnce
	sc.write("typed ")
	sc.press("ctrl+e")
	sc.want("typed outside")
	if left, _ := os.ReadDir(os.TempDir()); len(left) != 0 {
		t.Errorf("left %v behind", left)
	}
	t.Setenv("VISUAL", "false")
	sc.press("ctrl+e")
	sc.want("The editor failed, so the text is unchanged: exit status 1.", "typed outside")
}
