package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"playhead/engine/journal"
	"playhead/engine/runs"
	"playhead/engine/sanitize"
	"playhead/engine/setup"
	"playhead/engine/show"
)

func newRunsCmd(a *app) *cobra.Command {
	var asJSON bool
	var filter runs.Filter
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List runs",
		Long: `List runs: first those of this folder, then the others, each newest first.
With --json, all runs, newest first. Flags narrow the list: a run has to match
all of them. playhead rm takes the same flags.`,
		Example: "playhead runs --open\nplayhead runs --document deploy.runbook.md --result failed --since 7d",
		Args:    noArgs,
	}
	cmd.RunE = a.do(func(cmd *cobra.Command, _ []string) error {
		all, err := listRuns(cmd, &filter)
		if err != nil {
			return err
		}
		if len(all) == 0 && !asJSON {
			_, err := fmt.Fprintln(a.err, noRuns(cmd))
			return err
		}
		if here, err := setup.WorkingFolder(); err == nil && !asJSON {
			journal.FolderFirst(all, here)
			for i := range all {
				all[i].Path = runs.PathFrom(here, all[i])
			}
		}
		return a.runs(all, asJSON)
	})
	registerFilter(cmd, &filter)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

func (a *app) runs(all []journal.Summary, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(a.json()).Encode(append([]journal.Summary{}, all...))
	}
	return show.WriteRuns(a.out, all, a.width())
}

func newRmCmd(a *app) *cobra.Command {
	var filter runs.Filter
	cmd := &cobra.Command{
		Use:   "rm [RUN...]",
		Short: "Remove runs, with everything they printed",
		Long: `Remove runs, with everything they printed: each RUN, given by its whole id,
or all runs that match the flags. To see them first, use playhead runs with
the same flags. A run that is in progress is not removed.`,
		Example:           "playhead rm 7f3a\nplayhead rm --before 90d --result completed",
		ValidArgsFunction: completeRuns,
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch filtered := isFiltered(cmd); {
		case len(args) == 0 && !filtered:
			return usageError("playhead rm needs a RUN: playhead runs lists them")
		case len(args) > 0 && filtered:
			return usageError("playhead rm takes a RUN, or flags that say which, not both")
		}
		return nil
	}
	cmd.RunE = a.do(func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return a.rm(args)
		}
		return a.rmAll(cmd, &filter)
	})
	registerFilter(cmd, &filter)
	return cmd
}

// rmAll removes the runs that flags mean, but for those that go on.
func (a *app) rmAll(cmd *cobra.Command, filter *runs.Filter) error {
	all, err := listRuns(cmd, filter)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(a.err, noRuns(cmd))
		return err
	}
	return a.each(len(all), func(i int) error { return a.remove(all[i]) })
}

// rm removes each run it can, and says of each one which it was, or why it cannot. The
// beginning of an id would do elsewhere; what cannot be undone takes the whole.
func (a *app) rm(ids []string) error {
	all, err := journal.Default().List()
	if err != nil {
		return err
	}
	return a.each(len(ids), func(n int) error {
		i := slices.IndexFunc(all, func(r journal.Summary) bool { return r.Run == strings.ToLower(ids[n]) })
		if i < 0 {
			return usageError("there is no run %q: give its whole id, as playhead runs lists it", ids[n])
		}
		return a.remove(all[i])
	})
}

// each does something n times and prints the errors. It returns an error if one of the times
// failed.
func (a *app) each(n int, do func(i int) error) error {
	failed := false
	for i := range n {
		if err := do(i); err != nil {
			a.printError(err)
			failed = true
		}
	}
	if failed {
		return exitWith(exitUsage)
	}
	return nil
}

// remove removes one run, and says which it was.
func (a *app) remove(r journal.Summary) error {
	if err := journal.Default().Remove(r.Run); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.out, "removed %s (%s, %s)\n", r.Run, sanitize.Plain(r.Path), r.Word())
	return err
}

// completeRuns returns the IDs of runs for completion, with what each is a run of.
func completeRuns(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	all, err := journal.Default().List()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for _, r := range all {
		if !slices.Contains(args, r.Run) {
			out = append(out, cobra.CompletionWithDesc(r.Run, r.Path+", "+r.Word()))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func completeRun(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeRuns(cmd, args, word)
}

var filterFlags = []string{"document", "result", "since", "before", "open"}

func registerFilter(cmd *cobra.Command, w *runs.Filter) {
	f := cmd.Flags()
	f.StringVar(&w.Document, "document", "", "only runs of this FILE")
	f.StringSliceVar(&w.Results, "result", nil, "only runs with this RESULT: "+strings.Join(runs.ResultNames, ", "))
	f.StringVar(&w.Since, "since", "", "only runs that began WHEN or later: an age such as 12h or 30d, or a date such as 2026-02-28")
	f.StringVar(&w.Before, "before", "", "only runs that began before WHEN")
	f.BoolVar(&w.Open, "open", false, "only runs that are not over")
	_ = cmd.RegisterFlagCompletionFunc("result", cobra.FixedCompletions(runs.ResultNames, cobra.ShellCompDirectiveNoFileComp))
}

// isFiltered reports whether any of the flags is there.
func isFiltered(cmd *cobra.Command) bool {
	return slices.ContainsFunc(filterFlags, cmd.Flags().Changed)
}

// refuseEmptyFilter refuses a flag that says nothing, as with a variable that is empty: it would mean
// all runs.
func refuseEmptyFilter(cmd *cobra.Command) error {
	for _, name := range filterFlags {
		if f := cmd.Flags().Lookup(name); f.Changed && slices.Contains([]string{"", "[]", "false"}, f.Value.String()) {
			return usageError("--%s is empty: leave it out, or say which runs", name)
		}
	}
	return nil
}

// listRuns returns the runs that flags mean, newest first.
func listRuns(cmd *cobra.Command, filter *runs.Filter) ([]journal.Summary, error) {
	if err := refuseEmptyFilter(cmd); err != nil {
		return nil, err
	}
	return filter.List(time.Now())
}

// noRuns returns the message for an empty list of runs.
func noRuns(cmd *cobra.Command) string {
	if isFiltered(cmd) {
		return "No run matches: playhead runs lists them all."
	}
	return "There are no runs yet."
}

func newForkCmd(a *app) *cobra.Command {
	var at int
	cmd := &cobra.Command{
		Use:   "fork RUN",
		Short: "Fork a run, now or at an earlier event",
		Long: `Fork a run, now or at an earlier event, and print the id of the fork:
playhead resume continues it. The fork has all events of RUN up to there;
RUN stays as it is. The effects of commands and tools are neither undone nor
repeated.`,
		Args:              oneArg("a RUN (playhead runs lists them)"),
		ValidArgsFunction: completeRun,
	}
	cmd.RunE = a.do(func(cmd *cobra.Command, args []string) error {
		id, err := journal.Default().Fork(args[0], at, time.Now())
		if err != nil {
			return &failure{exitUsage, err}
		}
		_, err = fmt.Fprintln(a.out, id)
		return err
	})
	cmd.Flags().IntVar(&at, "at", 0, "the number of the EVENT after which to fork (default the newest)")
	return cmd
}
