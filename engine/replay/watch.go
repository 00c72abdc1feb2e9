package replay

import (
	"playhead/engine"
	"playhead/engine/logs"
	"playhead/engine/machine"
)

// Watcher sees what shows, as engine.Watcher does in a session.
type Watcher struct {
	p       *Player
	seen    int
	anew    bool
	changed chan struct{}
}

// Watch subscribes, from the first event on.
func (p *Player) Watch() *Watcher {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := &Watcher{p: p, changed: make(chan struct{}, 1)}
	p.watchers = append(p.watchers, w)
	w.changed <- struct{}{}
	return w
}

// Changed is signalled when there is something to Take.
func (w *Watcher) Changed() <-chan struct{} { return w.changed }

// Take returns what is new since the last Take.
func (w *Watcher) Take() engine.Update {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	n := w.p.shown
	u := engine.Update{Events: w.p.tape.Events[w.seen:n:n], Anew: w.anew, Status: w.p.status()}
	w.seen, w.anew = n, false
	return u
}

func (p *Player) notify() {
	for _, w := range p.watchers {
		select {
		case w.changed <- struct{}{}:
		default:
		}
	}
}

// status is what a session would have said of itself.
func (p *Player) status() engine.Status {
	st := engine.Status{State: engine.Running}
	switch {
	case p.shown == len(p.tape.Events):
		return engine.Status{State: engine.Over}
	case !p.playing:
		st.State = engine.Paused
		if next := p.tape.Events[p.shown]; isUnit(next) {
			st.Next = &next
		}
	}
	if p.reel != nil {
		st.Running, st.Log = p.tape.Events[p.reel.from].Step, p.reel.file
	}
	return st
}

func isUnit(e machine.Event) bool {
	_, ok := e.Body.(*machine.Entered)
	return ok
}

// Log is the log of an action by the name its events give, nil when there is none.
func (p *Player) Log(file string) *logs.Log {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.logs[file]; l != nil || file == "" {
		return l
	}
	for _, e := range p.tape.Events {
		b, ok := e.Body.(*machine.ActionFinished)
		if !ok || b.Log == nil || b.Log.File != file {
			continue
		}
		path, err := p.logPath(file)
		if err != nil {
			return nil
		}
		l, err := logs.OpenAt(path, b.Log.Offset, b.Log.Bytes)
		if err != nil {
			return nil
		}
		p.logs[file] = l
		return l
	}
	return nil
}
