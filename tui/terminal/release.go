package terminal

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// rendererEndTime is how long the library's renderer may take to end. It stops its clock last and in the
// background. If the next renderer had set that clock before, nothing would be drawn any more.
const rendererEndTime = 100 * time.Millisecond

// release calls a tea.ExecCommand while the terminal is in the state in which Playhead found it.
func release(c tea.ExecCommand, done tea.ExecCallback) tea.Cmd {
	return tea.Exec(longRelease{c}, done)
}

// longRelease lets the renderer end before the screen is set up again.
type longRelease struct{ tea.ExecCommand }

func (r longRelease) Run() error {
	ended := time.After(rendererEndTime)
	defer func() { <-ended }()
	return r.ExecCommand.Run()
}

// RunProgram gives the terminal to a program until the program exits. heading is written before what the program
// writes.
func RunProgram(cmd *exec.Cmd, heading string, done tea.ExecCallback) tea.Cmd {
	return release(&program{cmd, heading}, done)
}

// program is a program with a heading above its output.
type program struct {
	cmd     *exec.Cmd
	heading string
}

func (p *program) SetStdin(r io.Reader)  { p.cmd.Stdin = r }
func (p *program) SetStdout(w io.Writer) { p.cmd.Stdout = w }
func (p *program) SetStderr(w io.Writer) { p.cmd.Stderr = w }

func (p *program) Run() error {
	_, _ = io.WriteString(p.cmd.Stdout, p.heading)
	return p.cmd.Run()
}

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
