package main

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"playhead/engine"
	"playhead/parse/plan"
)

// interruptible lets signals end a run. An interrupt ends it as cancelled, once
// what runs has been asked to stop; a second one, like a request to terminate or
// a terminal that went away, leaves it in the middle, to be resumed. left stops
// listening and says which signal left the run, 0 if none did.
func interruptible(ctx context.Context, s *engine.Session) (_ context.Context, left func() syscall.Signal) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var by atomic.Int32
	go func() {
		interrupted := false
		for sig := range signals {
			if sig == os.Interrupt && !interrupted {
				interrupted = true
				go s.End(plan.Cancelled, "interrupted") // waits for what runs
				continue
			}
			by.CompareAndSwap(0, int32(sig.(syscall.Signal)))
			cancel()
		}
	}()
	return ctx, func() syscall.Signal {
		signal.Stop(signals)
		close(signals)
		cancel()
		return syscall.Signal(by.Load())
	}
}
