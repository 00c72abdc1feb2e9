package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"playhead/engine/compare"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/setup"
	"playhead/parse/plan"
	"playhead/tui/lines"
)

func newCompareCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare RUN RUN",
		Short: "Show where two runs of a document part, and why",
		Long: `Compare two runs of the same document: the steps that both went through (~
if something differs), the steps of only the first (-) or only the second
(+), where their paths part, the routes and values that made them part, and
which lines of output differ. Steps are matched by what survives an edit, so
the document may have changed in between.

Exit status: 0 if both took the same path, 1 if their paths part, 2 for bad
usage.`,
		Example: "playhead compare 7f3a 9b20",
		Args:    twoRuns,
	}
	cmd.RunE = a.do(func(_ *cobra.Command, args []string) error { return a.compare(args[0], args[1], asJSON) })
	cmd.ValidArgsFunction = completeRuns
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func twoRuns(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return usage("%s needs two RUNs: playhead runs lists them", cmd.CommandPath())
	}
	return nil
}

func (a *app) compare(first, second string, asJSON bool) error {
	x, err := sideOf(first)
	if err != nil {
		return err
	}
	y, err := sideOf(second)
	if err != nil {
		return err
	}
	if x.Plan.Format != y.Plan.Format {
		return usage("%s is a run of a %s and %s of a %s: two runs of one document are compared", x.Run, x.Plan.Kind, y.Run, y.Plan.Kind)
	}
	c := compare.Runs(x, y)
	if err := c.Read(); err != nil {
		return err
	}
	if asJSON {
		err = json.NewEncoder(a.json()).Encode(c)
	} else {
		err = lines.Compare(a.out, c, a.colours(viewOptions{}))
	}
	if err == nil && c.Parting != nil {
		return silently(exitFailed)
	}
	return err
}

// sideOf reads a run to be compared.
func sideOf(id string) (compare.Side, error) {
	h, err := journal.Default().Read(id)
	if err != nil {
		return compare.Side{}, &failure{exitUsage, err}
	}
	return asSide(h.Folder, machine.Chain(h.Events))
}

// otherRuns are the runs of a run's document but for that one, newest first.
func otherRuns(f journal.Folder) ([]journal.Summary, error) {
	src, err := f.Source()
	if err != nil {
		return nil, err
	}
	all, err := journal.Default().Of(src.OriginalDocument)
	return slices.DeleteFunc(all, func(s journal.Summary) bool { return s.Run == f.ID() }), err
}

// beside lays a run, as far as it is shown, beside another one.
func beside(f journal.Folder, shown []machine.Event, with string) (*compare.Comparison, error) {
	this, err := asSide(f, shown)
	if err != nil {
		return nil, err
	}
	that, err := sideOf(with)
	if err != nil {
		return nil, err
	}
	return compare.Runs(this, that), nil
}

// asSide is a run as a side of a comparison, as far as events go. Where its documents
// are gone, it is compared by the ids of its steps.
func asSide(f journal.Folder, events []machine.Event) (compare.Side, error) {
	s := compare.Side{Run: f.ID(), Events: events, Open: func(ref *machine.LogRef) (io.ReadCloser, error) { return openLog(f, ref) }}
	if len(events) == 0 {
		return s, usage("run %s has recorded nothing", f.ID())
	}
	started, ok := events[0].Body.(*machine.Started)
	if !ok {
		return s, usage("the journal of run %s does not begin with its start", f.ID())
	}
	var err error
	if s.Plan, _, err = setup.LoadCopy(f, started); err != nil {
		s.Plan = &plan.Plan{Path: started.Path, Format: started.Format, Kind: started.Format, Title: started.Title}
		return s, nil
	}
	s.Sources, err = f.Sums()
	return s, err
}

// openLog opens what an action of a run printed.
func openLog(f journal.Folder, ref *machine.LogRef) (io.ReadCloser, error) {
	file, err := f.LogFile(ref.File).Open()
	if err != nil {
		return nil, fmt.Errorf("what run %s printed cannot be read: %w", f.ID(), err)
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(file, ref.Offset, ref.Bytes), file}, nil
}
