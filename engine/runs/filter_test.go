package runs

import (
	"slices"
	"testing"
	"time"

	"playhead/engine/journal"
	"playhead/parse/plan"
)

// TestResultNames: the filter by result accepts every result that the list of runs shows.
func TestResultNames(t *testing.T) {
	for _, r := range []journal.RunSummary{
		{Result: string(plan.Completed)}, {Result: string(plan.Stopped)}, {Result: string(plan.RunFailed)}, {Result: string(plan.Cancelled)}, {Result: string(plan.Awaiting)}, {Result: string(plan.Awaiting), State: "paused"},
		{}, {IsUnopenedFork: true}, {Result: journal.Unreadable}, {Result: journal.Running}, {Result: journal.Running, State: "waiting"}, {Result: journal.Running, State: "paused"},
	} {
		if !slices.Contains(ResultNames, r.ResultWord()) {
			t.Errorf("--result refuses %q", r.ResultWord())
		}
	}
}

// TestParseTime: an age counts back from now, and a date is in local time.
func TestParseTime(t *testing.T) {
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.Local)
	for when, want := range map[string]time.Time{
		"":                     {},
		"0s":                   now,
		"90m":                  now.Add(-90 * time.Minute),
		"31d":                  time.Date(2026, 2, 28, 12, 0, 0, 0, time.Local),
		"2026-02-28":           time.Date(2026, 2, 28, 0, 0, 0, 0, time.Local),
		"2026-02-28 13:00":     time.Date(2026, 2, 28, 13, 0, 0, 0, time.Local),
		"2026-02-28 13:00:05":  time.Date(2026, 2, 28, 13, 0, 5, 0, time.Local),
		"2026-02-28T13:00:00Z": time.Date(2026, 2, 28, 13, 0, 0, 0, time.UTC),
	} {
		if got, err := parseAgeOrDate("since", when, time.Time{}, now); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v, want %v", when, got, err, want)
		}
	}
	for _, when := range []string{"d", "-1d", "1.5d", "-1h", "30", "yesterday", "2026-02-30", "99999999d"} {
		if got, err := parseAgeOrDate("since", when, time.Time{}, now); err == nil {
			t.Errorf("%q is %v", when, got)
		}
	}
}
