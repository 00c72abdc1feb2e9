package text

import (
	"fmt"
	"time"

	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// standing says how a row stands: which attempt, since when, or how it ended.
func standing(r *track.Row, now time.Time) []draw.Fact {
	var facts []draw.Fact
	add := func(weight int, text string) {
		if text != "" {
			facts = append(facts, draw.Fact{Text: text, Weight: weight})
		}
	}
	if n := attempts(r); n > 1 && r.Attempt <= n { // more are a person's doing
		add(3, fmt.Sprintf("attempt %d of %d", max(1, r.Attempt), n))
	} else if r.Attempt > 1 {
		add(3, fmt.Sprintf("attempt %d", r.Attempt))
	}
	switch {
	case r.Status == track.Waiting: // the dialog says so
	case r.Status == track.Running && r.IsUnit():
		add(4, wording.Stopwatch(r.Elapsed(now)))
	default:
		add(4, draw.Word(r))
	}
	if r.Status.IsOver() && r.Took > 0 {
		add(2, wording.Clock(r.Took))
	}
	if r.Status.IsOver() {
		add(1, draw.PreparedBy(draw.GivenBy(r)))
	}
	return facts
}

// attempts is how many attempts a step's routes allow, 0 where none is repeated.
func attempts(r *track.Row) int {
	if r.Step == nil {
		return 0
	}
	n := 0
	for _, route := range r.Step.Routes {
		m := route.Do
		if m.Verb == plan.Again && m.Limit != nil && m.Limit.Counter == plan.AttemptCounter {
			n = max(n, m.Limit.Max)
		}
	}
	return n
}
