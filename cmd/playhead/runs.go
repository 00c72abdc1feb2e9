package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/charmbracelet/x/ansi"
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
		return json.NewEncoder(a.json()).Encode(append([]journal.Summary{}, all...))
	}
	if len(all) == 0 {
		_, err := fmt.Fprintln(a.err, "There are no runs yet.")
		return err
	}
	return writeRuns(a.out, all, a.width())
}

// writeRuns prints the table of runs. Where it is wider than the terminal, the
// beginnings of paths give way.
func writeRuns(out io.Writer, all []journal.Summary, width int) error {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "RUN\tSTARTED\tRESULT\tSTEP\t")
	for _, r := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t\n", r.Run, r.Since().Local().Format(time.DateTime), r.Word(), sanitize.Plain(whereOf(r)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i, line := range strings.Split(strings.TrimSuffix(table.String(), "\n"), "\n") {
		document := "DOCUMENT"
		if i > 0 {
			document = sanitize.Plain(all[i-1].Path)
		}
		if _, err := fmt.Fprintln(out, line+tailOf(document, width-ansi.StringWidth(line))); err != nil {
			return err
		}
	}
	return nil
}

// whereOf is where a run stands, and what it is a fork of.
func whereOf(r journal.Summary) string {
	if r.Fork == "" {
		return r.Step
	}
	return strings.TrimSpace(r.Step + " (fork of " + r.Fork + ")")
}

// tailOf is the end of a text that is wider than there is room, if it is a
// terminal's room.
func tailOf(text string, room int) string {
	if excess := ansi.StringWidth(text) - room; room > 0 && excess > 0 {
		return ansi.TruncateLeft(text, excess+1, "…")
	}
	return text
}

func newRmCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "rm RUN...",
		Short: "Remove runs, with all that they printed",
		Long:  "Remove runs, with all that they printed. Each RUN is written in full.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("playhead rm needs a RUN: playhead runs lists them")
			}
			return nil
		},
		RunE: a.do(func(_ *cobra.Command, args []string) error { return a.rm(args) }),
	}
}

// rm removes each run it can, and says of each one which it was, or why it cannot.
func (a *app) rm(ids []string) error {
	all, err := journal.Default().List()
	if err != nil {
		return err
	}
	failed := false
	for _, id := range ids {
		if err := a.remove(all, id); err != nil {
			a.complain(err)
			failed = true
		}
	}
	if failed {
		return silently(exitUsage)
	}
	return nil
}

// remove removes one run. The beginning of its id would do elsewhere; what cannot
// be undone takes the whole.
func (a *app) remove(all []journal.Summary, id string) error {
	i := slices.IndexFunc(all, func(r journal.Summary) bool { return r.Run == strings.ToLower(id) })
	if i < 0 {
		return usage("there is no run %q, written in full: playhead runs lists them", id)
	}
	r := all[i]
	if err := journal.Default().Remove(r.Run); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.out, "removed %s (%s, %s)\n", r.Run, sanitize.Plain(r.Path), r.Word())
	return err
}
