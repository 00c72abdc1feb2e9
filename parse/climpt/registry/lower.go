package registry

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// lower turns the registry into a Plan.
func (r *registry) lower(p *plan.Plan) {
	p.ByID = true
	if r.Agent == nil && r.id != "" {
		p.Title = r.id
	}
	p.System = r.system()
	r.ask(p)
	if r.entry != "" {
		p.Entries = []plan.Entry{{Step: r.entry}}
	}
	p.Entries = append(p.Entries, r.entries...)
	p.Limit = climpt.Guard("max-iterations", "maximum iterations reached", r.verdict.MaxIterations, r.verdict.LimitedBy)
	p.Extra = r.Registry.Shown("agentId", "version", "c1", "entryStep", "entryStepMapping", "failurePatterns", "validators", "validationSteps")
	p.Extra["verdict"] = r.verdictType()
	p.Steps = make([]*plan.Step, 0, len(r.steps))
	l := &lowering{registry: r}
	for _, s := range r.steps {
		if s.section {
			l.sections = append(l.sections, s.id)
		} else {
			l.ids = append(l.ids, s.id)
		}
	}
	for _, s := range r.steps {
		p.Steps = append(p.Steps, l.step(s))
	}
	p.Reads = r.reads(p)
}

// reads are the names that texts and commands use, and those of inputs.
func (r *registry) reads(p *plan.Plan) []string {
	names := map[string]bool{}
	add := func(more ...string) {
		for _, name := range more {
			names[name] = true
		}
	}
	for _, in := range p.Inputs {
		add(in.Name)
	}
	if system, is := p.System.(*prompt); is {
		add(system.Text.variables()...)
	}
	for _, s := range r.steps {
		add(s.variables...)
		add(s.text.variables()...)
		add(builtins[s.key].variables()...)
		for _, in := range s.inputs {
			add(in.name)
		}
		if s.command != nil {
			add(s.command.variables()...)
		}
	}
	for _, v := range r.validations {
		for _, a := range v.answers {
			add(a.Text.literals().variables()...)
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// ask adds what nothing supplies to the inputs that are asked for before the run.
func (r *registry) ask(p *plan.Plan) {
	seen := map[string]bool{}
	for _, in := range p.Inputs {
		seen[in.Name] = true
	}
	for _, s := range r.steps {
		for _, name := range s.variables {
			if !seen[name] && !r.isSupplied(s, name) {
				seen[name] = true
				p.Inputs = append(p.Inputs, plan.Input{Name: name, Type: "string", Line: s.At("uvVariables").Line})
			}
		}
	}
}

// lowering knows what all steps share.
type lowering struct {
	*registry
	ids, sections []string
	out           []plan.Route // of the step at hand
	at            plan.Span    // where that stands
}

func (l *lowering) step(s *step) *plan.Step {
	l.at = span(s.Place())
	out := &plan.Step{
		ID: s.id, Key: s.id, Kind: "step", Title: s.name, Aside: true, Span: l.at, Brief: s.kind, Phase: s.c2,
		Extra: s,
	}
	if s.section {
		out.Kind, out.Text, out.Brief = "section", l.prompt(s), "put into prompts"
		return out
	}
	out.Text = s.question
	out.Actions = append(l.asking(s), l.validating(s)...)
	out.Routes, out.Edges = l.routes(s), l.edges(s)
	if v := l.validationOf(s); v != nil && len(v.conditions) > 0 {
		out.Brief += "  " + v.brief()
	}
	if slices.Contains(l.allowed(s), jump) {
		out.Brief += "  jumps"
	}
	return out
}

// Details implements plan.Extra.
func (s *step) Details() map[string]any {
	out := s.Shown("description", "c2", "c3", "model", "uvVariables", "usesStdin", "inputs", "transitions", "outputSchemaRef", "fallbackKey", "type", "permissionMode")
	out["stepKind"], out["edition"], out["adaptation"] = s.kind, s.edition, s.adaptation
	maps.DeleteFunc(out, blank)
	if s.gate != nil {
		out["gate"] = s.gate.Value
	}
	return out
}

// blank reports whether there is nothing to show.
func blank(_ string, shown any) bool {
	v, written := shown.(*climpt.Value)
	return shown == "" || written && v.Is(climpt.String) && v.Text() == ""
}

// asking is the model's call, or the command in its place, and the reading of what
// came of it.
func (l *lowering) asking(s *step) []plan.Action {
	var schema []byte
	if s.schema != nil {
		schema = encode(s.schema)
	}
	if s.command != nil {
		return []plan.Action{{Work: s.command.lower(), Judge: ran{Repeats: s.rule(repeat) != nil}, Span: span(s.command.Place())}}
	}
	name, _ := l.model(s)
	model := plan.Action{Span: l.at, Text: s.file.At, Work: plan.Model{
		Prompt: s.question, Thread: plan.Run, Name: name, Alias: true, Schema: schema, Replies: replyChoices{s, l.derived(s), l.ids},
	}}
	read := plan.Action{Work: plan.JudgeOnly{}, Span: l.at}
	switch {
	case !l.gated:
		read.Judge = ungated{s.id, schema, lowerVerdict(l.verdict, l.verdictType())}
	case s.gate == nil:
		read.Judge = implied{s.id, l.allowed(s)[0], schema}
	default:
		read.Judge, read.Span = l.judge(s, schema), span(s.gate.Place())
	}
	return []plan.Action{model, read}
}

func (l *lowering) judge(s *step, schema []byte) gate {
	g := s.gate
	out := gate{
		Step: s.id, Field: g.field, Allowed: g.allowed, Target: g.target, Handoff: g.handoff, FailFast: g.failFast,
		Fallback: g.fallback, Schema: schema, Kind: s.kind, Derived: s.rule(next) == nil && l.derived(s) != "",
	}
	if slices.Contains(g.allowed, jump) {
		out.Steps, out.Sections = l.ids, l.sections
	}
	for _, u := range s.rules {
		if u.condition == "" {
			continue
		}
		look := lookup{Key: u.condition}
		for _, b := range u.cases {
			look.Values = append(look.Values, b.value)
			look.Default = look.Default || b.value == otherwise
		}
		if out.Rules == nil {
			out.Rules = map[string]lookup{}
		}
		out.Rules[u.intent] = look
	}
	return out
}

// lower is a command in the place of a model's call.
func (c *subprocess) lower() plan.Command {
	out := plan.Command{Pipes: true, Timeout: time.Duration(c.timeout) * time.Millisecond}
	for _, word := range append([]string{c.command}, c.args...) {
		out.Argv = append(out.Argv, argument(word))
	}
	return out
}

// variables are the names that the words of the command use.
func (c *subprocess) variables() (out []string) {
	for _, m := range contextName.FindAllStringSubmatch(strings.Join(append(c.args, c.command), " "), -1) {
		out = append(out, m[1])
	}
	return out
}

// argument is a word of a command, with ${context.NAME} in it: a Prompt.
type argument string

var contextName = regexp.MustCompile(`\$\{context\.([^}]*)\}`)

// Render implements plan.Prompt.
func (a argument) Render(scope plan.Scope) (plan.Rendered, error) {
	if scope == nil {
		return plan.Rendered{Text: string(a)}, nil
	}
	var out strings.Builder
	at := 0
	for _, m := range contextName.FindAllStringSubmatchIndex(string(a), -1) {
		name := string(a[m[2]:m[3]])
		v, ok := scope.Var(name)
		if !ok {
			return plan.Rendered{}, missingParameter(name)
		}
		out.WriteString(string(a[at:m[0]]) + plan.TextOf(v))
		at = m[1]
	}
	return plan.Rendered{Text: out.String() + string(a[at:])}, nil
}

type missingParameter string

func (m missingParameter) Error() string { return "the parameter " + string(m) + " has no value" }

// validatorTime is how long a validator may run where nobody says.
const validatorTime = 10 * time.Minute

// validating are the checks that a step has to pass before it closes (spec §10).
func (l *lowering) validating(s *step) []plan.Action {
	v := l.validationOf(s)
	if v == nil {
		return nil
	}
	on := plan.Matcher{Result: plan.Passed, Intent: closing, Test: &plan.Test{Data: true, Path: []string{dataSkipped}, Op: plan.IsNot, Value: "true"}}
	var out []plan.Action
	if v.schema != nil {
		out = append(out, plan.Action{Work: plan.JudgeOnly{}, If: on, Span: span(v.At("outputSchema")), Judge: conforms{v.schema, v.action == "skip", v.action == "retry"}})
	}
	for i, c := range v.conditions {
		w := l.validators[c.validator]
		out = append(out, plan.Action{
			Work: plan.Command{Shell: "sh", Language: "sh", Text: plan.Literal(c.fill(w.command)), Pipes: true, Timeout: l.patience},
			If:   on, Span: span(w.At("command")), Text: quoted(w.Get("command").Place()),
			Judge: validated{
				Name: w.id, Nth: i + 1, Of: len(v.conditions), Success: w.success, Pattern: w.pattern, Extract: w.extract,
				Recoverable: w.recoverable, Skip: v.action == "skip", Retry: v.action == "retry",
			},
		})
	}
	return out
}

// quoted is the place of a JSON string.
func quoted(at climpt.Place) plan.Excerpt {
	return plan.Excerpt{File: at.File, Span: span(at), Quoted: true}
}

var paramName = regexp.MustCompile(`\$\{(\w[\w.-]*)\}`)

// fill puts a condition's params into its validator's command, as they are.
func (c condition) fill(command string) string {
	return paramName.ReplaceAllStringFunc(command, func(m string) string {
		if v, ok := c.params[m[2:len(m)-1]]; ok {
			return v
		}
		return m
	})
}
