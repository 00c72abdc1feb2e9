package lines

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/replay"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
)

// playback plays a recorded run, and moves along it. It changes nothing.
type playback struct {
	*inspector
	player *replay.Player
	seek   func(to func() error) error // moves elsewhere on the recording
}

// commands returns the commands of a replay.
func (p *playback) commands() []Command {
	return []Command{
		{Name: "continue", Help: "play", Do: p.goOn(engine.Continue), moves: true},
		{Name: "over", Help: "continue to the next step", Do: p.goOn(engine.StepOver), moves: true},
		{Name: "run-to", Takes: "STEP", Help: "continue to that step", Do: p.playTo, moves: true},
		{Name: "pause", Help: "stop where it is", Do: p.pause},
		{Name: "speed", Takes: "[N]", Help: "how fast it is played, from 0.25 to 16", Do: p.speed},
		{Name: "slower", Help: "half as fast", Do: p.faster(-1)},
		{Name: "faster", Help: "twice as fast", Do: p.faster(1)},
		{Name: "jump", Takes: "STEP|TIME", Help: "to a step, or to a time like 90s or 1m30s", Do: p.jumpAlong, moves: true},
		{Name: "undo", Help: "one step back", Do: func(string) error { return p.seek(p.player.Undo) }, moves: true},
		{Name: "redo", Help: "one step forward, at once", Do: func(string) error { return p.seek(p.player.Redo) }, moves: true},
		{Name: "rewind", Takes: "EVENT", Help: "to an event; see :history", Do: p.toEvent, moves: true},
		{Name: "first", Help: "to the start", Do: func(string) error { return p.seek(withoutError(p.player.Start)) }, moves: true},
		{Name: "last", Help: "to the end, at once", Do: func(string) error { return p.seek(withoutError(p.player.End)) }, moves: true},
	}
}

// withoutError returns a move that cannot fail.
func withoutError(do func()) func() error { return func() error { do(); return nil } }

// goOn returns a command that continues the replay in a mode.
func (p *playback) goOn(mode engine.Mode) func(string) error {
	return func(string) error {
		if p.status.State == engine.Over {
			return errors.New("the recording is over: undo goes back one step")
		}
		return p.player.Go(mode, "")
	}
}

func (p *playback) playTo(step string) error {
	if step == "" {
		return errors.New("run-to needs a step: run-to STEP")
	}
	return p.explainStep(step, p.player.Go(engine.Continue, engine.UnquoteStep(step)))
}

// explainStep returns a better error for a step that does not exist at all.
func (p *playback) explainStep(step string, err error) error {
	if err != nil {
		if _, missing := p.step(step); missing != nil {
			return missing
		}
	}
	return err
}

func (p *playback) pause(string) error {
	if p.status.State != engine.Running {
		return errors.New("the replay is already paused: continue plays it")
	}
	return p.player.Pause()
}

func (p *playback) speed(arg string) error {
	if arg != "" {
		n, err := strconv.ParseFloat(strings.TrimRight(arg, "x×"), 64)
		if err != nil {
			return fmt.Errorf("%q is not a speed: write a number, as in speed 2", arg)
		}
		if err := p.player.SetSpeed(n); err != nil {
			return err
		}
	}
	p.line("  replays at %g times the recorded speed", p.player.Speed())
	return nil
}

func (p *playback) faster(by int) func(string) error {
	return func(string) error {
		p.player.Faster(by)
		return p.speed("")
	}
}

func (p *playback) jumpAlong(to string) error {
	if to == "" {
		return errors.New("jump needs a step or a time: jump STEP, or jump 1m30s")
	}
	if since, err := moment(to); err == nil && p.track.Row(to) == nil {
		return p.seek(withoutError(func() { p.player.SeekTime(since) }))
	}
	return p.explainStep(to, p.seek(func() error { return p.player.Jump(engine.UnquoteStep(to), "") }))
}

// moment parses a time after the start: 90s, 1m30s, 01:30.
func moment(text string) (time.Duration, error) {
	if parts := strings.Split(text, ":"); len(parts) == 2 {
		text = parts[0] + "m" + parts[1] + "s"
	} else if len(parts) == 3 {
		text = parts[0] + "h" + parts[1] + "m" + parts[2] + "s"
	}
	d, err := time.ParseDuration(text)
	if err == nil && d < 0 {
		err = errors.New("there is nothing before the start")
	}
	return d, err
}

func (p *playback) toEvent(arg string) error {
	seq, err := strconv.Atoi(arg)
	if err != nil {
		return fmt.Errorf("%q is not an event: see history", arg)
	}
	return p.seek(func() error { return p.player.Rewind(seq) })
}

// place returns where in the recording the replay is.
func (p *playback) place() string {
	at := p.player.Place()
	words := "at the start"
	if row := p.track.Current; row != nil {
		words = "at " + heading(row)
	}
	return fmt.Sprintf("%s, event %d of %d, %s of %s", words, at.Event, at.Events, at.Since, at.Length)
}

// announce prints what is replayed and, to a person, the first commands.
func (p *playback) announce(person bool) {
	at := p.player.Place()
	p.line("replay of run %s, %s: %s, %s. Nothing is executed.", p.folder.ID(), sanitize.Plain(p.track.Plan.Path), wording.Count(at.Events, "event"), at.Length)
	if person {
		p.line("enter pauses and plays on, over is one step, help lists the rest")
	}
}

// announcePause prints where the replay is paused and the first commands.
func (p *playback) announcePause() {
	if p.status.State == engine.Over {
		p.line("the recording is over: enter quits, undo goes back one step, help lists the rest")
		return
	}
	next := ""
	if e := p.status.NextEvent; e != nil {
		next = ", before [" + label(e.Step) + "]"
	}
	p.line("paused %s%s: enter plays on, over is one step, help lists the rest", p.place(), next)
}

// toggle pauses or continues the replay. It is for one that is not over.
func (p *playback) toggle() error {
	if p.status.State == engine.Running {
		return p.player.Pause()
	}
	return p.player.Go(engine.Continue, "")
}

// printRecorded prints what a person was asked and did in the recording.
func (n *narrator) printRecorded(e machine.Event) {
	switch b := e.Body.(type) {
	case *machine.InputNeeded:
		n.printQuestion(e.Step, b.Kind, b.Prompt, b.Options)
	case *machine.InputGiven, *machine.Captured, *machine.Edited, *machine.LimitsUsed, *machine.ShellOpened, *machine.Called, *machine.Resumed:
		if l := track.LineOf(e); e.Body.Type() != "captured" || e.By == machine.ByPerson {
			n.line("%s%s", mark(e.Step), sanitize.Plain(l.What+authorText(l)))
		}
	}
}

// authorText returns who made an event, where a person did.
func authorText(l track.Line) string {
	if l.By == "" {
		return ""
	}
	return ", by " + l.By + reason(l.Reason)
}
