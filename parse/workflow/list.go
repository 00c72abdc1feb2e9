package workflow

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// textRange is a range of bytes of a text.
type textRange struct{ start, end int }

// linePart is a part of a line.
type linePart struct {
	line int
	textRange
}

// item is an item of a list. It may span several lines.
type item struct {
	parts      []linePart
	text       string // the parts, joined with single spaces
	partStarts []int  // the offsets of the parts in the text
}

// add adds a line from an offset on.
func (it *item) add(lines []string, line, from int) {
	text := lines[line]
	inner := strings.TrimRightFunc(text[from:], unicode.IsSpace)
	left := strings.TrimLeftFunc(inner, unicode.IsSpace)
	from += len(inner) - len(left)
	it.parts = append(it.parts, linePart{line, textRange{from, from + len(left)}})
}

// joinParts sets the item's text.
func (it *item) joinParts(lines []string) {
	var b strings.Builder
	for _, p := range it.parts {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		it.partStarts = append(it.partStarts, b.Len())
		b.WriteString(lines[p.line][p.start:p.end])
	}
	it.text = b.String()
}

// placeAt returns the place of a byte of the item's text.
func (it *item) placeAt(at int) place {
	i := max(0, sort.SearchInts(it.partStarts, at+1)-1)
	return place{it.parts[i].line, it.parts[i].start + at - it.partStarts[i]}
}

// list is the list after a list heading.
type list struct {
	documentPart documentPart
	isOpen       bool
	items        []*item
	lastLine     int // the last line of the last item
}

// listMark is the mark with which a list item begins: a sign, or a number.
type listMark struct {
	offset      int  // of the mark in the line
	textStart   int  // the offset of the item's text in the line
	isCanonical bool // written as the format demands: a dash, a blank, at most 3 columns in
}

// readListMark reads the mark with which a list item begins (§3.3).
func readListMark(text string) (listMark, bool) {
	columns, at := listIndent(text)
	rest := text[at:]
	n := listMarkLength(rest)
	if n == 0 {
		return listMark{}, false
	}
	behind := rest[n:]
	apart := firstBlankOffset(behind) == 0 && behind != ""
	if rest[0] != '-' && !apart || rest[0] == '-' && strings.HasPrefix(behind, "-") {
		return listMark{}, false
	}
	return listMark{at, at + n, rest[0] == '-' && (apart || behind == "") && columns <= 3}, true
}

// listMarkLength returns the length of the mark with which a text begins: a sign, or a number.
func listMarkLength(text string) int {
	r, size := utf8.DecodeRuneInString(text)
	if strings.ContainsRune("-*+•–—", r) && size > 0 {
		return size
	}
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if digits > 0 && digits < len(text) && strings.IndexByte(".)", text[digits]) >= 0 {
		return digits + 1
	}
	return 0
}

// readListLine reads a line of text after a list heading.
func (d *document) readListLine(s *step, l *list, i int) {
	text := d.lines[i]
	b, isItem := readListMark(text)
	columns, _ := listIndent(text)
	switch {
	case isItem && !l.isOpen:
		d.add(place{i, b.offset}, s, finding{"item-dropped", "this item is not part of a list with a heading, so it is ignored", "put it into the list that it belongs to"})
	case isItem:
		d.addItem(s, l, i, b)
	case !l.isOpen:
	case len(l.items) > 0 && (i == l.lastLine+1 || columns >= 2):
		it := l.items[len(l.items)-1]
		it.add(d.lines, i, 0)
		l.lastLine = i
		d.add(place{i, it.parts[len(it.parts)-1].start}, s, finding{"wrapped-item", "this line continues the item above", "write each item on one line"})
	default:
		d.warnTextInList(s, l, i)
	}
}

func (d *document) addItem(s *step, l *list, i int, b listMark) {
	it := &item{}
	it.add(d.lines, i, b.textStart)
	l.items, l.lastLine = append(l.items, it), i
	if !b.isCanonical {
		d.add(place{i, b.offset}, s, finding{"list-form", "this item does not begin with `- `, or is indented too far", "begin each item with `- `, not indented"})
	}
}

// warnTextInList warns of a line that is neither an item nor part of one, and so is ignored.
func (d *document) warnTextInList(s *step, l *list, i int) {
	l.isOpen = len(l.items) == 0
	_, at := listIndent(d.lines[i])
	message := "this text in a list is ignored"
	if !l.isOpen {
		message += ", and the list ends here"
	}
	d.add(place{i, at}, s, finding{"item-dropped", message, "begin items with `- `, or put the text elsewhere"})
}
