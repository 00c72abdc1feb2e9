package tui

import "playhead/engine"

// The messages that reach Update besides Bubble Tea's own.
type (
	// startedMsg is a session that is ready to run.
	startedMsg struct {
		session session
		err     error
	}
	// updateMsg is what a session did since the last one.
	updateMsg engine.Update
	// endedMsg says that the session's Run has returned.
	endedMsg struct {
		ending engine.Ending
		err    error
	}
	// forkedMsg is a fork of the run.
	forkedMsg struct{ run string }
	// calledMsg is what became of a call to the session.
	calledMsg struct{ err error }
	// windowMsg is the visible part of a log.
	windowMsg window
	// tickMsg moves the spinner.
	tickMsg struct{}
)
