// Package examples contains the documents that come with Playhead, to try it, to
// demonstrate it and to copy from. They are built into the program, so they run
// without a checkout.
package examples

import (
	"bytes"
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"playhead/engine/outfile"
	"playhead/parse/infile"
)

//go:embed *.md *.yaml .mcp.json changelog essay greeting
var files embed.FS

// Names returns the documents that a person can name, without suffix. They include
// the other documents.
func Names() []string {
	return []string{"release", "triage", "essay", "changelog", "greeting", "handover"}
}

// Write writes all examples into dir. It returns the path of the named example,
// which is a file or an agent's folder, or an error if there is no such example.
func Write(dir, name string) (string, error) {
	var found string
	err := fs.WalkDir(files, ".", func(at string, e fs.DirEntry, err error) error {
		path := filepath.Join(dir, filepath.FromSlash(at))
		if err == nil && !strings.Contains(at, "/") && isExample(at, e, name) {
			found = path
		}
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return os.MkdirAll(path, 0o755)
		}
		data, err := files.ReadFile(at)
		if err != nil {
			return err
		}
		if there, err := infile.Read(path, int64(len(data))); err == nil && bytes.Equal(there, data) {
			return nil
		}
		return outfile.ReplaceFile(path, data, 0o644) // another run may be reading it
	})
	if err == nil && found == "" {
		err = errors.New("there is no example of that name: the examples are " + strings.Join(Names(), ", "))
	}
	return found, err
}

// isExample reports whether a file or folder is the example of a name.
func isExample(at string, e fs.DirEntry, name string) bool {
	base, suffix, _ := strings.Cut(at, ".")
	return base == name && at != "." && (e.IsDir() || strings.HasSuffix(suffix, "md"))
}

// ContainsFile reports whether source is, byte for byte, one of the examples' files.
func ContainsFile(source []byte) bool {
	same := false
	_ = fs.WalkDir(files, ".", func(at string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			data, err := files.ReadFile(at)
			same = same || err == nil && bytes.Equal(data, source)
		}
		return nil
	})
	return same
}
