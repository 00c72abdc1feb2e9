package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/creack/pty"
)

// cleanups are functions that remove what tests share, after all tests have run.
var cleanups struct {
	sync.Mutex
	all []func()
}

func cleanUp(undo func()) {
	cleanups.Lock()
	defer cleanups.Unlock()
	cleanups.all = append(cleanups.all, undo)
}

// quick builds the program without the race detector, which would make it six times slower, and next to it toolpeer, a
// tool server. Tests that need a program with the race detector use openRace.
var quick = sync.OnceValues(func() (program string, err error) {
	dir, err := os.MkdirTemp("", "playhead-test-")
	if err != nil {
		return "", err
	}
	cleanUp(func() { _ = os.RemoveAll(dir) })
	build := exec.Command("go", "build", "-ldflags=-s", "-o", dir, ".", "./testdata/toolpeer")
	if out, err := build.CombinedOutput(); err != nil {
		return "", &exec.Error{Name: string(out), Err: err}
	}
	return filepath.Join(dir, "playhead"), nil
})

// quickProgram returns the path of the program that quick builds.
func quickProgram(t testing.TB) string {
	t.Helper()
	program, err := quick()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// command returns a command that runs the program in a folder without a terminal. Runs and configuration are in the
// folder, too.
func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(quickProgram(t), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "OPENAI_API_KEY=", "OPENAI_BASE_URL=")
	return cmd
}

// runProcess runs the program in its own process. env adds to its environment.
func runProcess(t *testing.T, dir string, env []string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs strings.Builder
	cmd := command(t, dir, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(cmd.Env, env...), &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// openWith starts the program on a terminal, in a folder with documents. env adds to its environment.
func openWith(t testing.TB, size pty.Winsize, dir string, env []string, args ...string) *terminal {
	t.Helper()
	return openProgram(t, quickProgram(t), size, dir, env, args...)
}

// openRace is like openWith, for tests with much concurrency, such as a model's reply or several programs that act on a
// run: under the race detector, the program runs with it too.
func openRace(t testing.TB, size pty.Winsize, dir string, env []string, args ...string) *terminal {
	t.Helper()
	return openProgram(t, os.Args[0], size, dir, env, args...)
}

func openProgram(t testing.TB, program string, size pty.Winsize, dir string, env []string, args ...string) *terminal {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Args, cmd.Env = append([]string{"playhead"}, args...), env
	return openCommand(t, size, dir, cmd)
}

// TestLeaderStartsQuickly: the process that leads a command's session runs before large libraries are initialized.
func TestLeaderStartsQuickly(t *testing.T) {
	t.Parallel()
	var initialized strings.Builder
	cmd := exec.Command(quickProgram(t))
	cmd.Args, cmd.Env, cmd.Stderr = []string{"playhead-session"}, []string{"GODEBUG=inittrace=1"}, &initialized
	_ = cmd.Run() // it fails, because it gets no job
	if got := initialized.String(); !strings.Contains(got, "init runtime ") || strings.Contains(got, "chroma") {
		t.Errorf("it initializes\n%s", got)
	}
}
