package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Open continues the run with an ID, or the only run whose ID begins so. If the last line is
// incomplete, Open moves it out of the journal and says so in History.Notes.
func (s *Store) Open(id string) (*Run, History, error) {
	f, err := s.findFolder(id)
	if err != nil {
		return nil, History{}, err
	}
	lock, err := acquireLock(f)
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

// reopen reads the journal and opens it for appending after its last whole line.
func (s *Store) reopen(f Folder, lock *os.File) (*Run, History, error) {
	file, err := f.openFile(eventsFile, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, History{Folder: f}, noJournalError(f)
	}
	if err != nil {
		return nil, History{Folder: f}, err
	}
	defer func() { _ = file.Close() }()
	c, err := readEvents(f, file)
	h := c.history(f)
	if err != nil {
		return nil, h, err
	}
	if err := f.cutOffTornLine(file, c); err != nil {
		return nil, h, fmt.Errorf("run %s: cannot repair the incomplete end of the journal: %w", f.ID(), describeFullDisk(f.dir, err))
	}
	run, err := s.openRun(f, lock, 0)
	if err != nil {
		return nil, h, err
	}
	run.journalBytes, run.lastSeq = c.wholeLineBytes, len(c.events)
	return run, h, nil
}

// cutOffTornLine cuts off the incomplete line once it is saved in a file of its own.
func (f Folder) cutOffTornLine(journal *os.File, c journalContent) error {
	if len(c.tornLine) == 0 {
		return nil
	}
	aside, err := f.openFile(tornFile, os.O_WRONLY|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	_, err = aside.Write(append(c.tornLine, '\n'))
	if err := errors.Join(err, aside.Sync(), aside.Close()); err != nil {
		return err
	}
	return errors.Join(journal.Truncate(c.wholeLineBytes), journal.Sync())
}
