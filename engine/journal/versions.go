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

// Journal is a run's journal file.
type Journal struct {
	Folder
	Bytes   int64
	Written time.Time // when it was last written
}

// RunsOfVersion returns the runs of the version of a document in p, newest first, and the number of runs of
// its other versions. The path is absolute. It reads no journal.
func (s *Store) RunsOfVersion(document string, p *plan.Plan) (same []Journal, others int, err error) {
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

// Version returns a string that identifies the contents of a document and of all that it includes.
func Version(p *plan.Plan) (string, error) {
	s, err := gather(p, ".")
	return s.version(), err
}

// version returns a hash of the hashes of the files.
func (m manifest) version() string {
	var out []string
	for _, f := range m.Files {
		out = append(out, f.SHA256)
	}
	slices.Sort(out)
	return hash([]byte(strings.Join(out, "\n")))
}

// Decisions returns the events that say where the run went and which documents it included, as long
// as the run used the version of the document that it began with. Long texts in them are left out,
// and an incomplete last line is ignored.
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

// What the line of such an event contains. Other lines may contain it too.
var (
	routed   = []byte((*machine.Decision)(nil).Type())
	included = []byte((*machine.ChildEntered)(nil).Type())
	reloaded = []byte((*machine.Reloaded)(nil).Type())
)
