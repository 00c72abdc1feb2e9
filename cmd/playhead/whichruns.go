package main

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"playhead/engine/journal"
	"playhead/engine/setup"
	"playhead/parse/plan"
)

// whichRuns are the flags that say which runs are meant.
type whichRuns struct {
	document      string
	results       []string
	since, before string
	open          bool
}

var whichFlags = []string{"document", "result", "since", "before", "open"}

func (w *whichRuns) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&w.document, "document", "", "only runs of this `FILE`")
	f.StringSliceVar(&w.results, "result", nil, "only runs with this `RESULT`: "+strings.Join(resultWords, ", "))
	f.StringVar(&w.since, "since", "", "only runs that began `WHEN` or later: an age, as 12h or 30d, or a date, as 2026-02-28")
	f.StringVar(&w.before, "before", "", "only runs that began before `WHEN`")
	f.BoolVar(&w.open, "open", false, "only runs that are not over")
	_ = cmd.RegisterFlagCompletionFunc("result", cobra.FixedCompletions(resultWords, cobra.ShellCompDirectiveNoFileComp))
}

// resultWords are what a run can come to, as the list of runs says it.
var resultWords = []string{
	string(plan.Completed), string(plan.Stopped), string(plan.RunFailed), string(plan.Cancelled), string(plan.Awaiting),
	"interrupted", "forked", journal.Running, "paused", "waits", journal.Unreadable,
}

// asked reports whether any of the flags is there.
func (w *whichRuns) asked(cmd *cobra.Command) bool {
	return slices.ContainsFunc(whichFlags, cmd.Flags().Changed)
}

// stated refuses a flag that says nothing, as with a variable that is empty: it would mean
// all runs.
func stated(cmd *cobra.Command) error {
	for _, name := range whichFlags {
		if f := cmd.Flags().Lookup(name); f.Changed && slices.Contains([]string{"", "[]", "false"}, f.Value.String()) {
			return usage("--%s says nothing: leave it out, or say which runs", name)
		}
	}
	return nil
}

// list are the runs that are meant, newest first.
func (w *whichRuns) list(cmd *cobra.Command, now time.Time) ([]journal.Summary, error) {
	if err := stated(cmd); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(w.results, func(r string) bool { return !slices.Contains(resultWords, r) }); i >= 0 {
		return nil, usage("--result is one of %s, not %q", strings.Join(resultWords, ", "), w.results[i])
	}
	since, err := moment("since", w.since, time.Time{}, now)
	if err != nil {
		return nil, err
	}
	before, err := moment("before", w.before, now.AddDate(1, 0, 0), now)
	if err != nil {
		return nil, err
	}
	all, err := w.ofDocument()
	return slices.DeleteFunc(all, func(r journal.Summary) bool {
		return r.Since().Before(since) || !r.Since().Before(before) || !w.came(r)
	}), err
}

// came reports whether a run has come to what is asked for.
func (w *whichRuns) came(r journal.Summary) bool {
	if w.open && (plan.RunResult(r.Result).Over() || r.Result == journal.Unreadable) {
		return false
	}
	return len(w.results) == 0 || slices.Contains(w.results, r.Word()) || slices.Contains(w.results, r.Result)
}

// ofDocument are all runs, or those of a document.
func (w *whichRuns) ofDocument() ([]journal.Summary, error) {
	if w.document == "" {
		return journal.Default().List()
	}
	file, err := setup.ResolveFile(w.document)
	if err != nil {
		return nil, err
	}
	if file, err = filepath.Abs(file); err != nil {
		return nil, err
	}
	return journal.Default().Of(file)
}

var dateLayouts = []string{time.DateOnly, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", time.RFC3339}

// moment reads a time: how long ago it was, or when, here. Without one it is another.
func moment(flag, when string, other, now time.Time) (time.Time, error) {
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
	return other, usage("--%s is an age, as 12h or 30d, or a date, as 2026-02-28 or '2026-02-28 13:00', not %q", flag, when)
}

// none says that there is no run, or none that is meant.
func (w *whichRuns) none(cmd *cobra.Command) string {
	if w.asked(cmd) {
		return "No run matches: playhead runs lists them all."
	}
	return "There are no runs yet."
}
