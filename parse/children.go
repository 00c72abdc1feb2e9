package parse

import (
	"fmt"
	"strings"

	"playhead/parse/rundown"
)

// finder finds the documents that others list (rundown.md §5.7): beside the one
// that lists them, then in the start directory. A file outside both the root
// document's folder and the start directory, links followed, does not count.
type finder struct {
	disk  disk
	self  string   // the root document
	home  string   // its folder, as the person named it
	start string   // the start directory
	roots []string // both, links followed
}

func (l *loader) finder() *finder {
	f := &finder{disk: l.disk, home: l.disk.dir(l.name), start: l.Start}
	if f.start == "" {
		f.start = "."
	}
	f.self, _ = l.disk.real(l.name)
	for _, dir := range []string{f.home, f.start} {
		if real, err := l.disk.real(dir); err == nil {
			f.roots = append(f.roots, real)
		}
	}
	return f
}

// find implements rundown.Finder.
func (f *finder) find(from *rundown.File, path string) rundown.File {
	beside := f.home
	if from != nil {
		beside = f.disk.dir(from.Path)
	}
	why := "there is no such file"
	for _, dir := range []string{beside, f.start} {
		name := f.disk.join(dir, path)
		real, err := f.disk.real(name)
		if err != nil {
			continue
		}
		if !f.allowed(real) {
			why = "it lies outside the document's folder and the start directory"
			continue
		}
		return f.read(name, real)
	}
	return rundown.File{Missing: why}
}

func (f *finder) allowed(real string) bool {
	for _, root := range f.roots {
		if _, ok := f.disk.below(root, real); ok {
			return true
		}
	}
	return false
}

func (f *finder) read(name, real string) rundown.File {
	found := rundown.File{ID: real, Path: name, File: name}
	if rel, ok := f.disk.below(f.home, name); ok {
		found.File = rel
	}
	file, t := readFile(f.disk, name, rundown.MaxSize)
	switch {
	case t != nil && t.code == "unreadable" && strings.HasPrefix(t.message, "this is a"):
		found.Missing = fmt.Sprintf("there is no such file: %s", t.message)
	case t != nil:
		found.Unreadable = t.message
	}
	found.Source = file
	return found
}
