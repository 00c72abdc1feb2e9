package bar

import (
	"fmt"
	"slices"
	"strings"

	"playhead/engine/track"
	"playhead/tui/runview"
)

// The narrowest screen that has a rail, and how much of its width that takes at most.
const (
	leastProgressBar = 80
	progressShare    = 5
)

// longestSegment is how many cells a step has at most.
const longestSegment = 3

// ProgressWidth is how many cells the progress of a run takes on a screen of w columns, 0 where it has no
// place.
func ProgressWidth(run *runview.Run, w int) int {
	n := len(progressRows(run))
	if w < leastProgressBar || n < 2 || !run.Begun {
		return 0
	}
	room := w / progressShare
	return min(room, n*min(longestSegment, max(1, room/n)))
}

// ProgressBar returns the progress of a run in w cells: a segment for each step, in the colour of its state.
// Where there are more steps than cells, a segment stands for several.
func ProgressBar(run *runview.Run, w int) string {
	rows := progressRows(run)
	var out strings.Builder
	for i := range w {
		from, to := i*len(rows)/w, (i+1)*len(rows)/w
		out.WriteString(segment(run, rows[from:max(to, from+1)], i == 0 || from != (i-1)*len(rows)/w))
	}
	return out.String()
}

// headerProgress returns the rail of the first line, "" where it has no place, and the count of steps if nothing else
// on the screen has it.
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

// Count returns how many steps are done, of how many: 3/4. How many a flow will have is unknown.
func Count(run *runview.Run) string {
	done, total := run.Shown.Progress()
	if done == total && run.Shown.Finished == nil {
		return run.Look.Muted.Paint(fmt.Sprintf("%d done", done))
	}
	return run.Look.Muted.Paint(fmt.Sprintf("%d/%d", done, total))
}

// progressRows are the steps that a run goes through, and those aside that it came to. The steps that one
// includes stand for it.
func progressRows(run *runview.Run) []*track.Row {
	var out []*track.Row
	for _, r := range run.Shown.AllRows() {
		if !r.IsExecutable() || r.Hidden || r.IsAside() && r.Status == track.Pending {
			continue
		}
		if last := len(out) - 1; last >= 0 && isWithin(r, out[last]) && out[last] != run.ShownPosition() {
			out = out[:last]
		}
		out = append(out, r)
	}
	return out
}

// isWithin reports whether a row is below another one in the tree of steps.
func isWithin(r, group *track.Row) bool {
	for p := r.Parent; p != nil; p = p.Parent {
		if p == group {
			return true
		}
	}
	return false
}

// segment draws one cell of the rail. first means that no earlier cell stands for these steps: only
// the first cell of a step shows a sign. What is done is heavy, what is still to come light.
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
