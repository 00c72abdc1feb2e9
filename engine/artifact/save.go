package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Save writes the content to the file, ending in a line end. It is there whole or
// not at all. Without over a file that exists stays as it is, and the error is
// fs.ErrExist.
func (a Artifact) Save(path string, over bool) error {
	made, mode, err := claim(path, over)
	if err == nil {
		err = replace(path, strings.TrimRight(a.Content(), "\n")+"\n", mode)
	}
	if err != nil && made {
		_ = os.Remove(path) // the first error is the one to tell
	}
	return unsaved(path, err)
}

// claim makes the file where there is none, so that nobody else does. It says
// whether it did, and the file's mode.
func claim(path string, over bool) (made bool, mode fs.FileMode, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err == nil {
		made, err = true, file.Close()
	} else if over && errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err != nil {
		return made, 0, err
	}
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	if err != nil {
		return made, 0, err
	}
	return made, info.Mode().Perm(), nil
}

// replace puts a text in a file's place at once.
func replace(path, text string, mode fs.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".playhead-*")
	if err != nil {
		return err
	}
	_, err = temp.WriteString(text)
	if err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

// SaveAt is Save for a path that may name a folder, where the file gets a name from
// the document's title. It says which file it is.
func (a Artifact) SaveAt(path, title string, over bool) (file string, err error) {
	if IsFolder(path) {
		return a.saveIn(path, a.Name(title))
	}
	return path, a.Save(path, over)
}

// saveIn writes the content to the folder, which it makes if need be. The name gets
// a number where a file has it.
func (a Artifact) saveIn(dir, name string) (path string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", unsaved(dir, err)
	}
	suffix := filepath.Ext(name)
	base := filepath.Join(dir, strings.TrimSuffix(name, suffix))
	path = base + suffix
	for n := 2; ; n++ {
		if err = a.Save(path, false); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
		path = fmt.Sprintf("%s-%d%s", base, n, suffix)
	}
}

// IsFolder reports whether a path names a folder: one that is there, or one to be
// made, with a slash at its end.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || err != nil && strings.HasSuffix(path, string(filepath.Separator))
}

func unsaved(path string, err error) error {
	var at *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists: %w", path, fs.ErrExist)
	case errors.As(err, &at):
		err = at.Err // its path may be one that nobody named
	}
	return fmt.Errorf("cannot save the final output as %s: %w", path, err)
}
