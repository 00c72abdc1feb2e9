package session

import (
	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/replay"
	"playhead/engine/rewrite"
	"playhead/parse/plan"
)

// Replay returns a recording in the place of a session. What would change something is refused.
func Replay(p *replay.Player) Session { return playing{p} }

type playing struct{ *replay.Player }

func (p playing) Watch() Watcher { return p.Player.Watch() }

func (p playing) Log(file string) Log {
	if log := p.Player.Log(file); log != nil {
		return log
	}
	return nil
}

func (playing) Break([]engine.Breakpoint) error { return nil }
func (playing) Saved() (*engine.Offer, error)   { return nil, replay.ErrReplay }
func (playing) Reload(*engine.Offer, engine.ReloadChoice) error {
	return replay.ErrReplay
}
func (playing) Amend(rewrite.ClauseRef, string) (*engine.Offer, error) {
	return nil, replay.ErrReplay
}
func (playing) EditSteps(plan.StepEdit) (*engine.Offer, error) { return nil, replay.ErrReplay }
func (playing) Forecast(*engine.Offer, int) (*engine.Forecast, error) {
	return nil, replay.ErrReplay
}
func (playing) ReloadAt(*engine.Offer, int, engine.ReloadChoice) error {
	return replay.ErrReplay
}
func (playing) Set(string, any) error             { return replay.ErrReplay }
func (playing) Edit(string, int, string) error    { return replay.ErrReplay }
func (playing) Repeat(int, engine.Mode) error     { return replay.ErrReplay }
func (playing) Instead(int, machine.Change) error { return replay.ErrReplay }
func (playing) PreviewDecision(int) engine.DecisionPreview {
	return func(machine.Change) (machine.Event, error) { return machine.Event{}, replay.ErrReplay }
}
func (playing) ReplyWarnings(string) []string    { return nil }
func (playing) NextUndo() (machine.Event, error) { return machine.Event{}, replay.ErrReplay }
func (playing) NextRedo() (machine.Event, error) { return machine.Event{}, replay.ErrReplay }
func (playing) Answer(machine.Answer) error      { return replay.ErrReplay }
func (playing) Approve(string) error             { return replay.ErrReplay }
func (playing) Retry(string) error               { return replay.ErrReplay }
func (playing) Skip(string) error                { return replay.ErrReplay }
func (playing) OverrideCurrent(plan.Result, string, ...plan.Assignment) error {
	return replay.ErrReplay
}
func (playing) Override(plan.Result, string, ...plan.Assignment) error {
	return replay.ErrReplay
}
func (playing) Cancel() error                    { return nil }
func (playing) End(plan.RunResult, string) error { return replay.ErrReplay }
func (playing) Choose(string) error              { return replay.ErrReplay }
func (playing) TakeOver(bool) error              { return replay.ErrReplay }
func (playing) TakeControl() error               { return replay.ErrReplay }
func (playing) Type([]byte) error                { return replay.ErrReplay }
func (playing) Resize(int, int)                  {}
