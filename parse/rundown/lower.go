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

// lowering knows what all of a document's steps share.
type lowering struct {
	d    *document
	loop bool // there is a {N} step

	// What all steps have is allocated at once.
	steps   []plan.Step
	actions []plan.Action
	routes  []plan.Route
}

func (l *lowering) step(u *section, key string) *plan.Step {
	l.steps = append(l.steps, plan.Step{
		ID: u.fullID(), Key: key, Kind: u.drawn(), Title: u.title,
		Label: u.label(), Heading: l.heading(u), Text: l.text(u),
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

// bare reports whether a unit is nothing but a heading that is none.
func (u *section) bare() bool { return u.kind == broken && len(u.elements) == 0 && len(u.subs) == 0 }

// span is from an offset to a line.
func (l *lowering) span(at, last int) plan.Span {
	line, column := l.d.src.place(at)
	return plan.Span{Line: line, Column: column, End: max(line, last+1)}
}

// drawn is the kind that `show` tells.
func (u *section) drawn() string {
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

// action is what a unit does: its body, or a person's decision (spec §5.2).
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
			Show: &plan.Block{Language: e.fence.language, Text: e.fence.text}, Yes: u.yes, Absent: plan.Pass}}
	case len(u.docs) > 0:
		work := plan.Include{Join: u.join()}
		for _, e := range u.docs {
			work.Docs = append(work.Docs, e.doc)
		}
		return plan.Action{Span: l.span(u.docs[0].at, u.docs[len(u.docs)-1].last), Work: work}
	}
	return plan.Action{Span: l.span(u.at, 0), Work: plan.Decide{Yes: u.yes, Absent: plan.Wait}}
}

// shows is the block that a person decides on: a prompt block, or in a unit
// without body the first verbatim block flagged so (spec §3.7).
func (u *section) shows() *element {
	switch {
	case u.body != nil && u.body.fence.prompt:
		return u.body
	case u.body == nil && len(u.docs) == 0 && len(u.subs) == 0:
		return u.flagged
	}
	return nil
}
