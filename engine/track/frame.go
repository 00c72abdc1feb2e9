package track

import (
	"fmt"
	"maps"
	"slices"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// documentFrame is a document that the run goes through.
type documentFrame struct {
	plan            *plan.Plan
	labelPrefix     string // of its labels, such as 1/lint/
	documentRow     *Row   // the document's row; nil for the root
	stepByID        map[string]*plan.Step
	parentByID      map[string]*plan.Step
	rowByStep       map[string]*Row // the row that currently stands for a step, by the step's ID
	templateByStep  map[string]*Row // the first template row of a step with instances, by the step's ID
	instanceNumbers map[string]int  // replaced, never modified, because rows keep the map that they saw
	hasStepOrder    bool            // see plan.Plan.HasStepOrder
}

func newDocumentFrame(p *plan.Plan, prefix string, row *Row) *documentFrame {
	f := &documentFrame{
		plan: p, labelPrefix: prefix, documentRow: row, hasStepOrder: p.HasStepOrder(),
		stepByID: map[string]*plan.Step{}, parentByID: map[string]*plan.Step{}, rowByStep: map[string]*Row{}, templateByStep: map[string]*Row{},
	}
	p.Walk(func(s, parent *plan.Step) bool {
		f.stepByID[s.ID], f.parentByID[s.ID] = s, parent
		return true
	})
	return f
}

// depth returns how many documents are around the frame's.
func (f *documentFrame) depth() int {
	n := 0
	for ; f.documentRow != nil; f = f.documentRow.Parent.frame {
		n++
	}
	return n
}

// stepKey returns a key for a step and its current instance that is the same in every run of the root
// document. A step that is not in the document is identified by its ID.
func (f *documentFrame) stepKey(id string) string {
	prefix := ""
	if f.documentRow != nil {
		parent := f.documentRow.Parent
		prefix = parent.frame.stepKey(parent.Step.ID) + "/" + f.documentRow.LocalLabel + "/"
	}
	s := f.stepByID[id]
	if s == nil {
		return prefix + id
	}
	key := prefix + s.StableKey
	for ; s != nil; s = f.parentByID[s.ID] {
		if s.HasInstances {
			key += fmt.Sprintf("#%d", f.instanceNumbers[s.ID])
		}
	}
	return key
}

// StepKey returns a key for a step that is the same in every run of the document, and that edits of the
// document do not change. id is the step's ID in the document to which the label belongs, which must be
// open. The current instance numbers follow after #.
func (t *Track) StepKey(label, id string) string { return t.frameOfLabel(label).stepKey(id) }

// setInstanceNumbers stores instance numbers that change.
func (f *documentFrame) setInstanceNumbers(ns []machine.InstanceNumber) {
	if len(ns) == 0 {
		return
	}
	next := maps.Clone(f.instanceNumbers)
	if next == nil {
		next = map[string]int{}
	}
	for _, n := range ns {
		next[n.StepID] = n.Number
	}
	f.instanceNumbers = next
}

func (t *Track) makeRows(f *documentFrame, parent *Row, steps []*plan.Step) []*Row {
	rows := make([]*Row, 0, len(steps))
	for _, s := range steps {
		rows = append(rows, t.addRow(f, parent, s, s.HasInstances))
	}
	return rows
}

// addRow makes one row and those below it. A template's row stands for its instances.
func (t *Track) addRow(f *documentFrame, parent *Row, s *plan.Step, template bool) *Row {
	local := plan.TextForDisplay(s.Label, plan.InstanceNumbers(f.instanceNumbers))
	if template || local == "" {
		local = s.ID
	}
	r := &Row{
		Label: f.labelPrefix + local, LocalLabel: local, Title: s.TitleIn(plan.InstanceNumbers(f.instanceNumbers)), Parent: parent,
		Step: s, IsTemplate: template, frame: f, instanceNumbers: f.instanceNumbers,
	}
	t.indexRow(r)
	r.Children = append(t.makeRows(f, r, s.Children), t.makeDocumentRows(r)...)
	return r
}

// groupByPhase puts the rows of a flow below their phases, in the order in which the phases first occur.
// If there is only one phase, it is not shown.
func (t *Track) groupByPhase(f *documentFrame, rows []*Row) []*Row {
	var heads []*Row
	byName := map[string]*Row{}
	for _, r := range rows {
		name := r.Step.FlowHeading
		if byName[name] == nil {
			byName[name] = &Row{LocalLabel: name, Title: name, Parent: r.Parent, frame: f}
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

// indexRow adds a row to the indices and the totals.
func (t *Track) indexRow(r *Row) {
	t.RowsVersion++
	if t.rowByLabel[r.Label] == nil {
		t.rowByLabel[r.Label] = r
	}
	if r.Step == nil {
		return
	}
	if previous := r.frame.rowByStep[r.Step.ID]; previous != nil {
		r.EditedTexts = previous.EditedTexts // edits belong to the step
	}
	r.frame.rowByStep[r.Step.ID] = r
	if r.IsTemplate && r.frame.templateByStep[r.Step.ID] == nil {
		r.frame.templateByStep[r.Step.ID] = r
	}
	if r.IsCountable() && !r.IsOutsideOrder() {
		r.isCounted = true
		t.totalStepCount++
	}
}

// makeDocumentRows makes the rows of the documents that a step includes. They are not expanded.
func (t *Track) makeDocumentRows(r *Row) []*Row {
	var rows []*Row
	for _, a := range r.Step.Actions {
		inc, ok := a.Work.(plan.Include)
		if !ok {
			continue
		}
		labels := r.frame.plan.IncludedLabels(inc)
		for i, path := range inc.DocumentPaths {
			child, found := r.frame.plan.IncludedDocument(path)
			if !found {
				child = plan.IncludedDocument{WrittenPath: path, Name: path}
			}
			rows = append(rows, t.newDocumentRow(r, child, labels[i]))
		}
	}
	return rows
}

func (t *Track) newDocumentRow(r *Row, child plan.IncludedDocument, label string) *Row {
	d := &Row{Label: r.Label + "/" + label, LocalLabel: label, Parent: r, IncludedDocument: &child, frame: r.frame}
	if child.Plan != nil {
		d.Title = child.Plan.Title
		if !r.IsOutsideOrder() && !r.IsHidden {
			d.unexpandedStepCount = t.countSteps(child.Plan)
			t.totalStepCount += d.unexpandedStepCount
		}
	}
	t.indexRow(d)
	return d
}

// ExpandDocument makes the rows of an included document's steps, which do not exist until somebody looks at
// them or the run gets there. It ignores a row of another Track.
func (t *Track) ExpandDocument(d *Row) {
	if d.IncludedDocument == nil || d.IncludedDocument.Plan == nil || d.Children != nil || t.rowByLabel[d.Label] != d {
		return
	}
	f := newDocumentFrame(d.IncludedDocument.Plan, d.Label+"/", d)
	d.frame = f
	t.totalStepCount -= d.unexpandedStepCount
	d.unexpandedStepCount = 0
	d.Children = t.groupByPhase(f, t.makeRows(f, d, d.IncludedDocument.Plan.Steps))
}

// countSteps counts the steps of a document and of those that it includes, so that the total does not
// change when one is expanded.
func (t *Track) countSteps(p *plan.Plan) int {
	if n, known := t.stepCounts[p]; known {
		return n
	}
	n, hasOrder := 0, p.HasStepOrder()
	p.Walk(func(s, _ *plan.Step) bool {
		if s.IsTargetOnly && hasOrder {
			return false
		}
		if s.IsCountable() {
			n++
		}
		for _, a := range s.Actions {
			n += t.countIncludedSteps(p, a)
		}
		return true
	})
	t.stepCounts[p] = n
	return n
}

// countIncludedSteps counts the steps of the documents that an action includes.
func (t *Track) countIncludedSteps(p *plan.Plan, a plan.Action) int {
	n := 0
	if inc, ok := a.Work.(plan.Include); ok {
		for _, path := range inc.DocumentPaths {
			if child, ok := p.IncludedDocument(path); ok && child.Plan != nil {
				n += t.countSteps(child.Plan)
			}
		}
	}
	return n
}

// instanceRow returns the row of a step's current instance. It makes missing rows of this instance,
// and of the instances around it, behind the earlier ones.
func (t *Track) instanceRow(f *documentFrame, id, label string) *Row {
	s := f.stepByID[id]
	if s == nil {
		return nil
	}
	var parent *Row
	if p := f.parentByID[id]; p != nil {
		parent = t.rowOfCurrentInstance(f, p)
		if r := t.rowByLabel[label]; r != nil { // it was made with its parent
			return r
		}
	}
	before := f.rowByStep[id]
	r := t.addRow(f, parent, s, false)
	t.insertInstance(f, parent, before, r)
	return r
}

// rowOfCurrentInstance returns the row of a step's current instance. It makes the row if it is missing.
func (t *Track) rowOfCurrentInstance(f *documentFrame, s *plan.Step) *Row {
	local := plan.TextForDisplay(s.Label, plan.InstanceNumbers(f.instanceNumbers))
	if local == "" {
		local = s.ID
	}
	if r := t.rowByLabel[f.labelPrefix+local]; r != nil {
		return r
	}
	return t.instanceRow(f, s.ID, f.labelPrefix+local)
}

// insertInstance puts an instance behind the one before it, and hides their template.
func (t *Track) insertInstance(f *documentFrame, parent, before, r *Row) {
	if before != nil && before.IsTemplate && !before.IsHidden {
		t.hideTemplate(before)
	}
	level := t.childrenOf(f, parent)
	at := len(*level)
	for at > 0 && (*level)[at-1].Step != r.Step {
		at--
	}
	if at == 0 {
		at = len(*level)
	}
	*level = slices.Insert(*level, at, r)
}

// childrenOf returns a pointer to the children of parent, or to the top rows of the frame.
func (t *Track) childrenOf(f *documentFrame, parent *Row) *[]*Row {
	switch {
	case parent != nil:
		return &parent.Children
	case f.documentRow != nil:
		return &f.documentRow.Children
	default:
		return &t.Rows
	}
}

// hideTemplate removes a template from the tree and from the totals.
func (t *Track) hideTemplate(r *Row) {
	r.IsHidden = true
	if r.isCounted {
		r.isCounted = false
		t.totalStepCount--
	}
	t.totalStepCount -= r.unexpandedStepCount
	r.unexpandedStepCount = 0
	for _, c := range r.Children {
		t.hideTemplate(c)
	}
}

// UpcomingInstance is an instance that a run is about to enter and that has no row yet. Row is its future row.
// TopRow is the same row, or the future row of the highest new group around it. These rows are not part
// of the Track, which makes its own when the run gets there.
type UpcomingInstance struct {
	Row, TopRow *Row
	track       *Track
}

// UpcomingInstance returns what an event is about to enter. It is the zero UpcomingInstance if that has a row.
func (t *Track) UpcomingInstance(e machine.Event) UpcomingInstance {
	b, enters := e.Body.(*machine.StepEntered)
	if !enters || t.RowOfEvent(e) != nil {
		return UpcomingInstance{}
	}
	soon := t.Clone()
	soon.frameOfLabel(e.Step).setInstanceNumbers(b.InstanceNumbers)
	at := soon.ensureRow(e)
	if at == nil || at.Label != e.Step { // it is in a document that is not entered yet
		return UpcomingInstance{}
	}
	top := at
	for ; top.Parent != nil; top = top.Parent {
		if r := t.rowByLabel[top.Parent.Label]; r != nil {
			top.Parent = r
			break
		}
	}
	return UpcomingInstance{at, top, soon}
}

// ExpandDocument makes the rows of an included document in an upcoming instance.
func (u UpcomingInstance) ExpandDocument(d *Row) {
	if u.track != nil {
		u.track.ExpandDocument(d)
	}
}

// InsertInto returns rows with the upcoming one behind the other instances of its step. If there
// are none, it replaces their template.
func (u UpcomingInstance) InsertInto(rows []*Row) []*Row {
	if u.TopRow == nil {
		return rows
	}
	for i, r := range slices.Backward(rows) {
		switch {
		case r.Step != u.TopRow.Step || r.Parent != u.TopRow.Parent:
		case r.IsTemplate:
			return slices.Replace(slices.Clone(rows), i, i+1, u.TopRow)
		default:
			return slices.Insert(slices.Clone(rows), i+1, u.TopRow)
		}
	}
	return rows
}
