package tui

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
)

// openWithClipboard opens the release document with a run that has printed lines. It also returns the text that is
// copied to the clipboard.
func openWithClipboard(t *testing.T, lines ...string) (*testScreen, *string) {
	t.Helper()
	sc := open(t, release(t), 120, 40)
	sc.run(0, 0, lines...)
	sc.press("esc", "k")
	clipped := new(string)
	sc.m.externalPrograms.copyText = func(text string) tea.Cmd { *clipped = text; return nil }
	return sc, clipped
}

func TestCopy(t *testing.T) {
	long := strings.Repeat("wide ", 100) + "end"
	for _, c := range []struct {
		name string
		keys []string
		want string
		says string
	}{
		{"a title", []string{"1", "y", "y"}, "1.1 Tools", "Copied 1.1's title."},
		{"a text", []string{"2", "y", "1"}, "Is this machine fit to cut a release? **All** of these must hold.\n\nEverything that the later steps call, such as `tar`.", "Copied 3 lines of 1.1's text."},
		{"a command", []string{"2", "y", "2"}, "command -v tar cksum\nuname -a", "Copied 2 lines of 1.1's command."},
		{"the visible lines", []string{"3", "y", "enter"}, "red\n" + long, "Copied 2 lines of 1.1's output."},
		{"all of the output", []string{"3", "y", "2"}, "red\n" + long, "Copied 2 lines of 1.1's output."},
		{"the command that ran", []string{"3", "y", "3"}, "command -v tar cksum\nuname -a", "Copied 2 lines of 1.1's command."},
		{"the why pane", []string{"4", "y"}, " ━▸ PASS → 1.2 Disk space (default)  pass\n    FAIL → end of group 1 (default)  not evaluated", "Copied 2 lines of 1.1's reasons."},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, clipped := openWithClipboard(t, "\x1b[31mred\x1b[0m\x1b]52;c;eA==\a", long)
			sc.press(c.keys...)
			if *clipped != c.want && !strings.Contains(*clipped, c.want) {
				t.Errorf("copied %q\nwant   %q", *clipped, c.want)
			}
			sc.want(c.says)
		})
	}
}

// TestCopyBeforeTheStart: before the run, the introduction of the document and the text of the next step can be
// copied.
func TestCopyBeforeTheStart(t *testing.T) {
	p := load(t, "intro.runbook.md", "# Intro\nWhat it is for.\n\n## 1. Look\nLook at it.\n")
	for key, want := range map[string]string{"1": "What it is for.", "2": "Look at it."} {
		sc := open(t, p, 80, 24, func(c *Config) { c.IsTrusted = false })
		clipped := ""
		sc.m.externalPrograms.copyText = func(text string) tea.Cmd { clipped = text; return nil }
		sc.press("esc", "2", "y", key)
		if clipped != want {
			t.Errorf("%s copies %q, want %q:\n%s", key, clipped, want, sc.frame())
		}
	}
}

func TestCopyOfAValue(t *testing.T) {
	sc, clipped := openWithClipboard(t, "x")
	sc.m.timeline.ShownTrack.Variables = []track.Variable{{Name: "severity", Value: "very\nhigh"}}
	sc.press("v", "4", "y", "y")
	if *clipped != "very\nhigh" {
		t.Errorf("copied %q", *clipped)
	}
	sc.want("Copied 2 lines of the value of severity.")
}

func TestNothingToCopy(t *testing.T) {
	sc, clipped := openWithClipboard(t)
	sc.press("j", "j", "3", "y")
	sc.want("This pane is empty.")
	if *clipped != "" {
		t.Errorf("copied %q", *clipped)
	}
}

// TestCopyOfALongLog: a text that is too long for the clipboard is written to a file, complete and without control
// characters.
func TestCopyOfALongLog(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	line := strings.Repeat("x", 999)
	lines := make([]string, 1001)
	for i := range lines {
		lines[i] = "\x1b[32m" + line
	}
	sc, clipped := openWithClipboard(t, lines...)
	sc.press("3", "y", "2")
	sc.want("Too long for the clipboard (1.0 MB): saved in " + os.TempDir())
	files, _ := filepath.Glob(filepath.Join(os.TempDir(), "playhead-*.txt"))
	if len(files) != 1 || *clipped != "" {
		t.Fatalf("files %v, copied %d bytes", files, len(*clipped))
	}
	if got, _ := os.ReadFile(files[0]); string(got) != strings.Repeat(line+"\n", len(lines)) {
		t.Errorf("the file has %d bytes", len(got))
	}
	info, _ := os.Stat(files[0])
	if info.Mode().Perm() != 0o600 {
		t.Errorf("other users can read the file: %v", info.Mode())
	}
}

// TestOpenOutside: another program opens a complete copy in a folder of its own, which is removed when the program
// ends.
func TestOpenOutside(t *testing.T) {
	t.Setenv("VISUAL", "edit it")
	t.Setenv("PAGER", "page")
	for _, c := range []struct{ pane, program, want string }{
		{"1", "edit it", "Everything that the later steps call, such as `tar`.\n"},
		{"2", "edit it", "Everything that the later steps call, such as `tar`.\n"},
		{"3", "page", "red\n"},
		{"4", "edit it", "FAIL → end of group 1 (default)  not evaluated\n"},
	} {
		sc, _ := openWithClipboard(t, "\x1b[31mred\x1b[0m")
		path := ""
		sc.m.externalPrograms.runProgram = func(cmd *exec.Cmd, _ string, done tea.ExecCallback) tea.Cmd {
			path = cmd.Args[len(cmd.Args)-1]
			if got, _ := os.ReadFile(path); !strings.HasSuffix(string(got), c.want) || cmd.Args[2] != c.program+` "$1"` || cmd.Dir != filepath.Dir(path) {
				t.Errorf("%s: %v in %s on %q", c.pane, cmd.Args, cmd.Dir, got)
			}
			return func() tea.Msg { return done(nil) }
		}
		sc.press(c.pane, "E")
		if _, err := os.Stat(filepath.Dir(path)); path == "" || err == nil {
			t.Errorf("%s: opened %q, %v", c.pane, path, err)
		}
	}
}

// TestCopyMenuEndsWithTheRun: the menu of texts to copy closes when the summary opens.
func TestCopyMenuEndsWithTheRun(t *testing.T) {
	sc := open(t, load(t, "a.runbook.md", "# A\n\n## 1. Say\n\nSay it.\n\n```sh\necho said\n```\n"), 80, 24)
	sc.press("2", "y")
	sc.want("Copy what?")
	sc.run(0, 0, "said")
	sc.want("COMPLETED")
	sc.press("esc")
	sc.wantNot("Copy what?")
}
