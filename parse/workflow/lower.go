package workflow

import (
	"cmp"
	"strconv"

	"playhead/parse/plan"
)

// maxReportRetries limits how often a report is asked for again (§7).
const maxReportRetries = 1

// fillPlan converts the document to a Plan.
func (d *document) fillPlan(p *plan.Plan) {
	p.Inputs, p.UsedVariables = d.runInputs, d.usedVariables
	p.SystemPrompt = plan.Literal(systemPromptText)
	p.IsLinear = true
	p.AdviceByCode, p.OutcomeSourceNames, p.UnavailableActionCode = adviceByCode, outcomeSourceNames, unavailableActionCode
	b := planBuilder{document: d, uniqueIDs: plan.UniqueNames{}, uniqueStableKeys: plan.UniqueNames{}}
	for _, s := range d.steps {
		b.uniqueIDs.Take(strconv.Itoa(s.number + 1))
	}
	p.Steps = []*plan.Step{}
	for _, s := range d.sections {
		p.Steps = append(p.Steps, b.convertSection(s)...)
	}
	if len(d.steps) > 0 {
		p.Entries = []plan.Entry{{Step: "1"}}
	}
}

// planBuilder assigns IDs and keys.
type planBuilder struct {
	document                    *document
	uniqueIDs, uniqueStableKeys plan.UniqueNames
}

// convertSection converts a section to a group, whose steps are its children. A section without a heading gives only its
// steps.
func (p *planBuilder) convertSection(s *section) []*plan.Step {
	key := ""
	if s.line >= 0 && len(s.steps) > 0 {
		key = p.uniqueStableKeys.Take(plan.Slug(s.title))
	}
	var steps []*plan.Step
	for _, step := range s.steps {
		steps = append(steps, p.convertStep(step, key))
	}
	if key == "" {
		return steps
	}
	at := plan.Span{Line: s.line + 1, Column: 1, LastLine: steps[len(steps)-1].Span.LastLine}
	return []*plan.Step{{
		ID: p.uniqueIDs.Take(s.title), StableKey: key, Kind: "section", Title: s.title, Span: at,
		Children: steps, Routes: impliedRoutes(at, ""),
	}}
}

// convertStep converts a step: what it asks a person, and what it asks a model. sectionKey is the key of its section, or
// "".
func (p *planBuilder) convertStep(s *step, sectionKey string) *plan.Step {
	id, number := strconv.Itoa(s.number+1), s.number
	keyPrefix := ""
	if sectionKey != "" {
		keyPrefix = sectionKey + "/"
	}
	line, column := p.document.position(p.document.headingPlace(s.line))
	at := plan.Span{Line: line, Column: column, LastLine: s.lastLine + 1}
	out := &plan.Step{
		ID: id, StableKey: p.uniqueStableKeys.Take(keyPrefix + plan.Slug(s.name)), Kind: "step", Title: s.name, Number: &number,
		Text: templatePrompt(s.description), Extra: s.details(), Span: at, Routes: impliedRoutes(at, id),
	}
	if len(s.inputs) > 0 {
		out.Actions = append(out.Actions, plan.Action{Work: s.missingInputsQuestion(), Span: plan.WholeLine(s.inputs[0].place.Line + 1).Span})
	}
	out.OtherRules = s.otherRules()
	out.Actions = append(out.Actions, plan.Action{Work: s.modelCall(), Judge: s.newReportJudge(), Span: at, TextLocation: s.descriptionLocation()})
	return out
}

// otherRules returns the step's assertions, outputs and inputs, which can be edited like routes.
func (s *step) otherRules() (out []plan.Rule) {
	add := func(kind string, from, to int) {
		at := plan.Span{Line: from + 1, Column: 1, LastLine: to + 1}
		out = append(out, plan.Rule{Kind: kind, Location: plan.TextLocation{Span: at}})
	}
	for _, a := range s.assertions {
		if n := len(a.parts); n > 0 {
			add("assertion", a.parts[0].line, a.parts[n-1].line)
		}
	}
	for _, o := range s.outputs {
		add("output", o.place.Line, o.place.Line)
	}
	for _, in := range s.inputs {
		add("input", in.place.Line, in.place.Line)
	}
	return out
}

// descriptionLocation returns the place of the block with the description.
func (s *step) descriptionLocation() plan.TextLocation {
	if s.descriptionFence == nil {
		return plan.TextLocation{}
	}
	return plan.TextLocation{Span: plan.Span{Line: s.descriptionFence.firstLine + 1, Column: 1, LastLine: s.descriptionFence.lineAfter}, IsFenced: true}
}

// templatePrompt returns a template, nil for the empty text.
func templatePrompt(s string) plan.Prompt {
	if s == "" {
		return nil
	}
	return template(s)
}

// missingInputsQuestion asks a person for the inputs without a value when the step begins.
func (s *step) missingInputsQuestion() plan.Ask {
	ask := plan.Ask{OnlyMissingFields: true, Unattended: plan.FailUnattended}
	for _, in := range s.inputs {
		ask.Fields = append(ask.Fields, plan.Field{Name: in.Name, Type: "input", Prompt: plan.Literal(cmp.Or(in.Description, in.Name))})
	}
	return ask
}

// modelCall returns the model call of the step. Each attempt is a new conversation.
func (s *step) modelCall() plan.Model {
	m := plan.Model{Prompt: s.newStepPrompt(), Thread: plan.AttemptThread, ReportTool: s.reportTool(), Bounds: plan.DefaultConversationBounds, MaxReplyRetries: maxReportRetries}
	offered := map[string]bool{}
	for _, t := range s.tools {
		if !offered[t.name] {
			offered[t.name] = true
			m.Tools = append(m.Tools, toolNamePrompt(t.name))
		}
	}
	return m
}

// details returns the parts of the step in the form of the spec.
func (s *step) details() plan.Details {
	facts := plan.Details{}
	if names := s.toolNames(); len(names) > 0 {
		facts["tools"] = names
	}
	if inputs := s.inputList(); len(inputs) > 0 {
		facts["inputs"] = inputs
	}
	if outputs := s.outputList(); len(outputs) > 0 {
		facts["outputs"] = outputs
	}
	if asserts := s.assertionTexts(); len(asserts) > 0 {
		facts["assertions"] = asserts
	}
	return facts
}

func (s *step) toolNames() (names []string) {
	for _, t := range s.tools {
		names = append(names, t.name)
	}
	return names
}

func (s *step) inputList() (list []Input) {
	for _, in := range s.inputs {
		list = append(list, in.Input)
	}
	return list
}

func (s *step) outputList() (list []Output) {
	for _, out := range s.outputs {
		list = append(list, out.Output)
	}
	return list
}

func (s *step) assertionTexts() (texts []string) {
	for _, a := range s.assertions {
		texts = append(texts, a.text)
	}
	return texts
}

// impliedRoutes returns the routes that the format supplies: a step that fails ends the run.
func impliedRoutes(at plan.Span, label string) []plan.Route {
	end := plan.Move{Verb: plan.EndDocument, Result: plan.RunFailed, SourceText: "failed", Implicit: true, Span: at}
	if label != "" {
		end.Message = plan.FailureMessage{Label: label}
	}
	return []plan.Route{
		{When: plan.Matcher{Result: plan.Passed}, Do: plan.Move{Verb: plan.Continue, SourceText: "passed", Implicit: true, Span: at}},
		{When: plan.Matcher{Result: plan.Failed}, Do: end},
	}
}
