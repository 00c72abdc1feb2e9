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

var errNothingExecuted = errors.New("a run in which you run the commands yourself (--prompted) uses no tools")

// openProjectFolder returns the project root, which is opened when a tool first needs it.
func (s *Session) openProjectFolder() (*local.Folder, error) {
	if s.projectFolder != nil {
		return s.projectFolder, nil
	}
	folder, err := local.Open(s.config.Options.ToolPlace())
	s.projectFolder = folder
	return folder, err
}

// startLocalTool starts a call of one of Playhead's own tools.
func (s *Session) startLocalTool(e *machine.CallTool) (job, error) {
	folder, err := s.openProjectFolder()
	switch {
	case s.config.Options.Prompted:
		err = errNothingExecuted
	case err == nil && (e.Tool == plan.ToolWrite || e.Tool == plan.ToolEdit):
		return s.startFileChange(folder, e)
	case err == nil:
		err = s.checkUnmasked(e.Args) // the call may have been recorded before the run was resumed
	}
	switch {
	case err != nil:
		return nil, err
	case e.Tool == plan.ToolBash:
		return s.startBash(e)
	}
	return s.startCall(func(ctx context.Context, c *call) {
		r := folder.Call(ctx, local.Call{Tool: e.Tool, Args: e.Args, PatternsByTool: e.ToolPatterns})
		c.product = plan.Product{Text: r.Text, Cancelled: ctx.Err() != nil}
		if r.FileRead != nil {
			c.fileState = &machine.FileState{Path: r.FileRead.Path, HashBefore: r.FileRead.Hash, HashAfter: r.FileRead.Hash}
		}
		c.endLocalTool(r.Err)
	})
}

// endLocalTool ends a call of a local tool. Its text or error is its output.
func (c *call) endLocalTool(err error) {
	if err != nil && !c.product.Cancelled {
		c.product.Err = err.Error()
	}
	_, failed := io.WriteString(c.maskedOut, c.product.Text)
	if failed != nil && c.product.Err == "" {
		c.product.Err = failed.Error()
	}
}

// startFileChange makes the change that a call of Write or Edit asks for. The change is recorded first,
// with both contents, so that its state is known after a crash.
func (s *Session) startFileChange(folder *local.Folder, e *machine.CallTool) (job, error) {
	r, err := s.newActionLog()
	if err != nil {
		return nil, err
	}
	change, isApplied, err := s.prepareFileChange(folder, e)
	if err != nil && errors.As(err, new(*JournalError)) {
		return nil, err
	}
	return s.startCallWithLog(r, func(_ context.Context, c *call) { // it is short, and writes the file in one step
		switch {
		case errors.Is(err, errChangedSinceCutOff):
			c.product.Cancelled = true
			return
		case err == nil && !isApplied:
			err = folder.ApplyChange(change)
		}
		if err != nil {
			c.endLocalTool(err)
			return
		}
		c.fileState = &machine.FileState{Path: change.Path, HashBefore: change.BeforeHash, HashAfter: change.AfterHash}
		c.product.Text = changeTextForModel(change)
		err = linediff.WriteUnified(c.maskedOut, change.Path, linediff.CompareLines(linesOf(change.OldContent), linesOf(change.NewContent)))
		if err != nil {
			c.product.Err = err.Error()
		}
	}), nil
}

// errChangedSinceCutOff is the error for a change that was cut off when the file is neither in the old nor in
// the new state.
var errChangedSinceCutOff = errors.New("the file has changed since the call was interrupted: read it again")

// prepareFileChange works out a change and records it. It reports whether the change was cut off and is
// made already.
func (s *Session) prepareFileChange(folder *local.Folder, e *machine.CallTool) (change *local.Change, isApplied bool, err error) {
	if pending := e.PendingChange; pending != nil {
		switch hash, err := folder.Hash(pending.Path); {
		case err != nil:
			return nil, false, errChangedSinceCutOff
		case hash == pending.HashAfter:
			return s.completedChange(pending), true, nil
		case hash != pending.HashBefore:
			return nil, false, errChangedSinceCutOff
		}
	}
	if err := s.checkUnmasked(e.Args); err != nil {
		return nil, false, err
	}
	change, err = folder.PrepareChange(local.Call{Tool: e.Tool, Args: e.Args, PatternsByTool: e.ToolPatterns}, s.machine.KnownFileHashes())
	switch {
	case err != nil:
		return nil, false, err
	case e.PendingChange == nil:
		return change, false, s.recordFileChange(e.Action, change)
	case change.AfterHash != e.PendingChange.HashAfter:
		return nil, false, errChangedSinceCutOff
	}
	return change, false, nil
}

// recordFileChange records a change of a file before it is made, and stores both contents.
func (s *Session) recordFileChange(at machine.ActionRef, c *local.Change) error {
	body := &machine.FileChanging{ActionIndex: at.ActionIndex, FileState: machine.FileState{Path: c.Path, HashBefore: c.BeforeHash, HashAfter: c.AfterHash}}
	var err error
	if c.BeforeHash != "" {
		if _, err = s.config.Run.StoreFileContent(c.OldContent); err == nil {
			body.MaskedBefore, err = s.storeMaskedContent(c.OldContent)
		}
	}
	if err == nil {
		body.MaskedAfter, err = s.storeMaskedContent(c.NewContent)
	}
	if err != nil {
		return &JournalError{err}
	}
	return s.record(machine.Event{Step: at.StepLabel, ExplicitStepID: idIfDifferent(at.StepID, at.StepLabel), Attempt: at.Attempt, Body: body})
}

// storeMaskedContent stores a content without the secrets, so that it can still be shown when nobody knows
// the secrets. It returns the hash of the masked content, "" if there are no secrets in it.
func (s *Session) storeMaskedContent(content []byte) (masked string, err error) {
	text := s.config.Run.MaskText(string(content))
	hash, err := s.config.Run.StoreFileContent([]byte(text))
	if text == string(content) {
		return "", err
	}
	return hash, err
}

// ProposedFileChange is what a call would do to a file.
type ProposedFileChange struct {
	Path          string
	Before, After string // the contents; Before is empty for a new file
	Problem       string // why the call would fail; "": it would not
}

// previewFileChange returns what a call of Write or Edit would do to its file, with secrets masked.
func (s *Session) previewFileChange(c plan.ToolCall) *ProposedFileChange {
	if !plan.IsLocalServer(c.Server) || c.Tool != plan.ToolWrite && c.Tool != plan.ToolEdit {
		return nil
	}
	folder, err := s.openProjectFolder()
	if err != nil {
		return &ProposedFileChange{Problem: err.Error()}
	}
	change, err := folder.PrepareChange(local.Call{Tool: c.Tool, Args: c.Arguments}, s.machine.KnownFileHashes())
	if err != nil {
		return &ProposedFileChange{Problem: s.config.Run.MaskText(err.Error())}
	}
	return &ProposedFileChange{Path: change.Path, Before: s.config.Run.MaskText(string(change.OldContent)), After: s.config.Run.MaskText(string(change.NewContent))}
}

// CallFailureText says that the call would fail, and why.
func (c *ProposedFileChange) CallFailureText() string { return "This call would fail: " + c.Problem }

// Hunks returns the lines that differ.
func (c *ProposedFileChange) Hunks() []linediff.Hunk {
	return linediff.CompareLines(linesOf([]byte(c.Before)), linesOf([]byte(c.After)))
}

// idIfDifferent returns the ID if it differs from the label.
func idIfDifferent(id, label string) string {
	if id == label {
		return ""
	}
	return id
}

// completedChange returns a change that was made before the run was cut off.
func (s *Session) completedChange(was *machine.FileChanging) *local.Change {
	d := FileDiff{ChangedFile: changedFile(was)}
	_ = d.readContents(s.config.Run.Folder) // without the contents there is no diff to be shown
	return &local.Change{Path: d.Path, BeforeHash: d.HashBefore, AfterHash: d.HashAfter, OldContent: d.OldContent, NewContent: d.NewContent}
}

// changeTextForModel returns what a model is told about a change.
func changeTextForModel(c *local.Change) string {
	what := "changed"
	if c.BeforeHash == "" {
		what = "written"
	}
	return fmt.Sprintf("%s was %s.", c.Path, what)
}

func linesOf(content []byte) []string {
	if len(content) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
}

const (
	maxBashTimeout        = 10 * time.Minute
	maxCommandResultBytes = 1 << 20 // of a command's output that a model gets, in bytes
)

// bashCall is a command that a tool call runs.
type bashCall struct {
	*process
	isMadeByDocument bool // the document makes the call, so a failure fails its step
	timeout          time.Duration
}

// startBash runs a command in the step's folder, like a runbook's command.
func (s *Session) startBash(e *machine.CallTool) (job, error) {
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
	limit := e.Timeout
	if ms, _ := a.Timeout.Float64(); ms > 0 {
		limit = time.Duration(min(ms, float64(maxBashTimeout/time.Millisecond)) * float64(time.Millisecond))
	}
	p, err := s.startCommand(shell.Command{Shell: "bash", Text: a.Command, Timeout: limit}, e.Action)
	return &bashCall{p, e.CallID == "", limit}, err
}

// finish implements job.
func (b *bashCall) finish(s *Session) error {
	res := b.Wait()
	_ = b.maskedOut.Flush()
	product := plan.Product{Cancelled: res.IsCancelled, Text: strings.TrimRight(logs.EscapedLog{Log: b.log}.ShortenedText(maxCommandResultBytes), "\n")}
	note := ""
	switch {
	case res.Err != nil:
		product.Err = res.Err.Error()
	case res.HasTimedOut:
		note = fmt.Sprintf("[ended after %s, the time limit]", b.timeout)
	case res.Signal != "":
		note = "[terminated by signal " + res.Signal + "]"
	case res.ExitCode != 0:
		note = fmt.Sprintf("[exit status %d]", res.ExitCode)
	case product.Text == "":
		note = "[no output, exit status 0]"
	}
	product.Text = strings.TrimPrefix(product.Text+"\n"+note, "\n")
	product.Text = strings.TrimSuffix(product.Text, "\n")
	if b.isMadeByDocument && (res.HasTimedOut || res.Signal != "" || res.ExitCode != 0) {
		product.Err = strings.Trim(note, "[]")
	}
	e := s.machine.ResultEvent(product)
	body := e.Body.(*machine.ActionFinished)
	if res.Err == nil && res.Signal == "" && !res.IsCancelled {
		body.ExitCode = &res.ExitCode
	}
	body.Signal = res.Signal
	b.addRemainingProcesses(body, res)
	return s.recordActionEnd(b.actionLog, e)
}
