package host

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"playhead/engine"
	"playhead/parse/plan"
)

// EndingSignals are those that end the program.
var EndingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT}

// CatchSignals lets signals end what runs under the context: a request to terminate or quit, a
// terminal that went away, and an interrupt that interrupt, if there is one, does
// not take for itself. stop stops listening and says which signal did, 0 if none.
func CatchSignals(ctx context.Context, interrupt func() (handled bool)) (_ context.Context, stop func() syscall.Signal) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, EndingSignals...)
	var by atomic.Int32
	go func() {
		for sig := range signals {
			if sig == os.Interrupt && interrupt != nil && interrupt() {
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

// Interrupter says what an interrupt does to a run in lines. Where a person is,
// the first one at a command cancels it: then it is asked what becomes of the step.
// At a pause or a question, where nothing runs, the run is left as it stands.
// Otherwise the run ends cancelled. One more is not taken: the run is left at once.
func Interrupter(s *engine.Session, person bool) (interrupt func() (handled bool)) {
	w, cancelled, ended := s.Watch(), "", false
	return func() bool {
		status := w.Take().Status
		stands := person && status.State != engine.Running
		running := person && !stands && status.Log != ""
		switch {
		case ended, stands, running && status.Log == cancelled:
			return false
		case running:
			cancelled = status.Log
			go s.Cancel() // the session may be busy; it refuses if the command is over
		default:
			ended = true
			go s.End(plan.Cancelled, "interrupted") // it waits for what runs; refused only when it is over
		}
		return true
	}
}
