package tui

import "playhead/tui/dialog/start"

// Why an action cannot be done now, which no pane or dialog decides: a sentence in which {name}
// stands for how to ask for that action, empty if it can be done.

func cannotAnswer(m *Model) string {
	if m.question == nil && m.screen.Blocking() == nil {
		return "No question is open."
	}
	return ""
}

// cannotChangeInputs is for a run that has entered a step: its values are changed one by one.
func cannotChangeInputs(m *Model) string {
	run := m.view()
	switch {
	case !run.Begun:
		return m.before.CannotChange()
	case len(run.Track.Path) > 0:
		return "The run has begun. {values}, then {edit} to change a value."
	case len(start.InputsOf(run)) == 0:
		return "This document has no inputs that can be changed here."
	}
	return ""
}

func cannotReload(m *Model) string {
	if m.session == nil {
		return "The run has not started."
	}
	return ""
}

func cannotGoToMatch(m *Model) string { return m.screen.Finder.NoMatch() }

func cannotGoToStep(m *Model) string {
	if len(m.timeline.Shown.Rows) == 0 {
		return "This document has no steps."
	}
	return ""
}

func cannotCompare(m *Model) string {
	if m.cfg.Others == nil || len(m.timeline.Events) == 0 {
		return "The run has not started."
	}
	return ""
}

func cannotFork(m *Model) string {
	if m.cfg.Fork == nil || len(m.timeline.Events) == 0 {
		return "The run has not started."
	}
	return ""
}

// cannotChooseTheme is for a screen whose colours are not ours to choose.
func cannotChooseTheme(m *Model) string {
	switch {
	case m.cfg.NoColor:
		return "Colours are off."
	case m.cfg.Palettes == nil:
		return "No themes are available."
	}
	return ""
}
