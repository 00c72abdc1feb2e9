// Package dialog defines the interface of dialogs. The packages below it are the dialogs: each has its own
// state and keys, reads only the run, and returns requests as messages.
package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/runview"
)

// Dialog asks a person something or shows something, in the lower right of the screen. Several dialogs can
// be open, and only the top one shows.
type Dialog interface {
	// Title returns the line above the dialog.
	Title(*runview.Run) layout.PaneTitle
	// View returns the dialog in at most h lines of w cells. If not all lines fit, it returns a part of
	// them.
	View(run *runview.Run, w, h int) []string
	// WantedHeight returns how many lines the dialog wants. A dialog that fills the screen returns 1, because
	// the layout gives it the whole screen.
	WantedHeight(run *runview.Run, w int) int
	// MayCoverOutput reports whether the dialog may cover the output.
	MayCoverOutput(*runview.Run) bool
	// Hints returns the keys for the last line of the screen.
	Hints(*runview.Run) []draw.Hint
	// Update handles a key, a paste, a Click, RunChanged or a message of the dialog's own. It returns
	// requests, and whether the dialog used the message. The screen handles the keys that the dialog does
	// not use.
	Update(*runview.Run, tea.Msg) (requests []tea.Msg, handled bool)
}

// Messages to a dialog, besides Bubble Tea's own.
type (
	// RunChanged follows every change of the run. A dialog that changes with the run returns that it has
	// handled the message, and is laid out again.
	RunChanged struct{}
	// Click is a click on a cell of the dialog.
	Click struct{ X, Y int }
)

// Requests of a dialog, besides those of package request.
type (
	// Close closes a dialog; nil: the dialog that sends the request.
	Close struct{ Dialog Dialog }
	// Open opens another dialog on top.
	Open struct{ Dialog Dialog }
)

// TextEntry is a dialog that may take keys as text. While it does, hints of other keys are left out.
type TextEntry interface{ IsEnteringText() bool }

// IsEnteringText reports whether a dialog takes keys as text now. It returns false for nil, which stands for no dialog.
func IsEnteringText(d Dialog) bool {
	entry, can := d.(TextEntry)
	return can && entry.IsEnteringText()
}

// LineEntry is a TextEntry whose text may be a single line. While it is, the page keys scroll the panes beside the
// dialog.
type LineEntry interface{ IsEnteringLine() bool }

// ActionFilter is a dialog that decides itself which actions of the screen its unused keys may perform.
type ActionFilter interface {
	AllowsAction(*keymap.KeyAction) bool
}

// Confirmation is the part of a dialog that asks before a change. The key that quits answers no.
type Confirmation struct{}

// AllowsAction implements ActionFilter: only the help, which lists the answers.
func (Confirmation) AllowsAction(a *keymap.KeyAction) bool { return a.Name == "help" }

// AllowsAction reports whether the key of an action of the screen works in a dialog that does not use it. Usually
// only those do that change neither the run nor what is behind the dialog.
func AllowsAction(d Dialog, a *keymap.KeyAction) bool {
	if a.Name == "interrupt" || a.Name == "suspend" {
		return true
	}
	if IsFullScreen(d) && slices.Contains(paneActions, a.Name) {
		return false
	}
	if own, has := d.(ActionFilter); has {
		return own.AllowsAction(a)
	}
	blocker, is := d.(RunBlocker)
	return IsHarmlessInDialogs(a) || is && blocker.BlocksRun() && a.Name == "reload" && !IsEnteringText(d)
}

// IsHarmlessInDialogs reports whether an action only moves, arranges the screen, reads the dialog, opens something above
// it, or quits.
func IsHarmlessInDialogs(a *keymap.KeyAction) bool {
	return a.Group == "move" || slices.Contains(harmlessActions, a.Name)
}

// harmlessActions are the harmless actions outside the group of those that move.
var harmlessActions = []string{
	"find", "next-match", "previous-match", "zoom", "split-left", "split-right", "split-up", "split-down", "hide", "usual-layout", "present",
	"copy", "outside", "theme", "actions", "help", "quit",
}

// paneActions are the actions that only change how panes show. Nobody would see that behind a dialog that fills the screen.
var paneActions = []string{
	"left", "right", "wrap", "raw", "reasoning", "next-call", "previous-call", "zoom", "split-left", "split-right", "split-up", "split-down",
	"hide", "usual-layout",
}

// RunBlocker is a dialog that must be answered before anything runs, if BlocksRun returns true.
type RunBlocker interface{ BlocksRun() bool }

// Questioner is a dialog that returns what it asks for now (in a form: the current widget), nil if it asks
// nothing. If two results differ, the question has changed.
type Questioner interface{ CurrentQuestion() any }

// Locator is a dialog about a line of the document.
type Locator interface {
	DocumentPlace(*runview.Run) runview.DocumentPlace
}

// AnswerLister is a dialog that shows the keys of its answers itself.
type AnswerLister interface {
	AnswerHints(*runview.Run) []draw.Hint
}

// Scrollable is a dialog that may have more lines than it shows.
type Scrollable interface{ Overflow() layout.Overflow }

// Shrinkable is a dialog that can do with fewer lines if the text above it needs them.
type Shrinkable interface {
	MinHeight(run *runview.Run, w int) int
}

// AboutOutput is a dialog that may be about the output above it, such as a reply to accept.
type AboutOutput interface{ IsAboutOutput() bool }

// LegendProvider is a dialog that shows signs. The help explains them.
type LegendProvider interface{ Legend() [][2]string }

// OutputCoverer is the part of a dialog that may cover the output.
type OutputCoverer struct{}

// MayCoverOutput returns true.
func (OutputCoverer) MayCoverOutput(*runview.Run) bool { return true }

// FullScreen is the part of a dialog that may take the whole screen.
type FullScreen struct{ OutputCoverer }

// WantedHeight returns 1: the layout gives the dialog the whole screen.
func (FullScreen) WantedHeight(*runview.Run, int) int { return 1 }

func (FullScreen) isFullScreen() {}

// IsFullScreen reports whether a dialog may take the whole screen.
func IsFullScreen(d Dialog) bool {
	_, is := d.(interface{ isFullScreen() })
	return is
}

// Handled returns requests, and true: the dialog has used the message.
func Handled(requests ...tea.Msg) ([]tea.Msg, bool) { return requests, true }

// Unhandled returns that the dialog has not used the message.
func Unhandled() ([]tea.Msg, bool) { return nil, false }

// UpdateText is the Update of a dialog with text: it passes a pasted text to paste, and a key to handleKey.
func UpdateText(run *runview.Run, msg tea.Msg, paste func(*draw.Context, string), handleKey func(*runview.Run, tea.KeyPressMsg) ([]tea.Msg, bool)) ([]tea.Msg, bool) {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		paste(run.DrawContext, msg.Content)
		return Handled()
	case tea.KeyPressMsg:
		return handleKey(run, msg)
	}
	return Unhandled()
}
