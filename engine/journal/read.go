package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// maxLine limits the length of a line, so that a file without line breaks does not fill the memory.
// It is far above what any event needs.
const maxLine = 64 << 20

// journalContent is what a journal file holds.
type journalContent struct {
	events         []machine.Event
	wholeLineBytes int64  // of the whole lines
	tornLine       []byte // the bytes after the last line break
}

// CorruptError reports damage to a journal that an interrupted write does not explain.
type CorruptError struct {
	File         string
	Line         int
	Problem      string
	Run          string
	EventsBefore int // the number of events before the damage
}

// Error says where the damage is and how a person can repair it.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s:%d: %s. Intact events before it: %d. Restore the file; or delete line %d and all lines after it, "+
		"which drops their events; or remove the run with `playhead rm %s`", e.File, e.Line, e.Problem, e.EventsBefore, e.Line, e.Run)
}

// noJournalError returns the error for a folder that is not a run, or no longer one.
func noJournalError(f Folder) error {
	return fmt.Errorf("run %s has no journal (%s is missing): `playhead rm %s` removes what is left of it", f.ID(), f.eventsPath(), f.ID())
}

// readEvents reads a whole journal. If it returns an error, the content has the events before it.
func readEvents(f Folder, r io.Reader) (journalContent, error) {
	var c journalContent
	lines := newLineReader(r, maxLine)
	for {
		line, err := lines.nextLine()
		var why string
		switch {
		case err == nil:
			why = c.addLine(f, line)
		case errors.Is(err, io.EOF):
			if why = c.addTornLine(line); why == "" {
				return c, nil
			}
		case errors.Is(err, bufio.ErrTooLong):
			why = fmt.Sprintf("this line is longer than %d MiB", maxLine>>20)
		default:
			return c, fmt.Errorf("cannot read %s: %w", f.eventsPath(), err)
		}
		if why != "" {
			n := len(c.events)
			return c, &CorruptError{f.eventsPath(), n + 1, why, f.ID(), n}
		}
	}
}

// addLine reads a whole line. It returns what is wrong with it, "" if nothing is.
func (c *journalContent) addLine(f Folder, line []byte) string {
	var e machine.Event
	expanded, err := f.loadTexts(line)
	if err != nil {
		return fmt.Sprintf("this event cannot be read (%v)", err)
	}
	if err := e.UnmarshalJSON(expanded); err != nil {
		return fmt.Sprintf("this line is not an event (%v)", err)
	}
	if want := len(c.events) + 1; e.Seq != want {
		return fmt.Sprintf("found event %d where event %d was expected: lines were lost, repeated or moved", e.Seq, want)
	}
	c.events = append(c.events, e)
	c.wholeLineBytes += int64(len(line)) + 1
	return ""
}

// addTornLine stores what follows the last line break. It returns what is wrong with it, "" if it is a
// torn line.
func (c *journalContent) addTornLine(rest []byte) string {
	if !isTornLine(rest) {
		return "this is neither an event nor the beginning of one"
	}
	c.tornLine = bytes.Clone(rest)
	return ""
}

// isTornLine reports whether the bytes after the last line break are a line whose writing was interrupted: they
// begin with the brace of an event, or are zeros from a power failure.
func isTornLine(rest []byte) bool {
	return len(rest) == 0 || rest[0] == '{' || len(bytes.Trim(rest, "\x00")) == 0
}

func (c *journalContent) history(f Folder) History {
	h := History{Folder: f, Events: c.events}
	if len(c.tornLine) > 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("the last line of run %s's journal was cut off while it was being written (%s after event %d); the run had not acted on it yet, so it is ignored",
			f.ID(), plan.CountText(len(c.tornLine), "byte"), len(c.events)))
	}
	if kinds := c.unknownKinds(); len(kinds) > 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("run %s was recorded by a newer Playhead: this version ignores the events that it does not know (%s), but keeps them",
			f.ID(), strings.Join(kinds, ", ")))
	}
	if len(c.events) == 0 {
		h.Notes = append(h.Notes, fmt.Sprintf("run %s has no events", f.ID()))
	}
	return h
}

// unknownKinds returns the types of events that this version does not know, each once.
func (c *journalContent) unknownKinds() (kinds []string) {
	for _, e := range c.events {
		if o, is := e.Body.(*machine.UnknownBody); is && !slices.Contains(kinds, o.Kind) {
			kinds = append(kinds, o.Kind)
		}
	}
	return kinds
}

// lineReader reads lines of limited length.
type lineReader struct {
	r         *bufio.Reader
	maxLength int    // bytes, including the line break
	longLine  []byte // collects a line that is longer than the buffer of r
}

func newLineReader(r io.Reader, maxLength int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 16<<10), maxLength: maxLength}
}

// nextLine returns the next line without its line break. It is valid until the next call. With io.EOF
// it returns what follows the last line break.
func (l *lineReader) nextLine() ([]byte, error) {
	l.longLine = l.longLine[:0]
	for {
		part, err := l.r.ReadSlice('\n')
		if len(l.longLine)+len(part) > l.maxLength {
			return nil, bufio.ErrTooLong
		}
		if err == nil && len(l.longLine) == 0 {
			return part[:len(part)-1], nil
		}
		l.longLine = append(l.longLine, part...)
		switch {
		case err == nil:
			return l.longLine[:len(l.longLine)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return l.longLine, err
		}
	}
}
