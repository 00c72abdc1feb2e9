package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"playhead/engine/machine"
)

// maxLine limits the length of a line, so that a file without line breaks does not fill the memory.
// It is far above what any event needs.
const maxLine = 64 << 20

// content is what a journal file holds.
type content struct {
	events []machine.Event
	size   int64  // of the whole lines
	torn   []byte // the bytes after the last line break
}

// CorruptError reports damage to a journal that an interrupted write does not explain.
type CorruptError struct {
	File   string
	Line   int
	Why    string
	Run    string
	Before int // the number of events before the damage
}

// Error says where the damage is and how a person can repair it.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s:%d: %s. The %d events before it are intact. Restore the file; or delete line %d and all lines after it, "+
		"which drops those events; or remove the run with `playhead rm %s`", e.File, e.Line, e.Why, e.Before, e.Line, e.Run)
}

// noJournal returns the error for a folder that is not a run, or no longer one.
func noJournal(f Folder) error {
	return fmt.Errorf("run %s has no journal (%s is missing): `playhead rm %s` removes what is left of it", f.ID(), f.events(), f.ID())
}

// read reads a whole journal. If it returns an error, the content has the events before it.
func read(f Folder, r io.Reader) (content, error) {
	var c content
	lines := newLineReader(r, maxLine)
	for {
		line, err := lines.next()
		var why string
		switch {
		case err == nil:
			why = c.add(f, line)
		case errors.Is(err, io.EOF):
			if why = c.keepTornLine(line); why == "" {
				return c, nil
			}
		case errors.Is(err, bufio.ErrTooLong):
			why = fmt.Sprintf("this line is longer than %d MiB", maxLine>>20)
		default:
			return c, fmt.Errorf("cannot read %s: %w", f.events(), err)
		}
		if why != "" {
			n := len(c.events)
			return c, &CorruptError{f.events(), n + 1, why, f.ID(), n}
		}
	}
}

// add reads a whole line. It returns what is wrong with it, "" if nothing is.
func (c *content) add(f Folder, line []byte) string {
	var e machine.Event
	expanded, err := f.loadTexts(line)
	if err == nil {
		err = e.UnmarshalJSON(expanded)
	}
	if err != nil {
		return fmt.Sprintf("this line is not an event (%v)", err)
	}
	if want := len(c.events) + 1; e.Seq != want {
		return fmt.Sprintf("found event %d where event %d was expected: lines were lost, repeated or moved", e.Seq, want)
	}
	c.events = append(c.events, e)
	c.size += int64(len(line)) + 1
	return ""
}

// keepTornLine stores what follows the last line break. It returns what is wrong with it, "" if an
// interrupted write explains it.
func (c *content) keepTornLine(rest []byte) string {
	if !isCutOff(rest) {
		return "this is neither an event nor the beginning of one"
	}
	c.torn = bytes.Clone(rest)
	return ""
}

// isCutOff reports whether an interrupted write explains the bytes after the last line break: they
// begin with the brace of an event, or are zeros from a power failure.
func isCutOff(rest []byte) bool {
	return len(rest) == 0 || rest[0] == '{' || len(bytes.Trim(rest, "\x00")) == 0
}

func (c *content) history(f Folder) History {
	h := History{Folder: f, Events: c.events}
	if len(c.torn) > 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("the last line of run %s's journal was cut off while it was written (%d bytes after event %d); nothing had acted on it yet, so it is left out",
			f.ID(), len(c.torn), len(c.events)))
	}
	if kinds := c.unknown(); len(kinds) > 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("run %s was recorded by a newer Playhead: this version ignores the events that it does not know (%s), but keeps them",
			f.ID(), strings.Join(kinds, ", ")))
	}
	if len(c.events) == 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("run %s ended before anything happened", f.ID()))
	}
	return h
}

// unknown returns the types of events that this version does not know, each once.
func (c *content) unknown() (kinds []string) {
	for _, e := range c.events {
		if o, is := e.Body.(*machine.Other); is && !slices.Contains(kinds, o.Kind) {
			kinds = append(kinds, o.Kind)
		}
	}
	return kinds
}

// lineReader reads lines of limited length.
type lineReader struct {
	r    *bufio.Reader
	max  int    // bytes, including the line break
	long []byte // collects a line that is longer than the buffer of r
}

func newLineReader(r io.Reader, max int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 16<<10), max: max}
}

// next returns the next line without its line break. It is valid until the next call. With io.EOF
// it returns what follows the last line break.
func (l *lineReader) next() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		if len(l.long)+len(part) > l.max {
			return nil, bufio.ErrTooLong
		}
		if err == nil && len(l.long) == 0 {
			return part[:len(part)-1], nil
		}
		l.long = append(l.long, part...)
		switch {
		case err == nil:
			return l.long[:len(l.long)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return l.long, err
		}
	}
}

// Open continues the run with an ID, or the only run whose ID begins so. If the last line is
// incomplete, Open moves it out of the journal and says so in History.Notes.
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

// reopen reads the journal and opens it for appending after its last whole line.
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
		return nil, h, fmt.Errorf("run %s: cannot repair the incomplete end of the journal: %w", f.ID(), describeFullDisk(f.dir, err))
	}
	run, err := s.run(f, lock, 0)
	if err != nil {
		return nil, h, err
	}
	run.size, run.seq = c.size, len(c.events)
	return run, h, nil
}

// repair cuts off the incomplete line once it is saved in a file of its own.
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
