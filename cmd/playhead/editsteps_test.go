package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

const relay = "# Relay\n\n## 1. Begin\n```sh\necho begun\n```\n- PASS: GOTO 3\n\n" +
	"## 2. Wait\n```sh\necho waited\n```\n\n## 3. Build\n```sh\necho built\n```\n- PASS: CONTINUE\n- FAIL: STOP\n\n" +
	"## 4. Leave\n```sh\necho left\n```\n"

// TestEditStepsOnScreen edits the steps of a paused run: step numbers and the routes to them are adjusted, also in the
// file after the edit is written back.
func TestEditStepsOnScreen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		deeds []deed
		want  []string // texts of the written file, in this order
	}{
		"insert": {[]deed{
			{"", "1gj+", "Insert, move or remove steps at 2 Wait"},
			{"", "2", "Insert a step after 2"},
			{"", "# Check\x13", "The heading must be at the level of step 2: write only the title, without #, or a heading like ## 2. Wait"},
			{"", strings.Repeat("\x7f", 7) + "Check\recho checked\x13", "The new step runs nothing: it asks a person whether it passed."},
			{"", "n", "!+- PASS: GOTO 4"},
			{"", strings.Repeat("\x7f", 12) + "```sh\recho checked\r```\x13", "+- PASS: GOTO 4"},
			{"", "n", "!+- PASS: GOTO 4"},
			{"", "\x13", "+echo checked"},
			{"", "y", "▌  ○ 3 Check"},
			{"", "D", "At line 7: the new step after step 2."},
			{"", "y", "into relay.runbook.md."},
			{"", "c", "✓ 5 Leave"},
		}, []string{"GOTO 4", "## 2. Wait", "## 3. Check", "echo checked", "## 4. Build", "## 5. Leave"}},
		"insert before with an error": {[]deed{
			{"", "1gj+1", "Insert a step before 2"},
			{"", "Check\r- PASS: GOTO 9\x13", "The document would have errors"},
			{"", "\x1b", "- PASS: GOTO 9"},
			{"", "\x7f3\x13", "+## 2. Check"}, // another step number that the insertion adjusts
			{"", "y", "5 Leave"},
			{"", "D", "+## 2. Check"},
			{"", "y", "into relay.runbook.md."},
		}, []string{"GOTO 4", "## 2. Check", "GOTO 4", "## 3. Wait"}},
		"duplicate": {[]deed{
			{"", "1gj+3", "Duplicate step 2?"},
			{"", "y", "▌  ○ 3 Wait copy"},
			{"", "D", "+- PASS: GOTO 4"},
			{"", "y", "into relay.runbook.md."},
		}, []string{"GOTO 4", "## 2. Wait", "## 3. Wait copy", "## 4. Build"}},
		"move": {[]deed{
			{"", "1gjj+4", "Move step 3 up?"},
			{"", "y", "▌  ○ 2 Build"},
			{"", "", "paused"},
			{"", "1G+5", "Step 4 is already the last one at its level."},
			{"", "\x1b", "!insert a step before…"},
			{"", "D", "+- PASS: GOTO 2"},
			{"", "y", "into relay.runbook.md."},
		}, []string{"GOTO 2", "## 2. Build", "## 3. Wait", "## 4. Leave"}},
		"remove": {[]deed{
			{"", "1gjj+6", "Line 7 refers to step 3: change that line first."},
			{"", "1gj+6", "Remove step 2?"},
			{"", "y", "▌  ○ 2 Build"},
			{"", "D", "+- PASS: GOTO 2"},
			{"", "y", "into relay.runbook.md."},
			{"", "n", "▌▶ ○ 2 Build"},
			{"", "1g+6", "Step 1 has already started."},
			{"", "\x1b", "!insert a step before…"},
			{"", "1gj+3", "Duplicate step 2?"},
			{"", "y", "▌  ○ 3 Build copy"},
			{"", "+6", "Remove step 3?"},
			{"", "y", "!Build copy"},
			{"", "D", "No change: the document already has this text."},
		}, []string{"GOTO 2", "## 2. Build", "## 3. Leave"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "relay.runbook.md")
			write(t, path, relay)
			x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "relay.runbook.md", "--trust", "--step")
			scene{first: "‖ paused", deeds: c.deeds}.play(t, x)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			rest := string(text)
			for _, part := range c.want {
				_, after, found := strings.Cut(rest, part)
				if !found {
					t.Fatalf("the file lacks %q in its place:\n%s", part, text)
				}
				rest = after
			}
		})
	}
}

// TestEditStepsWhileCommandRuns: an edit that would end the running command says so, and ends it only once the person
// confirms.
func TestEditStepsWhileCommandRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "relay.runbook.md"), strings.Replace(relay, "echo begun", "echo begun; sleep 60", 1))
	x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "run", "relay.runbook.md", "--trust")
	scene{first: "begun", deeds: []deed{
		{"", "1gj+6", "will be interrupted first."},
		{"", "n", "!will be interrupted first."},
		{"", "+6", "will be interrupted first."},
		{"", "n", "!will be interrupted first."},
		{"", "1g+1", "Insert a step before 1"},
		{"", "Check\x13", "The run is already past"},
		{"", "y", "The command was interrupted and may have had effects."},
	}}.play(t, x)
}

// TestEditStepsRefusedInLines: plain mode refuses an edit that the format does not allow, and prints the errors.
func TestEditStepsRefusedInLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "relay.runbook.md"), relay)
	x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "relay.runbook.md", "--plain", "--trust", "--break", "3")
	x.says("paused before 3 at breakpoint 3")
	x.types(`:insert-step after 3 Check\n- PASS: GOTO 9` + "\r")
	x.says("there is no step 9")
}
