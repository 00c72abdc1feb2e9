package main

import (
	"cmp"
	"context"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/parse"
	"playhead/parse/plan"
)

// view is how a run is shown.
type view int

const (
	viewScreen view = iota // a person at the screen
	viewPlain              // a person and lines
	viewLines              // lines, and nobody there
	viewJSON               // events, and nobody there
)

func (v view) headless() bool { return v == viewLines || v == viewJSON }

// fit refuses ways to show a run that exclude each other.
func (o *viewOptions) fit() error {
	if o.json && o.plain {
		return usage("--json and --plain exclude each other: events are for programs, lines for people")
	}
	return nil
}

// view decides how to show a run on these streams. Where stdin is no terminal nobody is there,
// unless --plain says that what is piped in are a person's lines.
func (a *app) view(o viewOptions) view {
	switch {
	case o.json:
		return viewJSON
	case o.headless, !isTerminal(a.in) && !(o.plain && isPiped(a.in)):
		return viewLines
	case o.plain || !isTerminal(a.out) || os.Getenv("TERM") == "dumb":
		return viewPlain
	default:
		return viewScreen
	}
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// isPiped reports whether a stream is a file or another program's output: something can be
// read from it.
func isPiped(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&(os.ModeDevice|os.ModeDir) == 0
}

// width is how wide the terminal is that stdout is, 0 if it is none.
func (a *app) width() int {
	f, ok := a.out.(*stdout)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// colours reports whether output may be coloured.
func (a *app) colours(o viewOptions) bool {
	return !o.noColor && isTerminal(a.out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// runCommand runs a document from its first step.
func (a *app) runCommand(ctx context.Context, o *runOptions, args []string) error {
	if len(args) != 1 {
		return usage("one FILE at a time, and %q is one too many", args[1])
	}
	r, err := a.runner(&o.settings, o.viewOptions, o.artifactOptions)
	if err != nil {
		return err
	}
	r.endLeftovers = o.endLeftovers
	if r.config, r.missing, err = o.config(args[0], a.in, !r.view.headless()); err != nil {
		return err
	}
	r.notes = o.warnings(r.config.Inputs)
	if r.config.Plan.Runnable() {
		r.memory.Approve = o.approve
		if err := r.source(&o.modelOptions); err != nil {
			return err
		}
		o.policy(&r.config, o.Approve, r.view.headless(), o.trust)
		o.limitOptions.keep(&r.config, o.Limits)
	}
	return r.run(ctx, o.trust)
}

// config is what the flags make of a session, without its run. It names the inputs
// that have no value yet; asking says that a person can be asked for them.
func (o *runOptions) config(file string, in io.Reader, asking bool) (c engine.Config, missing []plan.Input, err error) {
	c = engine.Config{Options: o.kept(), Now: time.Now}
	if err = o.hold(&c); err != nil {
		return c, nil, err
	}
	if c.Answers, err = o.prepared(); err != nil {
		return c, nil, err
	}
	if err = o.surroundings(&c); err != nil {
		return c, nil, err
	}
	options, err := o.loading(in)
	if err != nil {
		return c, nil, err
	}
	options.Start = c.Dir
	if err = o.load(&c, file, options, asking); err != nil || !c.Plan.Runnable() {
		return c, nil, err
	}
	missing, err = o.fit(&c)
	return c, missing, err
}

// load loads the document, and keeps how that was done.
func (o *runOptions) load(c *engine.Config, file string, options parse.Options, asking bool) (err error) {
	if c.Plan, err = load(file, options); err != nil {
		return err
	}
	if err = o.loadFlags.fit(c.Plan); err != nil {
		return err
	}
	if asking {
		if c.Plan, options, err = promised(c.Plan, file, options); err != nil {
			return err
		}
	}
	c.Options.Load, err = kept(options.Flags)
	return err
}

// loading is how the document is loaded: with the inputs of a file as with those of
// flags.
func (o *runOptions) loading(in io.Reader) (parse.Options, error) {
	options, err := o.options(in)
	if err != nil {
		return options, err
	}
	given, err := o.given()
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		pairs = append(pairs, name+"="+plan.TextOf(given[name]))
	}
	if len(pairs) > 0 {
		options.Flags[inputFlag] = pairs
	}
	o.limits(options)
	if o.asksServer() {
		options.Aliases = o.aliases(cmp.Or(o.usual().Model, strings.TrimPrefix(o.source, serverSource)))
	}
	return options, err
}

// kept are the flags that shape the run, for when it is resumed.
func (o *runOptions) kept() machine.Options {
	k := machine.Options{
		Prompted: o.prompted, Dir: o.keptDir(), CleanEnv: o.cleanEnv, Env: o.env, Secrets: o.secrets,
	}
	if o.maxTransitions != formatsOwn {
		k.Limit = &o.maxTransitions
	}
	return k
}

// fit holds the flags against the document.
func (o *runOptions) fit(c *engine.Config) (missing []plan.Input, err error) {
	given, err := o.values(c.Plan)
	if err != nil {
		return nil, err
	}
	if c.Inputs, missing, err = c.Plan.Fill(given); err != nil {
		return nil, usage("%s", veiled(err.Error(), given, o.secrets))
	}
	if err := bound(c.Plan, c.Options.Limit); err != nil {
		return nil, err
	}
	if err := known(*c); err != nil {
		return nil, err
	}
	c.Secrets, err = o.masked(c.Inputs, missing, o.keyNames())
	return missing, err
}

// surroundings sets what commands get to see.
func (o environOptions) surroundings(c *engine.Config) error {
	var err error
	if c.Dir, err = o.dir(); err != nil {
		return err
	}
	c.Env, err = o.environ()
	c.Shell = shell.NewRunner(0)
	return err
}

// bound sets how many moves the run may make; nil leaves what the format says.
func bound(p *plan.Plan, limit *int) error {
	switch {
	case limit == nil:
	case *limit > 0:
		p.Limit = plan.Transitions(*limit, cmp.Or(p.Limit.Code, "playhead/transition-limit"))
	case *limit == 0:
		p.Limit.Max = 0
	default:
		return usage("--%s is a number from 0 on", plan.TransitionsFlag)
	}
	return nil
}
