package wording

import (
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"

	"github.com/charmbracelet/x/ansi"
)

// Failure returns which step failed, why, and the last line that its command printed, such as "5
// Migrate failed: exit 127, psql: not found".
func Failure(r *track.Row) string {
	name := r.Label
	if r.Title != r.Local && r.Title != r.Label {
		name += " " + r.Title
	}
	text := sanitize.Plain(name) + " failed: " + sanitize.Plain(cause(r))
	if last := sanitize.Plain(lastPrinted(r)); last != "" {
		text += ", " + ansi.Truncate(last, maxPrinted, "…")
	}
	return text
}

// maxPrinted limits that line, in cells.
const maxPrinted = 120

// lastPrinted returns the last line that the newest command of a row printed.
func lastPrinted(r *track.Row) string {
	v := r.Last()
	if v == nil {
		return ""
	}
	for _, a := range slices.Backward(v.Actions) {
		if end, done := a.End.Body.(*machine.ActionFinished); done && a.Kind == "command" {
			lines := strings.Split(strings.TrimSpace(end.Output), "\n")
			return strings.TrimSpace(lines[len(lines)-1])
		}
	}
	return ""
}

// AnswerOf returns the answer that decided the outcome of a row, such as "answered no". It is "" if
// no answer did, or if nobody gave it.
func AnswerOf(r *track.Row) string {
	q := r.Last().Answer()
	if q == nil || q.Answered.By == machine.ByAuto || r.Outcome == nil || q.Answer.Outcome == nil || r.Overridden {
		return ""
	}
	return "answered " + sanitize.Plain(q.Answer.Value)
}

// cause returns why a step failed.
func cause(r *track.Row) string {
	o := r.Outcome
	if r.Overridden {
		return Overridden("", o.Reason)
	}
	if text := AnswerOf(r); text != "" {
		if o.Reason != "" {
			text += ": " + quote(o.Reason)
		}
		return text
	}
	if o.Source == "" || o.Reason != "" {
		return OutcomeReason(o)
	}
	return o.Source
}
