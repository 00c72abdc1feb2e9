package replay

import (
	"slices"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
)

// Events returns the visible events, like Events of engine.Session.
func (p *Player) Events() []machine.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clip(p.recording.Events[:p.visibleCount])
}

// WatchFromStart subscribes. The first update has all visible events so far.
func (p *Player) WatchFromStart() *engine.Watcher {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watchers.Add(&p.mu, func() engine.Update {
		return engine.Update{Events: slices.Clip(p.recording.Events[:p.visibleCount]), Status: p.status()}
	})
}

// status returns the status that a session would have reported at this position.
func (p *Player) status() engine.Status {
	st := engine.Status{State: engine.Running}
	switch {
	case p.visibleCount == len(p.recording.Events):
		return engine.Status{State: engine.Over, RunningLog: p.unfinishedLog()}
	case !p.isPlaying:
		st.State = engine.Paused
		if next := p.recording.Events[p.visibleCount]; entersStep(next) {
			st.NextEvent = &next
		}
	}
	if p.growingLog != nil {
		st.RunningStep, st.RunningLog = p.recording.Events[p.growingLog.startEventIndex].Step, p.growingLog.logName
	}
	return st
}

// unfinishedLog returns the log of the action that the recording ends in, empty if there is none.
func (p *Player) unfinishedLog() string {
	if at := p.recording.unfinishedAction(); at >= 0 {
		if file := journal.LogName(p.recording.Events[at].Seq); p.openLog(file) != nil {
			return file
		}
	}
	return ""
}

// Log returns the log of an action by its name in events, nil if there is none.
func (p *Player) Log(file string) *logs.Log {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.openLog(file)
}

func (p *Player) openLog(file string) *logs.Log {
	if l := p.logByName[file]; l != nil || file == "" {
		return l
	}
	ref, ok := p.recording.logRef(file)
	if !ok {
		return nil
	}
	l, err := logs.OpenAt(p.logLocation(file), ref.Offset, ref.Bytes)
	if err != nil {
		return nil
	}
	p.logByName[file] = l
	return l
}
