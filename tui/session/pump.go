package session

import (
	"cmp"
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/filewatch"
	"playhead/parse/plan"
)

// Beat is the shortest time between two messages of one kind: the screen is hardly
// painted more often anyway.
const Beat = 16 * time.Millisecond

// Pump brings what the session does to the program as engine.Updates, in pieces: however fast
// events come, there is one message a Beat. It ends with ctx.
func Pump(ctx context.Context, w Watcher, send func(tea.Msg)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.Changed():
		}
		send(w.Take())
		if !sleep(ctx, Beat) {
			return
		}
	}
}

// sleep waits, and reports whether ctx is still alive.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// Queue makes calls in the order in which they were put in, so that keys typed
// in a row arrive in a row, and Update never waits.
type Queue struct{ calls chan func() error }

// NewQueue returns an empty queue.
func NewQueue() *Queue { return &Queue{calls: make(chan func() error, 4096)} }

// Put adds a call; with a full queue it is refused.
func (q *Queue) Put(call func() error) bool {
	select {
	case q.calls <- call:
		return true
	default:
		return false
	}
}

// Failed is what a call to the session came to that failed.
type Failed struct{ Err error }

// Run makes the calls and sends what fails, until ctx ends.
func (q *Queue) Run(ctx context.Context, send func(tea.Msg)) {
	for {
		select {
		case <-ctx.Done():
			return
		case call := <-q.calls:
			if err := call(); err != nil {
				send(Failed{err})
			}
		}
	}
}

// DocumentChanged says that files of the document changed: Offer is what they hold now, Err why they
// cannot be read.
type DocumentChanged struct {
	Offer *engine.Offer
	Err   error
}

// FilesChanged says that files of the document changed before the run began.
type FilesChanged struct{}

// WatchFiles tells the program each time that one of the files changes, until ctx ends.
func WatchFiles(ctx context.Context, files []plan.File, send func(FilesChanged)) {
	w := filewatch.New()
	defer w.Close()
	w.Watch(files)
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.Changes():
			send(FilesChanged{})
		}
	}
}

// WatchDocument tells the program each time that files of the run's document change, until ctx ends, and
// at once if they have changed since the document was loaded.
func WatchDocument(ctx context.Context, s Session, send func(DocumentChanged)) {
	saved, err := s.Saved()
	if err != nil { // a recording has no document to go on with
		return
	}
	if saved.Notice() != "" {
		send(DocumentChanged{Offer: saved})
	}
	w := filewatch.New()
	defer w.Close()
	for {
		w.Watch(filewatch.Files(saved.Plan, cmp.Or(saved.File, saved.Plan.Path)))
		select {
		case <-ctx.Done():
			return
		case <-w.Changes():
		}
		now, err := s.Saved()
		if err == nil {
			saved = now
		}
		if ctx.Err() == nil {
			send(DocumentChanged{now, err})
		}
	}
}
