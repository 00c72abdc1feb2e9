package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestEditRuleOnScreen mends the routing mistake of each document in its run: the new rule is seen to
// lead right, the run goes on with it, and it is written into the file, in at most eight keys besides
// the text.
func TestEditRuleOnScreen(t *testing.T) {
	t.Parallel()
	back := func(n int) string { return strings.Repeat("\x7f", n) }
	for name, c := range map[string]struct {
		args  []string
		first string
		deeds []deed
		file  string
		want  string // in the file then
	}{
		"a retry that is used up goes past the group's route": {[]string{"deploy.runbook.md", "--trust"}, "✓ completed", []deed{
			{"", "\x1b", "!path   "},
			{"", "gj4e", "1.1 line 12  route"},
			{"", "2", "Edit the route of 1.1, line 12"},
			{"", back(6) + "STAP\r", "The document would have errors"},
			{"", "\x1b", "!The document would have errors"},
			{"", back(4) + "CONTINUE\r", "FAIL: RETRY 1 CONTINUE  fail"},
			{"", "y", "‖ paused"},
			{"", "D", "+- FAIL: RETRY 1 CONTINUE"},
			{"", "y", "is written into deploy.runbook.md"},
			{"", "c", "✗ STOPPED  rolled back"},
			{"", "u", "Undo"},
		}, "deploy.runbook.md", "- FAIL: RETRY 1 CONTINUE\n"},
		"a branch on a value with a trailing blank": {[]string{"refund.playbook.md", "--source", "recording"}, "✓ completed", []deed{
			{"", "1", "▌  ▾ 2 Route"},
			{"", "4e", "Edit the condition of 2.if, line 11"},
			{"", back(4) + " \"```\r", `━▸   11 if kind == "Refund "  kind = "Refund " → 2a`},
			{"", "y", "about to be taken"},
			{"", "D", "+```if kind == \"Refund \"```"},
			{"", "y", "is written into refund.playbook.md"},
			{"", "n", "WHY 2a"},
		}, "refund.playbook.md", "```if kind == \"Refund \"```\n"},
		"a fallback for an undeclared intent": {[]string{"gate", "--source", "recording"}, "✓ completed", []deed{
			{"", "1", "▌    ✓ draft"},
			{"", "4e", "fallback intent"},
			{"", "4", "Edit the fallback intent"},
			{"", back(5) + "repeat\"\r", `+ "fallbackIntent": "repeat"`},
			{"", "y", "‖ paused"},
			{"", "D", `+        "fallbackIntent": "repeat"`},
			{"", "y", "is written into steps_registry.json"},
		}, "gate/steps_registry.json", `"fallbackIntent": "repeat"`},
		"an assertion on a renamed output": {[]string{"count.md", "--source", "recording"}, "Accept it anyway?", []deed{
			{"", "\x1b", "The run waits."},
			{"", "4e", "line 29  assertion"},
			{"", "1", "Edit the assertion"},
			{"", back(len("[FILES] is named")) + "[FILE_COUNT] is named\r", "+ - the number [FILE_COUNT] is named"},
			{"", "y", "The rule is changed in this run."},
		}, "count.md", "- the number [FILE_COUNT] is named\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copied(t)
			x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, append([]string{"run"}, c.args...)...)
			scene{first: c.first, deeds: c.deeds}.play(t, x)
			if c.file == "count.md" { // a question has opened, which a key may have been meant for
				program(t, x.cmd, "edits", strings.Fields(program(t, x.cmd, "runs"))[6], "--write")
			}
			if text, err := os.ReadFile(filepath.Join(dir, c.file)); err != nil || !strings.Contains(string(text), c.want) {
				t.Errorf("the file lacks %q: %v\n%s", c.want, err, text)
			}
		})
	}
}
