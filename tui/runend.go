package tui

import (
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/machine"
	"playhead/engine/runs"
	"playhead/engine/shell"
	"playhead/tui/dialog"
	"playhead/tui/dialog/confirm"
	"playhead/tui/dialog/export"
	"playhead/tui/dialog/summary"
	"playhead/tui/request"
	"playhead/tui/runview"
	"playhead/tui/screen"
)

// runEnd shows how a run ended, and does what is left to do then: writing files, and ending
// leftover processes.
type runEnd struct {
	screen        *screen.Screen
	run           func() *runview.Run
	saved         []runs.Export           // what the run can be written as, besides its final output
	findLeftovers func() []shell.Leftover // nil: nobody knows

	shown   *machine.Finished // the one whose summary was shown
	savedTo string            // where the final output was saved
}

// dialog is the summary, or nil while it is closed.
func (e *runEnd) dialog() *summary.Dialog {
	for _, d := range e.screen.Dialogs {
		if s, ok := d.(*summary.Dialog); ok {
			return s
		}
	}
	return nil
}

// newDialog is the summary before it knows of leftover processes.
func (e *runEnd) newDialog() *summary.Dialog {
	return &summary.Dialog{Saved: e.savedTo}
}

// show opens the summary, or brings it to the top.
func (e *runEnd) show() tea.Cmd {
	s := e.dialog()
	if s == nil {
		s = e.newDialog()
	} else {
		e.screen.Close(s)
	}
	s.Leftovers = e.leftovers()
	e.screen.Open(s)
	return nil
}

// sync opens the summary of a run that is over, and closes that of one that goes on.
func (e *runEnd) sync() {
	run := e.run()
	end, shown := run.Track.Finished, e.dialog()
	switch {
	case end == nil:
		e.shown, e.savedTo = nil, ""
		if shown != nil {
			e.screen.Close(shown)
		}
	case shown != nil:
		if end != e.shown { // of another branch of the run
			*shown = *e.newDialog()
		}
		e.screen.Reflow() // what was changed since the end takes a line
	}
	if end == e.shown || run.Status.State != engine.Over {
		return
	}
	e.shown = end
	if end != nil {
		e.show()
	}
}

// cannotShowSummary returns why the end cannot be shown, empty if it can.
func (e *runEnd) cannotShowSummary() string {
	if run := e.run(); run.Shown.Finished == nil || run.Status.State != engine.Over {
		return "The run has not ended."
	}
	return ""
}

// exports are what there is to choose from now: the final output first, if there is one.
func (e *runEnd) exports() []runs.Export {
	run := e.run()
	final, ok := run.Track.Final()
	if !ok {
		return e.saved
	}
	title := run.Plan.Title
	return append([]runs.Export{{
		Name: "final output", About: final.Type, Final: true,
		File:  func() string { return final.Name(title) },
		Write: func(path string, over bool) (string, error) { return final.SaveAt(path, title, over) },
	}}, e.saved...)
}

// export asks what is to be written.
func (e *runEnd) export() tea.Cmd {
	e.screen.Open(export.New(e.exports()))
	return nil
}

// cannotExport returns why nothing of the run can be written, empty if it can.
func (e *runEnd) cannotExport() string {
	if run := e.run(); !run.Begun || len(run.Events) == 0 {
		return control.NotStarted
	}
	if len(e.exports()) == 0 {
		return "There is nothing to export yet."
	}
	return ""
}

// takeExported says where the file is. That of the final output is remembered, for the summary.
func (e *runEnd) takeExported(w export.Result) tea.Cmd {
	cmd := e.screen.Do(w.Requests()...)
	if w.Err != nil || !w.Export.Final {
		return cmd
	}
	e.savedTo = w.File
	if full, err := filepath.Abs(w.File); err == nil {
		e.savedTo = full
	}
	if s := e.dialog(); s != nil {
		s.Saved = e.savedTo
		e.screen.Reflow()
	}
	return cmd
}

// leftovers are the processes that steps left running, once the run is over.
func (e *runEnd) leftovers() []shell.Leftover {
	if e.findLeftovers == nil || !e.run().Begun || e.cannotShowSummary() != "" {
		return nil
	}
	return e.findLeftovers()
}

// leftoversMsg is what became of ending leftover processes.
type leftoversMsg struct{ left, rest []shell.Leftover }

// endLeftovers asks whether leftover processes are to be ended.
func (e *runEnd) endLeftovers() tea.Cmd {
	left := e.leftovers()
	if len(left) == 0 {
		e.show()
		return e.screen.Do(request.Say{Text: "The leftover processes have ended."})
	}
	end := func() tea.Msg { return leftoversMsg{left, shell.EndLeftovers(left, 0)} }
	return e.screen.Do(dialog.Open{Dialog: &confirm.Dialog{
		Name: "End leftover processes?", Text: shell.Names(left), Yes: []tea.Msg{request.Background{Cmd: end}},
	}})
}

// cannotEndLeftovers returns why there is nothing to end, empty if there is.
func (e *runEnd) cannotEndLeftovers() string {
	if s := e.dialog(); s == nil || len(s.Leftovers) == 0 {
		return "No leftover processes are listed. Open the summary after the run ends."
	}
	return ""
}

// takeLeftovers says what became of ending leftover processes.
func (e *runEnd) takeLeftovers(msg leftoversMsg) tea.Cmd {
	text := "Ended: " + shell.Names(msg.left) + "."
	if len(msg.rest) > 0 {
		text = "Still running: " + shell.Names(msg.rest) + "."
	}
	if s := e.dialog(); s != nil {
		s.Leftovers = e.leftovers()
		e.screen.Reflow()
	}
	return e.screen.Do(request.Say{Text: text})
}
