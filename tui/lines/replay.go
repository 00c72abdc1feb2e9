package lines

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/engine/wording"
)

// playing returns the commands of a replay, which move along the recording and change nothing.
func (t *LineUI) playing() []Command {
	p := t.play
	return []Command{
		{Name: "continue", Help: "play", Do: t.playIn(engine.Continue), acts: true},
		{Name: "over", Help: "continue to the next step", Do: t.playIn(engine.StepOver), acts: true},
		{Name: "run-to", Takes: "STEP", Help: "continue to that step", Do: t.playTo, acts: true},
		{Name: "pause", Help: "stop where it is", Do: t.pauseReplay},
		{Name: "speed", Takes: "[N]", Help: "how fast it is played, from 0.25 to 16", Do: t.speed},
		{Name: "slower", Help: "half as fast", Do: t.faster(-1)},
		{Name: "faster", Help: "twice as fast", Do: t.faster(1)},
		{Name: "jump", Takes: "STEP|TIME", Help: "to a step, or to a time like 90s or 1m30s", Do: t.jumpAlong, acts: true},
		{Name: "undo", Help: "one step back", Do: func(string) error { return t.seek(p.Undo) }, acts: true},
		{Name: "redo", Help: "one step forward, at once", Do: func(string) error { return t.seek(p.Redo) }, acts: true},
		{Name: "rewind", Takes: "EVENT", Help: "to an event; see :history", Do: t.toEvent, acts: true},
		{Name: "first", Help: "to the start", Do: func(string) error { return t.seek(nothing(p.Start)) }, acts: true},
		{Name: "last", Help: "to the end, at once", Do: func(string) error { return t.seek(nothing(p.End)) }, acts: true},
	}
}

// nothing returns a move that cannot fail.
func nothing(do func()) func() error { return func() error { do(); return nil } }

// playIn returns a command that continues the replay in a mode.
func (t *LineUI) playIn(mode engine.Mode) func(string) error {
	return func(string) error {
		if t.status.State == engine.Over {
			return errors.New("the recording is over: undo goes back by a step, first to the start")
		}
		return t.play.Go(mode, "")
	}
}

func (t *LineUI) playTo(step string) error {
	if step == "" {
		return errors.New("run-to needs a step: run-to STEP")
	}
	return t.explainStep(step, t.play.Go(engine.Continue, engine.Unquoted(step)))
}

// explainStep returns a better error for a step that does not exist at all.
func (t *LineUI) explainStep(step string, err error) error {
	if err != nil {
		if _, missing := t.step(step); missing != nil {
			return missing
		}
	}
	return err
}

func (t *LineUI) pauseReplay(string) error {
	if t.status.State != engine.Running {
		return errors.New("the replay is paused already: continue plays it")
	}
	return t.play.Pause()
}

func (t *LineUI) speed(arg string) error {
	if arg != "" {
		n, err := strconv.ParseFloat(strings.TrimRight(arg, "x×"), 64)
		if err != nil {
			return fmt.Errorf("%q is not a speed: write a number, as in speed 2", arg)
		}
		if err := t.play.SetSpeed(n); err != nil {
			return err
		}
	}
	t.line("  replays at %g times the recorded speed", t.play.Speed())
	return nil
}

func (t *LineUI) faster(by int) func(string) error {
	return func(string) error {
		t.play.Faster(by)
		return t.speed("")
	}
}

func (t *LineUI) jumpAlong(to string) error {
	if to == "" {
		return errors.New("jump needs a step or a time: jump STEP, or jump 1m30s")
	}
	if since, err := moment(to); err == nil && t.track.Row(to) == nil {
		return t.seek(nothing(func() { t.play.Moment(since) }))
	}
	return t.explainStep(to, t.seek(func() error { return t.play.Jump(engine.Unquoted(to), "") }))
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

func (t *LineUI) toEvent(arg string) error {
	seq, err := strconv.Atoi(arg)
	if err != nil {
		return fmt.Errorf("%q is not an event: see history", arg)
	}
	return t.seek(func() error { return t.play.Rewind(seq) })
}

// seek moves elsewhere on the recording. What lies between is not printed.
func (t *LineUI) seek(to func() error) error {
	t.update(t.watcher.Take())
	if err := to(); err != nil {
		return err
	}
	u := t.watcher.Take()
	if u.Restarted {
		t.track, t.events = track.New(t.track.Began), nil
	}
	u.Restarted, t.old, t.hasAsked = false, len(u.Events), false
	t.update(u)
	if t.status.State == engine.Running {
		t.line("%s, playing on", t.place())
	}
	return nil
}

// place says where in the recording the replay is.
func (t *LineUI) place() string {
	at := t.play.Place()
	words := "at the start"
	if row := t.track.Current; row != nil {
		words = "at " + heading(row)
	}
	return fmt.Sprintf("%s, event %d of %d, %s of %s", words, at.Event, at.Events, at.Since, at.Length)
}

// announceReplay prints what is replayed and the first commands.
func (t *LineUI) announceReplay() {
	at := t.play.Place()
	t.line("replay of run %s, %s: %s, %s. Nothing is executed.", t.folder.ID(), sanitize.Plain(t.track.Plan.Path), wording.Count(at.Events, "event"), at.Length)
	if t.person {
		t.line("enter pauses and plays on, over is one step, help lists the rest")
	}
}

// announcePause prints where the replay is paused and the first commands.
func (t *LineUI) announcePause() {
	if t.status.State == engine.Over {
		t.line("the recording is over: enter quits, undo goes back one step, help lists the rest")
		return
	}
	next := ""
	if e := t.status.Next; e != nil {
		next = ", before [" + label(e.Step) + "]"
	}
	t.line("paused %s%s: enter plays on, over is one step, help lists the rest", t.place(), next)
}

// togglePlay pauses or continues the replay, which is what an empty line does.
func (t *LineUI) togglePlay() error {
	switch t.hasAsked = false; t.status.State {
	case engine.Running:
		return t.play.Pause()
	case engine.Over:
		t.leave()
		return nil
	}
	return t.play.Go(engine.Continue, "")
}

// printRecorded prints what a person was asked and did in the recording.
func (t *LineUI) printRecorded(e machine.Event) {
	switch b := e.Body.(type) {
	case *machine.InputNeeded:
		t.printQuestion(e.Step, b.Kind, b.Prompt, b.Options)
	case *machine.InputGiven, *machine.Captured, *machine.Edited, *machine.LimitsUsed, *machine.ShellOpened, *machine.Resumed:
		if l := track.LineOf(e); e.Body.Type() != "captured" || e.By == machine.ByPerson {
			t.line("%s%s", mark(e.Step), sanitize.Plain(l.What+by(l)))
		}
	}
}

// by returns who made an event, where a person did.
func by(l track.Line) string {
	if l.By == "" {
		return ""
	}
	return ", by " + l.By + reason(l.Reason)
}
