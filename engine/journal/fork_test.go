package journal

import (
	"os"
	"testing"
	"time"

	"playhead/engine/machine"
)

// TestFork: a fork has what its run had, is on the branch that leads to the event, and
// leaves its run untouched.
func TestFork(t *testing.T) {
	s, run := newRun(t)
	record(t, run, &machine.Started{}, &machine.Entered{}, &machine.Entered{})
	log, err := run.LogPath("logs/000001.log")
	if err == nil {
		err = os.WriteFile(log, []byte("printed"), 0o600)
	}
	if err != nil {
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
	chain := machine.Chain(history.Events)
	if n := len(chain); n != 3 || chain[1].Step != "2.2" || chain[2].Body.(*machine.Forked).As != id {
		t.Errorf("the fork is on %+v", chain)
	}
	if path, _ := fork.LogPath("logs/000001.log"); path == log {
		t.Error("the log is not its own")
	} else if text, err := os.ReadFile(path); string(text) != "printed" {
		t.Error(string(text), err)
	}
	if h, err := s.Read(run.ID()); err != nil || len(h.Events) != 3 {
		t.Error("its run has changed", err)
	}
	if _, err := s.Fork(run.ID(), 9, start); err == nil {
		t.Error("forks at an event that is not there")
	}
}

// TestForksInTheList: a fork stands where it was made, at the step at which it goes on.
func TestForksInTheList(t *testing.T) {
	s, parent := newRun(t)
	decided := &machine.Decision{To: "5"}
	record(t, parent, started(), &machine.Entered{}, decided, &machine.Resumed{})
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
	if !all[0].Since().Equal(start.Add(time.Hour)) || !all[1].Since().Equal(start) {
		t.Errorf("since %s and %s", all[0].Since(), all[1].Since())
	}
}
