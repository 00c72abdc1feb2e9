package playbook

import (
	"slices"

	"playhead/parse/plan"
)

// lower converts the document to a Plan.
func (d *document) lower(p *plan.Plan) {
	for _, in := range d.inputs {
		p.Inputs = append(p.Inputs, in.Input)
	}
	p.System = systemPrompt{System: parseTemplate(d.system.text), Values: d.values()}
	d.artifact.lower(p)
	l := newLowering(d)
	p.Steps = make([]*plan.Step, 0, len(d.steps))
	for _, s := range d.steps {
		p.Steps = append(p.Steps, l.step(s))
	}
	if len(p.Steps) > 0 {
		p.Entries = []plan.Entry{{Step: p.Steps[0].ID}}
	}
}

// values returns the names of outputs and answers in document order. Later calls see them under
// these names (spec §7).
func (d *document) values() []string {
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
				add(answerName(p.number))
			}
			for _, o := range p.stores {
				if !o.shadows {
					add(o.name)
				}
			}
		}
	}
	return out
}

// lowering holds what the conversion of all steps shares.
type lowering struct {
	d         *document
	ids, keys plan.Names

	// The elements of all steps are allocated at once.
	steps   []plan.Step
	numbers []int
	routes  []plan.Route
}

func newLowering(d *document) *lowering {
	parts, arms := 0, 0
	for _, s := range d.steps {
		parts += len(s.parts)
		for _, b := range s.blocks {
			arms += len(b.arms)
		}
	}
	n := parts + arms
	return &lowering{
		d: d, ids: make(plan.Names, n), keys: make(plan.Names, n),
		steps: make([]plan.Step, 0, n), numbers: make([]int, 0, parts), routes: make([]plan.Route, 0, 2*n),
	}
}

// add adds a step with its routes.
func (l *lowering) add(s plan.Step, line int, label string) *plan.Step {
	s.Routes = l.implied(line, label)
	l.steps = append(l.steps, s)
	return &l.steps[len(l.steps)-1]
}

func (l *lowering) step(s *step) *plan.Step {
	out := l.part(&s.part, "step", l.keys.Take(plan.Slug(s.title)))
	words := plan.Names{}
	for _, b := range s.blocks {
		for i, a := range b.arms {
			out.Children = append(out.Children, l.arm(s, a, i > 0, out.Key, words))
		}
	}
	return out
}

// arm converts an arm to a group of kind branch, which is entered by its condition and joins its
// sub-steps.
func (l *lowering) arm(s *step, a *arm, later bool, above string, words plan.Names) *plan.Step {
	id := s.label + "." + words.Take(a.word)
	key := l.keys.Take(above + "/" + a.key())
	out := l.add(plan.Step{ID: l.ids.Take(id), Key: key, Kind: "branch", Else: later, Span: l.span(place{Line: a.line}, a.last)}, a.line, "")
	if a.word != "else" {
		out.Title = a.cond.String()
		out.When = a.cond.test(a.word)
	}
	for _, p := range a.subs {
		own := above + "/"
		if p.implicit { // it has its step's title and no key of its own
			own = key + "/"
		}
		out.Children = append(out.Children, l.part(p, "substep", l.keys.Take(own+plan.Slug(p.title))))
	}
	return out
}

func (c condition) test(word string) *plan.Test {
	t := &plan.Test{Path: []string{c.variable}, Value: c.value, Text: word + " " + c.String(), Source: c.source}
	if c.operator == "!=" {
		t.Op = plan.IsNot
	}
	return t
}

// part converts a step or a sub-step without its branches. Steps with the same number share a label
// but have different IDs.
func (l *lowering) part(p *part, kind, key string) *plan.Step {
	l.numbers = append(l.numbers, p.number)
	out := l.add(plan.Step{
		ID: l.ids.Take(p.label), Key: key, Kind: kind, Title: p.title, Number: &l.numbers[len(l.numbers)-1],
		Actions: l.actions(p), Notes: p.notes, Span: l.span(place{Line: p.head}, p.last),
	}, p.head, p.label)
	if out.ID != p.label {
		out.Label = plan.Literal(p.label)
	}
	if p.elicit != nil {
		out.Clauses = append(out.Clauses, plan.Clause{Kind: "question", Text: plan.Excerpt{Span: l.at(p.elicit.at.Line)}})
	}
	for _, o := range p.stores {
		out.Clauses = append(out.Clauses, plan.Clause{Kind: "output", Text: plan.Excerpt{Span: l.at(o.at.Line)}})
	}
	if p.content.text != "" {
		out.Text = parseTemplate(p.content.text)
	}
	return out
}

// actions returns the actions of a part in the order of spec §5.
func (l *lowering) actions(p *part) []plan.Action {
	out := make([]plan.Action, 0, 4)
	if p.tool != nil {
		out = append(out, p.tool.lower(l.at(p.tool.at.Line), l.span(p.tool.argsAt, p.tool.argsAt.Line)))
	}
	if p.elicit != nil {
		out = append(out, p.elicit.lower(p, l.at(p.elicit.at.Line)))
	}
	if p.callsModel() {
		out = append(out, l.asking(p)...)
	}
	for _, o := range p.stores {
		out = append(out, plan.Action{Work: plan.JudgeOnly{}, Judge: o.capture(), Span: l.at(o.at.Line)})
	}
	return out
}

// asking returns the model's call, after the fetching of the text with which its prompt begins.
func (l *lowering) asking(p *part) []plan.Action {
	m := message{Text: parseTemplate(p.content.text)}
	var out []plan.Action
	at := plan.Span{}
	if r := p.prompt; r != nil {
		at = l.at(r.at.Line)
		if m.Variable = r.variable; r.variable == "" {
			m.Fetched = true
			out = append(out, plan.Action{Span: at, Work: plan.Fetch{Scheme: r.scheme, Ref: parseTemplate(r.id)}})
		}
		m.At = at
	}
	if p.content.text != "" {
		at = l.span(p.content.start(), slices.Max(p.content.lines))
	}
	return append(out, plan.Action{Span: at, Work: plan.Model{Prompt: m}, Text: p.content.excerpt(at)})
}

// excerpt returns the place of the text, if its lines are consecutive.
func (c content) excerpt(at plan.Span) plan.Excerpt {
	if c.text == "" || slices.Contains(c.lines, -1) {
		return plan.Excerpt{}
	}
	return plan.Excerpt{Span: at}
}

// at returns the span of a directive's line.
func (l *lowering) at(line int) plan.Span { return l.span(place{Line: line}, line) }

// span returns the span from a place to a line.
func (l *lowering) span(from place, last int) plan.Span {
	line, column := l.d.position(from)
	return plan.Span{Line: line, Column: column, End: max(line, l.d.trim(slice{from.Line, last}).last+1)}
}

// implied returns the routes that the format supplies: a step that fails ends the run (spec §7).
func (l *lowering) implied(line int, label string) []plan.Route {
	begin := len(l.routes)
	at := l.at(line)
	end := plan.Move{Verb: plan.End, Result: plan.RunFailed, Text: "fail: the run fails", Implicit: true, Span: at}
	if label != "" {
		end.Message = plan.Failure{Label: label}
	}
	l.routes = append(l.routes,
		plan.Route{When: plan.Matcher{Result: plan.Passed}, Do: plan.Move{Verb: plan.Continue, Text: "pass: continue", Implicit: true, Span: at}},
		plan.Route{When: plan.Matcher{Result: plan.Failed}, Do: end})
	return l.routes[begin:len(l.routes):len(l.routes)]
}
