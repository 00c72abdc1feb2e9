package shell

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A pump carries what a command prints from a pseudo-terminal or pipe to a writer, until nobody
// can print there any more or the file is closed. That the writer fails does not stop it: the
// command must not wait, and a log remembers its own errors.
type pump struct {
	in      *os.File
	out     io.Writer
	buf     []byte
	settled chan struct{}
	done    chan struct{}
}

const (
	pumpBuffer = 64 << 10
	maxHeld    = 1 << 20 // more than the system holds for a reader
	quiet      = 50 * time.Millisecond
)

func startPump(in *os.File, out io.Writer) *pump {
	p := &pump{in: in, out: out, buf: make([]byte, pumpBuffer), settled: make(chan struct{}), done: make(chan struct{})}
	go p.run()
	return p
}

func (p *pump) run() {
	defer close(p.done)
	for {
		n, err := p.in.Read(p.buf)
		if n > 0 { // an empty write to an io.Pipe would wait for its reader
			p.out.Write(p.buf[:n])
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			p.in.SetReadDeadline(time.Time{})
			p.catchUp()
			p.settled <- struct{}{}
		case err != nil: // io.EOF; EIO from a pseudo-terminal
			return
		}
	}
}

// settle returns when everything that was printed before it was called has been written. It works
// by a deadline that has passed: reading stops, takes what is there, and goes on.
func (p *pump) settle() {
	patience := make(<-chan time.Time)
	if p.in.SetReadDeadline(time.Unix(1, 0)) != nil {
		patience = time.After(quiet) // a system that cannot interrupt reading a terminal
	}
	select {
	case <-p.settled:
	case <-p.done:
	case <-patience:
	}
}

// catchUp reads what is there now, but not for ever: others may still be printing.
func (p *pump) catchUp() {
	conn, err := p.in.SyscallConn()
	if err != nil {
		return
	}
	for read := 0; read < maxHeld; {
		n := 0
		conn.Read(func(fd uintptr) bool {
			n, _ = unix.Read(int(fd), p.buf)
			return true
		})
		if n <= 0 {
			return
		}
		read += n
		p.out.Write(p.buf[:n])
	}
}
