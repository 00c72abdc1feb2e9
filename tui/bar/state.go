package bar

import (
	"fmt"

	"playhead/engine"
	"playhead/engine/replay"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/runview"
)

// minStateWidth is the minimum width of the run's state. Everything else on the line takes widthBesideState
// cells. A cut loses only the name of a breakpoint's step, which the steps show anyway.
const minStateWidth, widthBesideState = 24, 44

// RunStateText returns the state of the run in a few words, on a line of w cells that it shares with other
// things.
func RunStateText(run *runview.Run, w int) string {
	text := uncutRunStateText(run)
	if run.WatchOnlyReason != "" && !run.ShowsEarlierMoment() {
		text = run.Look.Muted.Paint("watching · ") + text
	}
	return run.Look.Cut(text, max(minStateWidth, w-widthBesideState))
}

func uncutRunStateText(run *runview.Run) string {
	l, st, end := run.Look, run.Status, run.ShownTrack.Finished
	switch {
	case !run.Plan.Runnable():
		return l.Fail.Paint("cannot run")
	case run.ShowsEarlierMoment():
		return l.Warn.Paint(fmt.Sprintf("as of event %d of %d", run.Events[run.ShownEventIndex].Seq, run.Events[len(run.Events)-1].Seq))
	case !run.IsBegun && run.IsBlockedByDialog:
		return l.Wait.Paint("waits for you")
	case !run.IsBegun && run.IsResumed:
		return l.Muted.Paint("not resumed yet")
	case !run.IsBegun:
		return l.Muted.Paint("not started")
	case st.Err != nil:
		return l.FailBold.Paint("cannot continue")
	case end != nil && end.Result != plan.Awaiting:
		return l.ResultLabel(end.Result)
	case run.Player != nil:
		return l.Bold.Paint(playbackText(run, run.Player))
	case st.State == engine.Waiting:
		return l.Wait.Paint(waitingText(run))
	case st.State == engine.Paused && st.HitBreakpoint != "":
		return l.Bold.Paint("‖ paused at breakpoint " + draw.CleanLine(st.HitBreakpoint))
	case st.State == engine.Paused:
		return l.Bold.Paint("‖ paused")
	}
	if n := st.Notice; n != nil && run.Now.Before(n.RetryAt) {
		return l.Warn.Paint(draw.RetryCountdown(n.RetryAt, run.Now))
	}
	word := "running "
	switch {
	case st.PausesNext:
		word = "pausing "
	case run.TargetStep != "":
		word += "to " + draw.ShortLabel(run.TargetStep, draw.HintLabelWidth) + " · "
	}
	return l.Focus.Paint(word + wording.RunningDuration(run.ShownTrack.Elapsed(run.ShownTime)))
}

// waitingText returns whom a run waits for, and that it pauses after the answer.
func waitingText(run *runview.Run) string {
	text := "waits for you"
	if run.WatchOnlyReason != "" {
		text = "waits for a person"
	}
	if run.Status.PausesNext {
		text += " · pausing"
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
	return word + " " + wording.RunningDuration(run.ShownTrack.Elapsed(run.ShownTime)) + "/" + wording.RunningDuration(p.RecordedLength())
}

// WindowTitle returns the title of the terminal's window.
func WindowTitle(run *runview.Run) string {
	s := "playhead · " + run.FileName()
	switch {
	case run.ShownTrack.Finished != nil:
		s += " · " + wording.ResultWord(run.ShownTrack.Finished.Result)
	case run.IsBegun && run.Status.State != "":
		s += " · " + string(run.Status.State)
	}
	return s
}
