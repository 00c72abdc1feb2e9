package cells

import (
	"slices"
	"strings"
)

// Separate takes apart what some terminals draw as one sign, and some as several: joined
// emoji, skins, flags, signs with a variant. Every part has the width that it is measured
// with, so a row is aligned wherever it is drawn. A terminal that has said that it measures
// whole signs (mode 2027) is given them whole.
func Separate(frame string) string {
	if !slices.ContainsFunc(joiners[:], func(part string) bool { return strings.Contains(frame, part) }) {
		return frame
	}
	var b strings.Builder
	b.Grow(len(frame))
	for i, r := range frame {
		switch {
		case r == '\u200d' && joinsSigns(frame[i+len("\u200d"):]), r == '\ufe0f', r == '\u20e3': // joiner, variant, keycap
		case '\U0001f1e6' <= r && r <= '\U0001f1ff': // half a flag
			b.WriteByte(byte('A' + r - '\U0001f1e6'))
		case '\U0001f3fb' <= r && r <= '\U0001f3ff': // a skin
			b.WriteString("  ")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// joiners are what makes one sign of several, as far as the bytes are the same.
var joiners = [...]string{"\u200d", "\ufe0f", "\u20e3", "\U0001f1e6"[:3], "\U0001f3fb"[:3]}

// joinsSigns reports whether a joiner stands before a sign: letters need theirs, and are
// drawn alike with it.
func joinsSigns(rest string) bool {
	for _, r := range rest {
		return r >= '\u2190'
	}
	return false
}
