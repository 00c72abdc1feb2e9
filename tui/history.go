package tui

import (
	"fmt"

	"playhead/engine/machine"
	"playhead/engine/track"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// fillHistory makes only the events in sight: there may be thousands.
func (v *inspector) fillHistory(l *look, all []machine.Event, box panes.Rect) {
	n := len(all)
	if v.follow {
		v.at = n - 1
	}
	v.top = min(max(v.top, v.at+1-box.H), max(0, v.at), max(0, n-box.H))
	v.body = v.body[:0]
	for i := v.top; i < n && i < v.top+box.H; i++ {
		mark := "  "
		if i == v.at {
			mark = l.Accent.Paint("› ")
		}
		v.body = append(v.body, mark+event(l, all[i], i == v.at && i < n-1, box.W-2))
	}
}

// ofAll says how many events there are, and of how many, where some were left behind
// by going back: each keeps its number.
func ofAll(all []machine.Event) string {
	if n := len(all); n > 0 && all[n-1].Seq > n {
		return fmt.Sprintf("%d of %s", n, draw.Count(all[n-1].Seq, "event"))
	}
	return draw.Count(len(all), "event")
}

// goTo selects one of n events.
func (v *inspector) goTo(i, n int) {
	v.at = min(max(0, i), max(0, n-1))
	v.follow = v.at >= n-1
	v.stale = true
}

// event is a line of the history. Of a call or command that can be gone back to it says
// that this is before it: it would be performed unasked.
func event(l *look, happened machine.Event, offer bool, w int) string {
	e := track.LineOf(happened)
	when := "        "
	if !e.Time.IsZero() {
		when = e.Time.Format("15:04:05")
	}
	what := draw.Clean(e.What)
	if e.Reason != "" {
		what += ": " + draw.Clean(e.Reason)
	}
	if by := draw.PreparedBy(e.By); by != "" {
		what += " (" + by + ")"
	}
	if _, begun := happened.Body.(*machine.ActionStarted); begun && offer {
		what += " · enter goes back to before it"
	}
	switch {
	case e.Forced:
		what = l.Warn.Paint("! " + what)
	case e.By != "":
		what = l.Person.Paint(what)
	}
	return l.Cut(l.Muted.Paint(when)+"  "+l.Fit(brief(draw.Clean(e.Step), 10), 10)+" "+what, w)
}
