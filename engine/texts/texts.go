// Package texts fetches the texts that prompts refer to: from files, and from other sources by
// their scheme.
//
// A reference with the scheme file is relative to the document's folder and cannot leave it, also
// not through links. A reference with the scheme library, or without a scheme, names a file in a
// prompt folder by its identifier.
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

// maxSize limits the size of a text, in bytes.
const maxSize = 1 << 20

// Source fetches texts of one scheme. say shows progress and may be nil.
type Source interface {
	Fetch(ctx context.Context, name string, say func(string)) (string, error)
}

// Schemes fetches texts from the source of their scheme.
type Schemes map[string]Source

// Fetch gets one text.
func (s Schemes) Fetch(ctx context.Context, scheme, name string, say func(string)) (string, error) {
	source := s[scheme]
	if source == nil {
		return "", fmt.Errorf("no source has texts of the scheme %q", scheme)
	}
	return source.Fetch(ctx, name, say)
}

// Folder fetches files of a document's folder.
type Folder string

// Fetch implements Source.
func (f Folder) Fetch(_ context.Context, name string, _ func(string)) (string, error) {
	if why := plan.Outside(name); why != "" {
		return "", errors.New(why)
	}
	return read(string(f), name)
}

// Library fetches texts from prompt folders. The first folder that has the file counts.
type Library []string

// identifier matches the name of a text in a library (playbook.md §5).
var identifier = regexp.MustCompile(`^[a-zA-Z0-9-]+$`)

// endings are the possible suffixes of a library's files, in this order.
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

// read reads a file below a folder. It does not follow links that lead out of the folder.
func read(dir, name string) (string, error) {
	text, err := infile.ReadIn(dir, name, maxSize)
	var at *fs.PathError
	if errors.As(err, &at) { // its path is a different one
		err = fmt.Errorf("%s: %w", name, at.Err)
	}
	return string(text), err
}
