package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// beat is the shortest time between two messages of one kind: the screen is hardly
// painted more often anyway.
const beat = 16 * time.Millisecond

// pump brings what the session does to the program, in pieces: however fast
// events come, there is one message a beat.
func pump(ctx context.Context, w watcher, send func(tea.Msg)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.Changed():
		}
		send(updateMsg(w.Take()))
		if !sleep(ctx, beat) {
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

// queue makes calls in the order in which they were put in, so that keys typed
// in a row arrive in a row, and Update never waits.
type queue struct{ calls chan func() error }

func newQueue() *queue { return &queue{calls: make(chan func() error, 4096)} }

// put adds a call; with a full queue it is refused.
func (q *queue) put(call func() error) bool {
	select {
	case q.calls <- call:
		return true
	default:
		return false
	}
}

// run makes the calls and sends what became of them.
func (q *queue) run(ctx context.Context, send func(tea.Msg)) {
	for {
		select {
		case <-ctx.Done():
			return
		case call := <-q.calls:
			if err := call(); err != nil {
				send(calledMsg{err})
			}
		}
	}
}
