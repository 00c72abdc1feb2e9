package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"playhead/engine/journal"
)

func newForkCmd(a *app) *cobra.Command {
	var at int
	cmd := &cobra.Command{
		Use:   "fork RUN",
		Short: "Start a new run from an existing one, as it is or as it was",
		Long: `Start a new run that has done everything RUN has done, or had done after one
of its events, and print its id: playhead resume continues it. RUN stays as
it is. What commands and tools have done is not undone, and not done again.`,
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
	cmd.Flags().IntVar(&at, "at", 0, "the number of the EVENT after which to fork (default: the newest)")
	return cmd
}
