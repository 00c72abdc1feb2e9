package engine

import (
	"sync"

	"playhead/engine/machine"
)

// Update is what a watcher has not seen yet.
type Update struct {
	Events []machine.Event
	Anew   bool // the run was rewound: these are all events of the branch it is on now
	Status Status
}

// Watcher sees everything that happens, in order, in pieces as large as they have
// become since it last looked. A slow watcher holds nothing up.
type Watcher struct {
	lock    sync.Locker   // of what is watched
	now     func() Update // all events of the branch that the run is on, and what it does
	seen    int           // of the events
	anew    bool
	changed chan struct{}
}

// Changed is signalled when there is something to Take.
func (w *Watcher) Changed() <-chan struct{} { return w.changed }

// Take returns what is new since the last Take.
func (w *Watcher) Take() Update {
	w.lock.Lock()
	defer w.lock.Unlock()
	u := w.now()
	u.Events, u.Anew = u.Events[w.seen:], w.anew
	w.seen, w.anew = w.seen+len(u.Events), false
	return u
}

// Watchers are those of a session, or of a recording that is played. Their methods are
// called with its lock held.
type Watchers []*Watcher

// Add subscribes one to a run, from its first event on. now is called with the lock held.
func (ws *Watchers) Add(lock sync.Locker, now func() Update) *Watcher {
	w := &Watcher{lock: lock, now: now, changed: make(chan struct{}, 1)}
	*ws = append(*ws, w)
	w.changed <- struct{}{}
	return w
}

// Anew has everyone see all events once more: the run is on another branch.
func (ws Watchers) Anew() {
	for _, w := range ws {
		w.seen, w.anew = 0, true
	}
}

// Notify tells everyone that there is something to Take.
func (ws Watchers) Notify() {
	for _, w := range ws {
		select {
		case w.changed <- struct{}{}:
		default:
		}
	}
}
