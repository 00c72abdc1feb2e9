package layout

// A lineClaim holds two heights of a pane without its title: the default, and the one that shows everything.
type lineClaim struct{ usualLines, neededLines int }

// The panes of the right column from top to bottom. The lowest is WHY or the dialog.
const (
	textIndex = iota
	outputIndex
	bottomIndex
)

// columnClaims holds the heights of the panes of the right column. A hidden pane has zeros.
type columnClaims [bottomIndex + 1]lineClaim

// totalLines returns how many lines there are to divide: the usual heights of all panes together.
func (s columnClaims) totalLines() int {
	return s[textIndex].usualLines + s[outputIndex].usualLines + s[bottomIndex].usualLines
}

// divideLines turns the usual heights of text, output, and WHY or the dialog, each with its title, into heights
// that show the most: no pane keeps blank lines while another one is cut.
func (l *Layout) divideLines(heights [bottomIndex + 1]int, want Needs) [bottomIndex + 1]int {
	l.divisionKey = divisionKey{want.ShownAttemptIdentity, l.W, l.H, l.StepsWidth, want.TextLines, want.WhyLines, want.DialogLines, want.WhyEventLines > 0 && want.DialogLines == 0}
	s := l.claimsOf(heights, want)
	lines := s.allocateLines(want)
	if l.divisionKey.movesThroughEvents || !want.IsOutputSettled && heights[outputIndex] > 0 {
		lines = l.divideStably(s, want)
	}
	for i, h := range heights {
		if h > 0 {
			heights[i] = 1 + lines[i]
		}
	}
	return heights
}

// claimsOf returns the usual and the needed lines of panes with these heights, where 0 means that a pane is hidden.
// If a person has set a height, the pane needs exactly that.
func (l *Layout) claimsOf(heights [bottomIndex + 1]int, want Needs) (s columnClaims) {
	needs := [...]int{want.textLines(), max(minOutputLines, want.OutputLines), want.WhyLines}
	if want.IsOutputSettled {
		needs[outputIndex] = max(1, want.OutputLines)
	}
	switch {
	case want.DialogLines > 0:
		needs[bottomIndex] = want.DialogLines
	case l.divisionKey.movesThroughEvents && want.Previous.divisionKey.movesThroughEvents: // while a person moves through events, WHY may shrink but not grow
		needs[bottomIndex] = min(want.WhyEventLines, want.Previous.PaneRects[WhyPane].H)
	case heights[bottomIndex] > 1:
		needs[bottomIndex] = max(minWhyLines, want.WhyLines)
	case !want.IsOutputSettled:
		needs[bottomIndex] = 0 // a folded WHY stays folded until the output is final
	}
	if l.Shape == OnePaneShape {
		needs[textIndex] = want.TextLines
	}
	for i, h := range heights {
		if h > 0 {
			s[i] = lineClaim{h - 1, needs[i]}
		}
	}
	if want.Split.TextShare > 0 {
		s[textIndex].neededLines = s[textIndex].usualLines
	}
	if want.Split.WhyShare > 0 && want.DialogLines == 0 {
		s[bottomIndex].neededLines = s[bottomIndex].usualLines
	}
	return s
}

// textLines returns how many lines the text needs beside other panes: a blank one if it is empty.
func (n Needs) textLines() int {
	if n.TextLines == 0 {
		return 1
	}
	return max(MinTextLines, n.TextLines)
}

// allocateLines gives each pane the lines that it needs, up to its usual height. The remaining lines go to
// panes that are still cut: first to those that then show everything, then by priority. Lines that no pane
// needs are blank.
func (s columnClaims) allocateLines(want Needs) (lines [bottomIndex + 1]int) {
	s.keepReadable(want)
	left := s.totalLines()
	for i, p := range s {
		lines[i] = min(p.usualLines, p.neededLines)
		left -= lines[i]
	}
	for i := s.paneToComplete(lines, left); i >= 0; i = s.paneToComplete(lines, left) {
		left -= s[i].neededLines - lines[i]
		lines[i] = s[i].neededLines
	}
	for _, i := range want.panesByPriority() {
		if lines[i] < s[i].neededLines {
			lines[i] += left
			left = 0
		}
	}
	if opened := lines[bottomIndex]; s[bottomIndex].usualLines == 0 && opened > 0 && opened < min(minWhyLines, s[bottomIndex].neededLines) {
		s[bottomIndex].neededLines = 0 // too few lines are of no use: fold WHY to its title
		return s.allocateLines(want)
	}
	return s.addBlankLines(lines, left, want)
}

// minReadableLines is how many lines a pane keeps if it needs them.
const minReadableLines = 4

// keepReadable changes the usual heights, so that the pane that a person asked for has half of the lines and the output
// a few, if they need them. A height that a person has set stays.
func (s *columnClaims) keepReadable(want Needs) {
	if want.DialogLines > 0 {
		return
	}
	isSet := [...]bool{textIndex: want.Split.TextShare > 0, outputIndex: false, bottomIndex: want.Split.WhyShare > 0}
	raise := func(pane, lines int) {
		for lines = min(lines, s[pane].neededLines); s[pane].usualLines > 0 && s[pane].usualLines < lines && !isSet[pane]; s[pane].usualLines++ {
			from := -1
			for i := range s {
				if i != pane && !isSet[i] && s[i].usualLines > minReadableLines && (from < 0 || s[i].usualLines > s[from].usualLines) {
					from = i
				}
			}
			if from < 0 {
				return
			}
			s[from].usualLines--
		}
	}
	raise(outputIndex, minReadableLines)
	switch half := s.totalLines() / 2; want.Focus {
	case TextPane:
		raise(textIndex, half)
	case OutputPane:
		raise(outputIndex, half)
	case WhyPane:
		raise(bottomIndex, half)
	}
}

// paneToComplete returns the index of the pane that lacks the fewest lines, if left lines are enough for
// it; -1 if there is none.
func (s columnClaims) paneToComplete(lines [bottomIndex + 1]int, left int) int {
	at := -1
	for i, p := range s {
		if lack := p.neededLines - lines[i]; lack > 0 && lack <= left {
			at, left = i, lack
		}
	}
	return at
}

// panesByPriority returns the order in which panes that stay cut get lines: first the one that was asked
// for, or has the focus.
func (n Needs) panesByPriority() []int {
	order := []int{outputIndex, textIndex, bottomIndex}
	switch {
	case n.DialogLines > 0, n.IsWhyRequested, n.Focus == WhyPane:
		return []int{bottomIndex, outputIndex, textIndex}
	case n.Focus == TextPane:
		return []int{textIndex, outputIndex, bottomIndex}
	}
	return order
}

// addBlankLines adds blank lines, never between a text and what belongs to it: below a dialog, to WHY up to its usual
// height, so that it seldom moves, and then to the output. Without output, all are below WHY.
func (s columnClaims) addBlankLines(lines [bottomIndex + 1]int, left int, want Needs) [bottomIndex + 1]int {
	hasOutput := s[outputIndex].usualLines > 0
	hasBottom := s[bottomIndex].usualLines > 0 || lines[bottomIndex] > 0
	switch {
	case hasBottom && (!hasOutput || want.DialogLines > 0):
		lines[bottomIndex] += left
	case hasOutput:
		back := min(left, max(0, s[bottomIndex].usualLines-lines[bottomIndex]))
		if want.OutputLines > minOutputLines && !want.IsOutputSettled {
			back = 0 // the output has begun to grow
		}
		lines[bottomIndex] += back
		lines[outputIndex] += left - back
	default:
		lines[textIndex] += left
	}
	return lines
}

// A divisionKey identifies what a division was made for, apart from the output, which grows.
type divisionKey struct {
	shownAttempt                     any
	w, h, stepsWidth                 int
	textLines, whyLines, dialogLines int
	movesThroughEvents               bool
}

// divideStably divides the lines while output comes, or while a person moves through events. Borders that
// move with every line would disturb the reader, so the output gets room in few steps.
func (l *Layout) divideStably(s columnClaims, want Needs) [bottomIndex + 1]int {
	if s[outputIndex].usualLines > 0 && !want.IsOutputSettled {
		s[outputIndex].neededLines = roomForGrowing(want.OutputLines)
	}
	lines := s.allocateLines(want)
	if previous, fits := l.adaptPreviousDivision(s, lines, want); fits && previous[outputIndex] >= min(lines[outputIndex], max(minOutputLines, want.OutputLines)) {
		return previous
	}
	return lines
}

// roomForGrowing returns how many lines growing output gets: each time it needs more, twice as many.
func roomForGrowing(lines int) int {
	room := minOutputLines
	for room < lines {
		room *= 2
	}
	return room
}

// adaptPreviousDivision returns the previous division, adapted to the new total. fits is false if text or
// WHY would get less than they are due, the output more while the text is cut, or the text of another attempt blank lines.
func (l *Layout) adaptPreviousDivision(s columnClaims, due [bottomIndex + 1]int, want Needs) (lines [bottomIndex + 1]int, fits bool) {
	last, now := want.Previous.divisionKey, l.divisionKey
	text, output, low := want.Previous.PaneRects[TextPane].H, want.Previous.PaneRects[OutputPane].H, want.Previous.PaneRects[WhyPane].H
	if want.DialogLines > 0 {
		low = want.Previous.PaneRects[DialogPlace].H
	}
	switch {
	case last == now && text+output+low == s.totalLines():
		return [...]int{text, output, low}, true
	case last.w != now.w || last.h != now.h || last.stepsWidth != now.stepsWidth || last.movesThroughEvents != now.movesThroughEvents:
		return due, false
	case now.movesThroughEvents:
		return s.withBottom(due, min(low, due[bottomIndex])), true
	case last.shownAttempt != now.shownAttempt && text > s[textIndex].neededLines: // everything changes: nothing is gained by blank lines
		return due, false
	case text == 0 || s[textIndex].usualLines == 0 || (output > 0) != (s[outputIndex].usualLines > 0) || text < min(s[textIndex].neededLines, due[textIndex]):
		return due, false
	case want.DialogLines > 0: // the lines that the panes do not need are below the dialog
		low = s.totalLines() - text - due[outputIndex]
		return [...]int{text, due[outputIndex], low}, low >= min(s[bottomIndex].neededLines, due[bottomIndex])
	case low > s[bottomIndex].usualLines || low < min(s[bottomIndex].neededLines, due[bottomIndex]) || text < s[textIndex].neededLines:
		low = due[bottomIndex] // the bottom pane gives back lines that the panes above need
	}
	if s[outputIndex].usualLines == 0 {
		low = s.totalLines() - text
		return [...]int{text, 0, low}, low >= due[bottomIndex]
	}
	output = s.totalLines() - text - low
	return [...]int{text, output, low}, text >= s[textIndex].neededLines || output <= due[outputIndex]
}

// withBottom returns a division with another height of the bottom pane. The difference is that of the output, or of
// the text if there is no output.
func (s columnClaims) withBottom(lines [bottomIndex + 1]int, low int) [bottomIndex + 1]int {
	above := outputIndex
	if s[outputIndex].usualLines == 0 {
		above = textIndex
	}
	lines[above] += lines[bottomIndex] - low
	lines[bottomIndex] = low
	return lines
}
