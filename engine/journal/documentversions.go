package journal

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// FileInfo is a run's journal file.
type FileInfo struct {
	Folder
	Bytes       int64
	LastWritten time.Time // when it was last written
}

// RunsOfVersion returns the runs of the version of a document in p, newest first, and the number of runs of
// its other versions. The path is absolute. It reads no journal.
func (s *Store) RunsOfVersion(document string, p *plan.Plan) (same []FileInfo, others int, err error) {
	ids, err := s.runIDs()
	if err != nil {
		return nil, 0, err
	}
	version, err := VersionHash(p)
	if err != nil {
		return nil, 0, err
	}
	for _, id := range ids {
		f := Folder{dir: filepath.Join(s.dir, id)}
		m, err := f.manifest()
		if err != nil || string(m.Document) != document {
			continue
		}
		info, err := os.Stat(f.eventsPath())
		switch {
		case err != nil:
		case m.versionHash() != version:
			others++
		default:
			same = append(same, FileInfo{f, info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(same, func(a, b FileInfo) int { return b.LastWritten.Compare(a.LastWritten) })
	return same, others, nil
}

// VersionHash returns a string that identifies the contents of a document and of all that it includes.
func VersionHash(p *plan.Plan) (string, error) {
	s, err := GatherSources(p, ".")
	return s.versionHash(), err
}

// versionHash returns a hash of the hashes of the files.
func (m manifest) versionHash() string {
	var out []string
	for _, f := range m.Files {
		out = append(out, f.SHA256)
	}
	slices.Sort(out)
	return sha256Hex([]byte(strings.Join(out, "\n")))
}

// DecisionEvents returns the events that say where the run went and which documents it included. It
// stops where the run continues with another version of the document, and before a line that it cannot
// read. It leaves out long texts.
func (f Folder) DecisionEvents() (out []machine.Event) {
	file, err := f.openFile(eventsFile, os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	lines := newLineReader(file, maxLine)
	for {
		line, err := lines.nextLine()
		switch {
		case err != nil:
			return out
		case !bytes.Contains(line, decisionType) && !bytes.Contains(line, childEnteredType) && !bytes.Contains(line, reloadedType):
			continue
		}
		var e machine.Event
		if err := e.UnmarshalJSON(line); err != nil {
			return out
		}
		if _, ends := e.Body.(*machine.DocumentReloaded); ends {
			return out
		}
		out = append(out, e)
	}
}

// The types of these events, as their lines contain them. Other lines may contain them too.
var (
	decisionType     = []byte((*machine.Decision)(nil).Type())
	childEnteredType = []byte((*machine.ChildEntered)(nil).Type())
	reloadedType     = []byte((*machine.DocumentReloaded)(nil).Type())
)
