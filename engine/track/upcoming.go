package track

import (
	"slices"

	"playhead/engine/machine"
)

// Upcoming is an instance that a run is about to enter and that has no row yet: the row
// that it is to have, and the highest one that comes with it, itself or a group's. They are
// no part of the run's Track, which makes rows of its own when it gets there.
type Upcoming struct {
	At, Top *Row
	track   *Track
}

// Upcoming returns what an event is to enter, the zero Upcoming where that has its row.
func (t *Track) Upcoming(e machine.Event) Upcoming {
	b, enters := e.Body.(*machine.Entered)
	if !enters || t.byLabel[e.Step] != nil {
		return Upcoming{}
	}
	soon := t.Clone()
	soon.frameOf(e.Step).count(b.Numbers)
	at := soon.at(e)
	if at == nil || at.Label != e.Step { // of a document that is not entered yet
		return Upcoming{}
	}
	top := at
	for ; top.Parent != nil; top = top.Parent {
		if r := t.byLabel[top.Parent.Label]; r != nil {
			top.Parent = r
			break
		}
	}
	return Upcoming{at, top, soon}
}

// Expand makes the steps of an included document that is upcoming itself.
func (f Upcoming) Expand(d *Row) {
	if f.track != nil {
		f.track.Expand(d)
	}
}

// InsertInto returns rows with the upcoming one, behind the others of its step. It takes the place of
// the template that stands for them as long as there is none.
func (f Upcoming) InsertInto(rows []*Row) []*Row {
	if f.Top == nil {
		return rows
	}
	for i, r := range slices.Backward(rows) {
		switch {
		case r.Step != f.Top.Step || r.Parent != f.Top.Parent:
		case r.Template:
			return slices.Replace(slices.Clone(rows), i, i+1, f.Top)
		default:
			return slices.Insert(slices.Clone(rows), i+1, f.Top)
		}
	}
	return rows
}
