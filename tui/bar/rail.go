package bar

import (
	"slices"
	"strings"

	"playhead/engine/track"
	"playhead/tui/runview"
)

// The narrowest screen that has a rail, and how much of its width that takes at most.
const (
	leastRail = 80
	railShare = 5
)

// longestPiece is how many cells a step has at most.
const longestPiece = 3

// RailWidth is how many cells the progress of a run takes on a screen of w columns, 0 where it has no
// place.
func RailWidth(run *runview.Run, w int) int {
	n := len(railRows(run))
	if w < leastRail || n < 2 || !run.Begun {
		return 0
	}
	room := w / railShare
	return min(room, n*min(longestPiece, max(1, room/n)))
}

// Rail returns the progress of a run in w cells: a piece for each step, in the colour of its state.
// Where there are more steps than cells, a piece stands for several.
func Rail(run *runview.Run, w int) string {
	rows := railRows(run)
	var out strings.Builder
	for i := range w {
		from, to := i*len(rows)/w, (i+1)*len(rows)/w
		out.WriteString(piece(run, rows[from:max(to, from+1)], i == 0 || from != (i-1)*len(rows)/w))
	}
	return out.String()
}

// railRows are the steps that a run goes through, and those aside that it came to.
func railRows(run *runview.Run) []*track.Row {
	var out []*track.Row
	for _, r := range run.Shown.AllRows() {
		if r.IsExecutable() && !r.Hidden && (!r.IsAside() || r.Status != track.Pending) {
			out = append(out, r)
		}
	}
	return out
}

// piece draws one cell of the rail. first means that no earlier cell stands for these steps: only
// the first cell of a step shows a sign.
func piece(run *runview.Run, rows []*track.Row, first bool) string {
	l, has := run.Look, map[track.Status]bool{}
	for _, r := range rows {
		has[r.Status] = true
	}
	switch {
	case first && has[track.Waiting] && slices.Contains(rows, run.Shown.Current):
		return l.Wait.Paint("╸")
	case first && has[track.Running] && slices.Contains(rows, run.Shown.Current):
		return l.Accent.Paint("╸")
	case has[track.Failed] && first:
		return l.Fail.Paint("✗")
	case has[track.Failed]:
		return l.Fail.Paint("━")
	case has[track.Pending], has[track.Waiting], has[track.Running]:
		return l.Border.Paint("─")
	case has[track.Passed]:
		return l.Pass.Paint("━")
	}
	return l.Muted.Paint("╌")
}
