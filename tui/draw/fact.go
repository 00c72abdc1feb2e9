package draw

import (
	"slices"
	"strings"
)

// Fact is something that a title says, and how much that matters.
type Fact struct {
	Text   string
	Weight int
}

// FitFacts returns the facts that there is room for: those that matter least go first, the one
// that matters most stays.
func (l *Look) FitFacts(facts []Fact, room int) string {
	texts := make([]string, len(facts))
	for i, f := range facts {
		texts[i] = f.Text
	}
	text := strings.Join(texts, " · ")
	if len(facts) < 2 || l.Width(text) <= room {
		return text
	}
	least := slices.MinFunc(facts, func(a, b Fact) int { return a.Weight - b.Weight })
	i := slices.Index(facts, least)
	return l.FitFacts(slices.Delete(slices.Clone(facts), i, i+1), room)
}
