package track

import (
	"maps"
	"slices"

	"playhead/engine/machine"
)

// Snapshots returns the state of a run after each of its events. It keeps some states and folds the
// events between them. The longer the run, the larger the distance between kept states, so that neither
// memory nor time grows with the run.
type Snapshots struct {
	checkpoints []*Track // the i-th is the state after i*stride events
	stride      int
}

const (
	firstStride    = 256 // the first distance of kept states, in events
	maxCheckpoints = 32  // if there are more, every second one is dropped
)

// NewSnapshots returns the snapshots of the run that t tracks. t has no events yet.
func NewSnapshots(t *Track) *Snapshots {
	return &Snapshots{checkpoints: []*Track{t}, stride: max(firstStride, t.RowsVersion)}
}

// At returns the run after the first n events. The events must be those of earlier calls, with
// possible additions at the end.
func (p *Snapshots) At(events []machine.Event, n int) *Track {
	for p.stride*len(p.checkpoints) <= n {
		p.addCheckpoint(events)
	}
	i := n / p.stride
	t := p.checkpoints[i].Clone()
	t.Fold(events[i*p.stride : n]...)
	return t
}

// addCheckpoint stores the state one stride after the last stored one.
func (p *Snapshots) addCheckpoint(events []machine.Event) {
	from := (len(p.checkpoints) - 1) * p.stride
	next := p.checkpoints[len(p.checkpoints)-1].Clone()
	next.Fold(events[from : from+p.stride]...)
	p.checkpoints = append(p.checkpoints, next)
	if len(p.checkpoints) < maxCheckpoints {
		return
	}
	half := p.checkpoints[:0]
	for i := 0; i < len(p.checkpoints); i += 2 {
		half = append(half, p.checkpoints[i])
	}
	clear(p.checkpoints[len(half):])
	p.checkpoints = half
	p.stride *= 2
}

// Clone returns an independent copy of the Track. Both share what does not change any more, such as
// earlier visits.
func (t *Track) Clone() *Track {
	k := cloner{cloneByRow: make(map[*Row]*Row, len(t.rowByLabel)), cloneByFrame: map[*frame]*frame{}}
	c := *t
	c.Rows, c.UnknownSteps = k.cloneRows(t.Rows), k.cloneRows(t.UnknownSteps)
	c.CurrentRow, c.DecidedRow, c.waitingRow = k.cloneRow(t.CurrentRow), k.cloneRow(t.DecidedRow), k.cloneRow(t.waitingRow)
	c.EnteredStepLabels, c.Overrides, c.BackgroundProcesses = slices.Clip(t.EnteredStepLabels), slices.Clip(t.Overrides), slices.Clip(t.BackgroundProcesses)
	c.Variables, c.variableIndex, c.outputByLabel = slices.Clone(t.Variables), maps.Clone(t.variableIndex), maps.Clone(t.outputByLabel)
	c.frames = make([]*frame, len(t.frames))
	for i, f := range t.frames {
		c.frames[i] = k.cloneFrame(f)
	}
	c.rowByLabel = k.cloneIndex(t.rowByLabel)
	return &c
}

// cloner remembers what is cloned already, because rows and frames refer to each other.
type cloner struct {
	cloneByRow   map[*Row]*Row
	cloneByFrame map[*frame]*frame
}

func (k *cloner) cloneRow(r *Row) *Row {
	if r == nil || k.cloneByRow[r] != nil {
		return k.cloneByRow[r]
	}
	c := *r
	k.cloneByRow[r] = &c
	c.Parent, c.EnteredFrom, c.Children, c.frame = k.cloneRow(r.Parent), k.cloneRow(r.EnteredFrom), k.cloneRows(r.Children), k.cloneFrame(r.frame)
	c.ArmChoices, c.Warnings, c.Visits = slices.Clip(r.ArmChoices), slices.Clip(r.Warnings), cloneVisits(r.Visits)
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
		out[i] = k.cloneRow(r)
	}
	return out
}

func (k *cloner) cloneIndex(rows map[string]*Row) map[string]*Row {
	out := make(map[string]*Row, len(rows))
	for name, r := range rows {
		out[name] = k.cloneRow(r)
	}
	return out
}

func (k *cloner) cloneFrame(f *frame) *frame {
	if f == nil || k.cloneByFrame[f] != nil {
		return k.cloneByFrame[f]
	}
	c := *f
	k.cloneByFrame[f] = &c
	c.documentRow, c.rowByStep, c.templateByStep = k.cloneRow(f.documentRow), k.cloneIndex(f.rowByStep), k.cloneIndex(f.templateByStep)
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
