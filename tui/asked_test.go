package tui

import (
	"strings"
	"testing"

	"playhead/engine/machine"
	"playhead/engine/track"
)

// TestAnEmptyAnswerInThePast: somebody may have answered with nothing.
func TestAnEmptyAnswerInThePast(t *testing.T) {
	l := withChoices(t, 120, 40).m.look
	asks := &machine.InputNeeded{Kind: machine.KindAsk, Prompt: "Who reads it?"}
	x := &track.Exec{Asked: []track.Asked{{InputNeeded: asks, Given: &machine.InputGiven{Kind: machine.KindAsk}, By: machine.ByFlag}}}
	got := strings.Join(asked(l, x.Asked, 40), "\n")
	if !strings.Contains(got, "Who reads it?") || !strings.Contains(got, "›") {
		t.Errorf("shows %q", got)
	}
}
