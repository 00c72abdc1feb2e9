package machine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"playhead/engine/match"
	"playhead/parse/plan"
)

// Reload describes another version of the document with which a run continues.
type Reload struct {
	Snapshot       string // the name of the version in the run's folder
	Match          *match.Match
	TargetStepID   string            // the ID of the step of the new root document to continue at; empty: where the run is
	FromEntry      bool              // continue at the new document's entry instead
	KeepCall       bool              // keep the open call of a model, even if its request would differ now
	EditSubject    string            // what a person edited; empty: the files were loaded again
	EditedStepID   string            // the ID of the step whose rule a person edited; empty: none
	EditedDocument string            // the file of the included document with that step; empty: the root document
	Inputs         []plan.Assignment // values of inputs that the run has no value for
	Note           string
}

// NoPlaceError says that a run cannot continue where it is: the new version does not have the step or the included
// document, or several of its steps match the step.
type NoPlaceError struct {
	Step        string // the label of the step, or of the included document, in the old version
	Title       string // of the step
	IsAmbiguous bool
	IsDocument  bool
}

// Error says why the run has no place in the new version and asks for a step.
func (e *NoPlaceError) Error() string {
	step := strings.TrimSpace(e.Step + " " + e.Title)
	if e.IsAmbiguous {
		return fmt.Sprintf("several steps of the changed document match step %s: choose the one to continue at", step)
	}
	if e.IsDocument {
		return fmt.Sprintf("the changed document no longer includes %s: choose the step to continue at", step)
	}
	return fmt.Sprintf("the changed document no longer has step %s: choose the step to continue at", step)
}

// NothingAffected is the text in place of an empty DocumentReloaded.Summary.
const NothingAffected = "nothing that affects the run"

// MissingInputsError says that a version requires inputs that the run has no value for.
type MissingInputsError struct{ Inputs []plan.Input }

// Error names the inputs.
func (e *MissingInputsError) Error() string {
	names := make([]string, len(e.Inputs))
	for i, in := range e.Inputs {
		names[i] = in.Name
	}
	if len(names) == 1 {
		return fmt.Sprintf("the changed document requires the input %s, which has no value: set it first, or start a new run", names[0])
	}
	return fmt.Sprintf("the changed document requires the inputs %s, which have no values: set them first, or start a new run", strings.Join(names, ", "))
}

// NewInputValues returns the values of the inputs of a version that the run has no value for: the given ones,
// else their defaults. missing are those that need a value.
func (m *Machine) NewInputValues(p *plan.Plan, given []plan.Assignment) (values map[string]any, missing []plan.Input) {
	values = map[string]any{}
	for _, in := range p.Inputs {
		i := slices.IndexFunc(given, func(a plan.Assignment) bool { return a.Name == in.Name })
		switch _, known := m.variables[in.Name]; {
		case known:
		case i >= 0:
			values[in.Name] = given[i].Value
		case in.HasDefault():
			values[in.Name] = in.Default
		case in.Required:
			missing = append(missing, in)
		}
	}
	return values, missing
}

// ReloadEvent returns the event with which the run continues with another version of its document. The
// event has all that Apply needs. The error is a *NoPlaceError if the run needs a target to
// continue at.
func (m *Machine) ReloadEvent(r Reload) (Event, error) {
	if !m.started {
		return Event{}, errNotStarted
	}
	root := r.Match.FindDocument("")
	b := &DocumentReloaded{
		Snapshot: r.Snapshot, Summary: r.Match.Summary(), NewVariableNames: maps.Clone(root.RenamedVariables()), EditSubject: r.EditSubject,
		Load: func() (*plan.Plan, error) { return root.NewPlan, nil },
	}
	for _, d := range r.Match.Documents {
		b.MatchedSteps = append(b.MatchedSteps, r.changedSteps(d)...)
		maps.Copy(b.NewVariableNames, d.RenamedVariables())
	}
	up := len(m.frames) - 1
	switch {
	case r.TargetStepID != "":
		if root.NewPlan.FindStep(r.TargetStepID) == nil {
			return Event{}, fmt.Errorf("the changed document has no step %q to continue at", r.TargetStepID)
		}
		b.Destination = &Destination{Kind: ToStep, StepID: r.TargetStepID, DocumentsToLeave: up, ExemptFromEntryLimit: true}
	case r.FromEntry, up == 0 && len(m.enteredStepLabels) == 0 && m.topFrame().phase == phaseArriving && !m.topFrame().pendingDestination.ExemptFromEntryLimit:
		b.Destination = &Destination{Kind: ToStep, StepID: entryStepID(root.NewPlan), DocumentsToLeave: up}
	default:
		var err error
		if b.ResumedActions, err = m.resumedActions(r.Match, r.KeepCall); err != nil {
			return Event{}, err
		}
	}
	var missing []plan.Input
	if b.Inputs, missing = m.NewInputValues(root.NewPlan, r.Inputs); len(missing) > 0 {
		return Event{}, &MissingInputsError{missing}
	}
	e := Event{By: ByPerson, Note: r.Note, Body: b}
	after := m.Clone()
	if err := after.Apply(e); err != nil {
		return Event{}, err
	}
	if b.Destination != nil {
		e.Step = after.topFrame().destinationLabel(*b.Destination)
		e.ExplicitStepID = idIfDifferent(b.Destination.StepID, e.Step)
	} else if f := after.currentFrame(); f != nil {
		e.Step, e.ExplicitStepID = f.currentLabel, idIfDifferent(f.currentNode.step.ID, f.currentLabel)
	}
	return e, nil
}

// PrebuildGraphs builds the graphs of another version of the document in advance, for the machine and its
// clones.
func (m *Machine) PrebuildGraphs(p *plan.Plan) {
	m.graphByPlan = maps.Clone(m.graphByPlan)
	m.buildGraphs(p)
}

// changedSteps lists the steps of a document that changed.
func (r Reload) changedSteps(d *match.DocumentMatch) (out []MatchedStep) {
	if d.OldPlan == d.NewPlan {
		return nil
	}
	changes := map[string]match.Change{}
	for _, c := range d.Changes {
		if c.OldStep != nil && c.NewStep != nil {
			changes[c.OldStep.ID] = c
		}
	}
	d.OldPlan.Walk(func(s, _ *plan.Step) bool {
		c := changes[s.ID]
		isEdited := s.ID == r.EditedStepID && d.IncludedFile == r.EditedDocument
		if to := d.NewID(s.ID); to != s.ID || c.ActionsChanged || c.ChangedRouteCount > 0 || isEdited {
			out = append(out, MatchedStep{d.IncludedFile, s.ID, to, c.ActionsChanged, c.ChangedRouteCount > 0, isEdited})
		}
		return true
	})
	return out
}

// resumedActions finds where the steps in progress of the open documents continue.
func (m *Machine) resumedActions(all *match.Match, keepCall bool) (out []ResumedAction, err error) {
	d := all.FindDocument("")
	for i, f := range m.frames {
		if d == nil || d.OldPlan != f.graph.plan {
			return nil, &NoPlaceError{Step: f.documentLabel(), IsDocument: true}
		}
		if err := f.checkPlace(d); err != nil {
			return nil, err
		}
		if f.phase != phaseActing {
			continue
		}
		before := f.currentNode.step
		now := d.NewPlan.FindStep(d.NewID(before.ID))
		r := ResumedAction{FrameIndex: i}
		var same bool
		r.ActionIndex, same = d.ResumedActionIndex(before, now, f.actionIndex)
		if keepCall && f.actionIndex < len(before.Actions) && r.ActionIndex < len(now.Actions) {
			same = same || callsModel(before.Actions[f.actionIndex]) && callsModel(now.Actions[r.ActionIndex])
		}
		if call := slices.IndexFunc(now.Actions, callsModel); f.holdsReport() && call >= 0 {
			r.ActionIndex, same = call, true
		}
		if i == len(m.frames)-1 {
			if r.Changed = !same && f.actionIndex < len(before.Actions); r.Changed || r.ActionIndex != f.actionIndex {
				out = append(out, r)
			}
			continue
		}
		if r.DocumentIndex = openDocumentIndex(now, r.ActionIndex, m.frames[i+1].documentPath); r.DocumentIndex < 0 {
			return nil, &NoPlaceError{Step: m.frames[i+1].documentLabel(), IsDocument: true}
		}
		if r.ActionIndex != f.actionIndex || r.DocumentIndex != f.openAction.nextDocumentIndex {
			out = append(out, r)
		}
		d = all.FindDocument(f.includedDocumentFile(m.frames[i+1].documentPath))
	}
	return out, nil
}

func callsModel(a plan.Action) bool {
	_, is := a.Work.(plan.Model)
	return is
}

// holdsReport reports whether a person has to decide about what a model or a person reported. That was given, so the
// person still decides about it, however the new version of the step asks for it.
func (f *documentFrame) holdsReport() bool {
	end := f.openAction.heldEnd
	return end != nil && end.Outcome.Source != outcomeSourceNotReady
}

// openDocumentIndex returns the index of a document among those that an action includes, -1 if it does
// not include it.
func openDocumentIndex(s *plan.Step, action int, document string) int {
	if action >= len(s.Actions) {
		return -1
	}
	inc, _ := s.Actions[action].Work.(plan.Include)
	return slices.Index(inc.DocumentPaths, document)
}

func (f *documentFrame) includedDocumentFile(document string) string {
	c, _ := f.graph.plan.IncludedDocument(document)
	return c.File
}

// checkPlace returns why a frame cannot continue where it is, or nil.
func (f *documentFrame) checkPlace(d *match.DocumentMatch) error {
	id, label := "", ""
	switch f.phase {
	case phaseArriving:
		id, label = f.pendingDestination.StepID, f.pendingDestination.StepID
	case phaseOver:
		return nil
	default:
		id, label = f.currentNode.step.ID, f.currentLabel
	}
	if d.NewID(id) != "" {
		return nil
	}
	e := &NoPlaceError{Step: label, IsAmbiguous: d.IsAmbiguous(id)}
	if s := d.OldPlan.FindStep(id); s != nil {
		e.Title = s.Title
	}
	return e
}

// checkReloaded returns an error for a version that cannot be loaded, or in which the run has no
// place.
func (m *Machine) checkReloaded(e Event, b *DocumentReloaded) error {
	if b.Load == nil {
		return fmt.Errorf("event %d: version %s of the document, with which the run continued, was not loaded", e.Seq, b.Snapshot)
	}
	p, err := b.Load()
	if err != nil {
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	if !p.Runnable() {
		return fmt.Errorf("event %d: version %s of the document has errors", e.Seq, b.Snapshot)
	}
	if a := b.Destination; a != nil && (a.DocumentsToLeave != len(m.frames)-1 || p.FindStep(a.StepID) == nil) {
		return fmt.Errorf("event %d: version %s of the document has no step %q to continue at", e.Seq, b.Snapshot, a.StepID)
	} else if a != nil {
		return nil
	}
	to := newMatchedStepsByID(b.MatchedSteps)
	file := ""
	for i, f := range m.frames {
		id := f.pendingDestination.StepID
		switch f.phase {
		case phaseArriving:
		case phaseOver:
			id = ""
		default:
			id = f.currentNode.step.ID
		}
		if id != "" && p.FindStep(to.newID(file, id)) == nil {
			return fmt.Errorf("event %d: version %s of the document has no step %q, where the run is", e.Seq, b.Snapshot, id)
		}
		if i == len(m.frames)-1 {
			break
		}
		file = f.includedDocumentFile(m.frames[i+1].documentPath)
		c, _ := p.IncludedDocument(m.frames[i+1].documentPath)
		if p = c.Plan; p == nil {
			return fmt.Errorf("event %d: version %s of the document does not include %s", e.Seq, b.Snapshot, m.frames[i+1].documentPath)
		}
	}
	return nil
}

// matchedStepsByID maps the IDs of steps that changed to their counterparts, by document.
type matchedStepsByID map[string]map[string]MatchedStep

func newMatchedStepsByID(all []MatchedStep) matchedStepsByID {
	out := matchedStepsByID{}
	for _, s := range all {
		if out[s.Document] == nil {
			out[s.Document] = map[string]MatchedStep{}
		}
		out[s.Document][s.OldID] = s
	}
	return out
}

// newID returns the new ID of a step, "" if the step is gone.
func (m matchedStepsByID) newID(file, old string) string {
	if s, renamed := m[file][old]; renamed {
		return s.NewID
	}
	return old
}

// NewIDs returns a function that maps the old ID of a step of a document to its new one, "" if the
// step is gone.
func (d *DocumentReloaded) NewIDs(file string) func(id string) string {
	names := newMatchedStepsByID(d.MatchedSteps)
	return func(id string) string { return names.newID(file, id) }
}

// applyReloaded replaces the version in force.
func (m *Machine) applyReloaded(b *DocumentReloaded) {
	m.plan, _ = b.Load() // checkReloaded has loaded it successfully
	if m.graphByPlan[m.plan] == nil {
		m.graphByPlan = maps.Clone(m.graphByPlan)
		m.buildGraphs(m.plan)
	}
	m.variables, m.setBySteps, m.violationByVariable = renameVariableKeys(m.variables, b.NewVariableNames), renameVariableKeys(m.setBySteps, b.NewVariableNames), renameVariableKeys(m.violationByVariable, b.NewVariableNames)
	maps.Copy(m.variables, b.Inputs)
	if b.Destination != nil {
		m.frames = m.frames[:1]
	}
	names := newMatchedStepsByID(b.MatchedSteps)
	graph, file, prefix := m.graphByPlan[m.plan], "", ""
	labels := migratedLabelByOld{}
	for i, f := range m.frames {
		document := ""
		if i+1 < len(m.frames) {
			document = m.frames[i+1].documentPath
		}
		childFile, below := f.includedDocumentFile(document), f.currentLabel
		mv := frameMigration{frame: f, graph: graph, newID: func(id string) string { return names.newID(file, id) }, migratedLabels: labels, labelPrefix: prefix}
		mv.migrate(names[file])
		if document != "" {
			c, _ := graph.plan.IncludedDocument(document)
			graph, file = m.graphByPlan[c.Plan], childFile
			prefix = f.currentLabel + strings.TrimPrefix(m.frames[i+1].labelPrefix, below)
		}
	}
	for _, f := range m.frames {
		f.renameVariablesOfAttempt(b.NewVariableNames)
	}
	m.migrateFinishedAttempts(labels)
	for _, r := range b.ResumedActions {
		m.frames[r.FrameIndex].resumeAt(r)
	}
	if b.Destination != nil {
		f := m.topFrame()
		f.phase, f.pendingDestination, f.openAction, f.dueEvents = phaseArriving, *b.Destination, openAction{}, nil
	}
}

// renameVariableKeys returns the map with variables renamed. A variable may take the name that another one
// had.
func renameVariableKeys[V any](byName map[string]V, names map[string]string) map[string]V {
	out := maps.Clone(byName)
	for from := range names {
		delete(out, from)
	}
	for from, to := range names {
		if v, has := byName[from]; has {
			out[to] = v
		}
	}
	return out
}

// renameVariablesOfAttempt renames the variables in the values that the current attempt has set or may still
// set.
func (f *documentFrame) renameVariablesOfAttempt(names map[string]string) {
	assignment := func(a plan.Assignment) plan.Assignment {
		a.Name = cmp.Or(names[a.Name], a.Name)
		return a
	}
	assignments := func(all []plan.Assignment) []plan.Assignment {
		out := slices.Clone(all)
		for i, a := range out {
			out[i] = assignment(a)
		}
		return out
	}
	f.overrideValues.withheld, f.overrideValues.previous = assignments(f.overrideValues.withheld), slices.Clone(f.overrideValues.previous)
	for i, p := range f.overrideValues.previous {
		f.overrideValues.previous[i].Assignment = assignment(p.Assignment)
	}
	if end := f.openAction.heldEnd; end != nil {
		now := *end
		now.Assignments = assignments(end.Assignments)
		f.openAction.heldEnd = &now
	}
	for i, e := range f.dueEvents {
		if b, sets := e.Body.(*VariableCaptured); sets {
			now := *b
			now.Variable = cmp.Or(names[b.Variable], b.Variable)
			f.dueEvents[i].Body = &now
		}
	}
}

// migratedLabel is a visit's label and step in the new version. The zero value means that the step
// is gone.
type migratedLabel struct {
	label string
	node  *node
}

// migratedLabelByOld maps old labels to new ones.
type migratedLabelByOld map[string]migratedLabel

// migrateFinishedAttempts assigns the finished attempts to the steps of the new version. Those of a step
// that is gone are dropped.
func (m *Machine) migrateFinishedAttempts(labels migratedLabelByOld) {
	var attempts []plan.FinishedAttempt
	latest := map[string]int{}
	for i, v := range m.finishedAttempts {
		newest := m.latestAttemptIndexByLabel[v.Label] == i
		if to, known := labels[v.Label]; known {
			if to.node == nil {
				continue
			}
			v.Label, v.Step = to.label, to.node.step
		}
		if newest {
			latest[v.Label] = len(attempts)
		}
		attempts = append(attempts, v)
	}
	m.finishedAttempts, m.latestAttemptIndexByLabel = attempts, latest
}

// frameMigration transfers a frame to the new version of its document.
type frameMigration struct {
	frame          *documentFrame
	graph          *stepGraph
	newID          func(old string) string
	migratedLabels migratedLabelByOld
	labelPrefix    string
}

func (m frameMigration) nodeInNewVersion(old *node) *node {
	if old == nil {
		return nil
	}
	return m.graph.byID[m.newID(old.step.ID)]
}

func (m frameMigration) migrate(matched map[string]MatchedStep) {
	f, before := m.frame, m.frame.graph
	oldCur, oldLast := f.currentNode, f.lastStepNode
	numbers := make([]int, len(m.graph.nodes))
	for _, n := range before.nodes {
		if to := m.nodeInNewVersion(n); to != nil {
			numbers[to.index] = f.instanceNumbers[n.index]
		}
	}
	f.graph, f.instanceNumbers, f.labelPrefix = m.graph, numbers, m.labelPrefix
	m.moveVisits()
	f.entryCounts, f.callerByStep = m.newEntryCounts(), m.newCallers()
	f.editByAction = m.newEdits(matched)
	f.pendingDestination.StepID, f.pendingDestination.CallerStepID = m.newID(f.pendingDestination.StepID), m.newID(f.pendingDestination.CallerStepID)
	f.currentNode, f.currentLabel, f.currentVisit = m.newPosition(oldCur, f.currentLabel)
	f.lastStepNode, f.lastStepLabel, _ = m.newPosition(oldLast, f.lastStepLabel)
	due := f.dueEvents[:0:0]
	for _, e := range f.dueEvents {
		to := m.migratedLabels[e.Step]
		if to.node == nil {
			continue
		}
		e.Step, e.ExplicitStepID = to.label, idIfDifferent(to.node.step.ID, to.label)
		due = append(due, e)
	}
	f.dueEvents = due
}

// newPosition returns where a frame is in the new version: at its step, or at the innermost group
// around it that still exists.
func (m frameMigration) newPosition(old *node, label string) (*node, string, *visit) {
	if to := m.migratedLabels[label]; to.node != nil {
		return to.node, to.label, m.frame.visitByLabel[to.label]
	}
	for ; old != nil; old = old.parent {
		if n := m.nodeInNewVersion(old); n != nil {
			label := m.frame.labelOf(n, nil)
			return n, label, m.frame.ensureVisitOf(n, label)
		}
	}
	return nil, "", nil
}

func (m frameMigration) moveVisits() {
	f := m.frame
	visits := make(map[string]*visit, len(f.visitByLabel))
	for label, v := range f.visitByLabel {
		n := m.nodeInNewVersion(v.node)
		if n == nil {
			m.migratedLabels[label] = migratedLabel{}
			continue
		}
		numbers := v.instanceNumbers[:0:0]
		for _, x := range v.instanceNumbers {
			if id := m.newID(x.StepID); m.graph.byID[id] != nil {
				numbers = append(numbers, InstanceNumber{id, x.Number})
			}
		}
		to := f.labelOf(n, numbers)
		v.node, v.instanceNumbers = n, numbers
		visits[to], m.migratedLabels[label] = v, migratedLabel{to, n}
	}
	f.visitByLabel = visits
	for _, v := range visits {
		results := v.childResults
		v.childResults, v.resultIndexByLabel = nil, nil
		for _, r := range results {
			if to, known := m.migratedLabels[r.Label]; known && to.node != nil && to.node.parent == v.node {
				v.recordResult(to.label, r.Result)
			}
		}
	}
}

func (m frameMigration) newEntryCounts() map[string]int {
	out := make(map[string]int, len(m.frame.entryCounts))
	for id, n := range m.frame.entryCounts {
		if to := m.newID(id); to != "" {
			out[to] = n
		}
	}
	return out
}

func (m frameMigration) newCallers() map[string]string {
	out := make(map[string]string, len(m.frame.callerByStep))
	for id, caller := range m.frame.callerByStep {
		if to, from := m.newID(id), m.newID(caller); to != "" && from != "" {
			out[to] = from
		}
	}
	return out
}

func (m frameMigration) newEdits(matched map[string]MatchedStep) map[editKey]*ActionEdited {
	out := make(map[editKey]*ActionEdited, len(m.frame.editByAction))
	for at, b := range m.frame.editByAction {
		if to := m.newID(at.stepID); to != "" && !matched[at.stepID].ActionsChanged {
			out[editKey{to, at.actionIndex}] = b
		}
	}
	return out
}

// resumeAt continues the step in progress at another action. If the action changed and was begun,
// it becomes a question, because it may have had effects.
func (f *documentFrame) resumeAt(r ResumedAction) {
	f.actionIndex = r.ActionIndex
	if f.openAction.nextDocumentIndex = r.DocumentIndex; !r.Changed {
		return
	}
	begun := f.openAction.started
	f.openAction = openAction{}
	if begun && r.ActionIndex < len(f.currentNode.step.Actions) {
		f.openAction = openAction{started: true, interrupted: true}
	}
}
