// Package list has what lists and long texts share: they scroll, keep a line in sight, and filter items by
// typed letters.
package list

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/panes"
)

// Finder is a list that typed letters filter: a fuzzy search with the best match first.
type Finder struct {
	Items    []string            // all items
	IsHidden func(item int) bool // reports whether an item is listed only for a query; nil: all items are always listed
	Query    string
	Hits     []Hit
	At       int // the index of the selected hit
	Top      int
	below    int // the number of lines below the visible ones
}

// Hit is an item that matches, with the byte indices of its matching runes.
type Hit struct {
	Item  int
	runes []int
}

// NewFinder returns a finder without a query. All items match, and the first is selected.
func NewFinder(items []string) *Finder {
	f := &Finder{Items: items}
	f.Filter()
	return f
}

// Add adds items. The selected item stays selected.
func (f *Finder) Add(items ...string) {
	chosen, ok := f.Chosen()
	f.Items = append(f.Items, items...)
	f.Filter()
	for i, h := range f.Hits {
		if ok && h.Item == chosen {
			f.At = i
		}
	}
}

// Filter searches again, and selects the best match.
func (f *Finder) Filter() {
	f.Hits, f.At, f.Top = f.Hits[:0], 0, 0
	if f.Query == "" {
		for i := range f.Items {
			if f.IsHidden == nil || !f.IsHidden(i) {
				f.Hits = append(f.Hits, Hit{Item: i})
			}
		}
		return
	}
	var ranks [5][]Hit
	for _, m := range fuzzy.Find(f.Query, f.Items) {
		rank, hit := f.matchRank(m.Str), Hit{m.Index, m.MatchedIndexes}
		if at := indexOf(m.Str, f.Query); at >= 0 { // prefer these runes to single ones before them
			hit.runes = runesOf(m.Str, at, at+len(strings.ToLower(f.Query)))
		}
		ranks[rank] = append(ranks[rank], hit)
	}
	for _, alike := range ranks[:len(ranks)-1] { // in the order of the items
		slices.SortFunc(alike, func(a, b Hit) int { return a.Item - b.Item })
	}
	f.Hits = append(f.Hits, slices.Concat(ranks[:]...)...)
}

// matchRank returns how well an item matches the query: 0 if it begins with the query as a word, 1 if it
// begins with the query, 2 if one of its words does, 3 if it contains the query, else 4.
func (f *Finder) matchRank(item string) int {
	query, item := strings.ToLower(f.Query), strings.ToLower(item)
	switch rest, begins := strings.CutPrefix(item, query); {
	case begins && (rest == "" || rest[0] == ' '):
		return 0
	case begins:
		return 1
	case wordIndex(item, query) >= 0:
		return 2
	case strings.Contains(item, query):
		return 3
	}
	return 4
}

// wordIndex returns the index at which a word of a text begins with another one; -1: none does.
func wordIndex(text, word string) int {
	for at := 0; ; at++ {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return -1
		}
		at += i
		if r, _ := utf8.DecodeLastRuneInString(text[:at]); at == 0 || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return at
		}
	}
}

// indexOf returns the index at which an item contains the whole query, preferably at the beginning of a
// word; -1: it does not.
func indexOf(item, query string) int {
	lower, query := strings.ToLower(item), strings.ToLower(query)
	if len(lower) != len(item) { // then the index in lower is not that in item
		return -1
	}
	if at := wordIndex(lower, query); at >= 0 {
		return at
	}
	return strings.Index(lower, query)
}

// runesOf returns the indices of the runes in a part of a text.
func runesOf(text string, from, to int) (out []int) {
	for i := range text {
		if i >= from && i < to {
			out = append(out, i)
		}
	}
	return out
}

// Chosen returns the index of the selected item. ok is false if nothing matches.
func (f *Finder) Chosen() (item int, ok bool) {
	if f.At >= len(f.Hits) {
		return 0, false
	}
	return f.Hits[f.At].Item, true
}

// Key moves the selection or changes the query, and reports whether it did.
func (f *Finder) Key(keys keymap.Map, k tea.KeyPressMsg) bool {
	by, moves := Movement(keys, k, page)
	switch {
	case keys.Is(k, "previous-item"):
		by, moves = -1, true
	case keys.Is(k, "next-item"):
		by, moves = 1, true
	}
	if moves && k.Text == "" { // letters belong to the query
		f.Move(by)
		return true
	}
	if query, ok := LineAfter(keys, f.Query, k); ok {
		f.Query = query
		f.Filter()
		return true
	}
	return false
}

// Move selects another hit.
func (f *Finder) Move(by int) { f.At = max(0, min(f.At+by, len(f.Hits)-1)) }

// LineAfter returns a line as a key changes it, and whether the key changes it.
func LineAfter(keys keymap.Map, line string, k tea.KeyPressMsg) (string, bool) {
	switch {
	case k.Code == tea.KeyBackspace && line != "":
		r := []rune(line)
		return string(r[:len(r)-1]), true
	case keys.Is(k, "clear"):
		return "", line != ""
	case k.Text != "":
		return line + k.Text, true
	}
	return line, false
}

// Place returns the position of the selected hit.
func (f *Finder) Place() string { return Place(f.At, len(f.Hits)) }

// Window returns the range of n lines to show in a height of h, with line at in sight.
func (f *Finder) Window(at, n, h int) (from, to int) {
	f.Top = max(0, min(max(f.Top, at-h+1), at, n-h))
	f.below = max(0, n-f.Top-h)
	return f.Top, min(n, f.Top+h)
}

// Overflow returns how many lines were above and below the part that was last drawn.
func (f *Finder) Overflow() panes.Overflow { return panes.Overflow{Above: f.Top, Below: f.below} }

// Marked returns the item with its matching runes highlighted.
func (h Hit) Marked(l *draw.Look, item string) string {
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
			s += l.Match.Paint(string(r))
			continue
		}
		s += string(r)
	}
	return s
}

// Part returns the hit in a part of the item.
func (h Hit) Part(from, to int) Hit {
	var within []int
	for _, i := range h.runes {
		if i >= from && i < to {
			within = append(within, i-from)
		}
	}
	return Hit{h.Item, within}
}
