package screen

import (
	"playhead/engine"
	"playhead/engine/track"
	"playhead/tui/dialog"
	"playhead/tui/pane/output"
	"playhead/tui/panes"
	"playhead/tui/session"
)

// Resize takes the size of the terminal.
func (s *Screen) Resize(w, h int) {
	s.Layout.W, s.Layout.H = w, h
	s.Reflow()
}

// Reflow arranges the panes anew.
func (s *Screen) Reflow() {
	w, h := s.Layout.W, s.Layout.H
	if !s.Stage.On {
		s.Split = s.Split.Hiding(s.Focus, false) // what has the focus shows
	}
	want := s.sharing(panes.Wish{Focus: s.Focus, Zoom: s.Zoom, Stage: s.Stage.On, Bare: s.isPrintless(), Sheet: s.Why.IsSheet(), Split: s.Split})
	if d := s.Top(); d != nil {
		run := s.run()
		want.Below, want.Tall = s.Output.IsBefore, d.IsTall(run)
		want.Whole = isFullScreen(d) && s.Focus == panes.Dialog
		want.Dialog = 1
		column := max(10, panes.Arrange(w, h, want).Panes[panes.Dialog].W)
		want.Dialog = max(1, d.Height(run, column))
		if shrinks, can := d.(dialog.Shrinking); can {
			want.Least = shrinks.LeastHeight(run, column)
		}
	}
	s.Layout = panes.Arrange(w, h, want)
	for _, p := range panes.All {
		s.Pane(p).Resize(s.Layout.Panes[p])
	}
}

// Sync brings the panes in line with the run and the selection, and arranges them anew if they need
// more room or less. logs returns the output of an action; nil: there is none.
func (s *Screen) Sync(logs func(name string) session.Log) {
	s.Output.Sync(s.run(), s.asks(), logs)
	if s.isPrintless() != s.Layout.Bare {
		s.Reflow()
	}
	s.syncText()
	if s.needsReflow() {
		s.Reflow()
		s.syncText()
	}
	s.Why.Sync(s.run(), s.Layout.WhyUp)
	if s.whyNeedsReflow() {
		s.Reflow()
		s.Why.Sync(s.run(), s.Layout.WhyUp)
	}
}

// whyNeedsReflow reports whether WHY is to have other lines of those that text and output do not need,
// or gives them back to output that comes.
func (s *Screen) whyNeedsReflow() bool {
	l := s.Layout
	switch {
	case l.Shape == panes.Narrow || l.Panes[panes.Why].W <= 0 || s.Why.ShowsHistory():
		return false
	case s.isStill():
		return l.Why != s.Why.Height(s.run())
	}
	return l.Why != panes.MayGrow && s.Output.Needs(s.look, l.Term) > l.Out
}

func (s *Screen) syncText() {
	asks := s.asks() && !s.Layout.Panes[panes.Dialog].Empty()
	s.Text.Sync(s.run(), s.textWidth(), s.isIntroducing(), asks, s.Notice)
}

// OutputRequest returns what the pane of output needs to read.
func (s *Screen) OutputRequest() output.Request {
	return s.Output.Request(s.look, s.Layout.H) // how high the pane is to be depends on the answer
}

// isIntroducing reports whether the document introduces itself: no step was entered, and the person
// has not selected one.
func (s *Screen) isIntroducing() bool {
	run := s.run()
	return run.Shown.Current == nil && s.Steps.Follows() && (run.Plan.Description != "" || s.Notice != "")
}

// textWidth is the width of the step's text, which a screen of one pane shows above a question, too.
func (s *Screen) textWidth() int {
	if s.Layout.Shape == panes.Narrow {
		return s.Layout.Panes[s.Focus].W
	}
	return s.Layout.Panes[panes.Text].W
}

// isPrintless reports whether the selected step has no output and is not to have any: its text takes
// the room then.
func (s *Screen) isPrintless() bool {
	r := s.Steps.Selected()
	empty := s.Output.IsEmpty() || s.Output.IsBefore && !s.asks()
	unstarted := s.Top() != nil && s.run().Shown.Current == nil // what asks then stands below the text
	return empty && (unstarted || s.isIntroducing() || r == nil || r.Status == track.Waiting || output.IsSilent(r))
}

// sharing adds what decides how text and output share the room that they have.
func (s *Screen) sharing(want panes.Wish) panes.Wish {
	want.Text, want.Lines, want.Still, want.Spare = len(s.Text.Body()), s.Output.Needs(s.look, s.Layout.Term), s.isStill(), s.Layout.Spare
	want.Why = s.Why.Height(s.run())
	if s.Why.ShowsHistory() {
		want.Events = want.Why
	}
	return want
}

// needsReflow reports whether one of text and output is to lend the other more lines than it does,
// or less, or a dialog stands below a text that is another one now.
func (s *Screen) needsReflow() bool {
	l := s.Layout
	if !l.Panes[panes.Dialog].Empty() && l.Panes[panes.Output].Empty() && l.Lines != len(s.Text.Body()) {
		return true
	}
	if l.Shape == panes.Narrow && s.Focus == panes.Tree && l.Panes[panes.Why].W > 0 {
		want := s.sharing(panes.Wish{})
		return l.Panes[panes.Output].Empty() == (!l.Bare && !want.Still && want.Lines > 0)
	}
	both := !l.Panes[panes.Text].Empty() && !l.Panes[panes.Output].Empty()
	return both && s.Split.Text == 0 && !l.Bare && l.SpareFor(s.sharing(panes.Wish{})) != l.Spare
}

// isStill reports whether the output that shows is known and does not grow, nor gives way to that of
// the next step.
func (s *Screen) isStill() bool {
	goes := s.run().ShownStatus().State == engine.Running && s.Steps.Follows()
	return !goes && s.Output.IsStill()
}
