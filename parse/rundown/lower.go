package rundown

import (
	"strings"

	"playhead/parse/plan"
)

// lower turns the units into the Plan's steps.
func (d *document) lower(x index) []*plan.Step {
	n := 0
	d.each(func(u *section) {
		if !u.bare() {
			n++
		}
	})
	l := lowering{
		d: d, loop: x.loop != nil,
		steps: make([]plan.Step, 0, len(d.units)), actions: make([]plan.Action, 0, n), routes: make([]plan.Route, 0, 2*n),
	}
	own := keys("", d.steps)
	out := make([]*plan.Step, 0, len(d.steps))
	for i, u := range d.steps {
		out = append(out, l.step(u, own[i]))
	}
	return out
}

// lowering holds what the conversion of all steps shares.
type lowering struct {
	d    *document
	loop bool // the document has a {N} step

	// The elements of all steps are allocated at once.
	steps   []plan.Step
	actions []plan.Action
	routes  []plan.Route
}

func (l *lowering) step(u *section, key string) *plan.Step {
	l.steps = append(l.steps, plan.Step{
		ID: u.fullID(), Key: key, Kind: u.shownKind(), Title: u.title,
		Label: u.label(), Heading: l.titlePrompt(u), Text: l.text(u),
		Aside:    u.parent == nil && u.kind == named,
		Template: u.kind == dynamic,
		Join:     u.join(), Extra: u.extra(), Span: l.span(u.at, u.last),
	})
	s := &l.steps[len(l.steps)-1]
	if u.bare() {
		return s
	}
	s.Routes = l.routesOf(u)
	if n := len(l.actions); len(u.subs) == 0 {
		l.actions = append(l.actions, l.action(u))
		s.Actions = l.actions[n : n+1 : n+1]
		return s
	}
	s.Children = make([]*plan.Step, 0, len(u.subs))
	for i, k := range keys(key+"/", u.subs) {
		s.Children = append(s.Children, l.step(u.subs[i], k))
	}
	return s
}

// bare reports whether a unit is nothing but an invalid heading.
func (u *section) bare() bool { return u.kind == broken && len(u.elements) == 0 && len(u.subs) == 0 }

// span returns the span from an offset to a line.
func (l *lowering) span(at, last int) plan.Span {
	line, column := l.d.src.place(at)
	return plan.Span{Line: line, Column: column, End: max(line, last+1)}
}

// shownKind returns the kind of the step for `show`.
func (u *section) shownKind() string {
	switch {
	case u.kind == named:
		return "named"
	case u.kind == dynamic:
		return "dynamic"
	case u.parent != nil:
		return "substep"
	}
	return "step"
}

// aggregate says when each side of a unit's transitions is taken.
type aggregate struct {
	Pass string `json:"pass"`
	Fail string `json:"fail"`
}

func (u *section) extra() plan.Details {
	if u.agent == "" && !u.aggregates() {
		return nil
	}
	extra := plan.Details{}
	if u.agent != "" {
		extra["agent"] = u.agent
	}
	if u.aggregates() {
		sides := aggregate{"all", "any"}
		if u.join() == plan.Any {
			sides = aggregate{"any", "all"}
		}
		extra["aggregate"] = sides
	}
	return extra
}

// action returns the action of a unit: its body, or a person's decision (spec §5.2).
func (l *lowering) action(u *section) plan.Action {
	switch {
	case u.body != nil && !u.body.fence.prompt:
		f := u.body.fence
		shell := "sh"
		if strings.EqualFold(f.language, "bash") {
			shell = "bash"
		}
		at := l.span(u.body.at, u.body.last)
		return plan.Action{Span: at, Text: plan.Excerpt{Span: at, Fenced: true}, Work: plan.Command{
			Shell: shell, Language: f.language, Text: plan.Literal(strings.TrimSpace(f.text)), Lacking: lacking(f.text)}}
	case u.shows() != nil:
		e := u.shows()
		return plan.Action{Span: l.span(e.at, e.last), Work: plan.Decide{
			Show: &plan.Block{Language: e.fence.language, Text: e.fence.text}, Yes: u.usesYesNo, Absent: plan.Pass}}
	case len(u.docs) > 0:
		work := plan.Include{Join: u.join()}
		for _, e := range u.docs {
			work.Docs = append(work.Docs, e.doc)
		}
		return plan.Action{Span: l.span(u.docs[0].at, u.docs[len(u.docs)-1].last), Work: work}
	}
	return plan.Action{Span: l.span(u.at, 0), Work: plan.Decide{Yes: u.usesYesNo, Absent: plan.Wait}}
}

// shows returns the block that a person decides on: a prompt block, or in a unit without a body the
// first verbatim block that is flagged so (spec §3.7).
func (u *section) shows() *element {
	switch {
	case u.body != nil && u.body.fence.prompt:
		return u.body
	case u.body == nil && len(u.docs) == 0 && len(u.subs) == 0:
		return u.promptBlock
	}
	return nil
}

// routesOf returns the written transitions, and those that spec §5.3 adds for the missing ones.
func (l *lowering) routesOf(u *section) []plan.Route {
	begin := len(l.routes)
	add := func(when plan.Matcher, do plan.Move) { l.routes = append(l.routes, plan.Route{When: when, Do: do}) }
	for _, t := range u.effectiveTransitions() {
		do := l.move(&t.do, l.span(t.at, 0))
		do.Text = t.text
		add(plan.Matcher{Result: t.side(), Mode: mode(t.modifier), Text: t.when}, do)
	}
	here := l.span(u.at, 0)
	switch {
	case len(u.subs) > 0 && !u.writes(): // nothing judges the substeps
		add(plan.Matcher{}, plan.Move{Verb: plan.Continue, Text: "CONTINUE", Implicit: true, Span: here})
	default:
		if u.pass == nil {
			add(u.implied(plan.Passed, plan.Move{Verb: plan.Continue, Text: "CONTINUE", Span: here}))
		}
		if u.fail == nil {
			add(u.implied(plan.Failed, l.failing(u, here)))
		}
	}
	return l.routes[begin:len(l.routes):len(l.routes)]
}

// failing returns the implied move of FAIL. In a substep of a step that has transitions, the step
// decides.
func (l *lowering) failing(u *section, here plan.Span) plan.Move {
	if u.parent == nil || !u.parent.writes() {
		return plan.Move{Verb: plan.End, Result: plan.Stopped, Text: "STOP", Span: here}
	}
	if u.parent.join() == plan.Any {
		return plan.Move{Verb: plan.Continue, Text: "CONTINUE", Span: here}
	}
	return plan.Move{Verb: plan.Leave, Text: "FAIL ANY of step " + u.parent.id, Span: here}
}

// implied returns a route that the document does not write, with its canonical text.
func (u *section) implied(side plan.Result, do plan.Move) (plan.Matcher, plan.Move) {
	do.Implicit = true
	keyword, modifier := "PASS", ""
	if side == plan.Failed {
		keyword = "FAIL"
	}
	if u.aggregates() {
		modifier = "ALL"
		if (side == plan.Passed) == (u.join() == plan.Any) {
			modifier = "ANY"
		}
		keyword += " " + modifier
	}
	do.Text = keyword + ": " + do.Text
	return plan.Matcher{Result: side, Mode: mode(modifier)}, do
}

func mode(modifier string) string {
	switch modifier {
	case "ALL":
		return "all"
	case "ANY":
		return "any"
	}
	return ""
}

// move converts an action. at is the place of its transition.
func (l *lowering) move(a *action, at plan.Span) plan.Move {
	m := plan.Move{Text: a.text, Span: at}
	switch a.verb {
	case "CONTINUE":
		m.Verb = plan.Continue
	case "COMPLETE":
		m.Verb, m.Result, m.Message = plan.End, plan.Completed, plan.Literal(a.message)
	case "STOP":
		m.Verb, m.Result, m.Message = plan.End, plan.Stopped, plan.Literal(a.message)
	case "GOTO":
		m.Verb, m.Keep = plan.Goto, true
		m.To = plan.Target{Step: a.to.String(), Next: a.to.next}
	case "RETRY":
		then := plan.Move{Verb: plan.End, Result: plan.Stopped, Text: "STOP", Implicit: true, Span: at}
		if a.then != nil {
			then = l.move(a.then, at)
		}
		m.Verb, m.Then = plan.Again, &then
		m.Limit = &plan.Limit{Counter: plan.AttemptCounter, Max: a.count + 1}
	}
	return m
}
