package main

import (
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
	"playhead/engine/sanitize"
	"playhead/plain"
)

// commands are what a person can have done in lines that takes more than the session.
func (r *runner) commands() []plain.Command {
	return []plain.Command{
		{Name: "coverage", Help: "routes that no run has taken", Do: r.neverTaken},
		{Name: "compare", Takes: "[RUN]", Help: "beside another run; without RUN: which there are", Do: r.besideAnother},
		{Name: "fork", Takes: "[EVENT]", Help: "a run of its own, of now or of after EVENT", Do: r.forkAt},
		{Name: "write-back", Takes: "[yes]", Help: "edits as changes of the document, or write them", Do: func(arg string) error {
			return r.edits(r.config.Run.ID(), arg == "yes")
		}},
		{Name: "export", Takes: "[KIND [FILE]]", Help: "a report or scenario: md, html, json, scenario", Do: r.exportAs},
	}
}

func (r *runner) events() []machine.Event { return r.session.Watch().Take().Events }

// neverTaken lists the routes that neither this run nor another one has taken.
func (r *runner) neverTaken(string) error {
	others, err := othersOf(&r.config)
	if err != nil {
		return err
	}
	known, err := others.than(r.config.Run.ID())
	if err != nil {
		return err
	}
	cover := routes.Of(r.config.Plan).Cover(append(known.Runs, routes.Roads(r.events())))
	n := cover.Routes()
	if n.Total == 0 {
		fmt.Fprintln(r.out, "  the document writes no routes: its steps follow each other")
		return nil
	}
	fmt.Fprintf(r.out, "  %d of %s taken, by this run and %s\n", n.Taken, plural(n.Total, "route"), plural(len(known.Runs), "other"))
	for _, e := range cover.Never() {
		fmt.Fprintf(r.out, "  never: %s\n", sanitize.Plain(cover.Name(e)))
	}
	return nil
}

func (r *runner) besideAnother(run string) error {
	if run != "" {
		c, err := beside(r.config.Run.Folder, r.events(), run)
		if err != nil {
			return err
		}
		return plain.Compare(r.out, c, r.colours(r.options))
	}
	all, err := otherRuns(r.config.Run.Folder)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New("there is no other run of this document")
	}
	return writeRuns(r.out, all, r.width())
}

func (r *runner) forkAt(event string) error {
	events := r.events()
	at := events[len(events)-1].Seq
	if event != "" {
		n, err := strconv.Atoi(event)
		if err != nil {
			return fmt.Errorf("%q is no event: :history numbers them", event)
		}
		at = n
	}
	id, err := journal.Default().Fork(r.config.Run.ID(), at, time.Now())
	if err == nil {
		fmt.Fprintf(r.out, "  run %s is a fork; go on with: playhead resume %s\n", id, id)
	}
	return err
}

// exportAs writes a kind of export to a file, or under a name of its own.
func (r *runner) exportAs(arg string) error {
	kind, file, _ := strings.Cut(arg, " ")
	for _, e := range r.exports() {
		if suffix := strings.TrimPrefix(filepath.Ext(e.File()), "."); kind != suffix && kind != e.Name && !(kind == "" && suffix == "md") {
			continue
		}
		if file = strings.TrimSpace(file); file == "" {
			file = e.File()
		}
		path, err := e.Write(file, false)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s exists: give another name, :export %s FILE", file, kind)
		}
		if err == nil {
			fmt.Fprintf(r.out, "  written to %s\n", sanitize.Plain(path))
		}
		return err
	}
	return fmt.Errorf("there is no kind %q: there is md, html, json, scenario", kind)
}

// typedAt gives a person in lines their own programs, if they are at a terminal.
func (r *runner) typedAt(c *plain.Config) {
	c.Typing, _ = r.in.(*os.File)
	if c.Typing == nil || !isTerminal(r.in) || !isTerminal(r.out) {
		return
	}
	c.Write = func(text string) (changed string, err error) {
		err = onDraft(text, func(path string) error {
			if err := r.hand(outside.Editor(path)); err != nil {
				return err
			}
			after, err := os.ReadFile(path)
			changed = strings.TrimSuffix(string(after), "\n")
			return err
		})
		return changed, err
	}
	c.Show = func(text string) error {
		return onDraft(text, func(path string) error {
			if pager := os.Getenv("PAGER"); pager != "" {
				return r.hand(outside.Program(pager, path))
			}
			return r.hand(outside.Editor(path))
		})
	}
	c.Clip = func(text string) error {
		fmt.Fprint(r.out, ansi.SetSystemClipboard(text))
		if system := systemClipboard(); system != nil {
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
func (r *runner) hand(cmd *exec.Cmd) error {
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r.in, r.out, r.err
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("what it was opened in ended with %w", err)
	}
	return nil
}
