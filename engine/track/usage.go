package track

import (
	"fmt"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Usage is what models used.
type Usage struct {
	InputTokens, OutputTokens int
	Cost                      float64 // in USD, of the replies whose cost is known
	hasKnownCost              bool    // the cost of some replies is known
	hasUnknownCost            bool    // the cost of some replies is unknown
}

// UsageOf returns the usage of one reply, which may be nil.
func UsageOf(r *machine.ReplyInfo) (u Usage) {
	u.addReply(r)
	return u
}

// addReply adds a reply.
func (u *Usage) addReply(r *machine.ReplyInfo) {
	if r == nil || r.Tokens == nil {
		return
	}
	u.InputTokens += r.Tokens.InputTokens
	u.OutputTokens += r.Tokens.OutputTokens
	if r.Cost == nil {
		u.hasUnknownCost = true
		return
	}
	u.hasKnownCost = true
	u.Cost += *r.Cost
}

// String returns the usage as text, such as "4,120 in · 812 out · $0.02", "" if unknown.
func (u Usage) String() string {
	if u.InputTokens+u.OutputTokens == 0 {
		return ""
	}
	s := plan.FormatThousands(u.InputTokens) + " in · " + plan.FormatThousands(u.OutputTokens) + " out"
	if money := u.CostText(); money != "" {
		s += " · " + money
	}
	return s
}

// CostText returns the cost as text, such as "$0.02", "" if none is known. If the cost of some replies
// is unknown, it is "$0.02+".
func (u Usage) CostText() string {
	switch {
	case !u.hasKnownCost:
		return ""
	case u.hasUnknownCost:
		return formatUSD(u.Cost) + "+"
	default:
		return formatUSD(u.Cost)
	}
}

// formatUSD formats USD with two decimals, and amounts below one cent with four.
func formatUSD(usd float64) string {
	switch {
	case usd >= 0.01 || usd == 0:
		return fmt.Sprintf("$%.2f", usd)
	case usd < 0.00005:
		return "<$0.0001"
	default:
		return fmt.Sprintf("$%.4f", usd)
	}
}
