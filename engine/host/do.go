package host

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"playhead/engine"
	"playhead/engine/control"
	"playhead/engine/drive"
	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/rewrite"
	"playhead/engine/service"
	"playhead/engine/setup"
	"playhead/parse/infile"
	"playhead/parse/plan"
)

// DoResult is the result of an action on a run, in the format of docs/json.md.
type DoResult struct {
	Action           string          `json:"action"`
	Error            string          `json:"error,omitempty"`  // why the action was not done
	Effect           string          `json:"effect,omitempty"` // what the screen would ask a person to confirm
	EffectsNotUndone []string        `json:"stays_done,omitempty"`
	Message          string          `json:"message,omitempty"`        // a sentence for people about what was done, if the events do not contain it
	FileWithEdit     string          `json:"file_with_edit,omitempty"` // of an undo: the file that still contains the edit
	Events           []machine.Event `json:"events,omitempty"`         // the events since the action
	State            drive.State     `json:"state"`
}

// ActionRunner carries out one action on a recorded run, for playhead do. If no other process drives the run, this
// process drives it until it needs a person again. Do sets Result and EndingSignal, the caller everything else.
type ActionRunner struct {
	History   journal.History // before the action
	FirstPlan *plan.Plan      // the plan with which the run began
	Result    DoResult

	// ResumeRun prepares a run to continue in this process, or returns why it cannot.
	ResumeRun       func(id string) (*setup.Run, error)
	EditsAsChanges  func() ([]rewrite.FileChange, error) // the run's edits as changes of its documents
	PlayheadVersion string
	ShowNote        func(text string)

	EndingSignal syscall.Signal // the signal that made this process leave the run; 0: none
}

// IsStateQuery reports whether an action only asks for the state of the run.
func IsStateQuery(action string) bool { return action == "status" || action == "next" }

// EncodeArguments encodes the words after an action as the JSON of a drive.ActionRequest. For reply and report, the
// word - means the text of in.
func EncodeArguments(in io.Reader, action string, words []string) (json.RawMessage, error) {
	line := strings.Join(words, " ")
	switch {
	case IsStateQuery(action):
		if line != "" {
			return nil, setup.Errorf("playhead do %s takes no arguments: remove %q", action, line)
		}
		return nil, nil
	case action == "reply" || action == "report":
		text := []byte(line)
		if line == "-" {
			var err error
			if text, err = infile.ReadAllFrom(in, "standard input", infile.MaxPersonFileSize); err != nil {
				return nil, setup.Errorf("cannot read standard input: %w", err)
			}
		}
		if action == "report" {
			if !json.Valid(text) {
				return nil, setup.Errorf("a report must be a JSON object: to read it from a file, use playhead do report - < report.json")
			}
			return json.Marshal(map[string]json.RawMessage{"report": text})
		}
		return json.Marshal(map[string]string{"text": string(text)})
	case action == "answer" && len(words) > 0:
		return json.Marshal(map[string]string{"value": line})
	}
	return json.Marshal(line)
}

// Do carries out the action in the process that drives the run, or else in this one, and stores what happened in
// Result.
func (a *ActionRunner) Do(ctx context.Context, o drive.ActionRequest) error {
	a.Result.Action = o.Action
	fileWithEdit := a.fileWithEditToUndo(o.Action)
	err := a.carryOut(ctx, o)
	if err == nil {
		a.Result.FileWithEdit = fileWithEdit
	}
	return err
}

// fileWithEditToUndo returns the file that will still contain the edit that an action undoes, "" for none.
func (a *ActionRunner) fileWithEditToUndo(action string) string {
	if action != "undo" {
		return ""
	}
	next := machine.NextUndo(a.History.Events)
	if next == nil {
		return ""
	}
	return rewrite.FileWithEdit(next.Event, a.EditsAsChanges)
}

// carryOut carries out an action and stores the state after it.
func (a *ActionRunner) carryOut(ctx context.Context, o drive.ActionRequest) error {
	client, err := service.Dial(a.History.Folder, "playhead do")
	switch {
	case err == nil:
		defer client.Close()
		return a.doInOwner(ctx, client, o)
	case !errors.Is(err, service.ErrNoOwner):
		return setup.Errorf("%w", err)
	case IsStateQuery(o.Action):
		a.Result.State = drive.RecordedState(a.FirstPlan, a.History)
		return nil
	}
	return a.doInThisProcess(ctx, o)
}

// leavesRunWhereItIs reports whether an action leaves the run as it is, so that the caller does not wait
// until the run needs somebody.
func leavesRunWhereItIs(action string) bool {
	a := control.FindAction(action)
	return a != nil && !a.MovesRun && a.Name != "pause"
}

// doInOwner carries out an action in the process that drives the run, and waits until the run needs
// somebody.
func (a *ActionRunner) doInOwner(ctx context.Context, c *service.Client, o drive.ActionRequest) (err error) {
	if a.Result.State, err = c.State(); err != nil || IsStateQuery(o.Action) {
		return err
	}
	before, wasIdle := a.Result.State.LastSeq, a.Result.State.IsIdle()
	if o.KnownSeq == 0 {
		o.KnownSeq = before
	}
	done, err := c.Do(o)
	if err != nil {
		return err
	}
	a.Result.State = done.State
	a.storeResult(done)
	batches, follows := make(chan drive.EventBatch), make(chan struct{})
	defer close(follows)
	err = c.Follow(before, func(b drive.EventBatch) {
		select {
		case batches <- b:
		case <-follows:
		}
	})
	if err != nil {
		return a.readRecordedState(before)
	}
	for first := true; ; first = false {
		select {
		case b := <-batches:
			a.applyBatch(b, before)
			if b.State.IsIdle() || leavesRunWhereItIs(o.Action) && !wasIdle || first && done.State.IsIdle() {
				return nil
			}
		case <-c.Closed():
			return a.readRecordedState(before)
		case <-ctx.Done():
			return nil
		}
	}
}

// storeResult stores what an action did, but not the state right after it.
func (a *ActionRunner) storeResult(done drive.ActionResult) {
	a.Result.Effect, a.Result.EffectsNotUndone, a.Result.Message = done.Effect, done.EffectsNotUndone, done.Message
}

// applyBatch adds the events after since, and updates the state.
func (a *ActionRunner) applyBatch(b drive.EventBatch, since int) {
	if b.HasWholeBranch {
		a.Result.Events = nil
	}
	_ = setup.SetVersionLoaders(a.History.Folder, slices.Concat(a.History.Events[:1], b.Events)) // the first event says how to load them
	for _, e := range b.Events {
		if e.Seq > since {
			a.Result.Events = append(a.Result.Events, e)
		}
	}
	a.Result.State = b.State
}

// readRecordedState reads the events after since and the state from the journal, after the process that drove the
// run has ended.
func (a *ActionRunner) readRecordedState(since int) error {
	h, err := journal.ReadHistory(a.History.Folder)
	if err == nil {
		err = setup.SetVersionLoaders(h.Folder, h.Events)
	}
	if err != nil {
		return err
	}
	a.Result.Events = h.Events[min(since, len(h.Events)):]
	a.Result.State = drive.RecordedState(a.FirstPlan, h)
	return nil
}

// doInThisProcess continues a run that no process drives, until it needs somebody again.
func (a *ActionRunner) doInThisProcess(ctx context.Context, o drive.ActionRequest) error {
	a.Result.State = drive.RecordedState(a.FirstPlan, a.History)
	if o.KnownSeq != 0 && machine.IsStale(a.History.Events, o.KnownSeq) {
		return &engine.StaleError{KnownSeq: o.KnownSeq, NewestSeq: len(a.History.Events)}
	}
	resumed, err := a.ResumeRun(a.History.ID())
	if err != nil {
		return err
	}
	r := &DrivenRun{Run: resumed}
	defer r.Close()
	if err := r.LoadBreakpoints(); err != nil {
		return err
	}
	r.Config.Controller = service.ClientName("playhead do", os.Getpid())
	session, err := r.Begin(a.PlayheadVersion, a.ShowNote)
	if err != nil {
		return err
	}
	ctx, stop := CatchSignals(ctx, nil)
	ended := make(chan error, 1)
	go func() {
		_, err := session.Run(ctx)
		ended <- err
	}()
	err = a.doWhenIdle(ctx, r, o)
	if failed := session.ReleaseControl(); err == nil && !errors.Is(failed, engine.ErrClosed) {
		err = failed
	}
	if failed := <-ended; err == nil {
		err = failed
	}
	a.EndingSignal = stop()
	return errors.Join(err, a.readRecordedState(len(a.History.Events)))
}

// doWhenIdle carries out the action as soon as the resumed run is idle.
func (a *ActionRunner) doWhenIdle(ctx context.Context, r *DrivenRun, o drive.ActionRequest) error {
	driver := drive.New(r.Session, r.Config.FirstPlan, r.Config.ReplySources)
	w := r.Session.WatchFromStart()
	defer w.Stop()
	for now := w.Take().Status.State; now == engine.Running || now == ""; now = w.Take().Status.State {
		select {
		case <-w.Changed():
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	state := driver.State()
	if o.Action == "continue" && state.State == engine.Waiting && a.Result.State.State == drive.Interrupted {
		return nil // it has continued to the question
	}
	o.KnownSeq = state.LastSeq
	done, err := driver.Do(drive.Client{Name: r.Config.Controller}, o)
	a.storeResult(done)
	if err == nil && o.Action == "break" { // another process carries out the next action
		err = r.StoreBreakpoints(r.CurrentPlan, w.Take().Status.Breakpoints)
	}
	return err
}

// IsRefusal reports whether an error means that the action was refused.
func IsRefusal(err error) bool {
	var refused *drive.RefusedError
	var stale *engine.StaleError
	var there *service.Error
	return errors.As(err, &refused) || errors.As(err, &stale) || errors.As(err, &there)
}
