package track

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// reload replaces the rows by those of another version of the document. Steps that the new version
// has keep their rows with their history. Visited steps that it does not have become Unknown.
func (t *Track) reload(e machine.Event, b *machine.Reloaded) {
	if b.Load == nil {
		return
	}
	p, err := b.Load()
	if err != nil {
		return
	}
	old := t.frames
	r := reloader{t: t, to: b, labels: map[string]string{}, keptRows: map[*Row]bool{}, rowsOf: map[*frame]map[string][]*Row{}, names: map[*frame]*names{}}
	r.index()
	t.Plan, t.byLabel, t.sizes = p, map[string]*Row{}, map[*plan.Plan]int{}
	t.done, t.total = 0, 0
	t.Shape++
	root := newFrame(p, "", nil)
	r.frames = map[*frame]*frame{old[0]: root}
	r.renumber(old[0], root, "")
	t.Rows = t.phases(root, r.rows(old[0], root, "", nil, nil, p.Steps))
	t.frames = []*frame{root}
	for _, f := range old[1:] {
		now := r.frames[f]
		if now == nil || b.Arrival != nil {
			break
		}
		t.frames = append(t.frames, now)
	}
	r.finish(e)
	t.inputs(b.Inputs)
}

// reloader makes the rows of another version of the document.
type reloader struct {
	t        *Track
	to       *machine.Reloaded
	names    map[*frame]*names            // of old documents
	rowsOf   map[*frame]map[string][]*Row // by the ID of the step, in the order of the tree
	frames   map[*frame]*frame            // new frames by old ones
	labels   map[string]string            // new labels by old ones
	keptRows map[*Row]bool
	oldRows  []*Row // the old rows
}

// names map the steps of an old document to those of the new one.
type names struct {
	id     func(old string) string // "": the step is gone
	oldIDs map[string]string       // old IDs by new ones
	acts   map[string]bool         // the old IDs of steps that act differently now
}

// namesIn returns the names of the document in a file.
func (r *reloader) namesIn(of *frame, file string) *names {
	n := r.names[of]
	if n != nil {
		return n
	}
	n = &names{id: r.to.Renamed(file), oldIDs: make(map[string]string, len(of.steps)), acts: map[string]bool{}}
	for from := range of.steps {
		if to := n.id(from); to != "" {
			n.oldIDs[to] = from
		}
	}
	for _, m := range r.to.Steps {
		if m.Document == file && m.Acts {
			n.acts[m.From] = true
		}
	}
	r.names[of] = n
	return n
}

// index collects the old rows.
func (r *reloader) index() {
	var walk func(rows []*Row)
	walk = func(rows []*Row) {
		for _, row := range rows {
			if !row.IsPhase() {
				r.oldRows = append(r.oldRows, row)
			}
			if row.Step != nil {
				if r.rowsOf[row.frame] == nil {
					r.rowsOf[row.frame] = map[string][]*Row{}
				}
				r.rowsOf[row.frame][row.Step.ID] = append(r.rowsOf[row.frame][row.Step.ID], row)
			}
			walk(row.Children)
		}
	}
	walk(r.t.Rows)
}

// renumber transfers the instance numbers of a document.
func (r *reloader) renumber(old, now *frame, file string) {
	for from, n := range old.numbers {
		if to := r.namesIn(old, file).id(from); to != "" {
			now.count([]machine.InstanceNumber{{ID: to, N: n}})
		}
	}
}

// rows makes the rows of a level. old is the row that the parent was, nil at the top of a document
// and if the parent is new.
func (r *reloader) rows(of, now *frame, file string, old, parent *Row, steps []*plan.Step) (out []*Row) {
	back := r.namesIn(of, file).oldIDs
	for _, s := range steps {
		found := r.instances(of, back[s.ID], old, s.Template)
		if len(found) == 0 {
			out = append(out, r.t.add(now, parent, s, s.Template))
		}
		for _, was := range found {
			out = append(out, r.keep(of, now, file, was, parent, s))
		}
	}
	return out
}

// instances returns the rows of a step below old: one, or the instances of a template. A step that
// was moved is found anywhere in the document.
func (r *reloader) instances(of *frame, id string, old *Row, template bool) (out []*Row) {
	all := r.rowsOf[of][id]
	for _, row := range all {
		if !r.keptRows[row] && row.Group() == old {
			out = append(out, row)
		}
	}
	if len(out) == 0 && !template && len(all) == 1 && !r.keptRows[all[0]] {
		return all
	}
	return out
}

// keep transfers a row to the new version.
func (r *reloader) keep(of, now *frame, file string, row, parent *Row, s *plan.Step) *Row {
	r.keptRows[row] = true
	before := *row
	row.numbers = r.renamedNumbers(of, before.numbers, file)
	numbers := plan.Numbers(row.numbers)
	row.Local = plan.Show(s.Label, numbers)
	if row.Template || row.Local == "" {
		row.Local = s.ID
	}
	row.Label, row.Title = now.prefix+row.Local, s.TitleIn(numbers)
	r.labels[before.Label] = row.Label
	if r.namesIn(of, file).acts[row.Step.ID] {
		row.Edits = nil
	}
	row.Step, row.Parent, row.frame, row.counted = s, parent, now, false
	r.t.place(row)
	if counts := !row.Hidden && (row.counted || len(row.Visits) > 0); counts != row.counted {
		row.counted = counts
		if counts {
			r.t.total++
		} else {
			r.t.total--
		}
	}
	if row.counted && row.Status.isDone() {
		r.t.done++
	}
	row.Children = append(r.rows(of, now, file, row, row, s.Children), r.documents(before, row)...)
	return row
}

func (r *reloader) renamedNumbers(of *frame, old map[string]int, file string) map[string]int {
	if len(old) == 0 {
		return nil
	}
	out := make(map[string]int, len(old))
	for from, n := range old {
		if to := r.namesIn(of, file).id(from); to != "" {
			out[to] = n
		}
	}
	return out
}

// documents makes the rows of the documents that a step includes. Documents that it included before
// keep their rows with their history.
func (r *reloader) documents(before Row, row *Row) []*Row {
	rows := r.t.documents(row)
	for _, d := range rows {
		i := slices.IndexFunc(before.Children, func(was *Row) bool { return was.Doc != nil && was.Local == d.Local })
		if i < 0 || before.Children[i].Children == nil || d.Doc.Plan == nil {
			continue
		}
		was := before.Children[i]
		r.keptRows[was] = true
		r.labels[was.Label] = d.Label
		d.Status, d.Skip, d.Took, d.Message, d.Warnings = was.Status, was.Skip, was.Took, was.Message, was.Warnings
		of, now := was.frame, newFrame(d.Doc.Plan, d.Label+"/", d)
		d.frame, r.frames[of] = now, now
		r.renumber(of, now, was.Doc.File)
		r.t.total -= d.ahead
		d.ahead = 0
		d.Children = r.t.phases(now, r.rows(of, now, was.Doc.File, nil, d, d.Doc.Plan.Steps))
	}
	return rows
}

// finish updates what refers to rows and labels.
func (r *reloader) finish(e machine.Event) {
	t := r.t
	for _, row := range r.oldRows {
		if r.keptRows[row] || row.Step == nil || row.Template || len(row.History()) == 0 {
			continue
		}
		gone := *row
		gone.Children, gone.Parent = nil, nil
		if gone.Status.IsOpen() || gone.Status == Pending {
			gone.Status = LeftUndecided
		}
		t.Unknown = append(t.Unknown, &gone)
	}
	for _, refers := range []**Row{&t.Current, &t.DecidedRow, &t.waitingRow} {
		if row := *refers; row != nil && !r.keptRows[row] {
			*refers = nil
		}
	}
	if t.Current == nil && e.Step != "" && t.Path != nil {
		t.Current = t.byLabel[e.Step]
	}
	texts := make(map[string]string, len(t.texts))
	for label, text := range t.texts {
		texts[r.label(label)] = text
	}
	t.texts = texts
	replaced := map[string]bool{}
	for _, v := range t.Vars {
		replaced[r.to.Variables[v.Name]] = true
	}
	t.Vars = slices.DeleteFunc(t.Vars, func(v Var) bool { return r.to.Variables[v.Name] == "" && replaced[v.Name] })
	clear(t.vars)
	for i := range t.Vars {
		v := &t.Vars[i]
		v.Step, v.Name = r.label(v.Step), cmp.Or(r.to.Variables[v.Name], v.Name)
	}
	for i, v := range t.Vars {
		t.vars[v.Name] = i
	}
}

// label returns the new label for an old one. The label of a step that is gone stays.
func (r *reloader) label(old string) string {
	if to, ok := r.labels[old]; ok {
		return to
	}
	if i := strings.LastIndexByte(old, '/'); i > 0 {
		return r.label(old[:i]) + old[i:]
	}
	return old
}
