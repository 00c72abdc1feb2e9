package openai

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/openai/openai-go/v3/option"
)

// How large a reply may get, in bytes: a server that does not heed the limit of tokens must
// not fill the memory.
const (
	bytesPerToken = 64 // few tokens are longer, and none on average
	minBound      = 64 << 10
	maxBound      = 4 << 20
)

// maxEmpty is how many pieces of a reply may have nothing in them. They may come without end, too.
const maxEmpty = 100_000

var errEndless = errors.New("the server does not end the reply")

// bound returns how large a reply may get, in bytes, with its reasoning and calls.
func (c Config) bound() int {
	return max(minBound, bytesPerToken*min(c.MaxTokens, maxBound/bytesPerToken))
}

// makeRoom makes room for a piece of a reply, and reports whether all of it fits. Of one that is too large it leaves as much of the
// text as there is room for.
func (k *call) makeRoom(d *delta) bool {
	size := len(d.Content) + len(d.reasoning()) + len(d.Refusal)
	for _, c := range d.Calls {
		size += len(c.Function.Name) + len(c.Function.Arguments)
	}
	if size == 0 {
		k.reply.empty++
		return k.reply.empty <= maxEmpty
	}
	room := k.conf.bound() - k.reply.size
	k.reply.size += size
	if size <= room {
		return true
	}
	room = min(max(room, 0), len(d.Content))
	for room < len(d.Content) && room > 0 && !utf8.RuneStart(d.Content[room]) {
		room--
	}
	*d = delta{Content: d.Content[:room]}
	return false
}

// A pieceReader is the body of an answer in which no piece may be endless.
type pieceReader struct {
	io.ReadCloser
	limit, left int // bytes of a piece
}

func (r *pieceReader) next() { r.left = r.limit }

func (r *pieceReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, bufio.ErrTooLong
	}
	n, err := r.ReadCloser.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}

// silence is the error of a server that sent nothing for so long.
type silence struct{ lasted time.Duration }

func (s *silence) Error() string { return "the server sent nothing for " + seconds(s.lasted) }

var errSilent = errors.New("silent")

// A watch cancels an attempt when nothing was heard for its limit. Every byte counts, also
// those of the comments that servers send to keep a connection open.
type watch struct {
	limit  time.Duration
	timer  *time.Timer
	cancel context.CancelCauseFunc
}

// startWatch starts a watch over what is done under the context that it returns.
func startWatch(ctx context.Context, limit time.Duration) (context.Context, *watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() { cancel(errSilent) })
	return ctx, &watch{limit: limit, timer: timer, cancel: cancel}
}

func (w *watch) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// hasTimedOut reports whether the watch ended the attempt.
func (w *watch) hasTimedOut(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), errSilent)
}

// middleware is HTTP middleware that reports the answer and every read of it to the watch.
func (w *watch) middleware(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(r)
	if err == nil {
		w.timer.Reset(w.limit)
		answer.Body = &watchedBody{ReadCloser: answer.Body, watch: w}
	}
	return answer, err
}

type watchedBody struct {
	io.ReadCloser
	watch *watch
}

func (h *watchedBody) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	if n > 0 {
		h.watch.timer.Reset(h.watch.limit)
	}
	return n, err
}
