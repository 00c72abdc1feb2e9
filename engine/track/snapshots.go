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
func (s *Snapshots) At(events []machine.Event, n int) *Track {
	for s.stride*len(s.checkpoints) <= n {
		s.addCheckpoint(events)
	}
	i := n / s.stride
	t := s.checkpoints[i].Clone()
	t.Fold(events[i*s.stride : n]...)
	return t
}

// addCheckpoint stores the state one stride after the last stored one.
func (s *Snapshots) addCheckpoint(events []machine.Event) {
	from := (len(s.checkpoints) - 1) * s.stride
	next := s.checkpoints[len(s.checkpoints)-1].Clone()
	next.Fold(events[from : from+s.stride]...)
	s.checkpoints = append(s.checkpoints, next)
	if len(s.checkpoints) < maxCheckpoints {
		return
	}
	half := s.checkpoints[:0]
	for i := 0; i < len(s.checkpoints); i += 2 {
		half = append(half, s.checkpoints[i])
	}
	clear(s.checkpoints[len(half):])
	s.checkpoints = half
	s.stride *= 2
}

// Clone returns an independent copy of the Track. Both share what does not change any more, such as
// earlier attempts.
func (t *Track) Clone() *Track {
	k := cloner{cloneByRow: make(map[*Row]*Row, len(t.rowByLabel)), cloneByFrame: map[*documentFrame]*documentFrame{}}
	c := *t
	c.Rows, c.UnknownSteps = k.cloneRows(t.Rows), k.cloneRows(t.UnknownSteps)
	c.CurrentRow, c.DecidedRow, c.waitingRow = k.cloneRow(t.CurrentRow), k.cloneRow(t.DecidedRow), k.cloneRow(t.waitingRow)
	c.EnteredSteps = slices.Clip(t.EnteredSteps)
	c.Overrides, c.BackgroundProcesses = slices.Clip(t.Overrides), slices.Clip(t.BackgroundProcesses)
	c.Variables, c.variableIndex, c.outputByLabel = slices.Clone(t.Variables), maps.Clone(t.variableIndex), maps.Clone(t.outputByLabel)
	c.inactivity.periods = slices.Clip(t.inactivity.periods)
	c.frames = make([]*documentFrame, len(t.frames))
	for i, f := range t.frames {
		c.frames[i] = k.cloneFrame(f)
	}
	c.rowByLabel = k.cloneIndex(t.rowByLabel)
	return &c
}

// cloner remembers what is cloned already, because rows and frames refer to each other.
type cloner struct {
	cloneByRow   map[*Row]*Row
	cloneByFrame map[*documentFrame]*documentFrame
}

func (cl *cloner) cloneRow(r *Row) *Row {
	if r == nil || cl.cloneByRow[r] != nil {
		return cl.cloneByRow[r]
	}
	c := *r
	cl.cloneByRow[r] = &c
	c.Parent, c.EnteredFrom, c.Children, c.frame = cl.cloneRow(r.Parent), cl.cloneRow(r.EnteredFrom), cl.cloneRows(r.Children), cl.cloneFrame(r.frame)
	c.ArmChoices, c.Warnings, c.StepAttempts = slices.Clip(r.ArmChoices), slices.Clip(r.Warnings), cloneAttempts(r.StepAttempts)
	c.GroupAttempts = cloneAttempts(r.GroupAttempts)
	return &c
}

// cloneRows clones rows. It keeps the difference between nil, for a document that is not expanded, and an
// empty list.
func (cl *cloner) cloneRows(rows []*Row) []*Row {
	if rows == nil {
		return nil
	}
	out := make([]*Row, len(rows))
	for i, r := range rows {
		out[i] = cl.cloneRow(r)
	}
	return out
}

func (cl *cloner) cloneIndex(rows map[string]*Row) map[string]*Row {
	out := make(map[string]*Row, len(rows))
	for name, r := range rows {
		out[name] = cl.cloneRow(r)
	}
	return out
}

func (cl *cloner) cloneFrame(f *documentFrame) *documentFrame {
	if f == nil || cl.cloneByFrame[f] != nil {
		return cl.cloneByFrame[f]
	}
	c := *f
	cl.cloneByFrame[f] = &c
	c.documentRow, c.rowByStep, c.templateByStep = cl.cloneRow(f.documentRow), cl.cloneIndex(f.rowByStep), cl.cloneIndex(f.templateByStep)
	return &c
}

// cloneAttempts clones a row's attempts. Only the last one can still change.
func cloneAttempts(all []*Attempt) []*Attempt {
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
