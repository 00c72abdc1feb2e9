// Package match finds the steps of one version of a document in another version, and describes the
// differences between the versions.
//
// A step is matched by its own key below its parent, then by its text and actions. If several steps
// match equally well, the step is ambiguous and matches none.
package match

import (
	"slices"
	"strings"

	"playhead/parse/plan"
)

// Match compares two versions of a document and of all that it includes.
type Match struct {
	Documents []*Document // the root document first

	pairs map[[2]*plan.Plan]bool
	text  func(string) string
}

// Document compares two versions of one document.
type Document struct {
	File     string // of an included document, as in plan.Child; empty: the root document
	Old, New *plan.Plan
	Changes  []Change

	ids       map[string]string // the IDs of new steps, by those of old ones
	ambiguous map[string]bool   // the IDs of old steps
	variables map[string]string // new names by old ones
	text      func(string) string
	pairs     map[*plan.Step]*plan.Step
	isMatched map[*plan.Step]bool // the new steps that are matched
	parents   map[*plan.Step]*plan.Step
}

// Documents matches two versions of a document that may have been loaded from different places.
// text replaces these places in a text by the same string. A nil text changes nothing.
func Documents(before, after *plan.Plan, text func(string) string) *Match {
	m := &Match{pairs: map[[2]*plan.Plan]bool{}, text: text}
	m.addDocument("", before, after)
	return m
}

func (m *Match) addDocument(file string, before, after *plan.Plan) {
	pair := [2]*plan.Plan{before, after}
	if m.pairs[pair] {
		return
	}
	m.pairs[pair] = true
	d := &Document{
		File: file, Old: before, New: after, text: m.text,
		ids: map[string]string{}, ambiguous: map[string]bool{}, variables: map[string]string{},
		pairs: map[*plan.Step]*plan.Step{}, isMatched: map[*plan.Step]bool{}, parents: map[*plan.Step]*plan.Step{},
	}
	m.Documents = append(m.Documents, d)
	if before == after {
		before.Walk(func(s, _ *plan.Step) bool { d.pair(s, s); return true })
		return
	}
	d.matchSteps()
	d.findChanges()
	for _, c := range before.Children {
		if now, ok := after.Child(c.Path); ok && c.Plan != nil && now.Plan != nil {
			m.addDocument(c.File, c.Plan, now.Plan)
		}
	}
}

// Of returns the comparison of an included document by its file, or of the root document for "". It
// is nil for a document that only one version includes.
func (m *Match) Of(file string) *Document {
	for _, d := range m.Documents {
		if d.File == file {
			return d
		}
	}
	return nil
}

// ID returns the new ID of an old step, "" if it is gone or ambiguous.
func (d *Document) ID(old string) string { return d.ids[old] }

// IsAmbiguous reports whether several new steps match an old one equally well.
func (d *Document) IsAmbiguous(old string) bool { return d.ambiguous[old] }

// Successor returns the ID of the new executable step to continue at in place of an old step that is
// lost: the one that follows the last executable step before it that is kept. It is "" if there is
// none.
func (d *Document) Successor(old string) string {
	lost, kept := d.Old.Find(old), ""
	if lost == nil {
		return ""
	}
	for _, s := range allSteps(d.Old) {
		if s == lost {
			break
		}
		if now := d.ids[s.ID]; s.IsExecutable() && now != "" {
			kept = now
		}
	}
	follows := kept == ""
	for _, s := range allSteps(d.New) {
		if follows && s.IsExecutable() {
			return s.ID
		}
		follows = follows || s.ID == kept
	}
	return ""
}

// Variables returns the new names, by old ones, of variables that are numbered like their steps.
func (d *Document) Variables() map[string]string { return d.variables }

func (d *Document) matchSteps() {
	for _, p := range []*plan.Plan{d.Old, d.New} {
		p.Walk(func(s, parent *plan.Step) bool {
			d.parents[s] = parent
			return true
		})
	}
	d.matchLevel(d.Old.Steps, d.New.Steps)
	d.matchRest(func(s *plan.Step) string { return s.Title + "\x00" + content(s) })
	d.matchRest(content)
	d.matchArms()
}

// matchLevel matches the steps below two matching parents by their own keys.
func (d *Document) matchLevel(before, after []*plan.Step) {
	classes := map[string][]*plan.Step{}
	for _, s := range after {
		if !d.isMatched[s] {
			classes[ownKey(s)] = append(classes[ownKey(s)], s)
		}
	}
	old := map[string][]*plan.Step{}
	var order []string
	for _, s := range before {
		if d.pairs[s] != nil {
			continue
		}
		key := ownKey(s)
		if old[key] == nil {
			order = append(order, key)
		}
		old[key] = append(old[key], s)
	}
	for _, key := range order {
		d.matchClass(old[key], classes[key])
	}
}

// matchClass matches steps with the same key: those with the same content, and then one remaining
// step of each version. Other remaining steps are ambiguous.
func (d *Document) matchClass(before, after []*plan.Step) {
	if len(before) == len(after) && slices.EqualFunc(before, after, func(a, b *plan.Step) bool {
		return len(before) == 1 || content(a) == content(b)
	}) {
		for i, s := range before {
			d.pairDeep(s, after[i])
		}
		return
	}
	d.matchUnique(before, after, content)
	before, after = d.unmatchedOld(before), d.unmatchedNew(after)
	switch {
	case len(before) == 1 && len(after) == 1:
		d.pairDeep(before[0], after[0])
	case len(after) > 0:
		for _, s := range before {
			d.ambiguous[s.ID] = true
		}
	}
}

// matchUnique matches steps with the same result of says if each version has exactly one of them.
func (d *Document) matchUnique(before, after []*plan.Step, says func(*plan.Step) string) {
	count := map[string]int{}
	for _, s := range before {
		count[says(s)]++
	}
	found := map[string][]*plan.Step{}
	for _, s := range after {
		found[says(s)] = append(found[says(s)], s)
	}
	for _, s := range before {
		text := says(s)
		switch n := len(found[text]); {
		case strings.Trim(text, "\x00") == "" || n == 0:
		case n == 1 && count[text] == 1:
			d.pairDeep(s, found[text][0])
		default:
			d.ambiguous[s.ID] = true
		}
	}
}

// matchRest matches steps that were moved or have another title.
func (d *Document) matchRest(says func(*plan.Step) string) {
	d.matchUnique(d.unmatchedOld(allSteps(d.Old)), d.unmatchedNew(allSteps(d.New)), says)
}

// matchArms matches arms at the same place in the tree, because an arm with another condition has
// another key.
func (d *Document) matchArms() {
	rest := map[string]*plan.Step{}
	for _, s := range d.unmatchedNew(allSteps(d.New)) {
		rest[s.ID] = s
	}
	for _, s := range d.unmatchedOld(allSteps(d.Old)) {
		now := rest[s.ID]
		if now == nil || d.pairs[s] != nil || d.isMatched[now] || d.ambiguous[s.ID] || !s.IsArm() || !now.IsArm() {
			continue
		}
		if d.sameParent(s, now) {
			d.pairDeep(s, now)
		}
	}
}

func (d *Document) sameParent(before, after *plan.Step) bool {
	p := d.parents[before]
	if p == nil {
		return d.parents[after] == nil
	}
	return d.pairs[p] != nil && d.pairs[p] == d.parents[after]
}

func (d *Document) pairDeep(before, after *plan.Step) {
	if d.pairs[before] != nil || d.isMatched[after] {
		return
	}
	d.pair(before, after)
	d.matchLevel(before.Children, after.Children)
}

func (d *Document) pair(before, after *plan.Step) {
	d.pairs[before], d.isMatched[after], d.ids[before.ID] = after, true, after.ID
	delete(d.ambiguous, before.ID)
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
			if name := y.Fields[j].Name; f.Name != name && f.Name != "" && name != "" {
				d.variables[f.Name] = name
			}
		}
	}
}

func (d *Document) unmatchedOld(all []*plan.Step) (out []*plan.Step) {
	for _, s := range all {
		if d.pairs[s] == nil {
			out = append(out, s)
		}
	}
	return out
}

func (d *Document) unmatchedNew(all []*plan.Step) (out []*plan.Step) {
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

// ownKey returns the last part of a step's key, without the number of a repetition.
func ownKey(s *plan.Step) string {
	key := s.Key[strings.LastIndexByte(s.Key, '/')+1:]
	if at := strings.LastIndexByte(key, '~'); at > 0 && strings.Trim(key[at+1:], "0123456789") == "" {
		key = key[:at]
	}
	return key
}

// content returns what a step says and does, without its title and without numbers.
func content(s *plan.Step) string {
	var b strings.Builder
	write := func(texts ...string) {
		for _, t := range texts {
			b.WriteString(strings.TrimSpace(t))
			b.WriteByte(0)
		}
	}
	write(plan.Source(s.Text))
	for _, a := range s.Actions {
		switch w := a.Work.(type) {
		case plan.Ask:
			for _, f := range w.Fields {
				write(plan.Source(f.Prompt), strings.Join(f.Options, "\x00"))
			}
		case plan.Decide:
			if w.Show != nil {
				write(w.Show.Text)
			}
		case plan.Command:
			write(plan.Source(w.Text))
			for _, p := range w.Argv {
				write(plan.Source(p))
			}
		case plan.Tool:
			write(w.Server, w.Name, plan.Source(w.Args))
		case plan.Fetch:
			write(w.Scheme, plan.Source(w.Ref))
		case plan.Model:
			write(w.Part, plan.Source(w.Prompt))
		case plan.Include:
			write(w.Docs...)
		}
	}
	for _, c := range s.Children {
		write(c.Title, content(c))
	}
	return b.String()
}

// ResumedAction returns where a run continues in the new version of a step after a number of its
// actions have finished. None of these is repeated. same reports whether the next action is the
// same as in the old version.
func (d *Document) ResumedAction(before, after *plan.Step, finished int) (at int, same bool) {
	c := d.comparison()
	equal := func(a, b plan.Action) bool { return c.equal(withoutReplies(a), withoutReplies(b)) }
	x, y := before.Actions, after.Actions
	finished = min(finished, len(x))
	start := 0
	for start < finished && start < len(y) && equal(x[start], y[start]) {
		start++
	}
	end := 0
	for end < len(x)-finished && end < len(y)-start && equal(x[len(x)-1-end], y[len(y)-1-end]) {
		end++
	}
	at = start + min(finished-start, len(y)-end-start)
	for i := len(y) - end - 1; i >= at; i-- {
		if slices.ContainsFunc(x[:finished], func(a plan.Action) bool { return equal(a, y[i]) }) {
			at = i + 1
			break
		}
	}
	return at, finished < len(x) && at < len(y) && c.equal(withoutReplies(x[finished]).Work, withoutReplies(y[at]).Work)
}

// ActionChanged reports whether an action of a step in both versions acts or is judged differently
// in the new one.
func (d *Document) ActionChanged(before, after *plan.Step, action int) bool {
	if action >= len(before.Actions) || action >= len(after.Actions) {
		return true
	}
	return !d.comparison().equal(withoutReplies(before.Actions[action]), withoutReplies(after.Actions[action]))
}

// Deciders returns the IDs of old steps at which the new version may decide differently.
func (d *Document) Deciders() map[string]bool {
	out := map[string]bool{}
	for _, c := range d.Changes {
		if c.Old != nil {
			out[c.Old.ID] = true
		}
		for _, s := range []*plan.Step{c.Old, c.New} { // a choice among arms is its group's decision
			p := d.parents[s]
			if s == nil || p == nil || !s.IsArm() {
				continue
			}
			for before, after := range d.pairs {
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
			if c.Step() == nil {
				if !slices.Contains(others, c.About) {
					others = append(others, c.About)
				}
				continue
			}
			routes += c.Routes
			if c.Condition {
				conditions++
			}
			if c.IsOfStep() {
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
			parts = append(parts, plan.Count(p.n, p.noun))
		}
	}
	return strings.Join(append(parts, others...), ", ")
}

// Changes returns the differences, in the order of the documents.
func (m *Match) Changes() (out []Change) {
	for _, d := range m.Documents {
		out = append(out, d.Changes...)
	}
	return out
}
