package replay

import (
	"slices"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
)

// Events returns the events that show, as engine.Session's Events does.
func (p *Player) Events() []machine.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clip(p.recording.Events[:p.visible])
}

// Watch subscribes, from the first event on.
func (p *Player) Watch() *engine.Watcher {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watchers.Add(&p.mu, func() engine.Update {
		return engine.Update{Events: slices.Clip(p.recording.Events[:p.visible]), Status: p.status()}
	})
}

// status returns what a session would have reported at this moment.
func (p *Player) status() engine.Status {
	st := engine.Status{State: engine.Running}
	switch {
	case p.visible == len(p.recording.Events):
		return engine.Status{State: engine.Over, Log: p.unfinishedLog()}
	case !p.playing:
		st.State = engine.Paused
		if next := p.recording.Events[p.visible]; isUnit(next) {
			st.NextEvent = &next
		}
	}
	if p.growing != nil {
		st.Running, st.Log = p.recording.Events[p.growing.from].Step, p.growing.file
	}
	return st
}

// unfinishedLog returns the log of the action that the recording ends in, empty if there is none.
func (p *Player) unfinishedLog() string {
	if at := p.recording.unfinishedAction(); at >= 0 {
		if file := journal.LogName(p.recording.Events[at].Seq); p.log(file) != nil {
			return file
		}
	}
	return ""
}

func isUnit(e machine.Event) bool {
	_, ok := e.Body.(*machine.Entered)
	return ok
}

// Log returns the log of an action by its name in events, nil if there is none.
func (p *Player) Log(file string) *logs.Log {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log(file)
}

func (p *Player) log(file string) *logs.Log {
	if l := p.logs[file]; l != nil || file == "" {
		return l
	}
	ref, ok := p.recording.logRef(file)
	if !ok {
		return nil
	}
	l, err := logs.OpenAt(p.logFile(file), ref.Offset, ref.Bytes)
	if err != nil {
		return nil
	}
	p.logs[file] = l
	return l
}
