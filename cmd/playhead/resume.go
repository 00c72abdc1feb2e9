package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/parse"
	"playhead/parse/plan"
)

// resumeOptions are the flags of resume: those of run that do not shape the run.
type resumeOptions struct {
	answerOptions
	environOptions
	viewOptions
	modelOptions
	artifactOptions
	holdOptions
	approvalOptions
	inputs []string
	set    []string
	trust  bool
}

func newResumeCmd(a *app) *cobra.Command {
	var o resumeOptions
	cmd := &cobra.Command{
		Use:   "resume RUN",
		Short: "Continue an unfinished run, or look at a finished one",
		Long: `Continue a run that waits for a person, was interrupted, or whose process
died. It uses the documents as they were when the run started.

Interactively, a run that was paused when you left it is still paused,
unless you give --until. A run that is over opens as it ended, so that you
can look back, and go back in it. With --headless or --json, or with answers
or --set, a run that failed at a call of a model or tool makes that call
again, and a workflow that failed runs its failed step again.

A command that was running when the run was left is never silently repeated:
you are asked for rerun, pass or fail. Nor is a call of a model: pass takes
what was received as the reply. If nobody can be asked, --trust makes the
call again, unless it has tools that may have acted.

The run remembers which model it asked, where its replies came from, with a
copy of what --replies gave, and --approve. Flags given here replace that.

` + answersHelp + `

` + statusHelp,
		Args:              oneArg("a RUN (playhead runs lists them)"),
		ValidArgsFunction: completeRun,
	}
	cmd.RunE = a.do(func(cmd *cobra.Command, args []string) error { return a.resume(cmd.Context(), &o, args[0]) })
	f := cmd.Flags()
	f.BoolVar(&o.trust, "trust", false, "let the document run its commands without asking")
	f.StringArrayVar(&o.inputs, "input", nil, "give a secret input its value again: NAME=VALUE (repeatable)")
	f.StringArrayVar(&o.set, "set", nil, "give a variable a value before the run goes on: NAME=VALUE (repeatable)")
	o.holdOptions.register(f)
	o.answerOptions.register(f)
	o.environOptions.register(f)
	o.viewOptions.register(f)
	o.viewOptions.complete(cmd)
	o.modelOptions.register(f)
	o.modelOptions.complete(cmd)
	o.approvalOptions.register(f)
	o.approvalOptions.complete(cmd)
	o.artifactOptions.register(f)
	return cmd
}

func (a *app) resume(ctx context.Context, o *resumeOptions, id string) error {
	if err := o.viewOptions.fit(); err != nil {
		return err
	}
	answers, err := o.prepared()
	if err != nil {
		return err
	}
	values, err := o.values()
	if err != nil {
		return err
	}
	run, history, err := journal.Default().Open(id)
	if err != nil {
		return &failure{exitUsage, err}
	}
	defer run.Close()
	r, err := a.again(o, run.Folder)
	if err != nil {
		return err
	}
	r.config = engine.Config{Answers: answers, Recall: o.trust, Run: run, History: history.Events, Set: values, Now: time.Now}
	if err := o.hold(&r.config); err != nil {
		return err
	}
	started, err := startOf(run.ID(), history.Events)
	if err != nil {
		return err
	}
	end := ended(history.Events)
	if r.saver != nil && end == plan.Completed {
		return a.saveLate(r.saver, run, started, history.Events)
	}
	r.notes, r.endLeftovers = history.Notes, o.endLeftovers
	if err := r.reopen(o, started, end); err != nil {
		return err
	}
	return r.run(ctx, o.trust)
}

// again is a runner as the flags say, and where they do not as the run remembers.
func (a *app) again(o *resumeOptions, run journal.Folder) (*runner, error) {
	was, err := recall(run)
	switch {
	case err != nil:
		return nil, &failure{exitUsage, err}
	case o.configFile != "" || was.Config == "":
	case isFile(was.Config):
		o.configFile = was.Config
	default:
		a.note("%s, which configured the run, is gone", was.Config)
	}
	r, err := a.runner(&o.settings, o.viewOptions, o.artifactOptions)
	if err != nil {
		return nil, err
	}
	o.recall(was)
	r.memory.Approve = cmp.Or(o.approve, was.Approve)
	return r, nil
}

// values are those that --set gives, in their order.
func (o *resumeOptions) values() (out []plan.Assignment, err error) {
	for _, flag := range o.set {
		name, value, found := strings.Cut(flag, "=")
		if !found || name == "" {
			return nil, usage("--set %q is not NAME=VALUE: write it like --set version=1.2", flag)
		}
		out = append(out, plan.Assignment{Name: name, Value: value})
	}
	return out, nil
}

// reopen makes ready what a run goes on with: its documents as they were, what the flags
// add, and where replies come from now.
func (r *runner) reopen(o *resumeOptions, started *machine.Started, end plan.RunResult) error {
	c := &r.config
	c.Options = started.Options
	if err := r.restore(o, c, started); err != nil {
		return err
	}
	var err error
	if c.Retry, err = retries(c, end, r.view.headless(), o.gives()); err != nil {
		return err
	}
	r.stay = end != "" && !c.Retry
	if len(c.Set) > 0 && r.stay {
		return usage("run %s is over: %s; --set is for a run that goes on", c.Run.ID(), end)
	}
	if err := known(*c); err != nil {
		return err
	}
	c.Approve = o.resumed(approvalOf(c.History), r.memory.Approve, o.Approve, r.view.headless(), o.trust)
	return r.source(&o.modelOptions)
}

// ended is how a run that is over ended, "" for one that is not.
func ended(events []machine.Event) plan.RunResult {
	if end, is := events[len(events)-1].Body.(*machine.Finished); is && end.Result.Over() {
		return end.Result
	}
	return ""
}

// gives reports whether flags give what a run that has failed may have lacked.
func (o *resumeOptions) gives() bool {
	return len(o.answers)+len(o.decide)+len(o.set) > 0 || o.answersFile != ""
}

// retries reports whether the step or call that a run failed at is done again. Where somebody
// is and gives nothing for it, a run that is over is looked at.
func retries(c *engine.Config, end plan.RunResult, headless, gives bool) (bool, error) {
	failed := end == plan.RunFailed && (c.Plan.Linear || machine.BrokenCall(machine.Chain(c.History)) > 0)
	switch {
	case end == "":
		return false, nil
	case failed && (headless || gives):
		return true, nil
	case !headless:
		return false, nil
	default:
		code := ""
		if c.Plan.Refused != "" {
			code = " [" + c.Plan.Refused + "]"
		}
		return false, usage("run %s is over: %s (on a terminal, you can open it and go back in it)%s", c.Run.ID(), end, code)
	}
}

// startOf finds how the run started.
func startOf(id string, events []machine.Event) (*machine.Started, error) {
	if len(events) == 0 {
		return nil, usage("run %s recorded nothing to continue from: start a new run", id)
	}
	started, ok := events[0].Body.(*machine.Started)
	if !ok {
		return nil, usage("the journal of run %s does not begin with its start", id)
	}
	return started, nil
}

// restore loads the documents as the run has them, and says if they have changed
// since.
func (r *runner) restore(o *resumeOptions, c *engine.Config, started *machine.Started) error {
	changed, err := c.Run.Changed()
	if err != nil {
		return err
	}
	for _, ch := range changed {
		what := "has changed"
		if ch.Gone {
			what = "is gone"
		}
		r.note("%s %s since the run started; the run goes on with its own copy", ch.Path, what)
	}
	if err := o.reveal(started); err != nil {
		return err
	}
	var src journal.Source
	if c.Plan, src, err = loadCopy(c.Run.Folder, started); err != nil {
		return err
	}
	if err := bound(c.Plan, c.Options.Limit); err != nil {
		return err
	}
	if err := allFit(c.Plan, started.Inputs, started.Options.Secrets); err != nil {
		return err
	}
	o.environOptions.inherit(started.Options, src.OriginalStart)
	if err := o.surroundings(c); err != nil {
		return err
	}
	r.notes = append(r.notes, o.warnings(started.Inputs)...)
	c.Secrets, err = o.masked(started.Inputs, nil, o.keyNames())
	return err
}

// reveal gives secret inputs their values again: the journal does not have them.
func (o *resumeOptions) reveal(started *machine.Started) error {
	given, err := pairs(o.inputs)
	if err != nil {
		return err
	}
	for _, name := range started.SecretInputs() {
		value, ok := given[name]
		if !ok {
			return usage("the input %s is secret, so the run does not keep its value: give it again with --input %s=…", name, name)
		}
		delete(given, name)
		started.Inputs[name] = value
		o.secrets = append(o.secrets, name)
		for i, flag := range started.Options.Load["input"] {
			if strings.HasPrefix(flag, name+"=") {
				started.Options.Load["input"][i] = name + "=" + value
			}
		}
	}
	for name := range given {
		return usage("--input %s: the run has no secret input of that name, and keeps what others are", name)
	}
	return nil
}

// loadCopy loads the documents as a run has them.
func loadCopy(run journal.Folder, started *machine.Started) (*plan.Plan, journal.Source, error) {
	src, err := run.Source()
	if err != nil {
		return nil, src, &failure{exitUsage, err}
	}
	if _, err := os.Stat(src.Document); err != nil {
		return nil, src, usage("run %s: its copy of the document cannot be read: %w", run.ID(), err)
	}
	flags, err := eachPath(started.Options.Load, run.Copy)
	if err != nil {
		return nil, src, err
	}
	p, err := load(src.Document, parse.Options{Format: started.Format, Start: src.Start, Flags: flags})
	if err != nil {
		return nil, src, err
	}
	p.Path = started.Path
	return p, src, nil
}

// inherit takes over what the run was started with; flags add to it.
func (o *environOptions) inherit(from machine.Options, start string) {
	o.cwd = cmp.Or(o.cwd, from.Dir, start)
	o.cleanEnv = o.cleanEnv || from.CleanEnv
	o.env = append(o.env, from.Env...)
	for _, name := range from.Secrets {
		if _, set := os.LookupEnv(name); set { // one that is not cannot be printed either
			o.secrets = append(o.secrets, name)
		}
	}
}

// note says something on stderr that is no error.
func (a *app) note(format string, args ...any) {
	fmt.Fprintf(a.err, "playhead: %s\n", sanitize.Plain(fmt.Sprintf(format, args...)))
}

// notes says what a person should know of a run's journal.
func (a *app) notes(h journal.History) {
	for _, note := range h.Notes {
		a.note("%s", note)
	}
}
