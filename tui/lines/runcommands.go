package lines

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/linediff"
	"playhead/engine/machine"
	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/engine/sanitize"
	"playhead/engine/shell"
	"playhead/engine/show"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// RunCommands are the commands on a run as a whole, live or recorded: coverage, comparison, exports
// and forks. They do not change the run.
type RunCommands struct {
	Plan       *plan.Plan
	RunFolder  journal.Folder
	Events     func() []machine.Event  // returns the events of the run, or in a replay those played so far
	Leftovers  func() []shell.Leftover // returns the leftover processes of a live run; nil: the run is recorded
	Out        io.Writer
	IsColoured bool
	Width      int // the width of the terminal Out; 0: Out is not a terminal
}

// Commands returns the commands.
func (c RunCommands) Commands() []Command {
	out := []Command{
		{Name: "coverage", Help: "routes that no run has taken", Do: c.printUntakenRoutes},
		{Name: "files", Help: "files that tool calls changed, as diffs", Do: c.printChangedFiles},
		{Name: "compare", Usage: "[RUN]", Help: "compare with RUN; without it, list runs", Do: c.compareOrListRuns},
		{Name: "fork", Usage: "[EVENT]", Help: "fork now or after EVENT", Do: c.forkRun},
		{Name: "export", Usage: "[KIND [FILE]]", Help: "save md, html, json, scenario or output", Do: c.exportRun},
	}
	if c.Leftovers != nil {
		out = append(out, Command{Name: "end-leftovers", Usage: "[yes]", Help: "list leftover processes; with yes, end them", Do: c.listOrEndLeftovers})
	}
	return out
}

// listOrEndLeftovers lists leftover processes, or with "yes" ends them.
func (c RunCommands) listOrEndLeftovers(arg string) error {
	leftovers := c.Leftovers()
	switch {
	case len(leftovers) == 0:
		return errors.New("there are no leftover processes")
	case arg == "yes":
		fmt.Fprintf(c.Out, "  %s\n", shell.EndLeftoversAndReport(leftovers))
	default:
		fmt.Fprintf(c.Out, "  %s\n  Type :end-leftovers yes to end them.\n", shell.LeftoverNamesText(leftovers))
	}
	return nil
}

// printChangedFiles prints the changes that the run made in files, as diffs.
func (c RunCommands) printChangedFiles(string) error {
	all := engine.FileDiffs(c.RunFolder, c.Events())
	if len(all) == 0 {
		return engine.ErrNoChangedFiles
	}
	for _, f := range all {
		if f.Problem != "" {
			fmt.Fprintf(c.Out, "%s: %s\n", sanitize.Plain(f.Path), sanitize.Plain(f.Problem))
			continue
		}
		if err := linediff.WriteUnified(c.Out, f.Path, f.Hunks()); err != nil {
			return err
		}
	}
	return nil
}

// printUntakenRoutes lists the routes that neither this run nor another one has taken.
func (c RunCommands) printUntakenRoutes(string) error {
	src, err := c.RunFolder.SourcePaths()
	if err != nil {
		return err
	}
	t := track.New(c.Plan)
	t.Fold(c.Events()...)
	known, err := runs.NewCoverageCache(src.OriginalDocument).ReadRoutesOfOtherRuns(t.Plan, c.RunFolder.ID())
	if err != nil {
		return err
	}
	taken := routes.GraphOf(t.Plan).CoverageOf(append(known.RouteLists, routes.RoutesTakenBy(c.Events())))
	n := taken.Counts()
	if n.Total == 0 {
		fmt.Fprintln(c.Out, "  "+routes.NoExplicitRoutesText)
		return nil
	}
	takers := "this run"
	if others := len(known.RouteLists); others > 0 {
		takers += " and " + plan.CountText(others, "other")
	}
	fmt.Fprintf(c.Out, "  %d of %s taken by %s\n", n.TakenCount, plan.CountText(n.Total, "route"), takers)
	for _, e := range taken.UntakenEdges() {
		fmt.Fprintf(c.Out, "  not taken: %s\n", sanitize.Plain(taken.EdgeName(e)))
	}
	return nil
}

func (c RunCommands) compareOrListRuns(run string) error {
	if run != "" {
		both, err := runs.Compare(c.RunFolder, c.Events(), run)
		if err != nil {
			return err
		}
		return PrintComparison(c.Out, both, c.IsColoured)
	}
	all, err := runs.OtherRuns(c.RunFolder)
	if err != nil {
		return err
	}
	return show.WriteRuns(c.Out, all, c.Width)
}

func (c RunCommands) forkRun(event string) error {
	events := c.Events()
	if len(events) == 0 {
		return errors.New("there are no events yet to fork from")
	}
	at := events[len(events)-1].Seq
	if event != "" {
		n, err := parseEventNumber(event)
		if err != nil {
			return err
		}
		at = n
	}
	id, err := journal.DefaultStore().Fork(c.RunFolder.ID(), at, time.Now())
	if err == nil {
		t := track.New(c.Plan)
		t.Fold(events...)
		fmt.Fprintf(c.Out, "  forked as run %s; resume with: %s\n", id, wording.ResumeCommand(id, t.SecretInputs))
	}
	return err
}

// exportRun writes an export of a kind to a file. Without a file name, it uses the default name of the
// export.
func (c RunCommands) exportRun(arg string) error {
	kind, file, _ := strings.Cut(arg, " ")
	for _, e := range c.availableExports() {
		if suffix := strings.TrimPrefix(filepath.Ext(e.SuggestName()), "."); kind != suffix && kind != e.Name && !(kind == "" && suffix == "md") {
			continue
		}
		if file = strings.TrimSpace(file); file == "" {
			file = e.SuggestName()
		}
		path, err := e.Write(file, false)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s exists: to use another name, type :export %s FILE", file, cmp.Or(kind, "md"))
		}
		if err == nil {
			fmt.Fprintf(c.Out, "  saved in %s\n", sanitize.Plain(path))
		}
		return err
	}
	if kind == finalOutputKind {
		return errors.New("there is no final output: only a completed run that produced output has one")
	}
	return fmt.Errorf("there is no export kind %q: use md, html, json, scenario or output", kind)
}

// finalOutputKind is the kind of export that has the run's final output.
const finalOutputKind = "output"

// availableExports returns the available exports of the run. The final output is the last one, if there is one.
func (c RunCommands) availableExports() []runs.Export {
	all := runs.Exports(c.Plan, c.RunFolder.ID)
	t := track.New(c.Plan)
	t.Fold(c.Events()...)
	if final, ok := runs.FinalOutputExport(t); ok {
		final.Name = finalOutputKind
		all = append(all, final)
	}
	return all
}
