package lines

import (
	"bufio"
	"bytes"
	"io"
	"sync"

	"golang.org/x/sys/unix"
)

// readKeys reads what a person types as it comes, until there is no more.
func readKeys(in io.Reader, from *terminal) <-chan []byte {
	keys := make(chan []byte)
	go func() {
		defer close(keys)
		buf := make([]byte, 4<<10)
		for {
			n, err := from.read(in, buf)
			if n > 0 {
				keys <- bytes.Clone(buf[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	return keys
}

// terminal is the one that a person types at.
type terminal struct {
	fd           int
	terminalLock sync.Locker   // held while another program has the terminal
	savedState   *unix.Termios // how it was before keys were passed on
}

// read reads from the terminal once there is something to read, or the end of it. A read that
// began earlier would take what is typed into another program, and one that began while keys
// are passed on would go by that to its end: ctrl+d typed later would be lost on it.
func (t *terminal) read(in io.Reader, buf []byte) (int, error) {
	if b, buffers := in.(*bufio.Reader); t == nil || buffers && b.Buffered() > 0 {
		return in.Read(buf)
	}
	for {
		t.hasKeys(-1)
		t.terminalLock.Lock()
		if t.hasKeys(0) {
			defer t.terminalLock.Unlock()
			return in.Read(buf)
		}
		t.terminalLock.Unlock() // another program has read them
	}
}

// hasKeys waits for something to read, or the end of it, for so many milliseconds; below 0 it waits
// as long as that takes. What cannot be waited for is read at once.
func (t *terminal) hasKeys(timeout int) bool {
	for fds := []unix.PollFd{{Fd: int32(t.fd), Events: unix.POLLIN}}; ; {
		if n, err := unix.Poll(fds, timeout); err != unix.EINTR {
			return n > 0 || err != nil
		}
	}
}

// pass hands keys on as they are typed, without showing them: the command has a
// terminal of its own, which echoes them or, for a password, does not. Playhead
// still handles Control-C.
func (t *terminal) pass() {
	if t == nil || t.savedState != nil {
		return
	}
	was, err := unix.IoctlGetTermios(t.fd, getTermios)
	if err != nil {
		return // no terminal: there is nothing to change
	}
	raw := *was
	raw.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.IEXTEN
	raw.Iflag &^= unix.ICRNL | unix.INLCR | unix.IGNCR | unix.IXON
	raw.Cc[unix.VMIN], raw.Cc[unix.VTIME], raw.Cc[unix.VQUIT] = 1, 0, disabled
	if unix.IoctlSetTermios(t.fd, setTermios, &raw) == nil {
		t.savedState = was
	}
}

// Hide switches the terminal's echo off until shown is called. Without a terminal it does nothing.
func Hide(fd int) (shown func()) {
	was, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return func() {}
	}
	blind := *was
	blind.Lflag &^= unix.ECHO
	_ = unix.IoctlSetTermios(fd, setTermios, &blind) // what cannot be hidden is shown
	return func() { _ = unix.IoctlSetTermios(fd, setTermios, was) }
}

// restore makes the terminal what it was. What was typed and not read is dropped:
// it was meant for the command.
func (t *terminal) restore() {
	if t == nil || t.savedState == nil {
		return
	}
	_ = unix.IoctlSetTermios(t.fd, flushTermios, t.savedState) // a terminal that is gone needs nothing
	t.savedState = nil
}
