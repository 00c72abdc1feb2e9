package match

import (
	"slices"
	"strings"

	"playhead/engine/linediff"
	"playhead/parse/plan"
)

// Change is a step that differs between the two versions. If PartName is set, it is a part of the document
// outside all steps instead.
type Change struct {
	OldStep, NewStep  *plan.Step // nil: the step was added or removed
	TitleChanged      bool       // the title differs, as do the parts below
	LabelChanged      bool       // and not because steps before it were added, removed or moved
	TextChanged       bool
	ActionsChanged    bool
	ConditionChanged  bool // of an arm
	ChangedRouteCount int  // how many routes differ
	IsMoved           bool
	IsAmbiguous       bool   // several new steps match the old step
	PartName          string // inputs, the system message …
}

// NewestStep returns the step in its newest version, nil if the change is not about a step.
func (c Change) NewestStep() *plan.Step {
	if c.NewStep != nil {
		return c.NewStep
	}
	return c.OldStep
}

// IsLost reports whether no step of the new version stands for the step.
func (c Change) IsLost() bool { return c.OldStep != nil && c.NewStep == nil }

// changesStepItself reports whether the step differs in more than its routes and its condition.
func (c Change) changesStepItself() bool {
	return c.NewestStep() != nil && (c.OldStep == nil || c.NewStep == nil || c.TitleChanged || c.LabelChanged || c.TextChanged || c.ActionsChanged || c.IsMoved)
}

// Describe returns what happened to the step, such as "added" or "text, 1 route".
func (c Change) Describe() string {
	switch {
	case c.NewestStep() == nil:
		return c.PartName
	case c.OldStep == nil:
		return "added"
	case c.IsAmbiguous:
		return "several steps in the new version match it"
	case c.NewStep == nil:
		return "removed"
	}
	var parts []string
	for _, p := range []struct {
		is   bool
		noun string
	}{{c.IsMoved, "moved"}, {c.TitleChanged, "title"}, {c.LabelChanged, "label (was " + c.OldStep.ID + ")"}, {c.TextChanged, "text"}, {c.ActionsChanged, c.actionsNoun()}, {c.ConditionChanged, "condition"}} {
		if p.is {
			parts = append(parts, p.noun)
		}
	}
	if c.ChangedRouteCount > 0 {
		parts = append(parts, plan.CountText(c.ChangedRouteCount, "route"))
	}
	return strings.Join(parts, ", ")
}

// actionsNoun names the actions of a changed step by their kind, if all have the same.
func (c Change) actionsNoun() string {
	noun := ""
	for _, a := range slices.Concat(c.OldStep.Actions, c.NewStep.Actions) {
		kind := "actions"
		switch a.Work.(type) {
		case plan.Command:
			kind = "command"
		case plan.Model:
			kind = "prompt"
		}
		if noun != "" && noun != kind {
			return "actions"
		}
		noun = kind
	}
	return noun
}

func (d *DocumentMatch) newComparison() comparison {
	return comparison{newIDByOld: d.newIDByOld, newVariableByOld: d.newVariableByOld, normalizeText: d.normalizeText}
}

// actionsChanged reports whether a step in both versions acts differently in the new one.
func (d *DocumentMatch) actionsChanged(before, after *plan.Step) bool {
	return !slices.EqualFunc(before.Actions, after.Actions, d.newComparison().equalActions)
}

// equalActions compares actions without the reply offers that are computed from the whole document.
func (c comparison) equalActions(a, b plan.Action) bool {
	return c.equal(withoutReplyOffers(a), withoutReplyOffers(b))
}

// withoutReplyOffers returns an action without the reply offers that are computed from the whole document.
func withoutReplyOffers(a plan.Action) plan.Action {
	if w, ok := a.Work.(plan.Model); ok {
		w.ReplyChoiceSource = nil
		a.Work = w
	}
	return a
}

// findChanges fills Changes: first the steps that were added or differ, in the new order, then the lost ones, then the parts
// outside all steps.
func (d *DocumentMatch) findChanges() {
	oldByNew := make(map[*plan.Step]*plan.Step, len(d.newStepByOld))
	for before, after := range d.newStepByOld {
		oldByNew[after] = before
	}
	order := map[*plan.Step]int{}
	for i, s := range allSteps(d.OldPlan) {
		order[s] = i
	}
	moved := map[*plan.Step]bool{}
	d.findMoved(d.NewPlan.Steps, oldByNew, order, moved)
	oldPositions, newPositions := d.labelPositions(d.OldPlan), d.labelPositions(d.NewPlan)
	for _, now := range allSteps(d.NewPlan) {
		before := oldByNew[now]
		if before == nil {
			d.Changes = append(d.Changes, Change{NewStep: now})
			continue
		}
		c := d.compareSteps(before, now)
		c.IsMoved = moved[now]
		c.LabelChanged = !c.IsMoved && oldPositions[before] == newPositions[now] && d.hasNewOwnLabel(before, now)
		if c.ChangedRouteCount > 0 || c.ConditionChanged || c.changesStepItself() {
			d.Changes = append(d.Changes, c)
		}
	}
	d.OldPlan.Walk(func(s, _ *plan.Step) bool {
		if d.newStepByOld[s] == nil {
			d.Changes = append(d.Changes, Change{OldStep: s, IsAmbiguous: d.ambiguousIDs[s.ID]})
		}
		return true
	})
	d.findChangesOutsideSteps()
}

// hasNewOwnLabel reports whether the label of a step differs in more than the label of the step around it. Arms have no
// labels that a document writes.
func (d *DocumentMatch) hasNewOwnLabel(before, now *plan.Step) bool {
	if before.ID == now.ID || now.IsArm() {
		return false
	}
	parent := d.labeledParent(before)
	return parent == nil || d.newIDByOld[parent.ID] == parent.ID
}

// labeledParent returns the step with a label of its own around a step, nil if there is none.
func (d *DocumentMatch) labeledParent(s *plan.Step) *plan.Step {
	parent := d.parentByStep[s]
	for parent != nil && parent.IsArm() {
		parent = d.parentByStep[parent]
	}
	return parent
}

// labelPositions returns for each step of a version how many steps are before it below the same labeled parent. These are
// the steps on which the number in its label depends.
func (d *DocumentMatch) labelPositions(p *plan.Plan) map[*plan.Step]int {
	positions, count := map[*plan.Step]int{}, map[*plan.Step]int{}
	for _, s := range allSteps(p) {
		if !s.IsArm() {
			parent := d.labeledParent(s)
			positions[s] = count[parent]
			count[parent]++
		}
	}
	return positions
}

// findChangesOutsideSteps compares what is outside all steps.
func (d *DocumentMatch) findChangesOutsideSteps() {
	c := d.newComparison()
	for _, part := range []struct {
		name string
		a, b any
	}{
		{"inputs", d.OldPlan.Inputs, d.NewPlan.Inputs},
		{"the system prompt", withoutStepData(d.OldPlan.SystemPrompt), withoutStepData(d.NewPlan.SystemPrompt)},
		{"the final output", d.OldPlan.ArtifactType, d.NewPlan.ArtifactType},
		{"limits", entryLimitWithoutMessage(d.OldPlan.EntryLimit), entryLimitWithoutMessage(d.NewPlan.EntryLimit)},
	} {
		if !c.equal(part.a, part.b) {
			d.Changes = append(d.Changes, Change{PartName: part.name})
		}
	}
}

// withoutStepData returns a prompt without what it takes from the steps of the document, whose changes are their own.
func withoutStepData(p plan.Prompt) plan.Prompt {
	if collects, ok := p.(plan.StepDataPrompt); ok {
		return collects.WithoutStepData()
	}
	return p
}

// entryLimitWithoutMessage returns a limit without its message, which may name the place of the limit.
func entryLimitWithoutMessage(g plan.EntryLimit) plan.EntryLimit {
	g.Message = ""
	return g
}

// compareSteps returns how a step differs between the versions, apart from a move.
func (d *DocumentMatch) compareSteps(before, now *plan.Step) Change {
	c := d.newComparison()
	out := Change{OldStep: before, NewStep: now, TitleChanged: before.Title != now.Title && !now.IsArm(), ActionsChanged: d.actionsChanged(before, now)}
	out.TextChanged = !c.equal(before.Text, now.Text)
	out.ConditionChanged = before.IsElseOrElif != now.IsElseOrElif || !c.equalTests(before.ArmTest, now.ArmTest)
	out.ChangedRouteCount = c.changedRouteCount(before.Routes, now.Routes)
	if before.Join != now.Join || before.HasInstances != now.HasInstances || before.IsTargetOnly != now.IsTargetOnly {
		out.ActionsChanged = true
	}
	return out
}

// changedRouteCount returns how many routes differ. An added or removed route counts once: equal routes at the end are
// matched with each other.
func (c comparison) changedRouteCount(before, now []plan.Route) int {
	areEqual := func(i, j int) bool { return c.equal(routeWithoutSpelling(before[i]), routeWithoutSpelling(now[j])) }
	for len(before) > 0 && len(now) > 0 && areEqual(len(before)-1, len(now)-1) {
		before, now = before[:len(before)-1], now[:len(now)-1]
	}
	count := 0
	for i := range max(len(before), len(now)) {
		if i >= len(before) || i >= len(now) || !areEqual(i, i) {
			count++
		}
	}
	return count
}

// equalTests compares conditions except for the numbers in the names of variables.
func (c comparison) equalTests(a, b *plan.Test) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	if len(x.Path) > 0 && len(y.Path) > 0 && c.newVariableByOld[x.Path[0]] == y.Path[0] {
		x.Path, x.SourceText, y.SourceText = y.Path, "", ""
	}
	return c.equal(x, y)
}

// routeWithoutSpelling returns a route without the spelling of its moves, because only their effect counts.
func routeWithoutSpelling(r plan.Route) plan.Route {
	r.Do = moveWithoutSpelling(r.Do)
	return r
}

func moveWithoutSpelling(m plan.Move) plan.Move {
	m.SourceText = ""
	if m.AfterLimit != nil {
		then := moveWithoutSpelling(*m.AfterLimit)
		m.AfterLimit = &then
	}
	return m
}

// findMoved marks in moved the steps at a level and below that have another parent than before, or another position
// among their siblings. order has the positions of all old steps.
func (d *DocumentMatch) findMoved(level []*plan.Step, oldByNew map[*plan.Step]*plan.Step, order map[*plan.Step]int, moved map[*plan.Step]bool) {
	var places []int
	var siblings []*plan.Step
	for _, s := range level {
		switch before := oldByNew[s]; {
		case before == nil:
		case d.haveSameParent(before, s):
			siblings, places = append(siblings, s), append(places, order[before])
		default:
			moved[s] = true
		}
	}
	inOrder := markLongestIncreasing(places)
	for i, s := range siblings {
		if !inOrder[i] {
			moved[s] = true
		}
	}
	for _, s := range level {
		d.findMoved(s.Children, oldByNew, order, moved)
	}
}

// markLongestIncreasing marks the members of a longest increasing subsequence.
func markLongestIncreasing(values []int) []bool {
	var tails []int // the indices of the smallest last members, by length
	before := make([]int, len(values))
	for i, v := range values {
		at, _ := slices.BinarySearchFunc(tails, v, func(tail, v int) int { return values[tail] - v })
		before[i] = -1
		if at > 0 {
			before[i] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, i)
		} else {
			tails[at] = i
		}
	}
	out := make([]bool, len(values))
	if len(tails) == 0 {
		return out
	}
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		out[i] = true
	}
	return out
}

// FileDiff has the lines in which a file of a document differs between two versions.
type FileDiff struct {
	Path  string
	Hunks []linediff.Hunk
}

// FileDiffs returns how the files of the new version differ from those of the old one. A new file differs in
// all lines.
func (m *Match) FileDiffs() (out []FileDiff) {
	before := map[string][]byte{}
	for _, d := range m.Documents {
		for _, f := range d.OldPlan.SourceFiles() {
			before[m.normalizedPath(f.Path)] = f.Source
		}
	}
	for _, d := range m.Documents {
		for _, f := range d.NewPlan.SourceFiles() {
			path := m.normalizedPath(f.Path)
			if hunks := linediff.CompareLines(linediff.SplitLines(before[path]), linediff.SplitLines(f.Source)); len(hunks) > 0 {
				out = append(out, FileDiff{path, hunks})
			}
			before[path] = f.Source // documents can share a file
		}
	}
	return out
}

func (m *Match) normalizedPath(path string) string {
	if m.normalizeText == nil {
		return path
	}
	return m.normalizeText(path)
}
