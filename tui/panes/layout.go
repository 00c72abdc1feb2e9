// Package panes divides the screen: which pane is where on a screen of a size, how a
// person has divided it, the borders that can be moved, and the lines around it all.
package panes

import "playhead/tui/keymap"

// Pane names a part of the screen. Its number is its key.
type Pane int

// The panes. Dialog is what lies over the lower right; Nowhere is none.
const (
	Nowhere Pane = iota
	Steps
	Text
	Output
	Why
	Dialog
)

// Kind is what there is to know of a pane wherever one is treated like the others.
type Kind struct {
	Name  string       // in the configuration and on tabs, and of the action that shows it
	Noun  string       // in a sentence
	Scope keymap.Scope // where its keys mean what they mean
}

// Kinds has one of each pane, and of the place of dialogs.
var Kinds = [Dialog + 1]Kind{
	Steps:  {"steps", "the steps", keymap.Steps},
	Text:   {"text", "the text", keymap.Text},
	Output: {"output", "the output", keymap.Output},
	Why:    {"why", "the reasons", keymap.Why},
	Dialog: {Name: "dialog", Noun: "the question"},
}

// All are the panes, in the order of their keys.
var All = []Pane{Steps, Text, Output, Why}

// The smallest screen that is drawn, and where the layouts change.
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
	medium              // tree and right column, WHY folded to its title where no lines are to spare
	wide                // everything
)

// Rect is the place of a pane's lines. Its title is on the line above.
type Rect struct{ X, Y, W, H int }

// Holds reports whether a place on the screen is in it.
func (r Rect) Holds(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Empty reports whether nothing shows there: a pane that is not on the screen.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Layout says where everything is on a screen of w × h.
type Layout struct {
	Shape         Shape
	W, H          int
	Left          int // width of the tree's column, without borders
	Right         int // width of the right column
	Panes         [Dialog + 1]Rect
	WhyUp         bool // the WHY pane shows its lines, not only its title
	GivesUpOutput bool // the text has the room of the output, but for what says that there is none
	Ask           int  // the height of the dialog below the text it is about, where it is shown to others
	Term          Rect // the place of output in the usual shares: what commands see as their terminal

	key divisionKey
}

// Needs is what determines a Layout: the size, the focus and what each pane needs.
type Needs struct {
	Focus         Pane
	Dialog        int  // how many lines the dialog wants, 0 for none
	Least         int  // how many it can do with, where the text needs the others; 0: as many as it wants
	Tall          bool // it may take the place of the output
	Whole         bool // it takes the whole screen
	Zoom          bool // the pane with focus alone
	Presenting    bool // it is shown to others
	GivesUpOutput bool // there is no output: no room for it, or with focus as much as saying so takes
	Below         bool // the output is what the dialog asks about: it stands below the dialog, and that below its text
	Row           int  // how wide the widest row of the steps is, of those that MostRow has room for
	Text          int  // how many lines the text has
	Lines         int  // and the output
	IsFinal       bool // which are all that there will be, for now
	Why           int  // how many lines WHY has
	Events        int  // of these, how many are events: a person goes through them, so nothing else moves the border
	Sheet         bool // WHY shows something that was asked for: values, or the timeline
	Split         Split
	About         any    // what the text and the output are of: the output of it grows only
	Last          Layout // until now: its borders stay where they are while output comes and nothing needs their lines
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
	alone := want.Whole || want.Zoom && want.Focus != Dialog || want.Split.treeAlone() && want.Dialog == 0
	switch {
	case l.Shape == Tiny:
	case want.Presenting:
		l.Shape = Narrow
		l.alone(want.Focus, presentationBox(w, h, want))
		want.Below = false
		l.ask(want)
		l.Term = presentationBox(w, h, Needs{Focus: Output})
	case l.Shape == Narrow, alone:
		small := l.Shape == Narrow
		l.Shape = Narrow
		l.alone(want.Focus, Rect{2, 2, w - 4, h - 3})
		switch {
		case small && want.Focus == Steps:
			l.foot(want)
		case small && want.Focus == Dialog && !want.Whole:
			l.stack(2, want)
		}
	default:
		l.columns(want)
	}
	return l
}

// alone gives all the room there is to the pane with focus.
func (l *Layout) alone(focus Pane, box Rect) {
	l.Left, l.Right = 0, l.W-2
	l.Panes[focus] = box
	l.Term = box
	l.WhyUp = true
}

// footOutput is how many lines of output stand below the steps, while a command prints some.
const footOutput = 2

// foot keeps the last line below the steps for the title of WHY and, while output comes, two lines
// above it for that.
func (l *Layout) foot(want Needs) {
	box := &l.Panes[Steps]
	box.H--
	l.Panes[Why] = Rect{box.X, box.Y + box.H + 1, box.W, 0}
	l.WhyUp = false
	if !want.GivesUpOutput && !want.IsFinal && want.Lines > 0 {
		box.H -= footOutput + 1
		l.Panes[Output] = Rect{box.X, box.Y + box.H + 1, box.W, footOutput}
	}
}

// ask divides the one pane that is shown to others between the text and the dialog below it. What the dialog asks about has the
// lines that both leave, where it shows.
func (l *Layout) ask(want Needs) {
	box := &l.Panes[Dialog]
	l.Ask = min(want.dialogHeight(box.H), box.H)
	if rest := box.H - want.Text - 1 - l.Ask; want.Below && rest >= MinOutput {
		box.H -= rest
		l.Panes[Output] = Rect{box.X, box.Y + box.H + 1, box.W, rest - 1}
	}
}

// dialogHeight is how many of so many lines the dialog has below its text and a line between them.
func (want Needs) dialogHeight(lines int) int {
	if want.Least == 0 {
		return want.Dialog
	}
	return min(want.Dialog, max(want.Least, lines-1-want.Text))
}

// columns puts the tree left, and right the text above the output above WHY or
// the dialog.
func (l *Layout) columns(want Needs) {
	l.Left = want.Split.Left(l.W, want.Row)
	x := l.Left + 3
	if l.Left == 0 {
		x, l.Right = 2, l.W-2
	} else {
		l.Right = l.W - 3 - l.Left
		l.Panes[Steps] = Rect{2, 2, l.Left - 2, l.H - 3}
	}
	l.stack(x, want)
}

// stack puts text, output and WHY or the dialog below each other. A dialog stands directly below what it
// is about, and what is below it stays blank, unless output that still comes is to keep its place.
func (l *Layout) stack(x int, want Needs) {
	body := l.H - 2
	want.GivesUpOutput = want.GivesUpOutput || want.Below
	top := want.Split.textHeight(body)
	if want.Dialog > 0 && want.Tall && want.Split.Text == 0 { // a person is to see all that they answer
		top = min(top, max(1+MinText, body-1-want.dialogHeight(body-1)))
	}
	rest := body - top
	bottom := l.bottom(rest, want)
	if l.Shape == Narrow { // it comes first, and has the text above it where that leaves room
		bottom = min(1+want.dialogHeight(body-1), body)
		top = min(top, body-bottom)
		if want.Text == 0 || top <= min(MinText, want.Text) {
			top = 0
		}
		rest = body - top
	}
	output := rest - bottom
	place := func(y, h int) Rect { return Rect{x, 1 + y + 1, l.Right - 2, h - 1} } // with its title

	least := l.minOutput(want)
	hasText := top > 0 || l.Shape == Narrow // which is empty there
	hasOutput := output >= least && !(want.Split.Hides(Output) && hasText)
	if output >= MinOutput && l.Shape != Narrow {
		l.Term = place(top, output)
	}
	switch {
	case hasOutput && hasText && want.GivesUpOutput && want.Focus == Output:
		spare := max(0, output-emptyOutput)
		top, output = top+spare, output-spare
	case hasOutput && !(want.GivesUpOutput && hasText):
	case top > 0 && (want.Dialog > 0 || output >= least): // else it is too little for the text as well
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
}

// leastLines is how many lines the output keeps where others need some: enough to say why there is none.
const leastLines = 3

// MinOutput is how many lines the output has at least, with its title. Where there is
// less room it gives way.
const MinOutput = 3

// minOutput is how many lines the output has at least between text and dialog, with its title: on a
// small screen less of it than there is helps nobody.
func (l *Layout) minOutput(want Needs) int {
	switch {
	case l.Shape != Narrow:
		return MinOutput
	case want.IsFinal:
		return 1 + min(leastLines, max(1, want.Lines))
	}
	return 1 + leastLines
}

// emptyOutput is how many lines the output has, with its title, where there is none and
// it has the focus.
const emptyOutput = 4

// bottom is the height of the lower right, with its title.
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
	if !want.Split.Hides(Output) { // which is not to give way to its reasons
		low = min(low, rest-1-MinOutput)
	}
	return 1 + max(0, low)
}

// At is the pane under a place on the screen. A title belongs to its pane.
func (l Layout) At(x, y int) Pane {
	for p := Steps; p <= Dialog; p++ {
		r := l.Panes[p]
		if r.W > 0 && r.Holds(x, max(y, r.Y)) && y >= r.Y-1 {
			return p
		}
	}
	return Nowhere
}

// presentationWidth is how wide prose is that is shown to others: what is wider is hard to read.
const presentationWidth = 80

// presentationBox is the place of the one pane, and below it that of a line on why and of the progress. Prose
// is in the middle, from a third of the height on where it is short.
func presentationBox(w, h int, want Needs) Rect {
	side, top, bottom := max(4, w/10), 2, 2
	if h >= splitHeight {
		top, bottom = 4, 4
	}
	lines := want.Text
	switch {
	case want.Focus == Dialog && !want.Whole:
		lines += 1 + want.Dialog
	case want.Focus == Text:
		bottom = max(bottom, 3) // the reason, the progress and the keys
	default:
		return Rect{side, top, w - 2*side, h - top - bottom}
	}
	side = max(side, (w-presentationWidth)/2)
	top = max(top, min(h/3, h-bottom-lines))
	return Rect{side, top, w - 2*side, h - top - bottom}
}
