package main

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// leaving lets signals end what runs under the context. A first interrupt calls
// interrupt, if there is one; a second, a request to terminate and a terminal that
// went away cancel the context. left stops listening and says which signal did, 0
// if none.
func leaving(ctx context.Context, interrupt func()) (_ context.Context, left func() syscall.Signal) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var by atomic.Int32
	go func() {
		for sig := range signals {
			if sig == os.Interrupt && interrupt != nil {
				go interrupt() // it waits for what runs
				interrupt = nil
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
