package registry

import (
	"cmp"
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
	r.addInputs(p)
	if r.entry != "" {
		p.Entries = []plan.Entry{{Step: r.entry}}
	}
	p.Entries = append(p.Entries, r.entries...)
	p.Limit = climpt.Guard("max-iterations", "maximum iterations reached", r.verdict.MaxIterations, r.verdict.LimitedBy)
	p.Limit.Text = r.verdict.LimitedAt
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
	var asking []string
	for _, s := range r.steps {
		p.Steps = append(p.Steps, l.step(s))
		if !s.section && s.command == nil {
			asking = append(asking, s.id)
		}
	}
	r.CheckTools(asking)
	p.Reads = r.usedNames(p)
}

// usedNames returns all variable names that inputs, texts and commands use.
func (r *registry) usedNames(p *plan.Plan) []string {
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
		add(s.usedVariables()...)
		if s.command != nil {
			add(s.command.variables()...)
		}
	}
	for _, v := range r.validations {
		for _, a := range v.retryTexts {
			add(a.Text.literals().variables()...)
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// addInputs adds an input for each variable that nothing else supplies.
func (r *registry) addInputs(p *plan.Plan) {
	seen := map[string]bool{}
	for _, in := range p.Inputs {
		seen[in.Name] = true
	}
	for _, s := range r.steps {
		for _, name := range s.variables {
			if !seen[name] && !r.isSupplied(s, name) {
				seen[name] = true
				at := s.At("uvVariables")
				p.Inputs = append(p.Inputs, plan.Input{Name: name, Type: "string", Declared: climpt.MemberAt(at)})
			}
		}
	}
}

// lowering holds what the conversion of all steps shares.
type lowering struct {
	*registry
	ids, sections []string
	out           []plan.Route // the routes of the current step
	at            plan.Span    // the place of the current step
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
	out.Text = s.prompt
	out.Actions = append(l.modelActions(s), l.validationActions(s)...)
	out.Routes, out.Edges = l.routes(s), l.edges(s)
	out.RoutesIn, out.Clauses = climpt.MemberAt(s.Place()), l.clauses(s)
	if v := l.validationOf(s); v != nil && len(v.conditions) > 0 {
		out.Brief += "  " + v.brief()
	}
	if slices.Contains(l.allowedIntents(s), jump) {
		out.Brief += "  jumps"
	}
	return out
}

// clauses returns what decides about a step besides its routes.
func (l *lowering) clauses(s *step) (out []plan.Clause) {
	add := func(kind string, v *climpt.Value) {
		if v != nil {
			out = append(out, plan.Clause{Kind: kind, Text: climpt.MemberAt(v.Place())})
		}
	}
	if s.gate != nil {
		add("gate", s.gate.Value)
		add("fallback intent", s.gate.Get("fallbackIntent"))
	}
	for _, m := range s.Get("transitions").Members() {
		add("transition", m)
	}
	if v := l.validationOf(s); v != nil {
		add("validation", v.Value)
	}
	return out
}

// Details implements plan.Extra.
func (s *step) Details() map[string]any {
	out := s.Shown("description", "c2", "c3", "model", "uvVariables", "usesStdin", "inputs", "transitions", "outputSchemaRef", "fallbackKey", "type", "permissionMode")
	out["stepKind"], out["edition"], out["adaptation"] = s.kind, s.edition, s.adaptation
	maps.DeleteFunc(out, isBlank)
	if s.gate != nil {
		out["gate"] = s.gate.Value
	}
	return out
}

// isBlank reports whether there is nothing to show.
func isBlank(_ string, shown any) bool {
	v, written := shown.(*climpt.Value)
	return shown == "" || written && v.Is(climpt.String) && v.Text() == ""
}

// modelActions returns the model call, or the command instead of it, and the action that judges the
// reply.
func (l *lowering) modelActions(s *step) []plan.Action {
	var schema []byte
	if s.schema != nil {
		schema = encode(s.schema)
	}
	if s.command != nil {
		return []plan.Action{{Work: s.command.toCommand(), Judge: commandJudge{Repeats: s.rule(repeat) != nil}, Span: span(s.command.Place())}}
	}
	name, _ := l.model(s)
	call := plan.Model{
		Prompt: s.prompt, Thread: plan.Run, Name: name, Alias: true, Schema: schema, Replies: replyChoices{s, l.derivedNext(s), l.ids},
	}
	l.Agent.Offer(&call, cmp.Or(s.mode, plan.AskMode), s.kind == closure)
	model := plan.Action{Span: l.at, Text: s.file.At, Work: call}
	read := plan.Action{Work: plan.JudgeOnly{}, Span: l.at}
	switch {
	case !l.gated:
		read.Judge = verdictJudge{s.id, schema, lowerVerdict(l.verdict, l.verdictType())}
	case s.gate == nil:
		read.Judge = impliedJudge{s.id, l.allowedIntents(s)[0], schema}
	default:
		read.Judge, read.Span = l.judge(s, schema), span(s.gate.Place())
	}
	return []plan.Action{model, read}
}

func (l *lowering) judge(s *step, schema []byte) gateJudge {
	g := s.gate
	out := gateJudge{
		Step: s.id, Field: g.field, Allowed: g.allowed, Target: g.target, Handoff: g.handoff, FailFast: g.failFast,
		Fallback: g.fallback, Schema: schema, Kind: s.kind, Derived: s.rule(next) == nil && l.derivedNext(s) != "",
	}
	if g.fallback != "" {
		out.FallbackLine = g.At("fallbackIntent").Line
	}
	if slices.Contains(g.allowed, jump) {
		out.Steps, out.Sections = l.ids, l.sections
	}
	for _, u := range s.rules {
		if u.condition == "" {
			continue
		}
		look := ruleLookup{Key: u.condition}
		for _, b := range u.branches {
			look.Values = append(look.Values, b.value)
			look.Default = look.Default || b.value == defaultCase
		}
		if out.Rules == nil {
			out.Rules = map[string]ruleLookup{}
		}
		out.Rules[u.intent] = look
	}
	return out
}

func (c *subprocess) toCommand() plan.Command {
	out := plan.Command{Pipes: true, Timeout: time.Duration(c.timeout) * time.Millisecond}
	for _, word := range append([]string{c.command}, c.args...) {
		out.Argv = append(out.Argv, argument(word))
	}
	return out
}

// variables returns the variable names in the words of the command.
func (c *subprocess) variables() (out []string) {
	for _, m := range contextName.FindAllStringSubmatch(strings.Join(append(c.args, c.command), " "), -1) {
		out = append(out, m[1])
	}
	return out
}

// argument is the Prompt of one word of a command, which may contain ${context.NAME}.
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

// defaultValidatorTimeout applies if no flag sets another limit.
const defaultValidatorTimeout = 10 * time.Minute

// validationActions returns the checks that a step must pass before it closes (spec §10).
func (l *lowering) validationActions(s *step) []plan.Action {
	v := l.validationOf(s)
	if v == nil {
		return nil
	}
	on := plan.Matcher{Result: plan.Passed, Intent: closing, Test: &plan.Test{Data: true, Path: []string{dataSkipped}, Op: plan.IsNot, Value: "true"}}
	var out []plan.Action
	if v.schema != nil {
		out = append(out, plan.Action{Work: plan.JudgeOnly{}, If: on, Span: span(v.At("outputSchema")), Judge: schemaJudge{v.schema, v.action == "skip", v.action == "retry"}})
	}
	for i, c := range v.conditions {
		w := l.validators[c.validator]
		out = append(out, plan.Action{
			Work: plan.Command{Shell: "sh", Language: "sh", Text: plan.Literal(c.fill(w.command)), Pipes: true, Timeout: l.validatorTimeout},
			If:   on, Span: span(w.At("command")), Text: jsonStringAt(w.Get("command").Place()),
			Judge: validatorJudge{
				Name: w.id, Nth: i + 1, Of: len(v.conditions), Success: w.success, Pattern: w.pattern, Extract: w.extract,
				Recoverable: w.recoverable, Skip: v.action == "skip", Retry: v.action == "retry",
			},
		})
	}
	return out
}

// jsonStringAt returns the excerpt of a JSON string.
func jsonStringAt(at climpt.Place) plan.Excerpt {
	return plan.Excerpt{File: at.File, Span: span(at), Quoted: true}
}

var paramName = regexp.MustCompile(`\$\{(\w[\w.-]*)\}`)

// fill puts the condition's params into the command of its validator, without quoting.
func (c condition) fill(command string) string {
	return paramName.ReplaceAllStringFunc(command, func(m string) string {
		if v, ok := c.params[m[2:len(m)-1]]; ok {
			return v
		}
		return m
	})
}
