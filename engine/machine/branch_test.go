package machine_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"playhead/engine/machine"
)

// seqs returns the sequence numbers of events.
func seqs(events []machine.Event) []int {
	out := []int{}
	for _, e := range events {
		out = append(out, e.Seq)
	}
	return out
}

// TestLiveBranch: after any actions, rewinds, undos and redos, the live branch is the one that a stack of branches has.
// A redo reverts an undo, and an undo reverts a rewind.
func TestLiveBranch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := &branches{t: t, by: map[int][]int{}}
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			was, undo := slices.Clone(tree.live), machine.UndoSeq(tree.all)
			switch op := rapid.IntRange(0, 5).Draw(t, "op"); {
			case op == 0 && len(tree.by) > 0:
				ends := slices.Sorted(maps.Keys(tree.by))
				tree.back(&machine.RunRewound{ToSeq: rapid.SampledFrom(ends).Draw(t, "to")})
				tree.leads("undo after rewind", machine.UndoSeq(tree.all), was)
			case op == 1 && undo > 0:
				tree.back(&machine.RunRewound{ToSeq: undo, Undo: true})
				tree.leads("redo after undo", machine.RedoSeq(tree.all), was)
			case op == 2 && undo > 0:
				tree.back(&machine.RunRewound{ToSeq: undo, Undo: true})
				tree.back(&machine.RunRewound{ToSeq: machine.RedoSeq(tree.all), Redo: true})
				tree.leads("undo after redo", machine.UndoSeq(tree.all), tree.by[undo])
			default:
				tree.do(rapid.SampledFrom([]string{"", machine.ByPerson}).Draw(t, "by"))
			}
			if got := seqs(machine.LiveBranch(tree.all)); !slices.Equal(got, tree.live) && len(got)+len(tree.live) > 0 {
				t.Fatalf("the live branch is %v, not %v", got, tree.live)
			}
		}
	})
}

// TestUndoOfRedoneRewind: a redo takes back a rewind, and the undo after it rewinds again. Another undo takes that back.
func TestUndoOfRedoneRewind(t *testing.T) {
	tree := &branches{by: map[int][]int{}}
	tree.do("")
	tree.do("")
	tree.back(&machine.RunRewound{ToSeq: 1})
	for i, c := range []struct{ action, undo, redo string }{
		{"rewind", "undone", "undone"},
		{"redo", "redone", "nothing"},
		{"undo", "undone", "undone"},
		{"undo", "nothing", "redone"},
		{"redo", "undone", "nothing"},
	} {
		switch c.action {
		case "redo":
			tree.back(&machine.RunRewound{ToSeq: machine.RedoSeq(tree.all), Redo: true})
		case "undo":
			tree.back(&machine.RunRewound{ToSeq: machine.UndoSeq(tree.all), Undo: true})
		}
		if got := verbOf(machine.NextUndo(tree.all)); got != c.undo {
			t.Errorf("%d: an undo after the %s: %s, want %s", i, c.action, got, c.undo)
		}
		if got := verbOf(machine.NextRedo(tree.all)); got != c.redo {
			t.Errorf("%d: a redo after the %s: %s, want %s", i, c.action, got, c.redo)
		}
	}
}

func verbOf(next *machine.UndoStep) string {
	switch {
	case next == nil:
		return "nothing"
	case next.Repeats:
		return "redone"
	}
	return "undone"
}

// branches is a journal, with the branches that a stack of them would have.
type branches struct {
	t    *rapid.T
	all  []machine.Event
	live []int
	by   map[int][]int // the branches by the sequence number of their last event
}

func (b *branches) line(body machine.Body, by string) int {
	b.all = append(b.all, machine.Event{Seq: len(b.all) + 1, By: by, Body: body})
	return len(b.all)
}

func (b *branches) do(by string) {
	b.live = append(slices.Clip(b.live), b.line(&machine.VariableCaptured{Variable: "x"}, by))
	b.by[b.live[len(b.live)-1]] = slices.Clone(b.live)
}

func (b *branches) back(r *machine.RunRewound) {
	b.line(r, machine.ByPerson)
	b.live = slices.Clone(b.by[r.ToSeq])
}

func (b *branches) leads(what string, to int, want []int) {
	if !slices.Equal(b.by[to], want) {
		b.t.Fatalf("%s leads to %v, not %v", what, b.by[to], want)
	}
}

// TestUndoOfAFork: undo in a fork reverts the last action before the forked moment. It does not return to the later
// events of the source run.
func TestUndoOfAFork(t *testing.T) {
	b := &branches{by: map[int][]int{}}
	b.do("")
	b.do(machine.ByPerson)
	b.do("")
	b.back(&machine.RunRewound{ToSeq: 2})
	b.line(&machine.RunForked{FromRunID: "ab12", FromSeq: 2, NewRunID: "cd34"}, machine.ByPerson)
	if to := machine.UndoSeq(b.all); to != 1 {
		t.Errorf("undo goes to %d, want 1", to)
	}
}

// TestBeforeStartedAction: a rewind to a running call, or to a warning recorded during it, ends just before the call.
func TestBeforeStartedAction(t *testing.T) {
	runStarted, entered, warning := &machine.RunStarted{}, &machine.StepEntered{}, &machine.WarningRecorded{}
	started, finished := &machine.ActionStarted{}, &machine.ActionFinished{}
	for _, c := range []struct {
		bodies []machine.Body
		want   int
	}{
		{[]machine.Body{runStarted, entered, started}, 2},
		{[]machine.Body{runStarted, entered, started, warning, warning}, 2},
		{[]machine.Body{runStarted, entered, warning}, 3},
		{[]machine.Body{runStarted, entered, started, finished, warning}, 5},
		{[]machine.Body{runStarted}, 1},
	} {
		var branch []machine.Event
		for i, b := range c.bodies {
			branch = append(branch, machine.Event{Seq: i + 1, Body: b})
		}
		if got := len(machine.BeforeStartedAction(branch)); got != c.want {
			t.Errorf("%d of %d events remain, want %d", got, len(branch), c.want)
		}
	}
}

// TestBranchWithRewinds: the branch that a person sees has each rewind once, where it happened.
func TestBranchWithRewinds(t *testing.T) {
	b := &branches{by: map[int][]int{}}
	b.do("")
	b.do("")
	b.back(&machine.RunRewound{ToSeq: 1})
	b.back(&machine.RunRewound{ToSeq: 2})
	b.back(&machine.RunRewound{ToSeq: 1})
	b.do("")
	b.back(&machine.RunRewound{ToSeq: 6})
	if got, want := seqs(machine.BranchWithRewinds(b.all)), []int{1, 5, 6, 7}; !slices.Equal(got, want) {
		t.Errorf("the branch with rewinds is %v, want %v", got, want)
	}
	if got, want := seqs(machine.BranchTo(b.all, 5)), []int{1}; !slices.Equal(got, want) {
		t.Errorf("the branch up to a rewind is %v, want %v", got, want)
	}
}

// TestPositionAfter: the position is that of the last event that moved the run, whichever steps later events name.
func TestPositionAfter(t *testing.T) {
	decision := machine.Event{Step: "2", Body: &machine.Decision{To: "Next", Destination: machine.Destination{Kind: machine.ToStep, StepID: "3"}}}
	for _, later := range []machine.Body{
		&machine.ActionEdited{}, &machine.ShellOpened{}, &machine.FileRestored{}, &machine.WarningRecorded{}, &machine.RunResumed{},
		&machine.RunFinished{WaitingFor: &machine.Waiting{Step: "Next"}},
	} {
		label, id := machine.PositionAfter([]machine.Event{decision, {Step: "1", Body: later}})
		if label != "Next" || id != "3" {
			t.Errorf("%s: the run is at %q with the ID %q", later.Type(), label, id)
		}
	}
	if label, _ := machine.PositionAfter([]machine.Event{decision, {Step: "Next", Body: &machine.StepEntered{}}, {Step: "1", Body: &machine.RunForked{}}}); label != "1" {
		t.Errorf("the run is at %q", label)
	}
}
