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

// InterruptHandler returns the handler of interrupts for a run in the line interface. If a person is there,
// the first interrupt during a command cancels the command, and the person is asked what to do with the
// step. An interrupt at a pause or a question leaves the run as it is. Otherwise an interrupt ends the
// run as cancelled. A second interrupt is not handled, so the program ends immediately.
func InterruptHandler(s *engine.Session, person bool) (interrupt func() (handled bool)) {
	w, cancelled, ended := s.Watch(), "", false
	return func() bool {
		status := w.Take().Status
		stands := person && status.State != engine.Running
		running := person && !stands && status.RunningLog != ""
		switch {
		case ended, stands, running && status.RunningLog == cancelled:
			return false
		case running:
			cancelled = status.RunningLog
			go s.Interrupt() // the session may be busy; it refuses if the command is over
		default:
			ended = true
			go s.EndRun(plan.Cancelled, "interrupted") // End waits for what is running, and fails only if the run is over
		}
		return true
	}
}
