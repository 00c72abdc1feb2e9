package lines

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/engine/sanitize"
	"playhead/engine/show"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// RunCommands are the commands on a run as a whole, live or recorded: coverage, comparison, exports
// and forks. They do not change the run.
type RunCommands struct {
	Plan   *plan.Plan
	Folder journal.Folder
	Events func() []machine.Event // that there are, or that show
	Out    io.Writer
	Colour bool
	Width  int // of the terminal that Out is; 0: it is none
}

// List returns the commands.
func (c RunCommands) List() []Command {
	return []Command{
		{Name: "coverage", Help: "routes that no run has taken", Do: c.coverage},
		{Name: "files", Help: "files that the run changed, as diffs", Do: c.files},
		{Name: "compare", Takes: "[RUN]", Help: "compare with RUN; without it, list runs", Do: c.compare},
		{Name: "fork", Takes: "[EVENT]", Help: "fork now or after EVENT", Do: c.fork},
		{Name: "export", Takes: "[KIND [FILE]]", Help: "save md, html, json, scenario or output", Do: c.export},
	}
}

// files prints the changes that the run made in files.
func (c RunCommands) files(string) error {
	all := engine.FileDiffs(c.Folder, c.Events())
	if len(all) == 0 {
		return engine.ErrNoChangedFiles
	}
	for _, f := range all {
		if f.Problem != "" {
			fmt.Fprintf(c.Out, "%s: %s\n", sanitize.Plain(f.Path), sanitize.Plain(f.Problem))
			continue
		}
		if err := engine.WriteDiff(c.Out, f.Path, f.Old, f.New); err != nil {
			return err
		}
	}
	return nil
}

// coverage lists the routes that neither this run nor another one has taken.
func (c RunCommands) coverage(string) error {
	src, err := c.Folder.Source()
	if err != nil {
		return err
	}
	t := track.New(c.Plan)
	t.Fold(c.Events()...)
	known, err := runs.NewCoverage(src.OriginalDocument, t.Plan).Others(c.Folder.ID())
	if err != nil {
		return err
	}
	taken := routes.Of(t.Plan).Cover(append(known.Runs, routes.RoutesTaken(c.Events())))
	n := taken.Routes()
	if n.Total == 0 {
		fmt.Fprintln(c.Out, "  the document has no written routes: its steps run in order")
		return nil
	}
	fmt.Fprintf(c.Out, "  %d of %s taken, by this run and %s\n", n.TakenCount, wording.Count(n.Total, "route"), wording.Count(len(known.Runs), "other"))
	for _, e := range taken.Untaken() {
		fmt.Fprintf(c.Out, "  not taken: %s\n", sanitize.Plain(taken.Name(e)))
	}
	return nil
}

func (c RunCommands) compare(run string) error {
	if run != "" {
		both, err := runs.Compare(c.Folder, c.Events(), run)
		if err != nil {
			return err
		}
		return Compare(c.Out, both, c.Colour)
	}
	all, err := runs.Others(c.Folder)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New("there is no other run of this document")
	}
	return show.WriteRuns(c.Out, all, c.Width)
}

func (c RunCommands) fork(event string) error {
	events := c.Events()
	if len(events) == 0 {
		return errors.New("there are no events yet to fork from")
	}
	at := events[len(events)-1].Seq
	if event != "" {
		n, err := strconv.Atoi(event)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not an event: :history numbers them", event)
		}
		at = n
	}
	id, err := journal.Default().Fork(c.Folder.ID(), at, time.Now())
	if err == nil {
		t := track.New(c.Plan)
		t.Fold(events...)
		fmt.Fprintf(c.Out, "  run %s is a fork; resume with: %s\n", id, wording.Resume(id, t.Secrets))
	}
	return err
}

// export writes a kind of export to a file, or under a name of its own.
func (c RunCommands) export(arg string) error {
	kind, file, _ := strings.Cut(arg, " ")
	for _, e := range c.exports() {
		if suffix := strings.TrimPrefix(filepath.Ext(e.File()), "."); kind != suffix && kind != e.Name && !(kind == "" && suffix == "md") {
			continue
		}
		if file = strings.TrimSpace(file); file == "" {
			file = e.File()
		}
		path, err := e.Write(file, false)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s exists: give another name, :export %s FILE", file, cmp.Or(kind, "md"))
		}
		if err == nil {
			fmt.Fprintf(c.Out, "  written to %s\n", sanitize.Plain(path))
		}
		return err
	}
	if kind == finalOutput {
		return errors.New("there is no final output: only a completed run has one")
	}
	return fmt.Errorf("there is no export kind %q: use md, html, json, scenario or output", kind)
}

// finalOutput is the kind of export that is what the run has made.
const finalOutput = "output"

// exports returns what the run can be written as, its final output last if there is one.
func (c RunCommands) exports() []runs.Export {
	all := runs.Exports(c.Plan, c.Folder.ID)
	t := track.New(c.Plan)
	t.Fold(c.Events()...)
	if final, is := t.Final(); is {
		all = append(all, runs.Export{
			Name:  finalOutput,
			File:  func() string { return final.Name(c.Plan.Title) },
			Write: func(path string, over bool) (string, error) { return final.SaveAt(path, c.Plan.Title, over) },
		})
	}
	return all
}
