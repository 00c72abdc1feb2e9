package openai

import (
	"bufio"
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// pieceBytes is the size of a piece.
const pieceBytes = 100

// pieceSource is a body of pieces that arrive at intervals, from the first Read on.
type pieceSource struct {
	interval   time.Duration
	pieceCount int
	begin      time.Time
	readCount  int
	readBytes  int
}

func (s *pieceSource) Close() error { return nil }

// Read returns what has arrived, and waits for a piece if there is nothing.
func (s *pieceSource) Read(p []byte) (int, error) {
	if s.readCount++; s.readCount == 1 {
		s.begin = time.Now()
	}
	if s.readBytes == pieceBytes*s.pieceCount {
		return 0, io.EOF
	}
	next := s.readBytes/pieceBytes + 1
	time.Sleep(time.Until(s.begin.Add(time.Duration(next) * s.interval)))
	arrived := s.pieceCount
	if s.interval > 0 {
		arrived = min(arrived, int(time.Since(s.begin)/s.interval))
	}
	n := min(len(p), pieceBytes*arrived-s.readBytes)
	s.readBytes += n
	return n, nil
}

// TestBatches: pieces that arrive quickly are read together, and neither slow ones nor those of a server that waits for
// the reader are delayed.
func TestBatches(t *testing.T) {
	for name, c := range map[string]struct {
		interval time.Duration
		count    int
		maxReads int
		maxDelay time.Duration // after the last piece has arrived
	}{
		"500 a second":  {2 * time.Millisecond, 1000, 110, batchPeriod},
		"5000 a second": {200 * time.Microsecond, 10_000, 450, batchPeriod},
		"20 a second":   {50 * time.Millisecond, 40, 42, 0},
		"all at once":   {0, 100_000, 3000, 2 * batchPeriod},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &pieceSource{interval: c.interval, pieceCount: c.count}
				in := bufio.NewReader(&batchedBody{ReadCloser: s, ctx: t.Context()})
				data, err := io.ReadAll(in)
				delay := time.Since(s.begin) - time.Duration(c.count)*c.interval
				if err != nil || len(data) != pieceBytes*c.count || s.readCount > c.maxReads || delay > c.maxDelay {
					t.Errorf("%d bytes in %d reads, %v late: %v", len(data), s.readCount, delay, err)
				}
			})
		})
	}
}

// TestCancelledBatch: the end of the call ends a pause.
func TestCancelledBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		b := &batchedBody{ReadCloser: &pieceSource{pieceCount: 1}, ctx: ctx}
		begin, p := time.Now(), make([]byte, 1000)
		_, _ = b.Read(p)
		cancel()
		if _, err := b.Read(p); err != io.EOF || time.Since(begin) != 0 {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}
