package main

import (
	"testing"

	"github.com/creack/pty"
)

// TestEndCard: what stands on the card at the end of a run, at the sizes of terminals.
func TestEndCard(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args  []string
		first string
		want  []string
	}{
		"the final output of a step whose last reply is a check's": {
			[]string{"example:essay", "--source", "recording", "--input", "topic=rot"}, "✓ COMPLETED",
			[]string{"output text, of step s_20bb Write", "needed."},
		},
	} {
		for _, size := range []pty.Winsize{{Rows: 40, Cols: 120}, {Rows: 24, Cols: 80}, {Rows: 16, Cols: 60}} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				x := openIn(t, size, copied(t), append([]string{"run", "--trust"}, c.args...)...)
				x.sees(c.first)
				for _, text := range c.want {
					x.sees(text)
				}
			})
		}
	}
}
