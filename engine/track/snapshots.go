package track

import (
	"maps"
	"slices"

	"playhead/engine/machine"
)

// Snapshots returns the state of a run after each of its events. It keeps some states and folds the
// events between them. The longer the run, the larger the distance of kept states, so that neither
// memory nor time grows with the run.
type Snapshots struct {
	marks  []*Track // the i-th is the state after i*stride events
	stride int
}

const (
	firstStride = 256 // the first distance of marks, in events
	maxMarks    = 32  // if there are more, every second one is dropped
)

// NewSnapshots returns the snapshots of the run that t tracks. t has no events yet.
func NewSnapshots(t *Track) *Snapshots {
	return &Snapshots{marks: []*Track{t}, stride: max(firstStride, t.Shape)}
}

// At returns the run after the first n events. The events must be those of earlier calls, with
// possible additions at the end.
func (p *Snapshots) At(events []machine.Event, n int) *Track {
	for p.stride*len(p.marks) <= n {
		p.mark(events)
	}
	i := n / p.stride
	t := p.marks[i].Clone()
	t.Fold(events[i*p.stride : n]...)
	return t
}

// mark stores the state one stride further on.
func (p *Snapshots) mark(events []machine.Event) {
	from := (len(p.marks) - 1) * p.stride
	next := p.marks[len(p.marks)-1].Clone()
	next.Fold(events[from : from+p.stride]...)
	p.marks = append(p.marks, next)
	if len(p.marks) < maxMarks {
		return
	}
	half := p.marks[:0]
	for i := 0; i < len(p.marks); i += 2 {
		half = append(half, p.marks[i])
	}
	clear(p.marks[len(half):])
	p.marks = half
	p.stride *= 2
}

// Clone returns an independent copy of the Track. Both share what does not change any more, such as
// earlier visits.
func (t *Track) Clone() *Track {
	k := cloner{rows: make(map[*Row]*Row, len(t.byLabel)), frames: map[*frame]*frame{}}
	c := *t
	c.Rows, c.Unknown = k.cloneRows(t.Rows), k.cloneRows(t.Unknown)
	c.Current, c.DecidedRow, c.waitingRow = k.row(t.Current), k.row(t.DecidedRow), k.row(t.waitingRow)
	c.Path, c.Overrides, c.Background = slices.Clip(t.Path), slices.Clip(t.Overrides), slices.Clip(t.Background)
	c.Vars, c.vars, c.texts = slices.Clone(t.Vars), maps.Clone(t.vars), maps.Clone(t.texts)
	c.frames = make([]*frame, len(t.frames))
	for i, f := range t.frames {
		c.frames[i] = k.frame(f)
	}
	c.byLabel = k.index(t.byLabel)
	return &c
}

// cloner remembers what is cloned already, because rows and frames refer to each other.
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
	c.Parent, c.From, c.Children, c.frame = k.row(r.Parent), k.row(r.From), k.cloneRows(r.Children), k.frame(r.frame)
	c.Choices, c.Warnings, c.Visits = slices.Clip(r.Choices), slices.Clip(r.Warnings), cloneVisits(r.Visits)
	c.GroupVisits = cloneVisits(r.GroupVisits)
	return &c
}

// cloneRows clones rows. It keeps the difference between nil, for a document that is not expanded, and an
// empty list.
func (k *cloner) cloneRows(rows []*Row) []*Row {
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

// cloneVisits clones a row's visits. Only the last one can still change.
func cloneVisits(all []*Visit) []*Visit {
	if len(all) == 0 {
		return nil
	}
	out := slices.Clone(all)
	x := *all[len(all)-1]
	x.Actions, x.Questions, x.Events = slices.Clone(x.Actions), slices.Clone(x.Questions), slices.Clip(x.Events)
	for i, a := range x.Actions {
		b := *a
		x.Actions[i] = &b
	}
	out[len(out)-1] = &x
	return out
}
