package output

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/session/sessiontest"
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

// growing is a log that tells when it has grown.
type growing struct {
	sessiontest.Log
	mu      sync.Mutex
	changed chan struct{}
	watched int
}

func (l *growing) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.Content = append(l.Content, line)
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

func (l *growing) Size() (int64, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Log.Size()
}

func (l *growing) Lines(from, n int) ([]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Log.Lines(from, n)
}

func (l *growing) Watch() <-chan struct{}  { l.watched++; return l.changed }
func (l *growing) Unwatch(<-chan struct{}) { l.watched-- }

func TestTheReaderNeverMakesAKeyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, box, r := &growing{changed: make(chan struct{}, 1)}, &mailbox{}, NewReader()
		ctx, cancel := context.WithCancel(t.Context())
		go r.AnswerRequests(ctx, box.send)
		r.SetRequest(ReadRequest{log: log, rowCount: 3, wantsTail: true})
		for i := range 1000 {
			log.add(fmt.Sprint(i))
			time.Sleep(100 * time.Microsecond)
		}
		if n := box.count(); n > 9 {
			t.Errorf("%d messages in 100 ms", n)
		}
		before, at := box.count(), time.Now()
		r.SetRequest(ReadRequest{log: log, firstLine: 10, rowCount: 3})
		synctest.Wait()
		if box.count() != before+1 || time.Since(at) > 0 {
			t.Errorf("the answer to a key came after %v", time.Since(at))
		}
		if w := box.msgs[before].(LogWindow); strings.Join(w.lines, " ") != "10 11 12" || w.totalLines != 1000 {
			t.Errorf("got %v of %d", w.lines, w.totalLines)
		}
		r.SetRequest(ReadRequest{})
		synctest.Wait()
		if log.watched != 0 {
			t.Error("a log that is not shown is still watched")
		}
		cancel()
		synctest.Wait()
	})
}
