package climpt

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"playhead/parse/plan"
	"playhead/parse/source"
)

// Disk gives access to an agent's files. It is safe for concurrent use.
type Disk interface {
	// Read reads a regular file of at most limit bytes. If there is no file, the error is
	// fs.ErrNotExist. The text of any other error is for a person.
	Read(name string, limit int64) ([]byte, error)
	// ReadIn is like Read for a file below a folder, both with the names that Real returns. It
	// does not read a file that has since become a link out of the folder.
	ReadIn(folder, real string, limit int64) ([]byte, error)
	// Abs returns a name that does not depend on the working directory.
	Abs(name string) string
	// Real is like Abs with all links followed. If there is no file, its error is that of Read.
	Real(name string) (string, error)
	Join(dir, name string) string
	Dir(name string) string
	// Below reports whether a name is that of a folder or below it.
	Below(dir, name string) bool
}

// maxTextSize is the largest prompt, system prompt or input text, in bytes.
const maxTextSize = 4 << 20

// fileCache reads each file once. It collects the files that a run has to keep copies of.
type fileCache struct {
	disk            Disk
	runFiles        []plan.File
	contentByName   map[string]fileContent
	resolvedFolders map[string]resolvedFolder // the folders that were resolved, by name
}

type fileContent struct {
	data []byte
	err  error
}

// resolvedFolder is the real path of a folder, or why there is none.
type resolvedFolder struct {
	realPath string
	err      error
}

func newFileCache(d Disk) fileCache {
	return fileCache{disk: d, contentByName: map[string]fileContent{}, resolvedFolders: map[string]resolvedFolder{}}
}

// Read returns the content of a file of at most limit bytes, which is read once.
func (cache *fileCache) Read(name string, limit int64) ([]byte, error) {
	if c, ok := cache.contentByName[name]; ok {
		return c.data, c.err
	}
	data, err := cache.disk.Read(name, limit)
	cache.store(name, data, err)
	return data, err
}

// ReadIn is like Read for a path that ResolveBelow returned. The file cannot be outside of the folder.
func (cache *fileCache) ReadIn(p ContainedPath, limit int64) ([]byte, error) {
	if c, ok := cache.contentByName[p.Name]; ok {
		return c.data, c.err
	}
	data, err := cache.readIn(p, limit)
	cache.store(p.Name, data, err)
	return data, err
}

func (cache *fileCache) readIn(p ContainedPath, limit int64) ([]byte, error) {
	if p.err != nil {
		return nil, p.err
	}
	return cache.disk.ReadIn(p.realFolder, p.realPath, limit)
}

// store remembers the content of a file, or why it cannot be read.
func (cache *fileCache) store(name string, data []byte, err error) {
	cache.contentByName[name] = fileContent{data, err}
	if err == nil {
		cache.runFiles = append(cache.runFiles, plan.File{Path: name, Source: data})
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
	_, err := cache.disk.Real(name)
	return err == nil
}

// ContainedPath is a path that, with links followed, is below a folder.
type ContainedPath struct {
	Name                 string
	realPath, realFolder string // the paths of the file and of the folder, without links
	err                  error  // nil if it exists
}

// Exists reports whether there is a file or folder at the path.
func (p ContainedPath) Exists() bool { return p.err == nil }

// ResolveBelow resolves a relative path below a folder. The error says why the path is not allowed (spec
// §1, paths). A path to nothing is allowed: see ContainedPath.Exists.
func (cache *fileCache) ResolveBelow(base, rel string) (ContainedPath, error) {
	switch {
	case rel == "":
		return ContainedPath{}, errors.New("the path is empty")
	case path.IsAbs(rel) || strings.HasPrefix(rel, `\`) || len(rel) > 1 && rel[1] == ':':
		return ContainedPath{}, fmt.Errorf("%s is not a relative path", rel)
	case strings.Contains(rel, "..") && slices.Contains(strings.FieldsFunc(rel, isSlash), ".."):
		return ContainedPath{}, fmt.Errorf("%s contains .., which is not allowed", rel)
	}
	home := cache.resolveFolder(base)
	p := ContainedPath{Name: cache.disk.Join(base, rel), realFolder: home.realPath, err: home.err}
	if p.err != nil {
		return p, nil
	}
	p.realPath, p.err = cache.disk.Real(cache.disk.Join(home.realPath, rel))
	if p.err == nil && !cache.disk.Below(p.realFolder, p.realPath) {
		return ContainedPath{}, fmt.Errorf("%s leads out of %s through a link", rel, base)
	}
	return p, nil
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

// resolveFolder returns the real path of a folder, which is looked up once.
func (cache *fileCache) resolveFolder(name string) resolvedFolder {
	f, known := cache.resolvedFolders[name]
	if !known {
		real, err := cache.disk.Real(name)
		f = resolvedFolder{real, err}
		cache.resolvedFolders[name] = f
	}
	return f
}

// readErrorText returns why a file cannot be read, as text for a person.
func readErrorText(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return source.NoSuchFile
	}
	return err.Error()
}
