package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"playhead/engine/outfile"
	"playhead/parse/infile"
)

// Write writes the change: all of it at once, into a file that is as it was when the
// change was made, and that lies in the document's folder, links followed.
func (d Draft) Write() error {
	if d.Err != nil || d.There {
		return d.Err
	}
	file, err := filepath.EvalSymlinks(d.File)
	if err != nil {
		return err
	}
	folder, err := filepath.EvalSymlinks(d.folder)
	if err != nil {
		return err
	}
	if rel, err := filepath.Rel(folder, file); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("%s lies outside the document's folder, at %s: change it there", d.File, file)
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no regular file", d.File)
	case info.Mode().Perm()&0o200 == 0:
		return fmt.Errorf("%s may not be written: change its permissions first", d.File)
	}
	now, err := infile.Read(file, infile.Given)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, d.Before) {
		return errors.New("the file has changed just now: look at the change again")
	}
	return outfile.Write(file, d.After, true, "the edit")
}
