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

// leastState is the minimum width of the run's state, and besideState the width of everything else on the line.
// Only the step of a breakpoint is cut, which the steps show anyway.
const leastState, besideState = 24, 44

// State returns the state of the run in a few words, on a line of w cells that it shares with other things.
func State(run *runview.Run, w int) string {
	text := state(run)
	if run.Watched != "" && !run.ShowsEarlierMoment() {
		text = run.Look.Muted.Paint("watching · ") + text
	}
	return run.Look.Cut(text, max(leastState, w-besideState))
}

func state(run *runview.Run) string {
	l, st, end := run.Look, run.Status, run.Shown.Finished
	switch {
	case !run.Plan.Runnable():
		return l.Fail.Paint("cannot run")
	case run.ShowsEarlierMoment():
		return l.Warn.Paint(fmt.Sprintf("as of event %d of %d", run.Events[run.Index].Seq, run.Events[len(run.Events)-1].Seq))
	case !run.Begun && run.IsBlocked:
		return l.Wait.Paint("waits for you")
	case !run.Begun && run.Resumed:
		return l.Muted.Paint("not resumed yet")
	case !run.Begun:
		return l.Muted.Paint("not started")
	case st.Err != nil:
		return l.Alarm.Paint("cannot continue")
	case end != nil && end.Result != plan.Awaiting:
		return l.Ended(end.Result)
	case run.Player != nil:
		return l.Bold.Paint(playback(run, run.Player))
	case st.State == engine.Waits && run.Watched != "":
		return l.Wait.Paint("waits for a person")
	case st.State == engine.Waits:
		return l.Wait.Paint("waits for you")
	case st.State == engine.Paused && st.Break != "":
		return l.Bold.Paint("‖ paused at breakpoint " + draw.Clean(st.Break))
	case st.State == engine.Paused:
		return l.Bold.Paint("‖ paused")
	}
	if n := st.Notice; n != nil && run.Now.Before(n.Until) {
		return l.Warn.Paint(draw.AgainIn(n.Until, run.Now))
	}
	to := ""
	if run.Target != "" {
		to = "to " + draw.ShortLabel(run.Target, draw.HintLabel) + " · "
	}
	return l.Focus.Paint("running " + to + wording.Stopwatch(run.Shown.Elapsed(run.Moment)))
}

// playback returns what a replay does, and its position.
func playback(run *runview.Run, p *replay.Player) string {
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
	return word + " " + wording.Stopwatch(run.Shown.Elapsed(run.Moment)) + "/" + wording.Stopwatch(p.Length())
}

// WindowTitle returns the title of the terminal's window.
func WindowTitle(run *runview.Run) string {
	s := "playhead · " + run.FileName()
	switch {
	case run.Shown.Finished != nil:
		s += " · " + wording.Result(run.Shown.Finished.Result)
	case run.Begun && run.Status.State != "":
		s += " · " + string(run.Status.State)
	}
	return s
}
