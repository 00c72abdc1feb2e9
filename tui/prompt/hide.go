package prompt

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	"playhead/engine/host"
	"playhead/tui/lines"
)

// HideTyping hides what a person types at a terminal until restore is called. If a signal arrives that
// ends the program, it restores the terminal and calls onSignal.
func HideTyping(in io.Reader, onSignal func(syscall.Signal)) (restore func()) {
	terminal, is := in.(*os.File)
	if !is {
		return func() {}
	}
	show := lines.HideEcho(int(terminal.Fd()))
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
