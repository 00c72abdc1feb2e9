package match

import (
	"playhead/engine/linediff"
)

// FileDiff has the lines in which a file of a document differs between two versions.
type FileDiff struct {
	Path  string
	Hunks []linediff.Hunk
}

// FileDiffs returns how the files of the new version differ from those of the old one. A new file differs in
// all lines.
func (m *Match) FileDiffs() (out []FileDiff) {
	before := map[string][]byte{}
	for _, d := range m.Documents {
		for _, f := range d.OldPlan.AllFiles() {
			before[m.originalPath(f.Path)] = f.Source
		}
	}
	for _, d := range m.Documents {
		for _, f := range d.NewPlan.AllFiles() {
			path := m.originalPath(f.Path)
			if hunks := linediff.CompareLines(linediff.SplitLines(before[path]), linediff.SplitLines(f.Source)); len(hunks) > 0 {
				out = append(out, FileDiff{path, hunks})
			}
			before[path] = f.Source // documents can share a file
		}
	}
	return out
}

func (m *Match) originalPath(path string) string {
	if m.normalizeText == nil {
		return path
	}
	return m.normalizeText(path)
}
