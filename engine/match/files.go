package match

import (
	"playhead/engine/linediff"
)

// FileDiff has the lines in which a file of a document differs between two versions.
type FileDiff struct {
	Path  string
	Hunks []linediff.Hunk
}

// Files returns how the files of the new version differ from those of the old one. A new file differs in
// all lines.
func (m *Match) Files() (out []FileDiff) {
	before := map[string][]byte{}
	for _, d := range m.Documents {
		for _, f := range d.Old.AllFiles() {
			before[m.original(f.Path)] = f.Source
		}
	}
	for _, d := range m.Documents {
		for _, f := range d.New.AllFiles() {
			path := m.original(f.Path)
			if hunks := linediff.Lines(linediff.Split(before[path]), linediff.Split(f.Source)); len(hunks) > 0 {
				out = append(out, FileDiff{path, hunks})
			}
			before[path] = f.Source // documents can share a file
		}
	}
	return out
}

func (m *Match) original(path string) string {
	if m.text == nil {
		return path
	}
	return m.text(path)
}
