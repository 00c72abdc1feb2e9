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

// runEnd shows how a run ended, exports it, and ends leftover processes.
type runEnd struct {
	screen        *screen.Screen
	run           func() *runview.Run
	saved         []runs.Export           // the forms in which a run can be exported, besides its final output
	findLeftovers func() []shell.Leftover // returns the processes that steps left running; nil: unknown

	shown   *machine.Finished // the end whose summary was shown last
	savedTo string            // the file in which the final output was saved
}

// dialog returns the summary, nil while it is closed.
func (e *runEnd) dialog() *summary.Dialog {
	for _, d := range e.screen.Dialogs {
		if s, ok := d.(*summary.Dialog); ok {
			return s
		}
	}
	return nil
}

// newDialog returns the summary, without leftover processes, which are found later.
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

// sync opens the summary of a run that is over, and closes that of a run that continues.
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
		if end != e.shown { // the run has ended again, after a rewind
			*shown = *e.newDialog()
		}
		e.screen.Reflow() // a change since the end adds a line
	}
	if end == e.shown || run.Status.State != engine.Over {
		return
	}
	e.shown = end
	if end != nil {
		e.show()
	}
}

// cannotShowSummary returns why there is no summary, "" if there is one.
func (e *runEnd) cannotShowSummary() string {
	if run := e.run(); run.Shown.Finished == nil || run.Status.State != engine.Over {
		return "The run has not ended."
	}
	return ""
}

// exports returns what can be exported now: the final output first, if there is one.
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

// export asks what to export.
func (e *runEnd) export() tea.Cmd {
	e.screen.Open(export.New(e.exports()))
	return nil
}

// cannotExport returns why nothing of the run can be exported, "" if something can.
func (e *runEnd) cannotExport() string {
	if run := e.run(); !run.Begun || len(run.Events) == 0 {
		return control.NotStarted
	}
	if len(e.exports()) == 0 {
		return "There is nothing to export yet."
	}
	return ""
}

// takeExported says where the file is. The summary shows that of the final output.
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

// leftovers returns the processes that steps left running, once the run is over.
func (e *runEnd) leftovers() []shell.Leftover {
	if e.findLeftovers == nil || !e.run().Begun || e.cannotShowSummary() != "" {
		return nil
	}
	return e.findLeftovers()
}

// leftoversMsg is the result of ending leftover processes.
type leftoversMsg struct{ left, rest []shell.Leftover }

// endLeftovers asks whether to end leftover processes.
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

// cannotEndLeftovers returns why there is nothing to end, "" if there is.
func (e *runEnd) cannotEndLeftovers() string {
	if s := e.dialog(); s == nil || len(s.Leftovers) == 0 {
		return "No leftover processes are listed. Open the summary after the run ends."
	}
	return ""
}

// takeLeftovers says which leftover processes have ended.
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
