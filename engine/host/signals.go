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

// EndingSignals are the signals that end the program.
var EndingSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT}

// CatchSignals makes signals end what runs under the context: requests to terminate or quit, the
// loss of the terminal, and interrupts that interrupt does not handle. interrupt may be nil. stop
// stops listening and returns the signal that arrived, 0 if none.
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

// Interrupter returns what an interrupt does to a run in lines. If a person is there, the first one
// during a command cancels it, and the person is asked what to do with the step. At a pause or a
// question, the run is left as it is. Otherwise the run ends as cancelled. A second interrupt is
// not handled, so the run is left at once.
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
			go s.End(plan.Cancelled, "interrupted") // it waits for what is running; it is refused only when the run is over
		}
		return true
	}
}
