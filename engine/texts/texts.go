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
	"strings"
	"syscall"

	"playhead/parse/plan"
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
		if why := plan.Outside(name); why != "" {
			return "", errors.New(why)
		}
		return read(f.Dir, name)
	case "library", "":
		return f.shelf(name)
	default:
		return "", fmt.Errorf("nothing here gets texts of the scheme %q", scheme)
	}
}

// endings are those that the file of a library's text may have, in this order.
var endings = []string{".md", ".txt", ""}

// shelf looks a name up in the prompt folders.
func (f Files) shelf(name string) (string, error) {
	switch {
	case !identifier.MatchString(name):
		return "", fmt.Errorf("%q names no prompt: use letters, digits and hyphens", name)
	case len(f.Library) == 0:
		return "", errors.New("no folder for prompts is configured: name one in the configuration file with prompts: [FOLDER]")
	}
	for _, dir := range f.Library {
		for _, ending := range endings {
			text, err := read(dir, name+ending)
			if !errors.Is(err, fs.ErrNotExist) {
				return text, err
			}
		}
	}
	return "", fmt.Errorf("there is no %s.md in %s", name, strings.Join(f.Library, ", "))
}

// read reads a file below a folder. Links that lead out of it are not followed.
func read(dir, name string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may be a FIFO
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, cause(err))
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no file", name)
	}
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", name, cause(err))
	case len(text) > most:
		return "", fmt.Errorf("%s is larger than 1 MiB", name)
	default:
		return string(text), nil
	}
}

// cause is an error without the name of the file, which is said already.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
