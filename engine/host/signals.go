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

// CatchSignals returns a context that EndingSignals cancel, except interrupts that the function interrupt handles.
// interrupt may be nil. stop stops listening, cancels the context, and returns the first signal that cancelled it, 0
// if none did.
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

// InterruptHandler returns the handler of interrupts for a run in lines. hasPerson says that a person can be asked.
// Then the first interrupt during a command cancels the command, and the person is asked what to do with the step.
// An interrupt at a pause or a question is not handled: the program leaves the run as it is. Any other interrupt
// ends the run as cancelled. A second interrupt is not handled, so the program ends immediately.
func InterruptHandler(s *engine.Session, hasPerson bool) (interrupt func() (handled bool)) {
	w, cancelled, ended := s.WatchFromStart(), "", false
	return func() bool {
		status := w.Take().Status
		isIdle := hasPerson && status.State != engine.Running
		running := hasPerson && !isIdle && status.RunningLog != ""
		switch {
		case ended, isIdle, running && status.RunningLog == cancelled:
			return false
		case running:
			cancelled = status.RunningLog
			go s.Interrupt() // the session may be busy; it refuses if the command is over
		default:
			ended = true
			go s.EndRun(plan.Cancelled, "interrupted") // EndRun waits for what is running, and fails only if the run is over
		}
		return true
	}
}
