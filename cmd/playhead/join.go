package main

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"playhead/engine/host"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/remote"
	"playhead/engine/replay"
	"playhead/engine/runs"
	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/parse/plan"
	"playhead/tui/lines"
	"playhead/tui/preferences"
	"playhead/tui/session"
)

// joinOptions are the flags of watch and attach.
type joinOptions struct {
	setup.Settings
	viewOptions
}

func newWatchCmd(a *app) *cobra.Command {
	var o joinOptions
	cmd := &cobra.Command{
		Use:   "watch [RUN]",
		Short: "Look at a run that another process drives",
		Long: `Show a live run of another Playhead on the full screen while it continues
there. You cannot change the run from here, but you can scroll, search, and
open the map, the timeline and the values. When that process ends, the screen
becomes a replay of what it recorded.

Without a RUN, it takes the newest live run that was started in this folder.
With --plain or --json, the run is followed as lines or as events.`,
		Example:           "playhead watch\nplayhead watch 7f3a --json",
		Args:              atMostOneRun,
		ValidArgsFunction: completeRun,
	}
	cmd.RunE = a.do(func(cmd *cobra.Command, args []string) error { return a.watch(cmd.Context(), &o, firstArg(args)) })
	f := cmd.Flags()
	registerConfig(f, &o.Settings)
	f.BoolVar(&o.json, "json", false, "print one JSON event per line")
	f.BoolVar(&o.plain, "plain", false, "print lines instead of opening the screen")
	registerScreen(f, &o.viewOptions)
	o.viewOptions.complete(cmd)
	return cmd
}

func newAttachCmd(a *app) *cobra.Command {
	var o joinOptions
	cmd := &cobra.Command{
		Use:   "attach [RUN]",
		Short: "Take control of a run that another process drives",
		Long: `Show a live run of another Playhead on the full screen and take control of
it. The other screen shows that it lost control. There, R takes it back. When
you leave, control returns and the run continues. While you have control, a
headless run waits for you instead of ending where a person is needed.

Without a RUN, it takes the newest live run that was started in this folder.`,
		Example:           "playhead attach\nplayhead attach 7f3a",
		Args:              atMostOneRun,
		ValidArgsFunction: completeRun,
	}
	cmd.RunE = a.do(func(cmd *cobra.Command, args []string) error { return a.attach(cmd.Context(), &o, firstArg(args)) })
	f := cmd.Flags()
	registerConfig(f, &o.Settings)
	registerScreen(f, &o.viewOptions)
	o.viewOptions.complete(cmd)
	return cmd
}

// atMostOneRun takes a RUN or nothing.
func atMostOneRun(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError("%s takes one RUN: remove %q", cmd.CommandPath(), args[1])
	}
	return nil
}

// firstArg returns the first argument, empty if there is none.
func firstArg(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// join is a live run of another process, and who looks at it.
type join struct {
	*app
	options     joinOptions
	preferences preferences.Preferences
	history     journal.History // as far as the run was when it was joined
	plan        *plan.Plan
	client      *service.Client
}

// join connects to a live run, the newest of this folder for an empty id.
func (a *app) join(o *joinOptions, id, as string) (*join, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	prefs, err := preferences.Read(&o.Settings, o.theme)
	if err != nil {
		return nil, err
	}
	if id == "" {
		if id, err = runHere(runs.NewestLive); err != nil {
			return nil, err
		}
	}
	history, err := journal.Default().Read(id)
	if err != nil {
		return nil, &failure{exitUsage, err}
	}
	p, err := setup.PlanOf(history)
	if err != nil {
		return nil, err
	}
	client, err := service.Dial(history.Folder, as)
	if errors.Is(err, service.ErrNoOwner) {
		return nil, usageError("%w: playhead resume %s continues it, and playhead replay %s plays it", err, history.ID(), history.ID())
	}
	if err != nil {
		return nil, &failure{exitUsage, err}
	}
	return &join{app: a, options: *o, preferences: prefs, history: history, plan: p, client: client}, nil
}

// runHere chooses one of the runs that were started in this folder.
func runHere(choose func([]journal.Summary) (string, error)) (id string, err error) {
	here, err := runs.InWorkingFolder()
	if err != nil {
		return "", err
	}
	if id, err = choose(here); err != nil {
		return "", &failure{exitUsage, err}
	}
	return id, nil
}

func (a *app) watch(ctx context.Context, o *joinOptions, id string) error {
	j, err := a.join(o, id, "playhead watch")
	if err != nil {
		return err
	}
	defer j.client.Close()
	s, err := remote.Watch(j.client, j.run())
	if err != nil {
		return err
	}
	if view := a.view(o.viewOptions); view != viewScreen {
		return j.follow(ctx, s, view == viewJSON)
	}
	return j.screen(ctx, s)
}

func (a *app) attach(ctx context.Context, o *joinOptions, id string) error {
	if a.view(o.viewOptions) != viewScreen {
		return usageError("playhead attach needs a terminal: playhead do acts on a run from a script")
	}
	j, err := a.join(o, id, "playhead attach")
	if err != nil {
		return err
	}
	defer j.client.Close()
	if err := j.askTrust(); err != nil {
		return err
	}
	s, err := remote.Attach(j.client, j.run())
	if err != nil {
		return err
	}
	return j.screen(ctx, s)
}

// askTrust asks the person about the commands of a run that waits for that.
func (j *join) askTrust() error {
	untrusted, err := remote.FindUntrusted(j.client, j.plan.Path)
	if err == nil && untrusted != nil {
		_, err = j.prompt(j.in).Trust(untrusted, true)
	}
	return err
}

// run returns the run to join.
func (j *join) run() remote.Run {
	return remote.Run{Folder: j.history.Folder, Plan: j.plan, Versions: func(events []machine.Event) error {
		return setup.LoadVersions(j.history.Folder, events)
	}}
}

// follow prints the run as lines or as events, until its process ends.
func (j *join) follow(ctx context.Context, s *remote.Session, asJSON bool) error {
	ctx, stop := host.CatchSignals(ctx, nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = s.Run(ctx)
	}()
	if asJSON {
		show.WriteEvents(j.json(), s.Watch(), 0, done)
	} else {
		lines.New(lines.Config{
			Plan: j.plan, Session: session.Remote(s), Folder: j.history.Folder, Out: j.out, Colour: j.colours(j.options.viewOptions), Width: j.width(),
		}).Follow(0, done)
	}
	if sig := stop(); sig != 0 {
		return exitWith(statusOfSignal(sig))
	}
	return nil
}

// screen shows the run on the full screen.
func (j *join) screen(ctx context.Context, s *remote.Session) error {
	ctx, stop := host.CatchSignals(ctx, nil)
	folder := j.history.Folder
	c := j.screenOf(j.options.viewOptions, j.preferences)
	c.Plan, c.Join, c.Recorded, c.Trusted, c.Exports = j.plan, s, func() (*replay.Player, error) { return runs.PlayEnd(folder) }, true, runs.Exports(j.plan, folder.ID)
	c.OthersOf(func() journal.Folder { return folder })
	_, err := j.onScreen(ctx, c)
	if sig := stop(); sig != 0 {
		err = cmp.Or(err, exitWith(statusOfSignal(sig)))
	}
	return err
}
