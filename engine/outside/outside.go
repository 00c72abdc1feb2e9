// Package outside runs the person's own programs on texts: their editor, their pager.
package outside

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Draft is a file of a text in a folder of its own, which only the person can read. The
// folder is the caller's to remove.
func Draft(text string) (path string, err error) {
	dir, err := os.MkdirTemp("", "playhead-")
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, "text.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		_ = os.RemoveAll(dir) // the first error is the one to tell
		return "", err
	}
	return path, nil
}

// ShellError returns why a shell failed, nil for one that exited: its status is that of the last
// command in it.
func ShellError(err error) error {
	if err == nil || errors.As(err, new(*exec.ExitError)) {
		return nil
	}
	return fmt.Errorf("the shell failed: %w", err)
}

// Editor is the person's editor on a file.
func Editor(path string) *exec.Cmd {
	return Program(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi"), path)
}

// Program is a program on a file. What names it may hold arguments. It runs beside the
// file: in a document's folder it might find a configuration that is not the person's.
func Program(name, path string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", name+` "$1"`, "sh", path)
	cmd.Dir = filepath.Dir(path)
	return cmd
}
