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
	"playhead/tui/layout"
)

// Finder is a list that typed letters filter: a fuzzy search with the best match first.
type Finder struct {
	Items         []string            // all items
	IsHidden      func(item int) bool // reports whether an item is listed only for a query; nil: all items are always listed
	Query         string
	MatchingItems []MatchingItem
	SelectedIndex int // the index of the selected matching item
	TopLine       int
	linesBelow    int // the number of lines below the visible ones
}

// MatchingItem is an item that matches, with the byte indices of its matching runes.
type MatchingItem struct {
	ItemIndex   int
	runeOffsets []int
}

// NewFinder returns a finder without a query. All items match, and the first is selected.
func NewFinder(items []string) *Finder {
	f := &Finder{Items: items}
	f.Filter()
	return f
}

// AddItems adds items. The selected item stays selected.
func (f *Finder) AddItems(items ...string) {
	chosen, ok := f.SelectedItemIndex()
	f.Items = append(f.Items, items...)
	f.Filter()
	for i, h := range f.MatchingItems {
		if ok && h.ItemIndex == chosen {
			f.SelectedIndex = i
		}
	}
}

// Filter searches again, and selects the best match.
func (f *Finder) Filter() {
	f.MatchingItems, f.SelectedIndex, f.TopLine = f.MatchingItems[:0], 0, 0
	if f.Query == "" {
		for i := range f.Items {
			if f.IsHidden == nil || !f.IsHidden(i) {
				f.MatchingItems = append(f.MatchingItems, MatchingItem{ItemIndex: i})
			}
		}
		return
	}
	var ranks [5][]MatchingItem
	for _, m := range fuzzy.Find(f.Query, f.Items) {
		rank, item := f.matchRank(m.Str), MatchingItem{m.Index, m.MatchedIndexes}
		if at := queryIndex(m.Str, f.Query); at >= 0 { // prefer these runes to single ones before them
			item.runeOffsets = runeOffsetsIn(m.Str, at, at+len(strings.ToLower(f.Query)))
		}
		ranks[rank] = append(ranks[rank], item)
	}
	for _, alike := range ranks[:len(ranks)-1] { // in the order of the items
		slices.SortFunc(alike, func(a, b MatchingItem) int { return a.ItemIndex - b.ItemIndex })
	}
	f.MatchingItems = append(f.MatchingItems, slices.Concat(ranks[:]...)...)
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
	case wordStartIndex(item, query) >= 0:
		return 2
	case strings.Contains(item, query):
		return 3
	}
	return 4
}

// wordStartIndex returns the index at which a word of a text begins with another one; -1: none does.
func wordStartIndex(text, word string) int {
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

// queryIndex returns the index at which an item contains the whole query, preferably at the beginning of a
// word; -1: it does not.
func queryIndex(item, query string) int {
	lower, query := strings.ToLower(item), strings.ToLower(query)
	if len(lower) != len(item) { // then the index in lower is not that in item
		return -1
	}
	if at := wordStartIndex(lower, query); at >= 0 {
		return at
	}
	return strings.Index(lower, query)
}

// runeOffsetsIn returns the indices of the runes in a part of a text.
func runeOffsetsIn(text string, from, to int) (out []int) {
	for i := range text {
		if i >= from && i < to {
			out = append(out, i)
		}
	}
	return out
}

// SelectedItemIndex returns the index of the selected item. ok is false if nothing matches.
func (f *Finder) SelectedItemIndex() (item int, ok bool) {
	if f.SelectedIndex >= len(f.MatchingItems) {
		return 0, false
	}
	return f.MatchingItems[f.SelectedIndex].ItemIndex, true
}

// HandleKey moves the selection or changes the query, and reports whether the key did either.
func (f *Finder) HandleKey(keys keymap.Map, k tea.KeyPressMsg) bool {
	by, moves := KeyMovement(keys, k, pageLines)
	switch {
	case keys.IsKeyOf(k, "previous-item"):
		by, moves = -1, true
	case keys.IsKeyOf(k, "next-item"):
		by, moves = 1, true
	}
	if moves && k.Text == "" { // letters belong to the query
		f.MoveSelection(by)
		return true
	}
	if query, ok := EditQueryByKey(keys, f.Query, k); ok {
		f.Query = query
		f.Filter()
		return true
	}
	return false
}

// MoveSelection selects another matching item.
func (f *Finder) MoveSelection(by int) {
	f.SelectedIndex = max(0, min(f.SelectedIndex+by, len(f.MatchingItems)-1))
}

// EditQueryByKey returns a query as a key changes it, and whether the key changes it.
func EditQueryByKey(keys keymap.Map, query string, k tea.KeyPressMsg) (edited string, changed bool) {
	switch {
	case k.Code == tea.KeyBackspace && query != "":
		r := []rune(query)
		return string(r[:len(r)-1]), true
	case keys.IsKeyOf(k, "clear"):
		return "", query != ""
	case k.Text != "":
		return query + k.Text, true
	}
	return query, false
}

// PositionText returns the position of the selected matching item.
func (f *Finder) PositionText() string { return PositionText(f.SelectedIndex, len(f.MatchingItems)) }

// ScrollTo returns the range of n lines to show in a height of h, with line at in sight.
func (f *Finder) ScrollTo(at, n, h int) (from, to int) {
	f.TopLine = max(0, min(max(f.TopLine, at-h+1), at, n-h))
	f.linesBelow = max(0, n-f.TopLine-h)
	return f.TopLine, min(n, f.TopLine+h)
}

// Overflow returns how many lines were above and below the part that was last drawn.
func (f *Finder) Overflow() layout.Overflow {
	return layout.Overflow{Above: f.TopLine, Below: f.linesBelow}
}

// HighlightedItem returns the item with its matching runes highlighted.
func (h MatchingItem) HighlightedItem(dc *draw.Context, item string) string {
	if len(h.runeOffsets) == 0 {
		return item
	}
	at := map[int]bool{}
	for _, i := range h.runeOffsets {
		at[i] = true
	}
	s := ""
	for i, r := range item {
		if at[i] {
			s += dc.Match.Paint(string(r))
			continue
		}
		s += string(r)
	}
	return s
}

// InPart returns the item with only the matching runes between two byte indices, which it counts from the first one.
func (h MatchingItem) InPart(from, to int) MatchingItem {
	var within []int
	for _, i := range h.runeOffsets {
		if i >= from && i < to {
			within = append(within, i-from)
		}
	}
	return MatchingItem{h.ItemIndex, within}
}
