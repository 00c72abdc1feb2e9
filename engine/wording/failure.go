package wording

import (
	"slices"
	"strings"

	"playhead/engine/sanitize"
	"playhead/engine/track"
)

// Failure returns which step failed, why, and what it printed last: 5 Migrate failed: exit 127, psql:
// not found. printed is the end of what its command printed.
func Failure(r *track.Row, printed string) string {
	name := r.Label
	if r.Title != r.Local && r.Title != r.Label {
		name += " " + r.Title
	}
	text := sanitize.Plain(name) + " failed: " + sanitize.Plain(cause(r))
	lines := strings.Split(strings.TrimSpace(printed), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		text += ", " + sanitize.Plain(last)
	}
	return text
}

// cause is what a step failed by.
func cause(r *track.Row) string {
	o := r.Outcome
	if x := r.Last(); x != nil && o.Source == "answer" {
		for _, q := range slices.Backward(x.Questions) {
			if q.Answer != nil {
				return "answered " + q.Answer.Value
			}
		}
	}
	if o.Source == "" || o.Reason != "" {
		return OutcomeReason(o)
	}
	return o.Source
}

// LastLog returns the newest command of a row that printed to a log, nil if there is none.
func LastLog(r *track.Row) *track.Action {
	if r == nil || r.Last() == nil {
		return nil
	}
	for _, a := range slices.Backward(r.Last().Actions) {
		if a.Kind == "command" && a.Log != nil {
			return a
		}
	}
	return nil
}
