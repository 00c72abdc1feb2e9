// Package layout divides the screen between the panes. It computes the place of each pane from the size of the
// screen, the needs of the panes and the person's split. It also moves the borders and draws the frame.
package layout

// The smallest screen that is drawn, and the sizes at which the layout changes.
const (
	MinScreenWidth, MinScreenHeight = 60, 16
	minMediumWidth                  = 70
	minWideWidth                    = 110
	minSplitHeight                  = 20
	minTallHeight                   = 30
)

// Shape is an arrangement of panes.
type Shape int

const (
	TooSmallShape  Shape = iota // nothing fits
	OnePaneShape                // one pane at a time
	foldedWhyShape              // steps and right column, with WHY folded to its title unless lines are left
	allPanesShape               // all panes
)

// Rect is the place of a pane's lines. The title is on the line above.
type Rect struct{ X, Y, W, H int }

// Contains reports whether a place on the screen is in the rectangle.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// IsEmpty reports whether the rectangle has no cells, as that of a hidden pane.
func (r Rect) IsEmpty() bool { return r.W <= 0 || r.H <= 0 }

// Layout is the arrangement of the panes on a screen of W × H cells.
type Layout struct {
	Shape                 Shape
	W, H                  int
	StepsWidth            int // width of the steps column with its margins, without borders; 0: there is none
	RightWidth            int // width of the right column
	PaneRects             [DialogPlace + 1]Rect
	OmitsOutput           bool // there is no output: the text takes its place, except for a note
	PresentedDialogHeight int  // when presenting: the height of the dialog below its text
	TerminalRect          Rect // the default place of the output: the terminal size that commands get

	divisionKey            divisionKey
	growingAttemptIdentity any // when presenting: the attempt whose output grows, or has grown, in sight
}

// Needs holds what determines a Layout: the focus, modes of the screen, and what each pane needs.
type Needs struct {
	Focus                PaneID
	DialogLines          int  // lines that the dialog wants; 0: no dialog
	MinDialogLines       int  // its minimum, if the text needs lines; 0: it needs all that it wants
	IsDialogList         bool // the dialog is a list that scrolls: it takes only its share if others need the lines
	DialogScrolls        bool // the dialog scrolls: on a tall screen it takes its share as a list does
	DialogMayCoverOutput bool // the dialog may take the place of the output
	DialogFillsScreen    bool // the dialog takes the whole screen
	IsZoomed             bool // only the pane with focus shows
	IsPresenting         bool // the screen is being presented
	OmitsOutput          bool // there is no output: it gets no room, or with focus only enough for a note
	ShowsEarlierOutput   bool // the output is that of an earlier step, and the dialog may ask about it
	AsksAboutOutput      bool // the dialog asks about the output above it, which matters more than the text
	WidestStepsRow       int  // width of the widest row of the steps that MaxStepsRowWidth allows
	StepsLines           int  // rows of the steps
	TextLines            int  // lines of the text
	OutputLines          int  // lines of the output
	IsOutputSettled      bool // the output does not grow now
	IsOutputGrowing      bool // the output is that of a running action
	IsOutputUnwrapped    bool // lines of the output may be wider than its pane
	WhyLines             int  // lines of WHY
	WhyEventLines        int  // lines of WHY that are events: a person moves through them, so only they move the border
	IsWhyRequested       bool // WHY shows what a person asked for: values, or the timeline
	Split                Split
	ShownAttemptIdentity any    // the attempt that text and output belong to; while equal, output only grows
	Previous             Layout // the previous layout: its borders stay while output comes and no pane needs their lines
}

// shapeOf returns the arrangement that a screen of w × h cells has room for.
func shapeOf(w, h int) Shape {
	switch {
	case w < MinScreenWidth || h < MinScreenHeight:
		return TooSmallShape
	case w < minMediumWidth || h < minSplitHeight:
		return OnePaneShape
	case w < minWideWidth:
		return foldedWhyShape
	}
	return allPanesShape
}

// Arrange returns the layout of a screen of w × h cells. It places the panes according to their needs.
func Arrange(w, h int, want Needs) Layout {
	l := Layout{Shape: shapeOf(w, h), W: w, H: h, OmitsOutput: want.OmitsOutput}
	if want.IsDialogList || want.DialogScrolls && h >= minTallHeight {
		want.DialogLines = want.listHeight(h - 2)
	}
	alone := want.DialogFillsScreen || want.IsZoomed && want.Focus != DialogPlace || want.Split.showsOnlySteps() && want.DialogLines == 0
	switch {
	case l.Shape == TooSmallShape:
	case want.IsPresenting:
		l.Shape = OnePaneShape
		l.showOnly(want.Focus, presentationBox(w, h, want))
		if want.Focus == OutputPane && want.outputGrewWhilePresented() {
			l.growingAttemptIdentity = want.ShownAttemptIdentity
		}
		l.placePresentedDialog(want)
		l.TerminalRect = presentationBox(w, h, Needs{Focus: OutputPane})
	case l.Shape == OnePaneShape, alone:
		small := l.Shape == OnePaneShape
		l.Shape = OnePaneShape
		l.showOnly(want.Focus, Rect{2, 2, w - 4, h - 3})
		switch {
		case small && want.Focus != WhyPane && want.Focus != DialogPlace:
			l.reserveFooter(want)
		case small && want.Focus == DialogPlace && !want.DialogFillsScreen:
			l.stackPanes(2, want)
		}
	default:
		l.placeColumns(want)
	}
	return l
}

// showOnly gives all the room to the pane with focus.
func (l *Layout) showOnly(focus PaneID, box Rect) {
	l.StepsWidth, l.RightWidth = 0, l.W-2
	l.PaneRects[focus] = box
	l.TerminalRect = box
}

// footerOutputLines is the minimum number of output lines below the steps or the text while a command prints.
const footerOutputLines = 2

// reserveFooter keeps the last line below the pane with focus for the title of WHY and, while output comes, lines
// above it for the output. Below a text, these are lines that the text does not need. Output that needs more than a
// few lines gets all blank ones, in one step, because a border that moves with every line would disturb the reader.
func (l *Layout) reserveFooter(want Needs) {
	box := &l.PaneRects[want.Focus]
	blank := box.H - max(1, [...]int{StepsPane: want.StepsLines, TextPane: want.TextLines, OutputPane: want.OutputLines}[want.Focus])
	box.H--
	l.PaneRects[WhyPane] = Rect{box.X, box.Y + box.H + 1, box.W, 0}
	hasRoom := want.Focus == StepsPane || blank > 1+footerOutputLines
	if want.Focus != OutputPane && !want.OmitsOutput && !want.IsOutputSettled && want.OutputLines > 0 && hasRoom {
		lines := footerOutputLines
		if want.OutputLines > lines {
			lines = max(lines, blank-2) // without the two titles
		}
		box.H -= lines + 1
		l.PaneRects[OutputPane] = Rect{box.X, box.Y + box.H + 1, box.W, lines}
	}
}

// placePresentedDialog divides the one pane that is presented between the text and the dialog below it. If
// the dialog asks about output, the output gets the lines that both leave: below a blank line, or above the dialog's
// title if there is no text.
func (l *Layout) placePresentedDialog(want Needs) {
	box := &l.PaneRects[DialogPlace]
	l.PresentedDialogHeight = min(want.dialogHeight(box.H), box.H)
	rest := box.H - want.TextLines - 1 - l.PresentedDialogHeight - 1
	if !want.ShowsEarlierOutput || want.DialogFillsScreen || rest < MinOutputHeight {
		return
	}
	output := Rect{box.X, box.Y, box.W, rest - 1}
	if want.isOutputBelowDialog() {
		box.H -= 1 + rest
		output.Y += box.H + 2
	} else {
		output.H = min(output.H, max(1, want.OutputLines))
		box.Y += output.H + titleLines
		box.H -= output.H + titleLines
	}
	l.PaneRects[OutputPane] = output
}

// titleLines is the number of lines of a presented title, with a blank one above and below it.
const titleLines = 3

// isOutputBelowDialog reports whether the order is text, dialog, output, because the dialog asks about the text.
func (n Needs) isOutputBelowDialog() bool {
	return n.ShowsEarlierOutput && !n.isAboutOutputOnly()
}

// isAboutOutputOnly reports whether the dialog of a step without a text asks about the output of an earlier step. It
// stands below that, and an empty text does not show.
func (n Needs) isAboutOutputOnly() bool { return n.ShowsEarlierOutput && n.TextLines == 0 }

// dialogHeight returns how many of the given lines the dialog gets below its text and a blank line.
func (n Needs) dialogHeight(lines int) int {
	if n.MinDialogLines == 0 {
		return n.DialogLines
	}
	return min(n.DialogLines, max(n.MinDialogLines, lines-1-n.TextLines))
}

// listHeight returns how many of the given lines a list gets: three fifths, and all that the text and the
// output do not need.
func (n Needs) listHeight(lines int) int {
	others := 1 + n.textLines() + 1
	if n.isOutputBelowDialog() || !n.OmitsOutput {
		others += max(MinOutputHeight, 1+n.OutputLines)
	}
	return min(n.DialogLines, max(lines*3/5, lines-others))
}

// placeColumns puts the steps left, and right the text, the output, and WHY or the dialog, from top to bottom.
func (l *Layout) placeColumns(want Needs) {
	l.StepsWidth = want.Split.StepsWidth(l.W, want.WidestStepsRow)
	x := l.StepsWidth + 3
	if l.StepsWidth == 0 {
		x, l.RightWidth = 2, l.W-2
	} else {
		l.RightWidth = l.W - 3 - l.StepsWidth
		l.PaneRects[StepsPane] = Rect{2, 2, l.StepsWidth - 2, l.H - 3}
	}
	l.stackPanes(x, want)
}

// stackPanes puts text, output, and WHY or the dialog below each other. A dialog follows directly below the
// text or output that it is about, and the room below it stays blank.
func (l *Layout) stackPanes(x int, want Needs) {
	body := l.H - 2
	want.OmitsOutput = want.OmitsOutput || want.isOutputBelowDialog()
	top := want.Split.textHeight(body)
	if want.DialogLines > 0 && want.DialogMayCoverOutput && want.Split.TextShare == 0 { // the person must see the whole question
		top = min(top, max(1+MinTextLines, body-1-want.dialogHeight(body-1)))
	}
	rest := body - top
	bottom := l.bottomHeight(rest, want)
	if l.Shape == OnePaneShape { // the dialog comes first, and the text above it gets the remaining room
		bottom = min(1+want.dialogHeight(body-1), body)
		top = min(top, body-bottom)
		if want.TextLines == 0 || top <= min(MinTextLines, want.TextLines) {
			top = 0
		}
		rest = body - top
	}
	output := rest - bottom
	if output >= MinOutputHeight && l.Shape != OnePaneShape {
		l.TerminalRect = l.columnRect(x, top, output)
	}
	if want.isAboutOutputOnly() && want.Focus != TextPane {
		top, output = 0, top+output
	}
	least := l.minOutputHeightFor(want)
	hasText := top > 0 || l.Shape == OnePaneShape // there the text may be empty
	hasOutput := output >= least && !(want.Split.Hides(OutputPane) && hasText)
	if all := top + output; want.AsksAboutOutput && !hasOutput && !want.OmitsOutput && !want.Split.Hides(OutputPane) && all >= least {
		top, output = want.divideOutputFirst(all, least)
		hasText, hasOutput = top > 0, true
	}
	switch {
	case hasOutput && hasText && want.OmitsOutput && !want.isOutputBelowDialog() && want.Focus == OutputPane:
		spare := max(0, output-emptyOutputHeight)
		top, output = top+spare, output-spare
	case hasOutput && !(want.OmitsOutput && hasText):
	case top > 0 && (want.DialogLines > 0 || output >= least): // else the room is too small even for the text
		top, output = top+output, 0
	default:
		bottom, output = bottom+output, 0
	}
	heights := l.divideLines([...]int{textIndex: top, outputIndex: output, bottomIndex: bottom}, want)
	l.placeStack(x, heights, want)
	if want.isOutputBelowDialog() && want.Focus == OutputPane && l.PaneRects[OutputPane].IsEmpty() { // no room is left below the dialog
		want.ShowsEarlierOutput, want.OmitsOutput = false, false
		l.stackPanes(x, want)
	}
}

// placeStack sets the places of text, output, and WHY or the dialog in the column that begins at x. A pane of height 0
// is hidden. Below a dialog about the text, the output gets the lines that the dialog does not need.
func (l *Layout) placeStack(x int, heights [bottomIndex + 1]int, want Needs) {
	body, top, output, bottom := l.H-2, heights[textIndex], heights[outputIndex], heights[bottomIndex]
	low := l.columnRect(x, top+output, bottom)
	if top > 0 {
		l.PaneRects[TextPane] = l.columnRect(x, 0, top)
	}
	if output > 0 {
		l.PaneRects[OutputPane] = l.columnRect(x, top, output)
	}
	if rest := bottom - 1 - want.DialogLines; want.DialogLines > 0 && want.isOutputBelowDialog() && rest >= MinOutputHeight {
		low.H -= rest
		l.PaneRects[OutputPane] = l.columnRect(x, body-rest, rest)
	}
	switch {
	case want.DialogLines > 0:
		l.PaneRects[DialogPlace] = low
	case bottom > 0:
		l.PaneRects[WhyPane] = low
	}
}

// columnRect returns the place of a pane in the column that begins at x. y is the line of its title, counted from the
// top of the column, and h its height with the title.
func (l *Layout) columnRect(x, y, h int) Rect { return Rect{x, 1 + y + 1, l.RightWidth - 2, h - 1} }

// divideOutputFirst divides lines between the text and the output, each with its title. The text gets those that the
// output leaves, if there are enough. least is the minimum height of the output.
func (n Needs) divideOutputFirst(lines, least int) (text, output int) {
	output = min(lines, max(least, 1+n.OutputLines))
	if text = lines - output; text < 1+MinTextLines {
		return 0, lines
	}
	return text, output
}

// minOutputLines is how many lines the output keeps if other panes need some: enough for a note that there is
// none.
const minOutputLines = 3

// MinOutputHeight is the minimum height of the output with its title. With less room, it is hidden.
const MinOutputHeight = 3

// minOutputHeightFor returns the minimum height of the output between text and dialog, with its title. On a small
// screen the output is hidden rather than cut to a useless part.
func (l *Layout) minOutputHeightFor(want Needs) int {
	switch {
	case l.Shape != OnePaneShape:
		return MinOutputHeight
	case want.IsOutputSettled:
		return 1 + min(minOutputLines, max(1, want.OutputLines))
	}
	return 1 + minOutputLines
}

// emptyOutputHeight is the height of an empty output pane with focus, with its title.
const emptyOutputHeight = 4

// bottomHeight returns the height of WHY or the dialog, with its title.
func (l *Layout) bottomHeight(rest int, want Needs) int {
	low := want.Split.whyLines(l.H - 2)
	switch {
	case want.Split.Hides(TextPane) && want.Split.Hides(OutputPane):
		return rest
	case want.DialogLines > 0 && want.DialogMayCoverOutput:
		return min(want.dialogHeight(l.H-3)+1, rest)
	case want.DialogLines > 0:
		return min(want.DialogLines+1, rest, max(rest-4, (l.H-2)*3/5))
	case want.Split.Hides(WhyPane):
		return 0
	case l.Shape != allPanesShape && want.Focus != WhyPane && !want.IsWhyRequested:
		return 1
	case low == 0 && want.WhyEventLines > 0:
		low = min(want.WhyEventLines, (l.H-2)*3/5)
	case low == 0:
		low = min(max(3, rest/3), 9)
	}
	if !want.Split.Hides(OutputPane) { // WHY must not hide the output
		low = min(low, rest-1-MinOutputHeight)
	}
	return 1 + max(0, low)
}

// PaneAt returns the pane at a place on the screen. A title belongs to its pane.
func (l Layout) PaneAt(x, y int) PaneID {
	for p := StepsPane; p <= DialogPlace; p++ {
		r := l.PaneRects[p]
		if r.W > 0 && r.Contains(x, max(y, r.Y)) && y >= r.Y-1 {
			return p
		}
	}
	return NoPane
}

// MaxPresentedWidth is the width of what is presented: wider prose is hard to read.
const MaxPresentedWidth = 80

// presentationBox returns the place of the presented pane, above the lines for the reason and the progress. All panes
// have the same left edge and are centred, but what may be wider extends to the margin at the right. Few lines begin at
// a third of the height.
func presentationBox(w, h int, want Needs) Rect {
	margin, top, bottom := max(4, w/10), 2, 2
	if h >= minSplitHeight {
		top, bottom = 4, 4
	}
	if want.Focus == TextPane {
		bottom = max(bottom, 3) // the reason, the progress and the keys
	}
	left := max(margin, (w-MaxPresentedWidth)/2)
	box := Rect{left, top, w - 2*left, h - top - bottom}
	if want.DialogFillsScreen || want.Focus == OutputPane && want.IsOutputUnwrapped {
		box.W = w - left - margin
	}
	if lines, known := want.presentedLines(want.Focus == DialogPlace && !want.DialogFillsScreen); known {
		box.Y = max(top, min(h/3, h-bottom-lines))
		box.H = h - box.Y - bottom
	}
	return box
}

// presentedLines returns how many lines the presented pane has. known is false if there may be more at any time,
// or if they fill the screen.
func (n Needs) presentedLines(isQuestion bool) (lines int, known bool) {
	switch {
	case isQuestion && n.ShowsEarlierOutput:
		return n.TextLines + 1 + n.DialogLines + 2 + n.OutputLines, true
	case isQuestion:
		return n.TextLines + 1 + n.DialogLines, true
	case n.Focus == TextPane:
		return n.TextLines, true
	case n.Focus == WhyPane:
		return n.WhyLines, n.WhyEventLines == 0
	case n.Focus == OutputPane:
		return n.OutputLines, n.IsOutputSettled && !n.outputGrewWhilePresented()
	}
	return 0, false
}

// outputGrewWhilePresented reports whether the presented output grew while it showed. Then it stays where it is.
func (n Needs) outputGrewWhilePresented() bool {
	return n.IsOutputGrowing || n.ShownAttemptIdentity != nil && n.Previous.growingAttemptIdentity == n.ShownAttemptIdentity
}
