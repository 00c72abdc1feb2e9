package climpt

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"playhead/parse/plan"
)

// Disk gives access to an agent's files. It is safe for concurrent use.
type Disk interface {
	// Read reads a regular file of at most limit bytes. The error of a file that is
	// not there is fs.ErrNotExist; others are in words for a person.
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

// maxText is the largest prompt, system prompt or input text, in bytes.
const maxText = 4 << 20

// tree reads files and remembers them, so that a run can keep copies.
type tree struct {
	disk     Disk
	files    []plan.File
	contents map[string]content
	real     map[string]folder // the folders that were resolved, by name
}

type content struct {
	data []byte
	err  error
}

// folder is the real path of a folder, or why there is none.
type folder struct {
	real    string
	missing error
}

func newTree(d Disk) tree {
	return tree{disk: d, contents: map[string]content{}, real: map[string]folder{}}
}

// Read reads a file once.
func (t *tree) Read(name string, limit int64) ([]byte, error) {
	if c, ok := t.contents[name]; ok {
		return c.data, c.err
	}
	data, err := t.disk.Read(name, limit)
	t.keep(name, data, err)
	return data, err
}

// ReadIn reads a file that Within found, once, at the place where it was found.
func (t *tree) ReadIn(p Inside, limit int64) ([]byte, error) {
	if c, ok := t.contents[p.Name]; ok {
		return c.data, c.err
	}
	data, err := t.readIn(p, limit)
	t.keep(p.Name, data, err)
	return data, err
}

func (t *tree) readIn(p Inside, limit int64) ([]byte, error) {
	if p.missing != nil {
		return nil, p.missing
	}
	return t.disk.ReadIn(p.home, p.real, limit)
}

// keep remembers what a file contains.
func (t *tree) keep(name string, data []byte, err error) {
	t.contents[name] = content{data, err}
	if err == nil {
		t.files = append(t.files, plan.File{Path: name, Source: data})
	}
}

// addFolder adds a folder to the files of the run, even if nothing is read from it.
func (t *tree) addFolder(name string) string {
	if !slices.ContainsFunc(t.files, func(f plan.File) bool { return f.Path == name }) {
		t.files = append(t.files, plan.File{Path: name, Folder: true})
	}
	return name
}

func (t *tree) Exists(name string) bool {
	_, err := t.disk.Real(name)
	return err == nil
}

// Inside is a path below a folder.
type Inside struct {
	Name       string
	real, home string // where it, and the folder, really are
	missing    error  // nil if it exists
}

// Exists reports whether there is such a file or folder; Within allows paths that lead to none.
func (p Inside) Exists() bool { return p.missing == nil }

// Within resolves a relative path below a folder. The error says why the path is not allowed (spec
// §1, paths).
func (t *tree) Within(base, rel string) (Inside, error) {
	switch {
	case rel == "":
		return Inside{}, errors.New("the path is empty")
	case path.IsAbs(rel) || strings.HasPrefix(rel, `\`) || len(rel) > 1 && rel[1] == ':':
		return Inside{}, fmt.Errorf("%s is not a relative path", rel)
	case strings.Contains(rel, "..") && slices.Contains(strings.FieldsFunc(rel, isSlash), ".."):
		return Inside{}, fmt.Errorf("%s leads out of its folder: it has a .. in it", rel)
	}
	home := t.folder(base)
	p := Inside{Name: t.disk.Join(base, rel), home: home.real, missing: home.missing}
	if p.missing != nil {
		return p, nil
	}
	p.real, p.missing = t.disk.Real(t.disk.Join(home.real, rel))
	if p.missing == nil && !t.disk.Below(p.home, p.real) {
		return Inside{}, fmt.Errorf("%s leads out of %s by a link", rel, base)
	}
	return p, nil
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

func (t *tree) folder(name string) folder {
	f, known := t.real[name]
	if !known {
		real, err := t.disk.Real(name)
		f = folder{real, err}
		t.real[name] = f
	}
	return f
}

// missing returns why a file cannot be read.
func missing(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "there is no such file"
	}
	return err.Error()
}
