// Package outfile writes the files that a person asks for: whole or not at all, and
// never over another one unasked.
package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write writes the file. Without over a file that exists stays as it is, and the error
// is fs.ErrExist. what names the content in errors: the final output.
func Write(path string, data []byte, over bool, what string) error {
	made, mode, err := claim(path, over)
	if err == nil {
		err = Replace(path, data, mode)
	}
	if err != nil && made {
		_ = os.Remove(path) // the first error is the one to tell
	}
	return unwritten(path, err, what)
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
		err = errors.New("it is not a file")
	}
	if err != nil {
		return made, 0, err
	}
	return made, info.Mode().Perm(), nil
}

// Replace puts data in a file's place at once: nobody ever reads half of it.
func Replace(path string, data []byte, mode fs.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".playhead-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	if err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

// WriteIn writes the file into a folder, which it makes if need be. The name gets a
// number where a file has it; path is the one that was found.
func WriteIn(dir, name string, data []byte, what string) (path string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", unwritten(dir, err, what)
	}
	suffix := filepath.Ext(name)
	base := filepath.Join(dir, strings.TrimSuffix(name, suffix))
	path = base + suffix
	for n := 2; ; n++ {
		if err = Write(path, data, false, what); !errors.Is(err, fs.ErrExist) {
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

func unwritten(path string, err error, what string) error {
	var at *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists: %w", path, fs.ErrExist)
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("there is no folder %s: make it first, or name another", filepath.Dir(path))
	case errors.As(err, &at):
		err = at.Err // its path may be one that nobody named
	}
	return fmt.Errorf("cannot save %s as %s: %w", what, path, err)
}

// WriteState writes a file of ours that only the person can read, in a folder that is made if it
// is not there.
func WriteState(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return Replace(path, append(data, '\n'), 0o600)
}
