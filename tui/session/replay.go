package session

import (
	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/replay"
	"playhead/parse/plan"
)

// Replay returns a recording in the place of a session. What would change something is refused.
func Replay(p *replay.Player) Session { return playing{inert{replay.ErrReplay}, p} }

type playing struct {
	inert
	*replay.Player
}

func (p playing) Watch() Watcher { return p.Player.Watch() }

func (p playing) Log(file string) Log {
	if log := p.Player.Log(file); log != nil {
		return log
	}
	return nil
}

func (playing) Break([]engine.Breakpoint) error    { return nil }
func (playing) Cancel() error                      { return nil }
func (p playing) End(plan.RunResult, string) error { return replay.ErrReplay }
func (playing) PreviewDecision(int) engine.DecisionPreview {
	return func(machine.Change) (machine.Event, error) { return machine.Event{}, replay.ErrReplay }
}
func (playing) ReplyWarnings(string) []string    { return nil }
func (playing) NextUndo() (machine.Event, error) { return machine.Event{}, replay.ErrReplay }
func (playing) NextRedo() (machine.Event, error) { return machine.Event{}, replay.ErrReplay }
func (playing) TakeControl() error               { return replay.ErrReplay }
func (playing) Type([]byte) error                { return replay.ErrReplay }
func (playing) Resize(int, int)                  {}
