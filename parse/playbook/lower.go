package playbook

import (
	"slices"

	"playhead/parse/plan"
)

// fillPlan converts the document to a Plan.
func (d *document) fillPlan(p *plan.Plan) {
	for _, in := range d.inputs {
		p.Inputs = append(p.Inputs, in.Input)
	}
	p.SystemPrompt = systemPrompt{DocumentSystemPrompt: parseTemplate(d.systemPromptText.text), VariableNames: d.storedVariableNames()}
	d.artifact.addTypeToPlan(p)
	b := newPlanBuilder(d)
	p.Steps = make([]*plan.Step, 0, len(d.steps))
	for _, s := range d.steps {
		p.Steps = append(p.Steps, b.convertStep(s))
	}
	if len(p.Steps) > 0 {
		p.Entries = []plan.Entry{{Step: p.Steps[0].ID}}
	}
}

// storedVariableNames returns the names of outputs and answers in document order. Later calls see them under
// these names (spec §7).
func (d *document) storedVariableNames() []string {
	var out []string
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	for _, s := range d.steps {
		for _, p := range s.parts {
			if p.elicit != nil {
				add(answerVariableName(p.stepNumber))
			}
			for _, o := range p.storedOutputs {
				if !o.isShadowed {
					add(o.name)
				}
			}
		}
	}
	return out
}

// planBuilder holds what the conversion of all steps shares.
type planBuilder struct {
	document                    *document
	uniqueIDs, uniqueStableKeys plan.UniqueNames

	// The elements of all steps are allocated at once.
	allocatedSteps   []plan.Step
	allocatedNumbers []int
	allocatedRoutes  []plan.Route
}

func newPlanBuilder(d *document) *planBuilder {
	parts, arms := 0, 0
	for _, s := range d.steps {
		parts += len(s.parts)
		for _, b := range s.branchBlocks {
			arms += len(b.arms)
		}
	}
	n := parts + arms
	return &planBuilder{
		document: d, uniqueIDs: make(plan.UniqueNames, n), uniqueStableKeys: make(plan.UniqueNames, n),
		allocatedSteps: make([]plan.Step, 0, n), allocatedNumbers: make([]int, 0, parts), allocatedRoutes: make([]plan.Route, 0, 2*n),
	}
}

// addStep adds a step with its routes.
func (pb *planBuilder) addStep(s plan.Step, line int, label string) *plan.Step {
	s.Routes = pb.impliedRoutes(line, label)
	pb.allocatedSteps = append(pb.allocatedSteps, s)
	return &pb.allocatedSteps[len(pb.allocatedSteps)-1]
}

func (pb *planBuilder) convertStep(s *step) *plan.Step {
	out := pb.convertPart(&s.stepPart, "step", pb.uniqueStableKeys.Take(plan.Slug(s.title)))
	armNames := plan.UniqueNames{}
	for _, b := range s.branchBlocks {
		for i, a := range b.arms {
			out.Children = append(out.Children, pb.convertArm(s, a, i > 0, out.StableKey, armNames))
		}
	}
	return out
}

// convertArm converts an arm to a group of kind branch, which is entered by its condition and joins its substeps.
// armNames makes the IDs of the step's arms unique.
func (pb *planBuilder) convertArm(s *step, a *arm, isElseOrElif bool, stepKey string, armNames plan.UniqueNames) *plan.Step {
	id := s.label + "." + armNames.Take(a.word)
	key := pb.uniqueStableKeys.Take(stepKey + "/" + a.stableKey())
	out := pb.addStep(plan.Step{ID: pb.uniqueIDs.Take(id), StableKey: key, Kind: "branch", IsElseOrElif: isElseOrElif, Span: pb.spanToLine(place{Line: a.line}, a.lastLine)}, a.line, "")
	if a.word != "else" {
		out.Title = a.condition.String()
		out.ArmTest = a.condition.toTest(a.word)
	}
	for _, p := range a.substeps {
		keyPrefix := stepKey + "/"
		if p.isImplicit { // it has the title of its step, as those of other arms do
			keyPrefix = key + "/"
		}
		out.Children = append(out.Children, pb.convertPart(p, "substep", pb.uniqueStableKeys.Take(keyPrefix+plan.Slug(p.title))))
	}
	return out
}

func (c condition) toTest(word string) *plan.Test {
	t := &plan.Test{Path: []string{c.variable}, Value: c.value, SourceText: word + " " + c.String(), VariableSource: c.variableSource}
	if c.operator == "!=" {
		t.Op = plan.OpNotEqual
	}
	return t
}

// convertPart converts a step or a substep without its branches. Of steps with the same number, the second one is
// labelled as in 2~2, because a label names one step.
func (pb *planBuilder) convertPart(p *stepPart, kind, key string) *plan.Step {
	pb.allocatedNumbers = append(pb.allocatedNumbers, p.stepNumber)
	id := pb.uniqueIDs.Take(p.label)
	out := pb.addStep(plan.Step{
		ID: id, StableKey: key, Kind: kind, Title: p.title, Number: &pb.allocatedNumbers[len(pb.allocatedNumbers)-1],
		Actions: pb.convertActions(p), RunWarnings: p.runWarnings, Span: pb.spanToLine(place{Line: p.firstLine}, p.lastLine),
	}, p.firstLine, id)
	if p.elicit != nil {
		out.OtherRules = append(out.OtherRules, plan.Rule{Kind: "question", Location: plan.TextLocation{Span: pb.spanOfLine(p.elicit.place.Line)}})
	}
	for _, o := range p.storedOutputs {
		out.OtherRules = append(out.OtherRules, plan.Rule{Kind: "output", Location: plan.TextLocation{Span: pb.spanOfLine(o.place.Line)}})
	}
	if p.content.text != "" {
		out.Text = parseTemplate(p.content.text)
	}
	return out
}

// convertActions returns the actions of a part in the order of spec §5.
func (pb *planBuilder) convertActions(p *stepPart) []plan.Action {
	out := make([]plan.Action, 0, 4)
	if p.tool != nil {
		out = append(out, p.tool.toAction(pb.spanOfLine(p.tool.place.Line), pb.spanToLine(p.tool.argsPlace, p.tool.argsPlace.Line)))
	}
	if p.elicit != nil {
		out = append(out, p.elicit.toAction(p, pb.spanOfLine(p.elicit.place.Line)))
	}
	if p.callsModel() {
		out = append(out, pb.modelActions(p)...)
	}
	for _, o := range p.storedOutputs {
		out = append(out, plan.Action{Work: plan.JudgeOnly{}, Judge: o.newJudge(), Span: pb.spanOfLine(o.place.Line)})
	}
	return out
}

// modelActions returns the model call. If its prompt begins with a fetched text, a Fetch comes before it.
func (pb *planBuilder) modelActions(p *stepPart) []plan.Action {
	m := modelPrompt{Text: parseTemplate(p.content.text)}
	var out []plan.Action
	at := plan.Span{}
	if r := p.promptRef; r != nil {
		at = pb.spanOfLine(r.place.Line)
		if m.PrependedVariable = r.variable; r.variable == "" {
			m.PrependsFetchedText = true
			out = append(out, plan.Action{Span: at, Work: plan.Fetch{Scheme: r.scheme, Ref: parseTemplate(r.id)}})
		}
		m.ReferenceSpan = at
	}
	if p.content.text != "" {
		at = pb.spanToLine(p.content.firstLinePlace(), slices.Max(p.content.documentLines))
	}
	return append(out, plan.Action{Span: at, Work: plan.Model{Prompt: m, NeedsFetchedText: m.PrependsFetchedText && len(m.Text) == 0}, TextLocation: p.content.textLocation(at)})
}

// textLocation returns the place of the text, whose span is at. It is zero if other lines are in between.
func (c content) textLocation(at plan.Span) plan.TextLocation {
	if c.text == "" || slices.Contains(c.documentLines, -1) {
		return plan.TextLocation{}
	}
	return plan.TextLocation{Span: at}
}

// spanOfLine returns the span of a line.
func (pb *planBuilder) spanOfLine(line int) plan.Span { return pb.spanToLine(place{Line: line}, line) }

// spanToLine returns the span from a place to a line.
func (pb *planBuilder) spanToLine(from place, last int) plan.Span {
	line, column := pb.document.position(from)
	return plan.Span{Line: line, Column: column, LastLine: max(line, pb.document.trimBlankLines(lineRange{from.Line, last}).last+1)}
}

// impliedRoutes returns the routes that the format supplies: a step that fails ends the run (spec §7).
func (pb *planBuilder) impliedRoutes(line int, label string) []plan.Route {
	begin := len(pb.allocatedRoutes)
	at := pb.spanOfLine(line)
	end := plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed, SourceText: "fail: the run fails", Implicit: true, Span: at}
	if label != "" {
		end.Message = plan.FailureMessage{Label: label}
	}
	pb.allocatedRoutes = append(pb.allocatedRoutes,
		plan.Route{When: plan.Matcher{Result: plan.Passed}, Do: plan.Move{Verb: plan.Continue, SourceText: "pass: continue", Implicit: true, Span: at}},
		plan.Route{When: plan.Matcher{Result: plan.Failed}, Do: end})
	return pb.allocatedRoutes[begin:len(pb.allocatedRoutes):len(pb.allocatedRoutes)]
}
