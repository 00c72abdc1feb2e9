package journal

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// An id is short, since people type it: four digits while that is enough.
const (
	shortest = 4
	longest  = 16
	tries    = 16 // of one length, before a longer one
)

var idShape = regexp.MustCompile(`^[0-9a-f]{4,16}$`)

// randomID is that many random hexadecimal digits.
func randomID(digits int) string {
	b := make([]byte, longest/2)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)[:digits]
}

// newFolder makes a folder with an id that no run has yet. Making it is what
// claims the id, so two processes never share one.
func newFolder(dir string, random func(digits int) string) (string, error) {
	for digits := shortest; digits <= longest; digits++ {
		for range tries {
			path := filepath.Join(dir, random(digits))
			err := os.Mkdir(path, 0o700)
			if err == nil {
				return path, nil
			}
			if !errors.Is(err, fs.ErrExist) {
				return "", unwritable(describe(dir, err))
			}
		}
	}
	return "", fmt.Errorf("no free id for a run is left in %s: remove old runs", dir)
}

// ids lists the runs there are.
func (s *Store) ids() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot list the runs: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if e.IsDir() && idShape.MatchString(e.Name()) {
			ids = append(ids, e.Name())
		}
	}
	return ids, nil
}

// find resolves an id, or the beginning of one if only one run has it.
func (s *Store) find(id string) (Folder, error) {
	if id := strings.ToLower(id); idShape.MatchString(id) {
		if info, err := os.Stat(filepath.Join(s.dir, id)); err == nil && info.IsDir() {
			return Folder{filepath.Join(s.dir, id)}, nil
		}
	}
	ids, err := s.ids()
	if err != nil {
		return Folder{}, err
	}
	prefix := strings.ToLower(id)
	var found []string
	for _, known := range ids {
		if prefix != "" && strings.HasPrefix(known, prefix) {
			found = append(found, known)
		}
	}
	switch len(found) {
	case 1:
		return Folder{filepath.Join(s.dir, found[0])}, nil
	case 0:
		return Folder{}, fmt.Errorf("there is no run %q: see `playhead runs`", id)
	}
	return Folder{}, fmt.Errorf("several runs begin with %q: %s", id, strings.Join(found, ", "))
}
