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

// Limits of the size of a reply, in bytes, because a server may ignore the limit of tokens and fill the
// memory.
const (
	bytesPerToken     = 64 // few tokens are longer; the average is far shorter
	minReplyByteLimit = 64 << 10
	maxReplyByteLimit = 4 << 20
)

// maxEmptyPieces limits the number of empty pieces in a reply, because a server may send them endlessly.
const maxEmptyPieces = 100_000

var errEndlessReply = errors.New("the server does not end the reply")

// replyByteLimit returns the maximum size of a reply with its reasoning and calls, in bytes.
func (c config) replyByteLimit() int {
	return max(minReplyByteLimit, bytesPerToken*min(c.MaxReplyTokens, maxReplyByteLimit/bytesPerToken))
}

// fitPiece counts a piece of a reply and reports whether it fits into the limit. If a piece does not fit, only
// the beginning of its text remains.
func (m *modelCall) fitPiece(d *delta) bool {
	size := len(d.Content) + len(d.reasoning()) + len(d.Refusal)
	for _, c := range d.ToolCalls {
		size += len(c.Function.Name) + len(c.Function.Arguments)
	}
	if size == 0 {
		m.partialReply.emptyPieceCount++
		return m.partialReply.emptyPieceCount <= maxEmptyPieces
	}
	room := m.config.replyByteLimit() - m.partialReply.receivedBytes
	m.partialReply.receivedBytes += size
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

// A pieceReader reads the body of an answer. Its Read fails with bufio.ErrTooLong after maxPieceBytes since the
// last beginPiece.
type pieceReader struct {
	io.ReadCloser
	maxPieceBytes, bytesLeft int // the maximum length of a piece, and how much of it is left, in bytes
}

func (r *pieceReader) beginPiece() { r.bytesLeft = r.maxPieceBytes }

func (r *pieceReader) Read(p []byte) (int, error) {
	if r.bytesLeft <= 0 {
		return 0, bufio.ErrTooLong
	}
	n, err := r.ReadCloser.Read(p[:min(len(p), r.bytesLeft)])
	r.bytesLeft -= n
	return n, err
}

// silenceError is the error for a server that sent nothing for a duration.
type silenceError struct{ duration time.Duration }

func (s *silenceError) Error() string {
	return "the server sent nothing for " + formatSeconds(s.duration)
}

var errSilenceTimeout = errors.New("silent")

// A silenceTimer cancels an attempt if the server has sent nothing for the limit. Every byte restarts it, also
// bytes of comments that servers send to keep a connection open.
type silenceTimer struct {
	maxSilence time.Duration
	timer      *time.Timer
	cancel     context.CancelCauseFunc
}

// startSilenceTimer starts a timer. It returns the context of the attempt, which the timer cancels.
func startSilenceTimer(ctx context.Context, limit time.Duration) (context.Context, *silenceTimer) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() { cancel(errSilenceTimeout) })
	return ctx, &silenceTimer{maxSilence: limit, timer: timer, cancel: cancel}
}

func (s *silenceTimer) stop() {
	s.timer.Stop()
	s.cancel(nil)
}

// resetOnRead is HTTP middleware that restarts the timer when the answer arrives and at every read of it.
func (s *silenceTimer) resetOnRead(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(r)
	if err == nil {
		s.timer.Reset(s.maxSilence)
		answer.Body = &watchedBody{ReadCloser: answer.Body, silenceTimer: s}
	}
	return answer, err
}

// watchedBody is a body that restarts a timer at every read.
type watchedBody struct {
	io.ReadCloser
	silenceTimer *silenceTimer
}

func (w *watchedBody) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if n > 0 {
		w.silenceTimer.timer.Reset(w.silenceTimer.maxSilence)
	}
	return n, err
}
