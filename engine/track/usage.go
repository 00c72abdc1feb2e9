package track

import (
	"fmt"
	"strconv"

	"playhead/engine/machine"
)

// Usage is what models used.
type Usage struct {
	In, Out  int     // tokens
	Cost     float64 // in USD, of the replies whose cost is known
	priced   bool    // the cost of some replies is known
	unpriced bool    // the cost of some replies is unknown
}

// UsageOf returns the usage of one reply, which may be nil.
func UsageOf(r *machine.ReplyInfo) (u Usage) {
	u.add(r)
	return u
}

// add adds a reply.
func (u *Usage) add(r *machine.ReplyInfo) {
	if r == nil || r.Tokens == nil {
		return
	}
	u.In += r.Tokens.In
	u.Out += r.Tokens.Out
	if r.Cost == nil {
		u.unpriced = true
		return
	}
	u.priced = true
	u.Cost += *r.Cost
}

// String returns the usage as text, such as "4,120 in · 812 out · $0.02", "" if unknown.
func (u Usage) String() string {
	if u.In+u.Out == 0 {
		return ""
	}
	s := Thousands(u.In) + " in · " + Thousands(u.Out) + " out"
	if money := u.Money(); money != "" {
		s += " · " + money
	}
	return s
}

// Money returns the cost as text, such as "$0.02", "" if none is known. If the cost of some replies
// is unknown, it is "$0.02+".
func (u Usage) Money() string {
	switch {
	case !u.priced:
		return ""
	case u.unpriced:
		return money(u.Cost) + "+"
	default:
		return money(u.Cost)
	}
}

// money formats USD with two decimals, and amounts below one cent with four.
func money(usd float64) string {
	switch {
	case usd >= 0.01 || usd == 0:
		return fmt.Sprintf("$%.2f", usd)
	case usd < 0.00005:
		return "<$0.0001"
	default:
		return fmt.Sprintf("$%.4f", usd)
	}
}

// Thousands formats a count with separators.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
