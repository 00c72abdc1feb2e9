package track

import "playhead/engine/machine"

// Past is how a run was after each of its events. It remembers it here and there, and
// folds what is between: the longer the run, the wider apart, so that neither memory
// nor the time to get anywhere grows with it.
type Past struct {
	marks  []*Track // the i-th is of the first i*stride events
	stride int
}

const (
	firstStride = 256 // events from one mark to the next, at first
	maxMarks    = 32  // then every second one goes
)

// NewPast is the past of the run that t is the track of, before any event.
func NewPast(t *Track) *Past {
	return &Past{marks: []*Track{t}, stride: max(firstStride, t.Shape)}
}

// At is the run after the first n of its events. They are the same ones each time, but
// for those that were added.
func (p *Past) At(events []machine.Event, n int) *Track {
	for p.stride*len(p.marks) <= n {
		p.mark(events)
	}
	i := n / p.stride
	t := p.marks[i].Clone()
	t.Fold(events[i*p.stride : n]...)
	return t
}

// mark remembers the run one stride further on.
func (p *Past) mark(events []machine.Event) {
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
