package tui

// Why an action cannot be done now, which no pane or dialog decides: a sentence in which {name}
// stands for how to ask for that action, empty if it can be done.

func cannotAnswer(m *Model) string {
	if m.question == nil && m.screen.Blocking() == nil {
		return "No question is open."
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
