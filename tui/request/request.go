// Package request is what panes and dialogs ask the root for. Their Update returns requests, and the
// root carries them out at once and in order, before it reads another key: a key that was typed
// ahead meets the screen that the key before it led to. A request that takes a while is a Background.
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
		Action string
		Args   control.Args
	}

	// Press does what the key of an action of the key map does outside dialogs.
	Press struct{ Action string }

	// Say shows a sentence in the last line until the next key or the next change of the run.
	// {name} stands for the key of an action.
	Say struct{ Text string }

	// SayNext shows a sentence about what the run is about to do, until the next key.
	SayNext struct{ Text string }

	// IgnoreKeys drops the keys of the next moment, which were meant for something that has just
	// gone, and says why it went.
	IgnoreKeys struct{ Text string }

	// Select selects a step in the tree.
	Select struct{ Row *track.Row }

	// SelectNext selects a step of the next version of the document, by its label, once that is in force.
	SelectNext struct{ Step string }

	// FocusPanes gives the focus to the panes, and leaves dialogs open behind them.
	FocusPanes struct{}

	// Paint takes another theme.
	Paint struct{ Palette themes.Palette }

	// ShowEvent shows the run after an event of its history, by its index.
	ShowEvent struct{ Index int }

	// ShowNow shows the run as it is, after a look at the past.
	ShowNow struct{}

	// FollowRun selects the step that the run is at, from now on.
	FollowRun struct{}

	// EditOutside opens a text in the person's own editor, and sets it to what comes back.
	EditOutside struct{ Text form.Text }

	// Background runs a command beside the screen. Its message comes to the root.
	Background struct{ Cmd tea.Cmd }
)

// Quit ends the program.
var Quit = Background{tea.Quit}
