package climpt

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"playhead/parse/files"
	"playhead/parse/plan"
)

// maxTextSize is the largest prompt, system prompt or input text, in bytes.
const maxTextSize = 4 << 20

// fileCache reads each file once. It collects the files that a run has to keep copies of.
type fileCache struct {
	files           files.System
	runFiles        []plan.File
	contentByName   map[string]fileContent
	realFolderPaths *sync.Map // the paths of folders with all links followed, by absolute name; values are strings
}

type fileContent struct {
	data    []byte
	problem *files.Problem
}

func newFileCache(s files.System) fileCache {
	return fileCache{files: s, contentByName: map[string]fileContent{}, realFolderPaths: &sync.Map{}}
}

// Read returns the content of a file of at most limit bytes, which is read once.
func (cache *fileCache) Read(name string, limit int64) ([]byte, *files.Problem) {
	return cache.readOnce(name, func() ([]byte, *files.Problem) { return files.Read(cache.files, name, limit) })
}

// ReadIn is like Read for a path that ResolveBelow returned. The file cannot be outside of the folder.
func (cache *fileCache) ReadIn(p ContainedPath, limit int64) ([]byte, *files.Problem) {
	return cache.readOnce(p.Name, func() ([]byte, *files.Problem) { return cache.readIn(p, limit) })
}

func (cache *fileCache) readOnce(name string, read func() ([]byte, *files.Problem)) ([]byte, *files.Problem) {
	c, known := cache.contentByName[name]
	if !known {
		c.data, c.problem = read()
		cache.store(name, c)
	}
	return c.data, c.problem
}

func (cache *fileCache) readIn(p ContainedPath, limit int64) ([]byte, *files.Problem) {
	if p.problem != nil {
		return nil, p.problem
	}
	return files.ReadIn(cache.files, p.realFolder, p.realPath, limit)
}

// store remembers the content of a file, or why it cannot be read.
func (cache *fileCache) store(name string, c fileContent) {
	cache.contentByName[name] = c
	if c.problem == nil {
		cache.runFiles = append(cache.runFiles, plan.File{Path: name, Source: c.data})
	}
}

// addRunFolder adds a folder to the files of the run, even if nothing is read from it, and returns its name.
func (cache *fileCache) addRunFolder(name string) string {
	if !slices.ContainsFunc(cache.runFiles, func(f plan.File) bool { return f.Path == name }) {
		cache.runFiles = append(cache.runFiles, plan.File{Path: name, IsFolder: true})
	}
	return name
}

// Exists reports whether there is a file or folder with a name.
func (cache *fileCache) Exists(name string) bool {
	_, err := cache.realPath(name)
	return err == nil
}

// ContainedPath is a path that, with links followed, is below a folder.
type ContainedPath struct {
	Name                 string
	realPath, realFolder string         // the paths of the file and of the folder, without links
	problem              *files.Problem // nil if it exists
}

// Exists reports whether there is a file or folder at the path.
func (p ContainedPath) Exists() bool { return p.problem == nil }

// ResolveBelow resolves a relative path below a folder. The error says why the path is not allowed (spec
// §1, paths). A path to nothing is allowed: see ContainedPath.Exists.
func (cache *fileCache) ResolveBelow(base, rel string) (ContainedPath, error) {
	if err := CheckRelativePath(rel); err != nil {
		return ContainedPath{}, err
	}
	p := ContainedPath{Name: cache.files.Join(base, rel)}
	home, err := cache.realFolderPath(cache.files.Abs(base))
	if err == nil {
		p.realFolder = home
		p.realPath, err = cache.realPath(cache.files.Join(home, rel))
	}
	if err != nil {
		p.problem = files.NewProblem(err)
		return p, nil
	}
	if _, ok := files.RelativeTo(p.realFolder, p.realPath); !ok {
		return ContainedPath{}, fmt.Errorf("%s leads out of %s through a link", rel, base)
	}
	return p, nil
}

// CheckRelativePath returns an error if a path is not allowed as it is written: it is empty or absolute, or contains ..
// (spec §1, paths).
func CheckRelativePath(rel string) error {
	switch {
	case rel == "":
		return errors.New("the path is empty")
	case path.IsAbs(rel) || strings.HasPrefix(rel, `\`) || len(rel) > 1 && rel[1] == ':':
		return fmt.Errorf("%s is not a relative path", rel)
	case strings.Contains(rel, "..") && slices.Contains(strings.FieldsFunc(rel, isSlash), ".."):
		return fmt.Errorf("%s contains .., which is not allowed", rel)
	}
	return nil
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

// realPath returns the path of a file or folder with all links followed.
func (cache *fileCache) realPath(name string) (string, error) {
	abs := cache.files.Abs(name)
	folder, err := cache.realFolderPath(cache.files.Dir(abs))
	if err != nil {
		return "", err
	}
	return cache.files.RealPathIn(folder, filepath.Base(abs))
}

// realFolderPath returns the path of a folder with all links followed. It looks up each folder once, because
// a registry names many files in few folders.
func (cache *fileCache) realFolderPath(abs string) (string, error) {
	if real, ok := cache.realFolderPaths.Load(abs); ok {
		return real.(string), nil
	}
	if cache.files.Dir(abs) == abs {
		return abs, nil
	}
	real, err := cache.realPath(abs)
	if err == nil {
		cache.realFolderPaths.Store(abs, real)
	}
	return real, err
}
