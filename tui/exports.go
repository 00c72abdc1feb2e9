package tui

import (
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/runs"
	"playhead/tui/dialog/export"
)

// exports are what there is to choose from now: the final output first, if there is one.
func (m *Model) exports() []runs.Export {
	final, ok := m.timeline.Live.Final()
	if !ok {
		return m.cfg.Exports
	}
	title := m.cfg.Plan.Title
	return append([]runs.Export{{
		Name: "final output", About: final.Type, Final: true,
		File:  func() string { return final.Name(title) },
		Write: func(path string, over bool) (string, error) { return final.SaveAt(path, title, over) },
	}}, m.cfg.Exports...)
}

// export asks what is to be written.
func (m *Model) export() tea.Cmd {
	m.open(export.New(m.exports()))
	return nil
}

// takeExported says where the file is. That of the final output is remembered.
func (m *Model) takeExported(w export.Result) tea.Cmd {
	cmd := m.carryOut(nil, w.Requests())
	if w.Err == nil && w.Export.Final {
		m.rememberSaved(w.File)
	}
	return cmd
}

// rememberSaved remembers where the final output is, for the summary.
func (m *Model) rememberSaved(path string) {
	m.savedTo = path
	if full, err := filepath.Abs(path); err == nil {
		m.savedTo = full
	}
	if s := m.summary(); s != nil {
		s.Saved = m.savedTo
		m.reflow()
	}
}

// canExport is for what is written of a run.
func canExport(m *Model) string {
	if m.session == nil || len(m.timeline.Events) == 0 {
		return "writes the run to a file: it has not started"
	}
	if len(m.exports()) == 0 {
		return "writes what came of the run: there is nothing yet"
	}
	return ""
}
