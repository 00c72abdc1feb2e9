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

// resumeSignals receives SIGCONT, except while the program stops itself.
var resumeSignals = make(chan os.Signal, 1)

// SendResumes sends a Resumed for each SIGCONT until ctx ends. It does not subscribe to SIGTSTP, because a
// Go program that has once done so cannot be stopped any more.
func SendResumes(ctx context.Context, send func(tea.Msg)) {
	signal.Notify(resumeSignals, syscall.SIGCONT)
	defer signal.Stop(resumeSignals)
	for {
		select {
		case <-ctx.Done():
			return
		case <-resumeSignals:
			send(Resumed{})
		}
	}
}

// Suspend stops the program, and restores the screen when the program continues.
func Suspend() tea.Cmd { return release(&releasedCall{whileReleased: suspendProcessGroup}, nil) }

// ResumeScreen sets up the terminal again when the program was Resumed, because other programs have used it.
func ResumeScreen() tea.Cmd {
	return release(&releasedCall{whileReleased: func() error { return nil }}, nil)
}

// releasedCall calls a function while the terminal has its own title again.
type releasedCall struct {
	whileReleased func() error
	out           io.Writer
}

func (*releasedCall) SetStdin(io.Reader)      {}
func (p *releasedCall) SetStdout(w io.Writer) { p.out = w }
func (*releasedCall) SetStderr(io.Writer)     {}

func (p *releasedCall) Run() error {
	fmt.Fprint(p.out, PopTitle)
	defer fmt.Fprint(p.out, PushTitle)
	return p.whileReleased()
}

// suspendTimeout limits how long suspendProcessGroup waits to be stopped. The system ignores the signal if no shell could
// continue the program.
const suspendTimeout = 100 * time.Millisecond

// suspendProcessGroup stops the program's whole process group, as ctrl+z in a shell does. It returns when the
// program continues.
func suspendProcessGroup() error {
	signal.Stop(resumeSignals)
	defer signal.Notify(resumeSignals, syscall.SIGCONT)
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-continued:
	case <-time.After(suspendTimeout):
	}
	return nil
}
