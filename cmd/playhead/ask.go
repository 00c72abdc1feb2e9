package main

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	"playhead/engine/setup"
	"playhead/tui/lines"
	"playhead/tui/prompt"
)

// prompt asks a person who types lines before there is a run.
func (a *app) prompt(in io.Reader) *prompt.Prompt {
	return &prompt.Prompt{In: in, Out: a.out, Echo: !isTerminal(a.in), Hide: a.hideTyping, Note: a.note}
}

// hideTyping keeps what a person types at a terminal from being shown, until restore is called.
// A signal ends the program, as it does at other inputs, with the terminal as it was.
func (a *app) hideTyping() (restore func()) {
	terminal, is := a.in.(*os.File)
	if !is {
		return func() {}
	}
	show := lines.Hide(int(terminal.Fd()))
	signals, read := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, ending...)
	go func() {
		select {
		case sig := <-signals:
			show()
			os.Exit(statusOfSignal(sig.(syscall.Signal)))
		case <-read:
		}
	}()
	return func() {
		signal.Stop(signals)
		close(read)
		show()
	}
}

// refuse lists what a document would execute, which is not done.
func (a *app) refuse(d setup.Commands) error {
	d.WriteList(a.err)
	return usage("%s was not allowed to run these commands: read them, then use --trust", d.Plan.Path)
}

// trusted reports whether a document may run its commands. If that cannot be read, it is as if
// it were the first time.
func (a *app) trusted(d setup.Commands) bool {
	ok, err := d.IsTrusted()
	if err != nil {
		a.complain(err)
	}
	return ok
}
