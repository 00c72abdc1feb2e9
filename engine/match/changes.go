package match

import (
	"slices"
	"strings"

	"playhead/parse/plan"
)

// Change is a step that differs between both versions, or with About a part of the document outside
// all steps.
type Change struct {
	Old, New  *plan.Step // nil: the step was added or removed
	Title     bool       // what differs
	Text      bool
	Actions   bool
	Condition bool // of an arm
	Routes    int  // how many of them differ
	Moved     bool
	Ambiguous bool   // an old step that several new ones match
	About     string // inputs, the system message …
}

// Step returns the step in its newest version, nil if the change is not about a step.
func (c Change) Step() *plan.Step {
	if c.New != nil {
		return c.New
	}
	return c.Old
}

// IsLost reports whether no step of the new version stands for the step.
func (c Change) IsLost() bool { return c.Old != nil && c.New == nil }

// IsOfStep reports whether the step differs in more than its routes and its condition.
func (c Change) IsOfStep() bool {
	return c.Step() != nil && (c.Old == nil || c.New == nil || c.Title || c.Text || c.Actions || c.Moved)
}

// Describe returns what happened to the step, such as "added" or "text, 1 route".
func (c Change) Describe() string {
	switch {
	case c.Step() == nil:
		return c.About
	case c.Old == nil:
		return "added"
	case c.Ambiguous:
		return "ambiguous: several steps match it"
	case c.New == nil:
		return "removed"
	}
	var parts []string
	for _, p := range []struct {
		is   bool
		noun string
	}{{c.Moved, "moved"}, {c.Title, "title"}, {c.Text, "text"}, {c.Actions, c.actionsNoun()}, {c.Condition, "condition"}} {
		if p.is {
			parts = append(parts, p.noun)
		}
	}
	if c.Routes > 0 {
		parts = append(parts, plan.Count(c.Routes, "route"))
	}
	return strings.Join(parts, ", ")
}

// actionsNoun names the actions of a changed step by their kind, if all have the same.
func (c Change) actionsNoun() string {
	noun := ""
	for _, a := range slices.Concat(c.Old.Actions, c.New.Actions) {
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

func (d *Document) comparison() comparison {
	return comparison{ids: d.ids, variables: d.variables, text: d.text}
}

// ActionsChanged reports whether a step in both versions acts differently in the new one.
func (d *Document) ActionsChanged(before, after *plan.Step) bool {
	c := d.comparison()
	return !slices.EqualFunc(before.Actions, after.Actions, func(a, b plan.Action) bool {
		return c.equal(withoutReplies(a), withoutReplies(b))
	})
}

// withoutReplies returns an action without the reply offers that are computed from the whole document.
func withoutReplies(a plan.Action) plan.Action {
	if w, ok := a.Work.(plan.Model); ok {
		w.Replies = nil
		a.Work = w
	}
	return a
}

func (d *Document) findChanges() {
	back := make(map[*plan.Step]*plan.Step, len(d.pairs))
	for before, after := range d.pairs {
		back[after] = before
	}
	order := map[*plan.Step]int{}
	for i, s := range allSteps(d.Old) {
		order[s] = i
	}
	moved := map[*plan.Step]bool{}
	d.findMoved(d.New.Steps, back, order, moved)
	d.New.Walk(func(now, _ *plan.Step) bool {
		before := back[now]
		if before == nil {
			d.Changes = append(d.Changes, Change{New: now})
			return true
		}
		if c := d.change(before, now); moved[now] || c.Routes > 0 || c.Condition || c.IsOfStep() {
			c.Moved = moved[now]
			d.Changes = append(d.Changes, c)
		}
		return true
	})
	d.Old.Walk(func(s, _ *plan.Step) bool {
		if d.pairs[s] == nil {
			d.Changes = append(d.Changes, Change{Old: s, Ambiguous: d.ambiguous[s.ID]})
		}
		return true
	})
	d.findOthers()
}

// findOthers compares what is outside all steps.
func (d *Document) findOthers() {
	c := d.comparison()
	for _, part := range []struct {
		name string
		a, b any
	}{
		{"inputs", d.Old.Inputs, d.New.Inputs},
		{"the system message", d.Old.System, d.New.System},
		{"the final output", d.Old.Artifact, d.New.Artifact},
		{"limits", withoutMessage(d.Old.Limit), withoutMessage(d.New.Limit)},
	} {
		if !c.equal(part.a, part.b) {
			d.Changes = append(d.Changes, Change{About: part.name})
		}
	}
}

// withoutMessage returns a limit without the sentence that names its place.
func withoutMessage(g plan.Guard) plan.Guard {
	g.Message = ""
	return g
}

func (d *Document) change(before, now *plan.Step) Change {
	c := d.comparison()
	out := Change{Old: before, New: now, Title: before.Title != now.Title && !now.IsArm(), Actions: d.ActionsChanged(before, now)}
	out.Text = !c.equal(before.Text, now.Text)
	out.Condition = before.Else != now.Else || !c.sameTest(before.When, now.When)
	for i := range max(len(before.Routes), len(now.Routes)) {
		if i >= len(before.Routes) || i >= len(now.Routes) || !c.equal(withoutSpelling(before.Routes[i]), withoutSpelling(now.Routes[i])) {
			out.Routes++
		}
	}
	if before.Join != now.Join || before.Template != now.Template || before.Aside != now.Aside {
		out.Actions = true
	}
	return out
}

// sameTest compares conditions except for the numbers in the names of variables.
func (c comparison) sameTest(a, b *plan.Test) bool {
	if a == nil || b == nil {
		return a == b
	}
	x, y := *a, *b
	if len(x.Path) > 0 && len(y.Path) > 0 && c.variables[x.Path[0]] == y.Path[0] {
		x.Path, x.Text, y.Text = y.Path, "", ""
	}
	return c.equal(x, y)
}

// withoutSpelling returns a route without the spelling of its moves, because only their effect counts.
func withoutSpelling(r plan.Route) plan.Route {
	r.Do = moveWithoutSpelling(r.Do)
	return r
}

func moveWithoutSpelling(m plan.Move) plan.Move {
	m.Text = ""
	if m.Then != nil {
		then := moveWithoutSpelling(*m.Then)
		m.Then = &then
	}
	return m
}

// findMoved finds the steps below a level that have another parent now, or another position among
// their siblings.
func (d *Document) findMoved(level []*plan.Step, back map[*plan.Step]*plan.Step, order map[*plan.Step]int, moved map[*plan.Step]bool) {
	var places []int
	var stay []*plan.Step
	for _, s := range level {
		switch before := back[s]; {
		case before == nil:
		case d.sameParent(before, s):
			stay, places = append(stay, s), append(places, order[before])
		default:
			moved[s] = true
		}
	}
	inOrder := longestIncreasing(places)
	for i, s := range stay {
		if !inOrder[i] {
			moved[s] = true
		}
	}
	for _, s := range level {
		d.findMoved(s.Children, back, order, moved)
	}
}

// longestIncreasing marks the members of a longest increasing subsequence.
func longestIncreasing(values []int) []bool {
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
