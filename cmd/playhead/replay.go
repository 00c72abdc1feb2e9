package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"playhead/engine/host"
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
	speed   float64
	longest time.Duration
	paused  bool
	end     bool
}

func newReplayCmd(a *app) *cobra.Command {
	var o replayOptions
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: "Play a recorded run: no command runs, no model is asked",
		Long: `Play a recorded run on the screen, with its original timing. No command
runs, no model is asked and nothing is written. space pauses and continues,
n plays the next step, U and u skip one step forward and back, J goes to the
selected step, < and > change the speed, and t opens the timeline. Each
change stays visible at least 0.15 s at speed 1.

With --plain, the run is played as lines at the same pace, controlled by
commands with the same names: help lists them. They can also come from a
pipe. If stdout is not a terminal, everything is printed at once. With
--json, the events are printed.`,
		Example:           "playhead replay 7f3a --speed 4\nplayhead replay 7f3a --present",
		Args:              oneArg("a RUN (playhead runs lists them)"),
		ValidArgsFunction: completeRun,
	}
	cmd.RunE = a.do(func(cmd *cobra.Command, args []string) error { return a.replay(cmd.Context(), &o, args[0]) })
	f := cmd.Flags()
	registerConfig(f, &o.Settings)
	o.viewOptions.register(f)
	f.Lookup("headless").Usage = "print lines, and take no commands"
	o.viewOptions.complete(cmd)
	f.Float64Var(&o.speed, "speed", 1, "play at N times the speed, from 0.25 to 16")
	f.DurationVar(&o.longest, "longest", 5*time.Second, "shorten pauses between events to at most TIME; 0 keeps them")
	f.BoolVar(&o.paused, "paused", false, "wait at the start")
	f.BoolVar(&o.end, "end", false, "start at the end, to look at what happened")
	return cmd
}

func (a *app) replay(ctx context.Context, o *replayOptions, id string) error {
	if err := o.check(); err != nil {
		return err
	}
	prefs, err := preferences.Read(&o.Settings, o.theme)
	if err != nil {
		return err
	}
	history, err := journal.Default().Read(id)
	if err != nil && len(history.Events) == 0 {
		return &failure{exitUsage, err}
	}
	if err != nil {
		a.note("%v", err) // what was recorded before the damage can be played
	}
	a.notes(history)
	p, err := setup.PlanOf(history)
	if err != nil {
		return err
	}
	player, err := o.player(history)
	if err != nil {
		return err
	}
	defer player.Close()
	switch a.view(o.viewOptions) {
	case viewScreen:
		return a.replayScreen(ctx, o, prefs, history, p, player)
	case viewJSON:
		for _, e := range machine.Chain(history.Events) {
			show.WriteEvent(a.json(), e)
		}
		return nil
	}
	return a.replayLines(ctx, o, history, p, player)
}

// check refuses what cannot be played.
func (o *replayOptions) check() error {
	if err := replay.FitsSpeed(o.speed); err != nil {
		return usageError("--speed: %w", err)
	}
	if o.longest < 0 {
		return usageError("--longest must be 0 or more")
	}
	return o.viewOptions.check()
}

func (o *replayOptions) player(history journal.History) (*replay.Player, error) {
	p := replay.New(replay.NewRecording(machine.Chain(history.Events), o.longest), history.LogFile)
	return p, p.SetSpeed(o.speed)
}

// begin moves the recording to the requested place, or plays it. Without a person it plays.
func (o *replayOptions) begin(p *replay.Player, person bool) {
	switch {
	case o.end:
		p.End()
	case !o.paused || !person:
		p.Play()
	default:
		p.Start() // what a run begins with is nothing to wait for
	}
}

func (a *app) replayScreen(ctx context.Context, o *replayOptions, prefs preferences.Preferences, history journal.History, p *plan.Plan, player *replay.Player) error {
	o.begin(player, true)
	ctx, stop := host.CatchSignals(ctx, nil)
	c := a.screenOf(o.viewOptions, prefs)
	c.Plan, c.Play, c.Trusted, c.Exports = p, player, true, runs.Exports(p, history.ID)
	c.Original = func(path string) (string, error) { return setup.OriginalFile(&history.Folder, p, path) }
	c.OthersOf(func() journal.Folder { return history.Folder })
	c.Fork = func(seq int) (string, error) { return journal.Default().Fork(history.ID(), seq, time.Now()) }
	_, err := a.onScreen(ctx, c)
	if sig := stop(); sig != 0 {
		err = errors.Join(err, exitWith(statusOfSignal(sig)))
	}
	return err
}

// replayLines plays the run in lines: where a person is, they have a say in it. Where stdout
// is no terminal it takes no time.
func (a *app) replayLines(ctx context.Context, o *replayOptions, history journal.History, p *plan.Plan, player *replay.Player) error {
	c := lines.Config{Plan: p, Play: player, Folder: history.Folder, Out: a.out, Colour: a.colours(o.viewOptions), Width: a.width()}
	person := a.view(o.viewOptions) == viewPlain && (tty.Is(a.out) || !tty.Is(a.in))
	if person {
		about := a.runCommands(o.viewOptions, p, player.Events)
		about.Folder = history.Folder
		c.In, c.Script, c.Commands = a.in, !tty.Is(a.in), about.List()
		a.programs(&c)
	}
	if !tty.Is(a.out) {
		player.AtOnce()
	}
	o.begin(player, person)
	ctx, stop := host.CatchSignals(ctx, nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = player.Run(ctx)
	}()
	lines.New(c).Follow(0, done)
	if sig := stop(); sig != 0 {
		return exitWith(statusOfSignal(sig))
	}
	return nil
}
