package output

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
	"playhead/tui/session"
)

// Request asks for a part of a log: a number of rows from a line on, or the last rows.
type Request struct {
	log  session.Log
	from int
	rows int
	tail bool
	live bool  // the log may grow
	page *page // renders the log; nil: it shows raw
}

// HasLog reports whether there is something to read.
func (v Request) HasLog() bool { return v.log != nil }

// Window is the answer to a Request: lines that can be shown.
type Window struct {
	log   session.Log
	from  int
	lines []string
	total int
	bytes int64
	open  bool // the last line of a live log has no line end
	err   error
}

// longest limits how much of one line is shown, in bytes, because a command may print a line that
// never ends.
const longest = 64 << 10

// tailBytes is how much of a log is read to see whether it ends with a line end, in bytes.
const tailBytes = 256

// Read reads the requested part.
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
	w.open = v.live && w.total > 0 && !strings.HasSuffix(v.log.Text(tailBytes), "\n")
	raw, err := v.log.Lines(w.from, v.rows)
	w.err = err
	for _, line := range raw {
		w.lines = append(w.lines, sanitize.Output(line[:min(len(line), longest)]))
	}
	return w
}

// readPage reads the requested part of a rendered log.
func (v Request) readPage(w *Window) {
	lines, err := v.page.render(v.log, v.live)
	w.total, w.err = len(lines), err
	if v.tail || w.from > w.total-1 {
		w.from = w.total - v.rows
	}
	w.from = max(0, w.from)
	w.lines = lines[w.from:min(w.total, w.from+v.rows)]
}

// Reader sends the visible part of a log to the program: at once when the person moves, and at
// intervals while the log grows.
type Reader struct{ requests chan Request }

// NewReader returns a reader without a request.
func NewReader() *Reader { return &Reader{requests: make(chan Request, 1)} }

// Show requests another part. It replaces a request that has not been read yet.
func (r *Reader) Show(v Request) {
	select {
	case <-r.requests:
	default:
	}
	r.requests <- v
}

// readInterval is the shortest time between two reads of a log that grows. It keeps the number of frames
// low, because frames cost the most, and text still seems to flow. The time is longer for a reply,
// which comes slower than the output of a command.
const (
	readInterval = 3 * session.Beat
	growthReply  = 6 * session.Beat
)

// pace returns how long to wait before a growing log is read again.
func (v Request) pace() time.Duration {
	if v.page != nil {
		return growthReply
	}
	return readInterval
}

// Run answers requests with Windows until ctx ends.
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

// rewatch moves the subscription from one log to another, and returns the new one.
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
