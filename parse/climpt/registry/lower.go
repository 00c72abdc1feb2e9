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

// fillPlan turns the registry into a Plan.
func (r *registry) fillPlan(p *plan.Plan) {
	p.ShowsOnlyIDs = true
	if r.Agent == nil && r.agentID != "" {
		p.Title = r.agentID
	}
	p.SystemPrompt = r.systemPrompt()
	r.addInputs(p)
	if r.entryID != "" {
		p.Entries = []plan.Entry{{Step: r.entryID}}
	}
	p.Entries = append(p.Entries, r.mappedEntries...)
	p.EntryLimit = climpt.NewEntryLimit("max-iterations", "maximum iterations reached", r.verdict.MaxIterations, r.verdict.LimitSource)
	p.EntryLimit.MaxLocation = r.verdict.LimitLocation
	p.AdviceByCode = map[string]plan.WarningAdvice{fallbackCode: {IsFallback: true}}
	p.Extra = r.Registry.MembersForDisplay("agentId", "version", "c1", "entryStep", "entryStepMapping", "failurePatterns", "validators", "validationSteps")
	p.Extra["verdict"] = r.verdictType()
	p.Steps = make([]*plan.Step, 0, len(r.steps))
	b := &planBuilder{registry: r}
	for _, s := range r.steps {
		if s.isSection {
			b.sectionIDs = append(b.sectionIDs, s.id)
		} else {
			b.executableIDs = append(b.executableIDs, s.id)
		}
	}
	var modelStepIDs []string
	for _, s := range r.steps {
		p.Steps = append(p.Steps, b.planStep(s))
		if !s.isSection && s.command == nil {
			modelStepIDs = append(modelStepIDs, s.id)
		}
	}
	r.WarnUnavailableTools(modelStepIDs)
	p.UsedVariables = r.usedVariableNames(p)
}

// usedVariableNames returns all variable names that inputs, texts and commands use.
func (r *registry) usedVariableNames(p *plan.Plan) []string {
	names := p.SystemPrompt.(*prompt).Text.variables()
	for _, in := range p.Inputs {
		names = append(names, in.Name)
	}
	for _, s := range r.steps {
		names = append(names, s.usedVariables()...)
		if s.command != nil {
			names = append(names, s.command.usedVariables()...)
		}
	}
	for _, v := range r.validations {
		for _, retry := range v.retryTexts {
			names = append(names, retry.Text.literalPieces().variables()...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// addInputs adds an input for each variable that nothing else supplies.
func (r *registry) addInputs(p *plan.Plan) {
	seen := map[string]bool{}
	for _, in := range p.Inputs {
		seen[in.Name] = true
	}
	for _, s := range r.steps {
		for _, name := range s.declaredVariables {
			if !seen[name] && !r.isVariableSupplied(s, name) {
				seen[name] = true
				at := s.PlaceOf("uvVariables")
				p.Inputs = append(p.Inputs, plan.Input{Name: name, Type: "string", DeclaredAt: climpt.MemberLocation(at)})
			}
		}
	}
}

// planBuilder converts steps. It has what all conversions share, and the state of the current one.
type planBuilder struct {
	*registry
	executableIDs, sectionIDs []string
	stepRoutes                []plan.Route // the routes of the current step
	stepSpan                  plan.Span    // the place of the current step
}

func (p *planBuilder) planStep(s *step) *plan.Step {
	p.stepSpan = s.Place().Span()
	out := &plan.Step{
		ID: s.id, StableKey: s.id, Kind: "step", Title: s.name, IsTargetOnly: true, Span: p.stepSpan, TitleNote: s.kind, FlowHeading: s.promptC2,
		Extra: s,
	}
	out.Span.LastLine = s.LastLine()
	if s.isSection {
		out.Kind, out.Text, out.TitleNote = "section", p.newPrompt(s), "used in prompts"
		out.IsPromptText = true
		return out
	}
	out.Text = s.prompt
	out.Actions = append(p.modelActions(s), p.validationActions(s)...)
	out.Routes, out.FlowEdges = p.routes(s), p.flowEdges(s)
	out.RoutesLocation, out.OtherRules = climpt.MemberLocation(s.Place()), p.otherRules(s)
	if v := p.validationOf(s); v != nil && len(v.conditions) > 0 {
		out.TitleNote += "  " + v.requirementText()
	}
	if slices.Contains(p.allowedIntents(s), intentJump) {
		out.TitleNote += "  jumps"
	}
	return out
}

// otherRules returns the parts of the registry, besides routes, that decide where a step leads.
func (p *planBuilder) otherRules(s *step) (out []plan.Rule) {
	add := func(kind string, v *climpt.Value) {
		if v != nil {
			out = append(out, plan.Rule{Kind: kind, Location: climpt.MemberLocation(v.Place())})
		}
	}
	if s.gate != nil {
		add("gate", s.gate.Value)
		add("fallback intent", s.gate.Get("fallbackIntent"))
	}
	for _, m := range s.Get("transitions").Members() {
		add("transition", m)
	}
	if v := p.validationOf(s); v != nil {
		add("validation", v.Value)
	}
	return out
}

// Details implements plan.Extra.
func (s *step) Details() map[string]any {
	out := s.MembersForDisplay("description", "c2", "c3", "model", "uvVariables", "usesStdin", "inputs", "transitions", "outputSchemaRef", "fallbackKey", "type", "permissionMode")
	out["stepKind"], out["edition"], out["adaptation"] = s.kind, s.edition, s.adaptation
	maps.DeleteFunc(out, isBlankDetail)
	if s.gate != nil {
		out["gate"] = s.gate.Value
	}
	return out
}

// isBlankDetail reports whether there is nothing to show.
func isBlankDetail(_ string, shown any) bool {
	v, written := shown.(*climpt.Value)
	return shown == "" || written && v.Is(climpt.String) && v.Text() == ""
}

// modelActions returns the model call, or the command instead of it, and the action that judges the
// reply.
func (p *planBuilder) modelActions(s *step) []plan.Action {
	var schema []byte
	if s.replySchema != nil {
		schema = encodeNode(s.replySchema)
	}
	if s.command != nil {
		return []plan.Action{{Work: s.command.toCommand(), Judge: subprocessJudge{HasRepeatRule: s.findRule(intentRepeat) != nil}, Span: s.command.Place().Span()}}
	}
	name, _ := p.stepModel(s)
	call := plan.Model{
		Prompt: s.prompt, Thread: plan.RunThread, Name: name, IsAlias: true, Schema: schema, ReplyChoiceSource: replyChoices{s, p.derivedContinuation(s), p.executableIDs},
	}
	p.Agent.OfferTools(&call, cmp.Or(s.permissionMode, plan.AskMode), s.kind == kindClosure)
	model := plan.Action{Span: p.stepSpan, TextLocation: s.promptFile.TextLocation, Work: call}
	read := plan.Action{Work: plan.JudgeOnly{}, Span: p.stepSpan}
	switch {
	case !p.hasGates:
		read.Judge = verdictJudge{s.id, schema, newCompletionRule(p.verdict, p.verdictType())}
	case s.gate == nil:
		read.Judge = ungatedJudge{s.id, p.allowedIntents(s)[0], schema}
	default:
		read.Judge, read.Span = p.newGateJudge(s, schema), s.gate.Place().Span()
	}
	return []plan.Action{model, read}
}

func (p *planBuilder) newGateJudge(s *step, schema []byte) gateJudge {
	g := s.gate
	out := gateJudge{
		StepID: s.id, IntentField: g.intentField, AllowedIntents: g.allowedIntents, TargetField: g.targetField, HandoffPaths: g.handoffPaths, FailFast: g.failFast,
		FallbackIntent: g.fallbackIntent, Schema: schema, StepKind: s.kind, HasDerivedNext: s.findRule(intentNext) == nil && p.derivedContinuation(s) != "",
	}
	if g.fallbackIntent != "" {
		out.FallbackIntentLine = g.PlaceOf("fallbackIntent").Line
	}
	if slices.Contains(g.allowedIntents, intentJump) {
		out.JumpTargets, out.SectionIDs = p.executableIDs, p.sectionIDs
	}
	for _, u := range s.rules {
		if u.conditionKey == "" {
			continue
		}
		condition := conditionalRule{Key: u.conditionKey}
		for _, b := range u.caseTargets {
			condition.Values = append(condition.Values, b.caseValue)
			condition.HasDefault = condition.HasDefault || b.caseValue == defaultTargetKey
		}
		if out.Rules == nil {
			out.Rules = map[string]conditionalRule{}
		}
		out.Rules[u.intent] = condition
	}
	return out
}

func (s *subprocess) toCommand() plan.Command {
	out := plan.Command{UsesPipes: true, Timeout: time.Duration(s.timeoutMillis) * time.Millisecond}
	for _, word := range append([]string{s.command}, s.args...) {
		out.Argv = append(out.Argv, commandWord(word))
	}
	return out
}

// usedVariables returns the names of parameters in the words of the command.
func (s *subprocess) usedVariables() (out []string) {
	for _, m := range contextPlaceholderPattern.FindAllStringSubmatch(strings.Join(append(s.args, s.command), " "), -1) {
		out = append(out, m[1])
	}
	return out
}

// commandWord is the Prompt of one word of a command, which may contain ${context.NAME}.
type commandWord string

var contextPlaceholderPattern = regexp.MustCompile(`\$\{context\.([^}]*)\}`)

// Render implements plan.Prompt.
func (c commandWord) Render(scope plan.Scope) (plan.Rendered, error) {
	if scope == nil {
		return plan.Rendered{Text: string(c)}, nil
	}
	var out strings.Builder
	at := 0
	for _, m := range contextPlaceholderPattern.FindAllStringSubmatchIndex(string(c), -1) {
		name := string(c[m[2]:m[3]])
		v, ok := scope.Var(name)
		if !ok {
			return plan.Rendered{}, missingParameterError(name)
		}
		out.WriteString(string(c[at:m[0]]) + plan.ValueText(v))
		at = m[1]
	}
	return plan.Rendered{Text: out.String() + string(c[at:])}, nil
}

type missingParameterError string

func (m missingParameterError) Error() string { return "the parameter " + string(m) + " has no value" }

// defaultValidatorTimeout applies if no flag sets another limit.
const defaultValidatorTimeout = 10 * time.Minute

// validationActions returns the checks that a step must pass before it closes (spec §10).
func (p *planBuilder) validationActions(s *step) []plan.Action {
	v := p.validationOf(s)
	if v == nil {
		return nil
	}
	on := plan.Matcher{Result: plan.Passed, Intent: intentClosing, Test: &plan.Test{ReadsOutcomeData: true, Path: []string{outcomeFailureIgnoredKey}, Op: plan.OpNotEqual, Value: "true"}}
	var out []plan.Action
	if v.outputSchema != nil {
		out = append(out, plan.Action{Work: plan.JudgeOnly{}, If: on, Span: v.PlaceOf("outputSchema").Span(), Judge: schemaJudge{v.outputSchema, v.failureAction == "skip", v.failureAction == "retry"}})
	}
	for i, c := range v.conditions {
		validator := p.validators[c.validatorID]
		out = append(out, plan.Action{
			Work: plan.Command{Shell: "sh", Language: "sh", Text: plan.Literal(c.fillCommand(validator.command)), UsesPipes: true, Timeout: p.validatorTimeout},
			If:   on, Span: validator.PlaceOf("command").Span(), TextLocation: jsonStringLocation(validator.Get("command").Place()),
			Judge: validatorCommandJudge{
				ValidatorID: validator.id, Position: i + 1, ValidatorCount: len(v.conditions), SuccessRule: validator.successRule, FailurePattern: validator.failurePattern, Extractions: validator.extractions,
				IsRecoverable: validator.isRecoverable, IgnoresFailure: v.failureAction == "skip", RetryOnFailure: v.failureAction == "retry",
			},
		})
	}
	return out
}

// jsonStringLocation returns the location of a JSON string.
func jsonStringLocation(at climpt.Place) plan.TextLocation {
	return plan.TextLocation{File: at.File, Span: at.Span(), IsQuotedJSON: true}
}

var paramPlaceholderPattern = regexp.MustCompile(`\$\{(\w[\w.-]*)\}`)

// fillCommand puts the condition's params into the command of its validator, without quoting.
func (c validationCondition) fillCommand(command string) string {
	return paramPlaceholderPattern.ReplaceAllStringFunc(command, func(m string) string {
		if v, ok := c.params[m[2:len(m)-1]]; ok {
			return v
		}
		return m
	})
}
