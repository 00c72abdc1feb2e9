package lines

import (
	"bufio"
	"bytes"
	"io"
	"sync"

	"golang.org/x/sys/unix"
)

// readKeys returns a channel of what a person types. It is closed at the end of the input.
func readKeys(in io.Reader, from *typingTerminal) <-chan []byte {
	keys := make(chan []byte)
	go func() {
		defer close(keys)
		buf := make([]byte, 4<<10)
		for {
			n, err := from.readWhenReady(in, buf)
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

// typingTerminal is the terminal at which a person types.
type typingTerminal struct {
	fd           int
	terminalLock sync.Locker   // held while another program has the terminal
	savedState   *unix.Termios // the state before keys were passed on; nil: they are not passed on
}

// readWhenReady waits until the terminal has input, and then reads. A blocked read would take keys that are
// typed into another program. If it began while keys were passed on, it would also keep that mode, and
// ignore a later ctrl+d.
func (t *typingTerminal) readWhenReady(in io.Reader, buf []byte) (int, error) {
	if b, buffers := in.(*bufio.Reader); t == nil || buffers && b.Buffered() > 0 {
		return in.Read(buf)
	}
	for {
		t.waitForInput(-1)
		t.terminalLock.Lock()
		if t.waitForInput(0) {
			defer t.terminalLock.Unlock()
			return in.Read(buf)
		}
		t.terminalLock.Unlock() // another program has read the input
	}
}

// waitForInput waits for input or its end, at most timeout milliseconds or, if that is negative, without
// limit. It reports whether a read will not block. It also returns true if waiting is not possible.
func (t *typingTerminal) waitForInput(timeout int) bool {
	for fds := []unix.PollFd{{Fd: int32(t.fd), Events: unix.POLLIN}}; ; {
		if n, err := unix.Poll(fds, timeout); err != unix.EINTR {
			return n > 0 || err != nil
		}
	}
}

// passKeysOn makes the terminal deliver keys as they are typed, without echo. The running command has its own
// terminal, which echoes them or, for a password, does not. Playhead still handles ctrl+c.
func (t *typingTerminal) passKeysOn() {
	if t == nil || t.savedState != nil {
		return
	}
	saved, err := unix.IoctlGetTermios(t.fd, getTermiosRequest)
	if err != nil {
		return // it is not a terminal
	}
	raw := *saved
	raw.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.IEXTEN
	raw.Iflag &^= unix.ICRNL | unix.INLCR | unix.IGNCR | unix.IXON
	raw.Cc[unix.VMIN], raw.Cc[unix.VTIME], raw.Cc[unix.VQUIT] = 1, 0, disabledCharacter
	if unix.IoctlSetTermios(t.fd, setTermiosRequest, &raw) == nil {
		t.savedState = saved
	}
}

// HideEcho switches the echo of the terminal fd off until restore is called. It does nothing if fd is not a
// terminal.
func HideEcho(fd int) (restore func()) {
	saved, err := unix.IoctlGetTermios(fd, getTermiosRequest)
	if err != nil {
		return func() {}
	}
	silent := *saved
	silent.Lflag &^= unix.ECHO
	_ = unix.IoctlSetTermios(fd, setTermiosRequest, &silent) // if this fails, the input shows
	return func() { _ = unix.IoctlSetTermios(fd, setTermiosRequest, saved) }
}

// restoreState restores the state of the terminal. It drops unread input, which was meant for the command.
func (t *typingTerminal) restoreState() {
	if t == nil || t.savedState == nil {
		return
	}
	_ = unix.IoctlSetTermios(t.fd, setTermiosAndFlushRequest, t.savedState) // the terminal may be gone
	t.savedState = nil
}
