package runs

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/parse/rundown"
)

// TestDurationAcrossRewind: the duration of a compared run leaves out the time in which it was inactive before a
// rewind.
func TestDurationAcrossRewind(t *testing.T) {
	dir := t.TempDir()
	t.Cleanup(xdg.Reload) // runs after the variable is restored
	t.Setenv("XDG_STATE_HOME", dir)
	xdg.Reload()
	path, text := filepath.Join(dir, "a.runbook.md"), []byte("## 1. One\nOne?\n")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	run, err := journal.DefaultStore().Create(rundown.Parse(path, text, rundown.Options{}), dir)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, e := range []machine.Event{
		{Time: start, Body: &machine.RunStarted{RunID: run.ID(), Format: "rundown"}},
		{Time: start.Add(100 * time.Second), Body: &machine.RunResumed{}},
		{Time: start.Add(101 * time.Second), Body: &machine.RunRewound{ToSeq: 1, InactiveMS: 98_000}},
		{Time: start.Add(102 * time.Second), Body: &machine.RunFinished{Result: plan.Completed}},
	} {
		e.Seq = i + 1
		if err := run.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
	if c, err := CompareByID(run.ID(), run.ID()); err != nil || c.A.DurationMS != 4000 {
		t.Errorf("%+v, %v", c, err)
	}
}
