package track

import (
	"slices"

	"playhead/engine/machine"
)

// Foreseen is an instance that a run is about to enter and that has no row yet: the row
// that it is to have, and the highest one that comes with it, itself or a group's. They are
// no part of the run's Track, which makes rows of its own when it gets there.
type Foreseen struct {
	At, Top *Row
	soon    *Track
}

// Foresee is what an event is to enter, the zero Foreseen where that has its row.
func (t *Track) Foresee(e machine.Event) Foreseen {
	b, enters := e.Body.(*machine.Entered)
	if !enters || t.byLabel[e.Step] != nil {
		return Foreseen{}
	}
	soon := t.Clone()
	soon.frameOf(e.Step).count(b.Numbers)
	at := soon.at(e)
	if at == nil || at.Label != e.Step { // of a document that is not entered yet
		return Foreseen{}
	}
	top := at
	for ; top.Parent != nil; top = top.Parent {
		if r := t.byLabel[top.Parent.Label]; r != nil {
			top.Parent = r
			break
		}
	}
	return Foreseen{at, top, soon}
}

// Expand is Track.Expand for a document in what is foreseen.
func (f Foreseen) Expand(d *Row) {
	if f.soon != nil {
		f.soon.Expand(d)
	}
}

// Among is rows with what is foreseen, behind the others of its step. It takes the place of
// the template that stands for them as long as there is none.
func (f Foreseen) Among(rows []*Row) []*Row {
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
