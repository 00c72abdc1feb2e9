package terminal

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Resumed says that the program goes on after it was stopped from outside, when the
// shell may have changed the terminal.
type Resumed struct{}

// resumes receives SIGCONT, except while the program stops itself.
var resumes = make(chan os.Signal, 1)

// HearResumes sends a Resumed for each SIGCONT until ctx ends. It does not subscribe to SIGTSTP: a Go
// program that has done so once cannot be stopped any more.
func HearResumes(ctx context.Context, send func(tea.Msg)) {
	signal.Notify(resumes, syscall.SIGCONT)
	defer signal.Stop(resumes)
	for {
		select {
		case <-ctx.Done():
			return
		case <-resumes:
			send(Resumed{})
		}
	}
}

// Stop stops the program, and restores the screen when it goes on.
func Stop() tea.Cmd { return tea.Exec(&stopping{do: halt}, nil) }

// Restored takes the terminal again from whoever had it.
func Restored() tea.Cmd { return tea.Exec(&stopping{do: letPainterEnd}, nil) }

// letPainterEnd gives the library's painter the time to end. It stops its clock last, and does so
// beside us: once the next painter has set that clock, nothing would be painted any more.
func letPainterEnd() error {
	time.Sleep(20 * time.Millisecond)
	return nil
}

// stopping does something while the terminal is as the program found it.
type stopping struct {
	do  func() error
	out io.Writer
}

func (*stopping) SetStdin(io.Reader)      {}
func (s *stopping) SetStdout(w io.Writer) { s.out = w }
func (*stopping) SetStderr(io.Writer)     {}

func (s *stopping) Run() error {
	fmt.Fprint(s.out, PopTitle)
	defer fmt.Fprint(s.out, PushTitle)
	return s.do()
}

// stopTimeout is how long halt waits for the stop, which the system ignores if no shell could
// continue the program.
const stopTimeout = 100 * time.Millisecond

// halt stops the program's whole process group, as ctrl+z in a shell does, and returns
// when it goes on.
func halt() error {
	signal.Stop(resumes)
	defer signal.Notify(resumes, syscall.SIGCONT)
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-goesOn:
	case <-time.After(stopTimeout):
	}
	return nil
}
