package workflow

import (
	"strconv"

	"playhead/parse/plan"
)

// maxAsks limits how often a report is asked for again (§7).
const maxAsks = 1

// lower converts the document to a Plan.
func (d *document) lower(p *plan.Plan) {
	p.Inputs, p.Reads = d.inputs, d.reads
	p.System = plan.Literal(system)
	p.Linear = true
	p.Advice, p.Sources, p.RefusalCode = advice, sources, refused
	l := lowering{d: d, ids: plan.Names{}, keys: plan.Names{}}
	for _, s := range d.steps {
		l.ids.Take(strconv.Itoa(s.number + 1))
	}
	p.Steps = []*plan.Step{}
	for _, s := range d.sections {
		p.Steps = append(p.Steps, l.section(s)...)
	}
	if len(d.steps) > 0 {
		p.Entries = []plan.Entry{{Step: "1"}}
	}
}

// lowering assigns IDs and keys.
type lowering struct {
	d         *document
	ids, keys plan.Names
}

// section converts a group of steps. Steps before the first heading are not in a group.
func (l *lowering) section(s *section) []*plan.Step {
	key := ""
	if s.line >= 0 && len(s.steps) > 0 {
		key = l.keys.Take(plan.Slug(s.title))
	}
	var steps []*plan.Step
	for _, step := range s.steps {
		steps = append(steps, l.step(step, key))
	}
	if key == "" {
		return steps
	}
	at := plan.Span{Line: s.line + 1, Column: 1, End: steps[len(steps)-1].Span.End}
	return []*plan.Step{{
		ID: l.ids.Take(s.title), Key: key, Kind: "section", Title: s.title, Span: at,
		Children: steps, Routes: implied(at, ""),
	}}
}

// step converts a step: what it asks a person, and what it asks a model.
func (l *lowering) step(s *step, above string) *plan.Step {
	id, number := strconv.Itoa(s.number+1), s.number
	if above != "" {
		above += "/"
	}
	line, column := l.d.position(l.d.head(s))
	at := plan.Span{Line: line, Column: column, End: s.last + 1}
	out := &plan.Step{
		ID: id, Key: l.keys.Take(above + plan.Slug(s.name)), Kind: "step", Title: s.name, Number: &number,
		Text: text(s.text), Extra: s.facts(), Span: at, Routes: implied(at, id),
	}
	if len(s.inputs) > 0 {
		out.Actions = append(out.Actions, plan.Action{Work: s.missingInputs(), Span: l.at(s.inputs[0].at.Line)})
	}
	out.Clauses = l.clauses(s)
	out.Actions = append(out.Actions, plan.Action{Work: s.model(), Judge: s.report(), Span: at, Text: s.excerpt()})
	return out
}

// clauses returns what decides: the step's assertions, outputs and inputs.
func (l *lowering) clauses(s *step) (out []plan.Clause) {
	add := func(kind string, from, to int) {
		at := plan.Span{Line: from + 1, Column: 1, End: to + 1}
		out = append(out, plan.Clause{Kind: kind, Text: plan.Excerpt{Span: at}})
	}
	for _, a := range s.asserts {
		if n := len(a.pieces); n > 0 {
			add("assertion", a.pieces[0].line, a.pieces[n-1].line)
		}
	}
	for _, o := range s.outputs {
		add("output", o.at.Line, o.at.Line)
	}
	for _, in := range s.inputs {
		add("input", in.at.Line, in.at.Line)
	}
	return out
}

// excerpt returns the place of the block with the description.
func (s *step) excerpt() plan.Excerpt {
	if s.desc == nil {
		return plan.Excerpt{}
	}
	return plan.Excerpt{Span: plan.Span{Line: s.desc.line + 1, Column: 1, End: s.desc.end}, Fenced: true}
}

// text returns a template, nil for the empty text.
func text(s string) plan.Prompt {
	if s == "" {
		return nil
	}
	return template(s)
}

func (l *lowering) at(line int) plan.Span {
	return plan.Span{Line: line + 1, Column: 1, End: line + 1}
}

// missingInputs asks a person for the inputs without a value when the step begins.
func (s *step) missingInputs() plan.Ask {
	ask := plan.Ask{Missing: true, Absent: plan.Fail}
	for _, in := range s.inputs {
		prompt := in.Description
		if prompt == "" {
			prompt = in.Name
		}
		ask.Fields = append(ask.Fields, plan.Field{Name: in.Name, Type: "input", Prompt: plan.Literal(prompt)})
	}
	return ask
}

// model returns the model call of the step. Each attempt is a new conversation.
func (s *step) model() plan.Model {
	m := plan.Model{Prompt: s.message(), Thread: plan.Attempt, Report: s.function(), Bounds: plan.ToolBounds, MaxRepeats: maxAsks}
	offered := map[string]bool{}
	for _, t := range s.tools {
		if !offered[t.name] {
			offered[t.name] = true
			m.Tools = append(m.Tools, toolName(t.name))
		}
	}
	return m
}

// facts returns the parts of the step in the form of the spec.
func (s *step) facts() plan.Details {
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
	if asserts := s.assertTexts(); len(asserts) > 0 {
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

func (s *step) assertTexts() (texts []string) {
	for _, a := range s.asserts {
		texts = append(texts, a.text)
	}
	return texts
}

// implied returns the routes that the format supplies: a step that fails ends the run.
func implied(at plan.Span, label string) []plan.Route {
	end := plan.Move{Verb: plan.End, Result: plan.RunFailed, Text: "failed", Implicit: true, Span: at}
	if label != "" {
		end.Message = plan.Failure{Label: label}
	}
	return []plan.Route{
		{When: plan.Matcher{Result: plan.Passed}, Do: plan.Move{Verb: plan.Continue, Text: "passed", Implicit: true, Span: at}},
		{When: plan.Matcher{Result: plan.Failed}, Do: end},
	}
}
