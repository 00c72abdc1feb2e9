package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// A Result is what came of an action on a run, as docs/json.md has it.
type Result struct {
	Action    string          `json:"action"`
	Error     string          `json:"error,omitempty"` // why it was not done
	StaysDone []string        `json:"stays_done,omitempty"`
	Events    []machine.Event `json:"events,omitempty"` // what has happened since
	State     drive.State     `json:"state"`
}

// A Script carries out one action on an existing run: in the process that drives the run, or else here,
// until the run needs somebody.
type ActionRun struct {
	History journal.History // before the action
	Plan    *plan.Plan
	Result  Result

	// Resume gets a run ready to go on in this process, or refuses to.
	Resume          func(id string) (*setup.Run, error)
	PlayheadVersion string
	Note            func(text string)

	Signal syscall.Signal // that has ended it here; 0: none
}

// IsQuery reports whether an action only asks how a run is.
func IsQuery(action string) bool { return action == "status" || action == "next" }

// Arguments encodes the words after an action as JSON. A text that is given as - is read from in.
func Arguments(in io.Reader, action string, words []string) (json.RawMessage, error) {
	line := strings.Join(words, " ")
	switch {
	case IsQuery(action):
		if line != "" {
			return nil, setup.Errorf("playhead do %s takes no arguments: remove %q", action, line)
		}
		return nil, nil
	case action == "reply" || action == "report":
		text := []byte(line)
		if line == "-" {
			var err error
			if text, err = infile.From(in, "standard input", infile.Given); err != nil {
				return nil, setup.Errorf("cannot read standard input: %w", err)
			}
		}
		if action == "report" {
			if !json.Valid(text) {
				return nil, setup.Errorf("a report must be a JSON object: playhead do report - < report.json")
			}
			return json.Marshal(map[string]json.RawMessage{"report": text})
		}
		return json.Marshal(map[string]string{"text": string(text)})
	case action == "answer" && len(words) > 0:
		return json.Marshal(map[string]string{"value": line})
	}
	return json.Marshal(line)
}

// Do carries out the action in the process that drives the run, or else here.
func (s *ActionRun) Do(ctx context.Context, o drive.Order) error {
	s.Result.Action = o.Action
	client, err := service.Dial(s.History.Folder, "playhead do")
	switch {
	case err == nil:
		defer client.Close()
		return s.doThere(ctx, client, o)
	case !errors.Is(err, service.ErrNoOwner):
		return setup.Errorf("%w", err)
	case IsQuery(o.Action):
		s.Result.State = drive.Recorded(s.Plan, s.History)
		return nil
	}
	return s.doHere(ctx, o)
}

// returnsAtOnce reports whether the run goes on as before after an action, so that its next stop is
// not waited for.
func returnsAtOnce(action string) bool {
	a := control.Find(action)
	return a != nil && !a.Moves && a.Name != "pause"
}

// doThere carries it out in the process that drives the run, and waits until the run needs somebody.
func (s *ActionRun) doThere(ctx context.Context, c *service.Client, o drive.Order) (err error) {
	if s.Result.State, err = c.State(); err != nil || IsQuery(o.Action) {
		return err
	}
	before, wasIdle := s.Result.State.Seq, s.Result.State.IsIdle()
	if o.Seq == 0 {
		o.Seq = before
	}
	done, err := c.Do(o)
	if err != nil {
		return err
	}
	s.Result.State, s.Result.StaysDone = done.State, done.StaysDone
	batches, follows := make(chan drive.Batch), make(chan struct{})
	defer close(follows)
	err = c.Follow(before, func(b drive.Batch) {
		select {
		case batches <- b:
		case <-follows:
		}
	})
	if err != nil {
		return s.recorded(before)
	}
	for first := true; ; first = false {
		select {
		case b := <-batches:
			s.take(b, before)
			if b.State.IsIdle() || returnsAtOnce(o.Action) && !wasIdle || first && done.State.IsIdle() {
				return nil
			}
		case <-c.Closed():
			return s.recorded(before)
		case <-ctx.Done():
			return nil
		}
	}
}

// take takes over what has happened since an event.
func (s *ActionRun) take(b drive.Batch, since int) {
	if b.Restarted {
		s.Result.Events = nil
	}
	for _, e := range b.Events {
		if e.Seq > since {
			s.Result.Events = append(s.Result.Events, e)
		}
	}
	s.Result.State = b.State
}

// recorded takes the state of the run from its journal, after its process has ended.
func (s *ActionRun) recorded(since int) error {
	h, err := journal.ReadFolder(s.History.Folder)
	if err == nil {
		err = setup.LoadVersions(h.Folder, h.Events)
	}
	if err != nil {
		return err
	}
	s.Result.Events = h.Events[min(since, len(h.Events)):]
	s.Result.State = drive.Recorded(s.Plan, h)
	return nil
}

// doHere continues a run that no process drives, until it needs somebody again.
func (s *ActionRun) doHere(ctx context.Context, o drive.Order) error {
	s.Result.State = drive.Recorded(s.Plan, s.History)
	if o.Seq != 0 && machine.IsStale(s.History.Events, o.Seq) {
		return &engine.StaleError{Known: o.Seq, Newest: len(s.History.Events)}
	}
	resumed, err := s.Resume(s.History.ID())
	if err != nil {
		return err
	}
	r := &Run{Run: resumed}
	defer r.Close()
	r.Config.Controller = fmt.Sprintf("playhead do, process %d", os.Getpid())
	session, err := r.Begin(s.PlayheadVersion, s.Note)
	if err != nil {
		return err
	}
	ctx, stop := CatchSignals(ctx, nil)
	ended := make(chan error, 1)
	go func() {
		_, err := session.Run(ctx)
		ended <- err
	}()
	err = s.act(ctx, r, o)
	if failed := session.ReleaseControl(); err == nil && !errors.Is(failed, engine.ErrClosed) {
		err = failed
	}
	if r.IsOver {
		session.Close() // it stays as it is
	}
	if failed := <-ended; err == nil {
		err = failed
	}
	s.Signal = stop()
	return errors.Join(err, s.recorded(len(s.History.Events)))
}

// act carries out the action once the run is idle.
func (s *ActionRun) act(ctx context.Context, r *Run, o drive.Order) error {
	driver := drive.New(r.Session, r.Config.Plan, r.Config.Sources)
	w := r.Session.Watch()
	defer w.Stop()
	for state := driver.State(); state.State == engine.Running || state.State == ""; state = driver.State() {
		select {
		case <-w.Changed():
			w.Take()
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second): // nothing is lost if a change was taken above
		}
	}
	o.Seq = driver.State().Seq
	done, err := driver.Do(drive.Client{Name: r.Config.Controller}, o)
	s.Result.StaysDone = done.StaysDone
	return err
}

// IsRefusal reports whether an error is of an action that is not possible.
func IsRefusal(err error) bool {
	var refused *drive.RefusedError
	var stale *engine.StaleError
	var there *service.Error
	return errors.As(err, &refused) || errors.As(err, &stale) || errors.As(err, &there)
}
