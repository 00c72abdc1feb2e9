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

// maxTextBytes limits the size of a text, in bytes.
const maxTextBytes = 1 << 20

// Source fetches texts of one scheme.
type Source interface {
	// Fetch returns the text called name. notify shows progress and may be nil.
	Fetch(ctx context.Context, name string, notify func(string)) (string, error)
}

// SourceByScheme has the source for each scheme.
type SourceByScheme map[string]Source

// Fetch returns the text called name from the source of the scheme. notify shows progress and may be nil.
func (s SourceByScheme) Fetch(ctx context.Context, scheme, name string, notify func(string)) (string, error) {
	source := s[scheme]
	if source == nil {
		return "", fmt.Errorf("there is no prompt source %q", scheme)
	}
	return source.Fetch(ctx, name, notify)
}

// FolderSource fetches files below a document's folder, whose path it is.
type FolderSource string

// Fetch implements Source.
func (f FolderSource) Fetch(_ context.Context, name string, _ func(string)) (string, error) {
	if why := plan.PathProblem(name); why != "" {
		return "", errors.New(why)
	}
	return readTextFile(string(f), name)
}

// LibrarySource fetches texts from prompt folders, whose paths it has. The first folder that has the file counts.
type LibrarySource []string

// identifierPattern matches the name of a text in a library (playbook.md §5).
var identifierPattern = regexp.MustCompile(`^[a-zA-Z0-9-]+$`)

// fileSuffixes are the possible suffixes of a library's files, in this order.
var fileSuffixes = []string{".md", ".txt", ""}

// Fetch implements Source.
func (l LibrarySource) Fetch(_ context.Context, name string, _ func(string)) (string, error) {
	switch {
	case !identifierPattern.MatchString(name):
		return "", fmt.Errorf("%q is not a valid prompt name: use only letters, digits and hyphens", name)
	case len(l) == 0:
		return "", errors.New("no prompt folder is configured: add \"prompts: [FOLDER]\" to the configuration file")
	}
	for _, dir := range l {
		for _, suffix := range fileSuffixes {
			text, err := readTextFile(dir, name+suffix)
			if !errors.Is(err, fs.ErrNotExist) {
				return text, err
			}
		}
	}
	return "", fmt.Errorf("there is no %[1]s.md or %[1]s.txt in %[2]s", name, strings.Join(l, ", "))
}

// readTextFile reads a file below a folder. It does not follow links that lead out of the folder.
func readTextFile(dir, name string) (string, error) {
	text, err := infile.ReadIn(dir, name, maxTextBytes)
	var pathError *fs.PathError
	if errors.As(err, &pathError) { // its path is not name
		err = fmt.Errorf("%s: %w", name, pathError.Err)
	}
	return string(text), err
}
