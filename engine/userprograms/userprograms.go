// Package userprograms has the commands for the person's own programs: editor, pager and clipboard.
package userprograms

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/atotto/clipboard"
)

// CreateDraftFile creates a file with a text in a new temporary folder, which only the person can read. The caller
// removes the folder, which is filepath.Dir(path).
func CreateDraftFile(text string) (path string, err error) {
	dir, err := os.MkdirTemp("", "playhead-")
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, "text.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		_ = os.RemoveAll(dir) // report the first error
		return "", err
	}
	return path, nil
}

// ShellError returns why an interactive shell could not run, given the error of its exec.Cmd. It returns nil for a
// shell that exited, because its status is that of the last command in it.
func ShellError(err error) error {
	if err == nil || errors.As(err, new(*exec.ExitError)) {
		return nil
	}
	return fmt.Errorf("the shell failed: %w", err)
}

// EditorCommand returns a command that opens a file in the person's editor.
func EditorCommand(path string) *exec.Cmd {
	return ProgramCommand(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi"), path)
}

// EditorCommandAt returns a command that opens a file at a line. command may contain {file} and {line}. If
// it is empty, the person's editor is used, with the line if its syntax is known. It runs in the
// working folder.
func EditorCommandAt(command, path string, line int) *exec.Cmd {
	if command == "" {
		command = addPlaceholders(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi"))
	}
	return exec.Command("sh", "-c", fillPlaceholders(command, line), "sh", path)
}

// fillPlaceholders returns a shell command in which a line replaces {line}, and "$1" replaces {file}. "$1"
// is one word, whichever quotes surround {file}.
func fillPlaceholders(command string, line int) string {
	file := map[byte]string{0: `"$1"`, '"': `$1`, '\'': `'"$1"'`}
	var out strings.Builder
	quote := byte(0)
	for rest := command; rest != ""; {
		text, n := rest[:1], 1
		switch c := rest[0]; {
		case strings.HasPrefix(rest, "{file}"):
			text, n = file[quote], len("{file}")
		case strings.HasPrefix(rest, "{line}"):
			text, n = strconv.Itoa(line), len("{line}")
		case c == '\\' && quote != '\'' && len(rest) > 1:
			text, n = rest[:2], 2
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		}
		out.WriteString(text)
		rest = rest[n:]
	}
	return out.String()
}

// addPlaceholders adds {file}, and {line} if the syntax for it is known, to the command of an editor.
func addPlaceholders(name string) string {
	program, _, _ := strings.Cut(strings.TrimSpace(name), " ")
	switch filepath.Base(program) {
	case "vi", "vim", "nvim", "gvim", "view", "emacs", "emacsclient", "nano", "pico", "micro", "kak", "joe":
		return name + " +{line} {file}"
	case "code", "code-insiders", "codium", "vscodium", "cursor":
		return name + " -g {file}:{line}"
	case "hx", "helix", "zed", "subl":
		return name + " {file}:{line}"
	}
	return name + " {file}"
}

// ProgramCommand returns a command that runs a program on a file. name may contain arguments. It runs in
// the file's folder, because a document's folder might contain a configuration that is not the
// person's.
func ProgramCommand(name, path string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", name+` "$1"`, "sh", path)
	cmd.Dir = filepath.Dir(path)
	return cmd
}

// ClipboardWriter returns a function that writes to the system's clipboard, nil if no program for that is
// installed.
func ClipboardWriter() func(text string) error {
	if clipboard.Unsupported {
		return nil
	}
	return clipboard.WriteAll
}
