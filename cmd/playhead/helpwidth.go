package main

import (
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What fang puts beside a flag's text: the margin, the dashes and gap of its name, and room
// for what the flag is without being given.
const (
	helpMargin  = 4
	helpBeside  = 5
	leastText   = 24
	helpDefault = 8
)

// wrapHelp breaks the texts of flags where the terminal ends, which fang leaves to it.
func (a *app) wrapHelp(cmd *cobra.Command) {
	width := a.width()
	if width == 0 {
		return
	}
	names := 0
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = max(names, len(f.Name)) })
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		f.Usage = ansi.Wrap(f.Usage, max(leastText, width-helpMargin-helpBeside-helpDefault-names), "")
	})
	for _, c := range cmd.Commands() {
		a.wrapHelp(c)
	}
}
