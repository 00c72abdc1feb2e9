package local

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"playhead/parse/plan"
)

// Change is what a call of Write or Edit will do to a file.
type Change struct {
	Path                   string // below the root
	BeforeHash, AfterHash  string // the hashes of the contents; BeforeHash is "" if there is no file
	OldContent, NewContent []byte

	perm fs.FileMode // the mode of the file, or of a new file before the umask
}

// PrepareChange computes the change of a call of Write or Edit. known has the hashes of files as the run
// last saw them, by path. The error is for the model.
func (f *Folder) PrepareChange(c Call, known map[string]string) (*Change, error) {
	a, err := decodeArgs[struct {
		FilePath   string  `json:"file_path"`
		Content    *string `json:"content"`
		Old        string  `json:"old_string"`
		New        *string `json:"new_string"`
		ReplaceAll bool    `json:"replace_all"`
	}](c.Args)
	if err != nil {
		return nil, err
	}
	ch, err := f.readChangeTarget(c, a.FilePath, known)
	if err != nil {
		return nil, err
	}
	switch {
	case c.Tool == plan.ToolWrite && a.Content == nil:
		return nil, errors.New("content is missing")
	case c.Tool == plan.ToolWrite:
		ch.NewContent = []byte(*a.Content)
	case a.New == nil:
		return nil, errors.New("new_string is missing")
	case ch.BeforeHash == "":
		return nil, f.describeError(ch.Path, fs.ErrNotExist)
	default:
		text, err := replaceText(ch.Path, string(ch.OldContent), a.Old, *a.New, a.ReplaceAll)
		if err != nil {
			return nil, err
		}
		ch.NewContent = []byte(text)
	}
	if err := checkSize(ch.Path, len(ch.NewContent)); err != nil {
		return nil, err
	}
	ch.AfterHash = hashOf(ch.NewContent)
	return ch, nil
}

// newFileMode is the mode of a new file before the person's umask.
const newFileMode = 0o666

// readChangeTarget returns a Change with the path and the old content of the file called name. It returns an error if
// the file exists and the run has not seen its current content.
func (f *Folder) readChangeTarget(c Call, name string, known map[string]string) (*Change, error) {
	if name == "" {
		return nil, errors.New("file_path is missing")
	}
	rel, err := f.toolPlace.RelativeToRoot(name)
	if err != nil {
		return nil, err
	}
	if err := f.checkNoLinks(rel); err != nil {
		return nil, err
	}
	if err := f.checkPattern(c, rel); err != nil {
		return nil, err
	}
	ch := &Change{Path: rel, perm: newFileMode}
	if _, err := f.root.Lstat(rel); errors.Is(err, fs.ErrNotExist) {
		return ch, nil
	}
	content, info, err := f.readWhole(rel)
	if err != nil {
		return nil, err
	}
	ch.OldContent, ch.BeforeHash, ch.perm = content, hashOf(content), info.Mode().Perm()
	switch hash, read := known[rel]; {
	case !read:
		return nil, fmt.Errorf("%s has not been read in this run: read it first", f.toolPlace.RelativeToWorkingDir(rel))
	case hash != ch.BeforeHash:
		return nil, fmt.Errorf("%s has changed since it was read: read it again", f.toolPlace.RelativeToWorkingDir(rel))
	}
	return ch, nil
}

// checkNoLinks returns an error for a path that leads through a link, because the named file itself must be the one
// that changes, and for the root itself.
func (f *Folder) checkNoLinks(rel string) error {
	real, err := f.resolveLinks(rel)
	switch {
	case err != nil:
		return err
	case rel == ".":
		return fmt.Errorf("%s is a folder", rel)
	case real != rel:
		return fmt.Errorf("%s leads through a link to %s: use that path instead", f.toolPlace.RelativeToWorkingDir(rel), f.toolPlace.RelativeToWorkingDir(real))
	}
	return nil
}

// replaceText returns the content of a file with a text replaced, once or everywhere.
func replaceText(name, content, old, with string, all bool) (string, error) {
	n := strings.Count(content, old)
	switch {
	case old == "":
		return "", errors.New("old_string is empty: use Write for a whole file")
	case old == with:
		return "", errors.New("old_string and new_string are the same")
	case n == 0:
		return "", fmt.Errorf("old_string is not in %s: it must match exactly, including whitespace and line breaks", name)
	case n > 1 && !all:
		return "", fmt.Errorf("old_string is in %s %d times: include more of the text around it, or set replace_all", name, n)
	}
	// The size is checked first: the text may be too large for the memory.
	if err := checkSize(name, len(content)+n*(len(with)-len(old))); err != nil {
		return "", err
	}
	return strings.ReplaceAll(content, old, with), nil
}

// checkSize returns an error for a size in bytes that a file may not get.
func checkSize(name string, size int) error {
	if size > maxFileSize {
		return fmt.Errorf("%s would be larger than %d MiB", name, maxFileSize>>20)
	}
	return nil
}

// ApplyChange makes a change. The file is replaced as a whole, or not at all.
func (f *Folder) ApplyChange(ch *Change) error {
	return f.replaceFile(ch.Path, ch.NewContent, ch.perm, ch.BeforeHash)
}

// replaceFile writes a file. It returns an error unless the hash of the current content is before.
func (f *Folder) replaceFile(rel string, content []byte, perm fs.FileMode, before string) error {
	dir := path.Dir(rel)
	if err := f.root.MkdirAll(dir, 0o755); err != nil {
		return f.describeError(dir, err)
	}
	temporary := path.Join(dir, ".playhead-"+rand.Text())
	file, err := f.root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return f.describeError(rel, err)
	}
	_, err = file.Write(content)
	if err == nil && before != "" { // the umask does not apply to a mode that the file had
		err = file.Chmod(perm)
	}
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		err = f.describeError(rel, err)
	} else if err = f.checkUnchanged(rel, before); err == nil {
		err = f.root.Rename(temporary, rel)
	}
	if err != nil {
		_ = f.root.Remove(temporary) // report the first error
	}
	return err
}

// checkUnchanged returns an error unless the hash of a file's current content is before.
func (f *Folder) checkUnchanged(rel, before string) error {
	hash, err := f.Hash(rel)
	if err == nil && hash != before {
		return fmt.Errorf("%s has changed in the meantime: read it again", f.toolPlace.RelativeToWorkingDir(rel))
	}
	return err
}

// Hash returns the hash of a file's current content, "" if there is no file.
func (f *Folder) Hash(rel string) (string, error) {
	if _, err := f.root.Lstat(rel); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	content, _, err := f.readWhole(rel)
	if err != nil {
		return "", err
	}
	return hashOf(content), nil
}

// RestoreFile gives a file its earlier content, or removes it if existed is false. It returns an error
// unless the hash of the current content is after.
func (f *Folder) RestoreFile(rel string, content []byte, existed bool, after string) error {
	if err := f.checkNoLinks(rel); err != nil {
		return err
	}
	if hash, err := f.Hash(rel); err != nil || hash != after {
		return errors.Join(fmt.Errorf("%s was changed again after the run changed it", rel), err)
	}
	perm := fs.FileMode(newFileMode)
	if info, err := f.root.Lstat(rel); err == nil {
		perm = info.Mode().Perm()
	}
	if existed {
		return f.replaceFile(rel, content, perm, after)
	}
	if err := f.checkUnchanged(rel, after); err != nil {
		return err
	}
	if err := f.root.Remove(rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f.describeError(rel, err)
	}
	return nil
}
