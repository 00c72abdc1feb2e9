package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/creack/pty"
)

// mostKeys limits the keys that mending a rule may take, without the text of the rule.
const mostKeys = 8

// mending is one part of mending a rule: keys, then text to type, and what the screen shows then.
type mending struct {
	keys, text, shows string
}

// TestEditRuleOnScreen mends the routing mistake of each document during its run: a preview shows the new route, the
// run continues with it, the edit is written back, and a fresh run takes the new route.
func TestEditRuleOnScreen(t *testing.T) {
	t.Parallel()
	back := func(n int) string { return strings.Repeat("\x7f", n) }
	for name, c := range map[string]struct {
		args  []string
		first string
		way   []mending
		file  string
		want  string   // text of the file after the edit is written back
		fresh []string // arguments of a fresh run
		route []string // texts in the output of the fresh run

		replies string // content of fresh.replies.yaml, for the fresh run
	}{
		"a retry that is used up goes past the group's route": {
			[]string{"deploy.runbook.md", "--trust"}, "✓ completed", []mending{
				{"2", "", "▌    ✗ 1.1 Push"},
				{"4e", "", "Edit the route of step 1.1 (line 12)"},
				{"", back(6) + "CONTINUE", "› FAIL: RETRY 1 CONTINUE"},
				{"\r", "", "FAIL: RETRY 1 CONTINUE  fail; 1 of 1 retry used: CONTINUE → 1.2"},
				{"y", "", "‖ paused"},
				{"D", "", "+- FAIL: RETRY 1 CONTINUE"},
				{"y", "", "into deploy.runbook.md."},
			}, "deploy.runbook.md", "- FAIL: RETRY 1 CONTINUE\n",
			[]string{"deploy.runbook.md", "--trust"}, []string{"-> 1.2", "-> Rollback", "rolled back"}, "",
		},
		"a branch on a value with a trailing blank": {
			[]string{"refund.playbook.md", "--source", "recording"}, "✓ COMPLETED", []mending{
				{"1", "", "▌  ▾ 2 Route"},
				{"4e", "", "Edit the condition of step 2 (line 11)"},
				{"", back(4) + " \"```", `› ` + "```if kind == \"Refund \"```"},
				{"\r", "", `━▸   11 if kind == "Refund "  kind = "Refund " → 2a`},
				{"y", "", "▌▶     ○ 2a Refund it"},
				{"D", "", "+```if kind == \"Refund \"```"},
				{"y", "", "into refund.playbook.md."},
			}, "refund.playbook.md", "```if kind == \"Refund \"```\n",
			[]string{"refund.playbook.md", "--replies", "fresh.replies.yaml"}, []string{"-> 2a"},
			"\"1\": \"Refund \"\n\"2a\": Refunded.\n",
		},
		"a fallback for an undeclared intent": {
			[]string{"gate", "--source", "recording"}, "✓ COMPLETED", []mending{
				{"1", "", "▌    ✓ draft"},
				{"4e", "", "Edit which rule?"},
				{"4", "", "Edit the fallback intent"},
				{"", back(5) + "repeat\"", `› "fallbackIntent": "repeat"`},
				{"\r", "", `+ "fallbackIntent": "repeat"`},
				{"y", "", "‖ paused"},
				{"D", "", `+        "fallbackIntent": "repeat"`},
				{"y", "", "into steps_registry.json."},
			}, "gate/steps_registry.json", `"fallbackIntent": "repeat"`,
			[]string{"gate", "--replies", "gate.replies.yaml", "--max-transitions", "2"}, []string{"-> initial.draft"}, "",
		},
		"an assertion on a renamed output": {
			[]string{"count.md", "--source", "recording"}, "Accept the outcome of this step?", []mending{
				{"\x1b", "", "The run is waiting."},
				{"4e", "", "Edit the assertion of step 2 (line 29)"},
				{"", back(len("[FILES] is named")) + "[FILE_COUNT] is named", "› - the number [FILE_COUNT] is named"},
				{"\r", "", "Step 2 keeps the outcome that it reported."},
				{"y", "", "Accept the outcome of this step?"},
				{"D", "", "+- the number [FILE_COUNT] is named"},
				{"y", "", "into count.md."},
			}, "count.md", "- the number [FILE_COUNT] is named\n",
			[]string{"count.md", "--replies", "fresh.replies.yaml"}, []string{"[2] pass", "completed"},
			`"1":
  - {status: passed, assertion_results: [{assertion: the folder was listed, passed: true, detail: three}], output_variables: {FILE_COUNT: 3}}
"2":
  - {status: passed, assertion_results: [{assertion: "the number 3 is named", passed: true, detail: it is}], output_variables: {}}
`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copied(t)
			x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, append([]string{"run"}, c.args...)...)
			x.sees(c.first)
			keys := 0
			for _, m := range c.way {
				t.Logf("%q %q: %q", m.keys, m.text, m.shows)
				x.types(m.keys + m.text)
				x.sees(m.shows)
				keys += utf8.RuneCountInString(m.keys)
			}
			if keys > mostKeys {
				t.Errorf("it takes %d keys", keys)
			}
			x.types("L")
			x.sees("with this run's edits")
			x.types("\x1b")
			if text, err := os.ReadFile(filepath.Join(dir, c.file)); err != nil || !strings.Contains(string(text), c.want) {
				t.Errorf("the file lacks %q: %v\n%s", c.want, err, text)
			}
			write(t, filepath.Join(dir, "fresh.replies.yaml"), c.replies)
			fresh := program(t, x.cmd, append([]string{"run", "--headless"}, c.fresh...)...)
			for _, part := range c.route {
				if !strings.Contains(fresh, part) {
					t.Errorf("a fresh run lacks %q:\n%s", part, fresh)
				}
			}
		})
	}
}

// TestEditFromText: in the text pane, e can edit the work or the routes of a step.
func TestEditFromText(t *testing.T) {
	t.Parallel()
	x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, copied(t), "run", "deploy.runbook.md", "--trust")
	scene{first: "✓ completed", deeds: []deed{
		{"", "\x1b", "!path   "},
		{"", "gj2e", "Edit what?"},
		{"", "1", "Edit step 1.1 for this run"},
		{"", "\x1b", "!Edit step"},
		{"", "e3", "Edit the route of step 1.1 (line 12)"},
	}}.play(t, x)
}

// TestEditRuleRefused: an edit that the format refuses shows the errors, and esc returns to the text in the editor. An
// applied edit can be undone.
func TestEditRuleRefused(t *testing.T) {
	t.Parallel()
	back := func(n int) string { return strings.Repeat("\x7f", n) }
	x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, copied(t), "run", "deploy.runbook.md", "--trust")
	scene{first: "✓ completed", deeds: []deed{
		{"", "\x1b", "!path   "},
		{"", "gj4e", "Edit the route of step 1.1 (line 12)"},
		{"", back(6) + "STAP\r", "The document would have errors"},
		{"", "\x1b", "!The document would have errors"},
		{"", back(4) + "CONTINUE\r", "FAIL: RETRY 1 CONTINUE  fail"},
		{"", "y", "‖ paused"},
		{"", "c", "✗ STOPPED  rolled back"},
		{"", "u", "Undo"},
	}}.play(t, x)
}
