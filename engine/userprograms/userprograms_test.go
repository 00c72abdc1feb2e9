package userprograms_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"playhead/engine/userprograms"
)

// TestEditorAt: each editor gets the line in its own syntax, and the file as one argument.
func TestEditorAt(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"vim", "emacs", "nano", "code", "hx", "ed"} {
		script := "#!/bin/sh\nprintf '%s|' \"$@\" > \"" + dir + "/got\"\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	for _, c := range []struct{ visual, command, want string }{
		{"vim", "", "+7|a b.md|"},
		{dir + "/emacs -nw", "", "-nw|+7|a b.md|"},
		{"nano", "", "+7|a b.md|"},
		{"code", "", "-g|a b.md:7|"},
		{"code --wait", "", "--wait|-g|a b.md:7|"},
		{"hx", "", "a b.md:7|"},
		{"ed", "", "a b.md|"},
		{"vim", "ed -p {line} {file}", "-p|7|a b.md|"},
		{"vim", "code --goto {file}:{line}", "--goto|a b.md:7|"},
		{"vim", `code --goto "{file}:{line}"`, "--goto|a b.md:7|"},
		{"vim", "code --goto '{file}:{line}' {file}", "--goto|a b.md:7|a b.md|"},
		{"vim", `code \"'it'"'s" "\"{file}"`, `"it's|"a b.md|`},
	} {
		t.Setenv("VISUAL", c.visual)
		cmd := userprograms.EditorCommandAt(c.command, "a b.md", 7)
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(filepath.Join(dir, "got"))
		if string(got) != c.want {
			t.Errorf("%s, %q: got %s, want %s", c.visual, c.command, got, c.want)
		}
	}
}

// TestShellError: ShellError ignores the exit status of a shell, because it is that of the last command.
func TestShellError(t *testing.T) {
	if err := userprograms.ShellError(exec.Command("sh", "-c", "exit 3").Run()); err != nil {
		t.Error(err)
	}
	if err := userprograms.ShellError(exec.Command("/nowhere/sh").Run()); err == nil || !strings.Contains(err.Error(), "the shell failed") {
		t.Errorf("got %v", err)
	}
}
