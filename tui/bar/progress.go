package bar

import (
	"slices"
	"strings"

	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/runview"
)

// The width of the narrowest screen with a progress bar, in cells, and the parts of the width, as divisors,
// that the bar takes at most: usually, and if it has a cell for each of many steps.
const (
	minProgressScreenWidth = 80
	progressWidthDivisor   = 5
	longProgressDivisor    = 3
)

// maxSegmentWidth is the most cells that one step takes.
const maxSegmentWidth = 3

// HasProgress reports whether there is progress to show: the document can run, and has steps that count.
func HasProgress(run *runview.Run) bool { return run.Plan.Runnable() && len(progressRows(run)) > 0 }

// ProgressWidth returns the width of the progress bar on a screen of w columns, 0 if it is not shown.
func ProgressWidth(run *runview.Run, w int) int {
	n := len(progressRows(run))
	if w < minProgressScreenWidth || !HasProgress(run) {
		return 0
	}
	room := max(w/progressWidthDivisor, min(n, w/longProgressDivisor))
	return min(room, n*min(maxSegmentWidth, max(1, room/n)))
}

// ProgressBar returns a progress bar of w cells: a segment for each step, in the colour of its state. If
// there are more steps than cells, a cell shows several steps.
func ProgressBar(run *runview.Run, w int) string {
	rows := progressRows(run)
	var out strings.Builder
	for i := range w {
		from, to := i*len(rows)/w, (i+1)*len(rows)/w
		out.WriteString(drawSegment(run, rows[from:max(to, from+1)], i == 0 || from != (i-1)*len(rows)/w))
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
	return ProgressBar(run, n) + " " + StepCountText(run)
}

// StepCountText returns how many steps are done of how many.
func StepCountText(run *runview.Run) string {
	return run.DrawContext.Muted.Paint(wording.ProgressCountText(run.ShownTrack))
}

// progressRows returns the steps that count, for the progress bar. Steps of an included document replace the step that
// includes it.
func progressRows(run *runview.Run) []*track.Row {
	var out []*track.Row
	for _, r := range run.ShownTrack.AllRows() {
		if !r.IsCounted() {
			continue
		}
		if last := len(out) - 1; last >= 0 && isInIncludedDocument(out[last], r) && out[last] != run.ShownPosition() {
			out = out[:last]
		}
		out = append(out, r)
	}
	return out
}

// isInIncludedDocument reports whether a row is below a step that includes its document.
func isInIncludedDocument(step, r *track.Row) bool {
	for p := r.Parent; p != nil; p = p.Parent {
		if p == step {
			return r.Plan() != step.Plan()
		}
	}
	return false
}

// drawSegment draws one cell of the progress bar. first reports whether it is the first cell of its steps:
// only that cell shows a sign. Steps that have begun are drawn heavy, pending ones light, and so is the rest of the
// step where the run is.
func drawSegment(run *runview.Run, rows []*track.Row, first bool) string {
	dc, has := run.DrawContext, map[track.Status]bool{}
	for _, r := range rows {
		has[r.Status] = true
	}
	hasPosition := slices.Contains(rows, run.ShownPosition())
	isPosition := hasPosition && first
	switch {
	case isPosition && has[track.Waiting]:
		return dc.StatusStyle(track.Waiting).Paint("╸")
	case isPosition && has[track.Running]:
		return dc.StatusStyle(track.Running).Paint("╸")
	case has[track.Failed] && first:
		return dc.StatusStyle(track.Failed).Paint("✗")
	case isPosition && run.NextRowToEnter() != nil:
		return dc.StatusStyle(track.Running).Paint("╸")
	case has[track.Failed]:
		return dc.StatusStyle(track.Failed).Paint("━")
	case has[track.Running] && !hasPosition: // its substeps run
		return dc.StatusStyle(track.Running).Paint("━")
	case has[track.Pending], has[track.Waiting], has[track.Running]:
		return dc.StatusStyle(track.Pending).Paint("┄")
	case has[track.Passed]:
		return dc.StatusStyle(track.Passed).Paint("━")
	}
	return dc.StatusStyle(track.Skipped).Paint("╍")
}
