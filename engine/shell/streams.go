package shell

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// streams are the two ends of what a command reads and prints.
type streams struct {
	terminal *os.File    // our end of the pseudo-terminal; nil with pipes
	ours     []*os.File  // what the command prints can be read here
	theirs   [3]*os.File // the command's standard files
}

// open makes a pseudo-terminal or pipes for a command.
func open(c Command) (*streams, error) {
	if c.Pipes {
		return openPipes(c.Stdin)
	}
	return openTerminal(c)
}

func openTerminal(c Command) (*streams, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("cannot open a pseudo-terminal: %w", err)
	}
	defer master.Close()
	if err := prepare(int(slave.Fd()), c.Interactive); err != nil {
		slave.Close()
		return nil, fmt.Errorf("the pseudo-terminal cannot be set up: %w", err)
	}
	ours, err := pollable(master)
	if err != nil {
		slave.Close()
		return nil, fmt.Errorf("the pseudo-terminal cannot be read: %w", err)
	}
	s := &streams{terminal: ours, ours: []*os.File{ours}, theirs: [3]*os.File{slave, slave, slave}}
	if err := s.resize(c.Cols, c.Rows); err != nil {
		s.closeOurs()
		s.closeTheirs()
		return nil, fmt.Errorf("the pseudo-terminal cannot be sized: %w", err)
	}
	return s, nil
}

// prepare sets up a terminal. Control-Z does not stop the command, because nobody could continue it. If
// nobody can type, a program that reads the terminal itself (for a password, say) gets an empty answer at
// once.
func prepare(fd int, typing bool) error {
	t, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return err
	}
	t.Iflag |= unix.IUTF8
	t.Cc[unix.VSUSP] = disabled
	if !typing {
		t.Lflag &^= unix.ICANON
		t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 0, 0
	}
	return unix.IoctlSetTermios(fd, setTermios, t)
}

// pollable returns a second file for the same end as f. Its reads can be interrupted.
func pollable(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// openPipes makes pipes. Without a stdin, the input of the command is empty.
func openPipes(stdin *os.File) (*streams, error) {
	if stdin == nil {
		empty, err := os.Open(os.DevNull)
		if err != nil {
			return nil, err
		}
		stdin = empty
	}
	s := &streams{theirs: [3]*os.File{stdin}}
	for i := 1; i <= 2; i++ {
		r, w, err := os.Pipe()
		if err != nil {
			s.closeOurs()
			s.closeTheirs()
			return nil, err
		}
		s.ours = append(s.ours, r)
		s.theirs[i] = w
	}
	return s, nil
}

// resize sets the size of the terminal, so that its processes learn it.
func (s *streams) resize(cols, rows int) error {
	if s.terminal == nil {
		return nil
	}
	if cols <= 0 || rows <= 0 {
		cols, rows = defaultCols, defaultRows
	}
	size := unix.Winsize{Col: uint16(min(cols, 1<<15)), Row: uint16(min(rows, 1<<15))}
	conn, err := s.terminal.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = conn.Control(func(fd uintptr) { failed = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &size) })
	if err == nil {
		err = failed
	}
	return err
}

func (s *streams) closeOurs() {
	for _, f := range s.ours {
		f.Close()
	}
}

func (s *streams) closeTheirs() {
	for _, f := range s.theirs {
		f.Close() // the same one thrice, with a terminal; nil when there is none
	}
}

// maxCaptured limits the output that a Result contains, in bytes.
const maxCaptured = 1 << 20

// A capture keeps the beginning of what is written, and passes everything on.
type capture struct {
	pass io.Writer

	mu        sync.Mutex
	captured  []byte
	lostBytes int
}

func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	n := min(len(p), maxCaptured-len(c.captured))
	c.captured = append(c.captured, p[:n]...)
	c.lostBytes += len(p) - n
	c.mu.Unlock()
	return c.pass.Write(p)
}

func (c *capture) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lostBytes == 0 {
		return string(c.captured)
	}
	return fmt.Sprintf("%s\n… %d more bytes left out …\n", c.captured, c.lostBytes)
}

// A shared writer lets several goroutines write to one writer, one at a time.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

// A pump copies what a command prints from a pseudo-terminal or pipe to a writer, until no process can
// print there or the file is closed. A failing writer does not stop it: the command must not wait, and a
// log remembers its own errors.
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

// settle returns when everything printed before the call has been written. It sets a read deadline in the
// past, so that run stops reading, takes what is there and continues.
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
