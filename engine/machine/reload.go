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
	Snapshot string // the name of the version in the run's folder
	Match    *match.Match
	Target   string            // the ID of the step of the new root document to continue at; empty: where the run is
	Start    bool              // continue at the new document's entry instead
	KeepCall bool              // keep the open call of a model, even if its request would differ now
	About    string            // what a person edited; empty: the files were loaded again
	Inputs   []plan.Assignment // values of inputs that the run has no value for
	Reason   string
}

// NoPlaceError says that a run cannot continue where it is: the new version does not have the step,
// or several of its steps match it.
type NoPlaceError struct {
	Step      string // the label of the step in the old version
	Title     string // of the step
	Ambiguous bool
}

// Error says why the run has no place in the new version and asks for a step.
func (e *NoPlaceError) Error() string {
	step := strings.TrimSpace(e.Step + " " + e.Title)
	if e.Ambiguous {
		return fmt.Sprintf("several steps of the new document match step %s: choose the one to continue at", step)
	}
	return fmt.Sprintf("the new document no longer has step %s: choose the step to continue at", step)
}

// MissingInputsError says that a version requires inputs that the run has no value for.
type MissingInputsError struct{ Inputs []plan.Input }

// Error names the inputs.
func (e *MissingInputsError) Error() string {
	names := make([]string, len(e.Inputs))
	for i, in := range e.Inputs {
		names[i] = in.Name
	}
	return "the changed document requires " + strings.Join(names, " and ") + ", which this run has no value for: set it first, or start a new run"
}

// NewInputs returns the values of the inputs of a version that the run has no value for: the given ones,
// else their defaults. missing are those that need a value.
func (m *Machine) NewInputs(p *plan.Plan, given []plan.Assignment) (values map[string]any, missing []plan.Input) {
	values = map[string]any{}
	for _, in := range p.Inputs {
		i := slices.IndexFunc(given, func(a plan.Assignment) bool { return a.Name == in.Name })
		switch _, known := m.vars[in.Name]; {
		case known:
		case i >= 0:
			values[in.Name] = given[i].Value
		case in.Default != "":
			values[in.Name] = in.Default
		case in.Required:
			missing = append(missing, in)
		}
	}
	return values, missing
}

// Reload returns the event with which the run continues with another version of its document. The
// event has all that Apply needs. The error is a *NoPlaceError if the run needs a target to
// continue at.
func (m *Machine) Reload(r Reload) (Event, error) {
	if !m.started {
		return Event{}, errNotStarted
	}
	root := r.Match.Of("")
	b := &Reloaded{
		Snapshot: r.Snapshot, Summary: r.Match.Summary(), Variables: maps.Clone(root.Variables()), About: r.About,
		Load: func() (*plan.Plan, error) { return root.New, nil },
	}
	for _, d := range r.Match.Documents {
		b.Steps = append(b.Steps, matchedSteps(d)...)
		maps.Copy(b.Variables, d.Variables())
	}
	up := len(m.frames) - 1
	switch {
	case r.Target != "":
		if root.New.Find(r.Target) == nil {
			return Event{}, fmt.Errorf("the new document has no step %q to continue at", r.Target)
		}
		b.Arrival = &Arrival{Kind: ToStep, Step: r.Target, Up: up, ExemptFromGuard: true}
	case r.Start, up == 0 && len(m.path) == 0 && m.top().phase == arriving && !m.top().pending.ExemptFromGuard:
		b.Arrival = &Arrival{Kind: ToStep, Step: entry(root.New), Up: up}
	default:
		var err error
		if b.Actions, err = m.resumedActions(r.Match, r.KeepCall); err != nil {
			return Event{}, err
		}
	}
	var missing []plan.Input
	if b.Inputs, missing = m.NewInputs(root.New, r.Inputs); len(missing) > 0 {
		return Event{}, &MissingInputsError{missing}
	}
	e := Event{By: ByPerson, Reason: r.Reason, Body: b}
	after := m.Clone()
	if err := after.Apply(e); err != nil {
		return Event{}, err
	}
	if b.Arrival != nil {
		e.Step = after.top().destination(*b.Arrival)
		e.ID = idIfDifferent(b.Arrival.Step, e.Step)
	} else if f := after.currentFrame(); f != nil {
		e.Step, e.ID = f.label, idIfDifferent(f.cur.step.ID, f.label)
	}
	return e, nil
}

// Prepare compiles another version of the document in advance, for the machine and its clones.
func (m *Machine) Prepare(p *plan.Plan) {
	m.programs = maps.Clone(m.programs)
	m.compile(p)
}

// matchedSteps lists the steps of a document that changed.
func matchedSteps(d *match.Document) (out []MatchedStep) {
	if d.Old == d.New {
		return nil
	}
	changes := map[string]match.Change{}
	for _, c := range d.Changes {
		if c.Old != nil && c.New != nil {
			changes[c.Old.ID] = c
		}
	}
	d.Old.Walk(func(s, _ *plan.Step) bool {
		c := changes[s.ID]
		if to := d.ID(s.ID); to != s.ID || c.Actions || c.Routes > 0 {
			out = append(out, MatchedStep{d.File, s.ID, to, c.Actions, c.Routes > 0})
		}
		return true
	})
	return out
}

// resumedActions finds where the steps in progress of the open documents continue.
func (m *Machine) resumedActions(all *match.Match, keepCall bool) (out []ResumedAction, err error) {
	d := all.Of("")
	for i, f := range m.frames {
		if d == nil || d.Old != f.prog.plan {
			return nil, &NoPlaceError{Step: f.name()}
		}
		if err := f.checkPlace(d); err != nil {
			return nil, err
		}
		if f.phase != acting {
			continue
		}
		before := f.cur.step
		now := d.New.Find(d.ID(before.ID))
		r := ResumedAction{Frame: i}
		var same bool
		r.Action, same = d.ResumedAction(before, now, f.action)
		if keepCall && f.action < len(before.Actions) && r.Action < len(now.Actions) {
			_, is := before.Actions[f.action].Work.(plan.Model)
			_, still := now.Actions[r.Action].Work.(plan.Model)
			same = same || is && still
		}
		if i == len(m.frames)-1 {
			if r.Changed = !same && f.action < len(before.Actions); r.Changed || r.Action != f.action {
				out = append(out, r)
			}
			continue
		}
		if r.DocumentIndex = openDocument(now, r.Action, m.frames[i+1].document); r.DocumentIndex < 0 {
			return nil, &NoPlaceError{Step: m.frames[i+1].name()}
		}
		if r.Action != f.action || r.DocumentIndex != f.open.nextDocument {
			out = append(out, r)
		}
		d = all.Of(f.fileOf(m.frames[i+1].document))
	}
	return out, nil
}

// openDocument returns the index of a document among those that an action includes, -1 if it does
// not include it.
func openDocument(s *plan.Step, action int, document string) int {
	if action >= len(s.Actions) {
		return -1
	}
	inc, _ := s.Actions[action].Work.(plan.Include)
	return slices.Index(inc.Docs, document)
}

func (f *frame) fileOf(document string) string {
	c, _ := f.prog.plan.Child(document)
	return c.File
}

// checkPlace returns why a frame cannot continue where it is.
func (f *frame) checkPlace(d *match.Document) error {
	id, label := "", ""
	switch f.phase {
	case arriving:
		id, label = f.pending.Step, f.pending.Step
	case over:
		return nil
	default:
		id, label = f.cur.step.ID, f.label
	}
	if d.ID(id) != "" {
		return nil
	}
	e := &NoPlaceError{Step: label, Ambiguous: d.IsAmbiguous(id)}
	if s := d.Old.Find(id); s != nil {
		e.Title = s.Title
	}
	return e
}

// checkReloaded returns an error for a version that cannot be loaded, or in which the run has no
// place.
func (m *Machine) checkReloaded(e Event, b *Reloaded) error {
	if b.Load == nil {
		return fmt.Errorf("event %d: the document %s that the run continued with was not loaded", e.Seq, b.Snapshot)
	}
	p, err := b.Load()
	if err != nil {
		return fmt.Errorf("event %d: %w", e.Seq, err)
	}
	if !p.Runnable() {
		return fmt.Errorf("event %d: the document %s has errors", e.Seq, b.Snapshot)
	}
	if a := b.Arrival; a != nil && (a.Up != len(m.frames)-1 || p.Find(a.Step) == nil) {
		return fmt.Errorf("event %d: the document %s has no step %q to continue at", e.Seq, b.Snapshot, a.Step)
	} else if a != nil {
		return nil
	}
	to := newStepNames(b.Steps)
	file := ""
	for i, f := range m.frames {
		id := f.pending.Step
		switch f.phase {
		case arriving:
		case over:
			id = ""
		default:
			id = f.cur.step.ID
		}
		if id != "" && p.Find(to.id(file, id)) == nil {
			return fmt.Errorf("event %d: the document %s has no step %q, where the run stands", e.Seq, b.Snapshot, id)
		}
		if i == len(m.frames)-1 {
			break
		}
		file = f.fileOf(m.frames[i+1].document)
		c, _ := p.Child(m.frames[i+1].document)
		if p = c.Plan; p == nil {
			return fmt.Errorf("event %d: the document %s does not include %s", e.Seq, b.Snapshot, m.frames[i+1].document)
		}
	}
	return nil
}

// stepNames maps the IDs of steps that changed to their counterparts, by document.
type stepNames map[string]map[string]MatchedStep

func newStepNames(all []MatchedStep) stepNames {
	out := stepNames{}
	for _, s := range all {
		if out[s.Document] == nil {
			out[s.Document] = map[string]MatchedStep{}
		}
		out[s.Document][s.From] = s
	}
	return out
}

// id returns the new ID of a step, "" if the step is gone.
func (n stepNames) id(file, old string) string {
	if s, renamed := n[file][old]; renamed {
		return s.To
	}
	return old
}

// Renamed returns a function that maps the old ID of a step of a document to its new one, "" if the
// step is gone.
func (b *Reloaded) Renamed(file string) func(id string) string {
	names := newStepNames(b.Steps)
	return func(id string) string { return names.id(file, id) }
}

// applyReloaded replaces the version in force.
func (m *Machine) applyReloaded(b *Reloaded) {
	m.plan, _ = b.Load() // checkReloaded has loaded it successfully
	if m.programs[m.plan] == nil {
		m.programs = maps.Clone(m.programs)
		m.compile(m.plan)
	}
	m.vars, m.setBySteps, m.unfit = renameKeys(m.vars, b.Variables), renameKeys(m.setBySteps, b.Variables), renameKeys(m.unfit, b.Variables)
	maps.Copy(m.vars, b.Inputs)
	if b.Arrival != nil {
		m.frames = m.frames[:1]
	}
	names := newStepNames(b.Steps)
	prog, file, prefix := m.programs[m.plan], "", ""
	labels := labelNames{}
	for i, f := range m.frames {
		document := ""
		if i+1 < len(m.frames) {
			document = m.frames[i+1].document
		}
		childFile, below := f.fileOf(document), f.label
		mv := migration{f: f, prog: prog, id: func(id string) string { return names.id(file, id) }, labels: labels, prefix: prefix}
		mv.move(names[file])
		if document != "" {
			c, _ := prog.plan.Child(document)
			prog, file = m.programs[c.Plan], childFile
			prefix = f.label + strings.TrimPrefix(m.frames[i+1].prefix, below)
		}
	}
	for _, f := range m.frames {
		f.renameVariables(b.Variables)
	}
	m.renameHistory(labels)
	for _, r := range b.Actions {
		m.frames[r.Frame].resumeAt(r)
	}
	if b.Arrival != nil {
		f := m.top()
		f.phase, f.pending, f.open, f.due = arriving, *b.Arrival, openAction{}, nil
	}
}

// renameKeys returns the map with variables renamed. A variable may take the name that another one
// had.
func renameKeys[V any](byName map[string]V, names map[string]string) map[string]V {
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

// renameVariables renames the variables in the values that the current attempt has set or may still
// set.
func (f *frame) renameVariables(names map[string]string) {
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
	f.values.withheld, f.values.previous = assignments(f.values.withheld), slices.Clone(f.values.previous)
	for i, p := range f.values.previous {
		f.values.previous[i].Assignment = assignment(p.Assignment)
	}
	if end := f.open.heldEnd; end != nil {
		now := *end
		now.Set = assignments(end.Set)
		f.open.heldEnd = &now
	}
	for i, e := range f.due {
		if b, sets := e.Body.(*Captured); sets {
			now := *b
			now.Variable = cmp.Or(names[b.Variable], b.Variable)
			f.due[i].Body = &now
		}
	}
}

// renamedLabel is a visit's label and step in the new version. The zero value means that the step
// is gone.
type renamedLabel struct {
	label string
	node  *node
}

// labelNames maps old labels to new ones.
type labelNames map[string]renamedLabel

// renameHistory assigns the outputs of steps to the steps of the new version. The output of a step
// that is gone is dropped.
func (m *Machine) renameHistory(labels labelNames) {
	var history []plan.Record
	latest := map[string]int{}
	for i, r := range m.history {
		newest := m.latest[r.Label] == i
		if to, known := labels[r.Label]; known {
			if to.node == nil {
				continue
			}
			r.Label, r.Step = to.label, to.node.step
		}
		if newest {
			latest[r.Label] = len(history)
		}
		history = append(history, r)
	}
	m.history, m.latest = history, latest
}

// migration transfers a frame to the new version of its document.
type migration struct {
	f      *frame
	prog   *program
	id     func(old string) string
	labels labelNames
	prefix string
}

func (mv migration) node(old *node) *node {
	if old == nil {
		return nil
	}
	return mv.prog.byID[mv.id(old.step.ID)]
}

func (mv migration) move(matched map[string]MatchedStep) {
	f, before := mv.f, mv.f.prog
	oldCur, oldLast := f.cur, f.lastNode
	numbers := make([]int, len(mv.prog.nodes))
	for _, n := range before.nodes {
		if to := mv.node(n); to != nil {
			numbers[to.index] = f.numbers[n.index]
		}
	}
	f.prog, f.numbers, f.prefix = mv.prog, numbers, mv.prefix
	mv.moveVisits()
	f.entries, f.callers = mv.moveEntries(), mv.moveCallers()
	f.edits = mv.moveEdits(matched)
	f.pending.Step, f.pending.Caller = mv.optionalID(f.pending.Step), mv.optionalID(f.pending.Caller)
	f.cur, f.label, f.currentVisit = mv.newPosition(oldCur, f.label)
	f.lastNode, f.lastLabel, _ = mv.newPosition(oldLast, f.lastLabel)
	due := f.due[:0:0]
	for _, e := range f.due {
		to := mv.labels[e.Step]
		if to.node == nil {
			continue
		}
		e.Step, e.ID = to.label, idIfDifferent(to.node.step.ID, to.label)
		due = append(due, e)
	}
	f.due = due
}

func (mv migration) optionalID(id string) string {
	if id == "" {
		return ""
	}
	return mv.id(id)
}

// newPosition returns where a frame is in the new version: at its step, or at the innermost group
// around it that still exists.
func (mv migration) newPosition(old *node, label string) (*node, string, *visit) {
	if to := mv.labels[label]; to.node != nil {
		return to.node, to.label, mv.f.visits[to.label]
	}
	for ; old != nil; old = old.parent {
		if n := mv.node(old); n != nil {
			label := mv.f.labelOf(n, nil)
			return n, label, mv.f.visitOf(n, label)
		}
	}
	return nil, "", nil
}

func (mv migration) moveVisits() {
	f := mv.f
	visits := make(map[string]*visit, len(f.visits))
	for label, v := range f.visits {
		n := mv.node(v.node)
		if n == nil {
			mv.labels[label] = renamedLabel{}
			continue
		}
		numbers := v.numbers[:0:0]
		for _, x := range v.numbers {
			if id := mv.id(x.ID); mv.prog.byID[id] != nil {
				numbers = append(numbers, InstanceNumber{id, x.N})
			}
		}
		to := f.labelOf(n, numbers)
		v.node, v.numbers = n, numbers
		visits[to], mv.labels[label] = v, renamedLabel{to, n}
	}
	f.visits = visits
	for _, v := range visits {
		results := v.results
		v.results, v.index = nil, nil
		for _, r := range results {
			if to, known := mv.labels[r.Label]; known && to.node != nil && to.node.parent == v.node {
				v.record(to.label, r.Result)
			}
		}
	}
}

func (mv migration) moveEntries() map[string]int {
	out := make(map[string]int, len(mv.f.entries))
	for id, n := range mv.f.entries {
		if to := mv.id(id); to != "" {
			out[to] = n
		}
	}
	return out
}

func (mv migration) moveCallers() map[string]string {
	out := make(map[string]string, len(mv.f.callers))
	for id, caller := range mv.f.callers {
		if to, from := mv.id(id), mv.id(caller); to != "" && from != "" {
			out[to] = from
		}
	}
	return out
}

func (mv migration) moveEdits(matched map[string]MatchedStep) map[editKey]*Edited {
	out := make(map[editKey]*Edited, len(mv.f.edits))
	for at, b := range mv.f.edits {
		if to := mv.id(at.step); to != "" && !matched[at.step].Acts {
			out[editKey{to, at.action}] = b
		}
	}
	return out
}

// resumeAt continues the step in progress at another action. If the action changed and was begun,
// it becomes a question, because it may have had effects.
func (f *frame) resumeAt(r ResumedAction) {
	f.action = r.Action
	if f.open.nextDocument = r.DocumentIndex; !r.Changed {
		return
	}
	begun := f.open.started
	f.open = openAction{}
	if begun && r.Action < len(f.cur.step.Actions) {
		f.open = openAction{started: true, interrupted: true}
	}
}
