package screen

import (
	"playhead/engine"
	"playhead/engine/artifact"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/question"
	"playhead/tui/dialog/summary"
	"playhead/tui/pane/output"
	"playhead/tui/panes"
	"playhead/tui/session"
)

// Resize sets the size of the terminal.
func (s *Screen) Resize(w, h int) {
	s.Layout.W, s.Layout.H = w, h
	s.Reflow()
}

// Reflow lays out the panes again.
func (s *Screen) Reflow() {
	if !s.Presentation.On {
		s.Split = s.Split.WithHidden(s.Focus, false) // the pane with focus is always visible
	}
	s.OutputShown = s.fitsFinalOutput()
	s.want = s.needs()
	s.Layout = s.arrange(s.want)
	for _, p := range panes.All {
		s.Pane(p).Resize(s.Layout.Panes[p])
	}
	if _, ends := s.Top().(*summary.Dialog); ends && s.Layout.Panes[panes.Output].Empty() {
		s.Output.Resize(panes.Rect{W: s.Layout.Panes[panes.Dialog].W}) // draw the reply, to find out whether it fits
	}
}

func (s *Screen) arrange(want panes.Needs) panes.Layout {
	return panes.Arrange(s.Layout.W, s.Layout.H, want)
}

// needs returns what determines the layout.
func (s *Screen) needs() panes.Needs {
	want, d, run := s.paneNeeds(), s.Top(), s.run()
	if d == nil {
		return want
	}
	column := s.dialogWidth(want)
	if _, is := s.finalReply(); is {
		want.Split = want.Split.WithHidden(panes.Output, !s.OutputShown)
	}
	want.Dialog, want.Tall = max(1, d.Height(run, column)), d.MayCoverOutput(run)
	if q, asks := d.(*question.Dialog); asks {
		want.List = q.IsList()
	}
	if shrinks, can := d.(dialog.Shrinking); can {
		want.Least = shrinks.LeastHeight(run, column)
	}
	return want
}

// paneNeeds returns the needs of the panes, with one line for the dialog on top if there is one.
func (s *Screen) paneNeeds() panes.Needs {
	want := s.sharing(panes.Needs{Focus: s.Focus, Zoom: s.Zoom, Presenting: s.Presentation.On, Sheet: s.Why.IsSheet(), Split: s.Split})
	if d := s.Top(); d != nil {
		want.Below, want.Whole, want.Dialog = s.Output.IsBefore, isFullScreen(d) && s.Focus == panes.Dialog, 1
	}
	return want
}

// dialogWidth returns the width of the dialog on top.
func (s *Screen) dialogWidth(want panes.Needs) int {
	return max(10, s.arrange(want).Panes[panes.Dialog].W)
}

// finalReply returns the final output of a run whose summary shows, if that is the reply in the output
// pane.
func (s *Screen) finalReply() (final artifact.Artifact, is bool) {
	if _, ends := s.Top().(*summary.Dialog); ends {
		final, is = s.run().Track.Final()
	}
	return final, is && s.Output.IsReply(final.Text)
}

// fitsFinalOutput reports whether the output pane can show the whole final output above the summary,
// rendered as its type requires. If not, the summary shows it, and the output pane is hidden.
func (s *Screen) fitsFinalOutput() bool {
	final, is := s.finalReply()
	if !is || final.Type != "markdown" && final.Type != plan.PlainText {
		return false
	}
	want, run := s.paneNeeds(), s.run()
	run.OutputShown = true
	want.Dialog = s.Top().Height(run, s.dialogWidth(want))
	return s.Output.Fits(s.arrange(want).Panes[panes.Output])
}

// Sync brings the panes in line with the run and the selection, and lays them out again if their needs have
// changed. logs returns the output of an action, nil if there is none.
func (s *Screen) Sync(logs func(name string) session.Log) {
	s.showAskingStep()
	s.Output.Sync(s.run(), s.asks(), logs)
	s.syncPanes()
	if s.OutputShown != s.fitsFinalOutput() {
		s.Reflow()
		s.syncPanes()
	}
	for range maxReflows {
		if s.Layout == s.arrange(s.sharing(s.want)) {
			return
		}
		s.Reflow()
		s.syncPanes()
	}
}

// maxReflows limits how often one change moves borders: what a pane needs depends on its width.
const maxReflows = 2

// syncPanes brings the text and WHY in line with the run.
func (s *Screen) syncPanes() {
	s.syncText()
	s.Why.Sync(s.run(), s.Layout.WhyUp)
}

func (s *Screen) syncText() {
	asks := s.asks() && !s.Layout.Panes[panes.Dialog].Empty()
	explains := s.Layout.WhyUp && !s.Why.IsSheet()
	s.Text.Sync(s.run(), s.textWidth(), s.isIntroducing(), asks, explains, s.Notice)
}

// OutputRequest returns what the output pane needs to read.
func (s *Screen) OutputRequest() output.Request {
	return s.Output.Request(s.look, s.Layout.H) // the answer determines the pane's height
}

// isIntroducing reports whether the text pane shows the document's introduction: no step has been entered,
// and the person has not selected one.
func (s *Screen) isIntroducing() bool {
	run := s.run()
	return run.Shown.Current == nil && s.Steps.Follows() && (run.Plan.Description != "" || s.Notice != "")
}

// textWidth returns the width of the step's text. A screen of one pane also shows it above a question.
func (s *Screen) textWidth() int {
	if s.Layout.Shape == panes.Narrow {
		return s.Layout.Panes[s.Focus].W
	}
	return s.Layout.Panes[panes.Text].W
}

// expectsOutput reports whether the selected step has output or may get some. If not, its text takes the
// room.
func (s *Screen) expectsOutput() bool {
	if !s.Output.IsEmpty() && (!s.Output.IsBefore || s.asks()) {
		return true
	}
	r := s.Steps.Selected()
	unstarted := s.Top() != nil && s.run().Shown.Current == nil // then the dialog is below the text
	return !unstarted && !s.isIntroducing() && r != nil && r.Status != track.Waiting && !output.IsSilent(r)
}

// sharing adds the needs that determine how the panes share the height and width.
func (s *Screen) sharing(want panes.Needs) panes.Needs {
	want.GivesUpOutput, want.Last, want.IsFinal = !s.expectsOutput(), s.Layout, s.IsStill()
	want.Row = s.Steps.WidestRow(s.look, panes.MostRow(s.Layout.W))
	want.Text, want.Lines, want.Why = len(s.Text.Body()), s.Output.Needs(s.look, s.Layout.Term), s.Why.Height(s.run())
	want.Events, want.About = 0, nil
	if r := s.Steps.Selected(); r != nil {
		want.About = r.LastVisit()
	}
	if s.Why.ShowsHistory() {
		want.Events = want.Why
	}
	return want
}

// IsStill reports whether the visible output is known and neither grows nor is about to be replaced by that
// of the next step.
func (s *Screen) IsStill() bool {
	goes := s.run().ShownStatus().State == engine.Running && s.Steps.Follows()
	return !goes && s.Output.IsStill()
}
