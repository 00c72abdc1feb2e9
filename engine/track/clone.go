package track

import (
	"maps"
	"slices"
)

// Clone is a Track of its own that goes on from here. What is over, as earlier
// executions, both have.
func (t *Track) Clone() *Track {
	k := cloner{rows: make(map[*Row]*Row, len(t.byLabel)), frames: map[*frame]*frame{}}
	c := *t
	c.Rows, c.Current, c.Routed, c.awaited = k.all(t.Rows), k.row(t.Current), k.row(t.Routed), k.row(t.awaited)
	c.Path, c.Forced, c.Behind = slices.Clip(t.Path), slices.Clip(t.Forced), slices.Clip(t.Behind)
	c.Vars, c.vars, c.texts = slices.Clone(t.Vars), maps.Clone(t.vars), maps.Clone(t.texts)
	c.frames = make([]*frame, len(t.frames))
	for i, f := range t.frames {
		c.frames[i] = k.frame(f)
	}
	c.byLabel = k.index(t.byLabel)
	return &c
}

// cloner knows what was cloned already: rows and frames refer to each other.
type cloner struct {
	rows   map[*Row]*Row
	frames map[*frame]*frame
}

func (k *cloner) row(r *Row) *Row {
	if r == nil || k.rows[r] != nil {
		return k.rows[r]
	}
	c := *r
	k.rows[r] = &c
	c.Parent, c.From, c.Children, c.frame = k.row(r.Parent), k.row(r.From), k.all(r.Children), k.frame(r.frame)
	c.Choices, c.Warnings, c.Execs = slices.Clip(r.Choices), slices.Clip(r.Warnings), goingOn(r.Execs)
	return &c
}

// all clones rows. There may be none yet, which is not the same as none.
func (k *cloner) all(rows []*Row) []*Row {
	if rows == nil {
		return nil
	}
	out := make([]*Row, len(rows))
	for i, r := range rows {
		out[i] = k.row(r)
	}
	return out
}

func (k *cloner) index(rows map[string]*Row) map[string]*Row {
	out := make(map[string]*Row, len(rows))
	for name, r := range rows {
		out[name] = k.row(r)
	}
	return out
}

func (k *cloner) frame(f *frame) *frame {
	if f == nil || k.frames[f] != nil {
		return k.frames[f]
	}
	c := *f
	k.frames[f] = &c
	c.row, c.place = k.row(f.row), k.index(f.place)
	return &c
}

// goingOn are a row's executions, the last of which may still change.
func goingOn(all []*Exec) []*Exec {
	if len(all) == 0 {
		return nil
	}
	out := slices.Clone(all)
	x := *all[len(all)-1]
	x.Actions, x.Asked = slices.Clone(x.Actions), slices.Clone(x.Asked)
	for i, a := range x.Actions {
		b := *a
		x.Actions[i] = &b
	}
	out[len(out)-1] = &x
	return out
}
