package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/outside"
	"playhead/engine/routes"
	"playhead/engine/runs"
	"playhead/engine/sanitize"
	"playhead/engine/show"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/infile"
	"playhead/parse/plan"
	"playhead/tui/lines"
)

// subject is a run that commands in lines are about: one that goes on, or a recorded one.
type subject struct {
	*app
	options viewOptions
	plan    *plan.Plan
	folder  journal.Folder
	events  func() []machine.Event // that there are, or that show
}

// commands are what a person can have done in lines that takes more than the session.
func (r *runner) commands() []lines.Command {
	s := subject{app: r.app, options: r.options, plan: r.Config.Plan, events: r.session.Events}
	if r.Config.Run != nil {
		s.folder = r.Config.Run.Folder
	}
	return append(s.commands(), lines.Command{
		Name: "end-leftovers", Takes: "[yes]", Help: "what steps left running, or end it",
		Do: func(arg string) error { return r.leftBehind(arg == "yes") },
	}, lines.Command{
		Name: "write-back", Takes: "[yes]", Help: "edits as changes of the document, or write them",
		Do: func(arg string) error { return r.edits(s.folder.ID(), arg == "yes") },
	})
}

// commands are those that change nothing of the run.
func (s subject) commands() []lines.Command {
	return []lines.Command{
		{Name: "coverage", Help: "routes that no run has taken", Do: s.neverTaken},
		{Name: "compare", Takes: "[RUN]", Help: "beside another run; without RUN: which there are", Do: s.besideAnother},
		{Name: "fork", Takes: "[EVENT]", Help: "a run of its own, of now or of after EVENT", Do: s.forkAt},
		{Name: "export", Takes: "[KIND [FILE]]", Help: "save md, html, json, scenario or output", Do: s.exportAs},
	}
}

// neverTaken lists the routes that neither this run nor another one has taken.
func (s subject) neverTaken(string) error {
	src, err := s.folder.Source()
	if err != nil {
		return err
	}
	known, err := runs.NewCoverage(src.OriginalDocument, s.plan).Except(s.folder.ID())
	if err != nil {
		return err
	}
	cover := routes.Of(s.plan).Cover(append(known.Runs, routes.Roads(s.events())))
	n := cover.Routes()
	if n.Total == 0 {
		fmt.Fprintln(s.out, "  the document writes no routes: its steps follow each other")
		return nil
	}
	fmt.Fprintf(s.out, "  %d of %s taken, by this run and %s\n", n.Taken, wording.Count(n.Total, "route"), wording.Count(len(known.Runs), "other"))
	for _, e := range cover.Never() {
		fmt.Fprintf(s.out, "  never: %s\n", sanitize.Plain(cover.Name(e)))
	}
	return nil
}

func (s subject) besideAnother(run string) error {
	if run != "" {
		c, err := runs.Compare(s.folder, s.events(), run)
		if err != nil {
			return err
		}
		return lines.Compare(s.out, c, s.colours(s.options))
	}
	all, err := runs.Others(s.folder)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New("there is no other run of this document")
	}
	return show.WriteRuns(s.out, all, s.width())
}

func (s subject) forkAt(event string) error {
	events := s.events()
	if len(events) == 0 {
		return errors.New("nothing has happened yet that could be forked")
	}
	at := events[len(events)-1].Seq
	if event != "" {
		n, err := strconv.Atoi(event)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no event: :history numbers them", event)
		}
		at = n
	}
	id, err := journal.Default().Fork(s.folder.ID(), at, time.Now())
	if err == nil {
		t := track.New(s.plan)
		t.Fold(events...)
		fmt.Fprintf(s.out, "  run %s is a fork; go on with: %s\n", id, wording.Resume(id, t.Secrets))
	}
	return err
}

// exportAs writes a kind of export to a file, or under a name of its own.
func (s subject) exportAs(arg string) error {
	kind, file, _ := strings.Cut(arg, " ")
	for _, e := range s.exports() {
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
			fmt.Fprintf(s.out, "  written to %s\n", sanitize.Plain(path))
		}
		return err
	}
	if kind == finalOutput {
		return errors.New("there is no final output: it comes with the end of a run that completes")
	}
	return fmt.Errorf("there is no kind %q: there is md, html, json, scenario, output", kind)
}

// finalOutput is the kind of export that is what the run has made.
const finalOutput = "output"

// exports are what the run can be written as, its final output last if there is one.
func (s subject) exports() []runs.Export {
	all := runs.Exports(s.plan, s.folder.ID)
	t := track.New(s.plan)
	t.Fold(s.events()...)
	if final, is := t.Final(); is {
		all = append(all, runs.Export{
			Name:  finalOutput,
			File:  func() string { return final.Name(s.plan.Title) },
			Write: func(path string, over bool) (string, error) { return final.SaveAt(path, s.plan.Title, over) },
		})
	}
	return all
}

// typedAt gives a person in lines their own programs, if they are at a terminal.
func (r *runner) typedAt(c *lines.Config) {
	if !isTerminal(r.in) {
		c.Script = true
		return
	}
	c.Typing, _ = r.in.(*os.File)
	r.programs(c)
}

// programs lets texts be written, shown and copied with what a person at a terminal has.
func (a *app) programs(c *lines.Config) {
	if !isTerminal(a.in) || !isTerminal(a.out) {
		return
	}
	c.Write = func(text string) (changed string, err error) {
		err = onDraft(text, func(path string) error {
			if err := a.hand(outside.Editor(path)); err != nil {
				return err
			}
			after, err := infile.Read(path, infile.Given)
			changed = strings.TrimSuffix(string(after), "\n")
			return err
		})
		return changed, err
	}
	c.Show = func(text string) error {
		return onDraft(text, func(path string) error {
			if pager := os.Getenv("PAGER"); pager != "" {
				return a.hand(outside.Program(pager, path))
			}
			return a.hand(outside.Editor(path))
		})
	}
	c.Clip = a.clip()
}

// clip copies a text to the terminal's clipboard and the system's; nil where there is none.
func (a *app) clip() func(text string) error {
	system := systemClipboard()
	if os.Getenv("TERM") == "dumb" { // it would print what is for a clipboard
		return system
	}
	return func(text string) error {
		fmt.Fprint(a.out, ansi.SetSystemClipboard(text))
		if system != nil {
			_ = system(text) // the terminal has it, or nobody can
		}
		return nil
	}
}

// onDraft has something done with a text in a file.
func onDraft(text string, do func(path string) error) error {
	path, err := outside.Draft(text)
	if err != nil {
		return err
	}
	defer os.RemoveAll(filepath.Dir(path))
	return do(path)
}

// hand gives the terminal to another program until that ends.
func (a *app) hand(cmd *exec.Cmd) error {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.in, a.out, a.err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("the program it was opened in ended with %w", err)
	}
	return nil
}
