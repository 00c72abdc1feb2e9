package artifact

import (
	"strings"

	"playhead/engine/outfile"
)

// what names the final output in errors.
const what = "the final output"

// Save writes the content to the file, ending in a line end. Without over a file that
// exists stays as it is, and the error is fs.ErrExist.
func (a Artifact) Save(path string, over bool) error {
	return outfile.Write(path, a.bytes(), over, what)
}

func (a Artifact) bytes() []byte { return []byte(strings.TrimRight(a.Content(), "\n") + "\n") }

// SaveAt is Save for a path that may name a folder, where the file gets a name from
// the document's title. It says which file it is.
func (a Artifact) SaveAt(path, title string, over bool) (file string, err error) {
	if outfile.IsFolder(path) {
		return outfile.WriteIn(path, a.Name(title), a.bytes(), what)
	}
	return path, a.Save(path, over)
}
