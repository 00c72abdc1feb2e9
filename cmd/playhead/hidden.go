package main

import (
	"os"
	"os/signal"
	"syscall"

	"playhead/tui/lines"
)

// hidden keeps what a person types at a terminal from being shown, until shown is called.
// A signal ends the program, as it does at other inputs, with the terminal as it was.
func (r *runner) hidden() (shown func()) {
	terminal, is := r.in.(*os.File)
	if !is {
		return func() {}
	}
	restore := lines.Hide(int(terminal.Fd()))
	signals, read := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, ending...)
	go func() {
		select {
		case sig := <-signals:
			restore()
			os.Exit(statusOfSignal(sig.(syscall.Signal)))
		case <-read:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(read)
		restore()
	}
}
