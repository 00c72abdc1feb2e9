package stepflow

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// defaultMaxIterations is the default limit of how often a run may enter steps (spec §4, 2).
const defaultMaxIterations = 100

// fillPlan turns the flow into a Plan.
func (fl *flow) fillPlan(p *plan.Plan) {
	p.SystemPrompt = fl.systemPrompt()
	fl.addInputs(p)
	fl.setUsedVariables(p)
	p.Entries = []plan.Entry{{Step: fl.entryID}}
	most, setBy := fl.IterationLimit(defaultMaxIterations)
	p.EntryLimit = climpt.NewEntryLimit("max-total-iterations", "Max total iterations exceeded", most, setBy)
	p.Extra = fl.Registry.MembersForDisplay("version", "editions", "entryStepMapping")
	ids := make([]string, 0, len(fl.steps))
	for _, s := range fl.steps {
		p.Steps = append(p.Steps, fl.planStep(s))
		ids = append(ids, s.id)
	}
	fl.WarnUnavailableTools(ids)
}

// systemPrompt returns the system prompt from its file, or else the default one (spec §1).
func (fl *flow) systemPrompt() plan.Prompt {
	text := "You are a careful assistant."
	if a := fl.Agent; a != nil {
		text = "You are " + a.DisplayName + ". " + a.Description
	}
	file, ok := fl.FindSystemPrompt(fl.promptFolder)
	if !ok {
		return prompt{Pieces: []textPiece{{text: text}}}
	}
	return prompt{RelPath: file.RelPath, Problem: file.Problem, Pieces: splitPlaceholders(file.Text)}
}

// addInputs adds an input for each variable that steps declare and that is not a parameter of the agent.
func (fl *flow) addInputs(p *plan.Plan) {
	known := map[string]bool{}
	for _, in := range p.Inputs {
		known[in.Name] = true
	}
	offer := func(name, description string, at climpt.Place) {
		if name != "" && !known[name] {
			known[name] = true
			p.Inputs = append(p.Inputs, plan.Input{Name: name, Type: "string", Description: description, DeclaredAt: climpt.MemberLocation(at)})
		}
	}
	for _, s := range fl.steps {
		for _, v := range s.Get("variables").Items() {
			offer(v.Text(), "", v.Place())
		}
		for _, v := range s.Get("customVariables").Items() {
			offer(v.Get("name").Text(), v.Get("description").Text(), v.Place())
		}
	}
}

// setUsedVariables sets the variables of the Plan: its inputs, and the possible names of all arguments in
// prompts.
func (fl *flow) setUsedVariables(p *plan.Plan) {
	prompts := []prompt{p.SystemPrompt.(prompt)}
	for _, s := range fl.steps {
		prompts = append(prompts, s.prompt, s.check.prompt)
	}
	for _, in := range p.Inputs {
		p.UsedVariables = append(p.UsedVariables, in.Name)
	}
	for _, prompt := range prompts {
		for _, piece := range prompt.Pieces {
			if piece.argumentName != "" {
				p.UsedVariables = append(p.UsedVariables, piece.possibleNames()...)
			}
		}
	}
	slices.Sort(p.UsedVariables)
	p.UsedVariables = slices.Compact(p.UsedVariables)
}

// planStep converts a step: its call, its check, and the routes of the verdict.
func (fl *flow) planStep(s *step) *plan.Step {
	at := s.Place().Span()
	work := plan.Model{Prompt: s.prompt, Thread: plan.RunThread}
	fl.Agent.OfferTools(&work, cmp.Or(s.permissionMode, plan.AskMode), false)
	out := &plan.Step{
		ID: s.id, StableKey: s.id, Kind: "step", Title: s.name, Text: s.prompt, IsTargetOnly: true, TitleNote: s.iterationText(), Span: at,
		Extra:   s,
		Actions: []plan.Action{{Work: work, Judge: anyReplyJudge{}, Span: s.PlaceOf("prompt").Span(), TextLocation: s.prompt.TextLocation}},
	}
	out.Span.LastLine = s.LastLine()
	if s.hasCheck {
		c := s.check
		check := plan.Model{CallName: "check", Prompt: c.prompt, Thread: plan.RunThread, ReplyChoiceSource: replyChoices{s}}
		fl.Agent.OfferTools(&check, plan.StricterMode(s.permissionMode, plan.VerificationMode), false)
		out.Actions = append(out.Actions, plan.Action{
			Work:  check,
			Judge: checkJudge{PromptPath: c.prompt.RelPath}, Span: s.PlaceOf("check").Span(), TextLocation: c.prompt.TextLocation,
		})
	}
	out.Routes, out.FlowEdges = s.routes(), s.edges()
	out.RoutesLocation = climpt.MemberLocation(s.Place())
	for _, part := range []struct {
		kind string
		v    *climpt.Value
	}{
		{"limit", s.Get("iterations")}, {"check", s.Get("check")},
		{"limit", s.check.onPass.Get("maxRetries")}, {"limit", s.check.onFail.Get("maxRetries")},
	} {
		if part.v != nil {
			out.OtherRules = append(out.OtherRules, plan.Rule{Kind: part.kind, Location: climpt.MemberLocation(part.v.Place())})
		}
	}
	return out
}

// Details implements plan.Extra.
func (s *step) Details() map[string]any {
	out := s.MembersForDisplay("description", "variables", "customVariables", "usesStdin")
	out["iterations"] = map[string]any{"min": s.minIterations, "max": s.maxIterations}
	if s.prompt.RelPath != "" {
		out["prompt_file"] = s.prompt.RelPath
	}
	if v := s.check.Get("responseFormat"); s.hasCheck && v != nil {
		out["response_format"] = v
	}
	return out
}

// iterationText returns how often the step runs, such as "2–3×", or "" for once.
func (s *step) iterationText() string {
	switch {
	case s.maxIterations <= 1 && s.minIterations == 1:
		return ""
	case s.minIterations == s.maxIterations:
		return fmt.Sprintf("%d×", s.maxIterations)
	}
	return fmt.Sprintf("%d–%d×", s.minIterations, s.maxIterations)
}

// replyChoices are the replies to a step's check that a person can pick: ok and ng, in the words of its
// responseFormat.
type replyChoices struct{ step *step }

// resultValuesByFormat are the results that mean ok and ng, by the result of responseFormat.
var resultValuesByFormat = map[string][2]any{"pass|fail": {"pass", "fail"}, "boolean": {true, false}}

// Choices implements plan.ReplyChoiceSource.
func (r replyChoices) Choices() []plan.ReplyChoice {
	s := r.step
	format := s.check.Object("responseFormat").Get("result").Text()
	result, known := resultValuesByFormat[format]
	if !known {
		result = [2]any{"ok", "ng"}
	}
	return []plan.ReplyChoice{
		{Name: fmt.Sprint(result[0]), Reply: sampleReply(result[0]), To: s.passTargetText()},
		{Name: fmt.Sprint(result[1]), Reply: sampleReply(result[1]), To: s.failTargetText()},
	}
}

// sampleReply returns a reply to a check with a result and no message.
func sampleReply(result any) string {
	out, _ := json.Marshal(struct {
		Result  any    `json:"result"`
		Message string `json:"message"`
	}{result, ""})
	return string(out)
}

// passTargetText describes where onPass leads. Before minIterations attempts it has no effect.
func (s *step) passTargetText() string {
	to := s.targetText(s.check.onPass, "end")
	if s.minIterations > 1 {
		to += fmt.Sprintf(", from iteration %d on", s.minIterations)
	}
	return to
}

// failTargetText describes where onFail leads. If it is empty, the step repeats up to maxIterations.
func (s *step) failTargetText() string {
	otherwise := "end"
	if s.maxIterations > 1 {
		otherwise = fmt.Sprintf("%s, up to iteration %d", s.id, s.maxIterations)
	}
	return s.targetText(s.check.onFail, otherwise)
}

// targetText describes where onPass or onFail leads first, in the order of spec §6. If it is empty, that is
// otherwise.
func (s *step) targetText(o verdictTarget, otherwise string) string {
	switch {
	case o.completesRun:
		return "end"
	case o.nextStep != "":
		return o.nextStep
	case o.canRetry && o.maxRetries > 0:
		return fmt.Sprintf("%s, retry ≤ %d", s.id, o.maxRetries)
	case o.canRetry:
		return s.id
	case o.fallbackStep != "":
		return o.fallbackStep
	}
	return otherwise
}
