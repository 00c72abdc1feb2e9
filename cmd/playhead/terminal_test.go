package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/vito/midterm"

	"playhead/engine/trust"
)

// terminal is the program on its own terminal, with the screen that it shows.
type terminal struct {
	t      testing.TB
	cmd    *exec.Cmd
	keys   *os.File
	mu     sync.Mutex
	screen *midterm.Terminal
	typed  string        // the last keys typed
	sent   bytes.Buffer  // everything that the program wrote
	drawn  chan struct{} // receives after something was drawn, closed when the program ends
}

// patience limits the time of a program, also on a busy machine.
const patience = 2 * time.Minute

// open starts the program on a terminal, on a document in a new folder.
func open(t testing.TB, document string, args ...string) *terminal {
	t.Helper()
	return openAt(t, pty.Winsize{Rows: 24, Cols: 80}, document, args...)
}

func openAt(t testing.TB, size pty.Winsize, document string, args ...string) *terminal {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.runbook.md"), []byte(document), 0o644); err != nil {
		t.Fatal(err)
	}
	return openIn(t, size, dir, append([]string{"a.runbook.md"}, args...)...)
}

// openIn starts the program on a terminal, in a folder with documents.
func openIn(t testing.TB, size pty.Winsize, dir string, args ...string) *terminal {
	t.Helper()
	return openWith(t, size, dir, nil, args...)
}

// openCommand starts a command on a terminal, in a folder that also holds the program's runs and configuration.
func openCommand(t testing.TB, size pty.Winsize, dir string, cmd *exec.Cmd) *terminal {
	t.Helper()
	home := dir
	if !filepath.IsAbs(dir) { // XDG ignores relative paths, and runs would go to the developer's own folder
		home = t.TempDir()
	}
	cmd.Dir = dir
	cmd.Env = slices.Concat(os.Environ(), []string{"XDG_STATE_HOME=" + home, "XDG_CONFIG_HOME=" + home, "OPENAI_API_KEY=", "OPENAI_BASE_URL=",
		"TERM=xterm-256color", "NO_COLOR=", "DISPLAY=", "WAYLAND_DISPLAY=", "TMUX=", "TERM_PROGRAM="}, cmd.Env)
	keys := startIn(t, cmd, size)
	x := &terminal{t: t, cmd: cmd, keys: keys, screen: midterm.NewTerminal(int(size.Rows), int(size.Cols)), drawn: make(chan struct{}, 1)}
	x.screen.ForwardResponses = keys
	x.screen.Raw = true // the pty translates line ends
	timer := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	t.Cleanup(func() {
		timer.Stop()
		_ = cmd.Process.Kill() // it has ended if the test passed
		_ = keys.Close()
	})
	go x.read()
	return x
}

// startIn starts the program on a terminal without tabs. It must not move the cursor by tabs because midterm writes
// blanks for them and knows no tabs backwards.
func startIn(t testing.TB, cmd *exec.Cmd, size pty.Winsize) *os.File {
	t.Helper()
	keys, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	tabless := exec.Command("stty", "-tabs")
	tabless.Stdin = tty
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := errors.Join(pty.Setsize(keys, &size), tabless.Run(), cmd.Start()); err != nil {
		t.Fatal(err)
	}
	return keys
}

// Frames between these sequences show at once (synchronized output): a test never sees half a frame.
const (
	asksFrames, hasFrames = "\x1b[?2026$p", "\x1b[?2026;2$y"
	frameBegin, frameEnd  = "\x1b[?2026h", "\x1b[?2026l"
)

func (t *terminal) read() {
	defer close(t.drawn)
	buf := make([]byte, 32<<10)
	var frame []byte // output that is not on the screen yet
	for {
		n, err := t.keys.Read(buf)
		if err != nil {
			return
		}
		if bytes.Contains(buf[:n], []byte(asksFrames)) {
			_, _ = t.keys.WriteString(hasFrames)
		}
		frame = append(frame, buf[:n]...)
		whole := len(frame)
		if i := bytes.LastIndex(frame, []byte(frameBegin)); i >= 0 && !bytes.Contains(frame[i:], []byte(frameEnd)) {
			whole = i
		}
		t.mu.Lock()
		_, _ = t.screen.Write(frame[:whole])
		t.sent.Write(buf[:n])
		t.mu.Unlock()
		frame = append(frame[:0], frame[whole:]...)
		select {
		case t.drawn <- struct{}{}:
		default:
		}
	}
}

func (t *terminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	for _, row := range t.screen.Content {
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return b.String()
}

// all returns everything that the program has written so far, including what the screen no longer shows.
func (t *terminal) all() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sent.String()
}

// sees waits until the text is on the screen.
func (t *terminal) sees(text string) {
	t.t.Helper()
	t.waits(t.text, text)
}

// gets waits until the program has written the bytes.
func (t *terminal) gets(bytes string) {
	t.t.Helper()
	t.waits(t.all, bytes)
}

func (t *terminal) waits(of func() string, text string) {
	t.t.Helper()
	for !strings.Contains(of(), text) {
		if _, more := <-t.drawn; !more {
			t.t.Fatalf("the program ended and never showed %q; it shows:\n%s", text, t.text())
		}
	}
}

// loses waits until the text is no longer on the screen.
func (t *terminal) loses(text string) {
	t.t.Helper()
	for strings.Contains(t.text(), text) {
		if _, more := <-t.drawn; !more {
			t.t.Fatalf("the program ended and still showed %q; it shows:\n%s", text, t.text())
		}
	}
}

// meaningless is a key that does nothing. A person reads a dialog before answering it, and pauses after a letter or
// enter, which may have closed one; a test presses this key instead.
const meaningless = "\x1b[24~"

// fullScreen switches a terminal to the alternate screen.
const fullScreen = "\x1b[?1049h"

// closingKey matches keys that may close a dialog, endsInSequence key and mouse sequences, which may also end in a
// letter.
var closingKey, endsInSequence = regexp.MustCompile(`[[:print:]\r]$`), regexp.MustCompile(`\x1b\[[0-9;<]*[A-Za-z~]$`)

func (t *terminal) types(keys string) {
	t.t.Helper()
	mayHaveClosed := closingKey.MatchString(t.typed) && !endsInSequence.MatchString(t.typed)
	mayAnswer := !strings.HasPrefix(keys, "\x1b") && !strings.Contains(t.text(), "keys go to the command")
	t.typed = keys
	if (mayHaveClosed || mayAnswer) && strings.Contains(t.all(), fullScreen) {
		keys = meaningless + keys
	}
	if _, err := t.keys.WriteString(keys); err != nil {
		t.t.Fatal(err)
	}
}

// resizes changes the size of the terminal and clears its screen.
func (t *terminal) resizes(size pty.Winsize) {
	t.t.Helper()
	t.mu.Lock()
	t.screen = midterm.NewTerminal(int(size.Rows), int(size.Cols))
	t.screen.ForwardResponses, t.screen.Raw = t.keys, true
	t.mu.Unlock()
	if err := pty.Setsize(t.keys, &size); err != nil {
		t.t.Fatal(err)
	}
}

// ends waits for the program to end and compares its exit status.
func (t *terminal) ends(status int) {
	t.t.Helper()
	for range t.drawn {
	}
	_ = t.cmd.Wait()
	if got := t.cmd.ProcessState.ExitCode(); got != status {
		t.t.Errorf("status %d, want %d; it showed:\n%s", got, status, t.text())
	}
}

const asking = "## 1. Say\n```sh\necho something said\n```\n## 2. Sure?\n- YES: COMPLETE \"sure enough\"\n- NO: STOP\n"

func TestPlainInTerminal(t *testing.T) {
	t.Parallel()
	x := open(t, asking, "--plain")
	x.sees("Run it? [yes/no/")
	x.types("yes\n")
	x.sees("[yes/no/skip/…]")
	x.types("no\n")
	x.sees("stopped")
	x.ends(exitFailed)
}

func TestPlainRefused(t *testing.T) {
	t.Parallel()
	x := open(t, asking, "--plain")
	x.sees("Run it? [yes/no/")
	x.tells("yse", `"yse" is not an answer here: use yes, no or prompted.`)
	x.tells("no", "playhead: "+trust.RefusedText)
	x.ends(exitUsage)
}

// TestToolCallDeniedInLines: a tool call that a person refuses is not made, and the model learns of the refusal
// (workflow.md §6).
func TestToolCallDeniedInLines(t *testing.T) {
	t.Parallel()
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, saying(t), "run", "a.md", "--plain", "--approve", "each", "--replies", "replies.yaml")
	x.sees("Run it? [yes/no/")
	x.types("yes\n")
	x.sees("[yes/no/tool/all")
	x.types("no\n")
	x.sees("failed: step 1 failed: it was not allowed")
	x.ends(exitFailed)
	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	if report := program(t, x.cmd, "export", run, "--json"); !strings.Contains(report, `"error": "a person refused this call"`) {
		t.Error(report)
	}
}

// TestToolCallDenied: the screen does the same, and the model gets the person's note.
func TestToolCallDenied(t *testing.T) {
	t.Parallel()
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, saying(t), "run", "a.md", "--approve", "once", "--replies", "replies.yaml")
	x.sees("Trust this document?")
	x.types("y")
	x.sees("May the model call say?")
	x.types("N")
	x.sees("with a note")
	x.types("not now\r")
	x.sees("it was not allowed")
	x.types("q")
	x.ends(exitFailed)
	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	if report := program(t, x.cmd, "export", run, "--json"); !strings.Contains(report, `"error": "a person refused this call: not now"`) {
		t.Error(report)
	}
}

// TestChangedSinceTrusted: the question for trust says that the document changed since it was trusted, but not for
// another document of the same name.
func TestChangedSinceTrusted(t *testing.T) {
	t.Parallel()
	size, dir := pty.Winsize{Rows: 24, Cols: 80}, t.TempDir()
	document, other := filepath.Join(dir, "a.runbook.md"), filepath.Join(dir, "other", "a.runbook.md")
	write(t, document, "## 1. A\n```sh\ntrue\n```\n")
	x := openIn(t, size, dir, "a.runbook.md", "--plain")
	x.sees("[yes/no/prompted]")
	x.types("yes\n")
	x.ends(exitOK)
	if strings.Contains(x.all(), "has changed") {
		t.Error("it says that the document has changed, but nothing was trusted before")
	}
	write(t, document, "## 1. A\n```sh\ntrue again\n```\n")
	x = openIn(t, size, dir, "a.runbook.md", "--plain")
	x.sees("a.runbook.md has changed since you trusted it.")
	x.types("no\n")
	x.ends(exitUsage)
	x = openIn(t, size, dir, "a.runbook.md")
	x.sees("It has changed since you trusted it.")
	x.types("q")
	x.ends(exitUsage)
	if err := os.Mkdir(filepath.Dir(other), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, other, "## 1. A\n```sh\nfalse\n```\n")
	x = openIn(t, size, dir, "other/a.runbook.md", "--plain")
	x.sees("[yes/no/prompted]")
	x.types("no\n")
	x.ends(exitUsage)
	if strings.Contains(x.all(), "has changed") {
		t.Error("it says that the document has changed, but another document was trusted")
	}
}

// TestPromptedStartsNothing: a run with --prompted starts no tool server for a model's calls, on the screen and in
// plain mode.
func TestPromptedStartsNothing(t *testing.T) {
	t.Parallel()
	for asks, typed := range map[string][2]string{
		"Trust this document?": {"m", "y"}, "[yes/no/prompted]": {"prompted\n", "yes\n"},
	} {
		args := []string{"run", "a.md", "--approve", "once", "--replies", "replies.yaml"}
		if strings.HasPrefix(asks, "[") {
			args = append(args, "--plain")
		}
		dir := saying(t)
		x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, dir, args...)
		x.sees(asks)
		x.types(typed[0])
		x.sees("ay the model")
		x.types(typed[1])
		x.sees("it was not allowed")
		run := strings.Fields(program(t, x.cmd, "runs"))[6]
		if report := program(t, x.cmd, "export", run, "--json"); !strings.Contains(report, "a run in which you run the commands yourself (--prompted) uses no tool servers") {
			t.Error(report)
		}
		if _, err := os.Stat(filepath.Join(dir, "started")); err == nil {
			t.Errorf("%s: the server was started", asks)
		}
	}
}

// saying returns a folder with a workflow whose model calls a tool, and the configuration of a server with this tool.
func saying(t *testing.T) string {
	dir := t.TempDir()
	peer := filepath.Join(filepath.Dir(quickProgram(t)), "toolpeer")
	write(t, filepath.Join(dir, ".mcp.json"), fmt.Sprintf(`{"mcpServers": {"peer": {"command": %q}}}`, peer))
	write(t, filepath.Join(dir, "a.md"), "### 🔧 WORKFLOW STEP: Say\n```\nSay.\n```\n### 🛠️ TOOL: say\n")
	write(t, filepath.Join(dir, "replies.yaml"), "'1':\n- calls: [{tool: say, arguments: {text: hello}}]\n- {status: failed, error_message: it was not allowed}\n")
	return dir
}

// TestPlainInterrupted: ctrl+c at a question quits, and the run can be resumed at that question.
func TestPlainInterrupted(t *testing.T) {
	t.Parallel()
	x := open(t, asking, "--plain", "--trust")
	x.sees("[yes/no/skip/…]")
	x.types("\x03")
	x.sees("\nplayhead: the run is kept: playhead resume")
	x.ends(exitInterrupted)
	if strings.Contains(x.all(), "cancelled") {
		t.Errorf("the run is cancelled:\n%s", x.all())
	}
	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	if out := program(t, x.cmd, "resume", run, "--headless", "--answer", "2=yes"); !strings.Contains(out, "sure enough") {
		t.Errorf("the run cannot be resumed:\n%s", out)
	}
}

// TestPlainHeld: ctrl+c at a pause quits, and the resumed run is paused at the same step.
func TestPlainHeld(t *testing.T) {
	t.Parallel()
	x := open(t, "## 1. One\n```sh\necho first\n```\n## 2. Two\n```sh\necho second\n```\n", "--plain", "--trust", "--step")
	x.says("paused before 1")
	x.tells(":over", "\nfirst", "paused before 2")
	x.types("\x03")
	x.sees("\nplayhead: the run is kept: playhead resume")
	x.ends(exitInterrupted)
	listed := strings.Fields(strings.Split(program(t, x.cmd, "runs"), "\n")[1])
	if strings.Join(listed[3:5], " ") != "interrupted 2" {
		t.Errorf("the run is listed as %s", listed)
	}
	x = openIn(t, pty.Winsize{Rows: 24, Cols: 80}, x.cmd.Dir, "resume", listed[0], "--plain")
	x.says("paused before 2")
	x.tells(":continue", "\nsecond", "completed")
	x.ends(exitOK)
	if strings.Index(x.all(), "second") < strings.Index(x.all(), "paused before 2") {
		t.Errorf("the resumed run was not paused:\n%s", x.all())
	}
}

// TestPlainCancelled: ctrl+c during a command asks what to do with the step, and ctrl+c at that question quits and
// keeps the run.
func TestPlainCancelled(t *testing.T) {
	t.Parallel()
	x := open(t, "## 1. Wait\n```sh\necho begun; cat /dev/zero >/dev/null\n```\n", "--plain", "--trust")
	x.sees("\nbegun")
	x.types("\x03")
	x.sees("[rerun/pass/fail/skip/…]")
	x.types("rerun\n")
	x.sees("rerun\n$ echo begun; cat /dev/zero >/dev/null\nbegun")
	x.types("\x03")
	x.sees("begun\n[1] \"Wait\" was interrupted [rerun/pass/fail/skip/…]\n")
	x.types("\x03")
	x.sees("the run is kept")
	x.ends(exitInterrupted)
}

// TestPassedAfterInterruption: an interrupted command that a person passes shows as overridden, not as passed by
// itself.
func TestPassedAfterInterruption(t *testing.T) {
	t.Parallel()
	x := open(t, "## 1. Wait\n```sh\necho begun; cat /dev/zero >/dev/null\n```\n", "--plain", "--trust")
	x.sees("\nbegun")
	x.types("\x03")
	x.sees("[rerun/pass/fail/skip/…]")
	x.types("pass\n")
	x.sees("passed, overridden (interrupted)")
	x.ends(exitOK)
}

// TestPlainTyping types input for commands: a command's prompt shows at once, typed text shows once, and a password not
// at all.
func TestPlainTyping(t *testing.T) {
	t.Parallel()
	x := open(t, "## 1. Ask\n```sh\nprintf 'name: '; read n; stty -echo; printf 'pw? '; read p; stty echo; echo; echo \"$n ${#p}\"\n```\n", "--plain", "--trust")
	x.sees("\nname:")
	x.types("Bob\r")
	x.sees("\nname: Bob\npw?")
	x.types("topsecret\r")
	x.sees("\nBob 9\n")
	x.ends(exitOK)
	if text := x.text(); strings.Contains(text, "topsecret") || strings.Count(text, "Bob") != 2 {
		t.Errorf("typed text is shown wrongly:\n%s", text)
	}
}

// TestDumbTerminal: a dumb terminal gets plain mode.
func TestDumbTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.runbook.md"), asking)
	x := openWith(t, pty.Winsize{Rows: 24, Cols: 80}, dir, []string{"TERM=dumb"}, "a.runbook.md", "--trust")
	x.sees("[yes/no/skip/…]")
	x.types("yes\n")
	x.sees("completed")
	x.ends(exitOK)
}

func TestPlainEndOfInput(t *testing.T) {
	t.Parallel()
	x := open(t, asking, "--plain", "--trust")
	x.sees("[yes/no/skip/…]")
	x.types("\x04")
	x.sees("waits at 2 for yes or no; resume with: playhead resume ")
	x.ends(exitAwaiting)
}

// TestPlainEndOfInputAfterTyping: ctrl+d still ends the input after a person typed to a command, during which the
// terminal has other settings.
func TestPlainEndOfInputAfterTyping(t *testing.T) {
	t.Parallel()
	x := open(t, "## 1. Ask\n```sh\nprintf 'name: '; read n; echo \"got $n\"\n```\n## 2. Sure?\n- YES: COMPLETE\n- NO: STOP\n", "--plain", "--trust")
	x.sees("\nname:")
	x.types("Bob\r")
	x.sees("[yes/no/skip/…]")
	x.types("\x04")
	x.sees("waits at 2 for yes or no; resume with: playhead resume ")
	x.ends(exitAwaiting)
}

func TestScreen(t *testing.T) {
	t.Parallel()
	x := open(t, asking)
	x.sees("Trust this document?")
	x.types("y")
	x.sees("Yes or no?")
	x.types("p")
	x.sees("✓ completed")
	x.types("q")
	x.sees("completed \"sure enough\" · run ")
	x.ends(exitOK)
	if strings.Contains(x.text(), "waits for you") {
		t.Errorf("the alternate screen is left behind:\n%s", x.text())
	}
}

// TestScreenOfARunThatIsOver: opening a finished run does not change its journal; undo rewinds it and it can end
// differently.
func TestScreenOfARunThatIsOver(t *testing.T) {
	t.Parallel()
	x := open(t, asking, "--trust")
	x.sees("waits for you")
	x.types("p")
	x.sees("✓ completed")
	x.types("q")
	x.ends(exitOK)
	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	events := filepath.Join(x.cmd.Dir, "playhead", "runs", run, "events.jsonl")
	before, err := os.ReadFile(events)
	if err != nil {
		t.Fatal(err)
	}

	size := pty.Winsize{Rows: 24, Cols: 80}
	x = openIn(t, size, x.cmd.Dir, "resume", run, "--trust")
	x.sees("✓ completed")
	x.types("q")
	x.sees("completed \"sure enough\" · run " + run)
	x.ends(exitOK)
	if after, _ := os.ReadFile(events); string(after) != string(before) {
		t.Errorf("opening the run has changed the journal:\n%s", after)
	}

	x = openIn(t, size, x.cmd.Dir, "resume", run, "--trust")
	x.sees("✓ completed")
	x.types("u")
	x.sees("waits for you")
	x.types("f")
	x.sees("✗ stopped")
	x.types("q")
	x.ends(exitFailed)
}

// TestScreenCannotKeepRun: after a person trusts the document, the program says that it cannot store the run, not that
// the document is not trusted.
func TestScreenCannotKeepRun(t *testing.T) {
	t.Parallel()
	x := open(t, asking)
	x.sees("Trust this document?")
	if err := os.WriteFile(filepath.Join(x.cmd.Dir, "playhead"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	x.types("y")
	x.sees("cannot store a run")
	x.ends(exitFailed)
	if strings.Contains(x.text(), "is not trusted") {
		t.Error(x.text())
	}
}

func TestScreenRefused(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"q", "n"} {
		x := open(t, asking)
		x.sees("Trust this document?")
		x.types(key)
		x.gets("playhead: " + trust.RefusedText)
		x.ends(exitUsage)
	}
}

// TestMissingDocumentOpensNoScreen: a missing document is an error on the command line: a screen would have nothing to
// show.
func TestMissingDocumentOpensNoScreen(t *testing.T) {
	t.Parallel()
	x := openIn(t, pty.Winsize{Rows: 24, Cols: 80}, t.TempDir(), "nosuch.runbook.md")
	x.sees("nosuch.runbook.md: error: there is no such file")
	x.ends(exitUsage)
}

// TestScreenOfErrors shows the errors of a document that cannot run.
func TestScreenOfErrors(t *testing.T) {
	t.Parallel()
	x := open(t, "## 1. One\n- PASS: GOTO 7\n")
	x.sees("GOTO 7")
	x.types("q")
	x.ends(exitUsage)
}

// TestScreenLeft: a run that waits can be resumed after q and after SIGTERM.
func TestScreenLeft(t *testing.T) {
	t.Parallel()
	x := open(t, asking, "--trust")
	x.sees("waits for you")
	x.types("\x1b")
	x.sees("The run is waiting.")
	x.types("q")
	x.sees("waits at 2 · resume with: playhead resume ")
	x.ends(exitAwaiting)

	x = open(t, asking, "--trust")
	x.sees("waits for you")
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	x.sees("waits at 2 · resume with: playhead resume ")
	x.ends(exitSignalBase + int(syscall.SIGTERM))
}

// TestScreenKilled: when the program is killed during a command, the output so far is in the resumed run, its report
// and its replay.
func TestScreenKilled(t *testing.T) {
	t.Parallel()
	x := open(t, "## 1. Wait\n```sh\necho half of it; read x\n```\n## 2. Look\nfine?\n- YES: COMPLETE\n", "--trust")
	x.sees("following")
	if err := x.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = x.cmd.Wait() // its error says that it was killed
	run := strings.Fields(program(t, x.cmd, "runs"))[6]
	x = openIn(t, pty.Winsize{Rows: 30, Cols: 100}, x.cmd.Dir, "resume", run, "--trust")
	x.sees("interrupted ┤")
	x.types("p")
	x.sees("waits for you")
	x.sees("Yes or no?")
	x.types("p")
	x.sees("✓ completed")
	x.types("q")
	x.ends(exitOK)
	report := program(t, x.cmd, "export", run)
	for _, want := range []string{"*command · interrupted*", "\nhalf of it\n"} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
	if lines := program(t, x.cmd, "replay", run, "--plain"); !strings.Contains(lines, "\nhalf of it\n") {
		t.Errorf("the replay lacks the output of the command:\n%s", lines)
	}
}

// TestScreenMap: the map counts the routes taken in this run and in all runs, including those of scenarios, and shows
// which are untaken.
func TestScreenMap(t *testing.T) {
	t.Parallel()
	const roads = "## 1. Try\nfine?\n- YES: GOTO 3\n- NO: GOTO Mend\n## 2. Wait\nfine?\n- YES: COMPLETE\n## 3. Sure?\n- YES: COMPLETE \"sure enough\"\n- NO: STOP\n" +
		"## Mend\nmended?\n- YES: GOTO 1\n- NO: STOP\n"
	dir := t.TempDir()
	for name, text := range map[string]string{"a.runbook.md": roads, "a.scenarios.yaml": "sure:\n  decide: [pass, pass]\n  result: completed\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	size := pty.Winsize{Rows: 24, Cols: 100}
	x := openIn(t, size, dir, "a.runbook.md")
	x.sees("Yes or no?")
	x.types("f")
	x.sees("mended?")
	x.types("q")
	x.ends(exitAwaiting)
	if out := program(t, x.cmd, "test", "a.runbook.md"); !strings.Contains(out, "not taken  line 4  1: NO: GOTO Mend") {
		t.Error(out)
	}

	x = openIn(t, size, dir, "a.runbook.md")
	x.sees("Yes or no?")
	x.types("p")
	x.sees("from 1, line 3")
	x.types("\x1b")
	x.sees("The run is waiting.")
	x.types("m")
	x.sees("1 of 7 routes taken in this run · 3 in 3 runs")
	x.types("\x7f")
	x.sees("1 Try leads to")
	x.sees("NO → Mend")
	x.types("\t\x1b[C")
	x.sees("Mend leads to")
	x.types("/wait\r")
	x.sees("2 Wait leads to")
	x.types("b")
	x.sees("before each attempt of step 2")
	x.types("\rC")
	x.sees("1 untaken")
	x.types("q")
	x.ends(exitAwaiting)
}

// TestScreenOfARunThatFailed: the screen of a failed run names the possible actions, each of them works, and WHY shows
// the assertion that failed (workflow.md §8).
func TestScreenOfARunThatFailed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "## One\n### 🔧 WORKFLOW STEP: Look\n```\nLook.\n```\n### 🛠️ TOOL: t\n### 📤 OUTPUTS:\n- x → FOUND\n"+
		"### ✅ ASSERT:\n- it is new\n## Two\n### 🔧 WORKFLOW STEP: Tell\n```\nTell [FOUND].\n```\n### 🛠️ TOOL: t\n### 📥 INPUTS:\n- FOUND: what was found\n")
	write(t, filepath.Join(dir, "replies.yaml"), "'1': {status: passed, output_variables: {FOUND: a-91}, assertion_results: [{assertion: it is new, passed: false, detail: of May}]}\n"+
		"'2': {status: passed}\n")
	run := recorded(t, dir, "a.md", "--replies", "replies.yaml")
	for _, c := range []struct{ keys, first, then string }{
		{"p\r", "1 value reported", "✓ completed"},
		{"sy", "Skip step 1?", "The step needs 1 value first."},
		{"ry", "Run step 1 again?", "p accept → "},
	} {
		x := openIn(t, pty.Winsize{Rows: 40, Cols: 120}, dir, "resume", run, "--replies", "replies.yaml")
		x.sees("e edit  r rerun 1  S source")
		x.types("\x1b") // together with the next key it would be another key
		x.loses("look around")
		x.types("4")
		x.sees("✗ it is new · of May")
		x.types(c.keys[:1])
		x.sees(c.first)
		x.types(c.keys[1:])
		x.sees(c.then)
		run = recorded(t, dir, "a.md", "--replies", "replies.yaml")
	}
}

// TestTrustAndStep: s at the question for trust starts the run paused before its first step.
func TestTrustAndStep(t *testing.T) {
	t.Parallel()
	x := open(t, "## 1. One\n```sh\necho first\n```\n## 2. Two\n```sh\necho second\n```\n")
	x.sees("s trust and step")
	x.types("s")
	x.sees("‖ paused")
	x.types("n")
	x.sees("✓ 1 One")
	x.sees("‖ paused")
	x.types("q")
	x.ends(exitAwaiting)
}

// TestBreakAndTrust: a breakpoint set before the document is trusted pauses the run before the first step.
func TestBreakAndTrust(t *testing.T) {
	t.Parallel()
	x := open(t, "## 1. One\n```sh\necho first\n```\n")
	x.sees("s trust and step")
	x.types("b")
	x.sees("before each attempt of step 1")
	x.types("y")
	x.sees("‖ paused at breakpoint 1")
	x.types("q")
	x.ends(exitAwaiting)
}
