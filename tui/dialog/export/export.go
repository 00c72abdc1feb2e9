// Package export asks in which form a run is exported, and to which file.
package export

import (
	"errors"
	"io/fs"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/runs"
	"playhead/engine/wording"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/note"
	"playhead/tui/draw"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// WriteResult is the result of writing a file.
type WriteResult struct {
	Export runs.Export
	File   string
	Err    error
}

// New returns the dialog that asks what to write.
func New(all []runs.Export) *choose.Dialog {
	var options []choose.NamedOption
	byName := map[string]runs.Export{}
	for _, e := range all {
		options = append(options, choose.NamedOption{Name: e.Name, Description: e.Description})
		byName[e.Name] = e
	}
	d := choose.New("Export what?", options, "")
	d.OnChoose = func(run *runview.Run, name string) []tea.Msg {
		e := byName[name]
		if e.NeedsEndedRun && run.Track.Finished == nil {
			return []tea.Msg{request.Say{Text: "The " + e.Name + " can be saved only when the run is over."}}
		}
		return []tea.Msg{dialog.Open{Dialog: newFileNameDialog(e, e.SuggestName())}}
	}
	return d
}

// newFileNameDialog returns the dialog that asks for the name of the file.
func newFileNameDialog(e runs.Export, name string) *note.Dialog {
	return note.New("Save the "+e.Name+" as", name, "save", func(_ *runview.Run, path string) []tea.Msg {
		if path == "" {
			return []tea.Msg{request.Say{Text: "Nothing was saved, because the name is empty."}}
		}
		return []tea.Msg{request.Background{Cmd: writeExport(e, path, false)}}
	})
}

// writeExport writes the file in the background.
func writeExport(e runs.Export, path string, overwrite bool) tea.Cmd {
	return func() tea.Msg {
		file, err := e.Write(path, overwrite)
		return WriteResult{e, file, err}
	}
}

// Requests tells the person where the file is, or asks whether to replace a file that exists. After an
// error it asks for the name again.
func (w WriteResult) Requests() []tea.Msg {
	switch {
	case errors.Is(w.Err, fs.ErrExist):
		return []tea.Msg{dialog.Open{Dialog: &confirm.Dialog{
			Name: "Replace it?", Text: draw.CleanLine(w.File) + " exists. Replace it with the " + w.Export.Name + "?",
			YesRequests: []tea.Msg{request.Background{Cmd: writeExport(w.Export, w.File, true)}},
		}}}
	case w.Err != nil:
		return []tea.Msg{dialog.Open{Dialog: newFileNameDialog(w.Export, w.File)}, request.Say{Text: wording.ErrorSentence(w.Err)}}
	}
	return []tea.Msg{request.Say{Text: "Saved as " + w.File + "."}}
}
