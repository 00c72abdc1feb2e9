package lines

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/sys/unix"
)

// readKeys reads what a person types as it comes, until there is no more. It reads on when
// what it read was handled: meanwhile another program may have the terminal.
func readKeys(in io.Reader, from *terminal) (<-chan []byte, chan<- struct{}) {
	keys, handled := make(chan []byte), make(chan struct{}, 1)
	go func() {
		defer close(keys)
		buf := make([]byte, 4<<10)
		for {
			if b, buffers := in.(*bufio.Reader); !buffers || b.Buffered() == 0 {
				from.wait()
			}
			n, err := in.Read(buf)
			if n > 0 {
				keys <- bytes.Clone(buf[:n])
				<-handled
			}
			if err != nil {
				return
			}
		}
	}()
	return keys, handled
}

// terminal is the one that a person types at.
type terminal struct {
	fd         int
	savedState *unix.Termios // how it was before keys were passed on
}

// wait waits until there is something to read, or the end of it. A read that began while
// keys are passed on would go by that to its end: ctrl+d typed later would be lost on it.
func (t *terminal) wait() {
	if t == nil {
		return
	}
	for fds := []unix.PollFd{{Fd: int32(t.fd), Events: unix.POLLIN}}; ; {
		if _, err := unix.Poll(fds, -1); err != unix.EINTR {
			return // what cannot be waited for is read at once
		}
	}
}

// pass hands keys on as they are typed, without showing them: the command has a
// terminal of its own, which echoes them or, for a password, does not. Control-C
// stays ours.
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

// Hide keeps the terminal from showing what is typed at it, until shown is called. Where
// there is no terminal it does nothing.
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
