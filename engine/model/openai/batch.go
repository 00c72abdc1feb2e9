package openai

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3/option"
)

// A fast model sends hundreds of pieces a second. Reading each as it arrives costs more processor time than
// everything else that is done with it, so several are read at once. The pause is shorter than the time between
// two frames of a reply that arrives.
const (
	batchPause     = 20 * time.Millisecond
	shortReadBytes = 2 << 10 // after a longer read, more has probably arrived already
)

// readInBatches is HTTP middleware that lets the pieces of an answer collect before they are read.
func readInBatches(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(r)
	if err == nil {
		answer.Body = &batchedBody{ReadCloser: answer.Body, ctx: r.Context()}
	}
	return answer, err
}

// batchedBody is a body whose Read first waits if the previous Read was short, but only once in a batchPause. So a
// server that sends faster than pieces are handled is not delayed.
type batchedBody struct {
	io.ReadCloser
	ctx          context.Context // its end ends a pause
	wasReadShort bool
	nextBatch    time.Time // until when such a Read waits
}

func (b *batchedBody) Read(p []byte) (int, error) {
	if b.wasReadShort {
		select {
		case <-time.After(time.Until(b.nextBatch)):
		case <-b.ctx.Done():
		}
		b.nextBatch = time.Now().Add(batchPause)
	}
	n, err := b.ReadCloser.Read(p)
	b.wasReadShort = n < shortReadBytes
	return n, err
}
