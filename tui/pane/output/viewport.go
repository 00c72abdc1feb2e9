package output

import (
	"fmt"
	"time"

	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/layout"
	"playhead/tui/list"
)

// viewport is the visible part of a log: the lines that were read, and which of them show.
type viewport struct {
	logWindow   LogWindow
	height      int       // lines that fit into it
	firstLine   int       // the first line asked for
	firstColumn int       // the first column that shows
	followsEnd  bool      // the end stays in sight
	lastGrowth  time.Time // when output last came, or the log was first shown
}

// reset shows another log, of which nothing has been read yet.
func (v *viewport) reset(now time.Time, followsEnd bool) {
	*v = viewport{height: v.height, followsEnd: followsEnd, lastGrowth: now}
}

// show shows a part of the log that was read.
func (v *viewport) show(w LogWindow, now time.Time) {
	if w.logBytes != v.logWindow.logBytes {
		v.lastGrowth = now
	}
	v.logWindow = w
	if v.followsEnd {
		v.firstLine, _ = v.visibleLines()
	}
}

// visibleLines returns the lines of the window that show, and the number of the first. The window has more
// lines, so that the pane can grow without reading again.
func (v *viewport) visibleLines() (from int, lines []string) {
	from, lines = v.logWindow.firstLine, v.logWindow.lines
	over := max(0, len(lines)-v.height)
	if v.followsEnd {
		return from + over, lines[over:]
	}
	return from, lines[:len(lines)-over]
}

// fits reports whether the whole log shows.
func (v *viewport) fits() bool { return v.logWindow.totalLines <= v.height }

// isAtEnd reports whether the end of the log is in sight.
func (v *viewport) isAtEnd() bool { return v.followsEnd || v.fits() }

// positionText returns which part of the log shows. grows reports whether the log may grow.
func (v *viewport) positionText(grows bool) string {
	switch {
	case v.followsEnd && grows:
		return "following"
	case v.isAtEnd():
		return plan.CountText(v.logWindow.totalLines, "line")
	}
	from, _ := v.visibleLines()
	return fmt.Sprintf("line %s of %s", plan.FormatThousands(from+1), plan.FormatThousands(v.logWindow.totalLines))
}

// overflow returns how much of the log is out of sight.
func (v *viewport) overflow() layout.Overflow {
	from, _ := v.visibleLines()
	return layout.OverflowOf(from, v.height, v.logWindow.totalLines)
}

// scroll moves through the log. Going up stops following the end; list.BeyondEnd follows it again.
func (v *viewport) scroll(by int) {
	if by == list.BeyondEnd {
		v.followsEnd = true
		return
	}
	from, _ := v.visibleLines()
	v.firstLine = min(max(0, from+by), max(0, v.logWindow.totalLines-v.height))
	if by < 0 && v.firstLine < v.logWindow.totalLines-v.height || by < 0 && v.followsEnd && !v.fits() {
		v.followsEnd = false
	}
}

// goToStart shows the beginning of the log.
func (v *viewport) goToStart() { v.firstLine, v.followsEnd = 0, false }

// showLine shows a line in the middle.
func (v *viewport) showLine(line int) { v.firstLine, v.followsEnd = max(0, line-v.height/2), false }

// clip returns the w cells of a line that show.
func (v *viewport) clip(dc *draw.Context, line string, w int) string {
	if v.firstColumn == 0 {
		return dc.Cut(line, w)
	}
	if dc.Width(line) <= v.firstColumn {
		return ""
	}
	return dc.Cut(dc.Slice(line, v.firstColumn, v.firstColumn+w+1), w)
}
