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

// reply starts a model call: it uses a prepared reply, or asks the model. Without either it returns
// nil, and a person replies.
func (s *Session) reply(e *machine.CallModel) (job, error) {
	label := s.labels.of(e.Action.Step)
	q := model.Request{
		Label: label, Part: e.Part, Nth: 1 + s.resultCounts[actionKey(label, e.Action.Action)],
		Model: e.Model, Alias: e.Alias, System: e.System, Thread: e.Thread, Prompt: e.Prompt, Schema: e.Schema,
	}
	source := s.source.sourceFor(q, s.cfg.Replies)
	_, stored := source.(*model.Replies)
	if source == nil || !stored && s.cfg.Options.Prompted && len(e.Tools) > 0 { // no tool that the model wants could be called
		return nil, nil
	}
	return s.call(func(ctx context.Context, c *call) {
		s.showProgress(&q, e.Action.Step, c.file)
		can, err := declaredFunctions(e)
		if err == nil && !stored {
			can, err = s.functions(ctx, e, q.Notify)
		}
		if err != nil {
			c.product = plan.Product{SetupProblem: err.Error(), Cancelled: ctx.Err() != nil}
			return
		}
		q.Functions = can.list
		r := source.Reply(ctx, q, c.out)
		c.take(r)
		c.product.Calls = can.resolveCalls(r)
	})
}

// showProgress shows the state of a running call: that it is retried, or the length of the
// reasoning.
func (s *Session) showProgress(q *model.Request, step, file string) {
	at := Status{State: Running, Running: step, Log: file}
	q.Notify = func(n model.Notice) {
		at.Notice = &n
		s.show(at)
	}
	var thought wordCounter
	q.Think = func(text string) {
		at.Notice, at.ReasoningWords = nil, thought.add(text)
		s.show(at)
	}
}

// take stores a reply as the product of the call.
func (c *call) take(r model.Reply) {
	c.product = plan.Product{Text: r.Text, Cancelled: r.Cancelled}
	if r.Err != nil && !r.Cancelled {
		c.product.Err = r.Err.Error()
	}
	c.client = r.By
	c.replyInfo = &machine.ReplyInfo{Model: r.Model, Finish: r.Finish, Schema: r.Schema, Reasoning: r.Reasoning, Cost: r.Cost}
	if r.In+r.Out > 0 {
		c.replyInfo.Tokens = &machine.Tokens{In: r.In, Out: r.Out}
	}
	c.addNotes(noteOfModel, r.Notes)
	c.runNotes = r.RunNotes
	if r.Finish == "length" {
		c.addNotes("playhead/reply-cut", []string{"the reply was cut at the token limit"})
	}
}

// askForReply waits for a person's reply. What had arrived before they took over is their draft.
func (s *Session) askForReply(ctx context.Context, q machine.Question) error {
	q.Kind = machine.KindReply
	if s.received.isReply() {
		q.Draft = s.receivedText(maxDraft)
	}
	return s.wait(ctx, Status{State: Waits, Question: &q, Need: s.waitingForReply(&q)})
}

// acceptReply records a person's reply, or one that they accept. A forced reply replaces one that
// had arrived.
func (s *Session) acceptReply(a machine.Answer, text string, forced bool) error {
	p := plan.Product{Text: text, By: a.By}
	if a.Fields != nil || a.Report != "" {
		report, err := s.report(a)
		if err != nil {
			return err
		}
		p = plan.Product{Calls: []plan.ToolCall{report}, By: a.By}
	}
	r, err := s.newActionLog()
	if err != nil {
		return err
	}
	_, err = r.out.Write([]byte(p.Text))
	r.close()
	if err != nil {
		return err
	}
	e := s.m.Event(p)
	e.By, e.Reason = a.By, a.Note
	e.Body.(*machine.ActionFinished).Overridden = forced
	s.replyNext(false)
	return s.recordActionEnd(r, e)
}

// report returns the call with which a person reports instead of a model.
func (s *Session) report(a machine.Answer) (plan.ToolCall, error) {
	if a.Report == "" {
		return s.m.Report(a.Fields)
	}
	f := s.m.ReportFunction()
	if f == nil {
		return plan.ToolCall{}, errors.New("the step takes no report: reply with a text")
	}
	return plan.ToolCall{ID: "report", Name: f.Name, Arguments: completeReport(a.Report, f.Schema)}, nil
}

// completeReport returns a report of a file or a person with the fields added that the function's schema
// leaves no choice for, so that nobody has to write, for example, which step it is.
func completeReport(report string, schema []byte) string {
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
	n      int
	inWord bool // the last piece ended within a word
}

// add counts the words of the next piece and returns the total.
func (w *wordCounter) add(text string) int {
	for _, r := range text {
		before := w.inWord
		if w.inWord = !unicode.IsSpace(r); w.inWord && !before {
			w.n++
		}
	}
	return w.n
}
