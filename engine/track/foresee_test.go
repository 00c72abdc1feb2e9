package track

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
)

// foresees compares the rows that an event makes with those that were foreseen.
func (d *driver) foresees(e machine.Event, fold func()) {
	d.t.Helper()
	at, top := d.track.Foresee(e)
	known, shape := d.track.Row(e.Step) != nil, d.track.Shape
	_, enters := e.Body.(*machine.Entered)
	fold()
	switch {
	case known || !enters:
		if at != nil || top != nil {
			d.t.Errorf("%s: %s is foreseen, which has its row", e.Body.Type(), e.Step)
		}
		return
	case at == nil:
		d.t.Errorf("%s is not foreseen", e.Step)
		return
	case top.Parent != nil && top.Parent != d.track.Row(top.Parent.Label):
		d.t.Errorf("%s is below another track's %s", top.Label, top.Parent.Label)
	}
	if shape == d.track.Shape {
		d.t.Errorf("%s has been made already", e.Step)
	}
	made := d.track.Row(e.Step)
	if diff := gocmp.Diff(above(d.track, made), above(d.track, at)); diff != "" {
		d.t.Errorf("%s is another one than foreseen: %s", e.Step, diff)
	}
}

// TestForeseeDocuments: the documents of an instance that is foreseen stay closed, and are no
// part of the run.
func TestForeseeDocuments(t *testing.T) {
	p := including()
	step := p.Steps[0]
	step.ID, step.Template, step.Label = "{N}", true, instanceLabel("{N}")
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	for d.track.Current == nil {
		e := *d.m.Next().Event
		if at, _ := d.track.Foresee(e); at != nil {
			was := outline(d.track.Rows)
			doc := at.Children[0]
			d.track.Expand(doc)
			if same(t, outline(d.track.Rows), was); doc.Children != nil || d.track.Row(doc.Label) != nil {
				t.Errorf("%s is open", doc.Label)
			}
		}
		d.apply(e)
	}
	if d.track.Row("1/rel") == nil {
		t.Error("no instance has been made")
	}
}

// above is what there is to read of a row, and of those that it is in.
func above(t *Track, r *Row) (out []string) {
	for ; r != nil; r = r.Parent {
		out = append(out, r.Label+" "+r.Title+": "+t.Text(r))
	}
	return out
}

// TestForesee: the instances that are about to begin are foreseen, with their groups.
func TestForesee(t *testing.T) {
	drive(t, batches(), "pppfpfp")
}
