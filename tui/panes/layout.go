// Package panes divides the screen. It computes the place of each pane for the size of the screen and the
// person's split, the borders that can be moved, and draws the frame.
package panes

import "playhead/tui/keymap"

// Pane identifies a pane. Its number is its key.
type Pane int

// The panes. Dialog is the place of dialogs, over the lower right; Nowhere is no pane.
const (
	Nowhere Pane = iota
	Steps
	Text
	Output
	Why
	Dialog
)

// Kind describes a pane where all panes are treated alike.
type Kind struct {
	Name  string       // in the configuration and on tabs; also the action that shows the pane
	Noun  string       // in a sentence
	Scope keymap.Scope // the scope of its keys
}

// Kinds describes each pane, and the place of dialogs.
var Kinds = [Dialog + 1]Kind{
	Steps:  {"steps", "the steps", keymap.Steps},
	Text:   {"text", "the text", keymap.Text},
	Output: {"output", "the output", keymap.Output},
	Why:    {"why", "the reasons", keymap.Why},
	Dialog: {Name: "dialog", Noun: "the question"},
}

// All lists the panes in the order of their keys.
var All = []Pane{Steps, Text, Output, Why}

// The smallest screen that is drawn, and the sizes at which the layout changes.
const (
	MinWidth, MinHeight = 60, 16
	mediumWidth         = 70
	wideWidth           = 110
	splitHeight         = 20
)

// Shape is an arrangement of panes.
type Shape int

const (
	Tiny   Shape = iota // nothing fits
	Narrow              // one pane at a time
	medium              // steps and right column, with WHY folded to its title unless lines are left
	wide                // all panes
)

// Rect is the place of a pane's lines. The title is on the line above.
type Rect struct{ X, Y, W, H int }

// Holds reports whether a place on the screen is in the rectangle.
func (r Rect) Holds(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Empty reports whether the rectangle has no cells, as that of a hidden pane.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Layout is the arrangement of the panes on a screen of W × H cells.
type Layout struct {
	Shape         Shape
	W, H          int
	Left          int // width of the steps column, without borders
	Right         int // width of the right column
	Panes         [Dialog + 1]Rect
	WhyUp         bool // the WHY pane shows its lines, not only its title
	GivesUpOutput bool // the text takes the room of the output, except for a note that there is none
	Ask           int  // when presenting: the height of the dialog below its text
	Term          Rect // the default place of the output: the terminal size that commands get

	key divisionKey
}

// Needs holds what determines a Layout: the focus, modes of the screen, and what each pane needs.
type Needs struct {
	Focus         Pane
	Dialog        int  // lines that the dialog wants; 0: no dialog
	Least         int  // its minimum if the text needs the others; 0: all that it wants
	List          bool // the dialog is a list that scrolls: it takes only its share if others need the lines
	Tall          bool // the dialog may take the place of the output
	Whole         bool // the dialog takes the whole screen
	Zoom          bool // only the pane with focus shows
	Presenting    bool // the screen is being presented
	GivesUpOutput bool // there is no output: it gets no room, or with focus only enough for a note
	Below         bool // the dialog asks about the output: the order is text, dialog, output
	Row           int  // width of the widest row of the steps that MostRow allows
	Text          int  // lines of the text
	Lines         int  // lines of the output
	IsFinal       bool // the output does not grow now
	Why           int  // lines of WHY
	Events        int  // lines of WHY that are events: a person moves through them, so only they move the border
	Sheet         bool // WHY shows what a person asked for: values, or the timeline
	Split         Split
	About         any    // what the text and the output belong to; as long as it is equal, output only grows
	Last          Layout // the previous layout: its borders stay while output comes and no pane needs their lines
}

func shapeOf(w, h int) Shape {
	switch {
	case w < MinWidth || h < MinHeight:
		return Tiny
	case w < mediumWidth || h < splitHeight:
		return Narrow
	case w < wideWidth:
		return medium
	}
	return wide
}

// Arrange places the panes.
func Arrange(w, h int, want Needs) Layout {
	l := Layout{Shape: shapeOf(w, h), W: w, H: h, GivesUpOutput: want.GivesUpOutput}
	if want.List {
		want.Dialog = want.listHeight(h - 2)
	}
	alone := want.Whole || want.Zoom && want.Focus != Dialog || want.Split.treeAlone() && want.Dialog == 0
	switch {
	case l.Shape == Tiny:
	case want.Presenting:
		l.Shape = Narrow
		l.alone(want.Focus, presentationBox(w, h, want))
		l.ask(want)
		l.Term = presentationBox(w, h, Needs{Focus: Output})
	case l.Shape == Narrow, alone:
		small := l.Shape == Narrow
		l.Shape = Narrow
		l.alone(want.Focus, Rect{2, 2, w - 4, h - 3})
		switch {
		case small && (want.Focus == Steps || want.Focus == Text):
			l.reserveFooter(want)
		case small && want.Focus == Dialog && !want.Whole:
			l.stack(2, want)
		}
	default:
		l.columns(want)
	}
	return l
}

// alone gives all the room to the pane with focus.
func (l *Layout) alone(focus Pane, box Rect) {
	l.Left, l.Right = 0, l.W-2
	l.Panes[focus] = box
	l.Term = box
	l.WhyUp = true
}

// footOutput is the number of output lines below the steps or the text while a command prints.
const footOutput = 2

// reserveFooter keeps the last line below the steps for the title of WHY and, while output comes, lines
// above it for the output. Below a text, it does so with lines that the text does not need.
func (l *Layout) reserveFooter(want Needs) {
	box, spare := &l.Panes[want.Focus], l.H
	if want.Focus == Text {
		spare = box.H - want.Text
	}
	if spare < 1 {
		return
	}
	box.H--
	l.Panes[Why] = Rect{box.X, box.Y + box.H + 1, box.W, 0}
	l.WhyUp = false
	if !want.GivesUpOutput && !want.IsFinal && want.Lines > 0 && spare > 1+footOutput {
		box.H -= footOutput + 1
		l.Panes[Output] = Rect{box.X, box.Y + box.H + 1, box.W, footOutput}
	}
}

// ask divides the one pane that is presented between the text and the dialog below it. If the dialog asks
// about output, the output gets the lines that both leave, below a blank line.
func (l *Layout) ask(want Needs) {
	box := &l.Panes[Dialog]
	l.Ask = min(want.dialogHeight(box.H), box.H)
	if rest := box.H - want.Text - 1 - l.Ask - 1; want.Below && !want.Whole && rest >= MinOutput {
		box.H -= 1 + rest
		l.Panes[Output] = Rect{box.X, box.Y + box.H + 2, box.W, rest - 1}
	}
}

// dialogHeight returns how many of the given lines the dialog gets below its text and a blank line.
func (want Needs) dialogHeight(lines int) int {
	if want.Least == 0 {
		return want.Dialog
	}
	return min(want.Dialog, max(want.Least, lines-1-want.Text))
}

// listHeight returns how many of the given lines a list gets: three fifths, and all that the text and the
// output do not need.
func (want Needs) listHeight(lines int) int {
	others := 1 + want.textLines() + 1
	if want.Below || !want.GivesUpOutput {
		others += max(MinOutput, 1+want.Lines)
	}
	return min(want.Dialog, max(lines*3/5, lines-others))
}

// columns puts the steps left, and right the text, the output, and WHY or the dialog, from top to bottom.
func (l *Layout) columns(want Needs) {
	l.Left = want.Split.StepsWidth(l.W, want.Row)
	x := l.Left + 3
	if l.Left == 0 {
		x, l.Right = 2, l.W-2
	} else {
		l.Right = l.W - 3 - l.Left
		l.Panes[Steps] = Rect{2, 2, l.Left - 2, l.H - 3}
	}
	l.stack(x, want)
}

// stack puts text, output, and WHY or the dialog below each other. A dialog follows directly below the text
// or output that it is about. The room below it stays blank, unless growing output keeps its place there.
func (l *Layout) stack(x int, want Needs) {
	body := l.H - 2
	want.GivesUpOutput = want.GivesUpOutput || want.Below
	top := want.Split.textHeight(body)
	if want.Dialog > 0 && want.Tall && want.Split.Text == 0 { // the person must see the whole question
		top = min(top, max(1+MinText, body-1-want.dialogHeight(body-1)))
	}
	rest := body - top
	bottom := l.bottom(rest, want)
	if l.Shape == Narrow { // the dialog comes first, and the text above it gets the remaining room
		bottom = min(1+want.dialogHeight(body-1), body)
		top = min(top, body-bottom)
		if want.Text == 0 || top <= min(MinText, want.Text) {
			top = 0
		}
		rest = body - top
	}
	output := rest - bottom
	place := func(y, h int) Rect { return Rect{x, 1 + y + 1, l.Right - 2, h - 1} } // h includes the title

	least := l.minOutput(want)
	hasText := top > 0 || l.Shape == Narrow // there the text may be empty
	hasOutput := output >= least && !(want.Split.Hides(Output) && hasText)
	if output >= MinOutput && l.Shape != Narrow {
		l.Term = place(top, output)
	}
	switch {
	case hasOutput && hasText && want.GivesUpOutput && !want.Below && want.Focus == Output:
		spare := max(0, output-emptyOutput)
		top, output = top+spare, output-spare
	case hasOutput && !(want.GivesUpOutput && hasText):
	case top > 0 && (want.Dialog > 0 || output >= least): // else the room is too small even for the text
		top, output = top+output, 0
	default:
		bottom, output = bottom+output, 0
	}
	heights := l.divide([...]int{textShare: top, outputShare: output, lowShare: bottom}, want)
	top, output, bottom = heights[textShare], heights[outputShare], heights[lowShare]

	low := place(top+output, bottom)
	if top > 0 {
		l.Panes[Text] = place(0, top)
	}
	if output > 0 {
		l.Panes[Output] = place(top, output)
	}
	if rest := bottom - 1 - want.Dialog; want.Dialog > 0 && want.Below && rest >= MinOutput {
		low.H -= rest
		l.Panes[Output] = place(body-rest, rest)
	}
	switch {
	case want.Dialog > 0:
		l.Panes[Dialog] = low
	case bottom > 0:
		l.Panes[Why] = low
		l.WhyUp = low.H > 0
	}
	if want.Below && want.Focus == Output && l.Panes[Output].Empty() { // no room is left below the dialog
		want.Below, want.GivesUpOutput = false, false
		l.stack(x, want)
	}
}

// leastLines is how many lines the output keeps if other panes need some: enough for a note that there is
// none.
const leastLines = 3

// MinOutput is the minimum height of the output with its title. With less room, it is hidden.
const MinOutput = 3

// minOutput returns how many lines the output keeps between text and dialog, with its title. On a small
// screen it drops the output rather than show a useless part.
func (l *Layout) minOutput(want Needs) int {
	switch {
	case l.Shape != Narrow:
		return MinOutput
	case want.IsFinal:
		return 1 + min(leastLines, max(1, want.Lines))
	}
	return 1 + leastLines
}

// emptyOutput is the height of an empty output pane with focus, with its title.
const emptyOutput = 4

// bottom returns the height of WHY or the dialog, with its title.
func (l *Layout) bottom(rest int, want Needs) int {
	low := want.Split.whyHeight(l.H - 2)
	switch {
	case want.Split.Hides(Text) && want.Split.Hides(Output):
		return rest
	case want.Dialog > 0 && want.Tall:
		return min(want.dialogHeight(l.H-3)+1, rest)
	case want.Dialog > 0:
		return min(want.Dialog+1, rest, max(rest-4, (l.H-2)*3/5))
	case want.Split.Hides(Why):
		return 0
	case l.Shape != wide && want.Focus != Why && !want.Sheet:
		return 1
	case low == 0 && want.Events > 0:
		low = min(want.Events, (l.H-2)*3/5)
	case low == 0:
		low = min(max(3, rest/3), 9)
	}
	if !want.Split.Hides(Output) { // WHY must not hide the output
		low = min(low, rest-1-MinOutput)
	}
	return 1 + max(0, low)
}

// At returns the pane at a place on the screen. A title belongs to its pane.
func (l Layout) At(x, y int) Pane {
	for p := Steps; p <= Dialog; p++ {
		r := l.Panes[p]
		if r.W > 0 && r.Holds(x, max(y, r.Y)) && y >= r.Y-1 {
			return p
		}
	}
	return Nowhere
}

// presentationWidth is the width of prose when presenting: wider lines are hard to read.
const presentationWidth = 80

// presentationBox returns the place of the presented pane, above the lines for the reason and the progress.
// Prose is centred. A short text begins at a third of the height.
func presentationBox(w, h int, want Needs) Rect {
	side, top, bottom := max(4, w/10), 2, 2
	if h >= splitHeight {
		top, bottom = 4, 4
	}
	lines := want.Text
	switch {
	case want.Focus == Dialog && !want.Whole:
		lines += 1 + want.Dialog
		if want.Below {
			lines += 2 + want.Lines
		}
	case want.Focus == Text:
		bottom = max(bottom, 3) // the reason, the progress and the keys
	default:
		return Rect{side, top, w - 2*side, h - top - bottom}
	}
	side = max(side, (w-presentationWidth)/2)
	top = max(top, min(h/3, h-bottom-lines))
	return Rect{side, top, w - 2*side, h - top - bottom}
}
