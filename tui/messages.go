package tui

import (
	"playhead/engine"
	"playhead/tui/session"
)

// The messages that reach Update besides Bubble Tea's own and those of components.
type (
	// startedMsg is a session that is ready to run.
	startedMsg struct {
		session session.Session
		err     error
	}
	// endedMsg says that the session's Run has returned.
	endedMsg struct {
		ending engine.Ending
		err    error
	}
	// forkedMsg is a fork of the run.
	forkedMsg struct{ run string }
	// tickMsg moves the spinner.
	tickMsg struct{}
)
