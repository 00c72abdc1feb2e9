package engine

import (
	"context"
	"errors"
	"slices"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
	"playhead/parse/plan"
)

// call is a job without a process.
type call struct {
	*actionLog
	done               chan struct{}
	cancel             context.CancelFunc
	product            plan.Product
	resultBy           string
	replyInfo          *machine.ReplyInfo
	warnings           []plan.RunWarning
	oncePerRunWarnings []string           // shown once in a run
	fileState          *machine.FileState // the file that one of Playhead's own tools read or changed
}

func (c *call) Done() <-chan struct{} { return c.done }
func (c *call) Cancel()               { c.cancel() }
func (c *call) Kill()                 { c.cancel() }
func (c *call) Resize(int, int) error { return nil }

// Write implements job. It returns an error, because nobody can type into a call.
func (c *call) Write([]byte) (int, error) {
	return 0, errors.New("this is not a command: you cannot type into it")
}

// startCall starts work in a new goroutine.
func (s *Session) startCall(work func(context.Context, *call)) (*call, error) {
	r, err := s.newActionLog()
	if err != nil {
		return nil, err
	}
	return s.startCallWithLog(r, work), nil
}

// startCallWithLog is like startCall, with a log that exists.
func (s *Session) startCallWithLog(r *actionLog, work func(context.Context, *call)) *call {
	ctx, cancel := context.WithCancel(context.Background())
	c := &call{actionLog: r, done: make(chan struct{}), cancel: cancel}
	go func() {
		defer close(c.done)
		defer cancel()
		work(ctx, c)
		r.close()
	}()
	return c
}

// modelWarningCode is the code of the warnings of a reply source.
const modelWarningCode = "playhead/model"

// addWarnings stores warnings about the call.
func (c *call) addWarnings(code string, texts []string) {
	for _, text := range texts {
		c.warnings = append(c.warnings, plan.RunWarning{Code: code, Message: text})
	}
}

// finish records the result of the call.
func (c *call) finish(s *Session) error {
	e := s.machine.ResultEvent(c.product)
	body := e.Body.(*machine.ActionFinished)
	e.By, body.ReplyInfo, body.FileState = c.resultBy, c.replyInfo, c.fileState
	body.Warnings = append(body.Warnings, c.warnings...)
	for _, text := range c.oncePerRunWarnings {
		if n := (plan.RunWarning{Code: modelWarningCode, Message: text}); !s.hasWarned(n) {
			body.Warnings = append(body.Warnings, n)
		}
	}
	return s.recordActionEnd(c.actionLog, e)
}

// hasWarned reports whether the run has this warning already.
func (s *Session) hasWarned(n plan.RunWarning) bool {
	return slices.ContainsFunc(machine.LiveBranch(s.journal), func(e machine.Event) bool {
		w, ok := e.Body.(*machine.WarningRecorded)
		return ok && w.Code == n.Code && w.Message == n.Message
	})
}

// startTextFetch fetches text for a prompt.
func (s *Session) startTextFetch(e *machine.FetchText) (*call, error) {
	return s.startCall(func(ctx context.Context, c *call) {
		text, err := s.config.PromptTexts.Fetch(ctx, e.Scheme, e.Name, s.noticeFunc(e.Action, c))
		c.product = plan.Product{Text: text, Cancelled: ctx.Err() != nil}
		if err != nil {
			c.product.Err = err.Error()
		}
	})
}

var errNoTools = errors.New("no tool server is configured: add one to a .mcp.json")

// hasPreparedResult reports whether a call that asks for approval needs no server, because its result is
// prepared.
func (s *Session) hasPreparedResult(q *machine.Question) bool {
	return s.config.PreparedResults.HasResult(tools.Request{StepLabel: s.replyLabels.Of(q.Action.StepLabel), Tool: q.Call.Tool})
}

// startToolCall starts a tool call: it uses a prepared result, or asks a server. Without either it returns
// nil, and a person gives the result.
func (s *Session) startToolCall(e *machine.CallTool) (job, error) {
	label := s.replyLabels.Of(e.Action.StepLabel)
	q := tools.Request{
		StepLabel: label, CallNumber: 1 + s.resultCounts[tools.ResultKey(label, e.Tool)],
		Server: e.Server, Tool: e.Tool, Args: e.Args, Timeout: e.Timeout,
	}
	var caller tools.Caller
	switch {
	case e.CallID == "" && s.replySource.isNextReplyManual:
		return nil, nil
	case s.config.PreparedResults.HasResult(q):
		caller = s.config.PreparedResults
	case e.CallID == "" && s.config.Options.Prompted:
		return nil, nil
	case plan.IsLocalServer(e.Server):
		return s.startLocalTool(e)
	case s.config.Tools != nil:
		caller = s.config.Tools
	default:
		return nil, errNoTools
	}
	return s.startCall(func(ctx context.Context, c *call) {
		q.Notify = s.noticeFunc(e.Action, c)
		r := caller.Call(ctx, q, c.maskedOut)
		c.product = plan.Product{Text: r.Text, Data: r.Data, Cancelled: r.IsCancelled}
		if r.Err != nil && !r.IsCancelled {
			c.product.Err = r.Err.Error()
		}
		c.resultBy = r.ResultBy
		c.addWarnings("playhead/tool", r.Warnings)
	})
}

// noticeFunc returns a function that shows the notices of a running call.
func (s *Session) noticeFunc(at machine.ActionRef, c *call) func(string) {
	return func(text string) {
		s.publishStatus(Status{State: Running, RunningStep: at.StepLabel, RunningLog: c.actionLog.fileName, Notice: &model.Notice{Text: text}})
	}
}
