package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"playhead/engine/machine"
)

// Run is a run that this process drives: its locked folder, and its journal, open for appending.
// Its methods may be called from any goroutine.
type Run struct {
	Folder
	isVolatile bool

	mu            sync.Mutex
	lock          *os.File
	reportedState string // the state that was last reported
	journal       journalFile
	journalBytes  int64 // of the journal, in bytes of whole lines
	lastSeq       int   // of the last event
	masker        *masker
	err           error // why nothing can be written any more
}

// journalFile is what a Run needs of its journal file: an *os.File in append mode has it.
type journalFile interface {
	io.WriteCloser
	Truncate(size int64) error
	Sync() error
}

// openRun opens the journal for appending.
func (s *Store) openRun(f Folder, lock *os.File, flags int) (*Run, error) {
	file, err := f.openFile(eventsFile, os.O_WRONLY|os.O_APPEND|flags)
	if err != nil {
		return nil, err
	}
	return &Run{Folder: f, isVolatile: s.isVolatile, lock: lock, journal: file}, nil
}

// Append writes one event, whose number must be the next. An event that cannot be written leaves no
// trace. Append then returns the same error for every later event.
func (r *Run) Append(e machine.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	line, err := r.encodeEvent(e)
	if err == nil {
		err = r.writeLine(line)
	}
	if err != nil {
		r.err = fmt.Errorf("run %s: cannot write %s: %w", r.ID(), r.eventsPath(), err)
		return r.err
	}
	r.journalBytes += int64(len(line))
	r.lastSeq++
	return nil
}

// encodeEvent returns the event as one line of the journal: masked, and with long texts stored in files.
func (r *Run) encodeEvent(e machine.Event) ([]byte, error) {
	if e.Seq != r.lastSeq+1 {
		return nil, fmt.Errorf("event %d cannot follow event %d: event %d is expected", e.Seq, r.lastSeq, r.lastSeq+1)
	}
	line, err := e.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if _, ok := e.Body.(*machine.UnknownBody); ok {
		if line, err = compactUnknownEvent(e, line); err != nil {
			return nil, err
		}
	}
	if r.masker != nil {
		if line, err = r.masker.maskLine(line); err != nil {
			return nil, err
		}
	}
	if line, err = r.storeTexts(line); err != nil {
		return nil, err
	}
	return append(line, '\n'), nil
}

// compactUnknownEvent returns an event of an unknown kind on one line. It is written unchanged,
// so this checks that it is valid JSON and agrees with the event's head.
func compactUnknownEvent(e machine.Event, raw []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, err
	}
	var back machine.Event
	if err := back.UnmarshalJSON(b.Bytes()); err != nil {
		return nil, err
	}
	if back.Seq != e.Seq {
		return nil, fmt.Errorf("event %d contains the sequence number %d", e.Seq, back.Seq)
	}
	return b.Bytes(), nil
}

// writeLine appends a line whole or not at all. It refuses a line that could not be read back.
func (r *Run) writeLine(line []byte) error {
	if len(line) > maxLine {
		return fmt.Errorf("event %d is %d bytes long; the limit is %d", r.lastSeq+1, len(line), maxLine)
	}
	n, err := r.journal.Write(line)
	if err == nil && n < len(line) {
		err = io.ErrShortWrite
	}
	if err == nil {
		return nil
	}
	var withPath *fs.PathError
	if errors.As(err, &withPath) {
		err = withPath.Err // Append names the file
	}
	return errors.Join(describeFullDisk(r.dir, err), r.journal.Truncate(r.journalBytes))
}

// Sync waits until all events are on the disk. After an error the state of the disk is unknown, so
// nothing more is written. If the journal was deleted, Sync returns an error, because events would
// be lost.
func (r *Run) Sync() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil || r.isVolatile {
		return r.err
	}
	if err := r.journal.Sync(); err != nil {
		r.err = fmt.Errorf("run %s: cannot write %s to the disk: %w", r.ID(), r.eventsPath(), describeFullDisk(r.dir, err))
	} else if _, err := os.Lstat(r.eventsPath()); err != nil {
		r.err = fmt.Errorf("run %s: %s is missing: somebody has removed the run's files", r.ID(), r.eventsPath())
	}
	return r.err
}

// AddSecrets adds values that Append, MaskText and MaskEvent mask from now on.
func (r *Run) AddSecrets(values ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.masker = r.masker.withSecrets(values)
}

// Close releases the run. Nothing can be appended after it.
func (r *Run) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if errors.Is(r.err, os.ErrClosed) {
		return nil
	}
	err := errors.Join(r.journal.Close(), r.lock.Close())
	r.err = fmt.Errorf("run %s: %w", r.ID(), os.ErrClosed)
	return err
}
