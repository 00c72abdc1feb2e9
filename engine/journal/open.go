package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Open goes on with the run whose id is id, or the only one whose id begins so. A
// torn last line is moved out of the journal, which History.Notes tells.
func (s *Store) Open(id string) (*Run, History, error) {
	f, err := s.find(id)
	if err != nil {
		return nil, History{}, err
	}
	lock, err := acquire(f)
	if err != nil {
		return nil, History{Folder: f}, err
	}
	run, h, err := s.reopen(f, lock)
	if err != nil {
		_ = lock.Close()
		return nil, h, err
	}
	return run, h, nil
}

// reopen reads the journal and opens it behind its last whole line.
func (s *Store) reopen(f Folder, lock *os.File) (*Run, History, error) {
	file, err := f.open(eventsFile, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, History{Folder: f}, noJournal(f)
	}
	if err != nil {
		return nil, History{Folder: f}, err
	}
	defer func() { _ = file.Close() }()
	c, err := read(f, file)
	h := c.history(f)
	if err != nil {
		return nil, h, err
	}
	if err := f.repair(file, c); err != nil {
		return nil, h, fmt.Errorf("run %s: cannot repair the journal's torn end: %w", f.ID(), describe(f.dir, err))
	}
	run, err := s.run(f, lock, 0)
	if err != nil {
		return nil, h, err
	}
	run.size, run.seq = c.size, len(c.events)
	return run, h, nil
}

// repair cuts off the torn line, once it is safe in a file of its own.
func (f Folder) repair(journal *os.File, c content) error {
	if len(c.torn) == 0 {
		return nil
	}
	aside, err := f.open(tornFile, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	_, err = aside.Write(append(c.torn, '\n'))
	if err := errors.Join(err, aside.Sync(), aside.Close()); err != nil {
		return err
	}
	return errors.Join(journal.Truncate(c.size), journal.Sync())
}
