package output

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
	"playhead/tui/session"
)

// ReadRequest asks for a part of a log: a number of rows from a line on, or the last rows.
type ReadRequest struct {
	log       session.Log
	firstLine int
	lineCount int
	wantsTail bool
	isLive    bool     // the log may grow
	page      *logPage // renders the log; nil: it shows raw
}

// HasLog reports whether there is something to read.
func (r ReadRequest) HasLog() bool { return r.log != nil }

// LogWindow is the part of a log that was read: lines that can be shown.
type LogWindow struct {
	log               session.Log
	firstLine         int
	lines             []string
	totalLines        int
	logBytes          int64
	hasUnfinishedLine bool // the last line of a live log has no line end
	err               error
}

// maxLineBytes limits how much of one line is shown, in bytes, because a command may print a line that
// never ends.
const maxLineBytes = 64 << 10

// tailBytes is how much of a log is read to see whether it ends with a line end, in bytes.
const tailBytes = 256

// Read reads the requested part of the log.
func (r ReadRequest) Read() LogWindow {
	w := LogWindow{log: r.log}
	w.logBytes, w.totalLines = r.log.Size()
	if r.page != nil && w.logBytes <= maxRenderedBytes {
		r.readPage(&w)
		return w
	}
	w.firstLine = r.firstOf(w.totalLines)
	w.hasUnfinishedLine = r.isLive && w.totalLines > 0 && !strings.HasSuffix(r.log.ShortenedText(tailBytes), "\n")
	raw, err := r.log.Lines(w.firstLine, r.lineCount)
	w.err = err
	for _, line := range raw {
		w.lines = append(w.lines, sanitize.Output(line[:min(len(line), maxLineBytes)]))
	}
	return w
}

// firstOf returns the first line to read of a log or page that has a number of lines now.
func (r ReadRequest) firstOf(totalLines int) int {
	if r.wantsTail || r.firstLine >= totalLines {
		return max(0, totalLines-r.lineCount)
	}
	return max(0, r.firstLine)
}

// readPage reads the requested part of a rendered log.
func (r ReadRequest) readPage(w *LogWindow) {
	lines, err := r.page.render(r.log, r.isLive)
	w.totalLines, w.err = len(lines), err
	w.firstLine = r.firstOf(w.totalLines)
	w.lines = lines[w.firstLine:min(w.totalLines, w.firstLine+r.lineCount)]
}

// Reader sends the visible part of a log to the program: at once when the person moves, and at
// intervals while the log grows.
type Reader struct{ requests chan ReadRequest }

// NewReader returns a reader without a request.
func NewReader() *Reader { return &Reader{requests: make(chan ReadRequest, 1)} }

// SetRequest requests another part. It replaces a request that has not been read yet.
func (r *Reader) SetRequest(v ReadRequest) {
	select {
	case <-r.requests:
	default:
	}
	r.requests <- v
}

// The shortest time between two reads of a log that grows. It keeps the number of frames low, because
// frames cost the most, and text still seems to flow. A reply is read less often, because it comes
// slower than the output of a command.
const (
	readInterval      = 3 * session.UpdateInterval
	replyReadInterval = 6 * session.UpdateInterval
)

// readPause returns how long to wait before a growing log is read again.
func (r ReadRequest) readPause() time.Duration {
	if r.page != nil {
		return replyReadInterval
	}
	return readInterval
}

// AnswerRequests sends a LogWindow for each request until ctx ends.
func (r *Reader) AnswerRequests(ctx context.Context, send func(tea.Msg)) {
	var v ReadRequest
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
			grown = switchWatch(v.log, next.log, grown)
			v = next
		case <-changed:
		case <-pause:
			pause = nil
			continue
		}
		if !v.HasLog() {
			continue
		}
		send(v.Read())
		pause = time.After(v.readPause())
	}
}

// switchWatch moves the subscription from one log to another, and returns the new one.
func switchWatch(old, next session.Log, grown <-chan struct{}) <-chan struct{} {
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
