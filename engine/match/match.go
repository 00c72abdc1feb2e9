// Package match finds the steps of one version of a document in another version, and describes the
// differences between the versions.
//
// A step is matched by its own key below its parent, then by its text and actions. At the same place in the
// tree, groups are matched by the keys of their substeps, and arms by the place alone. If several steps
// match equally well, the step is ambiguous and matches none.
package match

import (
	"maps"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// Match compares two versions of a document and of all that it includes.
type Match struct {
	Documents []*DocumentMatch // the root document first

	comparedPlans map[[2]*plan.Plan]bool
	normalizeText func(string) string
}

// DocumentMatch compares two versions of one document.
type DocumentMatch struct {
	IncludedFile     string // of an included document, as in plan.IncludedDocument; empty: the root document
	OldPlan, NewPlan *plan.Plan
	Changes          []Change

	newIDByOld       map[string]string // the IDs of new steps, by those of old ones
	ambiguousIDs     map[string]bool   // the IDs of old steps
	newVariableByOld map[string]string // new names by old ones
	keptVariables    map[string]bool   // the names that a matched step uses in both versions
	normalizeText    func(string) string
	newStepByOld     map[*plan.Step]*plan.Step
	isMatched        map[*plan.Step]bool // the new steps that are matched
	parentByStep     map[*plan.Step]*plan.Step
}

// Documents matches two versions of a document that may have been loaded from different places.
// normalizeText replaces these places in a text by the same string. If it is nil, texts are compared as they are.
func Documents(before, after *plan.Plan, normalizeText func(string) string) *Match {
	m := &Match{comparedPlans: map[[2]*plan.Plan]bool{}, normalizeText: normalizeText}
	m.addDocument("", before, after)
	return m
}

func (m *Match) addDocument(file string, before, after *plan.Plan) {
	pair := [2]*plan.Plan{before, after}
	if m.comparedPlans[pair] {
		return
	}
	m.comparedPlans[pair] = true
	d := &DocumentMatch{
		IncludedFile: file, OldPlan: before, NewPlan: after, normalizeText: m.normalizeText,
		newIDByOld: map[string]string{}, ambiguousIDs: map[string]bool{}, newVariableByOld: map[string]string{}, keptVariables: map[string]bool{},
		newStepByOld: map[*plan.Step]*plan.Step{}, isMatched: map[*plan.Step]bool{}, parentByStep: map[*plan.Step]*plan.Step{},
	}
	m.Documents = append(m.Documents, d)
	if before == after {
		before.Walk(func(s, _ *plan.Step) bool { d.addPair(s, s); return true })
		return
	}
	d.matchSteps()
	d.findChanges()
	for _, c := range before.IncludedDocuments {
		if now, ok := after.IncludedDocument(c.WrittenPath); ok && c.Plan != nil && now.Plan != nil {
			m.addDocument(c.File, c.Plan, now.Plan)
		}
	}
}

// FindDocument returns the comparison of an included document by its file, or of the root document for "". It
// is nil for a document that only one version includes.
func (m *Match) FindDocument(file string) *DocumentMatch {
	for _, d := range m.Documents {
		if d.IncludedFile == file {
			return d
		}
	}
	return nil
}

// NewID returns the new ID of an old step, "" if it is gone or ambiguous.
func (d *DocumentMatch) NewID(old string) string { return d.newIDByOld[old] }

// IsAmbiguous reports whether several new steps match an old one equally well.
func (d *DocumentMatch) IsAmbiguous(old string) bool { return d.ambiguousIDs[old] }

// SuccessorID returns the ID of the new executable step to continue at in place of an old step that is
// lost: the one that follows the last executable step before it that is kept. It is "" if there is
// none.
func (d *DocumentMatch) SuccessorID(old string) string {
	lost, predecessorID := d.OldPlan.FindStep(old), ""
	if lost == nil {
		return ""
	}
	for _, s := range allSteps(d.OldPlan) {
		if s == lost {
			break
		}
		if now := d.newIDByOld[s.ID]; s.IsExecutable() && now != "" {
			predecessorID = now
		}
	}
	follows := predecessorID == ""
	for _, s := range allSteps(d.NewPlan) {
		if follows && s.IsExecutable() {
			return s.ID
		}
		follows = follows || s.ID == predecessorID
	}
	return ""
}

// RenamedVariables returns the new names, by old ones, of variables that are numbered like their steps. A variable keeps
// its name if another step still assigns its answer to it, or if another variable has the new name too: only one of the
// two values could have that name.
func (d *DocumentMatch) RenamedVariables() map[string]string {
	countByNew := map[string]int{}
	for _, to := range d.newVariableByOld {
		countByNew[to]++
	}
	out := maps.Clone(d.newVariableByOld)
	maps.DeleteFunc(out, func(from, to string) bool {
		return d.keptVariables[from] || d.keptVariables[to] || countByNew[to] > 1
	})
	return out
}

func (d *DocumentMatch) matchSteps() {
	for _, p := range []*plan.Plan{d.OldPlan, d.NewPlan} {
		p.Walk(func(s, parent *plan.Step) bool {
			d.parentByStep[s] = parent
			return true
		})
	}
	d.matchSiblings(d.OldPlan.Steps, d.NewPlan.Steps)
	d.matchRemaining(func(s *plan.Step) string { return s.Title + "\x00" + stepContent(s) })
	d.matchSiblingsByContent()
	d.matchRemaining(stepContent)
	d.matchRemaining(stepContentWithoutTitles)
	d.matchAtSamePlace(d.haveCommonChild)
	d.matchSiblingsByContent()
	d.matchAtSamePlace(areArms)
}

// matchSiblingsByContent matches the remaining steps below matching parents by their content.
func (d *DocumentMatch) matchSiblingsByContent() {
	match := func(before, after []*plan.Step) {
		d.matchUnique(d.unmatchedOld(before), d.unmatchedNew(after), stepContent)
	}
	match(d.OldPlan.Steps, d.NewPlan.Steps)
	for _, s := range allSteps(d.OldPlan) {
		if now := d.newStepByOld[s]; now != nil {
			match(s.Children, now.Children)
		}
	}
}

// matchSiblings matches the steps below two matching parents by their own keys.
func (d *DocumentMatch) matchSiblings(before, after []*plan.Step) {
	newByKey := map[string][]*plan.Step{}
	for _, s := range after {
		if !d.isMatched[s] {
			newByKey[lastKeyPart(s)] = append(newByKey[lastKeyPart(s)], s)
		}
	}
	oldByKey := map[string][]*plan.Step{}
	var order []string
	for _, s := range before {
		if d.newStepByOld[s] != nil {
			continue
		}
		key := lastKeyPart(s)
		if oldByKey[key] == nil {
			order = append(order, key)
		}
		oldByKey[key] = append(oldByKey[key], s)
	}
	for _, key := range order {
		d.matchSameKey(oldByKey[key], newByKey[key])
	}
}

// matchSameKey matches steps with the same key: those with the same content, and then one remaining
// step of each version. Other remaining steps are ambiguous.
func (d *DocumentMatch) matchSameKey(before, after []*plan.Step) {
	if len(before) == len(after) && slices.EqualFunc(before, after, func(a, b *plan.Step) bool {
		return len(before) == 1 || stepContent(a) == stepContent(b)
	}) {
		for i, s := range before {
			d.pairWithChildren(s, after[i])
		}
		return
	}
	d.matchUnique(before, after, stepContent)
	before, after = d.unmatchedOld(before), d.unmatchedNew(after)
	switch {
	case len(before) == 1 && len(after) == 1:
		d.pairWithChildren(before[0], after[0])
	case len(after) > 0:
		for _, s := range before {
			d.ambiguousIDs[s.ID] = true
		}
	}
}

// matchUnique matches steps with the same content if each version has exactly one of them. Other steps with the
// same content are ambiguous.
func (d *DocumentMatch) matchUnique(before, after []*plan.Step, contentOf func(*plan.Step) string) {
	count := map[string]int{}
	for _, s := range before {
		count[contentOf(s)]++
	}
	found := map[string][]*plan.Step{}
	for _, s := range after {
		found[contentOf(s)] = append(found[contentOf(s)], s)
	}
	for _, s := range before {
		text := contentOf(s)
		switch n := len(found[text]); {
		case isBlank(text) || n == 0:
		case n == 1 && count[text] == 1:
			d.pairWithChildren(s, found[text][0])
		default:
			d.ambiguousIDs[s.ID] = true
		}
	}
}

// matchRemaining matches the steps that have no match yet by their content, wherever they are.
func (d *DocumentMatch) matchRemaining(contentOf func(*plan.Step) string) {
	d.matchUnique(d.unmatchedOld(allSteps(d.OldPlan)), d.unmatchedNew(allSteps(d.NewPlan)), contentOf)
}

// areArms reports whether two steps are arms. They are matched by their place, because the key of an arm contains its
// condition.
func areArms(before, after *plan.Step) bool { return before.IsArm() && after.IsArm() }

// haveCommonChild reports whether two steps are probably the same group, with another title: they have a substep with the
// same key, or with the same content, and no substep of the old one is elsewhere now. Arms have the same keys everywhere.
func (d *DocumentMatch) haveCommonChild(before, after *plan.Step) bool {
	hasCommon, oldKeys := false, map[string]bool{}
	for _, c := range before.Children {
		switch now := d.newStepByOld[c]; {
		case now != nil && d.parentByStep[now] != after:
			return false
		case now != nil:
			hasCommon = true
		case !c.IsArm():
			oldKeys[lastKeyPart(c)] = true
		}
	}
	return hasCommon || slices.ContainsFunc(after.Children, func(c *plan.Step) bool { return !d.isMatched[c] && !c.IsArm() && oldKeys[lastKeyPart(c)] })
}

// matchAtSamePlace matches the remaining steps that are at the same place in the tree, if they are alike.
func (d *DocumentMatch) matchAtSamePlace(areAlike func(before, after *plan.Step) bool) {
	rest := map[string]*plan.Step{}
	for _, s := range d.unmatchedNew(allSteps(d.NewPlan)) {
		rest[s.ID] = s
	}
	for _, s := range d.unmatchedOld(allSteps(d.OldPlan)) {
		now := rest[s.ID]
		if now == nil || d.newStepByOld[s] != nil || d.isMatched[now] || d.ambiguousIDs[s.ID] || !areAlike(s, now) {
			continue
		}
		if d.haveSameParent(s, now) {
			d.pairWithChildren(s, now)
		}
	}
}

func (d *DocumentMatch) haveSameParent(before, after *plan.Step) bool {
	p := d.parentByStep[before]
	if p == nil {
		return d.parentByStep[after] == nil
	}
	return d.newStepByOld[p] != nil && d.newStepByOld[p] == d.parentByStep[after]
}

// pairWithChildren matches two steps and then their children, unless one of the two is matched already.
func (d *DocumentMatch) pairWithChildren(before, after *plan.Step) {
	if d.newStepByOld[before] != nil || d.isMatched[after] {
		return
	}
	d.addPair(before, after)
	d.matchSiblings(before.Children, after.Children)
}

// addPair records that two steps match, and which variables of their questions have another name.
func (d *DocumentMatch) addPair(before, after *plan.Step) {
	d.newStepByOld[before], d.isMatched[after], d.newIDByOld[before.ID] = after, true, after.ID
	delete(d.ambiguousIDs, before.ID)
	if len(before.Actions) != len(after.Actions) {
		return
	}
	for i, a := range before.Actions {
		x, asks := a.Work.(plan.Ask)
		y, still := after.Actions[i].Work.(plan.Ask)
		if !asks || !still || len(x.Fields) != len(y.Fields) {
			continue
		}
		for j, f := range x.Fields {
			switch name := y.Fields[j].Name; {
			case f.Name == name:
				d.keptVariables[name] = true
			case f.Name != "" && name != "":
				d.newVariableByOld[f.Name] = name
			}
		}
	}
}

func (d *DocumentMatch) unmatchedOld(all []*plan.Step) (out []*plan.Step) {
	for _, s := range all {
		if d.newStepByOld[s] == nil {
			out = append(out, s)
		}
	}
	return out
}

func (d *DocumentMatch) unmatchedNew(all []*plan.Step) (out []*plan.Step) {
	for _, s := range all {
		if !d.isMatched[s] {
			out = append(out, s)
		}
	}
	return out
}

func allSteps(p *plan.Plan) (out []*plan.Step) {
	p.Walk(func(s, _ *plan.Step) bool {
		out = append(out, s)
		return true
	})
	return out
}

// lastKeyPart returns the last part of a step's key, without the number of a repetition.
func lastKeyPart(s *plan.Step) string {
	key := s.StableKey[strings.LastIndexByte(s.StableKey, '/')+1:]
	if at := strings.LastIndexByte(key, '~'); at > 0 && strings.Trim(key[at+1:], "0123456789") == "" {
		key = key[:at]
	}
	return key
}

// stepContent returns what a step says and does, without its own title and without numbers.
func stepContent(s *plan.Step) string {
	return contentWithChildTitles(s, func(child *plan.Step) string { return child.Title })
}

// stepContentWithoutTitles leaves out the titles of the substeps too, because they may be renamed together with the step. It
// is "" if a substep consists of its title only.
func stepContentWithoutTitles(s *plan.Step) string {
	if slices.ContainsFunc(s.Children, func(c *plan.Step) bool { return isBlank(stepContentWithoutTitles(c)) }) {
		return ""
	}
	return contentWithChildTitles(s, func(*plan.Step) string { return "" })
}

// isBlank reports whether a content is empty apart from separators.
func isBlank(content string) bool { return strings.Trim(content, "\x00") == "" }

func contentWithChildTitles(s *plan.Step, childTitle func(*plan.Step) string) string {
	var b strings.Builder
	write := func(texts ...string) {
		for _, t := range texts {
			b.WriteString(strings.TrimSpace(t))
			b.WriteByte(0)
		}
	}
	write(plan.SourceText(s.Text))
	for _, a := range s.Actions {
		switch w := a.Work.(type) {
		case plan.Ask:
			for _, f := range w.Fields {
				write(plan.SourceText(f.Prompt), strings.Join(f.Options, "\x00"))
			}
		case plan.Decide:
			if w.ShownBlock != nil {
				write(w.ShownBlock.Text)
			}
		case plan.Command:
			write(plan.SourceText(w.Text))
			for _, p := range w.Argv {
				write(plan.SourceText(p))
			}
		case plan.Tool:
			write(w.Server, w.Name, plan.SourceText(w.Args))
		case plan.Fetch:
			write(w.Scheme, plan.SourceText(w.Ref))
		case plan.Model:
			write(w.CallName, plan.SourceText(w.Prompt))
		case plan.Include:
			write(w.DocumentPaths...)
		}
	}
	for _, c := range s.Children {
		write(childTitle(c), contentWithChildTitles(c, childTitle))
	}
	return b.String()
}

// ResumedActionIndex returns where a run continues in the new version of a step after a number of its
// actions have finished. None of these is repeated. same reports whether the next action is the
// same as in the old version.
func (d *DocumentMatch) ResumedActionIndex(before, after *plan.Step, finished int) (at int, same bool) {
	c := d.newComparison()
	x, y := before.Actions, after.Actions
	finished = min(finished, len(x))
	start := 0
	for start < finished && start < len(y) && c.equalActions(x[start], y[start]) {
		start++
	}
	end := 0
	for end < len(x)-finished && end < len(y)-start && c.equalActions(x[len(x)-1-end], y[len(y)-1-end]) {
		end++
	}
	at = start + min(finished-start, len(y)-end-start)
	for i := len(y) - end - 1; i >= at; i-- {
		if slices.ContainsFunc(x[:finished], func(a plan.Action) bool { return c.equalActions(a, y[i]) }) {
			at = i + 1
			break
		}
	}
	return at, finished < len(x) && at < len(y) && c.equal(withoutReplyOffers(x[finished]).Work, withoutReplyOffers(y[at]).Work)
}

// ActionChanged reports whether an action of a step in both versions acts or is judged differently
// in the new one.
func (d *DocumentMatch) ActionChanged(before, after *plan.Step, action int) bool {
	if action >= len(before.Actions) || action >= len(after.Actions) {
		return true
	}
	return !d.newComparison().equalActions(before.Actions[action], after.Actions[action])
}

// AffectedDecisionIDs returns the IDs of old steps at which the new version may decide differently.
func (d *DocumentMatch) AffectedDecisionIDs() map[string]bool {
	out := map[string]bool{}
	for _, c := range d.Changes {
		if c.OldStep != nil {
			out[c.OldStep.ID] = true
		}
		for _, s := range []*plan.Step{c.OldStep, c.NewStep} { // a choice among arms is its group's decision
			p := d.parentByStep[s]
			if s == nil || p == nil || !s.IsArm() {
				continue
			}
			for before, after := range d.newStepByOld {
				if before == p || after == p {
					out[before.ID] = true
				}
			}
		}
	}
	return out
}

// Summary returns how much differs, such as "2 steps, 1 route", "" if nothing does.
func (m *Match) Summary() string {
	steps, routes, conditions := 0, 0, 0
	var others []string
	for _, d := range m.Documents {
		for _, c := range d.Changes {
			if c.NewestStep() == nil {
				if !slices.Contains(others, c.PartName) {
					others = append(others, c.PartName)
				}
				continue
			}
			routes += c.ChangedRouteCount
			if c.ConditionChanged {
				conditions++
			}
			if c.changesStepItself() {
				steps++
			}
		}
	}
	var parts []string
	for _, p := range []struct {
		n    int
		noun string
	}{{steps, "step"}, {routes, "route"}, {conditions, "condition"}} {
		if p.n > 0 {
			parts = append(parts, plan.CountText(p.n, p.noun))
		}
	}
	return strings.Join(append(parts, others...), ", ")
}

// AllChanges returns the differences, in the order of the documents.
func (m *Match) AllChanges() (out []Change) {
	for _, d := range m.Documents {
		out = append(out, d.Changes...)
	}
	return out
}
