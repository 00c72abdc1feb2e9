// Package outfile writes the files that a person asks for, and Playhead's own. A file is written completely or not
// at all, and Write replaces an existing file only if that is requested. A Stream is for output as it comes.
package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write writes the file at path. Unless replace is set, an existing file stays, and the error is fs.ErrExist. A
// replaced file keeps its mode. what describes the content in errors, such as "the final output".
func Write(path string, data []byte, replace bool, what string) error {
	isNew, mode, err := reservePath(path, replace)
	if err == nil {
		err = ReplaceFile(path, data, mode)
	}
	if err != nil && isNew {
		_ = os.Remove(path) // report the first error
	}
	return explainSaveError(path, err, what)
}

// reservePath creates an empty file, so that no other process does. With replace, a regular file may exist, but no
// link, which would be lost. It reports whether it created the file, and the file's mode.
func reservePath(path string, replace bool) (isNew bool, mode fs.FileMode, err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err == nil {
		isNew, err = true, file.Close()
	} else if replace && errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err != nil {
		return isNew, 0, err
	}
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file: give another name")
	}
	if err != nil {
		return isNew, 0, err
	}
	return isNew, info.Mode().Perm(), nil
}

// ReplaceFile writes a file atomically, so that nobody reads an incomplete file. It replaces an existing file.
func ReplaceFile(path string, data []byte, mode fs.FileMode) error {
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

// WriteInFolder writes a file into the folder dir, which it creates if necessary. If the name is taken, it adds a
// number to it. It returns the path of the file. what is as in Write.
func WriteInFolder(dir, name string, data []byte, what string) (path string, err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", explainSaveError(dir, err, what)
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

// IsFolderPath reports whether a path names a folder: an existing one, or a path with a slash at its
// end.
func IsFolderPath(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir() || err != nil && strings.HasSuffix(path, string(filepath.Separator))
}

// explainSaveError returns the error of writing a file as a person reads it, nil for nil.
func explainSaveError(path string, err error, what string) error {
	var at *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("there is no folder %s: create it first, or name another", filepath.Dir(path))
	case errors.As(err, &at):
		err = at.Err // the path in the error is that of a temporary file
	}
	return fmt.Errorf("cannot save %s as %s: %w", what, path, err)
}

// WriteStateFile writes data and a newline to one of Playhead's own files, which only the person can read. It
// creates the folder if necessary.
func WriteStateFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return ReplaceFile(path, append(data, '\n'), 0o600)
}
