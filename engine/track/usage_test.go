package track

import (
	"testing"

	"playhead/engine/machine"
)

// TestUsage: tokens and costs add up; unknown costs are left out, or marked with a plus.
func TestUsage(t *testing.T) {
	reply := func(in, out int, cost ...float64) *machine.ReplyInfo {
		r := &machine.ReplyInfo{Tokens: &machine.Tokens{InputTokens: in, OutputTokens: out}}
		if len(cost) > 0 {
			r.Cost = &cost[0]
		}
		return r
	}
	for want, replies := range map[string][]*machine.ReplyInfo{
		"":                             {nil, {}},
		"4 in · 2 out":                 {reply(4, 2), nil},
		"1,234,567 in · 1,000 out":     {reply(1_234_566, 900), reply(1, 100)},
		"4 in · 2 out · $0.00":         {reply(4, 2, 0)},
		"4 in · 2 out · <$0.0001":      {reply(4, 2, 0.000001)},
		"4,120 in · 812 out · $0.0011": {reply(4120, 812, 0.0011052)},
		"4,120 in · 812 out · $0.02":   {reply(4000, 800, 0.02), reply(120, 12, 0.0011)},
		"8 in · 4 out · $12.50+":       {reply(4, 2, 12.5), reply(4, 2)},
	} {
		var u Usage
		for _, r := range replies {
			u.addReply(r)
		}
		if got := u.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
