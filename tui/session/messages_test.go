package session

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/tui/session/sessiontest"
)

// updateQueue is a Watcher to which a test adds events.
type updateQueue struct {
	mu      sync.Mutex
	events  int
	changed chan struct{}
}

func (s *updateQueue) add() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events++
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *updateQueue) Changed() <-chan struct{} { return s.changed }

func (s *updateQueue) Take() engine.Update {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := engine.Update{Events: make([]machine.Event, s.events)}
	s.events = 0
	return u
}

func TestSendUpdatesOncePerInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, box := &updateQueue{changed: make(chan struct{}, 1)}, &sessiontest.Mailbox{}
		ctx, cancel := context.WithCancel(t.Context())
		go SendUpdates(ctx, w, box.Send)
		for range 10_000 {
			w.add()
			time.Sleep(10 * time.Microsecond)
		}
		time.Sleep(time.Second)
		cancel()
		synctest.Wait()
		total := 0
		for _, m := range box.Messages() {
			total += len(m.(engine.Update).Events)
		}
		if total != 10_000 {
			t.Errorf("%d of 10000 events arrived", total)
		}
		if n := len(box.Messages()); n > 10 {
			t.Errorf("%d messages in 100 ms", n)
		}
	})
}

func TestCallsAreMadeInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, box := NewQueue(), &sessiontest.Mailbox{}
		ctx, cancel := context.WithCancel(t.Context())
		var got []int
		for i := range 100 {
			q.AddCall(func() error { got = append(got, i); return nil })
		}
		q.AddCall(func() error { return errors.New("refused") })
		go q.Run(ctx, box.Send)
		synctest.Wait()
		for i, n := range got {
			if i != n {
				t.Fatalf("call %d came at %d", n, i)
			}
		}
		if len(got) != 100 || len(box.Messages()) != 1 {
			t.Errorf("%d calls, %d errors", len(got), len(box.Messages()))
		}
		cancel()
		synctest.Wait()
	})
}
