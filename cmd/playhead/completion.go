package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// addCompletion adds the library's command for completions of shells, and has it refuse a shell
// that it does not know.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		return // the library has none
	}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var shells []string
		for _, c := range cmd.Commands() {
			shells = append(shells, c.Name())
		}
		return usage("there is no completion for the shell %q: choose from %s", args[0], strings.Join(shells, ", "))
	}
	cmd.RunE = func(*cobra.Command, []string) error { return cmd.Help() }
}
