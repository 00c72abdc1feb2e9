package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

// fixture is one document with a store for its runs.
type fixture struct {
	t     *testing.T
	dir   string
	plan  *plan.Plan
	store *journal.Store
	runs  []*journal.Run
}

func newFixture(t *testing.T, doc string) *fixture {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "test.runbook.md")
	if err := os.WriteFile(path, []byte(doc), 0o600); err != nil {
		t.Fatal(err)
	}
	p := rundown.Parse(path, []byte(doc), rundown.Options{})
	if !p.Runnable() {
		t.Fatal(p.Diagnostics)
	}
	return &fixture{t: t, dir: dir, plan: p, store: journal.NewVolatileStore(filepath.Join(dir, "runs"))}
}

// session makes a session of a new run, or of the run with the ID resume.
func (f *fixture) session(resume string, adjust func(*engine.Config)) *engine.Session {
	f.t.Helper()
	c := engine.Config{
		FirstPlan: f.plan, Shell: shell.NewRunner(100 * time.Millisecond), WorkingDir: f.dir,
		CommandEnv: os.Environ(), Headless: true,
	}
	var err error
	if resume == "" {
		c.Run, err = f.store.Create(f.plan, f.dir)
	} else {
		var h journal.History
		c.Run, h, err = f.store.Open(resume)
		c.History = h.Events
	}
	if err != nil {
		f.t.Fatal(err)
	}
	f.runs = append(f.runs, c.Run)
	f.t.Cleanup(f.closeRuns)
	if adjust != nil {
		adjust(&c)
	}
	s, err := engine.New(c)
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}

// headless runs a session to its end and returns the ending with all events.
func headless(t *testing.T, s *engine.Session) (engine.Ending, []machine.Event) {
	t.Helper()
	end, err := s.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return end, s.WatchFromStart().Take().Events
}

// live is a session with a person at it.
type live struct {
	t    *testing.T
	s    *engine.Session
	w    *engine.Watcher
	all  []machine.Event
	last engine.Status
	end  chan engine.Ending
}

func steer(t *testing.T, s *engine.Session) *live {
	l := &live{t: t, s: s, w: s.WatchFromStart(), end: make(chan engine.Ending, 1)}
	go func() {
		end, _ := s.Run(context.Background())
		l.end <- end
	}()
	t.Cleanup(s.Close)
	return l
}

// until takes updates until holds returns true.
func (l *live) until(what string, holds func(engine.Status) bool) engine.Status {
	l.t.Helper()
	deadline := time.After(20 * time.Second)
	for !holds(l.last) {
		select {
		case <-l.w.Changed():
			u := l.w.Take()
			if u.IsRestarted {
				l.all = nil
			}
			l.all = append(l.all, u.Events...)
			l.last = u.Status
		case <-deadline:
			l.t.Fatalf("never %s; last status %+v", what, l.last)
		}
	}
	return l.last
}

func (l *live) waiting(label, kind string) *machine.Question {
	l.t.Helper()
	s := l.until(label+" waits for "+kind, func(s engine.Status) bool {
		return s.State == engine.Waiting && s.Question.Action.StepLabel == label && s.Question.Kind == kind
	})
	return s.Question
}

func (l *live) pausedBefore(label string) {
	l.t.Helper()
	l.until("paused before "+label, func(s engine.Status) bool {
		return s.State == engine.Paused && s.NextEvent.Step == label
	})
}

func (l *live) over(r plan.RunResult) {
	l.t.Helper()
	l.until("over", func(s engine.Status) bool { return s.State == engine.Over })
	if got := finished(l.all); got == nil || got.Result != r {
		l.t.Fatalf("ended %+v, want %s", got, r)
	}
}

func (l *live) do(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func finished(events []machine.Event) *machine.RunFinished {
	for i := len(events) - 1; i >= 0; i-- {
		if b, ok := events[i].Body.(*machine.RunFinished); ok {
			return b
		}
	}
	return nil
}

// joinedPath returns the labels of the visited steps, separated by spaces.
func joinedPath(events []machine.Event) string {
	var labels []string
	for _, e := range events {
		if _, ok := e.Body.(*machine.StepEntered); ok {
			labels = append(labels, e.Step)
		}
	}
	return strings.Join(labels, " ")
}

// bodies returns the bodies of one kind, in order.
func bodies[B machine.Body](events []machine.Event) []B {
	var out []B
	for _, e := range events {
		if b, ok := e.Body.(B); ok {
			out = append(out, b)
		}
	}
	return out
}

// closing returns a clock that calls close when it is read for the third time.
func closing(close func()) func() time.Time {
	n := 0
	return func() time.Time {
		if n++; n == 3 {
			close()
		}
		return time.Unix(int64(n), 0)
	}
}

func (f *fixture) closeRuns() {
	for _, r := range f.runs {
		r.Close()
	}
}
