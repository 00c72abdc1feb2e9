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
	priced   bool    // there are such
	unpriced bool    // there are others
}

// UsageOf is what one reply used; r may be nil.
func UsageOf(r *machine.Replied) (u Usage) {
	u.add(r)
	return u
}

// add counts a reply.
func (u *Usage) add(r *machine.Replied) {
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

// String is what was used in words, nothing if that is not known: 4,120 in · 812 out · $0.02.
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

// Money is the cost in words, nothing if none is known: $0.02. Where that of some replies is
// not known it was more: $0.02+.
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

// money writes USD to the cent, and less than one as far as a hundredth of it.
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

// Thousands writes a count with separators.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
