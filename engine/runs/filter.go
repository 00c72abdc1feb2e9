// Package runs finds recorded runs, and processes them: as reports and scenarios, in comparisons,
// as edits of their documents, and as routes that were taken.
package runs

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"playhead/engine/journal"
	"playhead/engine/setup"
	"playhead/parse/plan"
)

// Filter selects runs. A run has to match all fields that are set.
type Filter struct {
	Document       string   // the file of the document
	Results        []string // from ResultNames
	Since, Before  string   // an age or a date
	OnlyUnfinished bool     // only runs that can continue
}

// ResultNames are the possible results of a run, as the list of runs shows them. A Filter also takes awaiting_input,
// the result in --json of a run that was left while it was paused or waiting.
var ResultNames = []string{
	string(plan.Completed), string(plan.Stopped), string(plan.RunFailed), string(plan.Cancelled),
	"interrupted", "forked", journal.Running, "paused", "waiting", journal.Unreadable,
}

// List returns the runs that match, newest first.
func (f *Filter) List(now time.Time) ([]journal.RunSummary, error) {
	if i := slices.IndexFunc(f.Results, func(r string) bool {
		return r != string(plan.Awaiting) && !slices.Contains(ResultNames, r)
	}); i >= 0 {
		return nil, setup.Errorf("--result must be one of %s, not %q", strings.Join(ResultNames, ", "), f.Results[i])
	}
	since, err := parseAgeOrDate("since", f.Since, time.Time{}, now)
	if err != nil {
		return nil, err
	}
	before, err := parseAgeOrDate("before", f.Before, now.AddDate(1, 0, 0), now)
	if err != nil {
		return nil, err
	}
	all, err := f.documentRuns()
	return slices.DeleteFunc(all, func(r journal.RunSummary) bool {
		return r.BeganAt().Before(since) || !r.BeganAt().Before(before) || !f.matchesResult(r)
	}), err
}

// matchesResult reports whether a run has one of the wanted results, or is unfinished if that is wanted.
func (f *Filter) matchesResult(r journal.RunSummary) bool {
	if f.OnlyUnfinished && !r.CanContinue() {
		return false
	}
	return len(f.Results) == 0 || slices.Contains(f.Results, r.ResultWord()) || slices.Contains(f.Results, r.Result)
}

// documentRuns returns all runs, or those of a document.
func (f *Filter) documentRuns() ([]journal.RunSummary, error) {
	if f.Document == "" {
		return journal.DefaultStore().List()
	}
	file, err := setup.ResolveFile(f.Document)
	if err != nil {
		return nil, err
	}
	if file, err = filepath.Abs(file); err != nil {
		return nil, err
	}
	return journal.DefaultStore().RunsOf(file)
}

var dateLayouts = []string{time.DateOnly, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", time.RFC3339}

// parseAgeOrDate returns the time of when: an age before now, or a date in the local time zone. For "" it returns
// other. flag is the name of the flag in errors.
func parseAgeOrDate(flag, when string, other, now time.Time) (time.Time, error) {
	if when == "" {
		return other, nil
	}
	if days, isDays := strings.CutSuffix(when, "d"); isDays {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return now.AddDate(0, 0, -int(n)), nil
		}
	}
	if ago, err := time.ParseDuration(when); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	for _, layout := range dateLayouts {
		if t, err := time.ParseInLocation(layout, when, time.Local); err == nil {
			return t, nil
		}
	}
	return other, setup.Errorf("--%s takes an age such as 12h or 30d, or a date such as 2026-02-28 or '2026-02-28 13:00', not %q", flag, when)
}
