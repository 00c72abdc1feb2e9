// Package pane defines the interface of panes. The packages below it are the panes: each has its own state,
// reads only the run, and returns requests as messages.
package pane

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/excerpt"
	"playhead/tui/layout"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Pane is a part of the screen that shows one aspect of a run.
type Pane interface {
	// Resize sets the place of the pane, which is then drawn again.
	Resize(layout.Rect)
	// Title returns the line above the pane.
	Title(*runview.Run) layout.PaneTitle
	// View returns the lines of the pane, as many as its height.
	View(*runview.Run) []string
	// Overflow returns how many lines of the last view are out of sight.
	Overflow(*runview.Run) layout.Overflow

	// Update handles an Action, a Move, a Click or a Drag. It returns requests, and whether the pane used
	// the message.
	Update(*runview.Run, tea.Msg) (requests []tea.Msg, handled bool)
	// UnavailableReason returns why the pane cannot carry out an action of the key map now: a sentence in which
	// {name} stands for the key of that action. It returns "" if it can, and for actions of other panes.
	UnavailableReason(run *runview.Run, action string) string
	// ActionLabel returns the pane's own label for an action, "" if it uses the usual one.
	ActionLabel(action string) string
	// HintActions returns the actions for the hints on the last line, the most likely first.
	HintActions() []string

	// SearchIdentity returns a value that stays equal as long as the pane shows what was searched.
	SearchIdentity() any
	// SearchText returns the text to search in.
	SearchText(*runview.Run, *search.Search) search.Text
	// Highlight sets the search whose matches are highlighted, nil for none.
	Highlight(*search.Search)
	// PositionRestorer returns a function that scrolls the pane back to where it is now.
	PositionRestorer(*runview.Run) (restore func(*runview.Run) []tea.Msg)

	// Excerpts returns what can be copied, the most likely first.
	Excerpts(*runview.Run) []excerpt.Excerpt
	// DocumentPlace returns the line of the document that the pane shows. ok is false if it shows something else, such
	// as output.
	DocumentPlace(*runview.Run) (place runview.DocumentPlace, ok bool)
}

// The messages to a pane.
type (
	// Action is an action of the key map.
	Action struct{ Name string }
	// Move scrolls or moves the selection by a number of lines: up if it is negative, else down.
	Move struct{ Lines int }
	// Click is a press of the mouse on a cell of the pane.
	Click struct {
		X, Y     int
		IsDouble bool
	}
	// Drag is a move of the mouse with the button held, from one cell of the pane to this one.
	Drag struct{ X, Y int }
)
