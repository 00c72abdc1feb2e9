package stepflow

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"playhead/parse/climpt"
	"playhead/parse/plan"
)

// maxIterations is the default limit of visits to steps in a run (spec §4, 2).
const maxIterations = 100

// lower turns the flow into a Plan.
func (d *flow) lower(p *plan.Plan) {
	p.System = d.system()
	d.addInputs(p)
	d.setReads(p)
	p.Entries = []plan.Entry{{Step: d.entry}}
	most, setBy := d.Limit(maxIterations)
	p.Limit = climpt.Guard("max-total-iterations", "Max total iterations exceeded", most, setBy)
	p.Extra = d.Registry.Shown("version", "editions", "entryStepMapping")
	ids := make([]string, 0, len(d.steps))
	for _, s := range d.steps {
		p.Steps = append(p.Steps, d.lowerStep(s))
		ids = append(ids, s.id)
	}
	d.CheckTools(ids)
}

// system returns the system prompt: of the flag, else the agent, else the prompt folder.
func (d *flow) system() plan.Prompt {
	text := "You are a careful assistant."
	if a := d.Agent; a != nil {
		text = "You are " + a.DisplayName + ". " + a.Description
	}
	file, ok := d.System(d.base)
	if !ok {
		return prompt{Pieces: []piece{{text: text}}}
	}
	return prompt{RelPath: file.Path, Problem: file.Problem, Pieces: splitPlaceholders(file.Text)}
}

// addInputs adds an input for each name that steps declare, besides the agent's parameters.
func (d *flow) addInputs(p *plan.Plan) {
	known := map[string]bool{}
	for _, in := range p.Inputs {
		known[in.Name] = true
	}
	offer := func(name, description string, at climpt.Place) {
		if name != "" && !known[name] {
			known[name] = true
			p.Inputs = append(p.Inputs, plan.Input{Name: name, Type: "string", Description: description, Declared: climpt.MemberAt(at)})
		}
	}
	for _, s := range d.steps {
		for _, v := range s.Get("variables").Items() {
			offer(v.Text(), "", v.Place())
		}
		for _, v := range s.Get("customVariables").Items() {
			offer(v.Get("name").Text(), v.Get("description").Text(), v.Place())
		}
	}
}

// setReads collects the names that prompts and inputs use.
func (d *flow) setReads(p *plan.Plan) {
	prompts := []prompt{p.System.(prompt)}
	for _, s := range d.steps {
		prompts = append(prompts, s.prompt, s.check.prompt)
	}
	for _, in := range p.Inputs {
		p.Reads = append(p.Reads, in.Name)
	}
	for _, prompt := range prompts {
		for _, piece := range prompt.Pieces {
			if piece.argument != "" {
				p.Reads = append(p.Reads, piece.names()...)
			}
		}
	}
	slices.Sort(p.Reads)
	p.Reads = slices.Compact(p.Reads)
}

// lowerStep converts a step: its call, its check, and the routes of the verdict.
func (d *flow) lowerStep(s *step) *plan.Step {
	at := span(s.Place())
	work := plan.Model{Prompt: s.prompt, Thread: plan.Run}
	d.Agent.Offer(&work, cmp.Or(s.mode, plan.AskMode), false)
	out := &plan.Step{
		ID: s.id, Key: s.id, Kind: "step", Title: s.name, Text: s.prompt, Aside: true, Brief: s.iterationText(), Span: at,
		Extra:   s,
		Actions: []plan.Action{{Work: work, Judge: callJudge{}, Span: span(s.At("prompt")), Text: s.prompt.At}},
	}
	if s.checked {
		c := s.check
		check := plan.Model{Part: "check", Prompt: c.prompt, Thread: plan.Run, Replies: replyChoices{s}}
		d.Agent.Offer(&check, plan.Stricter(s.mode, plan.Verification), false)
		out.Actions = append(out.Actions, plan.Action{
			Work:  check,
			Judge: checkJudge{Prompt: c.prompt.RelPath}, Span: span(s.At("check")), Text: c.prompt.At,
		})
	}
	out.Routes, out.Edges = s.routes(), s.edges()
	out.RoutesIn = climpt.MemberAt(s.Place())
	for _, part := range []struct {
		kind string
		v    *climpt.Value
	}{
		{"limit", s.Get("iterations")}, {"check", s.Get("check")},
		{"limit", s.check.onPass.Get("maxRetries")}, {"limit", s.check.onFail.Get("maxRetries")},
	} {
		if part.v != nil {
			out.Clauses = append(out.Clauses, plan.Clause{Kind: part.kind, Text: climpt.MemberAt(part.v.Place())})
		}
	}
	return out
}

// Details implements plan.Extra.
func (s *step) Details() map[string]any {
	out := s.Shown("description", "variables", "customVariables", "usesStdin")
	out["iterations"] = map[string]any{"min": s.min, "max": s.max}
	if s.prompt.RelPath != "" {
		out["prompt_file"] = s.prompt.RelPath
	}
	if v := s.check.Get("responseFormat"); s.checked && v != nil {
		out["response_format"] = v
	}
	return out
}

// iterationText returns how often the step runs, "" for once.
func (s *step) iterationText() string {
	switch {
	case s.max <= 1 && s.min == 1:
		return ""
	case s.min == s.max:
		return fmt.Sprintf("%d×", s.max)
	}
	return fmt.Sprintf("%d–%d×", s.min, s.max)
}

func span(p climpt.Place) plan.Span {
	return plan.Span{Line: cmp.Or(p.Line, 1), Column: cmp.Or(p.Column, 1), End: cmp.Or(p.Line, 1)}
}

// replyChoices are the replies to a check that a person can pick: ok and ng, in the words of its
// responseFormat.
type replyChoices struct{ step *step }

// resultWords are the values for ok and ng, by responseFormat.
var resultWords = map[string][2]any{"pass|fail": {"pass", "fail"}, "boolean": {true, false}}

// Choices implements plan.ReplyChoices.
func (o replyChoices) Choices() []plan.Choice {
	s := o.step
	format := s.check.Object("responseFormat").Get("result").Text()
	result, known := resultWords[format]
	if !known {
		result = [2]any{"ok", "ng"}
	}
	return []plan.Choice{
		{Name: fmt.Sprint(result[0]), Reply: s.sampleReply(result[0]), To: s.passTarget()},
		{Name: fmt.Sprint(result[1]), Reply: s.sampleReply(result[1]), To: s.targetOf(s.check.onFail, s.failTarget())},
	}
}

// sampleReply returns the smallest reply to a check with a result.
func (s *step) sampleReply(result any) string {
	out, _ := json.Marshal(struct {
		Result  any    `json:"result"`
		Message string `json:"message"`
	}{result, ""})
	return string(out)
}

// passTarget describes where ok leads. Below min iterations it has no effect.
func (s *step) passTarget() string {
	to := s.targetOf(s.check.onPass, "end")
	if s.min > 1 {
		to += fmt.Sprintf(", from iteration %d on", s.min)
	}
	return to
}

// failTarget describes where ng leads if onFail is empty.
func (s *step) failTarget() string {
	if s.max > 1 {
		return fmt.Sprintf("%s, up to iteration %d", s.id, s.max)
	}
	return "end"
}

// targetOf describes where one side leads first, in the order of spec §6.
func (s *step) targetOf(o verdictTarget, otherwise string) string {
	switch {
	case o.complete:
		return "end"
	case o.next != "":
		return o.next
	case o.retry && o.maxRetries > 0:
		return fmt.Sprintf("%s, retry ≤ %d", s.id, o.maxRetries)
	case o.retry:
		return s.id
	case o.fallback != "":
		return o.fallback
	}
	return otherwise
}
