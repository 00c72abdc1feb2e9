package openai

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3/option"
)

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

// listen starts a watch over what is done under the context that it returns.
func listen(ctx context.Context, limit time.Duration) (context.Context, *watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() { cancel(errSilent) })
	return ctx, &watch{limit: limit, timer: timer, cancel: cancel}
}

func (w *watch) stop() {
	w.timer.Stop()
	w.cancel(nil)
}

// silent reports whether the watch ended the attempt.
func (w *watch) silent(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), errSilent)
}

// hear is a middleware: it has the watch notice the answer and every read of it.
func (w *watch) hear(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(r)
	if err == nil {
		w.timer.Reset(w.limit)
		answer.Body = &heard{ReadCloser: answer.Body, by: w}
	}
	return answer, err
}

// heard is the body of an answer that is watched.
type heard struct {
	io.ReadCloser
	by *watch
}

func (h *heard) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	if n > 0 {
		h.by.timer.Reset(h.by.limit)
	}
	return n, err
}
