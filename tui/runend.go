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

// runEndActions shows how a run ended, exports it, and ends leftover processes.
type runEndActions struct {
	screen                *screen.Screen
	currentRun            func() *runview.Run
	runExports            []runs.Export           // the forms in which a run can be exported, besides its final output
	findLeftoverProcesses func() []shell.Leftover // returns the processes that steps left running; nil: unknown

	summarizedEnd   *machine.RunFinished // the end whose summary was shown last
	finalOutputPath string               // the file in which the final output was saved
}

// summaryDialog returns the summary, nil while it is closed.
func (e *runEndActions) summaryDialog() *summary.Dialog {
	for _, d := range e.screen.Dialogs {
		if s, ok := d.(*summary.Dialog); ok {
			return s
		}
	}
	return nil
}

// newSummary returns the summary, without leftover processes, which are found later.
func (e *runEndActions) newSummary() *summary.Dialog {
	return &summary.Dialog{SavedFile: e.finalOutputPath}
}

// showSummary opens the summary, or brings it to the top.
func (e *runEndActions) showSummary() tea.Cmd {
	s := e.summaryDialog()
	if s == nil {
		s = e.newSummary()
	} else {
		e.screen.Close(s)
	}
	s.LeftoverProcesses = e.leftoverProcesses()
	e.screen.CloseMenusOpenedByKey()
	e.screen.Open(s)
	return nil
}

// syncSummary opens the summary of a run that is over, and closes that of a run that continues.
func (e *runEndActions) syncSummary() {
	run := e.currentRun()
	end, shown := run.Track.Finished, e.summaryDialog()
	switch {
	case end == nil:
		e.summarizedEnd, e.finalOutputPath = nil, ""
		if shown != nil {
			e.screen.Close(shown)
		}
	case shown != nil:
		if end != e.summarizedEnd { // the run has ended again, after a rewind
			*shown = *e.newSummary()
		}
		e.screen.Reflow() // a change since the end adds a line
	}
	if end == e.summarizedEnd || run.Status.State != engine.Over {
		return
	}
	e.summarizedEnd = end
	if end != nil {
		e.showSummary()
	}
}

// summaryUnavailableReason returns why there is no summary, "" if there is one.
func (e *runEndActions) summaryUnavailableReason() string {
	if run := e.currentRun(); run.ShownTrack.Finished == nil || run.Status.State != engine.Over {
		return "The run is not over."
	}
	return ""
}

// availableExports returns what can be exported now: the final output first, if there is one.
func (e *runEndActions) availableExports() []runs.Export {
	if final, ok := runs.FinalOutputExport(e.currentRun().Track); ok {
		return append([]runs.Export{final}, e.runExports...)
	}
	return e.runExports
}

// openExport asks what to export.
func (e *runEndActions) openExport() tea.Cmd {
	e.screen.Open(export.New(e.availableExports()))
	return nil
}

// exportUnavailableReason returns why nothing of the run can be exported, "" if something can.
func (e *runEndActions) exportUnavailableReason() string {
	if run := e.currentRun(); !run.IsBegun || len(run.Events) == 0 {
		return control.NotStartedReason
	}
	if len(e.availableExports()) == 0 {
		return "There is nothing to export yet."
	}
	return ""
}

// handleExported says where the file is. The summary shows that of the final output.
func (e *runEndActions) handleExported(w export.WriteResult) tea.Cmd {
	cmd := e.screen.DoRequests(w.Requests()...)
	if w.Err != nil || !w.Export.IsFinalOutput {
		return cmd
	}
	e.finalOutputPath = w.File
	if full, err := filepath.Abs(w.File); err == nil {
		e.finalOutputPath = full
	}
	if s := e.summaryDialog(); s != nil {
		s.SavedFile = e.finalOutputPath
		e.screen.Reflow()
	}
	return cmd
}

// leftoverProcesses returns the processes that steps left running, once the run is over.
func (e *runEndActions) leftoverProcesses() []shell.Leftover {
	if e.findLeftoverProcesses == nil || !e.currentRun().IsBegun || e.summaryUnavailableReason() != "" {
		return nil
	}
	return e.findLeftoverProcesses()
}

// leftoversEndedMsg is the result of ending leftover processes.
type leftoversEndedMsg struct{ processes, stillRunning []shell.Leftover }

// confirmEndLeftovers asks whether to end leftover processes.
func (e *runEndActions) confirmEndLeftovers() tea.Cmd {
	left := e.leftoverProcesses()
	if len(left) == 0 {
		e.showSummary()
		return e.screen.DoRequests(request.Say{Text: "The leftover processes have ended."})
	}
	end := func() tea.Msg { return leftoversEndedMsg{left, shell.EndLeftovers(left, 0)} }
	return e.screen.DoRequests(dialog.Open{Dialog: &confirm.Dialog{
		Name: "End leftover processes?", Text: shell.LeftoverNamesText(left), YesRequests: []tea.Msg{request.Background{Cmd: end}},
	}})
}

// leftoversUnavailableReason returns why there is nothing to end, "" if there is.
func (e *runEndActions) leftoversUnavailableReason() string {
	switch s := e.summaryDialog(); {
	case s == nil && e.summaryUnavailableReason() == "":
		return "{summary} to list the leftover processes first."
	case s == nil:
		return "Leftover processes are known only when the run is over. The summary lists them."
	case len(s.LeftoverProcesses) == 0:
		return "There are no leftover processes."
	}
	return ""
}

// handleLeftoversEnded says which leftover processes have ended.
func (e *runEndActions) handleLeftoversEnded(msg leftoversEndedMsg) tea.Cmd {
	text := "Ended: " + shell.LeftoverNamesText(msg.processes) + "."
	if len(msg.stillRunning) > 0 {
		text = "Still running: " + shell.LeftoverNamesText(msg.stillRunning) + "."
	}
	if s := e.summaryDialog(); s != nil {
		s.LeftoverProcesses = e.leftoverProcesses()
		e.screen.Reflow()
	}
	return e.screen.DoRequests(request.Say{Text: text})
}
