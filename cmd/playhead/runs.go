package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"playhead/engine/journal"
	"playhead/engine/sanitize"
)

func newRunsCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the runs there are, newest first",
		Args:  noArgs,
		RunE:  a.do(func(*cobra.Command, []string) error { return a.runs(asJSON) }),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

func (a *app) runs(asJSON bool) error {
	all, err := journal.Default().List()
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(a.out).Encode(append([]journal.Summary{}, all...))
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(a.err, "There are no runs yet.")
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "RUN\tSTARTED\tRESULT\tSTEP\tDOCUMENT")
	for _, r := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Run, r.Started.Local().Format(time.DateTime),
			resultWord(r.Result), sanitize.Plain(r.Step), sanitize.Plain(r.Path))
	}
	return w.Flush()
}

// resultWord is a run's result in the list, where an empty one needs a word.
func resultWord(result string) string {
	if result == "" {
		return "interrupted"
	}
	return result
}

func newRmCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rm RUN...",
		Short: "Remove runs, with all that they printed",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("playhead rm needs a RUN: playhead runs lists them")
			}
			return nil
		},
		RunE: a.do(func(_ *cobra.Command, args []string) error { return a.rm(args) }),
	}
}

// rm removes each run it can, and says of each one why it cannot.
func (a *app) rm(ids []string) error {
	failed := false
	for _, id := range ids {
		if err := journal.Default().Remove(id); err != nil {
			a.complain(err)
			failed = true
		}
	}
	if failed {
		return silently(exitUsage)
	}
	return nil
}
