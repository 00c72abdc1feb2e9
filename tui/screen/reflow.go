package screen

import (
	"cmp"

	"playhead/engine"
	"playhead/engine/artifact"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/summary"
	"playhead/tui/layout"
	"playhead/tui/pane/output"
	"playhead/tui/session"
)

// Resize sets the size of the terminal.
func (s *Screen) Resize(w, h int) {
	s.Layout.W, s.Layout.H = w, h
	s.Reflow()
}

// Reflow lays out the panes again.
func (s *Screen) Reflow() {
	if !s.Presenter.IsOn {
		s.Split = s.Split.WithShown(s.Focus) // the pane with focus is always visible
	}
	s.ShowsWholeFinalOutput = s.fitsFinalOutput()
	s.layoutNeeds = s.computeNeeds()
	s.Layout = layout.Arrange(s.Layout.W, s.Layout.H, s.layoutNeeds)
	for _, p := range layout.AllPanes {
		s.Pane(p).Resize(s.Layout.PaneRects[p])
	}
	if s.Presenter.IsOn && s.Focus == layout.DialogPlace { // the text shows above the question, in one pane with it
		s.Text.Resize(layout.Rect{W: s.Layout.PaneRects[layout.DialogPlace].W, H: s.Presenter.textAboveQuestionHeight()})
	}
	if s.Layout.PaneRects[layout.OutputPane].IsEmpty() {
		s.Output.Resize(layout.Rect{W: s.hiddenOutputWidth()})
	}
}

// hiddenOutputWidth returns the width at which a reply is drawn before it shows, to find out how many lines it
// needs: below the summary of a run, and when presenting; else 0.
func (s *Screen) hiddenOutputWidth() int {
	if _, ends := s.Dialogs.Top().(*summary.Dialog); ends {
		return s.Layout.PaneRects[layout.DialogPlace].W
	}
	if s.Presenter.IsOn {
		return s.Layout.TerminalRect.W
	}
	return 0
}

// computeNeeds returns what determines the layout.
func (s *Screen) computeNeeds() layout.Needs {
	want, d, run := s.paneNeeds(), s.Dialogs.Top(), s.currentRun()
	if d == nil {
		return want
	}
	column := s.dialogWidth(want)
	if _, is := s.finalOutputInReply(); is {
		if want.Split = want.Split.WithHidden(layout.OutputPane); s.ShowsWholeFinalOutput {
			want.Split = want.Split.WithShown(layout.OutputPane)
		}
	}
	want.DialogLines, want.DialogMayCoverOutput = max(1, d.WantedHeight(run, column)), d.MayCoverOutput(run)
	if q, asks := d.(*question.Dialog); asks {
		want.IsDialogList = q.IsList()
	}
	if about, can := d.(dialog.AboutOutput); can {
		want.AsksAboutOutput = about.IsAboutOutput()
	}
	_, scrolls := d.(dialog.Scrollable)
	want.DialogScrolls = scrolls && !dialog.IsEnteringText(d)
	if shrinks, can := d.(dialog.Shrinkable); can {
		want.MinDialogLines = shrinks.MinHeight(run, column)
	}
	return want
}

// paneNeeds returns the needs of the panes, with one line for the dialog on top if there is one.
func (s *Screen) paneNeeds() layout.Needs {
	want := s.withSharedNeeds(layout.Needs{Focus: s.Focus, IsZoomed: s.IsZoomed, IsPresenting: s.Presenter.IsOn, IsWhyRequested: s.Why.ShowsValuesOrTimeline(), Split: s.Split})
	if d := s.Dialogs.Top(); d != nil {
		want.ShowsEarlierOutput, want.DialogFillsScreen, want.DialogLines = s.Output.ShowsEarlierOutput, dialog.IsFullScreen(d) && s.Focus == layout.DialogPlace, 1
	}
	return want
}

// dialogWidth returns the width of the dialog on top.
func (s *Screen) dialogWidth(want layout.Needs) int {
	return max(10, layout.Arrange(s.Layout.W, s.Layout.H, want).PaneRects[layout.DialogPlace].W)
}

// finalOutputInReply returns the final output of a run whose summary shows, if that is the reply in the output
// pane.
func (s *Screen) finalOutputInReply() (final artifact.Artifact, is bool) {
	if _, ends := s.Dialogs.Top().(*summary.Dialog); ends {
		final, is = s.currentRun().Track.FinalArtifact()
	}
	return final, is && s.Output.ShowsReplyText(final.RawText)
}

// fitsFinalOutput reports whether the panes above the summary can show the whole final output: the output pane a
// reply, rendered as its type requires, or the text a person's answer. If not, the summary shows it, and the output
// pane with the reply is hidden.
func (s *Screen) fitsFinalOutput() bool {
	final, isReply := s.finalOutputInReply()
	isAnswer := s.Text.ShowsAnswer(final.StepLabel, final.RawText)
	if !isReply && !isAnswer || final.Type != "markdown" && final.Type != plan.PlainTextType {
		return false
	}
	want, run := s.paneNeeds(), s.currentRun()
	run.ShowsWholeFinalOutput = true
	want.DialogLines = s.Dialogs.Top().WantedHeight(run, s.dialogWidth(want))
	places := layout.Arrange(s.Layout.W, s.Layout.H, want).PaneRects
	if isAnswer {
		return len(s.Text.Body()) <= places[layout.TextPane].H
	}
	return s.Output.FitsIn(places[layout.OutputPane])
}

// Sync brings the panes in line with the run and the selection, and lays them out again if their needs have
// changed. logs returns the output of an action, nil if there is none.
func (s *Screen) Sync(logs func(name string) session.Log) {
	s.showAskingStep()
	s.Output.Sync(s.currentRun(), logs)
	s.syncTextAndWhy()
	if s.ShowsWholeFinalOutput != s.fitsFinalOutput() {
		s.Reflow()
		s.syncTextAndWhy()
	}
	for range maxReflows {
		if s.Layout == layout.Arrange(s.Layout.W, s.Layout.H, s.withSharedNeeds(s.layoutNeeds)) {
			return
		}
		s.Reflow()
		s.syncTextAndWhy()
	}
}

// maxReflows limits how often one change moves borders: what a pane needs depends on its width.
const maxReflows = 2

// syncTextAndWhy brings the text and WHY in line with the run.
func (s *Screen) syncTextAndWhy() {
	asks, run := s.QuestionDialog() != nil && !s.Layout.PaneRects[layout.DialogPlace].IsEmpty(), s.currentRun()
	s.Text.Sync(run, s.textWidth(), s.isIntroducing(), asks, run.AreReasonsShown, s.Notice)
	s.Why.Sync(run, !s.Layout.PaneRects[layout.WhyPane].IsEmpty())
}

// isIntroducing reports whether the text pane shows the document's introduction: no step has been entered,
// and the person has not selected one.
func (s *Screen) isIntroducing() bool {
	run := s.currentRun()
	return run.ShownTrack.CurrentRow == nil && s.Steps.FollowsRun() && (run.Plan.Description != "" || s.Notice != "")
}

// textWidth returns the width of the step's text. A screen of one pane also shows it above a question. A text that is
// hidden is wrapped, too, because its height decides whether it shows.
func (s *Screen) textWidth() int {
	if s.Layout.Shape == layout.OnePaneShape {
		return s.Layout.PaneRects[s.Focus].W
	}
	return cmp.Or(s.Layout.PaneRects[layout.TextPane].W, s.Layout.RightWidth-2)
}

// expectsOutput reports whether the selected step has output or may get some. If not, its text takes the
// room.
func (s *Screen) expectsOutput() bool {
	if !s.Output.IsEmpty() {
		return true
	}
	r := s.Steps.SelectedRow()
	unstarted := s.Dialogs.Top() != nil && s.currentRun().ShownTrack.CurrentRow == nil // then the dialog is below the text
	return !unstarted && !s.isIntroducing() && r != nil && r.Status != track.Waiting && !output.PrintsNothing(r)
}

// withSharedNeeds adds the needs that determine how the panes share the height and width.
func (s *Screen) withSharedNeeds(want layout.Needs) layout.Needs {
	want.OmitsOutput, want.Previous, want.IsOutputSettled, want.IsOutputGrowing = !s.expectsOutput(), s.Layout, s.IsOutputSettled(), s.Output.IsRunning()
	want.IsOutputUnwrapped = s.Output.CutsLongLines()
	want.WidestStepsRow = s.Steps.WidestRowWidth(s.drawContext, layout.MaxStepsRowWidth(s.Layout.W))
	want.StepsLines = s.Steps.RowCount()
	want.TextLines, want.OutputLines, want.WhyLines = len(s.Text.Body()), s.Output.NeededLines(s.drawContext, s.Layout.TerminalRect), s.Why.ContentHeight(s.currentRun())
	want.WhyEventLines, want.ShownAttemptIdentity = 0, nil
	if r := s.Steps.SelectedRow(); r != nil {
		want.ShownAttemptIdentity = r.NewestStepAttempt()
	}
	if s.Why.ShowsTimeline() {
		want.WhyEventLines = want.WhyLines
	}
	return want
}

// IsOutputSettled reports whether the visible output is known and neither grows nor is about to be replaced
// by that of the next step.
func (s *Screen) IsOutputSettled() bool {
	goesOn := s.currentRun().ShownStatus().State == engine.Running && s.Steps.FollowsRun()
	return !goesOn && s.Output.IsOutputFinal()
}
