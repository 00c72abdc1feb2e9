package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"playhead/engine/journal"
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
		Short: "Watch a run that another process drives",
		Long: `Show a live run of another Playhead on the screen while it continues there.
You cannot change the run from here, but you can scroll, search, and open the
map, the timeline and the values. When the other Playhead ends, the screen
becomes a replay of the run.

Without a RUN, the command takes the newest live run of this folder. With
--plain or --json, it follows the run as lines or events.`,
		Example:           "playhead watch\nplayhead watch 7f3a --json",
		Args:              atMostOneRun,
		ValidArgsFunction: completeOneRunID,
	}
	cmd.RunE = a.runE(func(cmd *cobra.Command, args []string) error {
		return a.watch(cmd.Context(), &o, firstArgOrEmpty(args))
	})
	f := cmd.Flags()
	registerConfig(f, &o.Settings)
	f.BoolVar(&o.json, "json", false, "print one JSON event per line")
	f.BoolVar(&o.plain, "plain", false, plainHelp)
	registerScreen(f, &o.viewOptions)
	o.viewOptions.registerCompletion(cmd)
	return cmd
}

func newAttachCmd(a *app) *cobra.Command {
	var o joinOptions
	cmd := &cobra.Command{
		Use:   "attach [RUN]",
		Short: "Take control of a run that another process drives",
		Long: `Show a live run of another Playhead on the screen and take control of it. The
other screen shows that it lost control. There, R takes it back. When you
leave, control returns, but a paused run stays paused. While you have
control, a headless run waits for you instead of ending where a person is
needed.

Without a RUN, the command takes the newest live run of this folder.`,
		Example:           "playhead attach\nplayhead attach 7f3a",
		Args:              atMostOneRun,
		ValidArgsFunction: completeOneRunID,
	}
	cmd.RunE = a.runE(func(cmd *cobra.Command, args []string) error {
		return a.attach(cmd.Context(), &o, firstArgOrEmpty(args))
	})
	f := cmd.Flags()
	registerConfig(f, &o.Settings)
	registerScreen(f, &o.viewOptions)
	o.viewOptions.registerCompletion(cmd)
	return cmd
}

// atMostOneRun returns an error if there is more than one argument, or an empty one, for example from an empty shell
// variable: without an argument, the command chooses a run.
func atMostOneRun(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) > 1:
		return usageError("%s takes one RUN: remove %q", cmd.CommandPath(), args[1])
	case len(args) == 1 && args[0] == "":
		return usageError("the argument RUN is empty: give the id of a run, or leave it out")
	}
	return nil
}

// firstArgOrEmpty returns the first argument, empty if there is none.
func firstArgOrEmpty(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// joinedRun is a connection to a live run of another process, with the options for showing it.
type joinedRun struct {
	*app
	options     joinOptions
	preferences preferences.Preferences
	history     journal.History // the events up to the moment of joining
	plan        *plan.Plan
	client      *service.Client
}

// joinRun connects to a live run, for an empty id to the newest of this folder. Events name this process by
// clientName.
func (a *app) joinRun(o *joinOptions, id, clientName string) (*joinedRun, error) {
	if err := o.checkExclusive(); err != nil {
		return nil, err
	}
	prefs, err := preferences.Read(&o.Settings, o.themeName)
	if err != nil {
		return nil, err
	}
	if id == "" {
		if id, err = chooseRunInWorkingFolder(runs.NewestLiveRun); err != nil {
			return nil, err
		}
	}
	history, err := journal.DefaultStore().ReadHistory(id)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	p, err := setup.InitialPlan(history)
	if err != nil {
		return nil, err
	}
	client, err := service.Dial(history.Folder, clientName)
	if errors.Is(err, service.ErrNoOwner) {
		return nil, usageError("%w: use playhead resume %s to open it, or playhead replay %s to play it", err, history.ID(), history.ID())
	}
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	return &joinedRun{app: a, options: *o, preferences: prefs, history: history, plan: p, client: client}, nil
}

// chooseRunInWorkingFolder chooses one of the runs that were started in this folder.
func chooseRunInWorkingFolder(choose func([]journal.RunSummary) (string, error)) (id string, err error) {
	here, err := runs.RunsInWorkingFolder()
	if err != nil {
		return "", err
	}
	if id, err = choose(here); err != nil {
		return "", &exitError{exitUsage, err}
	}
	return id, nil
}

func (a *app) watch(ctx context.Context, o *joinOptions, id string) error {
	j, err := a.joinRun(o, id, "playhead watch")
	if err != nil {
		return err
	}
	defer j.client.Close()
	s, err := remote.WatchRun(j.client, j.remoteRun())
	if err != nil {
		return err
	}
	if view := a.chooseViewMode(o.viewOptions); view != viewScreen {
		return j.printRun(ctx, s, view == viewJSON)
	}
	return j.showScreen(ctx, s)
}

func (a *app) attach(ctx context.Context, o *joinOptions, id string) error {
	if a.chooseViewMode(o.viewOptions) != viewScreen {
		return usageError("playhead attach needs a terminal: use playhead do to act on a run from a script")
	}
	j, err := a.joinRun(o, id, "playhead attach")
	if err != nil {
		return err
	}
	defer j.client.Close()
	if err := j.askTrust(); err != nil {
		return err
	}
	s, err := remote.AttachToRun(j.client, j.remoteRun())
	if err != nil {
		return err
	}
	return j.showScreen(ctx, s)
}

// askTrust asks the person whether the run may execute its commands, if it waits for that.
func (j *joinedRun) askTrust() error {
	untrusted, err := remote.TakeControlIfUntrusted(j.client, j.plan.Path)
	if err == nil && untrusted != nil {
		_, err = j.newPrompt(j.stdin).AskTrust(untrusted, true)
	}
	return err
}

// remoteRun returns the run with its plan, as package remote joins it.
func (j *joinedRun) remoteRun() remote.JoinableRun {
	return remote.JoinableRun{Folder: j.history.Folder, FirstPlan: j.plan}
}

// printRun prints the run as lines or as events, until its process ends.
func (j *joinedRun) printRun(ctx context.Context, s *remote.Session, asJSON bool) error {
	return followUntilSignal(ctx, s, func(done <-chan struct{}) {
		if asJSON {
			show.WriteEvents(j.jsonWriter(), s.WatchFromStart(), 0, done)
			return
		}
		lines.New(lines.Config{
			Plan: j.plan, Session: session.FromRemote(s), RunFolder: j.history.Folder, Out: j.stdout, IsColoured: j.mayUseColours(j.options.viewOptions), Width: j.terminalWidth(),
		}).Follow(0, done)
	})
}

// showScreen shows the run on the screen.
func (j *joinedRun) showScreen(ctx context.Context, s *remote.Session) error {
	folder := j.history.Folder
	c := j.baseScreenConfig(j.options.viewOptions, j.preferences)
	c.Plan, c.RemoteRun, c.ReplayRemoteRun, c.IsTrusted, c.RunExports = j.plan, s, func() (*replay.Player, error) { return runs.NewPlayerAtEnd(folder) }, true, runs.Exports(j.plan, folder.ID)
	c.AllowComparing(func() journal.Folder { return folder })
	return j.showUntilSignal(ctx, c)
}
