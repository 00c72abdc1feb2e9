// Package export asks what a run is to be written as, and where.
package export

import (
	"errors"
	"io/fs"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/model"
	"playhead/engine/runs"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/note"
	"playhead/tui/draw"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// Result says what became of writing a file.
type Result struct {
	Export runs.Export
	File   string
	Err    error
}

// New asks what is to be written.
func New(all []runs.Export) *choose.Dialog {
	var options []model.Origin
	byName := map[string]runs.Export{}
	for _, e := range all {
		options = append(options, model.Origin{Name: e.Name, About: e.About})
		byName[e.Name] = e
	}
	d := choose.New("Export what?", options, "")
	d.Choose = func(run *runview.Run, name string) []tea.Msg {
		e := byName[name]
		if e.Done && run.Track.Finished == nil {
			return []tea.Msg{request.Say{Text: "The " + e.Name + " can be written only when the run is over."}}
		}
		return []tea.Msg{dialog.Open{Dialog: where(e, e.File())}}
	}
	return d
}

// where asks for the name of the file.
func where(e runs.Export, name string) *note.Dialog {
	return note.New("Save the "+e.Name+" as", name, "save", func(_ *runview.Run, path string) []tea.Msg {
		if path == "" {
			return []tea.Msg{request.Say{Text: "Nothing was saved, because the name is empty."}}
		}
		return []tea.Msg{request.Background{Cmd: write(e, path, false)}}
	})
}

// write writes the file, which may take a while.
func write(e runs.Export, path string, over bool) tea.Cmd {
	return func() tea.Msg {
		file, err := e.Write(path, over)
		return Result{e, file, err}
	}
}

// Requests says where the file is, or asks whether one is to be replaced. Where it could not be
// written the name stays, to be corrected.
func (w Result) Requests() []tea.Msg {
	switch {
	case errors.Is(w.Err, fs.ErrExist):
		return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{
			Name: "Replace it?", Text: draw.Clean(w.File) + " exists. Replace it with the " + w.Export.Name + "?",
			Yes: []tea.Msg{request.Background{Cmd: write(w.Export, w.File, true)}},
		}}}
	case w.Err != nil:
		return []tea.Msg{dialog.Open{Dialog: where(w.Export, w.File)}, request.Say{Text: w.Err.Error()}}
	}
	return []tea.Msg{request.Say{Text: "Saved in " + w.File + "."}}
}
