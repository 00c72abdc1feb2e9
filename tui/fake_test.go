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

// fake is a session without goroutines: commands end when the test says so, and
// everything else happens at once.
type fake struct {
	plan     *plan.Plan
	m        *machine.Machine
	clock    *time.Time
	inputs   map[string]string
	events   []machine.Event
	taken    int
	status   engine.Status
	logs     map[string]*sessiontest.Log
	log      session.Log // in the place of all logs; nil: each has its own
	running  *machine.RunCommand
	call     *machine.CallModel // a reply that is under way
	replied  *machine.ReplyInfo // what the next reply says of itself
	by       string             // whose it is, if no model's
	manual   bool               // a person stands in for the model
	source   string             // where replies come from
	own      bool               // the next one is the person's
	draft    string             // what came before they took it over
	started  time.Time
	mode     engine.Mode
	until    string
	claimed  bool
	breaks   []engine.Breakpoint
	rewound  []int
	repeated []int
	instead  []machine.WhatIfChange
	typed    strings.Builder
	size     [2]int
	closed   bool
	fails    error // what every call answers
}

func newFake(p *plan.Plan, said Choices, clock *time.Time, manual bool) *fake {
	s := &fake{plan: p, inputs: said.InputValues, breaks: said.Breakpoints, m: machine.New(p, machine.Options{Prompted: said.ExecutesNothing, ApprovalPolicy: machine.ApproveEach}), clock: clock, logs: map[string]*sessiontest.Log{}, manual: manual}
	if said.PauseFirst {
		s.mode = engine.PauseNext
	}
	s.advance()
	return s
}

func (s *fake) record(e machine.Event) {
	e.Seq, e.Time = len(s.events)+1, *s.clock
	if b, ok := e.Body.(*machine.RunStarted); ok {
		b.RunID = "7f3a"
		for name, value := range s.inputs {
			if b.Inputs == nil {
				b.Inputs = map[string]any{}
			}
			b.Inputs[name] = value
		}
	}
	if err := s.m.Apply(e); err != nil {
		panic(err)
	}
	s.events = append(s.events, e)
}

// advance goes on until something has to be waited for.
func (s *fake) advance() {
	for {
		next := s.m.Next()
		switch {
		case next.Event != nil:
			if _, unit := next.Event.Body.(*machine.StepEntered); unit && !s.claimed && s.holds(*next.Event) {
				s.status = engine.Status{State: engine.Paused, NextEvent: next.Event}
				return
			}
			s.claimed = false
			s.record(*next.Event)
		case next.Effect != nil:
			s.begin(next.Effect)
			return
		case next.Question != nil && s.own:
			s.form(next.Question.Action, next.Question.Prompt, next.Question.ManualReply)
			return
		case next.Question != nil:
			s.status = engine.Status{State: engine.Waiting, Question: next.Question}
			if c := next.Question.Call; c != nil {
				s.status.ToolToApprove = &tools.Tool{Server: c.Server, Name: c.Tool, Description: "Lists archives,\nnewest first.\x1b[2K", Effect: tools.Destructive}
			}
			return
		default:
			s.status = engine.Status{State: engine.Over}
			return
		}
	}
}

// begin starts an effect, or has a person reply in a model's place.
func (s *fake) begin(e machine.Effect) {
	s.running, _ = e.(*machine.RunCommand)
	s.call, _ = e.(*machine.CallModel)
	if s.call != nil && (s.manual || s.own) {
		s.form(s.call.Action, s.call.Prompt, s.call.ManualReply)
		return
	}
	step := ""
	switch e := e.(type) {
	case *machine.CallModel:
		step = e.Action.StepLabel
	case *machine.CallTool:
		step = e.Action.StepLabel
	default:
		step = s.running.Action.StepLabel
	}
	file := fmt.Sprintf("%d.log", len(s.events))
	s.logs[file] = &sessiontest.Log{}
	s.started = *s.clock
	s.status = engine.Status{State: engine.Running, RunningStep: step, RunningLog: file}
}

// form has a person reply.
func (s *fake) form(at machine.ActionRef, prompt string, how machine.ManualReply) {
	s.status = engine.Status{State: engine.Waiting, Question: &machine.Question{
		Action: at, Kind: machine.KindReply, Prompt: prompt, Draft: s.draft, ManualReply: how,
	}}
}

// now is the status with where replies come from.
func (s *fake) now() engine.Status {
	st := s.status
	st.ReplySourceName, st.NextReplyManual = s.source, s.own
	st.PausesNext = (st.State == engine.Running || st.State == engine.Waiting) && s.mode == engine.PauseNext
	return st
}

// choose is the source to begin with.
func (s *fake) choose(source string) {
	s.source = source
	if source == model.ManualReplySource {
		s.manual = true
		s.advance()
	}
}

func (s *fake) ChooseReplySource(source string) error {
	s.source, s.own, s.manual = source, false, source == model.ManualReplySource
	if s.status.Question != nil {
		s.advance()
	}
	return nil
}

func (s *fake) ChangedFiles() []engine.FileDiff { return nil }
func (s *fake) RestoreFiles(string) error       { return nil }

func (s *fake) TakeOverReply(yes bool) error {
	if l := s.logs[s.status.RunningLog]; l != nil && yes {
		s.draft = strings.TrimSuffix(l.ShortenedText(0), "\n")
	}
	s.own = yes
	if s.call != nil || s.status.Question != nil {
		s.advance()
	}
	return nil
}

func (s *fake) holds(e machine.Event) bool {
	for _, b := range s.breaks {
		if b.Step == e.StepID() {
			return true
		}
	}
	return s.mode != engine.Continue || s.until != "" && (s.until == e.Step || s.until == e.StepID())
}

// print is output of the running command.
func (s *fake) print(lines ...string) {
	l := s.logs[s.status.RunningLog]
	l.Content = append(l.Content, lines...)
}

// end is the end of the running command.
func (s *fake) end(p plan.Product) {
	log := s.logs[s.status.RunningLog]
	e := s.m.ResultEvent(p)
	b := e.Body.(*machine.ActionFinished)
	b.ReplyInfo, e.By = s.replied, s.by
	ms := s.clock.Sub(s.started).Milliseconds()
	b.DurationMS = &ms
	if bytes, lines := log.Size(); lines > 0 {
		b.Log = &machine.LogRef{File: s.status.RunningLog, Bytes: bytes}
	}
	if p.Cancelled {
		s.draft = strings.TrimSuffix(log.ShortenedText(0), "\n")
	}
	s.running, s.call = nil, nil
	s.record(e)
	s.advance()
}

func (s *fake) intervene(e machine.Event, err error) error {
	if err != nil {
		return err
	}
	if s.fails != nil {
		return s.fails
	}
	if s.running != nil {
		s.running = nil
		s.record(s.m.ResultEvent(plan.Product{Cancelled: true}))
	}
	s.record(e)
	s.advance()
	return nil
}

// enter enters the unit that the run is paused before, as the session does.
func (s *fake) enter() {
	if next := s.m.Next().Event; next != nil && s.m.IsBetweenSteps() {
		if _, unit := next.Body.(*machine.StepEntered); unit {
			s.record(*next)
		}
	}
}

func (s *fake) Continue(mode engine.Mode, to string) error {
	s.mode, s.until, s.claimed = mode, to, mode != engine.PauseNext && s.m.IsBetweenSteps()
	s.advance()
	return nil
}

func (s *fake) SetBreakpoints(all []engine.Breakpoint) error {
	s.breaks = all
	return nil
}

func (s *fake) SetVariable(name string, value any) error {
	e, err := s.m.SetVariableEvent(name, value)
	if err == nil {
		s.record(e)
	}
	return err
}

func (s *fake) EditAction(step string, action int, text string) error {
	e, err := s.m.EditEvent(step, action, text)
	if err == nil {
		s.record(e)
	}
	return err
}

func (s *fake) OpenShell(step string) (*exec.Cmd, error) {
	e, _, err := s.m.ShellEvent(step)
	if err == nil {
		s.record(e)
	}
	return exec.Command("true"), err
}

func (s *fake) Rewind(seq int) error {
	s.rewound = append(s.rewound, seq)
	return nil
}

func (s *fake) RerunFrom(seq int, mode engine.Mode) error {
	s.repeated = append(s.repeated, seq)
	return s.Continue(mode, "")
}

func (s *fake) ReplyWarnings(reply string) []string { return s.m.ReplyWarnings(reply) }

func (s *fake) PreviewDecision(seq int) engine.DecisionPreview {
	m := machine.New(s.plan, machine.Options{})
	for _, e := range s.events {
		if e.Seq <= seq && m.Apply(e) != nil {
			break
		}
	}
	return m.WhatIfDecisions
}

func (s *fake) RewindAndChange(seq int, c machine.WhatIfChange) error {
	s.instead = append(s.instead, c)
	return s.Rewind(seq)
}

func (s *fake) NextRedo() (machine.Event, error) { return s.NextUndo() }

func (s *fake) NextUndo() (machine.Event, error) {
	for _, e := range slices.Backward(s.events) {
		if e.IsIntervention() {
			return e, nil
		}
	}
	return machine.Event{}, errors.New("there is nothing to undo")
}

func (s *fake) Undo() error { return s.Rewind(-1) }
func (s *fake) Redo() error { return s.Rewind(1) }

func (s *fake) TakeControl() error { return nil }

func (s *fake) SetApprovalPolicy(policy string) error {
	return s.intervene(s.m.ApprovalEvent(policy, machine.ByPerson))
}

func (s *fake) Pause() error { return s.Continue(engine.PauseNext, "") }

func (s *fake) Answer(a machine.Answer) error {
	if s.call == nil && !s.own {
		return s.intervene(s.m.AnswerEvent(a))
	}
	s.call, s.own, s.draft = nil, false, ""
	p := plan.Product{Text: a.Value, RepliedBy: a.By}
	if a.Fields != nil {
		report, err := s.m.ReportCall(a.Fields)
		if err != nil {
			return err
		}
		p.ToolCalls = []plan.ToolCall{report}
	}
	e := s.m.ResultEvent(p)
	e.By = a.By
	return s.intervene(e, nil)
}

func (s *fake) Retry(note string) error { return s.intervene(s.m.RetryEvent(note)) }
func (s *fake) Skip(note string) error  { return s.OverrideCurrent(plan.Skipped, note) }
func (s *fake) OverrideCurrent(r plan.Result, note string, instead ...plan.Assignment) error {
	s.enter()
	return s.intervene(s.m.OverrideEvent(r, note, instead...))
}
func (s *fake) OverridePrevious(r plan.Result, note string, instead ...plan.Assignment) error {
	return s.intervene(s.m.OverrideEvent(r, note, instead...))
}
func (s *fake) Jump(to, note string) error { return s.intervene(s.m.JumpEvent(to, note)) }

func (s *fake) EndRun(plan.RunResult, string) error { return nil }
func (s *fake) Interrupt() error {
	s.end(plan.Product{Cancelled: true})
	return nil
}

func (s *fake) TypeIntoCommand(b []byte) error { s.typed.Write(b); return nil }
func (s *fake) Resize(cols, rows int)          { s.size = [2]int{cols, rows} }
func (s *fake) Close()                         { s.closed = true }
func (s *fake) Watch() session.Watcher         { return s }
func (s *fake) Changed() <-chan struct{}       { return nil }

func (s *fake) Run(context.Context) (engine.Ending, error) { return engine.Ending{}, nil }

func (s *fake) Take() engine.Update {
	u := engine.Update{Events: s.events[s.taken:], Status: s.now()}
	u.Status.PendingValues = s.m.WithheldValues()
	s.taken = len(s.events)
	return u
}

func (s *fake) Log(file string) session.Log {
	if l := s.logs[file]; l != nil && s.log == nil {
		return l
	}
	return s.log
}

func (s *fake) OfferSaved() (*engine.ReloadOffer, error) { return nil, nil }

func (s *fake) EditRule(rewrite.RuleRef, string) (*engine.ReloadOffer, error) { return nil, nil }

func (s *fake) EditSteps(plan.StepEdit) (*engine.ReloadOffer, error) { return nil, nil }

func (s *fake) Forecast(*engine.ReloadOffer, int) (*engine.Forecast, error) { return nil, nil }

func (s *fake) ReloadAt(*engine.ReloadOffer, int, engine.ReloadChoice) error { return nil }

func (s *fake) Reload(*engine.ReloadOffer, engine.ReloadChoice) error { return nil }
