package bar

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/runview"
)

// leastProgressBar is the narrowest screen, in cells, with a progress bar, which takes at most 1/progressShare of
// the width.
const (
	leastProgressBar = 80
	progressShare    = 5
)

// longestSegment is the most cells that one step takes.
const longestSegment = 3

// ProgressWidth returns the width of the progress bar on a screen of w columns, 0 if it is not shown.
func ProgressWidth(run *runview.Run, w int) int {
	n := len(progressRows(run))
	if w < leastProgressBar || n < 2 || !run.Begun {
		return 0
	}
	room := w / progressShare
	return min(room, n*min(longestSegment, max(1, room/n)))
}

// ProgressBar returns a progress bar of w cells: a segment for each step, in the colour of its state. If
// there are more steps than cells, a cell shows several steps.
func ProgressBar(run *runview.Run, w int) string {
	rows := progressRows(run)
	var out strings.Builder
	for i := range w {
		from, to := i*len(rows)/w, (i+1)*len(rows)/w
		out.WriteString(segment(run, rows[from:max(to, from+1)], i == 0 || from != (i-1)*len(rows)/w))
	}
	return out.String()
}

// headerProgress returns the progress bar for the first line, "" if it does not fit, with the count of
// steps unless the screen shows it elsewhere.
func headerProgress(run *runview.Run, w int, stepsShown bool) string {
	n := ProgressWidth(run, w)
	switch {
	case n == 0:
		return ""
	case stepsShown:
		return ProgressBar(run, n)
	}
	return ProgressBar(run, n) + " " + Count(run)
}

// Count returns how many steps are done of how many. Beside a bar, "3/4" says that without a word.
func Count(run *runview.Run) string {
	done, total := run.Shown.Progress()
	text := fmt.Sprintf("%d/%d", done, total)
	if done == total && run.Shown.Finished == nil {
		text = wording.Progress(run.Shown)
	}
	return run.Look.Muted.Paint(text)
}

// progressRows returns the steps on the way of the run, and those reached only by a jump once the run has
// reached them. Steps of an included document replace the step that includes it.
func progressRows(run *runview.Run) []*track.Row {
	var out []*track.Row
	for _, r := range run.Shown.AllRows() {
		if !r.IsExecutable() || r.Hidden || r.IsAside() && r.Status == track.Pending {
			continue
		}
		if last := len(out) - 1; last >= 0 && includes(out[last], r) && out[last] != run.ShownPosition() {
			out = out[:last]
		}
		out = append(out, r)
	}
	return out
}

// includes reports whether a row is below a step that includes its document.
func includes(step, r *track.Row) bool {
	for p := r.Parent; p != nil; p = p.Parent {
		if p == step {
			return r.Plan() != step.Plan()
		}
	}
	return false
}

// segment draws one cell of the progress bar. first says that no earlier cell shows these steps: only the
// first cell of a step shows a sign. Finished steps are drawn heavy, pending ones light.
func segment(run *runview.Run, rows []*track.Row, first bool) string {
	l, has := run.Look, map[track.Status]bool{}
	for _, r := range rows {
		has[r.Status] = true
	}
	isPosition := first && slices.Contains(rows, run.ShownPosition())
	switch {
	case isPosition && has[track.Waiting]:
		return l.Wait.Paint("╸")
	case isPosition && has[track.Running]:
		return l.Accent.Paint("╸")
	case has[track.Failed] && first:
		return l.Fail.Paint("✗")
	case isPosition && run.NextRow() != nil:
		return l.Accent.Paint("╸")
	case has[track.Failed]:
		return l.Fail.Paint("━")
	case has[track.Pending], has[track.Waiting], has[track.Running]:
		return l.Muted.Paint("┄")
	case has[track.Passed]:
		return l.Pass.Paint("━")
	}
	return l.Muted.Paint("╍")
}
