package rundown

import "playhead/parse/plan"

// routesOf are the written transitions, then what spec §5.3 puts in the place of
// those that are not written.
func (l *lowering) routesOf(u *section) []plan.Route {
	begin := len(l.routes)
	add := func(when plan.Matcher, do plan.Move) { l.routes = append(l.routes, plan.Route{When: when, Do: do}) }
	for _, t := range u.counted() {
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

// failing is what FAIL does where it is not written: in a substep of a step that
// writes transitions it is the step's affair.
func (l *lowering) failing(u *section, here plan.Span) plan.Move {
	if u.parent == nil || !u.parent.writes() {
		return plan.Move{Verb: plan.End, Result: plan.Stopped, Text: "STOP", Span: here}
	}
	if u.parent.join() == plan.Any {
		return plan.Move{Verb: plan.Continue, Text: "CONTINUE", Span: here}
	}
	return plan.Move{Verb: plan.Leave, Text: "FAIL ANY of step " + u.parent.id, Span: here}
}

// implied is a route that the document does not write, in canonical text.
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

// move lowers an action; at is where its transition stands.
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
