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

// UpdateInterval is the minimum time between two messages of one kind. The screen is hardly drawn more often.
const UpdateInterval = 16 * time.Millisecond

// SendUpdates sends what happens in the session to the program as engine.Updates, at most one each
// UpdateInterval. It ends with ctx.
func SendUpdates(ctx context.Context, w Watcher, send func(tea.Msg)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.Changed():
		}
		send(w.Take())
		if !sleepUnlessDone(ctx, UpdateInterval) {
			return
		}
	}
}

// sleepUnlessDone waits, and reports whether ctx is still active.
func sleepUnlessDone(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// Queue makes calls in the order in which they were added, so that keys arrive in order and Update never
// waits.
type Queue struct{ calls chan func() error }

// NewQueue returns an empty queue.
func NewQueue() *Queue { return &Queue{calls: make(chan func() error, 4096)} }

// AddCall adds a call. It returns false if the queue is full.
func (q *Queue) AddCall(call func() error) bool {
	select {
	case q.calls <- call:
		return true
	default:
		return false
	}
}

// CallFailed is the message with the error of a call to the session.
type CallFailed struct{ Err error }

// Run makes the calls and sends their errors, until ctx ends.
func (q *Queue) Run(ctx context.Context, send func(tea.Msg)) {
	for {
		select {
		case <-ctx.Done():
			return
		case call := <-q.calls:
			if err := call(); err != nil {
				send(CallFailed{err})
			}
		}
	}
}

// DocumentChanged reports that files of the document have changed. SavedVersion has their content, Err is why they
// cannot be read.
type DocumentChanged struct {
	SavedVersion *engine.ReloadOffer
	Err          error
}

// FilesChangedBeforeRun reports that files of the document have changed before the run began.
type FilesChangedBeforeRun struct{}

// WatchFiles tells the program each time one of the files changes, until ctx ends.
func WatchFiles(ctx context.Context, files []plan.File, send func(FilesChangedBeforeRun)) {
	w := filewatch.New()
	defer w.Close()
	w.SetFiles(files)
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.Changes():
			send(FilesChangedBeforeRun{})
		}
	}
}

// WatchDocument tells the program each time files of the run's document change, until ctx ends. It does so
// at once if they have changed since the document was loaded.
func WatchDocument(ctx context.Context, s Session, send func(DocumentChanged)) {
	saved, err := s.OfferSaved()
	if err != nil { // a recording does not watch its document
		return
	}
	if saved.ChangeNotice() != "" {
		send(DocumentChanged{SavedVersion: saved})
	}
	w := filewatch.New()
	defer w.Close()
	for {
		w.SetFiles(filewatch.DocumentAndIncludedFiles(saved.Plan, cmp.Or(saved.SavedPath, saved.Plan.Path)))
		select {
		case <-ctx.Done():
			return
		case <-w.Changes():
		}
		now, err := s.OfferSaved()
		if err == nil {
			saved = now
		}
		if ctx.Err() == nil {
			send(DocumentChanged{now, err})
		}
	}
}
