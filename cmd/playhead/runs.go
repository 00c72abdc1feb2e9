package main

import (
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
With --json, all runs are in one list, newest first. Flags narrow the list: a
run has to match all of them. playhead rm takes the same flags.`,
		Example: "playhead runs --open\nplayhead runs --document deploy.runbook.md --result failed --since 7d",
		Args:    noArgs,
	}
	cmd.RunE = a.runE(func(cmd *cobra.Command, _ []string) error {
		all, err := listRuns(cmd, &filter)
		if err != nil {
			return err
		}
		switch {
		case asJSON:
			return show.WriteRunsJSON(a.jsonWriter(), all)
		case len(all) == 0:
			return a.printNoRuns(cmd)
		}
		if here, err := setup.WorkingFolder(); err == nil {
			journal.SortFolderFirst(all, here)
			for i := range all {
				all[i].Path = runs.DocumentPathFrom(here, all[i])
			}
		}
		return show.WriteRuns(a.stdout, all, a.terminalWidth())
	})
	registerFilter(cmd, &filter)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

func newRmCmd(a *app) *cobra.Command {
	var filter runs.Filter
	cmd := &cobra.Command{
		Use:   "rm [RUN...]",
		Short: "Remove runs, with everything they recorded",
		Long: `Remove runs, with everything they recorded: each RUN, given by its whole id,
or all runs that match the flags. To see them first, use playhead runs with
the same flags. A run that is in progress is not removed.`,
		Example:           "playhead rm 7f3a\nplayhead rm --before 90d --result completed",
		ValidArgsFunction: completeRunIDs,
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		switch filtered := hasFilterFlag(cmd); {
		case len(args) == 0 && !filtered:
			return usageError("playhead rm needs " + runArgument)
		case len(args) > 0 && filtered:
			return usageError("playhead rm takes RUNs, or flags that select runs, not both")
		}
		return nil
	}
	cmd.RunE = a.runE(func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return a.removeByID(args)
		}
		return a.removeMatching(cmd, &filter)
	})
	registerFilter(cmd, &filter)
	return cmd
}

// removeMatching removes the runs that match the flags, except runs in progress.
func (a *app) removeMatching(cmd *cobra.Command, filter *runs.Filter) error {
	all, err := listRuns(cmd, filter)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return a.printNoRuns(cmd)
	}
	return a.forEach(len(all), func(i int) error { return a.removeRun(all[i]) })
}

// removeByID removes runs by their IDs, and prints for each that it was removed, or why not. Other commands
// accept the beginning of an ID. rm needs the whole ID, because it cannot be undone.
func (a *app) removeByID(ids []string) error {
	all, err := journal.DefaultStore().List()
	if err != nil {
		return err
	}
	return a.forEach(len(ids), func(n int) error {
		i := slices.IndexFunc(all, func(r journal.RunSummary) bool { return r.Run == strings.ToLower(ids[n]) })
		if i < 0 {
			return usageError("there is no run with the id %q: give the whole id (use playhead runs to list all runs)", ids[n])
		}
		return a.removeRun(all[i])
	})
}

// forEach calls do with each index below n and prints the errors. It returns an error if a call failed.
func (a *app) forEach(n int, do func(i int) error) error {
	failed := false
	for i := range n {
		if err := do(i); err != nil {
			a.printError(err)
			failed = true
		}
	}
	if failed {
		return errorOfExitStatus(exitUsage)
	}
	return nil
}

// removeRun removes one run, and prints which.
func (a *app) removeRun(r journal.RunSummary) error {
	if err := journal.DefaultStore().Remove(r.Run); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "removed %s (%s, %s)\n", r.Run, sanitize.Plain(r.Path), r.ResultWord())
	return err
}

// completeRunIDs returns the IDs of runs for completion, with their documents and results.
func completeRunIDs(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	all, err := journal.DefaultStore().List()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var out []string
	for _, r := range all {
		if !slices.Contains(args, r.Run) {
			out = append(out, cobra.CompletionWithDesc(r.Run, r.Path+", "+r.ResultWord()))
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func completeOneRunID(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeRunIDs(cmd, args, word)
}

var filterFlags = []string{"document", "result", "since", "before", "open"}

func registerFilter(cmd *cobra.Command, w *runs.Filter) {
	f := cmd.Flags()
	f.StringVar(&w.Document, "document", "", "only runs of this FILE")
	f.StringSliceVar(&w.Results, "result", nil, "only runs with this RESULT: "+strings.Join(runs.ResultNames, ", "))
	f.StringVar(&w.Since, "since", "", "only runs that began at WHEN or later: an age such as 12h or 30d, or a date such as 2026-02-28")
	f.StringVar(&w.Before, "before", "", "only runs that began before WHEN")
	f.BoolVar(&w.OnlyUnfinished, "open", false, "only unfinished runs")
	_ = cmd.RegisterFlagCompletionFunc("result", cobra.FixedCompletions(runs.ResultNames, cobra.ShellCompDirectiveNoFileComp))
}

// hasFilterFlag reports whether any filter flag is set.
func hasFilterFlag(cmd *cobra.Command) bool {
	return slices.ContainsFunc(filterFlags, cmd.Flags().Changed)
}

// listRuns returns the runs that match the flags, newest first. It refuses a flag without a value, for example from an
// empty shell variable, because it would match all runs.
func listRuns(cmd *cobra.Command, filter *runs.Filter) ([]journal.RunSummary, error) {
	for _, name := range filterFlags {
		f := cmd.Flags().Lookup(name)
		if value := strings.Trim(f.Value.String(), "[]"); f.Changed && (value == "" || value == "false") {
			return nil, usageError("--%s=%q would match all runs: give it another value, or leave it out", name, value)
		}
	}
	return filter.List(time.Now())
}

// printNoRuns prints why a list of runs is empty.
func (a *app) printNoRuns(cmd *cobra.Command) error {
	message := "There are no runs yet."
	if hasFilterFlag(cmd) {
		message = "No run matches. Use playhead runs without flags to list all runs."
	}
	_, err := fmt.Fprintln(a.stderr, message)
	return err
}

func newForkCmd(a *app) *cobra.Command {
	var at int
	cmd := &cobra.Command{
		Use:   "fork RUN",
		Short: "Fork a run at its newest event or an earlier one",
		Long: `Fork a run at its newest event or an earlier one, and print the id of the
fork. To continue the fork, use playhead resume. The fork has all events of
RUN up to that event; RUN stays as it is. The effects of commands and tools
are neither undone nor repeated.`,
		Args:              exactlyOneArg(runArgument),
		ValidArgsFunction: completeOneRunID,
	}
	cmd.RunE = a.runE(func(cmd *cobra.Command, args []string) error {
		id, err := journal.DefaultStore().Fork(args[0], at, time.Now())
		if err != nil {
			return &exitError{exitUsage, err}
		}
		_, err = fmt.Fprintln(a.stdout, id)
		return err
	})
	cmd.Flags().IntVar(&at, "at", 0, "the number of the EVENT after which to fork (default: the newest)")
	return cmd
}
