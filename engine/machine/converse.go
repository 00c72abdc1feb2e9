package machine

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"playhead/engine/consent"
	"playhead/parse/plan"
)

// converse asks a model until a reply is final. A reply may request tool calls, and then the model
// is asked again with their results.
func (m *Machine) converse(f *frame, w plan.Model) Next {
	switch {
	case f.open.interrupted:
		return m.resumption(f)
	case len(f.open.calls) > 0:
		return m.callWanted(f, f.open.calls[0])
	case m.isOutOfReplies(f):
		return m.endConversation(f)
	default:
		return m.call(f, w, "model")
	}
}

// modelRequest returns the request to a model. A conversation keeps the system message it began
// with, and its earlier messages come before the prompt.
func (m *Machine) modelRequest(f *frame, w plan.Model, started *ActionStarted) (Effect, *ActionStarted, error) {
	effect := &CallModel{Action: m.ref(f), Part: w.Part, Model: w.Name, Alias: w.Alias, Schema: w.Schema, Report: w.Report, ManualReply: m.manualReply(f, w)}
	for _, name := range w.Tools {
		tool := plan.RenderForDisplay(name, m.scope(f))
		effect.Tools = append(effect.Tools, tool.Text)
		if local := plan.LocalTool(tool.Text); local != "" && local != plan.LocalTool(plan.Source(name)) {
			effect.ToolNameProblem = fmt.Sprintf("the tool %s is named by a variable: write the names of Playhead's own tools in the document", tool.Text)
		}
		if len(tool.Notes) > 0 {
			effect.ToolNameProblem = fmt.Sprintf("the tool %s has no name: %s", tool.Text, tool.Notes[0].Message)
		}
	}
	if f.open.replies > 0 {
		started.Model, started.Turn = w.Name, f.open.replies+1
		effect.System, effect.Thread = f.open.system, f.open.messages
		if w.Thread == plan.Run {
			effect.Thread = slices.Concat(m.thread, f.open.messages)
		}
		return effect, started, nil
	}
	started.Model, started.Tools = w.Name, effect.Tools
	started.Text, started.Origin = f.replacement.text, f.replacement.origin
	if w.Thread == plan.Run {
		effect.Thread = m.thread
	}
	if f.open.started { // repeat the announced request, whatever has changed since
		effect.System, effect.Prompt = f.open.system, f.open.prompt
		return effect, started, nil
	}
	var err error
	if w.Thread == plan.Run && len(m.thread) > 0 {
		started.System = m.system
	} else {
		err = m.fill(&started.System, f.prog.plan.System, f, started)
	}
	prompt, changed := f.promptOf(m.index(f), w.Prompt)
	if err == nil && (changed || started.Text == "") {
		err = m.fill(&started.Text, prompt, f, started)
	}
	started.Part, effect.System, effect.Prompt = w.Part, started.System, started.Text
	return effect, started, err
}

// callWanted calls a tool that a model wants, once the call is allowed. If it cannot be made, the
// model is told why.
func (m *Machine) callWanted(f *frame, c plan.ToolCall) Next {
	args := cmp.Or(c.Arguments, "{}")
	switch problem := m.callProblem(f, c, args); {
	case !f.open.started:
		return nextEvent(f.at(&ActionStarted{Action: m.index(f), Kind: "tool", Call: &Call{
			Server: c.Server, Tool: cmp.Or(c.Tool, c.Name), Args: args, ID: c.ID,
		}}))
	case f.open.approval == Answered:
		return nextEvent(m.toolAnswer(f, plan.Product{Text: f.open.answer}))
	case problem != "":
		return nextEvent(m.toolAnswer(f, plan.Product{Err: problem}))
	case f.open.approval == "" && m.asksApproval(f, c, args):
		return m.askApproval(f, c, args)
	default:
		return Next{Effect: &CallTool{
			Action: m.ref(f), Server: c.Server, Tool: c.Tool, Args: args, Call: c.ID, Limit: m.bounds(f).Call,
			Only: m.permissions(f).Only, Change: f.open.change,
		}}
	}
}

// permissions returns the permissions of the model that is asked.
func (m *Machine) permissions(f *frame) plan.Permissions {
	a, _ := m.action(f)
	w, _ := a.Work.(plan.Model)
	return w.Permissions
}

// judgeCall judges a call by its step's mode and the patterns of its agent's file.
func (m *Machine) judgeCall(f *frame, c plan.ToolCall, args string) consent.Verdict {
	return consent.Judge(m.permissions(f), m.options.Place(), c.Server, c.Tool, args)
}

// callProblem returns why a call cannot be made, "" if it can.
func (m *Machine) callProblem(f *frame, c plan.ToolCall, args string) string {
	switch {
	case c.Tool == "":
		return fmt.Sprintf("there is no function %q", c.Name)
	case !isObject(args):
		return "the arguments are not a JSON object"
	case f.open.approval == Denied:
		return "a person refused this call" + f.open.remark
	}
	return m.judgeCall(f, c, args).Refusal
}

func isObject(text string) bool {
	var object map[string]any
	return json.Unmarshal([]byte(text), &object) == nil && object != nil
}

// bounds returns the limits of the current conversation: the run's own, else those of the
// document's format.
func (m *Machine) bounds(f *frame) plan.Bounds {
	a, _ := m.action(f)
	w, _ := a.Work.(plan.Model)
	return m.options.Bounds.Or(w.Bounds)
}

func (m *Machine) isOutOfReplies(f *frame) bool {
	most := m.bounds(f).Turns
	return most > 0 && f.open.replies >= most
}

// endConversation ends a conversation that has used up its replies.
func (m *Machine) endConversation(f *frame) Next {
	reason := fmt.Sprintf("the conversation did not end after %d replies", f.open.replies)
	return nextEvent(f.at(&ActionFinished{
		Action: m.index(f), Kind: "model", Error: reason,
		Outcome: &plan.Outcome{Result: plan.Errored, Source: m.source("turns"), Reason: reason},
		Notes:   []plan.Note{{Code: m.plan.Format + "/turn-limit", Message: reason}},
	}))
}

// toolAnswer returns the event with which a model gets the result of its call.
func (m *Machine) toolAnswer(f *frame, p plan.Product) Event {
	most := m.bounds(f).Result
	if n := utf8.RuneCountInString(p.Text); most > 0 && n > most {
		p.Text = fmt.Sprintf("%s\n[cut: the first %d of %d characters]", string([]rune(p.Text)[:most]), most, n)
	}
	c := f.open.calls[0]
	body := &ActionFinished{Action: m.index(f), Kind: "tool", Error: p.Err, Output: p.Text, CallID: c.ID}
	if p.Cancelled {
		body.Outcome = &plan.Outcome{Result: plan.Held, Source: cancelled}
	}
	if f.open.argsChanged && p.Err == "" {
		body.Output = "[a person changed the arguments to " + c.Arguments + "]\n" + p.Text
	}
	return f.at(body)
}

// judgeReply decides what a model's reply means. A reply that only requests tool calls is not
// judged yet, and a reply that is not accepted is asked for again.
func (m *Machine) judgeReply(f *frame, a plan.Action, p plan.Product, body *ActionFinished) {
	w := a.Work.(plan.Model)
	body.Calls = p.Calls
	if len(p.Calls) > 0 && !slices.ContainsFunc(p.Calls, w.Reports) {
		return
	}
	if a.Judge == nil {
		body.Outcome = m.replyOutcome(&p, w, f.outcome)
		return
	}
	v := a.Judge.Judge(p, m.scope(f))
	body.Notes = v.Notes
	if v.Reply != "" && f.open.corrections < w.MaxRepeats {
		body.Ask = v.Reply
		return
	}
	if sources[p.By] != "" && v.Source == "model" {
		v.Source = m.sourceOfAnswer(p.By)
	}
	body.Outcome, body.Set = &v.Outcome, v.Assignments
}

// addToolResult appends a tool's result to the conversation. If the result has a text, that is used
// even for an error.
func (f *frame) addToolResult(b *ActionFinished) {
	text := b.Output
	if b.Error != "" {
		text = "error: " + cmp.Or(b.Output, b.Error)
	}
	f.open.messages = append(f.open.messages, plan.Message{Role: plan.ToolRole, Call: b.CallID, Text: text})
	f.open.calls = f.open.calls[min(1, len(f.open.calls)):]
	f.open.started, f.open.inputRequested, f.open.approval, f.open.remark = false, false, "", ""
	f.open.answer, f.open.argsChanged, f.open.change = "", false, nil
}

// addReply appends a reply that was not the last to the conversation, and the answer to it.
func (f *frame) addReply(w plan.Model, b *ActionFinished) {
	o := &f.open
	if len(o.messages) == 0 {
		o.messages = append(o.messages, plan.Message{Role: plan.User, Text: o.prompt})
	}
	o.messages = append(o.messages, plan.Message{Role: plan.Assistant, Text: b.Output, Calls: b.Calls})
	ask := plan.Message{Role: plan.User, Text: b.Ask}
	for _, c := range b.Calls {
		if !w.Reports(c) {
			o.calls = append(o.calls, c)
			continue
		}
		ask.Role = plan.ToolRole
		o.messages = append(o.messages, plan.Message{Role: plan.ToolRole, Call: c.ID, Text: b.Ask})
	}
	if b.Ask != "" {
		o.corrections++
		if ask.Role == plan.User {
			o.messages = append(o.messages, ask)
		}
	}
	o.replies++
	o.started = false
}

// appendToThread appends a prompt and its reply to the conversation that the run shares. A failed
// call appends nothing.
func (m *Machine) appendToThread(f *frame, b *ActionFinished) {
	w, ok := f.cur.step.Actions[b.Action].Work.(plan.Model)
	if !ok || w.Thread != plan.Run || b.Error != "" {
		return
	}
	if len(m.thread) == 0 {
		m.system = f.open.system
	}
	said := f.open.messages // with the results of tools, and the prompt as the first
	if len(said) == 0 {
		said = []plan.Message{{Role: plan.User, Text: f.open.prompt}}
	}
	m.thread = append(append(m.thread, said...), plan.Message{Role: plan.Assistant, Text: b.Output})
}

// manualReply returns what a person can choose or fill in instead of a model.
func (m *Machine) manualReply(f *frame, w plan.Model) ManualReply {
	h := ManualReply{Choices: w.Choices()}
	if w.Report == nil || w.Report.Form == nil {
		return h
	}
	h.Fields = m.shownFields(f, w.Report.Form.Fields(m.scope(f)))
	return h
}

// shownFields returns the fields of a form with their prompts rendered for a person.
func (m *Machine) shownFields(f *frame, fields []plan.Field) []plan.Field {
	out := slices.Clone(fields)
	for i := range out {
		out[i].Prompt = plan.Literal(m.render(out[i].Prompt, f))
	}
	return out
}

// ReportFunction returns the function with which the current step reports, nil if it has none.
func (m *Machine) ReportFunction() *plan.OfferedTool { return m.reportingWork().Report }

func (m *Machine) reportingWork() plan.Model {
	a, _ := m.action(m.top())
	w, _ := a.Work.(plan.Model)
	return w
}

// Report returns the tool call that a person makes instead of the model by filling in the fields
// of the report. It returns an error if their number does not fit.
func (m *Machine) Report(fields []string) (plan.ToolCall, error) {
	f := m.top()
	w := m.reportingWork()
	if h := m.manualReply(f, w); len(h.Fields) == 0 || len(h.Fields) != len(fields) {
		return plan.ToolCall{}, fmt.Errorf("the report has %d fields instead of %d", len(fields), len(h.Fields))
	}
	return plan.ToolCall{ID: "report", Name: w.Report.Name, Arguments: w.Report.Form.Arguments(m.scope(f), fields)}, nil
}
