package files_test

import (
	"os"
	"path/filepath"
	"testing"

	"playhead/parse/files"
)

// TestSwappedLink: a file that was replaced by a link out of its folder after it was resolved is not read.
func TestSwappedLink(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home, secret, file := filepath.Join(dir, "home"), filepath.Join(dir, "secret"), filepath.Join(dir, "home", "sub", "p.md")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, secret} {
		if err := os.WriteFile(name, []byte(filepath.Base(name)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	real, err := files.OS.RealPath(file)
	if err != nil {
		t.Fatal(err)
	}
	if text, problem := files.ReadIn(files.OS, home, real, 99); problem != nil || string(text) != "p.md" {
		t.Fatalf("%q, %v", text, problem)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, file); err != nil {
		t.Fatal(err)
	}
	if text, problem := files.ReadIn(files.OS, home, real, 99); problem == nil {
		t.Errorf("%q is read from outside the folder", text)
	}
}
