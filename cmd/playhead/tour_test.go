package main

import (
	"fmt"
	"testing"

	"github.com/creack/pty"
)

// A tour shows why a run took a route, and where it would go with another value.
type tour struct {
	scene          // leads to the decision
	why   []string // on the screen, without a key
	other []deed   // each presses one key
}

const porterDir = "parse/climpt/registry/testdata/porter"

var (
	woken = scene{args: []string{"example:triage"}, first: "Where do replies", deeds: []deed{
		{"", "\r", "Inputs of this run"}, {"", "\r", "to be woken"},
	}}
	around = deed{"", "\x1b", "The run is waiting."}
)

var tours = map[string]tour{
	"a branching playbook":                  {woken, []string{"from 2, line 38 → 2b"}, []deed{around, {"", "w", "▌ 1 "}}},
	"a branching playbook, any other value": {woken, []string{"from 2, line 38 → 2b"}, []deed{around, {"", "w", "▌ 1 "}, {"", "5", "▌ 5 "}}},
	"a registry of twenty steps": {
		scene{args: []string{porterDir, "--trust", "--replies", porterDir + ".replies.yaml", "--break", "verification.plan:after"}, first: "Inputs of this run", deeds: []deed{{"", "\r", "‖ paused"}}},
		[]string{"181 ", "→ continuation.spi"}, []deed{{"", "w", "▌ 1 "}, {"", "3", "▌ 3 "}},
	},
	"a runbook of dynamic steps": {
		scene{args: []string{"cmd/playhead/testdata/docs/move-tenants.runbook.md", "--trust"}, first: "Yes or no?"},
		[]string{"from 1.1, line 10 → Diagnose"}, []deed{{"", "w", "▌ 1 "}},
	},
}

// TestTour: the screen shows why a run took a route, and at most four keys show where it would go with another value,
// on terminals of all sizes (docs/debugging.md).
func TestTour(t *testing.T) {
	for name, tour := range tours {
		for _, size := range []pty.Winsize{{Rows: 24, Cols: 80}, {Rows: 40, Cols: 120}, {Rows: 16, Cols: 60}} {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size.Cols, size.Rows), func(t *testing.T) {
				t.Parallel()
				tour.take(t, openIn(t, size, "../..", tour.args...))
			})
		}
	}
}

func (x tour) take(t *testing.T, on *terminal) {
	x.play(t, on)
	for _, why := range x.why {
		on.sees(why) // without a key
	}
	if len(x.other) > 4 {
		t.Errorf("it takes %d keys", len(x.other))
	}
	scene{first: x.why[0], deeds: x.other}.play(t, on)
}
