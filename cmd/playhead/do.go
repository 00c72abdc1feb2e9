package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/engine/shell"
	"playhead/engine/wording"
	"playhead/parse/infile"
	"playhead/parse/plan"
	"playhead/tui/lines"
)

// doOptions are the flags of do.
type doOptions struct {
	setup.ResumeOptions
	run  string
	seq  int
	json bool
}

func newDoCmd(a *app) *cobra.Command {
	var o doOptions
	cmd := &cobra.Command{
		Use:   "do ACTION [ARGUMENTS]",
		Short: "Act on a run from a script: status, next, pass, fail, answer …",
		Long: `Act on a run, and say what happened and what the run needs next.

  status           what the run does
  next             what it waits for: the text with everything filled in, and
                   what can be answered
  pass, fail       answer a question with pass or fail, or set the outcome
  answer VALUE     answer the open question
  reply -          reply in a model's place with the text from stdin
  report -         report a workflow's step with a JSON object from stdin
  skip, retry, goto STEP, continue, over, pause, set NAME=VALUE, break STEP,
  undo, redo, rewind EVENT, complete, stop, cancel

These are the actions of the line interface (see docs/plain.md).

Without --run, it is the one run of this folder that waits. A run that a
process drives is asked to do it there. One without a process continues until
it needs a person again, or is over.

Whoever passes --seq, the seq that next --json printed, is refused if
something has happened in the run since.

Tool calls are allowed, and documents are trusted, at a terminal only.

The exit status is 0 when it was done, 1 when the run ended stopped or failed,
2 when it is not possible.`,
		Example: "playhead run deploy.runbook.md --headless\nplayhead do next --json\nplayhead do pass",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("%s needs an ACTION: status, next, pass, fail … (see %s --help)", cmd.CommandPath(), cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: completeAction,
	}
	cmd.RunE = a.do(func(cmd *cobra.Command, args []string) error {
		return a.doAction(cmd.Context(), &o, args[0], args[1:])
	})
	f := cmd.Flags()
	f.StringVar(&o.run, "run", "", "act on this RUN (playhead runs lists them)")
	f.IntVar(&o.seq, "seq", 0, "the number of the last event that you have seen: refuse if there are newer ones")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.StringArrayVar(&o.Inputs, "input", nil, "give a secret input its value again: NAME=VALUE (repeatable)")
	registerConfig(f, &o.Settings)
	_ = cmd.RegisterFlagCompletionFunc("run", completeRun) // only an unknown flag fails
	return cmd
}

// completeAction proposes the actions.
func completeAction(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	names := []string{"status", "next", "retry", "goto", "reply", "report"}
	for _, a := range control.All() {
		names = append(names, a.Name)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// doResult is what do prints as JSON (docs/json.md).
type doResult struct {
	Action    string          `json:"action"`
	Error     string          `json:"error,omitempty"` // why it was not done
	StaysDone []string        `json:"stays_done,omitempty"`
	Events    []machine.Event `json:"events,omitempty"` // what has happened since
	State     drive.State     `json:"state"`
}

// doCommand is one action on one run.
type doCommand struct {
	*app
	options *doOptions
	action  string
	history journal.History // before it
	plan    *plan.Plan
	result  doResult
}

// isQuery reports whether it only asks.
func (d *doCommand) isQuery() bool { return d.action == "status" || d.action == "next" }

func (a *app) doAction(ctx context.Context, o *doOptions, action string, words []string) error {
	if control.Resolve(action) == nil && action != "status" && action != "next" {
		return usage("there is no action %q: see playhead do --help", action)
	}
	arguments, err := a.arguments(action, words)
	if err != nil {
		return err
	}
	if o.run == "" {
		if o.run, err = theWaitingRun(); err != nil {
			return err
		}
	}
	d := &doCommand{app: a, options: o, action: action, result: doResult{Action: action}}
	if d.history, err = journal.Default().Read(o.run); err != nil {
		return &failure{exitUsage, err}
	}
	if d.plan, err = setup.PlanOf(d.history); err != nil {
		return err
	}
	if err := d.refuseOwn(); err != nil {
		return err
	}
	return d.report(d.do(ctx, drive.Order{Action: action, Arguments: arguments, Seq: o.seq}))
}

// arguments are those of an action as data, from words.
func (a *app) arguments(action string, words []string) (json.RawMessage, error) {
	line := strings.Join(words, " ")
	switch {
	case action == "status" || action == "next":
		if line != "" {
			return nil, usage("playhead do %s takes no arguments: remove %q", action, line)
		}
		return nil, nil
	case action == "reply" || action == "report":
		text := []byte(line)
		if line == "-" {
			var err error
			if text, err = infile.From(a.in, "standard input", infile.Given); err != nil {
				return nil, usage("cannot read standard input: %w", err)
			}
		}
		if action == "report" {
			if !json.Valid(text) {
				return nil, usage("a report is a JSON object: playhead do report - < report.json")
			}
			return json.Marshal(map[string]json.RawMessage{"report": text})
		}
		return json.Marshal(map[string]string{"text": string(text)})
	case action == "answer" && len(words) > 0:
		return json.Marshal(map[string]string{"value": line})
	}
	return json.Marshal(line)
}

// theWaitingRun returns the one run of this folder that waits, or else the one that goes on or was
// interrupted.
func theWaitingRun() (string, error) {
	here, err := runsHere()
	if err != nil {
		return "", err
	}
	var waiting, live []string
	for _, r := range here {
		switch word := r.Word(); {
		case word == "waiting" || word == "paused":
			waiting = append(waiting, r.Run)
		case r.Result == journal.Running, r.Result == "":
			live = append(live, r.Run)
		}
	}
	if len(waiting) == 0 {
		waiting = live
	}
	switch len(waiting) {
	case 0:
		return "", usage("no run that was started in this folder waits: name one with --run (playhead runs lists them)")
	case 1:
		return waiting[0], nil
	}
	return "", usage("several runs of this folder wait: %s. Name one with --run", strings.Join(waiting, ", "))
}

// refuseOwn refuses a process that the run itself has started: a step must not act on its own run.
func (d *doCommand) refuseOwn() error {
	id := d.history.ID()
	if os.Getenv("PLAYHEAD_RUN_ID") != id && !shell.StartedBy(os.Getpid(), -1, engine.LeftoversIn(d.history.Events)) {
		return nil
	}
	return usage("run %s itself has started this process: a step cannot act on its own run", id)
}

// do has the action done where the run is.
func (d *doCommand) do(ctx context.Context, o drive.Order) error {
	client, err := service.Dial(d.history.Folder, "playhead do")
	switch {
	case err == nil:
		defer client.Close()
		return d.doThere(ctx, client, o)
	case !errors.Is(err, service.ErrNoOwner):
		return &failure{exitUsage, err}
	case d.isQuery():
		d.result.State = drive.Recorded(d.plan, d.history)
		return nil
	}
	return d.doHere(ctx, o)
}

// needsNoWait are the actions after which nothing happens that is to be waited for.
var needsNoWait = map[string]bool{"break": true, "set": true}

// doThere has the process that drives the run do it, and waits until the run needs somebody.
func (d *doCommand) doThere(ctx context.Context, c *service.Client, o drive.Order) (err error) {
	if d.result.State, err = c.State(); err != nil || d.isQuery() {
		return err
	}
	before := d.result.State.Seq
	if o.Seq == 0 {
		o.Seq = before
	}
	done, err := c.Do(o)
	if err != nil {
		return err
	}
	d.result.State, d.result.StaysDone = done.State, done.StaysDone
	batches, follows := make(chan drive.Batch), make(chan struct{})
	defer close(follows)
	err = c.Follow(before, func(b drive.Batch) {
		select {
		case batches <- b:
		case <-follows:
		}
	})
	if err != nil {
		return d.recorded(before)
	}
	for first := true; ; first = false {
		select {
		case b := <-batches:
			d.take(b, before)
			if b.State.Stands() || needsNoWait[o.Action] || first && done.State.Stands() {
				return nil
			}
		case <-c.Closed():
			return d.recorded(before)
		case <-ctx.Done():
			return nil
		}
	}
}

// take takes over what has happened since an event.
func (d *doCommand) take(b drive.Batch, since int) {
	if b.Restarted {
		d.result.Events = nil
	}
	for _, e := range b.Events {
		if e.Seq > since {
			d.result.Events = append(d.result.Events, e)
		}
	}
	d.result.State = b.State
}

// recorded reads from the journal how the run stands whose process has ended.
func (d *doCommand) recorded(since int) error {
	h, err := journal.ReadFolder(d.history.Folder)
	if err == nil {
		err = setup.LoadVersions(h.Folder, h.Events)
	}
	if err != nil {
		return err
	}
	d.result.Events = h.Events[min(since, len(h.Events)):]
	d.result.State = drive.Recorded(d.plan, h)
	return nil
}

// doHere continues a run that no process drives, until it needs somebody again.
func (d *doCommand) doHere(ctx context.Context, o drive.Order) error {
	d.result.State = drive.Recorded(d.plan, d.history)
	if n := len(d.history.Events); o.Seq != 0 && o.Seq != n {
		return &engine.StaleError{Seen: o.Seq, Last: n}
	}
	options := &d.options.ResumeOptions
	options.Unattended, options.NoInput, options.Reopen, options.Version = true, true, true, version
	options.Note = func(text string) { d.note("%s", text) }
	run, err := setup.Open(options, d.history.ID())
	if err != nil {
		return err
	}
	r := &runner{app: d.app, Run: run, view: viewLines}
	defer r.Close()
	if err := readSettings(&options.Settings); err != nil {
		return err
	}
	if err := run.Resume(options); err != nil {
		return err
	}
	if !run.IsAllowed() && !d.trusted(run.Commands()) {
		return d.refuse(run.Commands())
	}
	run.Config.Controller = fmt.Sprintf("playhead do, process %d", os.Getpid())
	session, err := r.begin()
	if err != nil {
		return err
	}
	ctx, stop := catchSignals(ctx, nil)
	ended := make(chan error, 1)
	go func() {
		_, err := session.Run(ctx)
		ended <- err
	}()
	err = d.act(ctx, r, o)
	if failed := session.ReleaseControl(); err == nil && !errors.Is(failed, engine.ErrClosed) {
		err = failed
	}
	if r.Over {
		session.Close() // it stays as it is
	}
	if failed := <-ended; err == nil {
		err = failed
	}
	if sig := stop(); sig != 0 {
		err = exitWith(statusOfSignal(sig))
	}
	since := len(d.history.Events)
	return errors.Join(err, d.recorded(since))
}

// act waits until the run stands, and does the action then.
func (d *doCommand) act(ctx context.Context, r *runner, o drive.Order) error {
	driver := drive.New(r.session, r.Config.Plan, r.Config.Sources)
	w := r.session.Watch()
	defer w.Stop()
	for state := driver.State(); state.State == engine.Running || state.State == ""; state = driver.State() {
		select {
		case <-w.Changed():
			w.Take()
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second): // nothing is lost if a change was taken above
		}
	}
	o.Seq = driver.State().Seq
	done, err := driver.Do(drive.Client{Name: r.Config.Controller}, o)
	d.result.StaysDone = done.StaysDone
	return err
}

// report prints what was done, or why it was not, and what the run needs.
func (d *doCommand) report(err error) error {
	state := &d.result.State
	state.Screen = nil
	if err != nil && state.Run == "" {
		return err
	}
	if refused := asRefusal(err); refused != nil {
		d.result.Error = refused.Error()
		err = &failure{status: exitUsage}
	}
	if err != nil && d.result.Error == "" {
		return err
	}
	if d.options.json {
		d.printJSON()
	} else {
		d.printText()
	}
	if err == nil && (state.Result == plan.Stopped || state.Result == plan.RunFailed) {
		return exitWith(exitFailed)
	}
	return err
}

// asRefusal returns the error of an action that is not possible, nil if it is another one.
func asRefusal(err error) error {
	var refused *drive.RefusedError
	var stale *engine.StaleError
	var there *service.Error
	if errors.As(err, &refused) || errors.As(err, &stale) || errors.As(err, &there) {
		return err
	}
	return nil
}

func (d *doCommand) printJSON() {
	for i, e := range d.result.Events {
		d.result.Events[i] = wording.Explained(e.Brief())
	}
	enc := json.NewEncoder(d.json())
	enc.SetEscapeHTML(false)
	_ = enc.Encode(d.result) // a reader who went away wants no more
}

// printText says what happened and what the run needs.
func (d *doCommand) printText() {
	if d.result.Error != "" {
		fmt.Fprintf(d.err, "playhead: %s\n", sanitize.Text(d.result.Error))
	}
	l := lines.New(lines.Config{Plan: d.plan, Folder: d.history.Folder, Out: d.out, Width: d.width()})
	l.Skip(machine.Chain(d.history.Events)...)
	for _, e := range d.result.Events {
		end, ended := e.Body.(*machine.Finished)
		_, resumed := e.Body.(*machine.Resumed)
		if resumed || ended && end.Waiting != nil { // how it was done here, which is said below
			l.Skip(e)
			continue
		}
		l.Print(e)
	}
	for _, done := range d.result.StaysDone {
		fmt.Fprintf(d.out, "not undone: %s\n", sanitize.Plain(done))
	}
	s := d.result.State
	if d.action == "status" || s.Need == nil {
		fmt.Fprintf(d.out, "run %s: %s\n", s.Run, sanitize.Plain(statusLine(s)))
	}
	if s.Need != nil {
		writeNeed(d.out, s)
	}
}

// statusLine says what a run does.
func statusLine(s drive.State) string {
	at := ""
	if s.Step != "" {
		at = " at " + s.Step
	}
	switch {
	case s.Result != "" && s.Text != "":
		return fmt.Sprintf("%s %q", s.Result, s.Text)
	case s.Result != "":
		return string(s.Result)
	case s.State == drive.Interrupted:
		return "interrupted" + at + "; playhead do continue goes on"
	case s.Running != "":
		return "running step " + s.Running
	}
	return string(s.State) + at
}

// writeNeed says what a run needs of a person.
func writeNeed(w io.Writer, s drive.State) {
	n := s.Need
	what := n.Prompt
	if strings.Contains(what, "\n") || what == n.Text {
		what = n.Kind
	}
	fmt.Fprintf(w, "run %s waits at %s: %s\n", s.Run, sanitize.Plain(n.Step), sanitize.Plain(what))
	if n.Text != "" {
		for line := range strings.Lines(sanitize.Text(n.Text)) {
			fmt.Fprintf(w, "    %s\n", strings.TrimRight(line, "\n"))
		}
	}
	for _, f := range n.Fields {
		fmt.Fprintf(w, "  field %q (%s) %s %s\n", f.Name, f.Type, sanitize.Plain(plan.Source(f.Prompt)), sanitize.Plain(strings.Join(f.Options, ", ")))
	}
	if len(n.Options) > 0 {
		fmt.Fprintf(w, "  options: %s\n", sanitize.Plain(strings.Join(n.Options, ", ")))
	}
	if n.Terminal {
		fmt.Fprintf(w, "  only a person at a terminal can answer: playhead attach %s, or playhead resume %s\n", s.Run, s.Run)
		return
	}
	for _, a := range n.Answers {
		fmt.Fprintf(w, "  playhead do %s\n", sanitize.Plain(a))
	}
}
