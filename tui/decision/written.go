package decision

import (
	"fmt"

	"playhead/parse/plan"
	"playhead/tui/draw"
)

// WrittenRoutes lists routes that are still to be decided on.
func WrittenRoutes(l *draw.Look, rs []plan.Route, w int) []string {
	var out []string
	for _, r := range rs {
		if r.Do.Text == "" {
			continue
		}
		out = append(out, l.Cut("  "+l.Muted.Paint(LineNo(r.Do.Span.Line, r.Do.Implicit))+routeText(r.Do.Text, r.Do.Implicit), w))
	}
	return out
}

// LineNo is the line that a route stands on; one that the format supplies stands on none.
func LineNo(n int, implicit bool) string {
	if n == 0 || implicit {
		return "     "
	}
	return fmt.Sprintf("%4d ", n)
}

// routeText is a route as the document writes it; one that the format supplies says so.
func routeText(s string, implicit bool) string {
	if implicit {
		return draw.Clean(s) + " (default)"
	}
	return draw.Clean(s)
}
