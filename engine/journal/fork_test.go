package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestFork: a fork has the logs of its source run and is on the branch that leads to the chosen event. The source run
// stays as it is.
func TestFork(t *testing.T) {
	s, run := newRun(t)
	record(t, run, &machine.RunStarted{}, &machine.StepEntered{}, &machine.StepEntered{})
	if err := os.WriteFile(filepath.Join(run.Dir(), "logs/000001.log"), []byte("printed"), 0o600); err != nil {
		t.Fatal(err)
	}
	id, err := s.Fork(run.ID(), 2, start)
	if err != nil || id == run.ID() {
		t.Fatal(id, err)
	}
	fork, history, err := s.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	chain := machine.LiveBranch(history.Events)
	if n := len(chain); n != 3 || chain[1].Step != "2.2" || chain[2].Body.(*machine.RunForked).NewRunID != id {
		t.Errorf("the fork is on %+v", chain)
	}
	if text, err := os.ReadFile(filepath.Join(fork.Dir(), "logs/000001.log")); string(text) != "printed" {
		t.Error(string(text), err)
	}
	if h, err := s.ReadHistory(run.ID()); err != nil || len(h.Events) != 3 {
		t.Error("the source run has changed", err)
	}
	if _, err := s.Fork(run.ID(), 9, start); err == nil {
		t.Error("a fork at an unknown event is accepted")
	}
}

// TestForkSharesNoLog: after a fork, what one run writes does not appear in the logs of the other. The fork has no logs
// of later events of its source run.
func TestForkSharesNoLog(t *testing.T) {
	s, run := newRun(t)
	record(t, run, started(), &machine.ActionStarted{}, &machine.ActionFinished{Log: &machine.LogRef{File: LogName(2)}}, &machine.ActionStarted{})
	write := func(f Folder, file string) {
		t.Helper()
		log, err := os.OpenFile(filepath.Join(f.Dir(), file), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err == nil {
			_, err = log.WriteString("printed\n")
		}
		if err := errors.Join(err, log.Close()); err != nil {
			t.Fatal(err)
		}
	}
	const server, later = "logs/tool-notes.log", 6
	for _, file := range []string{LogName(2), LogName(4), server, LogName(later)} {
		write(run.Folder, file)
	}
	id, err := s.Fork(run.ID(), 0, start)
	if err != nil {
		t.Fatal(err)
	}
	fork, _, err := s.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	defer fork.Close()
	write(run.Folder, LogName(4)) // its command is still running
	write(fork.Folder, server)
	for _, file := range []string{LogName(2), LogName(4), server, LogName(later)} {
		was, _ := os.ReadFile(filepath.Join(run.Dir(), file))
		is, _ := os.ReadFile(filepath.Join(fork.Dir(), file))
		want := [2]string{"printed\n", "printed\n"}
		switch file {
		case LogName(4):
			want[0] += "printed\n"
		case server:
			want[1] += "printed\n"
		case LogName(later):
			want[1] = ""
		}
		if string(was) != want[0] || string(is) != want[1] {
			t.Errorf("%s has %q in the run and %q in the fork, want %q", file, was, is, want)
		}
	}
}

// TestForksInTheList: a fork is listed by the time of the fork, at the step where it continues. Its start time is that
// of its source run.
func TestForksInTheList(t *testing.T) {
	s, parent := newRun(t)
	decided := &machine.Decision{To: "5"}
	record(t, parent, started(), &machine.StepEntered{}, decided, &machine.RunResumed{})
	_ = parent.Close()
	fork, err := s.Fork(parent.ID(), 0, start.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.List()
	if err != nil || len(all) != 2 || all[0].Run != fork || all[1].Run != parent.ID() {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, r := range all {
		if r.Step != "5" || !r.Started.Equal(start) {
			t.Errorf("%+v", r)
		}
	}
	if !all[0].BeganAt().Equal(start.Add(time.Hour)) || !all[1].BeganAt().Equal(start) {
		t.Errorf("began at %s and %s", all[0].BeganAt(), all[1].BeganAt())
	}
}

// TestUnopenedForks: a fork that nobody has opened has the state that its source run had at the chosen event.
func TestUnopenedForks(t *testing.T) {
	s, parent := newRun(t)
	entered := &machine.StepEntered{}
	left := &machine.RunFinished{Result: plan.Awaiting, EnteredStepLabels: []string{"1"}, WaitingFor: &machine.Waiting{Step: "1", Kind: machine.KindPause}}
	record(t, parent, started(), entered, &machine.InputNeeded{}, &machine.WarningRecorded{}, left, &machine.RunResumed{}, entered, finished(plan.Completed, "1", "2.7"))
	_ = parent.Close()
	forkedAt := start.Add(time.Hour)
	for at, want := range map[int]RunSummary{
		2: {Step: "2.2"},
		3: {Step: "2.2", Result: string(plan.Awaiting), IsAsking: true},
		4: {Step: "2.2", Result: string(plan.Awaiting), IsAsking: true},
		5: {Step: "1", Result: string(plan.Awaiting), State: "paused", Ended: start.Add(4 * time.Second)},
		7: {Step: "2.7"},
		8: {Step: "2.7", Result: string(plan.Completed), Ended: start.Add(7 * time.Second)},
	} {
		fork, err := s.Fork(parent.ID(), at, forkedAt)
		if err != nil {
			t.Fatal(err)
		}
		again, err := s.Fork(fork, 0, forkedAt)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{fork, again} {
			got := summarise(Folder{dir: filepath.Join(s.dir, id)})
			from := got
			from.Step, from.Result, from.State, from.IsAsking, from.Ended = want.Step, want.Result, want.State, want.IsAsking, want.Ended
			from.IsUnopenedFork, from.Started, from.ForkedAt = true, start, forkedAt
			same(t, "fork at "+strconv.Itoa(at), from, got)
		}
	}
}
