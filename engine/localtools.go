package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"playhead/engine/linediff"
	"playhead/engine/logs"
	"playhead/engine/machine"
	"playhead/engine/shell"
	"playhead/engine/tools/local"
	"playhead/parse/plan"
)

var errNothingExecuted = errors.New("nothing is executed with --prompted")

// folder returns the project root, which is opened when a tool first needs it.
func (s *Session) folder() (*local.Folder, error) {
	if s.localFolder != nil {
		return s.localFolder, nil
	}
	folder, err := local.Open(s.cfg.Options.Place())
	s.localFolder = folder
	return folder, err
}

// localTool starts a call of one of Playhead's own tools.
func (s *Session) localTool(e *machine.CallTool) (job, error) {
	folder, err := s.folder()
	switch {
	case s.cfg.Options.Prompted:
		err = errNothingExecuted
	case err == nil && (e.Tool == plan.ToolWrite || e.Tool == plan.ToolEdit):
		return s.changeFile(folder, e)
	case err == nil:
		err = s.checkUnmasked(e.Args) // the call may have been recorded before the run was resumed
	}
	switch {
	case err != nil:
		return nil, err
	case e.Tool == plan.ToolBash:
		return s.runBash(e)
	}
	return s.call(func(ctx context.Context, c *call) {
		r := folder.Call(ctx, local.Call{Tool: e.Tool, Args: e.Args, Only: e.Only})
		c.product = plan.Product{Text: r.Text, Cancelled: ctx.Err() != nil}
		if r.Read != nil {
			c.changed = &machine.FileState{Path: r.Read.Path, Before: r.Read.Hash, After: r.Read.Hash}
		}
		c.end(r.Err)
	})
}

// end ends a call of a local tool. Its text or error is its output.
func (c *call) end(err error) {
	if err != nil && !c.product.Cancelled {
		c.product.Err = err.Error()
	}
	_, failed := io.WriteString(c.out, c.product.Text)
	if failed != nil && c.product.Err == "" {
		c.product.Err = failed.Error()
	}
}

// changeFile makes the change that a call of Write or Edit asks for. The change is recorded first,
// with both contents, so that its state is known after a crash.
func (s *Session) changeFile(folder *local.Folder, e *machine.CallTool) (job, error) {
	r, err := s.newActionLog()
	if err != nil {
		return nil, err
	}
	change, made, err := s.prepareChange(folder, e)
	if err != nil && errors.As(err, new(*JournalError)) {
		return nil, err
	}
	return s.callWith(r, func(_ context.Context, c *call) { // it is short, and writes the file in one step
		switch {
		case errors.Is(err, errUnclear):
			c.product.Cancelled = true
			return
		case err == nil && !made:
			err = folder.Apply(change)
		}
		if err != nil {
			c.end(err)
			return
		}
		c.changed = &machine.FileState{Path: change.Path, Before: change.Before, After: change.After}
		c.product.Text = changedText(change)
		err = WriteDiff(c.out, change.Path, change.Old, change.New)
		if err != nil {
			c.product.Err = err.Error()
		}
	}), nil
}

// errUnclear is the error for a change that was cut off when the file is neither in the old nor in
// the new state.
var errUnclear = errors.New("the file has changed since the call was cut off")

// prepareChange works out a change and records it. It reports whether the change was cut off and is
// made already.
func (s *Session) prepareChange(folder *local.Folder, e *machine.CallTool) (change *local.Change, made bool, err error) {
	if was := e.Change; was != nil {
		switch hash, err := folder.Hash(was.Path); {
		case err != nil:
			return nil, false, errUnclear
		case hash == was.After:
			return s.madeChange(was), true, nil
		case hash != was.Before:
			return nil, false, errUnclear
		}
	}
	if err := s.checkUnmasked(e.Args); err != nil {
		return nil, false, err
	}
	change, err = folder.Prepare(local.Call{Tool: e.Tool, Args: e.Args, Only: e.Only}, s.m.KnownFiles())
	switch {
	case err != nil:
		return nil, false, err
	case e.Change == nil:
		return change, false, s.recordChange(e.Action, change)
	case change.After != e.Change.After:
		return nil, false, errUnclear
	}
	return change, false, nil
}

// recordChange records what is about to be made of a file, and keeps its contents.
func (s *Session) recordChange(at machine.Ref, c *local.Change) error {
	body := &machine.FileChanging{Action: at.Action, FileState: machine.FileState{Path: c.Path, Before: c.Before, After: c.After}}
	var err error
	if c.Before != "" {
		if _, err = s.cfg.Run.KeepContent(c.Old); err == nil {
			body.MaskedBefore, err = s.keepMasked(c.Old)
		}
	}
	if err == nil {
		body.MaskedAfter, err = s.keepMasked(c.New)
	}
	if err != nil {
		return &JournalError{err}
	}
	return s.record(machine.Event{Step: at.Step, ID: idIfDifferent(at.ID, at.Step), Attempt: at.Attempt, Body: body})
}

// keepMasked keeps a content without the secrets, so that it can be shown when nobody knows them any
// more. It returns its hash if there are some in it.
func (s *Session) keepMasked(content []byte) (masked string, err error) {
	text := s.cfg.Run.MaskText(string(content))
	hash, err := s.cfg.Run.KeepContent([]byte(text))
	if text == string(content) {
		return "", err
	}
	return hash, err
}

// FileChange is what a call would do to a file.
type FileChange struct {
	Path          string
	Before, After string // the contents; Before is empty for a new file
	Problem       string // why the call would fail; "": it would not
}

// previewChange returns what a call of Write or Edit would do to its file, with secrets masked.
func (s *Session) previewChange(c plan.ToolCall) *FileChange {
	if !plan.IsLocal(c.Server) || c.Tool != plan.ToolWrite && c.Tool != plan.ToolEdit {
		return nil
	}
	folder, err := s.folder()
	if err != nil {
		return &FileChange{Problem: err.Error()}
	}
	change, err := folder.Prepare(local.Call{Tool: c.Tool, Args: c.Arguments}, s.m.KnownFiles())
	if err != nil {
		return &FileChange{Problem: s.cfg.Run.MaskText(err.Error())}
	}
	return &FileChange{Path: change.Path, Before: s.cfg.Run.MaskText(string(change.Old)), After: s.cfg.Run.MaskText(string(change.New))}
}

// Hunks returns the lines that differ.
func (c *FileChange) Hunks() []linediff.Hunk {
	return linediff.Lines(linesOf([]byte(c.Before)), linesOf([]byte(c.After)))
}

// idIfDifferent returns the ID if it differs from the label.
func idIfDifferent(id, label string) string {
	if id == label {
		return ""
	}
	return id
}

// madeChange returns a change that was made before the run was cut off.
func (s *Session) madeChange(was *machine.FileChanging) *local.Change {
	d := FileDiff{ChangedFile: changedFile(was)}
	_ = d.read(s.cfg.Run.Folder) // without the contents there is no diff to be shown
	return &local.Change{Path: d.Path, Before: d.Before, After: d.After, Old: d.Old, New: d.New}
}

// changedText returns what a model is told about a change.
func changedText(c *local.Change) string {
	what := "changed"
	if c.Before == "" {
		what = "written"
	}
	return fmt.Sprintf("%s is %s.", c.Path, what)
}

// WriteDiff writes the change of a file as a unified diff.
func WriteDiff(w io.Writer, name string, before, after []byte) error {
	hunks := linediff.Lines(linesOf(before), linesOf(after))
	if len(hunks) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", name, name)
	for _, h := range hunks {
		b.WriteString(h.Head() + "\n")
		for _, l := range h {
			b.WriteString(string(l.Op) + l.Text + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func linesOf(content []byte) []string {
	if len(content) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
}

const (
	longestBash = 10 * time.Minute
	maxResult   = 1 << 20 // of a command's output that a model gets, in bytes
)

// bashCall is a command that a tool call runs.
type bashCall struct {
	*process
	ofDocument bool // the document makes the call, so a failure fails its step
	limit      time.Duration
}

// runBash runs a command in the step's folder, like a runbook's command.
func (s *Session) runBash(e *machine.CallTool) (job, error) {
	var a struct {
		Command string
		Timeout json.Number // in milliseconds, which some models write as a string
	}
	if err := json.Unmarshal([]byte(e.Args), &a); err != nil {
		return nil, fmt.Errorf("the arguments cannot be read: %w", err)
	}
	if strings.TrimSpace(a.Command) == "" {
		return nil, errors.New("command is missing")
	}
	limit := e.Limit
	if ms, _ := a.Timeout.Float64(); ms > 0 {
		limit = time.Duration(min(ms, float64(longestBash/time.Millisecond)) * float64(time.Millisecond))
	}
	p, err := s.startCommand(shell.Command{Shell: "bash", Text: a.Command, Timeout: limit}, e.Action)
	return &bashCall{p, e.Call == "", limit}, err
}

// finish implements job.
func (b *bashCall) finish(s *Session) error {
	res := b.Wait()
	_ = b.out.Flush()
	product := plan.Product{Cancelled: res.Cancelled, Text: strings.TrimRight(logs.Escaped{Log: b.log}.Text(maxResult), "\n")}
	note := ""
	switch {
	case res.Err != nil:
		product.Err = res.Err.Error()
	case res.TimedOut:
		note = fmt.Sprintf("[ended after %s, the time limit]", b.limit)
	case res.Signal != "":
		note = "[ended by the signal " + res.Signal + "]"
	case res.ExitCode != 0:
		note = fmt.Sprintf("[exit status %d]", res.ExitCode)
	case product.Text == "":
		note = "[no output, exit status 0]"
	}
	product.Text = strings.TrimPrefix(product.Text+"\n"+note, "\n")
	product.Text = strings.TrimSuffix(product.Text, "\n")
	if b.ofDocument && (res.TimedOut || res.Signal != "" || res.ExitCode != 0) {
		product.Err = strings.Trim(note, "[]")
	}
	e := s.m.Event(product)
	body := e.Body.(*machine.ActionFinished)
	if res.Err == nil && res.Signal == "" && !res.Cancelled {
		body.ExitCode = &res.ExitCode
	}
	body.Signal = res.Signal
	b.addProcesses(body, res)
	return s.recordActionEnd(b.actionLog, e)
}
