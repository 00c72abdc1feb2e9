package tui

// Why an action cannot be done now, which no pane or dialog decides. Each is the end of a sentence
// that begins with the key, empty if it can.

func canAnswer(m *Model) string {
	if m.question == nil && m.screen.Blocking() == nil {
		return "does nothing: there is no open question"
	}
	return ""
}

func canGoToMatch(m *Model) string { return m.screen.Finder.NoMatch() }

func canGoToStep(m *Model) string {
	if len(m.timeline.Shown.Rows) == 0 {
		return "goes to a step, and this document has none"
	}
	return ""
}

func canCompare(m *Model) string {
	if m.cfg.Others == nil || len(m.timeline.Events) == 0 {
		return "compares two runs, and this one has not started"
	}
	return ""
}

func canFork(m *Model) string {
	if m.cfg.Fork == nil || len(m.timeline.Events) == 0 {
		return "does nothing: the run has not started"
	}
	return ""
}

// canChooseTheme is for a screen whose colours are not ours to choose.
func canChooseTheme(m *Model) string {
	switch {
	case m.cfg.NoColor:
		return "chooses a theme, and colours are switched off"
	case m.cfg.Palettes == nil:
		return "chooses a theme, and there are none"
	}
	return ""
}
