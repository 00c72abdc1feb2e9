package output

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
	"playhead/tui/session"
)

// Request asks for a part of a log: rows lines from a line on, or the last ones.
type Request struct {
	log  session.Log
	from int
	rows int
	tail bool
	live bool  // it is still written to
	page *page // that it is rendered on; nil: it shows as it is
}

// HasLog reports whether there is something to read.
func (v Request) HasLog() bool { return v.log != nil }

// Window is the answer: the lines, ready to be shown.
type Window struct {
	log   session.Log
	from  int
	lines []string
	total int
	bytes int64
	open  bool // the last line of a live log has no line end
	err   error
}

// longest is how much of one line is looked at. A command may print a line that
// never ends.
const longest = 64 << 10

// ending is how much of a log's text shows how it ends.
const ending = 256

// Read reads what is requested.
func (v Request) Read() Window {
	w := Window{log: v.log, from: v.from}
	w.bytes, w.total = v.log.Size()
	if v.page != nil && w.bytes <= maxPage {
		v.readPage(&w)
		return w
	}
	if v.tail || w.from > w.total-1 {
		w.from = w.total - v.rows
	}
	w.from = max(0, w.from)
	w.open = v.live && w.total > 0 && !strings.HasSuffix(v.log.Text(ending), "\n")
	raw, err := v.log.Lines(w.from, v.rows)
	w.err = err
	for _, line := range raw {
		w.lines = append(w.lines, sanitize.Output(line[:min(len(line), longest)]))
	}
	return w
}

// readPage reads what is requested of a rendered log.
func (v Request) readPage(w *Window) {
	lines, err := v.page.render(v.log, v.live)
	w.total, w.err = len(lines), err
	if v.tail || w.from > w.total-1 {
		w.from = w.total - v.rows
	}
	w.from = max(0, w.from)
	w.lines = lines[w.from:min(w.total, w.from+v.rows)]
}

// Reader brings the visible part of a log to the program: at once when the person
// moves, and at intervals while the log grows.
type Reader struct{ requests chan Request }

// NewReader returns a reader of which nothing was requested.
func NewReader() *Reader { return &Reader{requests: make(chan Request, 1)} }

// Show asks for another part. Only the newest one counts.
func (r *Reader) Show(v Request) {
	select {
	case <-r.requests:
	default:
	}
	r.requests <- v
}

// growth is the shortest time between two looks at a log that grows. Text flows at
// this pace too, and the frames, which cost the most, are fewer. What a model writes
// is read by words, and comes slower than what a command prints.
const (
	growth      = 3 * session.Beat
	growthReply = 6 * session.Beat
)

// pace is how long a request waits before it looks at a growing log again.
func (v Request) pace() time.Duration {
	if v.page != nil {
		return growthReply
	}
	return growth
}

// Run answers with Windows until ctx ends.
func (r *Reader) Run(ctx context.Context, send func(tea.Msg)) {
	var v Request
	var grown <-chan struct{}
	var pause <-chan time.Time
	for {
		changed := grown
		if pause != nil {
			changed = nil
		}
		select {
		case <-ctx.Done():
			return
		case next := <-r.requests:
			grown = rewatch(v.log, next.log, grown)
			v = next
		case <-changed:
		case <-pause:
			pause = nil
			continue
		}
		if v.log == nil {
			continue
		}
		send(v.Read())
		pause = time.After(v.pace())
	}
}

// rewatch moves the subscription from one log to another.
func rewatch(old, next session.Log, grown <-chan struct{}) <-chan struct{} {
	if old == next {
		return grown
	}
	if old != nil {
		old.Unwatch(grown)
	}
	if next == nil {
		return nil
	}
	return next.Watch()
}
