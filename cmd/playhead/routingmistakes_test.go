package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// copied returns a folder with the documents of testdata/routing, each of which has one mistake in its routing.
func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/routing")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestCauseAtTheEnd: the end of a run shows the cause of a wrong route without any key.
func TestCauseAtTheEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args  []string
		first string
		want  []string
	}{
		"a retry that is used up goes past the group's route": {[]string{"deploy.runbook.md"}, "✓ completed",
			[]string{"exited by the route on line 12; lines 4–5 were not evaluated", `1.1 Push failed: exit 3, "pushing"`, "its only retry was used up → 2"}},
		"a branch on a value with a trailing blank": {[]string{"refund.playbook.md", "--source", "recording"}, "✓ completed",
			[]string{`line 11 expects "Refund": kind = "Refund " (only whitespace`, "2 of 3 ran", "steps  2 passed · 1 in branches not taken"}},
		"a branch on a name that nothing defines": {[]string{"unnamed.playbook.md", "--source", "recording"}, "✓ completed",
			[]string{"[1] 2 Route  line 11: topic is not set: no input or earlier output has"}},
		"a branch that takes every other value": {[]string{"unequal.playbook.md", "--source", "recording"}, "✓ completed",
			[]string{`branch 2, kind = "refund" → 2b (else, line 17)`}},
		"a group that one of its steps passes": {[]string{"any.runbook.md"}, "✓ completed",
			[]string{"[1] 1 Checks   passed although 1.1 failed; line 4: PASS ANY: CONTINUE"}},
		"a fallback for an undeclared intent": {[]string{"gate", "--source", "recording"}, "✓ completed",
			[]string{`next_action.action="revise" is not an intent`}},
		"a failure in an included document": {[]string{"nightly.runbook.md"}, "✓ completed",
			[]string{`[1] 1 Checks  failed: 1/checks/1 Query failed: exit 4, "no such table"; the`}},
		"an assertion on a renamed output": {[]string{"count.md", "--source", "recording"}, "waits for you",
			[]string{"△ FILES has no value: [FILES] stays as it is", "✗ the number [FILES] is named"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"run", "--trust"}, c.args...)
			x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, copied(t), args...)
			x.sees(c.first)
			for _, text := range c.want {
				x.sees(text)
			}
		})
	}
}

const rollback = `# Release

## 1. Build
` + "```sh\necho built\n```" + `
- PASS: CONTINUE
- FAIL: STOP

## 2. Approve
Does it read well?
- YES: COMPLETE "released"
- NO: GOTO Undo

## Undo
` + "```sh\necho undone\n```" + `
- PASS: STOP "undone"
`

const failing = `# Migrate

## 1. Prepare
` + "```sh\necho ready\n```" + `

## 2. Migrate database
` + "```sh\necho 'psqll: command not found'; exit 127\n```" + `
- PASS: CONTINUE
- FAIL: STOP "not migrated"

## 3. Check
` + "```sh\necho checked\n```" + `
`

const askingAgain = `# Ask

## 1. Try
` + "```sh\necho 'no such host'; exit 3\n```" + `
- PASS: COMPLETE
- FAIL: GOTO Again

## Again
Another try?
- YES: GOTO 1
- NO: STOP
`

// refused are replies of which the second has an intent that its step does not allow.
const refused = `initial.draft: '{"next_action": {"action": "next", "reason": "good"}}'
closure.publish: '{"next_action": {"action": "next", "reason": "again"}}'
`

// deciding are scenes that lead to a decision and check what the screen says about it.
var deciding = map[string]scene{
	"what if asks about the step, the arm and the event in sight": {[]string{"run", "refund.playbook.md", "--source", "recording"}, "✓ completed", []deed{
		{"", "\x1b", "!path   "},
		{"", "gjw", "WHAT IF at 2, line 11"},
		{"", "\x1b", "!WHAT IF"},
		{"", "jw", "WHAT IF at 2, line 11"}, // on the branch
		{"", "\x1b", "!WHAT IF"},
		{"", "t", "else → 2b"},
		{"", "4/else → 2b\r", "/else → 2b"},
		{"", "w", "WHAT IF at 2, line"},
		{"", "\x1b", "!WHAT IF"},
	}, 0},
	"what if at a group that was left asks how it was left": {[]string{"run", "deploy.runbook.md", "--trust"}, "✓ completed", []deed{
		{"", "1w", "WHAT IF at 1.1, line 11"},
	}, 0},
	"WHY says what was not evaluated": {[]string{"run", "release.runbook.md", "--trust", "--answer", "2=yes"}, "✓ completed", []deed{
		{"", "\x1b", "not evaluated: line 12 matched"},
	}, 0},
	"a second n answers nothing": {[]string{"run", "release.runbook.md", "--trust", "--step"}, "‖ paused", []deed{
		{"", "n", "▶ ○ 2 Approve"},
		{"", "nn", "Yes or no?"},
		{"", "\x1b", "The run is waiting."},
		{"", "K", "Fork the run at step"},
		{"", "\x1b", "!Fork the run"},
		{"", "p", "✓ completed"},
	}, 0},
	"a pause before a branch is chosen": {[]string{"run", "refund.playbook.md", "--source", "recording", "--break", "2"}, "about to be taken", []deed{
		{"", "c", "✓ completed"},
	}, 0},
	"a pause at any failure": {[]string{"run", "migrate.runbook.md", "--trust", "--break", "any:fail"}, "╰ e edit  r rerun 2", []deed{
		{"", "B", "● wherever a step fails · hit 1 time"},
		{"", "\x1b", "!BREAKPOINTS"},
		{"", "c", "✗ STOPPED  not migrated"},
	}, 0},
	"a pause at a reply that a gate refuses": {[]string{"run", "gate", "--replies", "refused.yaml", "--trust", "--break", "any:fail"}, "╰ e edit  r rerun closure.publish", []deed{
		{"", "c", "✗ FAILED"},
	}, 0},
	"a question after a failure shows its cause": {[]string{"run", "ask.runbook.md", "--trust"}, "1 Try failed: exit 3, \"no such host\"\nYes or no?", []deed{
		{"", "n", "✗ STOPPED"},
	}, 0},
	"an override of the step before a branch asks": {[]string{"run", "refund.playbook.md", "--source", "recording", "--break", "2"}, "paused at breakpoint 2\nf fail 1", []deed{
		{"", "f", "Override step 1 with fail?"},
		{"", "n", "!Override step 1 with fail?"},
		{"", "f", "The run is paused before a branch of step 2. This changes the outcome"},
		{"", "y", "overridden (originally passed)"},
	}, 0},
	"the failure comes first": {[]string{"run", "migrate.runbook.md", "--trust"}, "╰ e edit  r rerun 2", []deed{
		{"", "1", "▌  ○ 3 Check"},
	}, 0},
}

// TestDecisionsOnScreen plays the scenes of deciding in the running program.
func TestDecisionsOnScreen(t *testing.T) {
	t.Parallel()
	for name, s := range deciding {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copied(t)
			write(t, filepath.Join(dir, "release.runbook.md"), rollback)
			write(t, filepath.Join(dir, "migrate.runbook.md"), failing)
			write(t, filepath.Join(dir, "refused.yaml"), refused)
			write(t, filepath.Join(dir, "ask.runbook.md"), askingAgain)
			s.play(t, openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, s.args...))
		})
	}
}

// TestListsAreRanked: the first screen lists documents with commands or routes before plain texts with numbered
// headings. A resumed run says that its document has changed.
func TestListsAreRanked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		write(t, filepath.Join(dir, name+".md"), "# Notes "+name+"\n\n## 1. Say\n\nText.\n")
	}
	write(t, filepath.Join(dir, "z.runbook.md"), rollback)
	x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir)
	x.sees("a.md")
	if text := x.text(); strings.Index(text, "z.runbook.md") > strings.Index(text, "a.md") {
		t.Errorf("the runbook comes after a text:\n%s", text)
	}
	x.types("\x1b")
	x.ends(0)

	x = openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "run", "z.runbook.md", "--trust")
	x.sees("Yes or no?")
	x.types("q")
	x.ends(exitAwaiting)
	listed := program(t, x.cmd, "runs")
	if !strings.Contains(listed, "Release") || !strings.Contains(listed, "waiting") {
		t.Errorf("the run has no title or no state:\n%s", listed)
	}
	run := strings.Fields(listed)[6]
	write(t, filepath.Join(dir, "z.runbook.md"), strings.Replace(rollback, "built", "made", 1))
	x = openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "resume", run)
	x.sees("The document changed: 1 step. Press ctrl+r to use it.")
}
