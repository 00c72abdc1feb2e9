package rundown

import (
	"strings"

	"playhead/parse/plan"
)

// convertSteps turns the parsed steps into the Plan's steps.
func (d *document) convertSteps(index stepIndex) []*plan.Step {
	n := 0
	d.eachStep(func(step *parsedStep) {
		if !step.isBareHeading() {
			n++
		}
	})
	b := planBuilder{
		document: d, hasDynamicStep: index.dynamicStep != nil,
		allocatedSteps: make([]plan.Step, 0, len(d.parsedSteps)), allocatedActions: make([]plan.Action, 0, n), allocatedRoutes: make([]plan.Route, 0, 2*n),
	}
	own := uniqueSiblingKeys("", d.steps)
	out := make([]*plan.Step, 0, len(d.steps))
	for i, step := range d.steps {
		out = append(out, b.convertStep(step, own[i]))
	}
	return out
}

// planBuilder holds what the conversion of all steps shares.
type planBuilder struct {
	document       *document
	hasDynamicStep bool // the document has a {N} step

	// The elements of all steps are allocated at once.
	allocatedSteps   []plan.Step
	allocatedActions []plan.Action
	allocatedRoutes  []plan.Route
}

func (b *planBuilder) convertStep(step *parsedStep, key string) *plan.Step {
	b.allocatedSteps = append(b.allocatedSteps, plan.Step{
		ID: step.fullID(), StableKey: key, Kind: step.displayKind(), Title: step.title,
		Label: step.labelPrompt(), TitlePrompt: b.titlePrompt(step), Text: b.textPrompt(step),
		IsTargetOnly: step.parent == nil && step.kind == namedKind,
		HasInstances: step.kind == dynamicKind,
		Join:         step.joinMode(), Extra: step.details(), Span: b.spanToLine(step.offset, step.lastLine),
	})
	s := &b.allocatedSteps[len(b.allocatedSteps)-1]
	if step.isBareHeading() {
		return s
	}
	s.Routes = b.routesOf(step)
	if n := len(b.allocatedActions); len(step.substeps) == 0 {
		b.allocatedActions = append(b.allocatedActions, b.actionOf(step))
		s.Actions = b.allocatedActions[n : n+1 : n+1]
		return s
	}
	s.Children = make([]*plan.Step, 0, len(step.substeps))
	for i, k := range uniqueSiblingKeys(key+"/", step.substeps) {
		s.Children = append(s.Children, b.convertStep(step.substeps[i], k))
	}
	return s
}

// isBareHeading reports whether a step is nothing but an invalid heading.
func (p *parsedStep) isBareHeading() bool {
	return p.kind == brokenKind && len(p.elements) == 0 && len(p.substeps) == 0
}

// spanToLine returns the span from an offset to a line.
func (b *planBuilder) spanToLine(at, last int) plan.Span {
	line, column := b.document.sourceLines.placeAt(at)
	return plan.Span{Line: line, Column: column, LastLine: max(line, last+1)}
}

// displayKind returns the kind of the step for `show`.
func (p *parsedStep) displayKind() string {
	switch {
	case p.kind == namedKind:
		return "named"
	case p.kind == dynamicKind:
		return "dynamic"
	case p.parent != nil:
		return "substep"
	}
	return "step"
}

// aggregate says when each side of a step's transitions is taken.
type aggregate struct {
	Pass string `json:"pass"`
	Fail string `json:"fail"`
}

func (p *parsedStep) details() plan.Details {
	if p.agent == "" && !p.hasAggregate() {
		return nil
	}
	extra := plan.Details{}
	if p.agent != "" {
		extra["agent"] = p.agent
	}
	if p.hasAggregate() {
		sides := aggregate{"all", "any"}
		if p.joinMode() == plan.JoinAny {
			sides = aggregate{"any", "all"}
		}
		extra["aggregate"] = sides
	}
	return extra
}

// actionOf returns the action of a step: its body, or a person's decision (spec §5.2).
func (b *planBuilder) actionOf(step *parsedStep) plan.Action {
	switch {
	case step.body != nil && !step.body.fence.isPrompt:
		f := step.body.fence
		shell := "sh"
		if strings.EqualFold(f.language, "bash") {
			shell = "bash"
		}
		at := b.spanToLine(step.body.offset, step.body.lastLine)
		return plan.Action{Span: at, TextLocation: plan.TextLocation{Span: at, IsFenced: true}, Work: plan.Command{
			Shell: shell, Language: f.language, Text: plan.Literal(strings.TrimSpace(f.text)), NotFoundWarning: missingRDWarning(f.text)}}
	case step.body != nil:
		f := step.body.fence
		return plan.Action{Span: b.spanToLine(step.body.offset, step.body.lastLine), Work: plan.Decide{
			ShownBlock: &plan.VerbatimBlock{Language: f.language, Text: f.text}, UsesYesNo: step.usesYesNo, Unattended: plan.PassUnattended}}
	case len(step.runbooks) > 0:
		work := plan.Include{Join: step.joinMode()}
		for _, e := range step.runbooks {
			work.DocumentPaths = append(work.DocumentPaths, e.includedPath)
		}
		return plan.Action{Span: b.spanToLine(step.runbooks[0].offset, step.runbooks[len(step.runbooks)-1].lastLine), Work: work}
	}
	if e := step.promptBlock; e != nil {
		return plan.Action{Span: b.spanToLine(e.offset, e.lastLine), Work: plan.Decide{
			BlockInText: &plan.VerbatimBlock{Language: e.fence.language, Text: e.fence.text}, UsesYesNo: step.usesYesNo, Unattended: plan.PassUnattended}}
	}
	return plan.Action{Span: b.spanToLine(step.offset, 0), Work: plan.Decide{UsesYesNo: step.usesYesNo, Unattended: plan.WaitUnattended}}
}

// routesOf returns the written transitions, and those that spec §5.3 adds for the missing ones.
func (b *planBuilder) routesOf(step *parsedStep) []plan.Route {
	begin := len(b.allocatedRoutes)
	add := func(when plan.Matcher, do plan.Move) {
		b.allocatedRoutes = append(b.allocatedRoutes, plan.Route{When: when, Do: do})
	}
	for _, t := range step.effectiveTransitions() {
		do := b.moveOf(&t.action, b.spanToLine(t.offset, 0))
		do.SourceText = t.plainText
		add(plan.Matcher{Result: t.matchedResult(), AllOrAny: strings.ToLower(t.modifier), SourceText: t.condition}, do)
	}
	here := b.spanToLine(step.offset, 0)
	switch {
	case len(step.substeps) > 0 && !step.hasTransitions(): // nothing judges the substeps
		add(plan.Matcher{}, plan.Move{Verb: plan.Continue, SourceText: "CONTINUE", Implicit: true, Span: here})
	default:
		if step.passTransition == nil {
			add(step.impliedRoute(plan.Passed, plan.Move{Verb: plan.Continue, SourceText: "CONTINUE", Span: here}))
		}
		if step.failTransition == nil {
			add(step.impliedRoute(plan.Failed, b.impliedFailMove(step, here)))
		}
	}
	return b.allocatedRoutes[begin:len(b.allocatedRoutes):len(b.allocatedRoutes)]
}

// impliedFailMove returns the implied move of FAIL. In a substep of a step that has transitions, the step
// decides.
func (b *planBuilder) impliedFailMove(step *parsedStep, here plan.Span) plan.Move {
	if step.parent == nil || !step.parent.hasTransitions() {
		return plan.Move{Verb: plan.EndDocument, Result: plan.Stopped, SourceText: "STOP", Span: here}
	}
	if step.parent.joinMode() == plan.JoinAny {
		return plan.Move{Verb: plan.Continue, SourceText: "CONTINUE", Span: here}
	}
	return plan.Move{Verb: plan.LeaveGroup, SourceText: "step " + step.parent.localID + " decides (FAIL ANY)", Span: here}
}

// impliedRoute returns a route that the document does not write, with its canonical text.
func (p *parsedStep) impliedRoute(side plan.Result, do plan.Move) (plan.Matcher, plan.Move) {
	do.Implicit = true
	keyword, modifier := "PASS", ""
	if side == plan.Failed {
		keyword = "FAIL"
	}
	if p.hasAggregate() {
		modifier = "ALL"
		if (side == plan.Passed) == (p.joinMode() == plan.JoinAny) {
			modifier = "ANY"
		}
		keyword += " " + modifier
	}
	do.SourceText = keyword + ": " + do.SourceText
	return plan.Matcher{Result: side, AllOrAny: strings.ToLower(modifier)}, do
}

// moveOf converts an action. at is the place of its transition.
func (b *planBuilder) moveOf(a *action, at plan.Span) plan.Move {
	m := plan.Move{SourceText: a.sourceText, Span: at}
	switch a.verb {
	case "CONTINUE":
		m.Verb = plan.Continue
	case "COMPLETE":
		m.Verb, m.Result, m.Message = plan.EndDocument, plan.Completed, plan.Literal(a.message)
	case "STOP":
		m.Verb, m.Result, m.Message = plan.EndDocument, plan.Stopped, plan.Literal(a.message)
	case "GOTO":
		m.Verb, m.KeepsVisit = plan.Goto, true
		m.To = plan.Target{Step: a.target.String(), IsNextInstance: a.target.isNextInstance}
	case "RETRY":
		then := plan.Move{Verb: plan.EndDocument, Result: plan.Stopped, SourceText: "STOP", Implicit: true, Span: at}
		if a.afterRetries != nil {
			then = b.moveOf(a.afterRetries, at)
		}
		m.Verb, m.AfterLimit = plan.RunAgain, &then
		m.Limit = &plan.Limit{Counter: plan.AttemptCounter, Max: a.retryCount + 1}
	}
	return m
}
