package main

import (
	"cmp"
	"errors"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"syscall"

	"playhead/engine/sanitize"
)

// stdout remembers that it could not be written, so that whoever asked for
// something learns that it is not all there, as on a disk that is full.
type stdout struct {
	file   *os.File
	failed atomic.Pointer[error] // the first
}

func (o *stdout) Write(p []byte) (int, error) {
	n, err := o.file.Write(p)
	if err != nil {
		o.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// The rest is what a terminal is known by.
func (o *stdout) Read(p []byte) (int, error) { return o.file.Read(p) }
func (o *stdout) Close() error               { return o.file.Close() }
func (o *stdout) Fd() uintptr                { return o.file.Fd() }

// writeError is why something could not be written on stdout. A reader who went away wants no
// more, and is no reason.
func (a *app) writeError() error {
	o, ok := a.out.(*stdout)
	if !ok {
		return nil
	}
	if err := o.failed.Load(); err != nil && !errors.Is(*err, syscall.EPIPE) {
		return *err
	}
	return nil
}

// finish is the exit status. What could not be written is said, and is a failure where there
// is none otherwise.
func (a *app) finish() int {
	err := a.writeError()
	if err == nil {
		return a.status
	}
	if !strings.Contains(a.printed, err.Error()) {
		a.printError(err)
	}
	return cmp.Or(a.status, exitFailed)
}

// json is where JSON is printed: on a terminal too it is nothing but text.
func (a *app) json() io.Writer { return escaping{a.out} }

// escaping escapes in JSON what would steer a terminal. It takes whole values.
type escaping struct{ io.Writer }

func (w escaping) Write(p []byte) (int, error) {
	_, err := w.Writer.Write(sanitize.JSON(p))
	return len(p), err
}
