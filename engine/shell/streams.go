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
	terminal     *os.File    // Playhead's end of the pseudo-terminal; nil with pipes
	ourEnds      []*os.File  // Playhead's ends, from which the output of the command is read
	commandFiles [3]*os.File // the command's standard files
}

// openStreams makes a pseudo-terminal or pipes for a command.
func openStreams(c Command) (*streams, error) {
	if c.UsesPipes {
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
	if err := setUpTerminal(int(slave.Fd()), c.IsInteractive); err != nil {
		slave.Close()
		return nil, fmt.Errorf("the pseudo-terminal cannot be set up: %w", err)
	}
	ours, err := dupNonblocking(master)
	if err != nil {
		slave.Close()
		return nil, fmt.Errorf("the pseudo-terminal cannot be read: %w", err)
	}
	s := &streams{terminal: ours, ourEnds: []*os.File{ours}, commandFiles: [3]*os.File{slave, slave, slave}}
	if err := s.resize(c.Cols, c.Rows); err != nil {
		s.closeOurEnds()
		s.closeCommandFiles()
		return nil, fmt.Errorf("the pseudo-terminal cannot be sized: %w", err)
	}
	return s, nil
}

// setUpTerminal sets up a terminal. Control-Z does not stop the command, because nobody could continue it. If the
// terminal is not interactive, a program that reads it (for a password, say) gets an empty answer at once.
func setUpTerminal(fd int, isInteractive bool) error {
	t, err := unix.IoctlGetTermios(fd, ioctlGetTermios)
	if err != nil {
		return err
	}
	t.Iflag |= unix.IUTF8
	t.Cc[unix.VSUSP] = disabledControlChar
	if !isInteractive {
		t.Lflag &^= unix.ICANON
		t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 0, 0
	}
	return unix.IoctlSetTermios(fd, ioctlSetTermios, t)
}

// dupNonblocking returns a second file for the same end as f. Its reads can be interrupted.
func dupNonblocking(f *os.File) (*os.File, error) {
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
	s := &streams{commandFiles: [3]*os.File{stdin}}
	for i := 1; i <= 2; i++ {
		r, w, err := os.Pipe()
		if err != nil {
			s.closeOurEnds()
			s.closeCommandFiles()
			return nil, err
		}
		s.ourEnds = append(s.ourEnds, r)
		s.commandFiles[i] = w
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

func (s *streams) closeOurEnds() {
	for _, f := range s.ourEnds {
		f.Close()
	}
}

func (s *streams) closeCommandFiles() {
	for _, f := range s.commandFiles {
		f.Close() // with a terminal, this is three times the same file; a file that was not opened is nil
	}
}

// maxCapturedBytes limits the output that a Result contains, in bytes.
const maxCapturedBytes = 1 << 20

// An outputCapture keeps the first maxCapturedBytes of what is written, and passes everything on.
type outputCapture struct {
	next io.Writer

	mu        sync.Mutex
	captured  []byte
	lostBytes int
}

func (c *outputCapture) Write(p []byte) (int, error) {
	c.mu.Lock()
	n := min(len(p), maxCapturedBytes-len(c.captured))
	c.captured = append(c.captured, p[:n]...)
	c.lostBytes += len(p) - n
	c.mu.Unlock()
	return c.next.Write(p)
}

func (c *outputCapture) capturedText() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lostBytes == 0 {
		return string(c.captured)
	}
	return fmt.Sprintf("%s\n… %d more bytes left out …\n", c.captured, c.lostBytes)
}

// A lockedWriter lets several goroutines write to one writer, one at a time.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// An outputPump copies what a command prints from a pseudo-terminal or pipe to a writer, until no process can
// print there or the file is closed. A failing writer does not stop it: the command must not wait, and a
// log remembers its own errors.
type outputPump struct {
	source      *os.File
	destination io.Writer
	buf         []byte
	caughtUp    chan struct{} // receives when waitUntilCopied can return
	done        chan struct{} // closed when nothing more can be read
}

const (
	pumpBufferBytes = 64 << 10
	maxCatchUpBytes = 1 << 20 // more than the system buffers for a reader
	catchUpWait     = 50 * time.Millisecond
)

func startPump(in *os.File, out io.Writer) *outputPump {
	p := &outputPump{source: in, destination: out, buf: make([]byte, pumpBufferBytes), caughtUp: make(chan struct{}), done: make(chan struct{})}
	go p.copyOutput()
	return p
}

func (p *outputPump) copyOutput() {
	defer close(p.done)
	for {
		n, err := p.source.Read(p.buf)
		if n > 0 { // an empty write to an io.Pipe would wait for its reader
			p.destination.Write(p.buf[:n])
		}
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			p.source.SetReadDeadline(time.Time{})
			p.copyAvailable()
			p.caughtUp <- struct{}{}
		case err != nil: // io.EOF; EIO from a pseudo-terminal
			return
		}
	}
}

// waitUntilCopied returns when everything printed before the call has been written. It sets a read deadline
// in the past, so that copyOutput stops reading, takes what is there and continues.
func (p *outputPump) waitUntilCopied() {
	var timeout <-chan time.Time // nil: wait as long as it takes
	if p.source.SetReadDeadline(time.Unix(1, 0)) != nil {
		timeout = time.After(catchUpWait) // a system that cannot interrupt reading a terminal
	}
	select {
	case <-p.caughtUp:
	case <-p.done:
	case <-timeout:
	}
}

// copyAvailable reads the output that is available, up to a limit, because other processes may still print.
func (p *outputPump) copyAvailable() {
	conn, err := p.source.SyscallConn()
	if err != nil {
		return
	}
	for read := 0; read < maxCatchUpBytes; {
		n := 0
		conn.Read(func(fd uintptr) bool {
			n, _ = unix.Read(int(fd), p.buf)
			return true
		})
		if n <= 0 {
			return
		}
		read += n
		p.destination.Write(p.buf[:n])
	}
}
