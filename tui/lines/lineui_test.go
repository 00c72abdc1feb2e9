package lines

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/parse"
	"playhead/parse/plan"
	tuisession "playhead/tui/session"
)

// screen collects what a LineUI prints. Each time that the LineUI asks a question, screen types the next line.
type screen struct {
	mu    sync.Mutex
	text  strings.Builder
	typed []string
	keys  *io.PipeWriter
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(p)
	if asks := strings.HasSuffix(string(p), "] ") || strings.Contains(string(p), ": enter continues, :quit"); asks && s.keys != nil {
		if len(s.typed) == 0 {
			go s.keys.Close()
			return len(p), nil
		}
		line := s.typed[0]
		s.typed = s.typed[1:]
		s.text.WriteString(line + "\n") // as a terminal would
		go io.WriteString(s.keys, line+"\n")
	}
	return len(p), nil
}

// follow runs a document with a LineUI and returns what it prints. A person types the lines, and without lines there is
// no person.
func follow(t *testing.T, document string, c engine.Config, colour bool, typed ...string) (string, engine.Ending) {
	t.Helper()
	out := &screen{typed: typed}
	config := Config{Out: out, IsColoured: colour}
	if len(typed) > 0 {
		config.In, out.keys = io.Pipe()
	}
	end := followIn(t, document, c, config)
	return out.text.String(), end
}

// followIn runs a document with a LineUI that has the given configuration.
func followIn(t *testing.T, document string, c engine.Config, config Config) (end engine.Ending) {
	t.Helper()
	p := parse.Load("a.runbook.md", parse.Options{FS: fstest.MapFS{"a.runbook.md": {Data: []byte(document)}}})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	run, err := journal.NewVolatileStore(t.TempDir()).Create(p, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	c.FirstPlan, c.Run, c.Shell, c.WorkingDir, c.Headless = p, run, shell.NewRunner(0), t.TempDir(), config.In == nil
	session, err := engine.New(c)
	if err != nil {
		t.Fatal(err)
	}
	config.Plan, config.Session, config.RunFolder = p, tuisession.FromEngine(session), run.Folder
	done := make(chan struct{})
	go func() {
		defer close(done)
		if end, err = session.Run(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	New(config).Follow(0, done)
	return end
}

func wantLines(t *testing.T, got string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+got, "\n"+line+"\n") {
			t.Errorf("there is no line %q in:\n%s", line, got)
		}
	}
}

const decisions = `## 1. First
` + "```sh\nprintf 'one\\n\\033[31mred\\033[0m\\033]0;title\\007\\nlast'\n```" + `
## 2. Second
Look well.
- YES: CONTINUE
- NO: STOP "no"
## 3. Third
Many
lines.
- FAIL: RETRY 1 STOP
`

func TestAnswersByPerson(t *testing.T) {
	got, end := follow(t, decisions, engine.Config{}, false, "", "perhaps", "yes", "fail", "goto:9", "goto:2", "ok", "complete:all said")
	wantLines(t, got,
		"[1] First", "one", "red", "last", "[2] Second",
		`  "perhaps" is not an answer: use pass (or yes, ok), fail (or no), retry, skip, rerun, goto:STEP, complete:MESSAGE or stop:MESSAGE`,
		"[2] pass (person) -> 3 (line 7: YES: CONTINUE)",
		"[3] fail (person) -> 3 (line 12: FAIL: RETRY 1 STOP; retry 1 of 1)",
		"[3] Third (attempt 2)", "  path  1 2 3 3 2 3", `completed: "all said"`,
	)
	for _, part := range []string{"[2] Second: Look well. [yes/no/skip/…] ", "Many\nlines.\n[3] Third [pass/fail/skip/…] ", "Type one of the answers in brackets"} {
		if !strings.Contains(got, part) {
			t.Errorf("there is no %q in:\n%s", part, got)
		}
	}
	if strings.ContainsAny(got, "\x1b\a") {
		t.Errorf("control sequences in %q", got)
	}
	if end.Result != "completed" {
		t.Errorf("ended %q", end.Result)
	}
}

// TestYesNoLetters: y and n answer yes and no if these are options and no option has the name of the letter.
func TestYesNoLetters(t *testing.T) {
	got, end := follow(t, decisions, engine.Config{}, false, "y", "n")
	wantLines(t, got, "[2] pass (person) -> 3 (line 7: YES: CONTINUE)",
		`  "n" is not an answer: use pass (or yes, ok), fail (or no), retry, skip, rerun, goto:STEP, complete:MESSAGE or stop:MESSAGE`)
	if end.Result != "awaiting_input" {
		t.Errorf("ended %q", end.Result)
	}
	for _, tt := range []struct {
		word    string
		options []string
		want    string
	}{
		{"y", []string{"yes", "no"}, "yes"},
		{"N", []string{"yes", "no"}, "no"},
		{"n", []string{"n", "no"}, "n"},
		{"y", nil, "y"},
		{"n", []string{"north", "south"}, "n"},
		{"yes", []string{"yes", "no"}, "yes"},
	} {
		if got := expandYesNo(tt.word, tt.options); got != tt.want {
			t.Errorf("%s of %v is %s, want %s", tt.word, tt.options, got, tt.want)
		}
	}
}

func TestEndOfInput(t *testing.T) {
	got, end := follow(t, decisions, engine.Config{}, false, "yes")
	if end.Result != "awaiting_input" || !strings.Contains(got, "resume with: playhead resume") {
		t.Errorf("ended %q:\n%s", end.Result, got)
	}
}

func TestPaused(t *testing.T) {
	got, end := follow(t, decisions, engine.Config{UntilStep: "2"}, false, "", "no")
	wantLines(t, got, "paused before 2: enter continues, :quit quits and keeps the run, :help lists the commands", `stopped: "no"`)
	if end.Result != "stopped" {
		t.Errorf("ended %q", end.Result)
	}
}

func TestColour(t *testing.T) {
	got, _ := follow(t, decisions, engine.Config{}, true)
	wantLines(t, got, "\x1b[31mred\x1b[0m", "\x1b[33mwaiting for a person\x1b[0m")
}

func TestNothingIsExecuted(t *testing.T) {
	answers := &engine.PreparedAnswers{Queue: []engine.PreparedAnswer{{Value: "pass", PreparedBy: machine.ByFlag}}}
	got, end := follow(t, decisions, engine.Config{Options: machine.Options{Prompted: true}, PreparedAnswers: answers}, false)
	wantLines(t, got, `$ printf 'one\n\033[31mred\033[0m\033]0;title\007\nlast'`, "[1] pass (answer) -> 2 (default: PASS: CONTINUE)")
	if end.WaitingFor == nil || end.WaitingFor.Step != "2" {
		t.Errorf("ended %+v", end)
	}
}

// TestPreparedAnswer: a line says that a question was answered in advance, unless the decision says so.
func TestPreparedAnswer(t *testing.T) {
	answers := &engine.PreparedAnswers{Queue: []engine.PreparedAnswer{{Value: "no", PreparedBy: machine.ByFlag}, {Value: "pass", PreparedBy: machine.ByFlag}}}
	got, _ := follow(t, roads, engine.Config{PreparedAnswers: answers}, false)
	wantLines(t, got, "[1] answered no, from a flag", "[3] pass (answer) -> end (default: PASS: CONTINUE)")
	if strings.Contains(got, "answered pass") {
		t.Error(got)
	}
}

func TestLongOutput(t *testing.T) {
	got, _ := follow(t, "## 1. Count\n```sh\nseq 1 20000; printf %040000d 7\n```\n", engine.Config{}, false)
	wantLines(t, got, "1", "19999", "20000", "completed")
	if n := strings.Count(got, "0"); n < 39999 {
		t.Errorf("the long line is cut: %d", n)
	}
}

// TestEndOfRunWithNotices: the end of a run without a failure begins with the most important notice, if there is one.
func TestEndOfRunWithNotices(t *testing.T) {
	const doc = "## 1. Check\n```sh\ntrue\n```\n- PASS: GOTO 3\n- FAIL: STOP\n\n## 2. Migrate\n```sh\ntrue\n```\n## 3. Ship\n```sh\ntrue\n```\n"
	got, _ := follow(t, doc, engine.Config{}, false)
	wantParts(t, got, "\ncompleted\n  2 Migrate was not reached\n  - [2] Migrate: not reached\n  path  1 3\n")
	got, _ = follow(t, strings.Replace(doc, "GOTO 3", "CONTINUE", 1), engine.Config{}, false)
	wantParts(t, got, "\ncompleted\n  path  1 2 3\n")
}

// TestPrintSinceRewind: the duration does not count the time in which the run was inactive on a branch that it
// abandoned.
func TestPrintSinceRewind(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(seq, seconds int, b machine.Body) machine.Event {
		return machine.Event{Seq: seq, Time: start.Add(time.Duration(seconds) * time.Second), Body: b}
	}
	var out strings.Builder
	New(Config{Plan: &plan.Plan{Steps: []*plan.Step{{ID: "1"}}}, Out: &out}).PrintSince(
		[]machine.Event{at(1, 0, &machine.RunStarted{}), at(2, 100, &machine.RunResumed{}), at(3, 101, &machine.RunRewound{ToSeq: 1, InactiveMS: 98_000})},
		[]machine.Event{at(4, 102, &machine.RunFinished{Result: plan.Completed})})
	wantParts(t, out.String(), "4.0s")
}
