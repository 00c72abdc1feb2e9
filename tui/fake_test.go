package tui

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/rewrite"
	"playhead/engine/tools"
	"playhead/parse/plan"
	"playhead/tui/session"
	"playhead/tui/session/sessiontest"
)

// fake is a session without goroutines. Commands end when the test says so, and everything else happens at once.
type fake struct {
	plan              *plan.Plan
	m                 *machine.Machine
	clock             *time.Time
	inputs            map[string]string
	events            []machine.Event
	sentEventCount    int // number of events that the screen has received
	status            engine.Status
	logs              map[string]*sessiontest.Log
	log               session.Log // is returned for every log; nil: each has its own
	running           *machine.RunCommand
	call              *machine.CallModel // the model call that is running; nil: none
	nextReplyInfo     *machine.ReplyInfo // the information about the next reply
	nextReplyAuthor   string             // who gives the next reply; "": the model
	manual            bool               // a person gives all replies
	source            string             // where replies come from
	nextReplyIsManual bool               // a person gives the next reply
	draft             string             // the part of the reply that arrived before a person took it over
	started           time.Time
	mode              engine.Mode
	runToStep         string // the step to run to; "": none
	skipsNextPause    bool   // the run was continued, so it does not pause before the next step again
	breaks            []engine.Breakpoint
	rewound           []int
	repeated          []int
	instead           []machine.WhatIfChange
	typed             strings.Builder
	size              [2]int
	closed            bool
	interventionError error // the error of every intervention; nil: they succeed
}

func newFake(p *plan.Plan, said Choices, clock *time.Time, manual bool) *fake {
	s := &fake{plan: p, inputs: said.InputValues, breaks: said.Breakpoints, m: machine.New(p, machine.Options{Prompted: said.ExecutesNothing, ApprovalPolicy: machine.ApproveEach}), clock: clock, logs: map[string]*sessiontest.Log{}, manual: manual}
	if said.PauseFirst {
		s.mode = engine.PauseNext
	}
	s.advance()
	return s
}

func (f *fake) record(e machine.Event) {
	e.Seq, e.Time = len(f.events)+1, *f.clock
	if b, ok := e.Body.(*machine.RunStarted); ok {
		b.RunID = "7f3a"
		for name, value := range f.inputs {
			if b.Inputs == nil {
				b.Inputs = map[string]any{}
			}
			b.Inputs[name] = value
		}
	}
	if err := f.m.Apply(e); err != nil {
		panic(err)
	}
	f.events = append(f.events, e)
}

// advance records events until the machine waits for an effect or an answer, or the run pauses.
func (f *fake) advance() {
	for {
		next := f.m.Next()
		switch {
		case next.Event != nil:
			if _, unit := next.Event.Body.(*machine.StepEntered); unit && !f.skipsNextPause && f.pausesBefore(*next.Event) {
				f.status = engine.Status{State: engine.Paused, NextEvent: next.Event}
				return
			}
			f.skipsNextPause = false
			f.record(*next.Event)
		case next.Effect != nil:
			f.begin(next.Effect)
			return
		case next.Question != nil && f.nextReplyIsManual:
			f.form(next.Question.Action, next.Question.Prompt, next.Question.ManualReplyForm)
			return
		case next.Question != nil:
			f.status = engine.Status{State: engine.Waiting, Question: next.Question}
			if c := next.Question.Call; c != nil {
				f.status.ToolToApprove = &tools.Tool{Server: c.Server, Name: c.Tool, Description: "Lists archives,\nnewest first.\x1b[2K", Effect: tools.Destructive}
			}
			return
		default:
			f.status = engine.Status{State: engine.Over}
			return
		}
	}
}

// begin begins an effect. A model's call becomes a question if a person replies.
func (f *fake) begin(e machine.Effect) {
	f.running, _ = e.(*machine.RunCommand)
	f.call, _ = e.(*machine.CallModel)
	if f.call != nil && (f.manual || f.nextReplyIsManual) {
		f.form(f.call.Action, f.call.Prompt, f.call.ManualReplyForm)
		return
	}
	step := ""
	switch e := e.(type) {
	case *machine.CallModel:
		step = e.Action.StepLabel
	case *machine.CallTool:
		step = e.Action.StepLabel
	default:
		step = f.running.Action.StepLabel
	}
	file := fmt.Sprintf("%d.log", len(f.events))
	f.logs[file] = &sessiontest.Log{}
	f.started = *f.clock
	f.status = engine.Status{State: engine.Running, RunningStep: step, RunningLog: file}
}

// form opens the question for a reply of a person.
func (f *fake) form(at machine.ActionRef, prompt string, how machine.ManualReplyForm) {
	f.status = engine.Status{State: engine.Waiting, Question: &machine.Question{
		Action: at, Kind: machine.KindReply, Prompt: prompt, Draft: f.draft, ManualReplyForm: how,
	}}
}

// now returns the status with the reply source and a requested pause.
func (f *fake) now() engine.Status {
	st := f.status
	st.ReplySourceName, st.NextReplyManual = f.source, f.nextReplyIsManual
	st.PausesNext = (st.State == engine.Running || st.State == engine.Waiting) && f.mode == engine.PauseNext
	return st
}

// choose sets the reply source before the run begins.
func (f *fake) choose(source string) {
	f.source = source
	if source == model.ManualReplySource {
		f.manual = true
		f.advance()
	}
}

func (f *fake) ChooseReplySource(source string) error {
	f.source, f.nextReplyIsManual, f.manual = source, false, source == model.ManualReplySource
	if f.status.Question != nil {
		f.advance()
	}
	return nil
}

func (f *fake) FileDiffs() []engine.FileDiff { return nil }
func (f *fake) RestoreFiles(string) error    { return nil }

func (f *fake) TakeOverReply(yes bool) error {
	if l := f.logs[f.status.RunningLog]; l != nil && yes {
		f.draft = strings.TrimSuffix(l.ShortenedText(0), "\n")
	}
	f.nextReplyIsManual = yes
	if f.call != nil || f.status.Question != nil {
		f.advance()
	}
	return nil
}

func (f *fake) pausesBefore(e machine.Event) bool {
	for _, b := range f.breaks {
		if b.Step == e.StepID() {
			return true
		}
	}
	return f.mode != engine.Continue || f.runToStep != "" && (f.runToStep == e.Step || f.runToStep == e.StepID())
}

// print adds lines to the output of the running command.
func (f *fake) print(lines ...string) {
	l := f.logs[f.status.RunningLog]
	l.LogLines = append(l.LogLines, lines...)
}

// end ends the running command or call with its result.
func (f *fake) end(p plan.Product) {
	log := f.logs[f.status.RunningLog]
	e := f.m.ResultEvent(p)
	b := e.Body.(*machine.ActionFinished)
	b.ReplyInfo, e.By = f.nextReplyInfo, f.nextReplyAuthor
	ms := f.clock.Sub(f.started).Milliseconds()
	b.DurationMS = &ms
	if bytes, lines := log.Size(); lines > 0 {
		b.Log = &machine.LogRef{File: f.status.RunningLog, Bytes: bytes}
	}
	if p.Cancelled {
		f.draft = strings.TrimSuffix(log.ShortenedText(0), "\n")
	}
	f.running, f.call = nil, nil
	f.record(e)
	f.advance()
}

func (f *fake) intervene(e machine.Event, err error) error {
	if err != nil {
		return err
	}
	if f.interventionError != nil {
		return f.interventionError
	}
	if f.running != nil {
		f.running = nil
		f.record(f.m.ResultEvent(plan.Product{Cancelled: true}))
	}
	f.record(e)
	f.advance()
	return nil
}

// enter enters the step before which the run is paused, as the session does.
func (f *fake) enter() {
	if next := f.m.Next().Event; next != nil && f.m.IsBetweenSteps() {
		if _, unit := next.Body.(*machine.StepEntered); unit {
			f.record(*next)
		}
	}
}

func (f *fake) Continue(mode engine.Mode, to string) error {
	f.mode, f.runToStep, f.skipsNextPause = mode, to, mode != engine.PauseNext && f.m.IsBetweenSteps()
	f.advance()
	return nil
}

func (f *fake) SetBreakpoints(all []engine.Breakpoint) error {
	f.breaks = all
	return nil
}

func (f *fake) SetVariable(name string, value any) error {
	e, err := f.m.SetVariableEvent(name, value)
	if err == nil {
		f.record(e)
	}
	return err
}

func (f *fake) EditAction(step string, action int, text string) error {
	e, err := f.m.EditEvent(step, action, text)
	if err == nil {
		f.record(e)
	}
	return err
}

func (f *fake) OpenShell(step string) (*exec.Cmd, error) {
	e, _, err := f.m.ShellEvent(step)
	if err == nil {
		f.record(e)
	}
	return exec.Command("true"), err
}

func (f *fake) Rewind(seq int) error {
	f.rewound = append(f.rewound, seq)
	return nil
}

func (f *fake) RerunFrom(seq int, mode engine.Mode) error {
	f.repeated = append(f.repeated, seq)
	return f.Continue(mode, "")
}

func (f *fake) ReplyWarnings(reply string) []string { return f.m.ReplyWarnings(reply) }

func (f *fake) DecisionPreviewAt(seq int) engine.DecisionPreview {
	m := machine.New(f.plan, machine.Options{})
	for _, e := range f.events {
		if e.Seq <= seq && m.Apply(e) != nil {
			break
		}
	}
	return m.WhatIfDecisions
}

func (f *fake) RewindAndChange(seq int, c machine.WhatIfChange) error {
	f.instead = append(f.instead, c)
	return f.Rewind(seq)
}

func (f *fake) NextRedo() (machine.UndoStep, error) {
	step, err := f.NextUndo()
	step.Repeats = true
	return step, err
}

func (f *fake) NextUndo() (machine.UndoStep, error) {
	for _, e := range slices.Backward(f.events) {
		if e.IsIntervention() {
			return machine.UndoStep{Event: e}, nil
		}
	}
	return machine.UndoStep{}, errors.New("there is nothing to undo")
}

func (f *fake) Undo() error { return f.Rewind(-1) }
func (f *fake) Redo() error { return f.Rewind(1) }

func (f *fake) TakeControl() error { return nil }

func (f *fake) SetApprovalPolicy(policy string) error {
	return f.intervene(f.m.ApprovalEvent(policy, machine.ByPerson))
}

func (f *fake) Pause() error { return f.Continue(engine.PauseNext, "") }

func (f *fake) Answer(a machine.Answer) error {
	if f.call == nil && !f.nextReplyIsManual {
		return f.intervene(f.m.AnswerEvent(a))
	}
	f.call, f.nextReplyIsManual, f.draft = nil, false, ""
	p := plan.Product{Text: a.Value, RepliedBy: a.By}
	if a.Fields != nil {
		report, err := f.m.ReportCall(a.Fields)
		if err != nil {
			return err
		}
		p.ToolCalls = []plan.ToolCall{report}
	}
	e := f.m.ResultEvent(p)
	e.By = a.By
	return f.intervene(e, nil)
}

func (f *fake) Retry(note string) error { return f.intervene(f.m.RetryEvent(note)) }
func (f *fake) Skip(note string) error  { return f.OverrideCurrent(plan.Skipped, note) }
func (f *fake) OverrideCurrent(r plan.Result, note string, instead ...plan.Assignment) error {
	f.enter()
	return f.intervene(f.m.OverrideEvent(r, note, instead...))
}
func (f *fake) OverridePrevious(r plan.Result, note string, instead ...plan.Assignment) error {
	return f.intervene(f.m.OverrideEvent(r, note, instead...))
}
func (f *fake) Jump(to, note string) error { return f.intervene(f.m.JumpEvent(to, note)) }

func (f *fake) EndRun(plan.RunResult, string) error { return nil }
func (f *fake) Interrupt() error {
	f.end(plan.Product{Cancelled: true})
	return nil
}

func (f *fake) TypeIntoCommand(b []byte) error  { f.typed.Write(b); return nil }
func (f *fake) Resize(cols, rows int)           { f.size = [2]int{cols, rows} }
func (f *fake) Close()                          { f.closed = true }
func (f *fake) WatchFromStart() session.Watcher { return f }
func (f *fake) Changed() <-chan struct{}        { return nil }

func (f *fake) Run(context.Context) (engine.Ending, error) { return engine.Ending{}, nil }

func (f *fake) Take() engine.Update {
	u := engine.Update{Events: f.events[f.sentEventCount:], Status: f.now()}
	u.Status.PendingValues = f.m.WithheldValues()
	f.sentEventCount = len(f.events)
	return u
}

func (f *fake) Log(file string) session.Log {
	if l := f.logs[file]; l != nil && f.log == nil {
		return l
	}
	return f.log
}

func (f *fake) OfferSaved() (*engine.ReloadOffer, error) { return nil, nil }

func (f *fake) EditRule(rewrite.RuleRef, string) (*engine.ReloadOffer, error) { return nil, nil }

func (f *fake) EditSteps(plan.StepEdit) (*engine.ReloadOffer, error) { return nil, nil }

func (f *fake) Forecast(*engine.ReloadOffer, int) (*engine.ReloadForecast, error) { return nil, nil }

func (f *fake) ReloadAt(*engine.ReloadOffer, int, engine.ReloadChoice) error { return nil }

func (f *fake) Reload(*engine.ReloadOffer, engine.ReloadChoice) error { return nil }
