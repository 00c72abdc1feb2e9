// Package journal keeps runs on disk, one folder a run.
//
//	runs/ab12/
//	  events.jsonl   what happened: one event a line, appended and never rewritten
//	  source/        the documents as they were when the run started
//	  source.json    where they came from, with their hashes
//	  source.1/      the documents with which the run continued later, and so on
//	  logs/          the raw output of each command; events refer to it
//	  texts/         long texts of events, once each; lines refer to them
//	  lock           held by the process that drives the run
//
// A Store is the folder of all runs. Create makes a new run, and Open continues a run, also after a
// crash: it moves an incomplete last line to another file, and keeps all events before it. A Run
// appends events. A Folder only reads, and needs no lock.
//
// A line is complete once its newline is on the disk. The session acts on an event only after Append
// has returned, so nothing has acted on an incomplete line. Any other damage may hide something that
// was done, so it is an error that a person has to resolve.
package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Store is a folder of runs.
type Store struct {
	dir        string
	isVolatile bool
}

// DefaultStore returns the person's own store, $XDG_STATE_HOME/playhead/runs.
func DefaultStore() *Store { return NewStore(filepath.Join(xdg.StateHome, "playhead", "runs")) }

// NewStore returns the store in dir, which is created with the first run.
func NewStore(dir string) *Store { return &Store{dir: dir} }

// NewVolatileStore returns a store whose runs need not survive a power failure, such as those of
// scenarios: nothing waits for the disk.
func NewVolatileStore(dir string) *Store { return &Store{dir: dir, isVolatile: true} }

// Create makes the folder of a new run of p, and copies the documents into it. startDir is the working folder in
// which p was loaded.
func (s *Store) Create(p *plan.Plan, startDir string) (*Run, error) {
	src, err := GatherSources(p, startDir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, explainStoreError(s.dir, err)
	}
	dir, err := createFolder(s.dir, randomID)
	if err != nil {
		return nil, err
	}
	run, err := s.fillFolder(Folder{dir: dir}, src)
	if err != nil {
		err = describeFullDisk(dir, err)
		_ = os.RemoveAll(dir) // report the first error
		return nil, fmt.Errorf("cannot start a run: %w", err)
	}
	return run, nil
}

// explainStoreError returns an error that says what to do about a folder in which no run can be stored.
func explainStoreError(dir string, err error) error {
	if isDiskFull(err) {
		return fmt.Errorf("cannot store a run in %s: %w. To use another disk, set XDG_STATE_HOME to a folder on it", dir, describeFullDisk(dir, err))
	}
	return fmt.Errorf("cannot store a run in %s: %w. Make it writable, or set XDG_STATE_HOME", dir, err)
}

// fillFolder makes the contents of a new folder. It makes the lock first, so that lists of runs show the
// run as in use.
func (s *Store) fillFolder(f Folder, src Sources) (*Run, error) {
	lock, err := acquireLock(f)
	if err != nil {
		return nil, err
	}
	run, err := s.createRunFiles(f, lock, src)
	if err != nil {
		_ = lock.Close()
	}
	return run, err
}

func (s *Store) createRunFiles(f Folder, lock *os.File, src Sources) (*Run, error) {
	if err := os.Mkdir(filepath.Join(f.dir, logsDir), 0o700); err != nil {
		return nil, err
	}
	if err := src.writeTo(f, !s.isVolatile); err != nil {
		return nil, err
	}
	run, err := s.openRun(f, lock, os.O_CREATE|os.O_EXCL)
	if err != nil || s.isVolatile {
		return run, err
	}
	return run, errors.Join(syncDir(f.dir), syncDir(s.dir))
}

// Remove deletes a run that is not in use.
func (s *Store) Remove(id string) error {
	f, err := s.findFolder(id)
	if err != nil {
		return err
	}
	lock, err := acquireLock(f)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	if err := os.RemoveAll(f.dir); err != nil {
		return fmt.Errorf("cannot remove run %s: %w", f.ID(), err)
	}
	return nil
}

// History is the content of a run's journal.
type History struct {
	Folder
	Events []machine.Event
	Notes  []string // what a person should know, such as a torn last line
}

// ReadHistory reads the journal of a run, which may be in use. If the journal is damaged, ReadHistory returns the
// events before the damage with the error.
func (s *Store) ReadHistory(id string) (History, error) {
	f, err := s.findFolder(id)
	if err != nil {
		return History{}, err
	}
	return ReadHistory(f)
}

// ReadHistory is like Store.ReadHistory for a run whose folder is known.
func ReadHistory(f Folder) (History, error) {
	file, err := f.openFile(eventsFile, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return History{Folder: f}, noJournalError(f)
	}
	if err != nil {
		return History{Folder: f}, err
	}
	defer func() { _ = file.Close() }()
	c, err := readEvents(f, file)
	return c.history(f), err
}
