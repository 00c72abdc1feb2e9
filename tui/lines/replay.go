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
	"playhead/parse/plan"
)

// playback controls the replay of a recorded run.
type playback struct {
	*inspector
	player     *replay.Player
	moveReplay func(to func() error) error // moves to another place in the recording
}

// commands returns the commands of a replay.
func (p *playback) commands() []Command {
	return []Command{
		{Name: "continue", Help: "play", Do: p.continueCommand(engine.Continue), movesRun: true},
		{Name: "over", Help: "play to the next step", Do: p.continueCommand(engine.StepOver), movesRun: true},
		{Name: "run-to", Usage: "STEP", Help: "play to that step", Do: p.playToStep, movesRun: true},
		{Name: "pause", Help: "pause the replay", Do: p.pausePlaying},
		{Name: "speed", Usage: "[N]", Help: "print or set the speed, from 0.25 to 16", Do: p.setOrPrintSpeed},
		{Name: "slower", Help: "half as fast", Do: p.scaleSpeedCommand(-1)},
		{Name: "faster", Help: "twice as fast", Do: p.scaleSpeedCommand(1)},
		{Name: "jump", Usage: "STEP|TIME", Help: "go to a step, or to a time such as 90s or 1m30s", Do: p.jumpToStepOrTime, movesRun: true},
		{Name: "undo", Help: "go back one step", Do: func(string) error { return p.moveReplay(p.player.Undo) }, movesRun: true},
		{Name: "redo", Help: "go forward one step without playing it", Do: func(string) error { return p.moveReplay(p.player.Redo) }, movesRun: true},
		{Name: "rewind", Usage: "EVENT", Help: "go to an event; :timeline lists them", Do: p.rewindToEvent, movesRun: true},
		{Name: "first", Help: "go to the start", Do: func(string) error { return p.moveReplay(asErrorFunc(p.player.SeekStart)) }, movesRun: true},
		{Name: "last", Help: "go to the end without playing", Do: func(string) error { return p.moveReplay(asErrorFunc(p.player.SeekEnd)) }, movesRun: true},
	}
}

// asErrorFunc adapts a function that cannot fail to one that returns an error.
func asErrorFunc(do func()) func() error { return func() error { do(); return nil } }

// continueCommand returns the function of a command that continues the replay in a mode.
func (p *playback) continueCommand(mode engine.Mode) func(string) error {
	return func(string) error {
		if p.status.State == engine.Over {
			return errRecordingOver
		}
		return p.player.Continue(mode, "")
	}
}

func (p *playback) playToStep(step string) error {
	if step == "" {
		return errors.New("run-to needs a step: type :run-to STEP")
	}
	return p.explainStepError(step, p.player.Continue(engine.Continue, engine.UnquoteStep(step)))
}

// explainStepError returns a better error for a step that does not exist at all.
func (p *playback) explainStepError(step string, err error) error {
	if err != nil {
		if _, missing := p.findRow(step); missing != nil {
			return missing
		}
	}
	return err
}

var errRecordingOver = errors.New("the recording is over: type :undo to go back one step")

func (p *playback) pausePlaying(string) error {
	switch p.status.State {
	case engine.Over:
		return errRecordingOver
	case engine.Running:
		return p.player.Pause()
	}
	return errors.New("the replay is already paused: type :continue to play it")
}

func (p *playback) setOrPrintSpeed(arg string) error {
	if arg != "" {
		n, err := strconv.ParseFloat(strings.TrimRight(arg, "x×"), 64)
		if err != nil {
			return fmt.Errorf("%q is not a speed: write a number, as in :speed 2", arg)
		}
		if err := p.player.SetSpeed(n); err != nil {
			return err
		}
	}
	p.printLine("  the replay speed is %g×", p.player.Speed())
	return nil
}

func (p *playback) scaleSpeedCommand(times int) func(string) error {
	return func(string) error {
		p.player.ScaleSpeed(times)
		return p.setOrPrintSpeed("")
	}
}

func (p *playback) jumpToStepOrTime(to string) error {
	if to == "" {
		return errors.New("jump needs a step or a time: type :jump STEP or :jump 1m30s")
	}
	if since, isTime := parseElapsedTime(to); isTime && p.track.RowByLabel(to) == nil {
		return p.moveReplay(asErrorFunc(func() { p.player.SeekTime(since) }))
	}
	return p.explainStepError(to, p.moveReplay(func() error { return p.player.Jump(engine.UnquoteStep(to), "") }))
}

// parseElapsedTime parses a time after the start: 90s, 1m30s, 01:30. ok is false if text is no such time.
func parseElapsedTime(text string) (since time.Duration, ok bool) {
	if parts := strings.Split(text, ":"); len(parts) == 2 {
		text = parts[0] + "m" + parts[1] + "s"
	} else if len(parts) == 3 {
		text = parts[0] + "h" + parts[1] + "m" + parts[2] + "s"
	}
	since, err := time.ParseDuration(text)
	return since, err == nil && since >= 0
}

// parseEventNumber returns the number of an event that a person wrote.
func parseEventNumber(arg string) (int, error) {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not the number of an event: :timeline lists the numbers", arg)
	}
	return n, nil
}

func (p *playback) rewindToEvent(arg string) error {
	seq, err := parseEventNumber(arg)
	if err != nil {
		return err
	}
	return p.moveReplay(func() error { return p.player.Rewind(seq) })
}

// positionText returns where in the recording the replay is.
func (p *playback) positionText() string {
	at := p.player.Progress()
	words := "at the start"
	if row := p.track.CurrentRow; row != nil {
		words = "at " + stepHeading(row)
	}
	return fmt.Sprintf("%s, event %d of %d, %s of %s", words, at.VisibleCount, at.EventCount, at.Elapsed, at.Length)
}

// printIntroduction prints what is replayed and, to a person, the first commands.
func (p *playback) printIntroduction(person bool) {
	at := p.player.Progress()
	p.printLine("replay of run %s, %s: %s, %s. Nothing is executed.", p.runFolder.ID(), sanitize.Plain(p.track.Plan.Path), plan.CountText(at.EventCount, "event"), at.Length)
	if person {
		p.printLine("Press enter to pause or play. Type :over to play one step, or :help to list all commands.")
	}
}

// printPause prints where the replay is paused and the first commands.
func (p *playback) printPause() {
	if p.status.State == engine.Over {
		p.printLine("The recording is over. Press enter to quit. Type :undo to go back one step, or :help to list all commands.")
		return
	}
	next := ""
	if e := p.status.NextEvent; e != nil {
		next = "; the next step is [" + sanitize.Plain(e.Step) + "]"
	}
	p.printLine("paused %s%s. Press enter to play, or type :over to play one step.", p.positionText(), next)
}

// togglePlaying pauses or continues a replay that is not over.
func (p *playback) togglePlaying() error {
	if p.status.State == engine.Running {
		return p.player.Pause()
	}
	return p.player.Continue(engine.Continue, "")
}

// printRecordedInteraction prints the questions to a person and their actions in a recording.
func (n *narrator) printRecordedInteraction(e machine.Event) {
	switch b := e.Body.(type) {
	case *machine.InputNeeded:
		n.printQuestion(e.Step, b.Kind, b.Prompt, b.Options)
	case *machine.InputGiven, *machine.VariableCaptured, *machine.ActionEdited, *machine.LimitsUsed, *machine.ShellOpened, *machine.PlayheadToolCalled, *machine.RunResumed:
		if e.Body.Type() != "captured" || e.By == machine.ByPerson {
			n.printEventLine(e)
		}
	}
}

// printPreparedAnswer prints a question of a live run and its answer, if nobody typed the answer here and the run did not go
// on without one. For a question that decides a step, it prints no question, because the heading and the text of the step
// ask it, and no answer such as "pass", because the decision shows it.
func (n *narrator) printPreparedAnswer(e machine.Event, b *machine.InputGiven) {
	wasTypedHere := e.By == machine.ByPerson && n.hasPerson
	if !n.isLive || wasTypedHere || e.By == machine.ByAuto {
		return
	}
	decides := b.Kind == machine.KindDecide
	if decides && b.Outcome != nil && b.Value == string(b.Outcome.Result) {
		return
	}
	if all := n.track.EnsureAttempt(e).Questions; len(all) > 0 && !decides {
		q := all[len(all)-1]
		n.printQuestion(e.Step, q.Kind, q.Prompt, q.Options)
	}
	n.printEventLine(e)
}

// printEventLine prints an event as :timeline lists it.
func (n *narrator) printEventLine(e machine.Event) {
	l := n.track.EventLine(e)
	n.printLine("%s%s", stepPrefix(e.Step), sanitize.Plain(l.Description+authorText(l)))
}

// authorText returns who made an event, "" if no person did.
func authorText(l track.EventLine) string {
	if l.By == "" {
		return ""
	}
	return ", " + wording.AuthorOfLine(l) + textSuffix(l.Note)
}
