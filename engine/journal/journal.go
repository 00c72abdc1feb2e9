// Package journal keeps runs on disk, one folder a run.
//
//	runs/ab12/
//	  events.jsonl   what happened: one event a line, appended and never rewritten
//	  source/        the documents as they were when the run started
//	  source.json    where they came from, with their hashes
//	  source.1/      the documents that a run went on with later, and so on
//	  logs/          what each command printed, raw; events point into them
//	  texts/         long texts of events, once each; lines refer to them
//	  lock           held by the process that drives the run
//
// A Store is the folder of all runs. Create makes a new run, and Open goes on with
// one after a crash: a line that was torn off is put aside, and every event before
// it is there. A Run appends; a Folder only looks, and needs no lock.
//
// A line counts once its newline is on the disk. The session acts on an event only
// after Append has returned, so nothing was ever done about a line that is torn;
// any other damage may hide a deed, and is an error that a person has to settle.
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
	dir      string
	volatile bool
}

// Default returns the person's own store, $XDG_STATE_HOME/playhead/runs.
func Default() *Store { return NewStore(filepath.Join(xdg.StateHome, "playhead", "runs")) }

// NewStore returns the store in dir, which is created with the first run.
func NewStore(dir string) *Store { return &Store{dir: dir} }

// NewVolatile returns a store whose runs need not survive a power failure, such as those of
// scenarios: nothing waits for the disk.
func NewVolatile(dir string) *Store { return &Store{dir: dir, volatile: true} }

// Create makes the folder of a new run of p, which was loaded with startDir, and
// copies the documents into it.
func (s *Store) Create(p *plan.Plan, startDir string) (*Run, error) {
	src, err := gather(p, startDir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, storeError(err)
	}
	dir, err := newFolder(s.dir, randomID)
	if err != nil {
		return nil, err
	}
	run, err := s.fill(Folder{dir: dir}, src)
	if err != nil {
		err = describeFullDisk(dir, err)
		_ = os.RemoveAll(dir) // the first error is the one to tell
		return nil, fmt.Errorf("cannot start a run: %w", err)
	}
	return run, nil
}

// storeError returns an error that says what to do about a folder in which no run can be stored.
func storeError(err error) error {
	return fmt.Errorf("cannot store a run: %w; runs are stored below $XDG_STATE_HOME, else ~/.local/state: make that folder writable, or set another one", err)
}

// fill makes the contents of a new folder. The lock comes first, so that whoever
// lists the runs meanwhile sees one in use.
func (s *Store) fill(f Folder, src Sources) (*Run, error) {
	lock, err := acquire(f)
	if err != nil {
		return nil, err
	}
	run, err := s.createContents(f, lock, src)
	if err != nil {
		_ = lock.Close()
	}
	return run, err
}

func (s *Store) createContents(f Folder, lock *os.File, src Sources) (*Run, error) {
	if err := os.Mkdir(filepath.Join(f.dir, logsDir), 0o700); err != nil {
		return nil, err
	}
	if err := src.write(f, !s.volatile); err != nil {
		return nil, err
	}
	run, err := s.run(f, lock, os.O_CREATE|os.O_EXCL)
	if err != nil || s.volatile {
		return run, err
	}
	return run, errors.Join(syncDir(f.dir), syncDir(s.dir))
}

// Remove deletes a run that is not in use.
func (s *Store) Remove(id string) error {
	f, err := s.find(id)
	if err != nil {
		return err
	}
	lock, err := acquire(f)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	if err := os.RemoveAll(f.dir); err != nil {
		return fmt.Errorf("cannot remove run %s: %w", f.ID(), err)
	}
	return nil
}

// History is what a run's journal says.
type History struct {
	Folder
	Events []machine.Event
	Notes  []string // what a person should know, such as a torn last line
}

// Read looks at a run, which may be in use. If its journal is damaged, the events
// before the damage come with the error.
func (s *Store) Read(id string) (History, error) {
	f, err := s.find(id)
	if err != nil {
		return History{}, err
	}
	return ReadFolder(f)
}

// ReadFolder is like Read for a run whose folder is known.
func ReadFolder(f Folder) (History, error) {
	file, err := f.open(eventsFile, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return History{Folder: f}, noJournal(f)
	}
	if err != nil {
		return History{Folder: f}, err
	}
	defer func() { _ = file.Close() }()
	c, err := read(f, file)
	return c.history(f), err
}
