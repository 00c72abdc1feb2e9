package track

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/linediff"
	"playhead/engine/machine"
	"playhead/parse/plan"
)

// reload replaces the rows by those of another version of the document. Steps that the new version
// has keep their rows with their history. Visited steps that it does not have are kept as unknown.
func (t *Track) reload(e machine.Event, b *machine.DocumentReloaded) {
	if b.Load == nil {
		return
	}
	p, err := b.Load()
	if err != nil {
		return
	}
	old := t.frames
	r := reloader{track: t, reloadEvent: b, newLabelByOld: map[string]string{}, keptRows: map[*Row]bool{}, goneLabels: map[string]bool{}, rowsByStep: map[*documentFrame]map[string][]*Row{}, matchByFrame: map[*documentFrame]*stepMatch{}}
	r.collectRows()
	t.Plan, t.rowByLabel, t.stepCounts = p, map[string]*Row{}, map[*plan.Plan]int{}
	t.doneStepCount, t.doneEarlierCount, t.totalStepCount = 0, 0, 0
	t.RowsVersion++
	root := newDocumentFrame(p, "", nil)
	r.newFrameByOld = map[*documentFrame]*documentFrame{old[0]: root}
	r.moveNumbers(old[0], root, "")
	t.Rows = t.groupByPhase(root, r.makeRows(old[0], root, "", nil, nil, p.Steps))
	t.frames = []*documentFrame{root}
	for _, f := range old[1:] {
		now := r.newFrameByOld[f]
		if now == nil || b.Destination != nil {
			break
		}
		t.frames = append(t.frames, now)
	}
	r.updateReferences(e)
	if b.Destination != nil { // no decision leads to the next step
		t.DecidedRow = nil
	}
	t.assignInputs(b.Inputs)
}

// reloader makes the rows of another version of the document.
type reloader struct {
	track         *Track
	reloadEvent   *machine.DocumentReloaded
	matchByFrame  map[*documentFrame]*stepMatch        // of old documents
	rowsByStep    map[*documentFrame]map[string][]*Row // by the ID of the step, in the order of the tree
	newFrameByOld map[*documentFrame]*documentFrame    // new frames by old ones
	newLabelByOld map[string]string                    // new labels by old ones
	keptRows      map[*Row]bool
	goneLabels    map[string]bool // the labels of the old rows that are not kept
	editedRow     *Row            // the row of the step whose rule a person edited; nil: none
	oldRows       []*Row          // the old rows
}

// stepMatch maps the steps of an old document to those of the new one.
type stepMatch struct {
	newID          func(old string) string // "": the step is gone
	oldIDByNew     map[string]string       // old IDs by new ones
	actionsChanged map[string]bool         // the old IDs of steps that act differently now
	editedStepID   string                  // the old ID of the step whose rule a person edited; empty: none
}

// stepMatchOf returns how the steps of an old frame, whose document is in a file, match those of the new version.
func (r *reloader) stepMatchOf(oldFrame *documentFrame, file string) *stepMatch {
	n := r.matchByFrame[oldFrame]
	if n != nil {
		return n
	}
	n = &stepMatch{newID: r.reloadEvent.NewIDs(file), oldIDByNew: make(map[string]string, len(oldFrame.stepByID)), actionsChanged: map[string]bool{}}
	for from := range oldFrame.stepByID {
		if to := n.newID(from); to != "" {
			n.oldIDByNew[to] = from
		}
	}
	for _, m := range r.reloadEvent.MatchedSteps {
		if m.Document != file {
			continue
		}
		if n.actionsChanged[m.OldID] = m.ActionsChanged; m.RuleEdited {
			n.editedStepID = m.OldID
		}
	}
	r.matchByFrame[oldFrame] = n
	return n
}

// collectRows collects the old rows.
func (r *reloader) collectRows() {
	var walk func(rows []*Row)
	walk = func(rows []*Row) {
		for _, row := range rows {
			if !row.IsPhase() {
				r.oldRows = append(r.oldRows, row)
			}
			if row.Step != nil {
				if r.rowsByStep[row.frame] == nil {
					r.rowsByStep[row.frame] = map[string][]*Row{}
				}
				r.rowsByStep[row.frame][row.Step.ID] = append(r.rowsByStep[row.frame][row.Step.ID], row)
			}
			walk(row.Children)
		}
	}
	walk(r.track.Rows)
}

// moveNumbers transfers the instance numbers of a document.
func (r *reloader) moveNumbers(oldFrame, newFrame *documentFrame, file string) {
	for from, n := range oldFrame.instanceNumbers {
		if to := r.stepMatchOf(oldFrame, file).newID(from); to != "" {
			newFrame.setInstanceNumbers([]machine.InstanceNumber{{StepID: to, Number: n}})
		}
	}
}

// makeRows makes the rows of a level. oldParent is the row that the parent was, nil at the top of a document
// and if the parent is new.
func (r *reloader) makeRows(oldFrame, newFrame *documentFrame, file string, oldParent, parent *Row, steps []*plan.Step) (out []*Row) {
	oldIDs := r.stepMatchOf(oldFrame, file).oldIDByNew
	for _, s := range steps {
		oldRows := r.oldInstances(oldFrame, oldIDs[s.ID], oldParent, s.HasInstances)
		if len(oldRows) == 0 {
			out = append(out, r.track.addRow(newFrame, parent, s, s.HasInstances))
		}
		for _, oldRow := range oldRows {
			out = append(out, r.keepRow(oldFrame, newFrame, file, oldRow, parent, s))
		}
	}
	return out
}

// oldInstances returns the rows of a step below oldParent: one, or the instances of a template. A step that
// was moved is found anywhere in the document.
func (r *reloader) oldInstances(oldFrame *documentFrame, id string, oldParent *Row, template bool) (out []*Row) {
	all := r.rowsByStep[oldFrame][id]
	for _, row := range all {
		if !r.keptRows[row] && row.GroupRow() == oldParent {
			out = append(out, row)
		}
	}
	if len(out) == 0 && !template && len(all) == 1 && !r.keptRows[all[0]] {
		return all
	}
	return out
}

// keepRow transfers a row to the new version.
func (r *reloader) keepRow(oldFrame, newFrame *documentFrame, file string, row, parent *Row, s *plan.Step) *Row {
	r.keptRows[row] = true
	before := *row
	row.instanceNumbers = r.renamedNumbers(oldFrame, before.instanceNumbers, file)
	numbers := plan.InstanceNumbers(row.instanceNumbers)
	row.LocalLabel = plan.TextForDisplay(s.Label, numbers)
	if row.IsTemplate || row.LocalLabel == "" {
		row.LocalLabel = s.ID
	}
	row.Label, row.Title = newFrame.labelPrefix+row.LocalLabel, s.TitleIn(numbers)
	r.newLabelByOld[before.Label] = row.Label
	match := r.stepMatchOf(oldFrame, file)
	if match.actionsChanged[row.Step.ID] {
		row.EditedTexts = nil
	}
	if row.RuleEdited = row.RuleEdited && r.reloadEvent.EditSubject != ""; match.editedStepID == row.Step.ID {
		row.RuleEdited, r.editedRow = true, row
	}
	row.Step, row.Parent, row.frame, row.isCounted = s, parent, newFrame, false
	if row.decisionBeforeReload != row.Decision {
		row.newLabelByOld = nil
	}
	row.decisionBeforeReload = row.Decision
	r.track.indexRow(row)
	if counts := !row.IsHidden && (row.isCounted || len(row.StepAttempts) > 0); counts != row.isCounted {
		row.isCounted = counts
		if counts {
			r.track.totalStepCount++
		} else {
			r.track.totalStepCount--
		}
	}
	r.track.addToStepCounts(row, 1)
	row.Children = append(r.makeRows(oldFrame, newFrame, file, row, row, s.Children), r.makeDocumentRows(before, row)...)
	return row
}

func (r *reloader) renamedNumbers(oldFrame *documentFrame, old map[string]int, file string) map[string]int {
	if len(old) == 0 {
		return nil
	}
	out := make(map[string]int, len(old))
	for from, n := range old {
		if to := r.stepMatchOf(oldFrame, file).newID(from); to != "" {
			out[to] = n
		}
	}
	return out
}

// makeDocumentRows makes the rows of the documents that a step includes. Documents that it included before
// keep their rows with their history.
func (r *reloader) makeDocumentRows(before Row, row *Row) []*Row {
	rows := r.track.makeDocumentRows(row)
	for _, d := range rows {
		i := slices.IndexFunc(before.Children, func(was *Row) bool { return was.IncludedDocument != nil && was.LocalLabel == d.LocalLabel })
		if i < 0 || before.Children[i].Children == nil || d.IncludedDocument.Plan == nil {
			continue
		}
		was := before.Children[i]
		r.keptRows[was] = true
		r.newLabelByOld[was.Label] = d.Label
		d.Status, d.SkipReason, d.Duration, d.EndMessage, d.Warnings = was.Status, was.SkipReason, was.Duration, was.EndMessage, was.Warnings
		oldFrame, newFrame := was.frame, newDocumentFrame(d.IncludedDocument.Plan, d.Label+"/", d)
		d.frame, r.newFrameByOld[oldFrame] = newFrame, newFrame
		r.moveNumbers(oldFrame, newFrame, was.IncludedDocument.File)
		r.track.totalStepCount -= d.unexpandedStepCount
		d.unexpandedStepCount = 0
		d.Children = r.track.groupByPhase(newFrame, r.makeRows(oldFrame, newFrame, was.IncludedDocument.File, nil, d, d.IncludedDocument.Plan.Steps))
	}
	return rows
}

// updateReferences updates what refers to rows and labels.
func (r *reloader) updateReferences(e machine.Event) {
	t := r.track
	for _, row := range r.oldRows {
		if r.keptRows[row] { // its label is the new one
			continue
		}
		r.goneLabels[row.Label] = true
		if row.Step == nil || row.IsTemplate || len(row.AllAttempts()) == 0 {
			continue
		}
		unknown := *row
		unknown.Children, unknown.Parent = nil, nil
		if unknown.Status.IsOpen() || unknown.Status == Pending {
			unknown.Status = LeftUndecided
		}
		t.UnknownSteps = append(t.UnknownSteps, &unknown)
	}
	for _, refers := range []**Row{&t.CurrentRow, &t.DecidedRow, &t.waitingRow} {
		if row := *refers; row != nil && !r.keptRows[row] {
			*refers = nil
		}
	}
	if t.CurrentRow == nil && e.Step != "" && len(t.EnteredSteps) > 0 {
		t.CurrentRow = t.RowOfEvent(e)
	}
	texts := make(map[string]string, len(t.outputByLabel))
	for label, text := range t.outputByLabel {
		if !r.isGone(label) {
			texts[r.newLabel(label)] = text
		}
	}
	t.outputByLabel = texts
	t.EnteredSteps = slices.Clone(t.EnteredSteps) // clones share it
	for i, s := range t.EnteredSteps {
		t.EnteredSteps[i].CurrentLabel = r.newReference(s.CurrentLabel)
	}
	t.finalOutput.StepLabel = r.newReference(t.finalOutput.StepLabel)
	r.updateOverrides(e)
	for row := range r.keptRows {
		r.updateDecisionLabels(row)
	}
	replaced := map[string]bool{}
	for _, v := range t.Variables {
		replaced[r.reloadEvent.NewVariableNames[v.Name]] = true
	}
	t.Variables = slices.DeleteFunc(t.Variables, func(v Variable) bool { return r.reloadEvent.NewVariableNames[v.Name] == "" && replaced[v.Name] })
	clear(t.variableIndex)
	for i := range t.Variables {
		v := &t.Variables[i]
		v.IsStepGone = v.IsStepGone || r.isGone(v.SetByStep)
		v.SetByStep, v.setByStepBeforePerson, v.Name = r.newReference(v.SetByStep), r.newReference(v.setByStepBeforePerson), cmp.Or(r.reloadEvent.NewVariableNames[v.Name], v.Name)
		t.variableIndex[v.Name] = i
	}
}

// updateOverrides names the steps and variables of the overrides as in the new version. It drops those of steps that are
// gone, and edits that are no longer in force: of rules when the files are loaded again, and of actions that changed.
func (r *reloader) updateOverrides(e machine.Event) {
	t, overrides := r.track, []Override{}
	for _, o := range t.Overrides {
		if o.Kind == EditedRule && r.reloadEvent.EditSubject == "" {
			continue
		}
		if r.isGone(o.Step) {
			continue
		}
		o.Step = r.newLabel(o.Step)
		if row := t.rowByLabel[o.Step]; o.Kind == EditedAction && row != nil && len(row.EditedTexts) == 0 {
			continue // the version has another text, so the edit no longer applies
		}
		switch o.Kind {
		case OverriddenRoute, RerunByPerson:
			o.Object = r.newLabel(o.Object)
		case OverriddenVariable:
			o.Object = cmp.Or(r.reloadEvent.NewVariableNames[o.Object], o.Object)
		}
		overrides = append(overrides, o)
	}
	t.Overrides = overrides
	if r.editedRow != nil {
		edited := Override{Step: r.editedRow.Label, Kind: EditedRule}
		t.removeOverride(edited)
		t.addOverride(e, edited)
	}
}

// isGone reports whether the new version does not have the step with an old label.
func (r *reloader) isGone(label string) bool {
	_, isKept := r.newLabelByOld[label]
	return !isKept && r.goneLabels[label]
}

// newReference returns the new label of a step, "" if the step is gone, because another one may have its label now.
func (r *reloader) newReference(label string) string {
	if r.isGone(label) {
		return ""
	}
	return r.newLabel(label)
}

// updateDecisionLabels keeps the new labels of the steps that the row's decision names.
func (r *reloader) updateDecisionLabels(row *Row) {
	d := row.decisionBeforeReload
	if d == nil {
		return
	}
	names := []string{d.To}
	if d.Outcome != nil {
		for _, child := range d.Outcome.ChildResults {
			names = append(names, child.Label)
		}
	}
	labels := map[string]string{}
	for _, name := range names {
		labels[name] = r.newLabel(cmp.Or(row.newLabelByOld[name], name))
	}
	row.newLabelByOld = labels
}

// newLabel returns the new label for an old one. The label of a step that is gone stays.
func (r *reloader) newLabel(old string) string {
	if to, ok := r.newLabelByOld[old]; ok {
		return to
	}
	if i := strings.LastIndexByte(old, '/'); i > 0 {
		return r.newLabel(old[:i]) + old[i:]
	}
	return old
}

// DocumentEditTexts returns the lines that a person's edit of the document removed and added, such as those of a
// rule. There are none if the files were loaded again or a version cannot be read. The track must not have the
// event of the edit yet.
func (t *Track) DocumentEditTexts(b *machine.DocumentReloaded) (before, after string) {
	if b.EditSubject == "" || b.Load == nil {
		return "", ""
	}
	p, err := b.Load()
	if err != nil {
		return "", ""
	}
	old, edited := fileContents(t.Plan), fileContents(p)
	if len(old) != len(edited) { // the edit includes another document or no longer includes one
		old, edited = [][]byte{t.Plan.Source}, [][]byte{p.Source}
	}
	var removed, added []string
	for i := range old {
		for _, l := range slices.Concat(linediff.CompareLines(linediff.SplitLines(old[i]), linediff.SplitLines(edited[i]))...) {
			switch l.Op {
			case linediff.Removed:
				removed = append(removed, l.Text)
			case linediff.Added:
				added = append(added, l.Text)
			}
		}
	}
	return strings.Join(removed, "\n"), strings.Join(added, "\n")
}

// fileContents returns the contents of a document's files, and of those of the documents that it includes.
func fileContents(p *plan.Plan) (out [][]byte) {
	for _, f := range p.Files {
		if !f.IsFolder {
			out = append(out, f.Source)
		}
	}
	if len(out) == 0 {
		out = append(out, p.Source)
	}
	for _, d := range p.IncludedDocuments {
		if d.Plan != nil {
			out = append(out, fileContents(d.Plan)...)
		}
	}
	return out
}
