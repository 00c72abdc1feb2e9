package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// Journal is a run's journal as a file.
type Journal struct {
	Folder
	Bytes   int64
	Written time.Time // last
}

// Same are the runs of a document, by its absolute path, as it is in p: newest first.
// others is how many there are of other versions of it. No journal is read for that.
func (s *Store) Same(document string, p *plan.Plan) (same []Journal, others int, err error) {
	ids, err := s.ids()
	if err != nil {
		return nil, 0, err
	}
	version, err := Version(p)
	if err != nil {
		return nil, 0, err
	}
	for _, id := range ids {
		f := Folder{dir: filepath.Join(s.dir, id)}
		m, err := f.manifest()
		if err != nil || string(m.Document) != document {
			continue
		}
		info, err := os.Stat(f.events())
		switch {
		case err != nil:
		case m.version() != version:
			others++
		default:
			same = append(same, Journal{f, info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(same, func(a, b Journal) int { return b.Written.Compare(a.Written) })
	return same, others, nil
}

// Version tells what is in a document, and all that it includes, from what was in it.
func Version(p *plan.Plan) (string, error) {
	s, err := gather(p, ".")
	return s.version(), err
}

// version is a hash of those of the files.
func (m manifest) version() string {
	var out []string
	for _, f := range m.Files {
		out = append(out, f.SHA256)
	}
	slices.Sort(out)
	return hash([]byte(strings.Join(out, "\n")))
}

// Decisions are the events that say where the run went, and which documents it included, as far as
// it goes on with the version of the document that it began with.
// Long texts in them are left out. What was torn off at the end does not count.
func (f Folder) Decisions() ([]machine.Event, error) {
	file, err := f.open(eventsFile, os.O_RDONLY)
	if err != nil {
		return nil, noJournal(f)
	}
	defer func() { _ = file.Close() }()
	var out []machine.Event
	for lines, n := newLineReader(file, maxLine), 1; ; n++ {
		line, err := lines.next()
		switch {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return out, &CorruptError{f.events(), n, err.Error(), f.ID(), n - 1}
		case !bytes.Contains(line, routed) && !bytes.Contains(line, included) && !bytes.Contains(line, reloaded):
			continue
		}
		var e machine.Event
		if err := e.UnmarshalJSON(line); err != nil {
			return out, &CorruptError{f.events(), n, fmt.Sprintf("this line is not an event (%v)", err), f.ID(), n - 1}
		}
		if _, ends := e.Body.(*machine.Reloaded); ends {
			return out, nil
		}
		out = append(out, e)
	}
}

// What a line of such an event has in it; another may have it too.
var (
	routed   = []byte((*machine.Decision)(nil).Type())
	included = []byte((*machine.ChildEntered)(nil).Type())
	reloaded = []byte((*machine.Reloaded)(nil).Type())
)
