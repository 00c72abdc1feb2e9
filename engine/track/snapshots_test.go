package track

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestSnapshots: the snapshot after any number of events equals a fold of these events, in whatever order snapshots are
// taken. Folding events into a snapshot does not change later snapshots.
func TestSnapshots(t *testing.T) {
	for name, doc := range map[string]func() *plan.Plan{"groups": release, "instances": batches, "documents": including} {
		t.Run(name, func(t *testing.T) {
			d := &driver{t: t, m: machine.New(doc(), machine.Options{}), track: New(doc())}
			d.run("ppfpfppffpppfpfpfppppffpfpffpfpp")
			p := doc()
			rapid.Check(t, func(t *rapid.T) {
				past := NewSnapshots(New(p))
				past.stride = 1
				for _, n := range rapid.SliceOfN(rapid.IntRange(0, len(d.events)), 1, 8).Draw(t, "looked at") {
					got, want := past.At(d.events, n), New(p)
					want.Fold(d.events[:n]...)
					got.stepCounts, want.stepCounts = nil, nil // cached counts
					if !reflect.DeepEqual(got, want) {
						t.Fatalf("after %d events\n%s\nis not\n%s", n, outline(got.Rows), outline(want.Rows))
					}
					got.Fold(d.events[n:]...)
				}
			})
		})
	}
}

// TestSnapshotsAreBounded: a long run has a limited number of checkpoints.
func TestSnapshotsAreBounded(t *testing.T) {
	past := NewSnapshots(New(release()))
	past.At(make([]machine.Event, 100_000), 100_000)
	if n := len(past.checkpoints); n > maxCheckpoints {
		t.Errorf("%d checkpoints", n)
	}
}
