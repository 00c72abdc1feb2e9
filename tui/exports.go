package tui

import (
	"errors"
	"io/fs"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/model"
	"playhead/engine/runs"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/note"
	"playhead/tui/draw"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// exports are what there is to choose from now: the final output first, if there is one.
func (m *Model) exports() []runs.Export {
	final, ok := m.live.Final()
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
	all := m.exports()
	var options []model.Origin
	byName := map[string]runs.Export{}
	for _, e := range all {
		options = append(options, model.Origin{Name: e.Name, About: e.About})
		byName[e.Name] = e
	}
	c := choose.New("Export what?", options, "")
	c.Chosen = func(_ *runview.Run, name string) []tea.Msg { return []tea.Msg{exporting(byName[name])} }
	m.open(c)
	return nil
}

// exporting is the request of what was chosen.
type exporting runs.Export

// askWhere asks for the name of the file.
func (m *Model) askWhere(e runs.Export) tea.Cmd {
	if e.Done && m.live.Finished == nil {
		m.say("Only a run that is over makes a " + e.Name + ".")
		return nil
	}
	m.openWhere(e, e.File())
	return nil
}

// openWhere opens the card of the file's name.
func (m *Model) openWhere(e runs.Export, name string) {
	m.open(note.New("Save the "+e.Name+" as", name, "save", func(_ *runview.Run, path string) []tea.Msg {
		if path == "" {
			return []tea.Msg{request.Say{Text: "Nothing was saved: there is no name."}}
		}
		return []tea.Msg{request.Background{Cmd: write(e, path, false)}}
	}))
}

// savedMsg is what became of writing a file.
type savedMsg struct {
	of   runs.Export
	path string
	err  error
}

// write writes the file, which may take a while.
func write(e runs.Export, path string, over bool) tea.Cmd {
	return func() tea.Msg {
		file, err := e.Write(path, over)
		return savedMsg{e, file, err}
	}
}

// saved says where the file is, or asks whether one is to be replaced.
func (m *Model) saved(msg savedMsg) tea.Cmd {
	switch {
	case errors.Is(msg.err, fs.ErrExist):
		m.open(&confirm.Dialog{
			Name: "Replace it?", Text: draw.Clean(msg.path) + " exists. Replace it by the " + msg.of.Name + "?",
			Yes: []tea.Msg{request.Background{Cmd: write(msg.of, msg.path, true)}},
		})
		return nil
	case msg.err != nil:
		m.openWhere(msg.of, msg.path) // the name stays, to be corrected
		m.say(msg.err.Error())
		return nil
	}
	m.say("Saved in " + msg.path + ".")
	if msg.of.Final {
		m.keep(msg.path)
	}
	return nil
}

// keep remembers where the final output is, for the summary.
func (m *Model) keep(path string) {
	m.kept = path
	if full, err := filepath.Abs(path); err == nil {
		m.kept = full
	}
	if s := m.summary(); s != nil {
		s.Saved = m.kept
		m.reflow()
	}
}

// notExported is for what is written of a run.
func notExported(m *Model) string {
	if m.session == nil || len(m.events) == 0 {
		return "writes the run to a file: it has not started"
	}
	if len(m.exports()) == 0 {
		return "writes what came of the run: there is nothing yet"
	}
	return ""
}
