package shell_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"playhead/engine/shell"
)

func TestMain(m *testing.M) {
	if os.Getenv(hostVariable) != "" {
		host()
		return
	}
	goleak.VerifyTestMain(m)
}

// forever makes a shell wait. The sleep is short, because a shell that gets a signal just before a single long sleep
// may miss it.
const forever = `while :; do sleep 0.05; done`

const patience = 20 * time.Second // how long a test waits for something that must happen

// screen stores what a command prints, and a test can wait for a text in it.
type screen struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func newScreen() *screen { return &screen{changed: make(chan struct{}, 1)} }

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.ReplaceAll(s.text.String(), "\r\n", "\n")
}

// await waits until the pattern was printed, and returns the match of its group.
func (s *screen) await(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	timeout := time.After(patience)
	for {
		if m := re.FindStringSubmatch(s.String()); m != nil {
			return m[len(m)-1]
		}
		select {
		case <-s.changed:
		case <-timeout:
			t.Fatalf("%s was never printed, only %q", pattern, s)
		}
	}
}

func newRunner(t testing.TB, grace time.Duration) *shell.Runner {
	t.Helper()
	r := shell.NewRunner(grace)
	t.Cleanup(func() { r.Close() })
	return r
}

func sh(text string) shell.Command { return shell.Command{Shell: "sh", Text: text} }

// run runs a command until it ends.
func run(t testing.TB, c shell.Command) (shell.Result, string) {
	t.Helper()
	out := newScreen()
	result := newRunner(t, 0).Start(t.Context(), c, out).Wait()
	return result, out.String()
}

// awaitGone waits until there is no process with this ID, not even a zombie.
func awaitGone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); !errors.Is(syscall.Kill(n, 0), syscall.ESRCH); {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", n)
		}
	}
}

func isAlive(t *testing.T, pid string) bool {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	return syscall.Kill(n, 0) == nil
}

func TestResult(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		name    string
		command shell.Command
		code    int
		signal  string
		out     string
	}{
		{"pass", sh("echo hello"), 0, "", "hello\n"},
		{"fail", sh("echo no >&2; exit 3"), 3, "", "no\n"},
		{"one argument", sh("echo \"$#:$0\"\necho two"), 0, "", "0:sh\ntwo\n"},
		{"signal", sh("kill -KILL $$"), 137, "KILL", ""},
		{"another signal", sh("kill -TERM $$"), 143, "TERM", ""},
		{"exit status like a signal's", sh("exit 137"), 137, "", ""},
		{"no set -e", sh("false; echo on"), 0, "", "on\n"},
		{"bash", shell.Command{Shell: "bash", Text: "[[ -n $BASH_VERSION ]] && echo bash"}, 0, "", "bash\n"},
		{"bash falls back to sh", shell.Command{Shell: "bash", Text: "echo $0", Env: []string{"PATH=/nowhere"}}, 0, "", "sh\n"},
		{"folder", shell.Command{Shell: "sh", Text: "pwd -P", Dir: dir}, 0, "", resolved(t, dir) + "\n"},
		{"environment, the last one counts", shell.Command{Shell: "sh", Text: "echo $A", Env: []string{"A=1", "A=2"}}, 0, "", "2\n"},
		{"arguments, no shell", shell.Command{Argv: []string{"printf", "%s|", "a b", "$HOME"}}, 0, "", "a b|$HOME|"},
		{"terminal", sh("test -t 1 && test -t 2 && echo yes"), 0, "", "yes\n"},
		{"its usual size", sh("stty size </dev/tty"), 0, "", "24 80\n"},
		{"its size", shell.Command{Shell: "sh", Text: "stty size </dev/tty", Cols: 132, Rows: 50}, 0, "", "50 132\n"},
		{"empty input", sh("cat; read x; echo $?"), 0, "", "1\n"},
		{"empty input from the terminal too", sh("read x </dev/tty; echo $?; echo out >/dev/tty"), 0, "", "1\nout\n"},
		{"signals are as usual", sh("trap 'echo got' INT TERM HUP; kill -INT $$; kill -TERM $$; kill -HUP $$"), 0, "", "got\ngot\ngot\n"},
		{"the last words are not lost", sh("i=0; while [ $i -lt 500 ]; do echo line; i=$((i+1)); done; printf end"), 0, "", strings.Repeat("line\n", 500) + "end"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result, out := run(t, tt.command)
			if result.Err != nil || result.ExitCode != tt.code || result.Signal != tt.signal || out != tt.out {
				t.Errorf("%+v, printed %q; want %d %q, %q", result, out, tt.code, tt.signal, tt.out)
			}
			if result.IsCancelled || result.HasTimedOut {
				t.Errorf("%+v: nobody cancelled it", result)
			}
		})
	}
}

func resolved(t *testing.T, dir string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestNotStarted(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "script")
	if err := os.WriteFile(script, []byte("#!/no/such/interpreter\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 200<<10)
	tests := []struct {
		name    string
		command shell.Command
		reason  string
	}{
		{"no folder", shell.Command{Shell: "sh", Text: "true", Dir: filepath.Join(dir, "none")}, "does not exist: create it"},
		{"folder is a file", shell.Command{Shell: "sh", Text: "true", Dir: script}, "is a file: choose a folder"},
		{"NUL", sh("true\nfal\x00se"), "line 2 of the command contains a NUL"},
		{"NUL in the environment", shell.Command{Shell: "sh", Text: "true", Env: []string{"A=\x00"}}, "NUL"},
		{"too long", sh(": " + long), "too long: one argument is 200 KiB long"},
		{"environment too long", shell.Command{Shell: "sh", Text: "true", Env: []string{"A=" + long}}, "shorten the values of its variables"},
		{"no program", shell.Command{Argv: []string{"no-such-program"}}, `no program "no-such-program" on PATH`},
		{"no file", shell.Command{Argv: []string{"/nonexistent/tool"}}, `there is no program "/nonexistent/tool": install it, or correct the path`},
		{"no program file", shell.Command{Argv: []string{"/etc/passwd"}}, `the file "/etc/passwd" cannot be executed: make it executable`},
		{"no program at the path", shell.Command{Argv: []string{"./none"}, Dir: dir}, "does not exist"},
		{"no interpreter", shell.Command{Argv: []string{script}}, "interpreter"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result, out := run(t, tt.command)
			if result.Err == nil || !strings.Contains(result.Err.Error(), tt.reason) || result.ExitCode != -1 {
				t.Errorf("%+v; want an error with %q", result, tt.reason)
			}
			if out != "" {
				t.Errorf("printed %q", out)
			}
		})
	}
}

func TestProcessThatDidNotStartCanBeUsed(t *testing.T) {
	p := newRunner(t, 0).Start(t.Context(), shell.Command{Argv: []string{"no-such-program"}, IsInteractive: true}, io.Discard)
	if _, err := p.Write([]byte("x")); err == nil {
		t.Error("a process that did not start takes input")
	}
	if err := p.Resize(100, 30); err != nil {
		t.Error(err)
	}
	p.Cancel()
	p.Kill()
	<-p.Done()
	<-p.Drained()
}

func TestTyping(t *testing.T) {
	out := newScreen()
	p := newRunner(t, 0).Start(t.Context(), shell.Command{
		Shell: "sh", IsInteractive: true, Cols: 100, Rows: 40,
		Text: `test -t 0 && printf 'name? '; read name; echo "hello $name"
			trap 'stty size; exit 0' WINCH; printf 'password? '; read word </dev/tty; echo "got $word"
			echo ready; while :; do sleep 0.01; done`,
	}, out)
	out.await(t, `name\? `)
	type_(t, p, "Ada\n")
	out.await(t, `hello Ada\n[^$]*password\? `)
	type_(t, p, "secret\n")
	out.await(t, `got secret\n(?s:.*)ready`)
	if err := p.Resize(61, 17); err != nil {
		t.Fatal(err)
	}
	out.await(t, `17 61`)
	if result := p.Wait(); result.ExitCode != 0 {
		t.Errorf("%+v", result)
	}
}

func type_(t *testing.T, p *shell.Process, keys string) {
	t.Helper()
	if _, err := p.Write([]byte(keys)); err != nil {
		t.Fatal(err)
	}
}

func TestControlC(t *testing.T) {
	out := newScreen()
	p := newRunner(t, 0).Start(t.Context(), shell.Command{Shell: "sh", Text: "echo ready; " + forever, IsInteractive: true}, out)
	out.await(t, "ready")
	type_(t, p, "\x1a") // Control-Z must not stop it for ever
	type_(t, p, "\x03")
	if result := p.Wait(); result.Signal != "INT" || result.IsCancelled {
		t.Errorf("%+v", result)
	}
}

func TestTypingWhereNobodyIs(t *testing.T) {
	out := newScreen()
	p := newRunner(t, 0).Start(t.Context(), sh("echo ready; "+forever), out)
	out.await(t, "ready")
	if _, err := p.Write([]byte("\x03")); err == nil {
		t.Error("a command without input takes typing")
	}
	p.Kill()
	if result := p.Wait(); result.Signal != "KILL" || !result.IsCancelled {
		t.Errorf("%+v", result)
	}
}

func TestPipes(t *testing.T) {
	c := shell.Command{Shell: "sh", Text: "echo out; echo err >&2; test -t 1 || echo plain; cat; read x </dev/tty", UsesPipes: true, IsInteractive: true}
	result, out := run(t, c)
	if result.Stdout != "out\nplain\n" || !strings.HasPrefix(result.Stderr, "err\n") || result.ExitCode == 0 {
		t.Errorf("%+v", result)
	}
	if !strings.Contains(out, "out\n") || !strings.Contains(out, "err\n") {
		t.Errorf("the log has %q", out)
	}
	c.Text = "head -c 3000000 /dev/zero; echo end >&2"
	result, out = run(t, c)
	if len(result.Stdout) > 1<<20+100 || !strings.HasSuffix(result.Stdout, "… 1951424 more bytes left out …\n") || len(out) != 3000004 {
		t.Errorf("%d bytes, ending %q; the log has %d", len(result.Stdout), result.Stdout[len(result.Stdout)-50:], len(out))
	}
}

func TestTimeout(t *testing.T) {
	c := sh(forever)
	c.Timeout = 100 * time.Millisecond
	if result, _ := run(t, c); !result.HasTimedOut || result.IsCancelled || result.Signal != "INT" {
		t.Errorf("%+v", result)
	}
	c = sh("exit 4")
	c.Timeout = time.Minute
	if result, _ := run(t, c); result.HasTimedOut || result.ExitCode != 4 {
		t.Errorf("%+v", result)
	}
}

func TestContext(t *testing.T) {
	out := newScreen()
	ctx, end := context.WithCancel(t.Context())
	r := newRunner(t, 0)
	p := r.Start(ctx, sh("echo ready; "+forever), out)
	out.await(t, "ready")
	end()
	if result := p.Wait(); !result.IsCancelled || result.Signal != "INT" {
		t.Errorf("%+v", result)
	}
	if result := r.Start(ctx, sh("echo never"), out).Wait(); !result.IsCancelled || result.Err == nil {
		t.Errorf("%+v", result)
	}
}
