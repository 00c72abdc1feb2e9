package panes

// A share is the number of lines of a pane without its title: usual, and needed to show everything.
type share struct{ usual, needs int }

// The panes of the right column from top to bottom. The lowest is WHY or the dialog.
const (
	textShare = iota
	outputShare
	lowShare
)

type shares [lowShare + 1]share

// total returns how many lines there are to divide.
func (s shares) total() int {
	return s[textShare].usual + s[outputShare].usual + s[lowShare].usual
}

// divide turns the usual heights of text, output, and WHY or the dialog, each with its title, into heights
// that show the most: no pane keeps blank lines while another one is cut.
func (l *Layout) divide(heights [lowShare + 1]int, want Needs) [lowShare + 1]int {
	l.key = divisionKey{want.About, l.W, l.H, l.Left, want.Text, want.Why, want.Dialog, want.Events > 0 && want.Dialog == 0}
	s := l.sharesOf(heights, want)
	lines := s.fill(want)
	if l.key.isEvents || !want.IsFinal && heights[outputShare] > 0 {
		lines = l.divideCalmly(s, want)
	}
	for i, h := range heights {
		if h > 0 {
			heights[i] = 1 + lines[i]
		}
	}
	return heights
}

// sharesOf returns the shares of panes with these heights, where 0 means that a pane is hidden. If a person
// has set a height, the pane needs exactly that.
func (l *Layout) sharesOf(heights [lowShare + 1]int, want Needs) (s shares) {
	needs := [...]int{want.textLines(), max(leastLines, want.Lines), want.Why}
	if want.IsFinal {
		needs[outputShare] = max(1, want.Lines)
	}
	switch {
	case want.Dialog > 0:
		needs[lowShare] = want.Dialog
	case l.key.isEvents && want.Last.key.isEvents: // while a person moves through events, WHY may shrink but not grow
		needs[lowShare] = min(want.Events, want.Last.Panes[Why].H)
	case heights[lowShare] > 1:
		needs[lowShare] = max(minWhy, want.Why)
	case !want.IsFinal:
		needs[lowShare] = 0 // a folded WHY stays folded until the output is final
	}
	if l.Shape == Narrow {
		needs[textShare] = want.Text
	}
	for i, h := range heights {
		if h > 0 {
			s[i] = share{h - 1, needs[i]}
		}
	}
	if want.Split.Text > 0 {
		s[textShare].needs = s[textShare].usual
	}
	if want.Split.Why > 0 && want.Dialog == 0 {
		s[lowShare].needs = s[lowShare].usual
	}
	return s
}

// textLines returns how many lines the text needs beside other panes: a blank one if it is empty.
func (want Needs) textLines() int {
	if want.Text == 0 {
		return 1
	}
	return max(MinText, want.Text)
}

// fill gives each pane what it needs of its share. It gives the remaining lines to panes that are cut:
// first to those that they complete, then by priority. Lines that no pane needs stay in the usual shares.
func (s shares) fill(want Needs) (lines [lowShare + 1]int) {
	left := s.total()
	for i, p := range s {
		lines[i] = min(p.usual, p.needs)
		left -= lines[i]
	}
	for i := s.nearestToWhole(lines, left); i >= 0; i = s.nearestToWhole(lines, left) {
		left -= s[i].needs - lines[i]
		lines[i] = s[i].needs
	}
	for _, i := range want.priority() {
		if lines[i] < s[i].needs {
			lines[i] += left
			left = 0
		}
	}
	if opened := lines[lowShare]; s[lowShare].usual == 0 && opened > 0 && opened < min(minWhy, s[lowShare].needs) {
		s[lowShare].needs = 0 // too few lines are of no use: fold WHY to its title
		return s.fill(want)
	}
	return s.spread(lines, left, want)
}

// nearestToWhole returns the pane that lacks the fewest lines, if left lines are enough to complete it; -1:
// none.
func (s shares) nearestToWhole(lines [lowShare + 1]int, left int) int {
	at := -1
	for i, p := range s {
		if lack := p.needs - lines[i]; lack > 0 && lack <= left {
			at, left = i, lack
		}
	}
	return at
}

// priority returns the order in which panes that stay cut get lines: first the one that was asked for, or
// has the focus.
func (want Needs) priority() []int {
	order := []int{outputShare, textShare, lowShare}
	switch {
	case want.Dialog > 0, want.Sheet, want.Focus == Why:
		return []int{lowShare, outputShare, textShare}
	case want.Focus == Text:
		return []int{textShare, outputShare, lowShare}
	}
	return order
}

// spread adds blank lines: below a dialog if the output above it does not grow, else as in the usual
// shares.
func (s shares) spread(lines [lowShare + 1]int, left int, want Needs) [lowShare + 1]int {
	hasOutput := s[outputShare].usual > 0
	if want.Dialog > 0 && (want.IsFinal || !hasOutput) {
		lines[lowShare] += left
		return lines
	}
	for _, i := range [...]int{textShare, lowShare} {
		back := min(left, max(0, s[i].usual-lines[i]))
		lines[i] += back
		left -= back
	}
	switch {
	case hasOutput:
		lines[outputShare] += left
	case s[textShare].usual > 0:
		lines[textShare] += left
	default:
		lines[lowShare] += left
	}
	return lines
}

// A divisionKey identifies what a division was made for, apart from the output, which grows.
type divisionKey struct {
	about             any
	w, h, left        int
	text, why, dialog int
	isEvents          bool
}

// divideCalmly divides the lines while output comes, or while a person moves through events. The output
// first gets half of its share. When it needs more, it gets all lines that the others do not need, at once:
// borders that move with every line would disturb more than a text that is cut.
func (l *Layout) divideCalmly(s shares, want Needs) [lowShare + 1]int {
	begun, grown := s, s
	if s[outputShare].usual > 0 {
		begun[outputShare].needs = min(s[outputShare].usual, max(leastLines, s[outputShare].usual/2))
		grown[outputShare].needs = s.total()
	}
	lines := begun.fill(want)
	switch kept, does := l.keep(s, lines, want); {
	case does && s.hasRoom(kept, want):
		return kept
	case s[outputShare].usual > 0 && (l.key == want.Last.key || !s.hasRoom(lines, want)):
		return grown.fill(want)
	}
	return lines
}

// hasRoom reports whether the output, if it shows, has the lines that it needs.
func (s shares) hasRoom(lines [lowShare + 1]int, want Needs) bool {
	return s[outputShare].usual == 0 || lines[outputShare] >= max(min(leastLines, s[outputShare].usual), want.Lines)
}

// keep returns the previous division, adapted to the new total, and whether text and WHY get at least as
// much from it as they are due.
func (l *Layout) keep(s shares, due [lowShare + 1]int, want Needs) (lines [lowShare + 1]int, does bool) {
	last, now := want.Last.key, l.key
	text, output, low := want.Last.Panes[Text].H, want.Last.Panes[Output].H, want.Last.Panes[Why].H
	if want.Dialog > 0 {
		low = want.Last.Panes[Dialog].H
	}
	switch {
	case last == now && text+output+low == s.total():
		return [...]int{text, output, low}, true
	case last.w != now.w || last.h != now.h || last.left != now.left || last.isEvents != now.isEvents:
		return due, false
	case text == 0 || (output > 0) != (s[outputShare].usual > 0) || text < min(s[textShare].needs, due[textShare]):
		return due, false
	case low > s[lowShare].usual || low < min(s[lowShare].needs, due[lowShare]) || text < s[textShare].needs:
		low = due[lowShare] // it has lines that other panes need, or may need
	}
	if s[outputShare].usual == 0 {
		low = s.total() - text
		return [...]int{text, 0, low}, low >= due[lowShare]
	}
	return [...]int{text, s.total() - text - low, low}, true
}
