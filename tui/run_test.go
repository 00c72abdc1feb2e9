package tui

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/shell"
	"playhead/parse/plan"
	"playhead/tui/terminal"
)

// fakeTerminal stands in for a terminal: it records what the program writes, and types keys.
type fakeTerminal struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (s *fakeTerminal) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Write(p)
}

func (s *fakeTerminal) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

// runReal runs a document with a real session until the person quits.
func runReal(t *testing.T, doc string, in io.Reader, out io.Writer) (Result, error) {
	t.Helper()
	p := load(t, "real.runbook.md", doc)
	dir := t.TempDir()
	run, err := journal.NewVolatileStore(dir).Create(p, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { run.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	r, err := Run(ctx, Config{
		Plan: p, IsTrusted: true, Input: in, Output: out,
		NewSession: func(Choices) (*engine.Session, error) {
			return engine.New(engine.Config{FirstPlan: p, Run: run, Shell: shell.NewRunner(100 * time.Millisecond), WorkingDir: dir, CommandEnv: os.Environ()})
		},
	})
	if ctx.Err() != nil {
		t.Error("the run did not end by itself")
	}
	return r, err
}

// after types a key once the terminal has shown a text.
func (s *fakeTerminal) after(show string, keys *io.PipeWriter, key string) {
	for !strings.Contains(s.String(), show) {
		time.Sleep(time.Millisecond)
	}
	_, _ = keys.Write([]byte(key))
}

func TestRunToTheEndAndRestoreTheTerminal(t *testing.T) {
	in, keys := io.Pipe()
	term := &fakeTerminal{}
	go term.after("real.runbook.md · completed", keys, "q")
	r, err := runReal(t, "# R\n## 1. A\n```sh\necho hello\n```\n", in, term)
	if err != nil || !r.WasStarted || r.Ending.Result != plan.Completed {
		t.Errorf("%+v, %v", r, err)
	}
	out := term.String()
	for _, pair := range [][2]string{{"\x1b[?1049h", "\x1b[?1049l"}, {"\x1b[?1002h", "\x1b[?1002l"}, {terminal.PushTitle, terminal.PopTitle}} {
		if on, off := strings.LastIndex(out, pair[0]), strings.LastIndex(out, pair[1]); on < 0 || off < on {
			t.Errorf("%q is not undone by %q", pair[0], pair[1])
		}
	}
}

func TestLeavingARunInTheMiddle(t *testing.T) {
	in, keys := io.Pipe()
	term := &fakeTerminal{}
	go term.after("real.runbook.md · running", keys, "qy")
	r, err := runReal(t, "# R\n## 1. A\n```sh\nsleep 600\n```\n", in, term)
	if err != nil || r.Ending.Result != "" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestLeavingAtAQuestionWaitsForAPerson(t *testing.T) {
	in, keys := io.Pipe()
	term := &fakeTerminal{}
	go term.after("real.runbook.md · waiting", keys, "q")
	r, err := runReal(t, "# R\n## 1. A\nDid it work?\n- YES: COMPLETE\n- NO: STOP\n", in, term)
	if err != nil || r.Ending.Result != plan.Awaiting || r.Ending.WaitingFor == nil || r.Ending.WaitingFor.Step != "1" {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestMessageStays: a message stays while the run passes through the state Running, and goes when the run comes to
// another state.
func TestMessageStays(t *testing.T) {
	sc := open(t, release(t), 100, 30)
	to := func(s engine.State) { sc.m.Update(engine.Update{Status: engine.Status{State: s}}) }
	to(engine.Over)
	sc.m.lastLine.say("It is done.")
	to(engine.Running)
	to(engine.Over)
	if sc.m.lastLine.message != "It is done." {
		t.Errorf("the message is %q", sc.m.lastLine.message)
	}
	to(engine.Paused)
	if sc.m.lastLine.message != "" {
		t.Errorf("in another state the message is %q", sc.m.lastLine.message)
	}
}

// TestEndOfRunWithJump: if a run jumped over a step, its summary begins with a sentence about that step, and a digit
// selects the step. If nothing needs attention, the summary has neither a sentence nor a list.
func TestEndOfRunWithJump(t *testing.T) {
	const doc = "## 1. Check\n```sh\nx\n```\n- PASS: GOTO 3\n- FAIL: GOTO Rollback\n\n## 2. Migrate\n```sh\nx\n```\n## 3. Ship\n```sh\nx\n```\n" +
		"## Rollback\n```sh\nx\n```\n"
	sc := open(t, load(t, "a.runbook.md", doc), 120, 40)
	sc.run(0, 0)
	sc.run(0, 0)
	sc.want("│ 2 Migrate was not reached ", "path   1 ━▸ 3", "steps  2 passed · 1 not reached", "│ [1] 2 Migrate  not reached ", "1 go there")
	sc.wantNot("Rollback  not reached")
	sc.press("1")
	sc.want("│ 2 Migrate ", "WHY 2")
	if got := sc.m.screen.Steps.SelectedRow().Label; got != "2" {
		t.Errorf("step %s is selected", got)
	}
	clean := open(t, load(t, "a.runbook.md", strings.Replace(doc, "GOTO 3", "CONTINUE", 1)), 120, 40)
	for range 3 {
		clean.run(0, 0)
	}
	clean.want("│ path   1 → 2 → 3", "steps  3 passed ")
	clean.wantNot("not reached", "go there")
}
