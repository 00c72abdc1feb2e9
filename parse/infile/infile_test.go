package infile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"playhead/parse/infile"
)

// TestRead: a file that is too large or not regular is refused at once, and the error names the limit.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("fits"), "12345678")
	write(t, at("large"), "123456789")
	write(t, at("sparse"), "")
	if err := errors.Join(os.Truncate(at("sparse"), 1<<40), syscall.Mkfifo(at("pipe"), 0o600), os.Symlink("/dev/zero", at("link"))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		at("fits"):   "",
		"/dev/null":  "",
		at("large"):  "large is larger than 8 bytes",
		at("sparse"): "sparse is larger than 8 bytes",
		at("pipe"):   "pipe is a named pipe: it must be a regular file of at most 8 bytes",
		at("link"):   "link is a device: it must be a regular file of at most 8 bytes",
		"/dev/zero":  "/dev/zero is a device: it must be a regular file of at most 8 bytes",
		dir:          " is a folder: it must be a regular file of at most 8 bytes",
		at("none"):   "no such file",
	} {
		_, err := infile.Read(name, 8)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if memory, err := os.MkdirTemp("/dev/shm", ""); err == nil { // elsewhere in /dev are the pipes of shells
		defer os.RemoveAll(memory)
		pipe := filepath.Join(memory, "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := infile.Read(pipe, 8); err == nil || !strings.Contains(err.Error(), "pipe is a named pipe") {
			t.Errorf("a pipe in memory: %v", err)
		}
	}
	if _, err := infile.Read(at("none"), 8); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestReadIn: a link that stays in the folder is followed; a link that leads out of it is refused.
func TestReadIn(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(t.TempDir(), "out")
	write(t, out, "secret")
	write(t, filepath.Join(dir, "a"), "text")
	for name, target := range map[string]string{"inside": "a", "outside": out} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := infile.ReadIn(dir, "inside", 8); err != nil || string(data) != "text" {
		t.Errorf("%q, %v", data, err)
	}
	for _, name := range []string{"outside", "../" + filepath.Base(dir) + "/../x", out} {
		if data, err := infile.ReadIn(dir, name, 8); err == nil {
			t.Errorf("%s: %q", name, data)
		}
	}
	if _, err := infile.OpenIn(dir, "outside", os.O_WRONLY|os.O_APPEND|os.O_CREATE); err == nil {
		t.Error("a link out of the folder is written to")
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
