package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/replay"
	"playhead/engine/runs"
	"playhead/engine/setup"
	"playhead/engine/show"
	"playhead/parse/plan"
	"playhead/tui/lines"
	"playhead/tui/preferences"
	tty "playhead/tui/terminal"
)

type replayOptions struct {
	setup.Settings
	viewOptions
	speed        float64
	maxPause     time.Duration
	startsPaused bool
	startsAtEnd  bool
}

func newReplayCmd(a *app) *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: "Play a recorded run: no command runs, no model is asked",
		Long: `Play a recorded run on the screen, with long pauses cut (--longest). No
command runs, no model is asked and nothing is written. space pauses and
continues, n plays the next step, U and u go one step forward and back, J
goes to the selected step, < and > change the speed, and t opens the
timeline. Each change stays visible for at least 0.15 s at speed 1, or for as
long as --longest if that is shorter.

With --plain, the run is played as lines at the same pace. Commands, typed
or from a pipe, control it: :help lists them. If stdout is not a terminal,
everything is printed at once. With --json, the events are printed.`,
		Example:           "playhead replay 7f3a --speed 4\nplayhead replay 7f3a --present",
		Args:              exactlyOneArg(runArgument),
		ValidArgsFunction: completeOneRunID,
	}
	cmd.RunE = a.runE(func(cmd *cobra.Command, args []string) error { return a.replay(cmd.Context(), &o, args[0]) })
	f := cmd.Flags()
	registerConfig(f, &o.Settings)
	o.viewOptions.register(f)
	f.Lookup("headless").Usage = "print lines, and take no commands"
	o.viewOptions.registerCompletion(cmd)
	f.Float64Var(&o.speed, "speed", 1, "play at N times the speed, from 0.25 to 16")
	f.DurationVar(&o.maxPause, "longest", 5*time.Second, "shorten pauses between events to at most TIME; 0 keeps them")
	f.BoolVar(&o.startsPaused, "paused", false, "wait at the start")
	f.BoolVar(&o.startsAtEnd, "end", false, "start at the end, to look at what happened")
	return cmd
}

func (a *app) replay(ctx context.Context, o *replayOptions, id string) error {
	if err := o.checkFlags(); err != nil {
		return err
	}
	prefs, err := preferences.Read(&o.Settings, o.themeName)
	if err != nil {
		return err
	}
	history, err := journal.DefaultStore().ReadHistory(id)
	if err != nil && len(history.Events) == 0 {
		return &exitError{exitUsage, err}
	}
	if err != nil {
		a.printNote("%v", err) // what was recorded before the damage can be played
	}
	a.printJournalNotes(history)
	p, err := setup.InitialPlan(history)
	if err != nil {
		return err
	}
	player, err := o.newPlayer(history)
	if err != nil {
		return err
	}
	defer player.Close()
	switch a.chooseViewMode(o.viewOptions) {
	case viewScreen:
		return a.replayScreen(ctx, o, prefs, history, p, player)
	case viewJSON:
		for _, e := range machine.LiveBranch(history.Events) {
			show.WriteEvent(a.jsonWriter(), e)
		}
		return nil
	}
	return a.replayLines(ctx, o, history, p, player)
}

// checkFlags returns an error for invalid flags.
func (o *replayOptions) checkFlags() error {
	if err := replay.CheckSpeed(o.speed); err != nil {
		return usageError("--speed: %w", err)
	}
	if o.maxPause < 0 {
		return usageError("--longest must be 0 or more")
	}
	return o.viewOptions.checkExclusive()
}

func (o *replayOptions) newPlayer(history journal.History) (*replay.Player, error) {
	p := replay.New(replay.NewRecording(machine.LiveBranch(history.Events), o.maxPause), history.LogFile)
	return p, p.SetSpeed(o.speed)
}

func (a *app) replayScreen(ctx context.Context, o *replayOptions, prefs preferences.Preferences, history journal.History, p *plan.Plan, player *replay.Player) error {
	player.Start(o.startsAtEnd, o.startsPaused)
	c := a.baseScreenConfig(o.viewOptions, prefs)
	c.Plan, c.Player, c.IsTrusted, c.RunExports = p, player, true, runs.Exports(p, history.ID)
	c.OriginalPath = func(path string) (string, error) { return setup.OriginalFilePath(&history.Folder, p, path) }
	c.AllowComparing(func() journal.Folder { return history.Folder })
	c.ForkRun = func(seq int) (string, error) { return journal.DefaultStore().Fork(history.ID(), seq, time.Now()) }
	return a.showUntilSignal(ctx, c)
}

// replayLines plays the run as lines. A person can control it with commands. If stdout is not a
// terminal, everything is printed at once.
func (a *app) replayLines(ctx context.Context, o *replayOptions, history journal.History, p *plan.Plan, player *replay.Player) error {
	c := lines.Config{Plan: p, Player: player, RunFolder: history.Folder, Out: a.stdout, IsColoured: a.mayUseColours(o.viewOptions), Width: a.terminalWidth()}
	person := a.takesLines(a.chooseViewMode(o.viewOptions))
	if person {
		commands := a.newRunCommands(o.viewOptions, p, player.Events)
		commands.RunFolder = history.Folder
		c.In, c.IsScript, c.ExtraCommands = a.stdin, !tty.IsTerminal(a.stdin), commands.Commands()
		a.setUserPrograms(&c)
	}
	if !tty.IsTerminal(a.stdout) {
		player.PlayInstantly()
	}
	player.Start(o.startsAtEnd, o.startsPaused && person) // without a person, nobody could continue it
	return followUntilSignal(ctx, player, func(done <-chan struct{}) { lines.New(c).Follow(0, done) })
}
