// Package outside runs the person's own programs on texts: their editor, their pager.
package outside

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

// EditorAt is an editor on a line of a file. command has {file} and {line} where those stand; if it is
// empty, it is the person's editor, which is told the line where Playhead knows how. It runs where
// Playhead does.
func EditorAt(command, path string, line int) *exec.Cmd {
	if command == "" {
		command = withPlace(cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"), "vi"))
	}
	return exec.Command("sh", "-c", filled(command, line), "sh", path)
}

// filled returns a command of a shell with a line in the place of {line}, and "$1" in that of {file},
// as one word in whatever quotes that stands.
func filled(command string, line int) string {
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

// withPlace adds to the name of an editor how it takes a file and a line.
func withPlace(name string) string {
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

// Program is a program on a file. What names it may hold arguments. It runs beside the
// file: in a document's folder it might find a configuration that is not the person's.
func Program(name, path string) *exec.Cmd {
	cmd := exec.Command("sh", "-c", name+` "$1"`, "sh", path)
	cmd.Dir = filepath.Dir(path)
	return cmd
}

// Clipboard returns what writes to the system's clipboard; nil where no program for that is
// installed.
func Clipboard() func(text string) error {
	if clipboard.Unsupported {
		return nil
	}
	return clipboard.WriteAll
}
