// Package texts gets the text that prompts refer to, from files.
//
// A reference of scheme file is relative to the document's folder and cannot leave
// it, whatever it says and whatever links lie there. One of scheme library, or of
// none, names a file of a prompt folder by its identifier.
package texts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// most is the size of a text in bytes above which it is refused.
const most = 1 << 20

// Files gets texts from folders.
type Files struct {
	Dir     string   // of the document
	Library []string // prompt folders, the first with a file of the name wins
}

// identifier is what names a text of a library (playbook.md §5).
var identifier = regexp.MustCompile(`^[a-zA-Z0-9-]+$`)

// Fetch gets one text.
func (f Files) Fetch(_ context.Context, scheme, name string) (string, error) {
	switch scheme {
	case "file":
		return read(f.Dir, name)
	case "library", "":
		return f.shelf(name)
	default:
		return "", fmt.Errorf("nothing here gets texts of the scheme %q", scheme)
	}
}

// shelf looks a name up in the prompt folders.
func (f Files) shelf(name string) (string, error) {
	if !identifier.MatchString(name) {
		return "", fmt.Errorf("%q names no prompt: use letters, digits and hyphens", name)
	}
	for _, dir := range f.Library {
		text, err := read(dir, name+".md")
		if !errors.Is(err, fs.ErrNotExist) {
			return text, err
		}
	}
	return "", fmt.Errorf("no prompt folder has a %s.md", name)
}

// read reads a file below a folder. Links that lead out of it are not followed.
func read(dir, name string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	file, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no file", name)
	}
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", name, err)
	case len(text) > most:
		return "", fmt.Errorf("%s is larger than 1 MiB", name)
	default:
		return string(text), nil
	}
}
