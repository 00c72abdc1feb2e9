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

func (box *mailbox) send(m tea.Msg) {
	box.mu.Lock()
	defer box.mu.Unlock()
	box.msgs = append(box.msgs, m)
}

func (box *mailbox) count() int {
	box.mu.Lock()
	defer box.mu.Unlock()
	return len(box.msgs)
}

// growing is a log that tells when it has grown.
type growing struct {
	sessiontest.Log
	mu      sync.Mutex
	changed chan struct{}
	watched int
}

func (g *growing) add(line string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.Content = append(g.Content, line)
	select {
	case g.changed <- struct{}{}:
	default:
	}
}

func (g *growing) Size() (int64, int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.Log.Size()
}

func (g *growing) Lines(from, n int) ([]string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.Log.Lines(from, n)
}

func (g *growing) Watch() <-chan struct{}  { g.watched++; return g.changed }
func (g *growing) Unwatch(<-chan struct{}) { g.watched-- }

func TestTheReaderNeverMakesAKeyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, box, r := &growing{changed: make(chan struct{}, 1)}, &mailbox{}, NewReader()
		ctx, cancel := context.WithCancel(t.Context())
		go r.AnswerRequests(ctx, box.send)
		r.SetRequest(ReadRequest{log: log, lineCount: 3, wantsTail: true})
		for i := range 1000 {
			log.add(fmt.Sprint(i))
			time.Sleep(100 * time.Microsecond)
		}
		if n := box.count(); n > 9 {
			t.Errorf("%d messages in 100 ms", n)
		}
		before, at := box.count(), time.Now()
		r.SetRequest(ReadRequest{log: log, firstLine: 10, lineCount: 3})
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
