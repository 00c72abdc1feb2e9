package main

import (
	"path/filepath"
	"testing"

	"github.com/creack/pty"
)

const aliased = "initial.draft: '{\"next_action\": {\"action\": \"fail\"}}'\n"

const unrouted = "# Restore\n\n## 1. Download\n```sh\necho not found; exit 22\n```\n- PASS: GOTO 3\n\n" +
	"## 2. Use the mirror\n```sh\necho mirror\n```\n\n## 3. Unpack\n```sh\necho unpacked\n```\n"

const jumping = "# Restore\n\n## 1. Look\n```sh\ntrue\n```\n- PASS: GOTO 3\n- FAIL: GOTO Undo\n\n## 2. Migrate\n```sh\ntrue\n```\n\n" +
	"## 3. Check\n```sh\ntrue\n```\n\n## Undo\n```sh\ntrue\n```\n"

// TestEndCard: the summary at the end of a run explains the result at every terminal size.
func TestEndCard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args  []string
		first string
		want  []string
	}{
		"the final output of a step whose last reply is a check's": {
			[]string{"example:essay", "--source", "recording", "--input", "topic=rot"}, "✓ COMPLETED",
			[]string{"output text, from step s_20bb Write", "needed."},
		},
		"a limit that aliases run into": {
			[]string{"gate", "--replies", "alias.yaml"}, "✗ FAILED ─",
			[]string{"initial.draft Draft ran 5 times, then", "path   initial.draft ×5", "read as repeat", "1 not reached"},
		},
		"a route that the document does not write": {
			[]string{"restore.runbook.md"}, "✗ STOPPED ─",
			[]string{`1 Download failed: exit 22, "not found"`, "route  1, FAIL → stopped (default)", "1–2 go there"},
		},
		"a step that a route jumps over": {
			[]string{"jump.runbook.md"}, "✓ COMPLETED ─",
			[]string{"2 Migrate was not reached", "[1] 2 Migrate  not reached", "1 go there"},
		},
	} {
		for _, size := range []pty.Winsize{{Rows: 40, Cols: 120}, {Rows: 24, Cols: 80}, {Rows: 16, Cols: 60}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				dir := copied(t)
				write(t, filepath.Join(dir, "alias.yaml"), aliased)
				write(t, filepath.Join(dir, "restore.runbook.md"), unrouted)
				write(t, filepath.Join(dir, "jump.runbook.md"), jumping)
				x := openIn(t, size, dir, append([]string{"run", "--trust"}, c.args...)...)
				x.sees(c.first)
				for _, text := range c.want {
					x.sees(text)
				}
			})
		}
	}
}
