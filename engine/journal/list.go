package journal

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// RunSummary is a run in the list of `playhead runs`, also with --json (docs/json.md).
type RunSummary struct {
	Run      string    `json:"run"`
	Path     string    `json:"path,omitempty"`
	Format   string    `json:"format,omitempty"`
	Title    string    `json:"title,omitempty"`
	Result   string    `json:"result,omitempty"` // empty: interrupted
	Started  time.Time `json:"started,omitzero"` // of a fork: when the original was started
	Ended    time.Time `json:"ended,omitzero"`
	Step     string    `json:"step,omitempty"`    // where the run is or ended
	ForkOf   string    `json:"fork_of,omitempty"` // the run that this one is a fork of
	ForkedAt time.Time `json:"forked,omitzero"`   // when the fork was made

	StartFolder    string `json:"-"` // where the run was started
	IsAsking       bool   `json:"-"` // the last event asks a person something
	IsUnopenedFork bool   `json:"-"` // a fork that nobody has opened yet; without a result, it can go on where it was forked
	State          string `json:"-"` // the state that the live process reports, or in which the run was left: paused, waiting …
}

// ResultWord returns the result as people read it. A run that is not over may be paused or waiting.
func (s RunSummary) ResultWord() string {
	switch {
	case s.State == "paused" && (s.Result == Running || s.Result == string(plan.Awaiting)):
		return s.State
	case s.Result == Running && (s.IsAsking || s.State == "waiting"), s.Result == string(plan.Awaiting):
		return "waiting"
	case s.Result == "" && s.IsUnopenedFork:
		return "forked"
	}
	return cmp.Or(s.Result, "interrupted")
}

// CanContinue reports whether the run can go on: it has not ended, or it was cancelled, for example by a signal.
func (s RunSummary) CanContinue() bool {
	return !plan.RunResult(s.Result).IsFinal() && s.Result != Unreadable
}

// BeganAt returns when the run was started, or when it was forked.
func (s RunSummary) BeganAt() time.Time {
	if s.ForkedAt.IsZero() {
		return s.Started
	}
	return s.ForkedAt
}

// Results of a RunSummary that no event records.
const (
	Running    = "running"    // a live process drives the run
	Unreadable = "unreadable" // the run's journal is missing or damaged
)

// List returns summaries of all runs, newest first. It reads only the beginning and the end of each
// journal. A run that cannot be read has the result Unreadable.
func (s *Store) List() ([]RunSummary, error) {
	ids, err := s.runIDs()
	if err != nil {
		return nil, err
	}
	all := make([]RunSummary, len(ids))
	var wg sync.WaitGroup
	for first := range runtime.GOMAXPROCS(0) { // reading thousands of runs takes time
		wg.Go(func() {
			for i := first; i < len(ids); i += runtime.GOMAXPROCS(0) {
				all[i] = summarise(Folder{dir: filepath.Join(s.dir, ids[i])})
			}
		})
	}
	wg.Wait()
	slices.SortFunc(all, newestFirst)
	return all, nil
}

// RunsOf returns summaries of the runs of a document, newest first. The path is absolute.
func (s *Store) RunsOf(document string) ([]RunSummary, error) {
	ids, err := s.runIDs()
	if err != nil {
		return nil, err
	}
	var all []RunSummary
	for _, id := range ids {
		f := Folder{dir: filepath.Join(s.dir, id)}
		if m, err := f.manifest(); err == nil && string(m.Document) == document {
			all = append(all, summarise(f))
		}
	}
	slices.SortFunc(all, newestFirst)
	return all, nil
}

func newestFirst(a, b RunSummary) int {
	return cmp.Or(b.BeganAt().Compare(a.BeganAt()), cmp.Compare(a.Run, b.Run))
}

// SortFolderFirst moves the runs that were started in a folder or below it to the front.
func SortFolderFirst(all []RunSummary, folder string) {
	slices.SortStableFunc(all, func(a, b RunSummary) int {
		switch in := a.IsStartedBelow(folder); {
		case in == b.IsStartedBelow(folder):
			return 0
		case in:
			return -1
		}
		return 1
	})
}

// IsStartedBelow reports whether the run was started in a folder or below it.
func (s RunSummary) IsStartedBelow(folder string) bool {
	rel, err := filepath.Rel(folder, s.StartFolder)
	return s.StartFolder != "" && err == nil && filepath.IsLocal(rel)
}

func summarise(f Folder) RunSummary {
	s := RunSummary{Run: f.ID()}
	if err := s.readJournal(f); err != nil {
		s.Result = Unreadable
	}
	switch state, used := stateIfInUse(f); {
	case used && s.Result == "":
		s.Result, s.State = Running, state
	case s.Result == "" && s.IsUnopenedFork && s.IsAsking: // the copy was not interrupted
		s.Result = string(plan.Awaiting)
	}
	s.completeFromFolder(f)
	return s
}

// readJournal reads the beginning and the end of the journal.
func (s *RunSummary) readJournal(f Folder) error {
	file, err := f.openFile(eventsFile, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	line, err := newLineReader(file, maxLine).nextLine()
	if errors.Is(err, io.EOF) && isTornLine(line) {
		return nil // the journal has no events
	}
	if err != nil {
		return err
	}
	if err := s.readFirstEvent(line); err != nil {
		return err
	}
	return s.readTail(file)
}

// RunStartedBody returns the body of a journal's first event, which starts the run. It returns an error for another event.
func RunStartedBody(first machine.Event) (*machine.RunStarted, error) {
	b, ok := first.Body.(*machine.RunStarted)
	if !ok {
		return nil, errors.New("the journal does not begin with the start of the run")
	}
	return b, nil
}

// readFirstEvent reads the first event.
func (s *RunSummary) readFirstEvent(line []byte) error {
	var e machine.Event
	if err := e.UnmarshalJSON(line); err != nil {
		return err
	}
	b, err := RunStartedBody(e)
	if err != nil {
		return err
	}
	s.Path, s.Format, s.Title, s.Started = b.DocumentPath, b.Format, b.Title, e.Time
	return nil
}

// readTail reads the last events, in growing pieces from the end, until one shows where the run is.
func (s *RunSummary) readTail(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	for n := min(int64(8<<10), info.Size()); ; n = min(4*n, info.Size()) {
		tail := make([]byte, n)
		if _, err := file.ReadAt(tail, info.Size()-n); err != nil {
			return err
		}
		if n < info.Size() {
			_, tail, _ = bytes.Cut(tail, []byte("\n")) // skip the incomplete first line of the piece
		}
		done, err := s.readLastEvents(tail)
		if done || err != nil || n == info.Size() || n > maxLine {
			return err
		}
	}
}

// readLastEvents reads whole lines, last first, until one shows where the run is, and reports whether one did.
// After a rewind, and in a fork that nobody has opened, it is in the state of the event to which it went back.
func (s *RunSummary) readLastEvents(tail []byte) (bool, error) {
	last, undone := true, 0 // undone counts the events before a rewind that it took back
	for end := bytes.LastIndexByte(tail, '\n'); end >= 0; {
		line := tail[bytes.LastIndexByte(tail[:end], '\n')+1 : end]
		end -= len(line) + 1
		if undone > 0 {
			undone--
			continue
		}
		var e machine.Event
		if err := e.UnmarshalJSON(line); err != nil {
			return false, err
		}
		switch b := e.Body.(type) {
		case *machine.PlayheadToolCalled, *machine.WarningRecorded: // changes nothing
			continue
		case *machine.RunForked:
			if last {
				s.IsUnopenedFork = true
				continue
			}
		case *machine.RunRewound:
			if last { // the run is where it went back to
				s.Step, undone = e.Step, e.Seq-1-b.ToSeq
				continue
			}
		}
		if last {
			s.readLastEvent(e)
		}
		if s.Step = cmp.Or(stepAfter(e), s.Step); s.Step != "" {
			return true, nil
		}
		last = false
	}
	return false, nil
}

// readLastEvent reads the result of the run, or whether it is asking, from its last event.
func (s *RunSummary) readLastEvent(e machine.Event) {
	switch b := e.Body.(type) {
	case *machine.InputNeeded:
		s.IsAsking = true
	case *machine.RunFinished:
		s.Result, s.Ended = string(b.Result), cmp.Or(b.FirstEnded, e.Time)
		if b.WaitingFor != nil && b.WaitingFor.Kind == machine.KindPause {
			s.State = "paused"
		}
	}
}

// stepAfter returns where a run is after an event: at what it waits for, or at its last step if it
// is over, else at the step at which it continues. It is "" if the event does not say.
func stepAfter(e machine.Event) string {
	if b, ends := e.Body.(*machine.RunFinished); ends {
		switch {
		case b.WaitingFor != nil:
			return b.WaitingFor.Step
		case len(b.EnteredStepLabels) > 0:
			return b.EnteredStepLabels[len(b.EnteredStepLabels)-1]
		}
	}
	if e.KeepsPosition() {
		return ""
	}
	step, _ := e.NextPosition()
	return step
}

// completeFromFolder fills in what the journal does not contain.
func (s *RunSummary) completeFromFolder(f Folder) {
	if m, err := f.manifest(); err == nil {
		s.ForkOf, s.ForkedAt, s.StartFolder = m.OriginalRunID, m.ForkedAt, string(m.StartFolder)
	}
	if s.Path == "" {
		if src, err := f.SourcePaths(); err == nil {
			s.Path = src.OriginalDocument
		}
	}
	if s.Started.IsZero() {
		if info, err := os.Stat(f.dir); err == nil {
			s.Started = info.ModTime()
		}
	}
}
