package openai

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/openai/openai-go/v3/option"
)

// A fast model sends hundreds of pieces a second. Waking up for each of them costs half as much processor time as
// everything else that is done with them, so those of a batchPeriod are read together. It is shorter than the
// time between two frames while a reply arrives.
const (
	batchPeriod    = 20 * time.Millisecond
	fastBatchBytes = 32 << 10           // if this much arrives in one period, the next Reads do not wait, since that would delay the server
	connReadBytes  = 2 * fastBatchBytes // the buffer of a connection: it holds what arrives in a period
)

// readInBatches is HTTP middleware that lets the pieces of an answer collect before they are read.
func readInBatches(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	answer, err := next(r)
	if err == nil {
		answer.Body = &batchedBody{ReadCloser: answer.Body, ctx: r.Context()}
	}
	return answer, err
}

// batchedBody is a body whose Read waits for the end of the current period if the Read before it returned all
// that had arrived, unless much arrived in the previous period.
type batchedBody struct {
	io.ReadCloser
	ctx         context.Context // its end ends a pause
	isDrained   bool            // the last Read returned all that had arrived
	isFast      bool            // fastBatchBytes arrived in the previous period
	periodEnd   time.Time
	periodBytes int // how much has been read in the current period
}

func (b *batchedBody) Read(p []byte) (int, error) {
	if b.isDrained && !b.isFast {
		b.waitForPeriodEnd()
	}
	if now := time.Now(); !now.Before(b.periodEnd) {
		b.isFast = b.periodBytes >= fastBatchBytes
		b.periodBytes, b.periodEnd = 0, now.Add(batchPeriod)
	}
	n, err := b.ReadCloser.Read(p)
	b.periodBytes += n
	b.isDrained = n < len(p)
	return n, err
}

func (b *batchedBody) waitForPeriodEnd() {
	select {
	case <-time.After(time.Until(b.periodEnd)):
	case <-b.ctx.Done():
	}
}
