package main

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"playhead/parse/near"
	"playhead/parse/rundown"
	"playhead/tui/front"
)

const rootLong = `Playhead is a debugger for procedures. It steps through runbooks and
playbooks in the terminal: it runs their commands and sends their prompts to
a model. Where only a person can judge, it stops and asks you. At every
decision it shows which line decided, and why.

With a FILE, it opens that document. Without one, it lists what you can
open: recent runs, the documents in this folder (or the one you name) and
below it, and the built-in examples:

  playhead example:release
  playhead example:triage`

const rootExample = `# step through a runbook
playhead deploy.runbook.md

# report mistakes, and show where each step can lead
playhead check deploy.runbook.md
playhead show deploy.runbook.md

# in a script: ask nobody, give answers in advance
playhead run deploy.runbook.md --headless --trust --answer 5=yes`

// newRootCmd returns the whole command line. The root command itself runs a FILE, or lets a person choose one.
func newRootCmd(a *app) *cobra.Command {
	var o runOptions
	root := &cobra.Command{
		Use:     "playhead [FILE|FOLDER]",
		Short:   "Step through runbooks and playbooks in the terminal",
		Long:    rootLong,
		Example: rootExample,
		Args:    cobra.ArbitraryArgs,
	}
	root.RunE = a.runE(func(cmd *cobra.Command, args []string) error {
		if err := o.viewOptions.checkExclusive(); err != nil {
			return err
		}
		chooses := len(args) == 0 || len(args) == 1 && front.IsFolderOfDocuments(args[0])
		switch mode := a.chooseViewMode(o.viewOptions); {
		case chooses && mode == viewScreen:
			return a.chooseEntryOnScreen(cmd.Context(), &o, firstArgOrEmpty(args))
		case chooses && a.takesLines(mode):
			return a.chooseEntryInLines(cmd.Context(), &o, firstArgOrEmpty(args))
		case len(args) == 0 && cmd.Flags().NFlag() > 0:
			return usageError("these flags need a FILE, such as deploy.runbook.md or example:release")
		case len(args) == 0:
			return cmd.Help()
		}
		if _, err := os.Stat(args[0]); errors.Is(err, os.ErrNotExist) && looksLikeCommand(args[0]) {
			return usageError("%s is neither a file nor a command: %s", args[0], suggestCommand(cmd, args[0]))
		}
		return a.runDocument(cmd.Context(), &o, args)
	})
	o.register(root.Flags())
	root.PersistentFlags().BoolP("help", "h", false, "show this help")
	root.Flags().BoolP("version", "v", false, "print the version")
	o.registerCompletion(root)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelpCmd(a, root))
	root.AddCommand(
		newRunCmd(a), newCheckCmd(a), newShowCmd(a), newTestCmd(a),
		newRunsCmd(a), newResumeCmd(a), newWatchCmd(a), newAttachCmd(a), newDoCmd(a), newMCPCmd(a), newForkCmd(a), newEditsCmd(a), newReplayCmd(a), newCompareCmd(a), newExportCmd(a), newRmCmd(a), newConfigCmd(a), newThemesCmd(a), newVersionCmd(a),
	)
	addCompletionCmd(root)
	return root
}

// suggestCommand proposes the command that is like a mistyped one, else where they are listed.
func suggestCommand(root *cobra.Command, word string) string {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	if like := near.MostSimilar(word, names); like != "" {
		return "did you mean playhead " + like + "?"
	}
	return commandListHint
}

// newHelpCmd returns the help command, which refuses unknown commands.
func newHelpCmd(a *app, root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: a.runE(func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return usageError("there is no command %q: %s", strings.Join(args, " "), commandListHint)
			}
			return cmd.Help()
		}),
	}
}

// allowAtMostOneFlag lets a command fail if more than one of the named flags is set.
func allowAtMostOneFlag(cmd *cobra.Command, names ...string) {
	cmd.PreRunE = func(*cobra.Command, []string) error {
		set := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !cmd.Flags().Changed(name) })
		if len(set) > 1 {
			return usageError("--%s cannot be combined: choose one", strings.Join(set, " and --"))
		}
		return nil
	}
}

// looksLikeCommand reports whether a word is more likely a mistyped command than a missing file.
func looksLikeCommand(word string) bool {
	for _, c := range word {
		if c == '.' || c == '/' || c == ':' {
			return false
		}
	}
	return true
}

// noArgs returns an error if there are arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError("%s takes no arguments: remove %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// atLeastOneFile returns an error if no FILE is given.
func atLeastOneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError("%s needs a FILE, such as deploy.runbook.md or example:release", cmd.CommandPath())
	}
	return nil
}

const (
	runArgument     = "a RUN (use playhead runs to list all runs)" // what errors call the argument that is a run
	commandListHint = "playhead --help lists the commands"
)

// exactlyOneArg returns a check for exactly one argument. Errors call the argument what.
func exactlyOneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 1:
			return nil
		case 0:
			return usageError("%s needs %s", cmd.CommandPath(), what)
		default:
			return usageError("%s takes one argument, %s: remove %q", cmd.CommandPath(), what, args[1])
		}
	}
}

// runRDReplacement runs Playhead's replacement for the command rd in scenarios.
func runRDReplacement() int {
	return rundown.RunRD(os.Args[1:], os.Getenv("PLAYHEAD_ATTEMPT"), os.Stdout, os.Stderr)
}

// addCompletionCmd adds the library's command for shell completions, and makes it reject unknown shells.
func addCompletionCmd(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		return // the library has none
	}
	cmd.Short = "Print the completion script for a shell"
	cmd.Long = "Print the script with which a shell completes playhead's commands, flags and\nvalues. To see how to use the script, add --help after the name of the shell."
	for _, shell := range cmd.Commands() {
		shell.Short = "Print the completion script for " + shell.Name()
	}
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var shells []string
		for _, c := range cmd.Commands() {
			shells = append(shells, c.Name())
		}
		return usageError("there is no completion for the shell %q: choose from %s", args[0], strings.Join(shells, ", "))
	}
	cmd.RunE = func(*cobra.Command, []string) error { return cmd.Help() }
}
