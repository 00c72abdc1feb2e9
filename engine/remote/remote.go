// Package remote joins a run that another process drives. Its Session has the methods of a session
// for screens and lines. Events come from that process, and the output of commands is read from the
// run's folder.
package remote

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// A Session is a run of another process. Its methods may be called from any goroutine.
type Session struct {
	client    *service.Client
	remoteRun JoinableRun

	mu         sync.Mutex
	events     []machine.Event
	status     engine.Status
	lastSeq    int    // the number of the last event that has arrived
	clientName string // the name by which the other process knows this client; empty: it only watches
	watchers   engine.Watchers
	logByName  map[string]*logs.Log
}

// JoinableRun is what a Session needs to know about the run that it joins.
type JoinableRun struct {
	Folder    journal.Folder
	FirstPlan *plan.Plan // the plan with which the run began
}

// WatchRun joins a run without control of it: Perform refuses every action.
func WatchRun(c *service.Client, run JoinableRun) (*Session, error) {
	s := &Session{client: c, remoteRun: run, logByName: map[string]*logs.Log{}}
	return s, c.Follow(0, s.applyBatch)
}

// AttachToRun joins a run and takes control of it.
func AttachToRun(c *service.Client, run JoinableRun) (*Session, error) {
	s := &Session{client: c, remoteRun: run, logByName: map[string]*logs.Log{}}
	if err := s.TakeControl(); err != nil {
		return nil, err
	}
	return s, c.Follow(0, s.applyBatch)
}

// applyBatch adds a batch of events, and informs the watchers.
func (s *Session) applyBatch(b drive.EventBatch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.HasWholeBranch {
		s.events = nil
		s.watchers.Restart()
	}
	s.events, s.status, s.lastSeq = append(s.events, b.Events...), b.State.EngineStatus(), b.State.LastSeq
	_ = setup.SetVersionLoaders(s.remoteRun.Folder, s.events) // if a version cannot be loaded, the previous one is shown
	s.watchers.Notify()
}

// Run waits until the process that drives the run ends, ctx ends, or Close is called.
func (s *Session) Run(ctx context.Context) (engine.Ending, error) {
	select {
	case <-s.client.Closed():
	case <-ctx.Done():
		s.Close()
	}
	return engine.Ending{}, nil
}

// Close leaves the run, which continues. If this session has control, control returns to the
// process that drives the run.
func (s *Session) Close() { _ = s.client.Close() }

// ClientName returns the name by which the other process knows this session, "" if it only watches.
func (s *Session) ClientName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clientName
}

// Events returns the events so far.
func (s *Session) Events() []machine.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clip(s.events)
}

// WatchFromStart subscribes to the run. The first update has all events so far.
func (s *Session) WatchFromStart() *engine.Watcher {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.watchers.Add(&s.mu, func() engine.Update {
		return engine.Update{Events: slices.Clip(s.events), Status: s.status}
	})
}

// Log returns the log of an action by its name in events, nil if there is none. The log of a running command grows
// by itself.
func (s *Session) Log(file string) *logs.Log {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.logByName[file]; l != nil || file == "" {
		return l
	}
	at := s.remoteRun.Folder.LogFile(file)
	if file == s.status.RunningLog && s.status.State == engine.Running {
		l := logs.NewGrowingLog(at)
		s.logByName[file] = l
		go s.growLog(l, file)
		return l
	}
	l, err := logs.Open(at)
	if err != nil {
		return nil
	}
	s.logByName[file] = l
	return l
}

// logReadInterval is the interval at which a growing log is read.
const logReadInterval = 50 * time.Millisecond

// growLog adds the output of a command to its log until the command ends.
func (s *Session) growLog(l *logs.Log, file string) {
	for grows := true; grows; {
		select {
		case <-s.client.Closed():
			grows = false
		case <-time.After(logReadInterval):
			s.mu.Lock()
			grows = s.status.RunningLog == file && s.status.State == engine.Running
			s.mu.Unlock()
		}
		_ = l.Grow(math.MaxInt64) // the file is created with the first output
	}
	_ = l.Close()
}

// errWatchOnly is the error for actions on a run that this session only watches.
var errWatchOnly = errors.New("you are only watching this run: to take control of it, use playhead attach")

// Perform carries out an action in the process that drives the run.
func (s *Session) Perform(action string, args control.JSONArguments) error {
	if s.ClientName() == "" {
		return errWatchOnly
	}
	if action == "take-control" {
		return s.TakeControl()
	}
	data := drive.ActionRequest{Action: action, KnownSeq: s.shownSeq()}
	if len(args) > 0 {
		var err error
		if data.Arguments, err = args.JSON(); err != nil {
			return err
		}
	}
	_, err := s.client.Do(data)
	return err
}

// shownSeq returns the number of the last event that has arrived, so that an answer applies to the question on the
// screen and not to a later one. It returns 0 while the run is running: an action then applies to whatever is next.
func (s *Session) shownSeq() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status.State == engine.Running {
		return 0
	}
	return s.lastSeq
}

// TakeControl gives control of the run to this session.
func (s *Session) TakeControl() error {
	var now drive.State
	if err := s.client.Call("attach", nil, &now); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clientName = now.Controller
	return nil
}

// Continue continues the run in a mode, or pauses it for engine.PauseNext.
func (s *Session) Continue(mode engine.Mode, _ string) error {
	return s.Perform(map[engine.Mode]string{
		engine.Continue: "continue", engine.StepOver: "over", engine.StepInto: "into", engine.StepOut: "out", engine.PauseNext: "pause",
	}[mode], nil)
}

// Pause pauses the run before the next step.
func (s *Session) Pause() error { return s.Perform("pause", nil) }

// Interrupt interrupts what is running.
func (s *Session) Interrupt() error { return s.Perform("interrupt", nil) }

// Undo undoes the last action of a person.
func (s *Session) Undo() error { return s.Perform("undo", nil) }

// Redo takes back the last Undo.
func (s *Session) Redo() error { return s.Perform("redo", nil) }

// Rewind goes back to the state after an event.
func (s *Session) Rewind(seq int) error {
	return s.Perform("rewind", control.FindAction("rewind").EncodeArguments(control.Args{EventSeq: seq}))
}

// Jump goes to a step by its label.
func (s *Session) Jump(step, note string) error {
	return s.Perform("jump", control.FindAction("jump").EncodeArguments(control.Args{Row: &track.Row{Label: step}, Note: note}))
}

// SetBreakpoints replaces all breakpoints. Breakpoints are not kept for later runs.
func (s *Session) SetBreakpoints(all []engine.Breakpoint) error {
	if all == nil {
		all = []engine.Breakpoint{}
	}
	return s.Perform("break", control.FindAction("break").EncodeArguments(control.Args{Breakpoints: all}))
}

// TypeIntoCommand writes to the terminal of the running command.
func (s *Session) TypeIntoCommand(p []byte) error {
	return s.client.Call("type", map[string][]byte{"text": p}, nil)
}

// Resize does nothing: the screen of the process that drives the run sets the size of a command's
// terminal.
func (s *Session) Resize(int, int) {}

// NextUndo returns what Undo would do.
func (s *Session) NextUndo() (machine.UndoStep, error) {
	return s.readUndoStep("undo", machine.NextUndo)
}

// NextRedo returns what Redo would do.
func (s *Session) NextRedo() (machine.UndoStep, error) {
	return s.readUndoStep("redo", machine.NextRedo)
}

// readUndoStep returns what find finds in the journal. action is undo or redo, for the error if there is none.
func (s *Session) readUndoStep(action string, find func([]machine.Event) *machine.UndoStep) (machine.UndoStep, error) {
	h, err := journal.ReadHistory(s.remoteRun.Folder)
	if err != nil {
		return machine.UndoStep{}, err
	}
	if step := find(h.Events); step != nil {
		return *step, nil
	}
	return machine.UndoStep{}, engine.NothingToDoError(action)
}

// DecisionPreviewAt returns a preview based on the state after the event with number seq. The state is that of the
// journal, which does not contain secrets.
func (s *Session) DecisionPreviewAt(seq int) engine.DecisionPreview {
	m, err := s.machineAt(seq)
	return func(c machine.WhatIfChange) ([]machine.Event, error) {
		if err != nil {
			return nil, err
		}
		return m.WhatIfDecisions(c)
	}
}

// Machine returns a machine in the state of the run, as far as the journal contains it.
func (s *Session) Machine() (*machine.Machine, error) { return s.machineAt(math.MaxInt) }

// ReplyWarnings returns the warnings that a person's reply would cause.
func (s *Session) ReplyWarnings(reply string) []string {
	m, err := s.machineAt(math.MaxInt)
	if err != nil {
		return nil
	}
	return m.ReplyWarnings(reply)
}

// machineAt returns a machine in the state after the event with number seq, on the branch that leads to it.
func (s *Session) machineAt(seq int) (*machine.Machine, error) {
	h, err := journal.ReadHistory(s.remoteRun.Folder)
	if err == nil {
		err = setup.SetVersionLoaders(s.remoteRun.Folder, h.Events)
	}
	if err != nil {
		return nil, err
	}
	started, err := journal.RunStartedBody(h.Events[0])
	if err != nil {
		return nil, err
	}
	m := machine.New(s.remoteRun.FirstPlan, started.Options)
	for _, e := range machine.BranchTo(h.Events, min(seq, len(h.Events))) {
		if err := m.Apply(e); err != nil {
			return nil, err
		}
	}
	return m, nil
}
