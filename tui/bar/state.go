package bar

import (
	"fmt"

	"playhead/engine"
	"playhead/engine/replay"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/runview"
)

// The state of the run gets the width of the line without widthBesideState cells, and at least minStateWidth. A cut
// loses only the name of a breakpoint's step, which the steps show anyway.
const minStateWidth, widthBesideState = 24, 44

// runStateText returns the state of the run in a few words, on a line of w cells that it shares with other
// things.
func runStateText(run *runview.Run, w int) string {
	dc, room := run.DrawContext, max(minStateWidth, w-widthBesideState)
	text, mark := uncutRunStateText(run), dc.Muted.Paint(stateMark(run))
	if !run.ShowsEarlierMoment() || dc.Width(mark)+dc.Width(text) <= room { // a cut would lose the number of events
		text = mark + text
	}
	return dc.Cut(text, room)
}

// stateMark returns what precedes the state of a run that this screen only shows, "" if the state says so itself.
func stateMark(run *runview.Run) string {
	switch {
	case run.Player != nil && (run.ShowsEarlierMoment() || hasResult(run)):
		return "replay · "
	case run.WatchOnlyReason != "" && !run.ShowsEarlierMoment():
		return "watching · "
	}
	return ""
}

// hasResult reports whether the run has ended with a result.
func hasResult(run *runview.Run) bool {
	end := run.ShownTrack.Finished
	return end != nil && end.Result != plan.Awaiting
}

// uncutRunStateText returns the state of the run, however long it is.
func uncutRunStateText(run *runview.Run) string {
	dc, st := run.DrawContext, run.Status
	switch {
	case !run.Plan.Runnable():
		return dc.Fail.Paint("cannot run")
	case run.ShowsEarlierMoment():
		return dc.Warn.Paint(fmt.Sprintf("as of event %d of %d", run.Events[run.ShownEventIndex].Seq, run.Events[len(run.Events)-1].Seq))
	case !run.IsBegun && run.IsBlockedByDialog:
		return dc.Wait.Paint("waits for you")
	case !run.IsBegun && run.IsResumed:
		return dc.Muted.Paint("not resumed yet")
	case !run.IsBegun:
		return dc.Muted.Paint("not started")
	case st.Err != nil:
		return dc.FailBold.Paint("cannot continue")
	case hasResult(run):
		return dc.ResultLabel(run.ShownTrack.Finished.Result)
	case run.Player != nil:
		return dc.Bold.Paint(playbackText(run, run.Player))
	case st.State == engine.Waiting:
		return dc.Wait.Paint(waitingText(run))
	case st.State == engine.Paused && st.HitBreakpoint != "":
		return dc.Bold.Paint("‖ paused at breakpoint " + draw.CleanLine(st.HitBreakpoint))
	case st.State == engine.Paused:
		return dc.Bold.Paint("‖ paused")
	}
	if n := st.Notice; n != nil && run.Now.Before(n.RetryAt) {
		return dc.Warn.Paint(draw.RetryCountdown(n.RetryAt, run.Now))
	}
	word := "running "
	switch {
	case st.PausesNext:
		word = "pausing "
	case run.TargetStep != "":
		word += "to " + draw.ShortLabel(run.TargetStep, draw.HintLabelWidth) + " · "
	}
	return dc.Focus.Paint(word + wording.RunningDuration(run.ShownTrack.ActiveTime(run.ShownTime)))
}

// waitingText returns whom a run waits for, and that it pauses after the answer.
func waitingText(run *runview.Run) string {
	text := run.WaitingText()
	if run.Status.PausesNext {
		text += " · then pauses"
	}
	return text
}

// playbackText returns what a replay does, and its position.
func playbackText(run *runview.Run, p *replay.Player) string {
	word := "▶ replay"
	switch run.Status.State {
	case engine.Paused:
		word = "‖ replay"
	case engine.Over:
		word = "■ replay"
	}
	if s := p.Speed(); s != 1 {
		word += fmt.Sprintf(" %g×", s)
	}
	return word + " " + wording.RunningDuration(run.ShownTrack.TimeSinceStart(run.ShownTime)) + "/" + wording.RunningDuration(p.RecordedLength())
}

// WindowTitle returns the title of the terminal's window.
func WindowTitle(run *runview.Run) string {
	s := "playhead · " + run.FileName()
	switch {
	case run.ShownTrack.Finished != nil:
		s += " · " + track.EndWord(run.ShownTrack.Finished)
	case run.IsBegun && run.Status.State != "":
		s += " · " + string(run.Status.State)
	}
	return s
}
