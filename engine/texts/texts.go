// Package texts gets the text that prompts refer to: from files, and by their
// scheme from whoever else has some.
//
// A reference of scheme file is relative to the document's folder and cannot leave
// it, whatever it says and whatever links lie there. One of scheme library, or of
// none, names a file of a prompt folder by its identifier.
package texts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"playhead/parse/infile"
	"playhead/parse/plan"
)

// most is the size of a text in bytes above which it is refused.
const most = 1 << 20

// Source gets texts of one kind. say shows what goes on meanwhile; it may be nil.
type Source interface {
	Fetch(ctx context.Context, name string, say func(string)) (string, error)
}

// Schemes gets texts from the source of their scheme.
type Schemes map[string]Source

// Fetch gets one text.
func (s Schemes) Fetch(ctx context.Context, scheme, name string, say func(string)) (string, error) {
	source := s[scheme]
	if source == nil {
		return "", fmt.Errorf("no source has texts of the scheme %q", scheme)
	}
	return source.Fetch(ctx, name, say)
}

// Folder gets the files of a document's folder.
type Folder string

// Fetch implements Source.
func (f Folder) Fetch(_ context.Context, name string, _ func(string)) (string, error) {
	if why := plan.Outside(name); why != "" {
		return "", errors.New(why)
	}
	return read(string(f), name)
}

// Library gets texts of prompt folders: the first that has a file of the name wins.
type Library []string

// identifier is what names a text of a library (playbook.md §5).
var identifier = regexp.MustCompile(`^[a-zA-Z0-9-]+$`)

// endings are those that the file of a library's text may have, in this order.
var endings = []string{".md", ".txt", ""}

// Fetch implements Source.
func (l Library) Fetch(_ context.Context, name string, _ func(string)) (string, error) {
	switch {
	case !identifier.MatchString(name):
		return "", fmt.Errorf("%q is not the name of a prompt: use letters, digits and hyphens", name)
	case len(l) == 0:
		return "", errors.New("no folder for prompts is configured: name one in the configuration file with prompts: [FOLDER]")
	}
	for _, dir := range l {
		for _, ending := range endings {
			text, err := read(dir, name+ending)
			if !errors.Is(err, fs.ErrNotExist) {
				return text, err
			}
		}
	}
	return "", fmt.Errorf("there is no %s.md in %s", name, strings.Join(l, ", "))
}

// read reads a file below a folder. Links that lead out of it are not followed.
func read(dir, name string) (string, error) {
	text, err := infile.ReadIn(dir, name, most)
	var at *fs.PathError
	if errors.As(err, &at) { // whose path is another one
		err = fmt.Errorf("%s: %w", name, at.Err)
	}
	return string(text), err
}
