package output

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"playhead/tui/session/sessiontest"
)

// growing is a log that signals when a line is added.
type growing struct {
	sessiontest.Log
	mu      sync.Mutex
	changed chan struct{}
	watched int
}

func (g *growing) add(line string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.LogLines = append(g.LogLines, line)
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
		log, box, r := &growing{changed: make(chan struct{}, 1)}, &sessiontest.Mailbox{}, NewReader()
		ctx, cancel := context.WithCancel(t.Context())
		go r.AnswerRequests(ctx, box.Send)
		r.SetRequest(ReadRequest{log: log, lineCount: 3, wantsTail: true})
		for i := range 1000 {
			log.add(fmt.Sprint(i))
			time.Sleep(100 * time.Microsecond)
		}
		if n := len(box.Messages()); n > 9 {
			t.Errorf("%d messages in 100 ms", n)
		}
		before, at := len(box.Messages()), time.Now()
		r.SetRequest(ReadRequest{log: log, firstLine: 10, lineCount: 3})
		synctest.Wait()
		if len(box.Messages()) != before+1 || time.Since(at) > 0 {
			t.Errorf("the answer to a key came after %v", time.Since(at))
		}
		if w := box.Messages()[before].(LogWindow); strings.Join(w.lines, " ") != "10 11 12" || w.totalLines != 1000 {
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
