// Package request has the requests of panes and dialogs to the root. Their Update returns requests, and the
// root carries them out at once and in order, before it handles another key: a key that was typed ahead
// applies to the screen to which the previous key led. A request that takes a while is a Background.
package request

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/control"
	"playhead/engine/track"
	"playhead/themes"
	"playhead/tui/form"
)

type (
	// Do carries out an action of engine/control on the run.
	Do struct {
		Action       string
		Args         control.Args
		SaysUntilKey bool // its result is shown until the next key, even if the run's state changes
	}

	// PressKeyOf carries out an action of the key map, as its key does outside dialogs.
	PressKeyOf struct{ Action string }

	// Say shows a sentence in the last line until the next key or the next change of the run.
	// {name} stands for the key of an action.
	Say struct{ Text string }

	// SayUntilKey shows a sentence that stays true when the state of the run changes, until the next key.
	SayUntilKey struct{ Text string }

	// IgnoreKeys ignores keys for a moment, because they were meant for something that has just closed. Text
	// says why it closed.
	IgnoreKeys struct{ Text string }

	// SelectStep selects a step in the tree.
	SelectStep struct{ Row *track.Row }

	// SelectAfterReload selects a step of the next version of the document, by its label, once the run uses
	// that version.
	SelectAfterReload struct{ Label string }

	// FocusPanes gives the focus to the panes, and leaves dialogs open behind them.
	FocusPanes struct{}

	// ChangeTheme changes the theme.
	ChangeTheme struct{ Palette themes.Palette }

	// ShowEvent shows the run after an event of its history, by its index.
	ShowEvent struct{ EventIndex int }

	// ShowCurrentState returns from an earlier moment to the current state of the run.
	ShowCurrentState struct{}

	// FollowRun lets the selection follow the run from now on.
	FollowRun struct{}

	// EditInEditor opens a text in the person's own editor, and replaces it by the result.
	EditInEditor struct{ Text form.EditableText }

	// Background runs a command in the background. Its message goes to the root.
	Background struct{ Cmd tea.Cmd }
)

// Quit ends the program.
var Quit = Background{tea.Quit}
