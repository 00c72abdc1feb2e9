package prompt

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	"playhead/engine/host"
	"playhead/tui/lines"
)

// HideTyping keeps what a person types at a terminal from being shown, until restore is called. On a
// signal, the terminal is restored before ended is called: the signal ends the program, as elsewhere.
func HideTyping(in io.Reader, onSignal func(syscall.Signal)) (restore func()) {
	terminal, is := in.(*os.File)
	if !is {
		return func() {}
	}
	show := lines.Hide(int(terminal.Fd()))
	signals, read := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, host.EndingSignals...)
	go func() {
		select {
		case sig := <-signals:
			show()
			onSignal(sig.(syscall.Signal))
		case <-read:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(read)
		show()
	}
}
