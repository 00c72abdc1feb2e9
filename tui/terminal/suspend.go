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

// Resumed reports that the program continues after it was stopped from outside. Meanwhile the shell may
// have changed the terminal.
type Resumed struct{}

// resumes receives SIGCONT, except while the program stops itself.
var resumes = make(chan os.Signal, 1)

// HearResumes sends a Resumed for each SIGCONT until ctx ends. It does not subscribe to SIGTSTP, because a
// Go program that has once done so cannot be stopped any more.
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

// Stop stops the program, and restores the screen when the program continues.
func Stop() tea.Cmd { return tea.Exec(&stopping{do: halt}, nil) }

// Restored sets up the terminal again after another program has used it.
func Restored() tea.Cmd { return tea.Exec(&stopping{do: letPainterEnd}, nil) }

// letPainterEnd gives the library's renderer time to end. It stops its clock last and in the background. If
// the next renderer had set that clock before, nothing would be drawn any more.
func letPainterEnd() error {
	time.Sleep(20 * time.Millisecond)
	return nil
}

// stopping runs do while the terminal is in the state in which the program found it.
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

// stopTimeout limits how long halt waits to be stopped. The system ignores the signal if no shell could
// continue the program.
const stopTimeout = 100 * time.Millisecond

// halt stops the program's whole process group, as ctrl+z in a shell does. It returns when the program
// continues.
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
