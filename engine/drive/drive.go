// Package drive lets programs drive a run: read its state and needs, list the available actions,
// and carry them out. Everything is data that can be encoded as JSON (docs/protocol.md), however it
// is transported.
package drive

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
)

// A Driver drives the run of a session for programs. Its methods may be called from any goroutine.
type Driver struct {
	session *engine.Session

	firstPlan *plan.Plan // the plan with which the run began

	mu      sync.Mutex
	watcher *engine.Watcher
	run     control.RunView
	guard   TrustGuard // nil: the document is trusted
}

// New returns a driver for a session. p is the plan with which the run began, and sources are those that replies can
// come from.
func New(s *engine.Session, p *plan.Plan, sources []model.ReplySourceOption) *Driver {
	return &Driver{
		session: s, firstPlan: p, watcher: s.WatchFromStart(),
		run: control.RunView{Plan: p, Track: track.New(p), ReplySources: sources, IsBegun: true},
	}
}

// currentRun folds the new events, and returns the current state of the run. Callers hold the lock, also while they
// read it.
func (d *Driver) currentRun() *control.RunView {
	u, r := d.watcher.Take(), &d.run
	if u.IsRestarted {
		r.Track, r.Events = track.New(d.firstPlan), nil
	}
	r.Track.Fold(u.Events...)
	r.Plan = r.Track.Plan
	r.Events, r.Status, r.Breakpoints, r.Now = append(r.Events, u.Events...), u.Status, u.Status.Breakpoints, time.Now()
	r.Upcoming = track.UpcomingInstance{}
	if next := u.Status.NextEvent; next != nil {
		r.Upcoming = r.Track.UpcomingInstance(*next)
	}
	return r
}

// lastSeq returns the number of the run's last event.
func lastSeq(r *control.RunView) int {
	if n := len(r.Events); n > 0 {
		return r.Events[n-1].Seq
	}
	return 0
}

// State returns what the run does and needs.
func (d *Driver) State() State {
	trusted := d.isTrusted()
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.currentRun()
	s := newState(r.Track, lastSeq(r), r.Status)
	s.NeedsTrust = !trusted
	return s
}

// An Action is an action of control's table for one client, with whether it is available now.
type Action struct {
	Name              string   `json:"name"`
	Help              string   `json:"help"`
	ArgumentKeys      []string `json:"arguments,omitempty"` // the keys of its arguments
	Usage             string   `json:"usage,omitempty"`     // the arguments as typed on a line
	IsAvailable       bool     `json:"available"`
	UnavailableReason string   `json:"reason,omitempty"` // why it is unavailable
	AllowedWhenStale  bool     `json:"any_time"`         // a request for it needs no sequence number
	RequiresTerminal  bool     `json:"on_terminal"`      // only a person at a terminal can do it
}

// Actions returns all actions, with the reason for those that are unavailable to the client.
func (d *Driver) Actions(c Client) []Action {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.currentRun()
	var out []Action
	for _, a := range control.AllActions() {
		if a.Name == "take-control" {
			continue
		}
		why := a.AlwaysUnavailableReason(*r)
		if why == "" {
			why = c.forbiddenReason(&a, r)
		}
		out = append(out, Action{
			Name: a.Name, Help: a.Help, ArgumentKeys: a.ArgumentKeys(), Usage: a.ParamsUsage(), IsAvailable: why == "", UnavailableReason: replaceActionPlaceholders(why), AllowedWhenStale: a.AllowedWhenStale,
			RequiresTerminal: a.RequiresTerminal,
		})
	}
	return out
}

// A Client is a program that acts on a run.
type Client struct {
	Name         string // recorded in events
	IsController bool   // its screen controls the run
	IsAtTerminal bool   // it has a terminal, so a person can use it
}

// terminalOnlyReason returns the sentence that refuses what only a person at a terminal can do, and says how to do it.
func terminalOnlyReason(what, runID string) control.Sentence {
	return control.Sentence("Only a person at a terminal can " + what + ": use playhead attach " + runID + " or playhead resume " + runID + ".")
}

// forbiddenReason returns why this client may not do an action that others may, "" if it may.
func (c Client) forbiddenReason(a *control.Action, r *control.RunView) control.Sentence {
	if c.IsController && c.IsAtTerminal {
		return ""
	}
	q := r.Status.Question
	switch {
	case a.RequiresTerminal:
		return terminalOnlyReason("do this", r.Track.RunID)
	case a.Name == "answer" && q != nil && q.Kind == machine.KindApproveCall:
		return terminalOnlyReason("allow a tool call", r.Track.RunID)
	}
	return ""
}

// replaceActionPlaceholders returns a sentence in which actions are named as in requests.
func replaceActionPlaceholders(s control.Sentence) string {
	return s.ReplacePlaceholders(func(action string) string {
		if action == "write-back" { // a command of its own, not an action on a run
			return "use playhead edits --write"
		}
		return "use " + action
	})
}

// An ActionRequest is a request to carry out an action.
type ActionRequest struct {
	Action    string          `json:"action"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // an object, or a string as a person would type it
	KnownSeq  int             `json:"seq,omitempty"`       // the number of the last event that the client has seen
}

// ActionResult is the result of an action.
type ActionResult struct {
	Action           string   `json:"action"`
	Effect           string   `json:"effect,omitempty"`     // what the screen would ask a person to confirm
	EffectsNotUndone []string `json:"stays_done,omitempty"` // the commands and calls that a rewind does not undo
	Message          string   `json:"message,omitempty"`    // a sentence for people about what was done, if the events do not contain it
	State            State    `json:"state"`
}

// A RefusedError says why an action was not done.
type RefusedError struct{ Reason string }

// Error returns the reason.
func (e *RefusedError) Error() string { return e.Reason }

func newRefusedError(format string, args ...any) error {
	return &RefusedError{fmt.Sprintf(format, args...)}
}

// Do carries out an action for a client. A request without KnownSeq, which not every client may make, applies to the
// state of the run at the moment, even if the run is just making a move itself. The error is a *RefusedError, an
// *engine.StaleError, engine.ErrClosed, or an *engine.JournalError.
func (d *Driver) Do(c Client, o ActionRequest) (ActionResult, error) {
	a := control.FindActionByAlias(o.Action)
	if a == nil {
		return ActionResult{}, newRefusedError("there is no action %q: call the method `actions` to list all actions", o.Action)
	}
	if o.KnownSeq == 0 && !a.AllowedWhenStale && !c.IsController {
		return ActionResult{}, newRefusedError("%s needs seq, the number of the last event that you have seen", o.Action)
	}
	if !d.isTrusted() && !a.AllowedWhenStale {
		return ActionResult{}, newRefusedError("This document runs commands, and no person has trusted it yet: use playhead attach %s at a terminal.", d.State().RunID)
	}
	w := d.session.WatchFromStart()
	defer w.Stop()
	seenSeq := 0 // the number of the last event when the run was first found between two moves; 0: it was not
	for {
		done, err := d.tryAction(c, a, o, seenSeq)
		var between *betweenMovesError
		switch {
		case errors.As(err, &between):
			seenSeq = cmp.Or(seenSeq, between.lastSeq)
			select {
			case <-w.Changed():
				w.Take()
			case <-d.session.Done():
				return ActionResult{}, engine.ErrClosed
			}
		case o.KnownSeq != 0 || !errors.As(err, new(*engine.StaleError)) || d.hasMovedSince(seenSeq):
			return done, err
		} // a request without a number applies to the current state: try again
	}
}

// A betweenMovesError is the error for an action that moves the run while the run is about to make its next
// move itself. It is not known yet whether the action will still apply after that move.
type betweenMovesError struct{ lastSeq int }

// Error says what the run does.
func (e *betweenMovesError) Error() string { return "the run is between two moves" }

// hasMovedSince reports whether the run has moved since the event seq, so that a request made then may no longer
// apply. It returns false if seq is 0.
func (d *Driver) hasMovedSince(seq int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return hasMoved(d.currentRun().Events, seq)
}

// hasMoved reports whether events contains a move of the run after the event since. It returns false if since is 0.
func hasMoved(events []machine.Event, since int) bool {
	return since > 0 && slices.ContainsFunc(events, func(e machine.Event) bool {
		switch e.Body.(type) {
		case *machine.VariableCaptured, *machine.ActionEdited, *machine.PlayheadToolCalled:
			return false
		}
		return e.Seq > since
	})
}

// tryAction carries out an action, unless the run changes after the request was checked, or has moved since seenSeq.
func (d *Driver) tryAction(c Client, a *control.Action, o ActionRequest, seenSeq int) (ActionResult, error) {
	run, args, err := d.readRequest(c, a, o, seenSeq)
	if err != nil {
		return ActionResult{}, err
	}
	if a.Name == "reload" {
		if run.SavedVersion, err = d.session.OfferSaved(); err != nil {
			return ActionResult{}, refusedErrorFrom(err)
		}
	}
	seen := 0
	if !a.AllowedWhenStale {
		seen = lastSeq(&run)
	}
	s := d.session.AsClient(c.Name, seen)
	next, err := nextUndoOrRedo(s, a.Name)
	if err == nil && next.Event.Seq > 0 {
		args.EventSeq = next.Event.Seq
	}
	effect := a.Effect(run, args)
	done := ActionResult{Action: a.Name, Effect: replaceActionPlaceholders(effect.TextToSay()), EffectsNotUndone: effect.EffectsNotUndone}
	if err := a.Do(s, run, args); err != nil {
		return ActionResult{}, refusedErrorFrom(err)
	}
	if done.Message = replaceActionPlaceholders(a.ResultText(run, args)); next.Event.Seq > 0 {
		done.Message = wording.UndoneText(next)
	}
	done.State = d.State()
	return done, nil
}

// RecordPlayheadToolCall records that a client called a tool of Playhead for an agent.
func (d *Driver) RecordPlayheadToolCall(c Client, tool string) error {
	return d.session.AsClient(c.Name, 0).RecordPlayheadToolCall(tool)
}

// readRequest reads the arguments of a request for the current state of the run. The caller owns the RunView
// that it returns.
func (d *Driver) readRequest(c Client, a *control.Action, o ActionRequest, seenSeq int) (control.RunView, control.Args, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.currentRun()
	switch isBetweenMoves := r.Status.State == engine.Running && r.Status.RunningStep == ""; {
	case a.AllowedWhenStale:
	case o.KnownSeq != 0 && machine.IsStale(r.Events, o.KnownSeq):
		return *r, control.Args{}, &engine.StaleError{KnownSeq: o.KnownSeq, NewestSeq: lastSeq(r)}
	case hasMoved(r.Events, seenSeq):
		return *r, control.Args{}, &engine.StaleError{KnownSeq: seenSeq, NewestSeq: lastSeq(r)}
	case isBetweenMoves && a.MovesRun:
		return *r, control.Args{}, &betweenMovesError{lastSeq(r)}
	}
	args, err := a.ReadArgumentsByName(*r, o.Action, o.Arguments)
	if err != nil {
		return *r, args, newRefusedError("%v", err)
	}
	if why := c.forbiddenReason(a, r); why != "" {
		return *r, args, &RefusedError{replaceActionPlaceholders(why)}
	}
	run := *r
	run.Track = r.Track.Clone()
	if args.Row != nil {
		args.Row = run.RowByLabel(args.Row.Label)
	}
	if run.Status.NextEvent != nil {
		run.Upcoming = run.Track.UpcomingInstance(*run.Status.NextEvent)
	}
	return run, args, nil
}

// nextUndoOrRedo returns what undo or redo would do, the zero UndoStep for other actions.
func nextUndoOrRedo(s *engine.Session, action string) (machine.UndoStep, error) {
	switch action {
	case "undo":
		return s.NextUndo()
	case "redo":
		return s.NextRedo()
	}
	return machine.UndoStep{}, nil
}

// refusedErrorFrom converts an error of a session to one that Do returns.
func refusedErrorFrom(err error) error {
	var unavailable *control.RefusedError
	switch {
	case errors.As(err, &unavailable):
		return &RefusedError{replaceActionPlaceholders(unavailable.Reason)}
	case errors.As(err, new(*engine.StaleError)), errors.As(err, new(*engine.JournalError)), errors.Is(err, engine.ErrClosed):
		return err
	case errors.As(err, new(*engine.UntrustedCommandsError)):
		return &RefusedError{err.Error() + ": only a person at a terminal can allow commands"}
	}
	return &RefusedError{err.Error()}
}

// Step is a step as a program reads it.
type Step struct {
	Label          string          `json:"label"`
	Title          string          `json:"title,omitempty"`
	Status         string          `json:"status"`
	Attempt        int             `json:"attempt"`
	IsCurrent      bool            `json:"current"`          // the run is at this step
	RenderedPrompt string          `json:"prompt,omitempty"` // its text with all references filled in, if the run needs somebody there
	StepJSON       json.RawMessage `json:"document"`         // as in `playhead show --json`: text, actions, routes
	Variables      map[string]any  `json:"values,omitempty"` // the run's variables
}

// Step returns a step by its label. An empty label means the step that the run is at.
func (d *Driver) Step(label string) (Step, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.currentRun()
	row := r.PositionRow()
	if label != "" {
		row = r.RowByLabel(label)
	}
	switch hasStep := row != nil && row.Step != nil; {
	case !hasStep && label == "":
		return Step{}, newRefusedError("the run is not at a step: name a step")
	case !hasStep:
		return Step{}, newRefusedError("there is no step %q", label)
	}
	document, err := row.Step.JSON()
	out := Step{
		Label: row.Label, Title: row.Title, Status: row.Status.String(), Attempt: row.Attempt, IsCurrent: row == r.PositionRow(),
		StepJSON: document, Variables: map[string]any{},
	}
	if need := r.Status.WaitingFor; need != nil && need.Step == row.Label {
		out.RenderedPrompt = need.StepText
	}
	for _, v := range r.Track.Variables {
		out.Variables[v.Name] = v.Value
	}
	return out, err
}

// A LogRange is a range of lines of a log.
type LogRange struct {
	LogName    string   `json:"file"` // its name in events
	FirstIndex int      `json:"from"` // the index of the first line, from 0
	Lines      []string `json:"lines"`
	LineCount  int      `json:"total"` // the number of lines in the log
	ByteCount  int64    `json:"bytes"`
}

// MaxLogLines is the maximum number of lines in a LogRange, and the number for a request that names none.
const MaxLogLines = 1000

// ReadLog returns lines of a log by its name in events, from the index from on. An empty name means the log of what
// is running, and a negative from counts from the end.
func (d *Driver) ReadLog(file string, from, lines int) (LogRange, error) {
	if file == "" {
		if file = d.State().RunningLog; file == "" {
			return LogRange{}, newRefusedError("nothing is running: name a log")
		}
	}
	var log *logs.Log
	if path.Dir(file) == path.Dir(journal.LogName(0)) {
		log = d.session.Log(file)
	}
	if log == nil {
		return LogRange{}, newRefusedError("there is no log %q", file)
	}
	bytes, total := log.Size()
	if from < 0 {
		from = max(0, total+from)
	}
	if lines <= 0 || lines > MaxLogLines {
		lines = MaxLogLines
	}
	text, err := log.Lines(min(from, total), lines)
	if text == nil {
		text = []string{}
	}
	return LogRange{LogName: file, FirstIndex: min(from, total), Lines: text, LineCount: total, ByteCount: bytes}, err
}
