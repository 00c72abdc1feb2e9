package terminal

import (
	"io"
	"os/exec"
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
