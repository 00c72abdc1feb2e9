package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"
)

// finder is a list that what is typed filters: fuzzily, the best match first.
type finder struct {
	items []string // what is looked through
	query string
	hits  []hit
	at    int // the chosen one of the hits
	top   int
}

// hit is an item that matches, and which of its runes do, by their index in bytes.
type hit struct {
	item  int
	runes []int
}

func newFinder(items []string) *finder {
	f := &finder{items: items}
	f.filter()
	return f
}

// add takes more items in; the choice stays where it is.
func (f *finder) add(items ...string) {
	chosen, ok := f.chosen()
	f.items = append(f.items, items...)
	f.filter()
	for i, h := range f.hits {
		if ok && h.item == chosen {
			f.at = i
		}
	}
}

func (f *finder) filter() {
	f.hits, f.at, f.top = f.hits[:0], 0, 0
	if f.query == "" {
		for i := range f.items {
			f.hits = append(f.hits, hit{item: i})
		}
		return
	}
	var ranks [4][]hit
	for _, m := range fuzzy.Find(f.query, f.items) {
		rank := f.scattered(m.Str)
		ranks[rank] = append(ranks[rank], hit{m.Index, m.MatchedIndexes})
	}
	f.hits = append(f.hits, slices.Concat(ranks[:]...)...)
}

// scattered is how far an item that matches is from the query as it is typed: 0 if it
// begins with that word, 1 if it begins so, 2 if it has it in one piece.
func (f *finder) scattered(item string) int {
	query, item := strings.ToLower(f.query), strings.ToLower(item)
	switch rest, begins := strings.CutPrefix(item, query); {
	case begins && (rest == "" || rest[0] == ' '):
		return 0
	case begins:
		return 1
	case strings.Contains(item, query):
		return 2
	}
	return 3
}

// chosen is the item that stands out; there is none where nothing matches.
func (f *finder) chosen() (item int, ok bool) {
	if f.at >= len(f.hits) {
		return 0, false
	}
	return f.hits[f.at].item, true
}

// key moves, or changes the query, and reports whether it did.
func (f *finder) key(k tea.KeyPressMsg) bool {
	if by, moves := map[string]int{
		"up": -1, "ctrl+p": -1, "down": 1, "ctrl+n": 1, "pgup": -10, "pgdown": 10, "home": -far, "end": far,
	}[k.String()]; moves {
		f.move(by)
		return true
	}
	if query, ok := lineAfter(f.query, k); ok {
		f.query = query
		f.filter()
		return true
	}
	return false
}

// move chooses another hit.
func (f *finder) move(by int) { f.at = max(0, min(f.at+by, len(f.hits)-1)) }

// lineAfter is a line after a key, and whether the key changes it.
func lineAfter(line string, k tea.KeyPressMsg) (string, bool) {
	switch {
	case k.Code == tea.KeyBackspace && line != "":
		r := []rune(line)
		return string(r[:len(r)-1]), true
	case k.String() == "ctrl+u":
		return "", line != ""
	case k.Text != "":
		return line + k.Text, true
	}
	return line, false
}

// window is the part of n lines to show in a height of h, with the line at in sight.
func (f *finder) window(at, n, h int) (from, to int) {
	f.top = max(0, min(max(f.top, at-h+1), at, n-h))
	return f.top, min(n, f.top+h)
}

// marked paints the runes of an item that match.
func (h hit) marked(l *look, item string) string {
	if len(h.runes) == 0 {
		return item
	}
	at := map[int]bool{}
	for _, i := range h.runes {
		at[i] = true
	}
	s := ""
	for i, r := range item {
		if at[i] {
			s += l.Key.Paint(string(r))
			continue
		}
		s += string(r)
	}
	return s
}

// part is what of a hit is in a piece of the item.
func (h hit) part(from, to int) hit {
	var within []int
	for _, i := range h.runes {
		if i >= from && i < to {
			within = append(within, i-from)
		}
	}
	return hit{h.item, within}
}
