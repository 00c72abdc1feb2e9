// Package drive lets programs drive a run: read its state and needs, list the available actions,
// and carry them out. Everything is data that can be encoded as JSON (docs/protocol.md), however it
// is transported.
package drive

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"sync"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/journal"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// A Driver drives the run of a session for programs. Its methods may be called from any goroutine.
type Driver struct {
	session *engine.Session

	plan *plan.Plan // with which the run began

	mu      sync.Mutex
	watcher *engine.Watcher
	run     control.Run
	guard   Guard // nil: the document is trusted
}

// New returns a driver for a session. The sources are those that replies can come from.
func New(s *engine.Session, p *plan.Plan, sources []model.Origin) *Driver {
	return &Driver{
		session: s, plan: p, watcher: s.Watch(),
		run: control.Run{Plan: p, Track: track.New(p), Sources: sources, Begun: true},
	}
}

// current returns the current state of the run. Callers hold the lock, also while they read it.
func (d *Driver) current() *control.Run {
	u, r := d.watcher.Take(), &d.run
	if u.Restarted {
		r.Track, r.Events = track.New(d.plan), nil
	}
	r.Track.Fold(u.Events...)
	r.Plan = r.Track.Plan
	r.Events, r.Status, r.Breaks, r.Now = append(r.Events, u.Events...), u.Status, u.Status.Breaks, time.Now()
	r.Upcoming = track.Upcoming{}
	if next := u.Status.NextEvent; next != nil {
		r.Upcoming = r.Track.Upcoming(*next)
	}
	return r
}

// seq returns the number of the run's last event.
func seq(r *control.Run) int {
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
	r := d.current()
	s := stateOf(r.Track, seq(r), r.Status)
	s.Untrusted = !trusted
	return s
}

// An Action is an action of the table, whether it is available, and why not.
type Action struct {
	Name       string   `json:"name"`
	Help       string   `json:"help"`
	Arguments  []string `json:"arguments,omitempty"` // the keys of its arguments
	Usage      string   `json:"usage,omitempty"`     // the arguments as typed on a line
	Available  bool     `json:"available"`
	Reason     string   `json:"reason,omitempty"` // why it is unavailable
	AnyTime    bool     `json:"any_time"`         // it needs no sequence number
	OnTerminal bool     `json:"on_terminal"`      // only a person at a terminal can do it
}

// Actions returns all actions, with the reason for those that are unavailable to the client.
func (d *Driver) Actions(c Client) []Action {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.current()
	var out []Action
	for _, a := range control.All() {
		if a.Name == "take-control" {
			continue
		}
		why := a.UnavailableAlways(*r)
		if why == "" {
			why = c.forbidden(&a, r)
		}
		out = append(out, Action{
			Name: a.Name, Help: a.Help, Arguments: a.Keys(), Usage: a.Usage(), Available: why == "", Reason: plainText(why), AnyTime: a.AnyTime,
			OnTerminal: a.OnTerminal,
		})
	}
	return out
}

// A Client is a program that acts on a run.
type Client struct {
	Name     string // recorded in events
	Controls bool   // its screen controls the run
	Terminal bool   // a person uses it
}

// forbidden returns why this client may not do an action that others may, "" if it may.
func (c Client) forbidden(a *control.Action, r *control.Run) control.Sentence {
	if c.Controls && c.Terminal {
		return ""
	}
	q := r.Status.Question
	switch {
	case a.OnTerminal:
		return control.Sentence("Only a person at a terminal can do this: use playhead attach " + r.Track.Run + ".")
	case a.Name == "answer" && q != nil && q.Kind == machine.KindApproveCall:
		return control.Sentence("Only a person at a terminal can allow a tool call: use playhead attach " + r.Track.Run + ".")
	}
	return ""
}

// plainText returns a sentence with actions by their plain names.
func plainText(s control.Sentence) string {
	return s.With(func(action string) string { return "use " + action })
}

// An Order is a request to carry out an action.
type Order struct {
	Action    string          `json:"action"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // an object, or a string as a person would type it
	Seq       int             `json:"seq,omitempty"`       // the number of the last event that the client has seen
}

// ActionResult is the result of an action.
type ActionResult struct {
	Action    string   `json:"action"`
	StaysDone []string `json:"stays_done,omitempty"` // the commands and calls that a rewind does not undo
	State     State    `json:"state"`
}

// A RefusedError says why an order was not carried out.
type RefusedError struct{ Reason string }

// Error returns the reason, with actions by their plain names.
func (e *RefusedError) Error() string { return e.Reason }

func refuse(format string, args ...any) error { return &RefusedError{fmt.Sprintf(format, args...)} }

// Do carries out an order. The error is a *RefusedError or an *engine.StaleError.
func (d *Driver) Do(c Client, o Order) (ActionResult, error) {
	a := control.Resolve(o.Action)
	if a == nil {
		return ActionResult{}, refuse("there is no action %q: `actions` lists them", o.Action)
	}
	if o.Seq == 0 && !a.AnyTime && !c.Controls {
		return ActionResult{}, refuse("%s needs seq, the number of the last event that you have seen", o.Action)
	}
	if !d.isTrusted() && !a.AnyTime {
		return ActionResult{}, refuse("This document runs commands, and no person has trusted it yet: use playhead attach %s on a terminal.", d.State().Run)
	}
	for {
		done, err := d.do(c, a, o)
		if o.Seq != 0 || !errors.As(err, new(*engine.StaleError)) {
			return done, err
		} // whoever gives no number means the run as it is: the order is held against that anew
	}
}

// do carries out an order if the run is as it was held against it.
func (d *Driver) do(c Client, a *control.Action, o Order) (ActionResult, error) {
	run, args, err := d.read(c, a, o)
	if err != nil {
		return ActionResult{}, err
	}
	if a.Name == "reload" {
		if run.Saved, err = d.session.Saved(); err != nil {
			return ActionResult{}, refusal(err)
		}
	}
	seen := 0
	if !a.AnyTime {
		seen = seq(&run)
	}
	s := d.session.As(c.Name, seen)
	if next, err := nextTurn(s, a.Name); err == nil && next.Seq > 0 {
		args.Event = next.Seq
	}
	done := ActionResult{Action: a.Name, StaysDone: a.Effect(run, args).StaysDone}
	if err := a.Do(s, run, args); err != nil {
		return ActionResult{}, refusal(err)
	}
	done.State = d.State()
	return done, nil
}

// NoteCall records that a client called a tool for an agent.
func (d *Driver) NoteCall(c Client, tool string) error { return d.session.As(c.Name, 0).NoteCall(tool) }

// read reads the arguments of an order for the current state of the run. The caller owns the Run
// that it returns.
func (d *Driver) read(c Client, a *control.Action, o Order) (control.Run, control.Args, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.current()
	if o.Seq != 0 && !a.AnyTime && machine.IsStale(r.Events, o.Seq) {
		return *r, control.Args{}, &engine.StaleError{Known: o.Seq, Newest: seq(r)}
	}
	args, err := a.ReadNamed(*r, o.Action, o.Arguments)
	if err != nil {
		return *r, args, refuse("%v", err)
	}
	if why := c.forbidden(a, r); why != "" {
		return *r, args, &RefusedError{plainText(why)}
	}
	run := *r
	run.Track = r.Track.Clone()
	if args.Step != nil {
		args.Step = run.Row(args.Step.Label)
	}
	if run.Status.NextEvent != nil {
		run.Upcoming = run.Track.Upcoming(*run.Status.NextEvent)
	}
	return run, args, nil
}

// nextTurn returns the event that undo or redo is about. For other actions it returns the zero
// Event.
func nextTurn(s *engine.Session, action string) (machine.Event, error) {
	switch action {
	case "undo":
		return s.NextUndo()
	case "redo":
		return s.NextRedo()
	}
	return machine.Event{}, nil
}

// refusal converts an error of a session to one of this package.
func refusal(err error) error {
	var unavailable *control.Refusal
	switch {
	case errors.As(err, &unavailable):
		return &RefusedError{plainText(unavailable.Reason)}
	case errors.As(err, new(*engine.StaleError)), errors.As(err, new(*engine.JournalError)), errors.Is(err, engine.ErrClosed):
		return err
	case errors.As(err, new(*engine.UntrustedError)):
		return &RefusedError{err.Error() + ": only a person at a terminal can allow this"}
	}
	return &RefusedError{err.Error()}
}

// Step is a step as a program reads it.
type Step struct {
	Label    string          `json:"label"`
	Title    string          `json:"title,omitempty"`
	Status   string          `json:"status"`
	Attempt  int             `json:"attempt"`
	Current  bool            `json:"current"`          // the run is at this step
	Prompt   string          `json:"prompt,omitempty"` // its text with all references filled in, if the run needs somebody there
	Document json.RawMessage `json:"document"`         // as in `playhead show --json`: text, actions, routes
	Values   map[string]any  `json:"values,omitempty"` // the run's variables
}

// Step returns a step by its label. An empty label means the step that the run is at.
func (d *Driver) Step(label string) (Step, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.current()
	row := r.Position()
	if label != "" {
		row = r.Row(label)
	}
	if row == nil || row.Step == nil {
		return Step{}, refuse("there is no step %q", label)
	}
	document, err := row.Step.JSON()
	out := Step{
		Label: row.Label, Title: row.Title, Status: row.Status.String(), Attempt: row.Attempt, Current: row == r.Position(),
		Document: document, Values: map[string]any{},
	}
	if need := r.Status.Need; need != nil && need.Step == row.Label {
		out.Prompt = need.Text
	}
	for _, v := range r.Track.Vars {
		out.Values[v.Name] = v.Value
	}
	return out, err
}

// A Window is a range of lines of a log.
type Window struct {
	File  string   `json:"file"`
	From  int      `json:"from"` // the index of the first line, from 0
	Lines []string `json:"lines"`
	Total int      `json:"total"` // the number of lines in the log
	Bytes int64    `json:"bytes"`
}

// MaxLines is the maximum number of lines in a Window.
const MaxLines = 1000

// Log returns lines of a log by its name in events. An empty name means the log of what is running,
// and a negative from counts from the end.
func (d *Driver) Log(file string, from, lines int) (Window, error) {
	if file == "" {
		file = d.State().Log
	}
	var log *logs.Log
	if path.Dir(file) == path.Dir(journal.LogName(0)) {
		log = d.session.Log(file)
	}
	if log == nil {
		return Window{}, refuse("there is no log %q", file)
	}
	bytes, total := log.Size()
	if from < 0 {
		from = max(0, total+from)
	}
	if lines <= 0 || lines > MaxLines {
		lines = MaxLines
	}
	text, err := log.Lines(min(from, total), lines)
	if text == nil {
		text = []string{}
	}
	return Window{File: file, From: min(from, total), Lines: text, Total: total, Bytes: bytes}, err
}
