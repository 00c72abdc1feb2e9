package track

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"playhead/engine/machine"
)

// checkUpcoming compares the rows that an event adds with the predicted ones.
func (d *driver) checkUpcoming(e machine.Event, fold func()) {
	d.t.Helper()
	soon := d.track.UpcomingInstance(e)
	at, top := soon.Row, soon.TopRow
	known, shape := d.track.RowOfEvent(e) != nil, d.track.RowsVersion
	_, enters := e.Body.(*machine.StepEntered)
	fold()
	switch {
	case known || !enters:
		if at != nil || top != nil {
			d.t.Errorf("%s: %s is predicted, but it has a row already", e.Body.Type(), e.Step)
		}
		return
	case at == nil:
		d.t.Errorf("%s is not predicted", e.Step)
		return
	case top.Parent != nil && top.Parent != d.track.RowByLabel(top.Parent.Label):
		d.t.Errorf("%s is below another track's %s", top.Label, top.Parent.Label)
	}
	if shape == d.track.RowsVersion {
		d.t.Errorf("%s was added too early", e.Step)
	}
	made := d.track.RowOfEvent(e)
	if diff := gocmp.Diff(above(d.track, made), above(d.track, at)); diff != "" {
		d.t.Errorf("%s differs from the prediction: %s", e.Step, diff)
	}
}

// TestUpcomingDocuments: the included documents of a predicted instance can be expanded, and do not become part of the
// run.
func TestUpcomingDocuments(t *testing.T) {
	p := including()
	step := p.Steps[0]
	step.ID, step.HasInstances, step.Label = "{N}", true, instanceLabel("{N}")
	d := driver{t: t, m: machine.New(p, machine.Options{}), track: New(p)}
	for d.track.CurrentRow == nil {
		e := *d.m.Next().Event
		if soon := d.track.UpcomingInstance(e); soon.Row != nil {
			was, doc := outline(d.track.Rows), soon.Row.Children[0]
			if d.track.ExpandDocument(doc); doc.Children != nil {
				t.Errorf("%s was expanded by another track", doc.Label)
			}
			soon.ExpandDocument(doc)
			if same(t, outline(d.track.Rows), was); len(doc.Children) != 3 || d.track.RowByLabel("1/rel/1") != nil {
				t.Errorf("%s has %d steps", doc.Label, len(doc.Children))
			}
		}
		d.apply(e)
	}
	if d.track.RowByLabel("1/rel") == nil {
		t.Error("no instance was added")
	}
}

// TestEditsOfInstances: an edit of a dynamic step applies to its later instances too, and a copy of the track from
// before the edit stays as it was.
func TestEditsOfInstances(t *testing.T) {
	d := driver{t: t, m: machine.New(batches(), machine.Options{}), track: New(batches())}
	d.run("")
	edit := func(text string) {
		e, err := d.m.EditEvent("/{N}.{n}", 0, text)
		if err != nil {
			t.Fatal(err)
		}
		d.apply(e)
	}
	edit("./move -v")
	was := d.track.Clone()
	edit("./move -vv")
	d.run("pf")
	for label, want := range map[string]string{"1.1": "./move -vv", "1.2": "./move -vv", "2.1": "./move -vv"} {
		if got := d.track.RowByLabel(label).ActionText(0); got != want {
			t.Errorf("%s does %q, not %q", label, got, want)
		}
	}
	if got := was.RowByLabel("1.1").ActionText(0); got != "./move -v" {
		t.Errorf("before, 1.1 did %q", got)
	}
}

// above returns the texts of a row and of its parents.
func above(t *Track, r *Row) (out []string) {
	for ; r != nil; r = r.Parent {
		out = append(out, r.Label+" "+r.Title+": "+t.TextWithParents(r))
	}
	return out
}

// TestUpcoming: the instances that are about to begin are predicted, with their groups.
func TestUpcoming(t *testing.T) {
	drive(t, batches(), "pppfpfp")
}
