// Package dialog says what a dialog is. The packages below it are the dialogs: each has its own
// state and keys, reads the run and nothing else, and returns what it wants done as messages.
package dialog

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/panes"
	"playhead/tui/runview"
)

// Dialog asks a person something, or tells what needs to be told, in the lower right. Dialogs lie
// on each other; only the top one shows.
type Dialog interface {
	// Title is the line above the dialog.
	Title(*runview.Run) panes.Title
	// View is what the dialog says, in lines of w cells. One that has no room shows part of it.
	View(run *runview.Run, w, h int) []string
	// Height is how many lines the dialog would like to have.
	Height(run *runview.Run, w int) int
	// MayCoverOutput reports whether the dialog may cover the output.
	MayCoverOutput(*runview.Run) bool
	// Hints are the keys that the last line offers.
	Hints(*runview.Run) []draw.Hint
	// Update takes a message: a key, a paste, a Click, or RunChanged. It returns what is to be
	// done, and whether the message meant anything to the dialog: a key that did not is looked up
	// among those of the screen.
	Update(*runview.Run, tea.Msg) (requests []tea.Msg, handled bool)
}

// Messages to a dialog, besides Bubble Tea's own.
type (
	// RunChanged comes after every change of the run. A dialog that has changed by it has handled
	// it, and is arranged anew.
	RunChanged struct{}
	// Click is a click on a cell of the dialog.
	Click struct{ X, Y int }
)

// Requests of a dialog, besides those of package request.
type (
	// Close closes a dialog; nil: the one that asks for it.
	Close struct{ Dialog Dialog }
	// Open opens another dialog on top.
	Open struct{ Dialog Dialog }
)

// A Writer takes keys as text while it writes: hints of other keys are left out then.
type Writer interface{ Writing() bool }

// OwnKeys is a dialog that has other uses for the keys that show help and quit.
type OwnKeys interface{ HasOwnKeys() bool }

// A Blocker may be a dialog without whose answer nothing runs.
type Blocker interface{ BlocksRun() bool }

// An Asker returns what it asks for now (in a form, one value), nil if nothing. Comparing two of them
// shows whether the question has changed.
type Asker interface{ Asks() any }

// Locator is a dialog that is about a line of the document.
type Locator interface {
	Place(*runview.Run) runview.Place
}

// Answering is a dialog that shows the keys of its answers itself.
type Answering interface {
	Answers(*runview.Run) []draw.Hint
}

// Scrolling is a dialog that may have more lines than it shows.
type Scrolling interface{ Overflow() panes.Overflow }

// Shrinking is a dialog that can do with fewer lines, where the text above it needs them.
type Shrinking interface {
	LeastHeight(run *runview.Run, w int) int
}

// A Signer has signs that help explains.
type Signer interface{ Signs() [][2]string }

// FullScreen is a dialog that may take the whole screen.
type FullScreen interface{ IsFullScreen() bool }

// Send returns requests of a key that a dialog has handled.
func Send(requests ...tea.Msg) ([]tea.Msg, bool) { return requests, true }

// Unhandled is the answer to a message that means nothing to a dialog.
func Unhandled() ([]tea.Msg, bool) { return nil, false }
