package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// standing says how a row stands: which attempt, since when, or how it ended.
func standing(r *track.Row, now time.Time) []fact {
	var facts []fact
	add := func(weight int, text string) {
		if text != "" {
			facts = append(facts, fact{text, weight})
		}
	}
	if n := attempts(r); n > 1 && r.Attempt <= n { // more are a person's doing
		add(3, fmt.Sprintf("attempt %d of %d", max(1, r.Attempt), n))
	} else if r.Attempt > 1 {
		add(3, fmt.Sprintf("attempt %d", r.Attempt))
	}
	switch {
	case r.Status == track.Waiting: // the dialog says so
	case r.Status == track.Running && r.Unit():
		add(4, draw.Stopwatch(r.Elapsed(now)))
	default:
		add(4, draw.Word(r))
	}
	if r.Status.Over() && r.Took > 0 {
		add(2, draw.Clock(r.Took))
	}
	if r.Status.Over() {
		add(1, prepared(givenBy(r)))
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

// fact is something that a title says, and how much that matters.
type fact struct {
	text   string
	weight int
}

// fitting is the facts that there is room for: those that matter least go first, the one
// that matters most stays.
func fitting(l *look, facts []fact, room int) string {
	texts := make([]string, len(facts))
	for i, f := range facts {
		texts[i] = f.text
	}
	text := strings.Join(texts, " · ")
	if len(facts) < 2 || l.Width(text) <= room {
		return text
	}
	least := slices.MinFunc(facts, func(a, b fact) int { return a.weight - b.weight })
	i := slices.Index(facts, least)
	return fitting(l, slices.Delete(slices.Clone(facts), i, i+1), room)
}
