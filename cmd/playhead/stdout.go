package main

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
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

// finish is the exit status, with what could not be written.
func (a *app) finish() int {
	o, ok := a.out.(*stdout)
	if !ok || a.status != exitOK {
		return a.status
	}
	if err := o.failed.Load(); err != nil && !errors.Is(*err, syscall.EPIPE) {
		a.complain(*err)
		return exitFailed
	}
	return a.status
}
