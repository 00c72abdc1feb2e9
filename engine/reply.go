package engine

import (
	"context"
	"encoding/json"
	"errors"
	"unicode"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse/plan"
)

// startModelCall starts a model call: it uses a prepared reply, or asks the model. Without either it returns
// nil, and a person replies.
func (s *Session) startModelCall(e *machine.CallModel) (job, error) {
	label := s.replyLabels.Of(e.Action.StepLabel)
	q := model.Request{
		StepLabel: label, CallName: e.CallName, CallNumber: 1 + s.resultCounts[actionKey(label, e.Action.ActionIndex)],
		ModelName: e.Model, IsModelAlias: e.IsModelAlias, SystemMessage: e.SystemMessage, EarlierMessages: e.EarlierMessages, Prompt: e.Prompt, ReplySchema: e.Schema,
	}
	source := s.replySource.replySourceFor(q, s.config.PreparedReplies)
	_, stored := source.(*model.PreparedReplies)
	if source == nil || !stored && s.config.Options.Prompted && len(e.Tools) > 0 { // no tool that the model wants could be called
		return nil, nil
	}
	return s.startCall(func(ctx context.Context, c *call) {
		s.setProgressCallbacks(&q, e.Action.StepLabel, c.fileName)
		can, err := declaredFunctions(e)
		if err == nil && !stored {
			can, err = s.functionsFor(ctx, e, q.ShowNotice)
		}
		if err != nil {
			c.product = plan.Product{SetupProblem: err.Error(), Cancelled: ctx.Err() != nil}
			return
		}
		q.Functions = can.functions
		r := source.Reply(ctx, q, c.maskedOut)
		c.storeReply(r)
		c.product.ToolCalls = can.resolveCalls(r)
	})
}

// setProgressCallbacks makes a request show the progress of its call: that it is retried, or how long the
// reasoning is.
func (s *Session) setProgressCallbacks(q *model.Request, step, file string) {
	at := Status{State: Running, RunningStep: step, RunningLog: file}
	q.ShowNotice = func(n model.Notice) {
		at.Notice = &n
		s.publishStatus(at)
	}
	var thought wordCounter
	q.AddReasoning = func(text string) {
		at.Notice, at.ReasoningWords = nil, thought.add(text)
		s.publishStatus(at)
	}
}

// storeReply stores a reply as the product of the call.
func (c *call) storeReply(r model.Reply) {
	c.product = plan.Product{Text: r.Text, Cancelled: r.IsCancelled}
	if r.Err != nil && !r.IsCancelled {
		c.product.Err = r.Err.Error()
	}
	c.resultBy = r.RepliedBy
	c.replyInfo = &machine.ReplyInfo{Model: r.ModelName, FinishReason: r.FinishReason, SchemaMethod: r.SchemaMethod, Reasoning: r.Reasoning, Cost: r.CostUSD}
	if r.InputTokens+r.OutputTokens > 0 {
		c.replyInfo.Tokens = &machine.Tokens{InputTokens: r.InputTokens, OutputTokens: r.OutputTokens}
	}
	c.addWarnings(modelWarningCode, r.CallWarnings)
	c.oncePerRunWarnings = r.OncePerRunWarnings
	if r.FinishReason == "length" {
		c.addWarnings("playhead/reply-cut", []string{"the reply was cut off at the token limit"})
	}
}

// askForReply waits for a person's reply. What had arrived before they took over is their draft.
func (s *Session) askForReply(ctx context.Context, q machine.Question) error {
	q.Kind = machine.KindReply
	if s.receivedPart.isReply() {
		q.Draft = s.receivedText(maxDraftBytes)
	}
	return s.serveNextRequest(ctx, Status{State: Waiting, Question: &q, WaitingFor: s.describeReplyWait(&q)})
}

// acceptReply records a person's reply, or one that they accept. A forced reply replaces one that
// had arrived.
func (s *Session) acceptReply(a machine.Answer, text string, forced bool) error {
	p := plan.Product{Text: text, RepliedBy: a.By}
	if a.Fields != nil || a.ReportJSON != "" {
		report, err := s.personReport(a)
		if err != nil {
			return err
		}
		p = plan.Product{ToolCalls: []plan.ToolCall{report}, RepliedBy: a.By}
	}
	r, err := s.newActionLog()
	if err != nil {
		return err
	}
	_, err = r.maskedOut.Write([]byte(p.Text))
	r.close()
	if err != nil {
		return err
	}
	e := s.machine.ResultEvent(p)
	e.By, e.Note = a.By, a.Note
	e.Body.(*machine.ActionFinished).Overridden = forced
	s.setNextReplyManual(false)
	return s.recordActionEnd(r, e)
}

// personReport returns the call with which a person reports instead of a model.
func (s *Session) personReport(a machine.Answer) (plan.ToolCall, error) {
	if a.ReportJSON == "" {
		return s.machine.ReportCall(a.Fields)
	}
	f := s.machine.ReportTool()
	if f == nil {
		return plan.ToolCall{}, errors.New("the step does not accept a report: reply with text")
	}
	return plan.ToolCall{ID: "report", Name: f.Name, Arguments: fillInFixedFields(a.ReportJSON, f.Schema)}, nil
}

// fillInFixedFields returns a report of a file or a person, and adds the fields for which the
// function's schema allows only one value. So nobody has to write, for example, which step it is.
func fillInFixedFields(report string, schema []byte) string {
	var wanted struct {
		Required   []string
		Properties map[string]struct{ Enum []json.RawMessage }
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(schema, &wanted) != nil || json.Unmarshal([]byte(report), &fields) != nil {
		return report
	}
	for _, name := range wanted.Required {
		choices := wanted.Properties[name].Enum
		if _, ok := fields[name]; !ok && len(choices) == 1 && fields != nil {
			fields[name] = choices[0]
		}
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return report
	}
	return string(out)
}

// wordCounter counts the words of a text that arrives in pieces.
type wordCounter struct {
	count  int
	inWord bool // the last piece ended within a word
}

// add counts the words of the next piece and returns the total.
func (w *wordCounter) add(text string) int {
	for _, r := range text {
		before := w.inWord
		if w.inWord = !unicode.IsSpace(r); w.inWord && !before {
			w.count++
		}
	}
	return w.count
}
