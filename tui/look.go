package tui

import (
	"fmt"
	"time"

	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/themes"
)

// look is how everything is drawn: the styles, the measure, and the spinner.
type look struct {
	*themes.Styles
	cells
	keys Keys
	beat int // of the spinner
}

func newLook(p themes.Palette, k Keys) *look { return &look{Styles: themes.New(p), keys: k} }

var spinner = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// glyph is the one-cell sign of a row's state.
func (l *look) glyph(r *track.Row) string {
	switch r.Status {
	case track.Running:
		if a := r.Action(); a != nil && !a.Done && len(r.Children) == 0 {
			return l.Accent.Paint(spinner[l.beat%len(spinner)])
		}
		return l.Accent.Paint("•")
	case track.Waiting:
		return l.Wait.Paint("?")
	case track.Passed:
		return l.Pass.Paint("✓")
	case track.Failed:
		return l.Fail.Paint("✗")
	case track.Skipped, track.Left:
		return l.Muted.Paint("–")
	}
	if r.Aside() {
		return l.Muted.Paint("◇")
	}
	return l.Muted.Paint("○")
}

// word is a row's state in words.
func word(r *track.Row) string {
	switch {
	case r.Phase():
		return count(len(r.Children), "step")
	case r.Status == track.Pending && r.Aside():
		return "entered only by a route"
	case r.Status == track.Pending && r.Template:
		return "one instance at a time"
	case r.Status == track.Waiting:
		return "waits for you"
	}
	return r.Status.String()
}

// clock is a duration as people read it, in at most six cells.
func clock(d time.Duration) string {
	switch {
	case d < 0:
		return ""
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0fs", d.Truncate(time.Second).Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%02d:%02d", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%dh%02d", int(d.Hours()), int(d.Minutes())%60)
}

// stopwatch is a duration that is watched: no tenths, so that it moves once a second.
func stopwatch(d time.Duration) string {
	if d < time.Hour {
		return fmt.Sprintf("%02d:%02d", int(d.Minutes()), int(d.Seconds())%60)
	}
	return clock(d)
}

// size is a number of bytes as people read it.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.0f kB", float64(n)/1000)
	case n < 1000*1000*1000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// count is a number with its noun: 1 step, 2 steps.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return track.Thousands(n) + " " + noun + "s"
}

// clean is one line of untrusted text.
func clean(s string) string { return sanitize.Plain(s) }
