package track

import (
	"fmt"
	"maps"
	"slices"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// frame is a document that the run goes through.
type frame struct {
	plan    *plan.Plan
	prefix  string // of its labels, such as 1/lint/
	row     *Row   // the document's row; nil for the root
	steps   map[string]*plan.Step
	parents map[string]*plan.Step
	place   map[string]*Row // the row that currently stands for a step, by the step's ID
	numbers map[string]int  // replaced, never modified, because rows keep the map that they saw
}

func newFrame(p *plan.Plan, prefix string, row *Row) *frame {
	f := &frame{
		plan: p, prefix: prefix, row: row,
		steps: map[string]*plan.Step{}, parents: map[string]*plan.Step{}, place: map[string]*Row{},
	}
	p.Walk(func(s, parent *plan.Step) bool {
		f.steps[s.ID], f.parents[s.ID] = s, parent
		return true
	})
	return f
}

// depth returns how many documents are around the frame's.
func (f *frame) depth() int {
	n := 0
	for ; f.row != nil; f = f.row.Parent.frame {
		n++
	}
	return n
}

// key returns a key for a step and its current instance that is the same in every run of the root
// document. A step that is not in the document is identified by its ID.
func (f *frame) key(id string) string {
	prefix := ""
	if f.row != nil {
		parent := f.row.Parent
		prefix = parent.frame.key(parent.Step.ID) + "/" + f.row.Local + "/"
	}
	s := f.steps[id]
	if s == nil {
		return prefix + id
	}
	key := prefix + s.Key
	for ; s != nil; s = f.parents[s.ID] {
		if s.Template {
			key += fmt.Sprintf("#%d", f.numbers[s.ID])
		}
	}
	return key
}

// Key returns a key for a step that is the same in every run of the document, and that edits of the
// document do not change. The step has an ID in the open document to which the label belongs. After
// # follow the current instance numbers.
func (t *Track) Key(label, id string) string { return t.frameOf(label).key(id) }

// count stores instance numbers that change.
func (f *frame) count(ns []machine.InstanceNumber) {
	if len(ns) == 0 {
		return
	}
	next := maps.Clone(f.numbers)
	if next == nil {
		next = map[string]int{}
	}
	for _, n := range ns {
		next[n.ID] = n.N
	}
	f.numbers = next
}

func (t *Track) makeRows(f *frame, parent *Row, steps []*plan.Step) []*Row {
	rows := make([]*Row, 0, len(steps))
	for _, s := range steps {
		rows = append(rows, t.add(f, parent, s, s.Template))
	}
	return rows
}

// add makes one row and those below it. A template's row stands for its instances.
func (t *Track) add(f *frame, parent *Row, s *plan.Step, template bool) *Row {
	local := plan.Show(s.Label, plan.Numbers(f.numbers))
	if template || local == "" {
		local = s.ID
	}
	r := &Row{
		Label: f.prefix + local, Local: local, Title: s.TitleIn(plan.Numbers(f.numbers)), Parent: parent,
		Step: s, Template: template, frame: f, numbers: f.numbers,
	}
	t.place(r)
	r.Children = append(t.makeRows(f, r, s.Children), t.documents(r)...)
	return r
}

// phases puts the rows of a flow below their phases, in the order in which the phases first occur.
// If there is only one phase, it is not shown.
func (t *Track) phases(f *frame, rows []*Row) []*Row {
	var heads []*Row
	byName := map[string]*Row{}
	for _, r := range rows {
		name := r.Step.Phase
		if byName[name] == nil {
			byName[name] = &Row{Local: name, Title: name, Parent: r.Parent, frame: f}
			heads = append(heads, byName[name])
		}
		byName[name].Children = append(byName[name].Children, r)
	}
	if len(heads) < 2 {
		return rows
	}
	for _, head := range heads {
		for _, r := range head.Children {
			r.Parent = head
		}
	}
	return heads
}

// place adds a row to the indices and the totals.
func (t *Track) place(r *Row) {
	t.Shape++
	if t.byLabel[r.Label] == nil {
		t.byLabel[r.Label] = r
	}
	if r.Step == nil {
		return
	}
	if previous := r.frame.place[r.Step.ID]; previous != nil {
		r.Edits = previous.Edits // edits belong to the step
	}
	r.frame.place[r.Step.ID] = r
	if r.IsExecutable() && !r.IsAside() {
		r.counted = true
		t.total++
	}
}

// documents makes the rows of the documents that a step includes. They are not expanded.
func (t *Track) documents(r *Row) []*Row {
	var rows []*Row
	for _, a := range r.Step.Actions {
		inc, ok := a.Work.(plan.Include)
		if !ok {
			continue
		}
		seen := map[string]int{}
		for _, path := range inc.Docs {
			child, found := r.frame.plan.Child(path)
			if !found {
				child = plan.Child{Path: path, Name: path}
			}
			seen[child.Name]++
			rows = append(rows, t.document(r, child, seen[child.Name]))
		}
	}
	return rows
}

func (t *Track) document(r *Row, child plan.Child, nth int) *Row {
	name := child.Name
	if nth > 1 {
		name = fmt.Sprintf("%s~%d", name, nth)
	}
	d := &Row{Label: r.Label + "/" + name, Local: name, Parent: r, Doc: &child, frame: r.frame}
	if child.Plan != nil {
		d.Title, d.ahead = child.Plan.Title, t.countSteps(child.Plan)
		t.total += d.ahead
	}
	t.place(d)
	return d
}

// Expand makes the rows of an included document's steps, which do not exist until somebody looks at
// them or the run gets there. It ignores a row of another Track.
func (t *Track) Expand(d *Row) {
	if d.Doc == nil || d.Doc.Plan == nil || d.Children != nil || t.byLabel[d.Label] != d {
		return
	}
	f := newFrame(d.Doc.Plan, d.Label+"/", d)
	d.frame = f
	t.total -= d.ahead
	d.ahead = 0
	d.Children = t.phases(f, t.makeRows(f, d, d.Doc.Plan.Steps))
}

// countSteps counts the steps of a document and of those that it includes, so that the total does not
// change when one is expanded.
func (t *Track) countSteps(p *plan.Plan) int {
	if n, known := t.sizes[p]; known {
		return n
	}
	n := 0
	p.Walk(func(s, _ *plan.Step) bool {
		if s.IsExecutable() && !s.Aside {
			n++
		}
		for _, a := range s.Actions {
			n += t.countStepsBelow(p, a)
		}
		return true
	})
	t.sizes[p] = n
	return n
}

// countStepsBelow counts the steps of the documents that an action includes.
func (t *Track) countStepsBelow(p *plan.Plan, a plan.Action) int {
	n := 0
	if inc, ok := a.Work.(plan.Include); ok {
		for _, path := range inc.Docs {
			if child, ok := p.Child(path); ok && child.Plan != nil {
				n += t.countSteps(child.Plan)
			}
		}
	}
	return n
}

// Upcoming is an instance that a run is about to enter and that has no row yet: its future row, and
// the highest future row, which is its own or that of a new group around it. These rows are not
// part of the Track, which makes its own when the run gets there.
type Upcoming struct {
	At, Top *Row
	track   *Track
}

// Upcoming returns what an event is about to enter. It is the zero Upcoming if that has a row.
func (t *Track) Upcoming(e machine.Event) Upcoming {
	b, enters := e.Body.(*machine.Entered)
	if !enters || t.byLabel[e.Step] != nil {
		return Upcoming{}
	}
	soon := t.Clone()
	soon.frameOf(e.Step).count(b.Numbers)
	at := soon.at(e)
	if at == nil || at.Label != e.Step { // it is in a document that is not entered yet
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

// Expand makes the rows of an included document in an upcoming instance.
func (f Upcoming) Expand(d *Row) {
	if f.track != nil {
		f.track.Expand(d)
	}
}

// InsertInto returns rows with the upcoming one behind the other instances of its step. If there
// are none, it replaces their template.
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
