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

// Disk is where an agent's files are. It can be asked by several goroutines at a time.
type Disk interface {
	// Read reads a regular file of at most limit bytes. The error of a file that is
	// not there is fs.ErrNotExist; others are in words for a person.
	Read(name string, limit int64) ([]byte, error)
	// Abs is a name that says where the file is, whatever the working directory.
	Abs(name string) string
	// Real is Abs with all links followed; an error if there is nothing there.
	Real(name string) (string, error)
	Join(dir, name string) string
	Dir(name string) string
	// Below reports whether a name is that of a folder or below it.
	Below(dir, name string) bool
}

// maxText is the largest prompt, system prompt or input text that is read.
const maxText = 4 << 20

// tree reads files and remembers them: a run keeps copies of all it was made from.
type tree struct {
	disk  Disk
	files []plan.File
	read  map[string]content
	real  map[string]folder // that were asked for, by name
}

type content struct {
	data []byte
	err  error
}

// folder is where a folder really is, if it is there.
type folder struct {
	real  string
	there bool
}

func newTree(d Disk) tree {
	return tree{disk: d, read: map[string]content{}, real: map[string]folder{}}
}

// Read reads a file, once.
func (t *tree) Read(name string, limit int64) ([]byte, error) {
	if c, ok := t.read[name]; ok {
		return c.data, c.err
	}
	data, err := t.disk.Read(name, limit)
	t.keep(name, data, err)
	return data, err
}

// keep takes what a file holds for read.
func (t *tree) keep(name string, data []byte, err error) {
	t.read[name] = content{data, err}
	if err == nil {
		t.files = append(t.files, plan.File{Path: name, Source: data})
	}
}

// Folder takes a folder for one that counts, even if nothing is read from it.
func (t *tree) Folder(name string) string {
	if !slices.ContainsFunc(t.files, func(f plan.File) bool { return f.Path == name }) {
		t.files = append(t.files, plan.File{Path: name, Folder: true})
	}
	return name
}

// Exists reports whether there is a file or folder of a name.
func (t *tree) Exists(name string) bool {
	_, err := t.disk.Real(name)
	return err == nil
}

// Within is the name of the file at a path that a registry writes, below a folder. An
// error says why the path is not allowed (spec §1, paths).
func (t *tree) Within(base, rel string) (string, error) {
	name, _, err := t.within(base, rel)
	return name, err
}

// within also says whether there is such a file.
func (t *tree) within(base, rel string) (name string, there bool, err error) {
	switch {
	case rel == "":
		return "", false, errors.New("the path is empty")
	case path.IsAbs(rel) || strings.HasPrefix(rel, `\`) || len(rel) > 1 && rel[1] == ':':
		return "", false, fmt.Errorf("%s is no relative path", rel)
	case strings.Contains(rel, "..") && slices.Contains(strings.FieldsFunc(rel, isSlash), ".."):
		return "", false, fmt.Errorf("%s leads out of its folder: it has a .. in it", rel)
	}
	name = t.disk.Join(base, rel)
	home := t.folder(base)
	if !home.there {
		return name, false, nil
	}
	real, err := t.disk.Real(t.disk.Join(home.real, rel))
	if err != nil {
		return name, false, nil
	}
	if !t.disk.Below(home.real, real) {
		return "", false, fmt.Errorf("%s leads out of %s by a link", rel, base)
	}
	return name, true, nil
}

func isSlash(r rune) bool { return r == '/' || r == '\\' }

func (t *tree) folder(name string) folder {
	f, known := t.real[name]
	if !known {
		real, err := t.disk.Real(name)
		f = folder{real, err == nil}
		t.real[name] = f
	}
	return f
}

// missing says why a file cannot be read.
func missing(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "there is no such file"
	}
	return err.Error()
}
