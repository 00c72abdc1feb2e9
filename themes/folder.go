package themes

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"playhead/parse/infile"
)

// Folder has a person's own themes: a file NAME.yaml each.
type Folder string

// maxThemeFile is the size of a theme's file in bytes above which it is refused.
const maxThemeFile = 64 << 10

// Load loads the palette of a name: a person's own, or one of ours.
func (f Folder) Load(name string) (Palette, error) {
	if filepath.Base(name) != name {
		return Load(name)
	}
	path := filepath.Join(string(f), name+".yaml")
	source, err := infile.Read(path, maxThemeFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Load(name)
	}
	if err != nil {
		return Palette{}, err
	}
	return Read(path, source)
}

// All loads all palettes that can be chosen. The error says which cannot be read.
func (f Folder) All() (all []Palette, err error) {
	names := Names()
	own, err := filepath.Glob(filepath.Join(string(f), "*.yaml"))
	for _, path := range own {
		if name := strings.TrimSuffix(filepath.Base(path), ".yaml"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		p, problem := f.Load(name)
		if problem != nil {
			err = errors.Join(err, problem)
			continue
		}
		all = append(all, p)
	}
	return all, err
}
