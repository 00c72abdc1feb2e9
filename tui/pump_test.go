package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
)

// mailbox keeps what was sent to the program, and when.
type mailbox struct {
	mu   sync.Mutex
	msgs []tea.Msg
}

func (b *mailbox) send(m tea.Msg) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.msgs = append(b.msgs, m)
}

func (b *mailbox) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.msgs)
}

// spring is a watcher that events well up from.
type spring struct {
	mu      sync.Mutex
	events  int
	changed chan struct{}
}

func (s *spring) add() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events++
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *spring) Changed() <-chan struct{} { return s.changed }

func (s *spring) Take() engine.Update {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := engine.Update{Events: make([]machine.Event, s.events)}
	s.events = 0
	return u
}

func TestThePumpSendsOneMessageABeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, box := &spring{changed: make(chan struct{}, 1)}, &mailbox{}
		ctx, cancel := context.WithCancel(t.Context())
		go pump(ctx, w, box.send)
		for range 10_000 {
			w.add()
			time.Sleep(10 * time.Microsecond)
		}
		time.Sleep(time.Second)
		cancel()
		synctest.Wait()
		total := 0
		for _, m := range box.msgs {
			total += len(m.(updateMsg).Events)
		}
		if total != 10_000 {
			t.Errorf("%d of 10000 events arrived", total)
		}
		if n := box.count(); n > 10 {
			t.Errorf("%d messages in 100 ms", n)
		}
	})
}

// growing is a log that tells when it has grown.
type growing struct {
	fakeLog
	mu      sync.Mutex
	changed chan struct{}
	watched int
}

func (l *growing) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

func (l *growing) Size() (int64, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fakeLog.Size()
}

func (l *growing) Lines(from, n int) ([]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fakeLog.Lines(from, n)
}

func (l *growing) Watch() <-chan struct{}  { l.watched++; return l.changed }
func (l *growing) Unwatch(<-chan struct{}) { l.watched-- }

func TestTheReaderNeverMakesAKeyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, box, r := &growing{changed: make(chan struct{}, 1)}, &mailbox{}, newReader()
		ctx, cancel := context.WithCancel(t.Context())
		go r.run(ctx, box.send)
		r.show(view{log: log, rows: 3, tail: true})
		for i := range 1000 {
			log.add(fmt.Sprint(i))
			time.Sleep(100 * time.Microsecond)
		}
		if n := box.count(); n > 9 {
			t.Errorf("%d messages in 100 ms", n)
		}
		before, at := box.count(), time.Now()
		r.show(view{log: log, from: 10, rows: 3})
		synctest.Wait()
		if box.count() != before+1 || time.Since(at) > 0 {
			t.Errorf("the answer to a key came after %v", time.Since(at))
		}
		if w := box.msgs[before].(windowMsg); strings.Join(w.lines, " ") != "10 11 12" || w.total != 1000 {
			t.Errorf("got %v of %d", w.lines, w.total)
		}
		r.show(view{})
		synctest.Wait()
		if log.watched != 0 {
			t.Error("a log that is not shown is still watched")
		}
		cancel()
		synctest.Wait()
	})
}

func TestCallsAreMadeInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, box := newQueue(), &mailbox{}
		ctx, cancel := context.WithCancel(t.Context())
		var got []int
		for i := range 100 {
			q.put(func() error { got = append(got, i); return nil })
		}
		q.put(func() error { return errors.New("refused") })
		go q.run(ctx, box.send)
		synctest.Wait()
		for i, n := range got {
			if i != n {
				t.Fatalf("call %d came at %d", n, i)
			}
		}
		if len(got) != 100 || box.count() != 1 {
			t.Errorf("%d calls, %d errors", len(got), box.count())
		}
		cancel()
		synctest.Wait()
	})
}

func TestAPanicReachesTheProgram(t *testing.T) {
	box := &mailbox{}
	guard(box.send, func() { panic("boom") })
	if p, ok := box.msgs[0].(panicMsg); !ok || p.value != "boom" || !strings.Contains(string(p.stack), "pump_test.go") {
		t.Errorf("sent %v", box.msgs)
	}
}
