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

// converseWithModel asks a model until a reply is final. A reply may request tool calls, and then the model
// is asked again with their results.
func (m *Machine) converseWithModel(f *documentFrame, w plan.Model) Next {
	switch {
	case f.openAction.interrupted:
		return m.askResumption(f)
	case len(f.openAction.wantedCalls) > 0:
		return m.makeWantedCall(f, f.openAction.wantedCalls[0])
	case m.isOutOfReplies(f):
		return m.endConversation(f)
	default:
		return m.makeCall(f, w, "model")
	}
}

// newModelRequest returns the request to a model. A conversation keeps the system message it began
// with, and its earlier messages come before the prompt.
func (m *Machine) newModelRequest(f *documentFrame, w plan.Model, started *ActionStarted) (Effect, *ActionStarted, error) {
	effect := &CallModel{Action: m.actionRef(f), CallName: w.CallName, Model: w.Name, IsModelAlias: w.IsAlias, Schema: w.Schema, ReportTool: w.ReportTool, ManualReplyForm: m.newManualReplyForm(f, w)}
	for _, name := range w.Tools {
		tool := plan.RenderForDisplay(name, m.scope(f))
		effect.Tools = append(effect.Tools, tool.Text)
		if local := plan.LocalToolName(tool.Text); local != "" && local != plan.LocalToolName(plan.SourceText(name)) {
			effect.ToolNameProblem = fmt.Sprintf("%s is one of Playhead's own tools, and its name comes from a variable: write the name itself in the document", tool.Text)
		}
		if len(tool.Warnings) > 0 {
			effect.ToolNameProblem = fmt.Sprintf("the tool name %s cannot be filled in: %s", tool.Text, tool.Warnings[0].Message)
		}
	}
	if f.openAction.replyCount > 0 {
		started.Model, started.Turn = w.Name, f.openAction.replyCount+1
		effect.SystemMessage, effect.EarlierMessages = f.openAction.systemMessage, f.openAction.messages
		if w.Thread == plan.RunThread {
			effect.EarlierMessages = slices.Concat(m.sharedThread, f.openAction.messages)
		}
		return effect, started, nil
	}
	started.Model, started.Tools = w.Name, effect.Tools
	started.Text, started.PromptOrigin = f.promptFromRoute.text, f.promptFromRoute.origin
	if w.Thread == plan.RunThread {
		effect.EarlierMessages = m.sharedThread
	}
	if f.openAction.started { // repeat the announced request, whatever has changed since
		effect.SystemMessage, effect.Prompt = f.openAction.systemMessage, f.openAction.sentPrompt
		return effect, started, nil
	}
	var err error
	if w.Thread == plan.RunThread && len(m.sharedThread) > 0 {
		started.SystemMessage = m.sharedThreadSystemMessage
	} else {
		err = m.renderInto(&started.SystemMessage, f.graph.plan.SystemPrompt, f, started)
	}
	prompt, changed := f.actionPrompt(m.currentActionIndex(f), w.Prompt)
	if err == nil && (changed || started.Text == "") {
		err = m.renderInto(&started.Text, prompt, f, started)
	}
	started.CallName, effect.SystemMessage, effect.Prompt = w.CallName, started.SystemMessage, started.Text
	return effect, started, err
}

// makeWantedCall calls a tool that a model wants, once the call is allowed. If it cannot be made, the
// model is told why.
func (m *Machine) makeWantedCall(f *documentFrame, c plan.ToolCall) Next {
	args := cmp.Or(c.Arguments, "{}")
	switch problem := m.callProblem(f, c, args); {
	case !f.openAction.started:
		return nextEvent(f.newEvent(&ActionStarted{ActionIndex: m.currentActionIndex(f), Kind: "tool", Call: &Call{
			Server: c.Server, Tool: cmp.Or(c.Tool, c.Name), Args: args, ID: c.ID,
		}}))
	case f.openAction.approvalAnswer == AnsweredByPerson:
		return nextEvent(m.toolResultEvent(f, plan.Product{Text: f.openAction.givenResult}))
	case problem != "":
		return nextEvent(m.toolResultEvent(f, plan.Product{Err: problem}))
	case f.openAction.approvalAnswer == "" && m.needsApproval(f, c, args):
		return m.askApproval(f, c, args)
	default:
		return Next{Effect: &CallTool{
			Action: m.actionRef(f), Server: c.Server, Tool: c.Tool, Args: args, CallID: c.ID, Timeout: m.conversationBounds(f).CallTimeout,
			ToolPatterns: m.currentModel(f).Permissions.ToolPatterns, PendingChange: f.openAction.pendingChange,
		}}
	}
}

// callConsent judges a call by its step's mode and the patterns of its agent's file.
func (m *Machine) callConsent(f *documentFrame, c plan.ToolCall, args string) consent.Verdict {
	return consent.JudgeCall(m.currentModel(f).Permissions, m.options.ToolPlace(), c.Server, c.Tool, args)
}

const argumentsNotObject = "the arguments are not a JSON object"

// callProblem returns why a call cannot be made, "" if it can.
func (m *Machine) callProblem(f *documentFrame, c plan.ToolCall, args string) string {
	switch {
	case c.Tool == "":
		return fmt.Sprintf("there is no tool %q", c.Name)
	case !isJSONObject(args):
		return argumentsNotObject
	case f.openAction.approvalAnswer == DenyCall:
		return "a person refused this call" + f.openAction.approvalNote
	}
	return m.callConsent(f, c, args).RefusalReason
}

func isJSONObject(text string) bool {
	var object map[string]any
	return json.Unmarshal([]byte(text), &object) == nil && object != nil
}

// conversationBounds returns the limits of the current conversation: the run's own, else those of the
// document's format, else the usual ones. A model can call tools forever even if none is offered.
func (m *Machine) conversationBounds(f *documentFrame) plan.ConversationBounds {
	return m.options.ConversationBounds.WithDefaults(m.currentModel(f).Bounds).WithDefaults(plan.DefaultConversationBounds)
}

func (m *Machine) isOutOfReplies(f *documentFrame) bool {
	limit := m.conversationBounds(f).MaxTurns
	return limit > 0 && f.openAction.replyCount >= limit
}

// endConversation ends a conversation that has used up its replies.
func (m *Machine) endConversation(f *documentFrame) Next {
	reason := fmt.Sprintf("the conversation reached its limit on replies (%d) without ending", m.conversationBounds(f).MaxTurns)
	return nextEvent(f.newEvent(&ActionFinished{
		ActionIndex: m.currentActionIndex(f), Kind: "model", Error: reason,
		Outcome:  &plan.Outcome{Result: plan.Errored, Source: m.sourceInFormatTerms("turns"), Reason: reason},
		Warnings: []plan.RunWarning{{Code: m.plan.WarningCode("turn-limit"), Message: reason}},
	}))
}

// toolResultEvent returns the event with which a model gets the result of its call.
func (m *Machine) toolResultEvent(f *documentFrame, p plan.Product) Event {
	most := m.conversationBounds(f).MaxResultChars
	if n := utf8.RuneCountInString(p.Text); most > 0 && n > most {
		p.Text = fmt.Sprintf("%s\n[cut after %d of %d characters]", string([]rune(p.Text)[:most]), most, n)
	}
	c := f.openAction.wantedCalls[0]
	body := &ActionFinished{ActionIndex: m.currentActionIndex(f), Kind: "tool", Error: p.Err, Output: p.Text, CallID: c.ID}
	if p.Cancelled {
		body.Outcome = &plan.Outcome{Result: plan.Undecided, Source: outcomeSourceCancelled}
	}
	if f.openAction.argsChanged && p.Err == "" {
		body.Output = "[a person changed the arguments to " + c.Arguments + "]\n" + p.Text
	}
	return f.newEvent(body)
}

// judgeReply decides what a model's reply means. A reply that only requests tool calls is not
// judged yet, and a reply that is not accepted is asked for again.
func (m *Machine) judgeReply(f *documentFrame, a plan.Action, p plan.Product, body *ActionFinished) {
	w := a.Work.(plan.Model)
	body.WantedCalls = p.ToolCalls
	if len(p.ToolCalls) > 0 && !slices.ContainsFunc(p.ToolCalls, w.IsReport) {
		return
	}
	if a.Judge == nil {
		body.Outcome = m.unjudgedOutcome(&p, w, f.outcome)
		return
	}
	v := a.Judge.Judge(p, m.scope(f))
	body.Warnings = v.Warnings
	if v.RejectionReply != "" && f.openAction.correctionCount < w.MaxReplyRetries {
		body.CorrectionMessage = v.RejectionReply
		return
	}
	if outcomeSourceByAnswerer[p.RepliedBy] != "" && v.Source == "model" {
		v.Source = m.outcomeSourceOfAnswer(p.RepliedBy)
	}
	body.Outcome, body.Assignments = &v.Outcome, v.Assignments
}

// addToolResult appends a tool's result to the conversation. If the result has a text, that is used
// even for an error.
func (f *documentFrame) addToolResult(b *ActionFinished) {
	text := b.Output
	if b.Error != "" {
		text = "error: " + cmp.Or(b.Output, b.Error)
	}
	f.openAction.messages = append(f.openAction.messages, plan.Message{Role: plan.ToolRole, CallID: b.CallID, Text: text})
	f.openAction.wantedCalls = f.openAction.wantedCalls[min(1, len(f.openAction.wantedCalls)):]
	f.openAction.started, f.openAction.inputRequested, f.openAction.approvalAnswer, f.openAction.approvalNote = false, false, "", ""
	f.openAction.givenResult, f.openAction.argsChanged, f.openAction.pendingChange = "", false, nil
}

// addReply appends a reply that was not the last to the conversation, and the answer to it.
func (f *documentFrame) addReply(w plan.Model, b *ActionFinished) {
	o := &f.openAction
	if len(o.messages) == 0 {
		o.messages = append(o.messages, plan.Message{Role: plan.User, Text: o.sentPrompt})
	}
	o.messages = append(o.messages, plan.Message{Role: plan.Assistant, Text: b.Output, ToolCalls: b.WantedCalls})
	ask := plan.Message{Role: plan.User, Text: b.CorrectionMessage}
	for _, c := range b.WantedCalls {
		if !w.IsReport(c) {
			o.wantedCalls = append(o.wantedCalls, c)
			continue
		}
		ask.Role = plan.ToolRole
		o.messages = append(o.messages, plan.Message{Role: plan.ToolRole, CallID: c.ID, Text: b.CorrectionMessage})
	}
	if b.CorrectionMessage != "" {
		o.correctionCount++
		if ask.Role == plan.User {
			o.messages = append(o.messages, ask)
		}
	}
	o.replyCount++
	o.started = false
}

// appendToThread appends a prompt and its reply to the conversation that the run shares. A failed
// call appends nothing.
func (m *Machine) appendToThread(f *documentFrame, b *ActionFinished) {
	w, ok := f.currentNode.step.Actions[b.ActionIndex].Work.(plan.Model)
	if !ok || w.Thread != plan.RunThread || b.Error != "" {
		return
	}
	if len(m.sharedThread) == 0 {
		m.sharedThreadSystemMessage = f.openAction.systemMessage
	}
	messages := f.openAction.messages // with the results of tools, and the prompt as the first
	if len(messages) == 0 {
		messages = []plan.Message{{Role: plan.User, Text: f.openAction.sentPrompt}}
	}
	m.sharedThread = append(append(m.sharedThread, messages...), plan.Message{Role: plan.Assistant, Text: b.Output})
}

// newManualReplyForm returns what a person can choose or fill in instead of a model.
func (m *Machine) newManualReplyForm(f *documentFrame, w plan.Model) ManualReplyForm {
	form := ManualReplyForm{Choices: w.Choices()}
	if w.ReportTool == nil || w.ReportTool.Form == nil {
		return form
	}
	form.Fields = m.renderedFields(f, w.ReportTool.Form.Fields(m.scope(f)))
	return form
}

// renderedFields returns the fields of a form with their prompts rendered for a person.
func (m *Machine) renderedFields(f *documentFrame, fields []plan.Field) []plan.Field {
	out := slices.Clone(fields)
	for i := range out {
		out[i].Prompt = plan.Literal(m.render(out[i].Prompt, f))
	}
	return out
}

// ReportTool returns the tool with which the model of the current action reports, nil if it has none.
func (m *Machine) ReportTool() *plan.OfferedTool { return m.currentModel(m.topFrame()).ReportTool }

// currentModel returns the work of the current action if it asks a model, else the zero Model.
func (m *Machine) currentModel(f *documentFrame) plan.Model {
	a, _ := m.currentAction(f)
	w, _ := a.Work.(plan.Model)
	return w
}

// ReportCall returns the tool call that a person makes instead of the model by filling in the fields
// of the report. It returns an error if their number does not fit.
func (m *Machine) ReportCall(fields []string) (plan.ToolCall, error) {
	f := m.topFrame()
	w := m.currentModel(f)
	if h := m.newManualReplyForm(f, w); len(h.Fields) == 0 || len(h.Fields) != len(fields) {
		return plan.ToolCall{}, fmt.Errorf("the report has %s, but the answer has %s", plan.CountText(len(h.Fields), "field"), plan.CountText(len(fields), "value"))
	}
	return plan.ToolCall{ID: "report", Name: w.ReportTool.Name, Arguments: w.ReportTool.Form.Arguments(m.scope(f), fields)}, nil
}
