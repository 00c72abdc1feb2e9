package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"playhead/engine/runs"
	"playhead/tui/lines"
)

func newCompareCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Show where two runs of a document diverge, and why",
		Long: `Compare two runs of the same document. The output lists the steps that both
runs have (~ marks a difference), those that only the first has (-) and those
that only the second has (+). It also shows where the paths diverge, which
routes and values made them diverge, and which lines of output differ. Steps
match even if the document was edited between the runs.

Exit status: 0 if both took the same path, 1 if their paths diverge, 2 for
bad usage.`,
		Example: "playhead compare 7f3a 9b20",
		Args:    exactlyTwoRuns,
	}
	cmd.RunE = a.runE(func(_ *cobra.Command, args []string) error { return a.compare(args[0], args[1], asJSON) })
	cmd.ValidArgsFunction = completeRunIDs
	cmd.Flags().BoolVar(&asJSON, "json", false, oneJSONObjectHelp)
	return cmd
}

func exactlyTwoRuns(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return usageError("%s needs two RUNs: use playhead runs to list them", cmd.CommandPath())
	}
	return nil
}

func (a *app) compare(first, second string, asJSON bool) error {
	c, err := runs.CompareByID(first, second)
	if err != nil {
		return err
	}
	if err := c.ReadTextDifferences(); err != nil {
		return err
	}
	if asJSON {
		err = json.NewEncoder(a.jsonWriter()).Encode(c)
	} else {
		err = lines.PrintComparison(a.stdout, c, a.mayUseColours(viewOptions{}))
	}
	if err == nil && c.Divergence != nil {
		return errorOfExitStatus(exitFailed)
	}
	return err
}
