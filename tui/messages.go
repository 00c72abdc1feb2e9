package tui

import (
	"playhead/engine"
	"playhead/parse/plan"
	"playhead/tui/dialog/start"
	"playhead/tui/session"
)

// The messages that reach Update besides Bubble Tea's own and those of components.
type (
	// sessionStartedMsg is a session that is ready to run.
	sessionStartedMsg struct {
		session session.Session
		err     error
	}
	// checkedMsg is what is wrong with what the run needs.
	checkedMsg struct {
		choices start.Choices
		found   []plan.Diagnostic
		err     error
	}
	// sessionEndedMsg says that the session's Run has returned.
	sessionEndedMsg struct {
		ending engine.Ending
		err    error
	}
	// runForkedMsg is a fork of the run.
	runForkedMsg struct{ run string }
	// tickMsg moves the spinner.
	tickMsg struct{}
)
