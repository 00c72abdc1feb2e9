// Package pane says what a pane is. The packages below it are the panes: each has its own state,
// reads the run and nothing else, and returns what it wants done as messages.
package pane

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/excerpt"
	"playhead/tui/panes"
	"playhead/tui/runview"
	"playhead/tui/search"
)

// Pane is a part of the screen that shows one side of a run.
type Pane interface {
	// Resize gives the pane its place. It is drawn anew.
	Resize(panes.Rect)
	// Title is the line above the pane.
	Title(*runview.Run) panes.Title
	// View is the lines of the pane, as many as it is high.
	View(*runview.Run) []string
	// Overflow is how many lines are out of sight, of the view that was drawn last.
	Overflow(*runview.Run) panes.Overflow

	// Update takes an Action, a Move or a Click. It returns what is to be done, and whether the
	// message meant anything to the pane.
	Update(*runview.Run, tea.Msg) (requests []tea.Msg, handled bool)
	// Unavailable returns why the pane cannot do an action of the key map now: a sentence in which
	// {name} stands for how to ask for that action. It is empty if it can, and for actions of others.
	Unavailable(run *runview.Run, action string) string
	// Label is the pane's own name for an action, empty if it uses the usual one.
	Label(action string) string
	// Actions are those that the last line offers, the likeliest first.
	Actions() []string

	// SearchIdentity is equal as long as the pane shows what was searched.
	SearchIdentity() any
	// SearchText is what can be searched.
	SearchText(*runview.Run, *search.Search) search.Text
	// Highlight has the matches of a search stand out; nil: of none.
	Highlight(*search.Search)
	// Position returns what goes back to what is in sight now.
	Position(*runview.Run) (restore func(*runview.Run) []tea.Msg)

	// Excerpts are what can be copied, the likeliest first.
	Excerpts(*runview.Run) []excerpt.Excerpt
}

// The messages to a pane, besides its actions.
type (
	// Action is an action of the key map.
	Action struct{ Name string }
	// Move goes so many lines down, or up for less than 0.
	Move struct{ By int }
	// Click is a press of the mouse on a cell of the pane.
	Click struct {
		X, Y   int
		Double bool
	}
	// Drag is a move of the mouse with the button held, from one cell of the pane to this one.
	Drag struct{ X, Y int }
)
