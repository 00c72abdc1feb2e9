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

// How much of the run's state shows at least, and how much of the line is for the other things on it. What
// is cut is the step of a breakpoint, which the steps show.
const leastState, besideState = 24, 44

// State returns what the run does, in a few words, on a line of w cells that shows other things, too.
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

// playback is what a replay does, and how far it is.
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

// WindowTitle returns the name of the terminal's window.
func WindowTitle(run *runview.Run) string {
	s := "playhead · " + run.File()
	switch {
	case run.Shown.Finished != nil:
		s += " · " + wording.Result(run.Shown.Finished.Result)
	case run.Begun && run.Status.State != "":
		s += " · " + string(run.Status.State)
	}
	return s
}
