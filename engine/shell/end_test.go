package shell_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"playhead/engine/shell"
)

// TestCancelLeavesNothing: cancelling a command ends all processes that it started, even grandchildren and those that
// ignore signals.
func TestCancelLeavesNothing(t *testing.T) {
	const deaf = `trap '' INT TERM HUP; `
	tests := []struct{ name, text, signal string }{
		{"obedient", `echo pid $$.; ` + forever, "INT"},
		{"grandchildren", `sh -c 'sh -c "echo pid \$\$.; ` + forever + `"; true'; true`, "INT"},
		{"deaf", deaf + `echo pid $$.; ` + forever, "KILL"},
		{"deaf grandchildren", deaf + `sh -c 'sh -c "echo pid \$\$.; ` + forever + `"; true'; true`, "KILL"},
		{"deaf to control-C only", `trap '' INT; echo pid $$.; ` + forever, "TERM"},
		{"a deaf job behind an obedient shell", `(` + deaf + `exec sh -c 'echo pid $$.; ` + forever + `') & ` + forever, "INT"},
		{"groups of their own", `set -m; sh -c 'echo pid $$.; ` + forever + `' & ` + forever, "INT"},
		{"stopped", `sh -c 'echo pid $$.; kill -STOP $$'; true`, "INT"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out := newScreen()
			p := newRunner(t, 200*time.Millisecond).Start(t.Context(), sh(tt.text), out)
			pid := out.await(t, `pid (\d+)\.`)
			p.Cancel()
			result := p.Wait()
			if !result.IsCancelled || result.Signal != tt.signal || result.BackgroundNames != nil {
				t.Errorf("%+v, want signal %s", result, tt.signal)
			}
			awaitGone(t, pid)
			<-p.Drained()
		})
	}
}

func TestKillAfterCancelIsAtOnce(t *testing.T) {
	out := newScreen()
	p := newRunner(t, time.Hour).Start(t.Context(), sh("trap '' INT TERM; echo ready; "+forever), out)
	out.await(t, "ready")
	p.Cancel()
	p.Kill()
	if result := p.Wait(); result.Signal != "KILL" || !result.IsCancelled {
		t.Errorf("%+v", result)
	}
}

// TestBackground: a command ends when its shell exits. Its background processes continue and print until the run ends.
func TestBackground(t *testing.T) {
	out := newScreen()
	r := newRunner(t, 0)
	p := r.Start(t.Context(), sh(`sleep 1000 >/dev/null 2>&1 & echo silent $!.
		(i=0; while :; do i=$((i+1)); echo tick $i.; sleep 0.02; done) & echo loud $!.
		echo to the terminal >/dev/stderr`), out)
	result := p.Wait()
	silent, loud := out.await(t, `silent (\d+)\.`), out.await(t, `loud (\d+)\.`)
	left := strings.Join(result.BackgroundNames, " ")
	if result.ExitCode != 0 || !strings.Contains(left, "("+silent+")") || !strings.Contains(left, "("+loud+")") {
		t.Errorf("%+v", result)
	}
	out.await(t, `tick 5\.`)
	p.Cancel() // the command is over, so this must not end its background processes
	out.await(t, `tick 10\.`)
	if !isAlive(t, silent) || !isAlive(t, loud) {
		t.Error("the background processes ended with their shell")
	}
	if result := r.Start(t.Context(), sh("exit 5"), out).Wait(); result.ExitCode != 5 {
		t.Errorf("the next step: %+v", result)
	}
	ended := strings.Join(r.Close(), "; ")
	if !strings.Contains(ended, "sleep 1000 ("+silent+")") || !strings.Contains(ended, "("+loud+")") {
		t.Errorf("Close ended %q", ended)
	}
	awaitGone(t, silent)
	awaitGone(t, loud)
	<-p.Drained()
}

func TestBackgroundThatEndsByItself(t *testing.T) {
	out := newScreen()
	r := newRunner(t, 0)
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	p := r.Start(t.Context(), sh(`(read x; echo got $x) <`+fifo+` & echo on`), out)
	if result := p.Wait(); result.ExitCode != 0 || len(result.BackgroundNames) != 1 {
		t.Errorf("%+v", result)
	}
	if err := os.WriteFile(fifo, []byte("word\n"), 0); err != nil {
		t.Fatal(err)
	}
	<-p.Drained()
	if out.String() != "on\ngot word\n" {
		t.Errorf("printed %q", out)
	}
	if ended := r.Close(); ended != nil {
		t.Errorf("Close ended %q", ended)
	}
}

func TestBackgroundWithPipes(t *testing.T) {
	out := newScreen()
	r := newRunner(t, 0)
	c := sh(`(while :; do echo tick; sleep 0.02; done) & echo pid $!.`)
	c.UsesPipes = true
	p := r.Start(t.Context(), c, out)
	if result := p.Wait(); !strings.Contains(result.Stdout, "pid") || len(result.BackgroundNames) == 0 {
		t.Errorf("%+v", result)
	}
	pid := out.await(t, `pid (\d+)\.`)
	out.await(t, `pid(?s:.*)tick(?s:.*)tick`)
	r.Close()
	awaitGone(t, pid)
}

func TestCloseEndsWhatRuns(t *testing.T) {
	out := newScreen()
	r := newRunner(t, 200*time.Millisecond)
	p := r.Start(t.Context(), sh(`trap '' TERM; echo pid $$.; `+forever), out)
	pid := out.await(t, `pid (\d+)\.`)
	if ended := r.Close(); !strings.Contains(strings.Join(ended, "; "), "("+pid+")") {
		t.Errorf("Close ended %q", ended)
	}
	if result := p.Wait(); result.Signal != "KILL" || !result.IsCancelled {
		t.Errorf("%+v", result)
	}
	awaitGone(t, pid)
	if result := r.Start(t.Context(), sh("true"), out).Wait(); result.Err == nil {
		t.Errorf("a closed runner runs: %+v", result)
	}
	r.Close()
}

// TestDaemonsAreLetGo: a process that left the session continues, and does not delay the end of the run.
func TestDaemonsAreLetGo(t *testing.T) {
	needs(t, "setsid")
	out := newScreen()
	r := newRunner(t, 0)
	p := r.Start(t.Context(), sh(`setsid sh -c 'echo pid $$.; sleep 1000; :' & `+forever), out)
	pid := out.await(t, `pid (\d+)\.`)
	p.Cancel()
	p.Wait()
	r.Close()
	<-p.Drained()
	if !isAlive(t, pid) {
		t.Error("the daemon was ended")
	}
	left := r.Leftovers()
	if len(left) != 1 || left[0].String() != "sh -c echo pid $$.; sleep 1000; : ("+pid+")" || len(shell.AliveLeftovers(left)) != 1 {
		t.Fatalf("left %v", left)
	}
	stranger := left[0]
	stranger.StartTime += "0"
	if rest := shell.EndLeftovers([]shell.Leftover{stranger}, time.Minute); len(rest) > 0 || !isAlive(t, pid) {
		t.Errorf("a process that began at another time was ended, or is left: %v", rest)
	}
	if rest := shell.EndLeftovers(left, time.Minute); len(rest) > 0 {
		t.Errorf("still there: %v", rest)
	}
	awaitGone(t, pid)
}

// TestEndLeftovers: EndLeftovers ends leftovers with all processes that they started, and kills those that ignore signals.
func TestEndLeftovers(t *testing.T) {
	needs(t, "setsid")
	out := newScreen()
	r := newRunner(t, 0)
	r.Start(t.Context(), sh(`setsid sh -c "trap '' TERM; sh -c 'echo below \$\$.; `+forever+`' & echo above \$\$.; `+forever+`" &`), out).Wait()
	above, below := out.await(t, `above (\d+)\.`), out.await(t, `below (\d+)\.`)
	r.Close()
	left := r.Leftovers()
	if len(left) != 1 || !strings.Contains(left[0].String(), "("+above+")") || !isAlive(t, below) {
		t.Errorf("left %v", left)
	}
	shell.EndLeftovers(left, 50*time.Millisecond)
	awaitGone(t, above)
	awaitGone(t, below)
}

// TestEndEscaped: with EndEscaped, a runner also ends daemons, however they left the session.
func TestEndEscaped(t *testing.T) {
	needs(t, "setsid")
	for name, how := range map[string]string{
		"session":     `setsid sh -c 'echo pid $$.; exec sleep 1000' & `,
		"double fork": `(setsid sh -c 'sh -c "echo pid \$\$.; exec sleep 1000" & exit' &) ; `,
		"own group":   `(setsid setsid sh -c 'trap "" TERM HUP INT; echo pid $$.; ` + forever + `' &) ; `,
	} {
		for end, rest := range map[string]string{"cancelled": forever, "over": "true"} {
			t.Run(name+", "+end, func(t *testing.T) {
				t.Parallel()
				out := newScreen()
				r := newRunner(t, 100*time.Millisecond)
				r.EndEscaped = true
				p := r.Start(t.Context(), sh(how+rest), out)
				pid := out.await(t, `pid (\d+)\.`)
				if end == "cancelled" {
					p.Cancel()
				}
				p.Wait()
				r.Close()
				if left := r.Leftovers(); left != nil {
					t.Errorf("left %v", left)
				}
				awaitGone(t, pid)
			})
		}
	}
}

// TestLeaderKilled: if a command kills the Playhead process that supervises it, its result says so.
func TestLeaderKilled(t *testing.T) {
	out := newScreen()
	p := newRunner(t, 0).Start(t.Context(), sh(`echo pid $$.; kill -KILL $PPID; trap '' HUP; `+forever), out)
	result := p.Wait()
	if result.Err == nil || !strings.Contains(result.Err.Error(), "the Playhead process that supervised it was killed") {
		t.Errorf("%+v", result)
	}
	awaitGone(t, out.await(t, `pid (\d+)\.`))
}

// TestPlayheadKilled: when Playhead itself is killed, its commands and their background processes end.
func TestPlayheadKilled(t *testing.T) {
	host := exec.Command(os.Args[0])
	host.Env = append(os.Environ(), hostVariable+"=1")
	out := newScreen()
	host.Stdout, host.Stderr = out, out
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	left, running := out.await(t, `left (\d+)\.`), out.await(t, `running (\d+)\.`)
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	host.Wait()
	awaitGone(t, left)
	awaitGone(t, running)
}

// hostVariable makes the test binary a program that can be killed while it runs commands.
const hostVariable = "SHELL_TEST_HOST"

// host runs commands until it is killed.
func host() {
	r := shell.NewRunner(100 * time.Millisecond)
	r.Start(context.Background(), sh(`(trap '' HUP TERM; echo left $(exec sh -c 'echo $PPID').; `+forever+`) &`), os.Stdout).Wait()
	r.Start(context.Background(), sh(`echo running $$.; `+forever), os.Stdout).Wait()
}

func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip("needs ", program)
	}
}
