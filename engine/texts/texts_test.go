package texts_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"playhead/engine/texts"
)

// TestFetch: texts come only from the document's folder or a prompt folder (playbook.md §5).
func TestFetch(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("doc/a.md", "inside")
	write("doc/sub/b.md", "below")
	write("doc/big.md", strings.Repeat("x", 1<<20+1))
	write("secret.md", "outside")
	write("prompts/tone.md", "kindly")
	write("prompts/tone.txt", "never this one")
	write("prompts/plain.txt", "plainly")
	write("prompts/bare", "barely")
	write("more/tone.md", "not this one")
	write("more/late.md", "late")
	for link, to := range map[string]string{
		"doc/link.md": "../secret.md", "doc/near.md": "sub/b.md", "doc/up": "..",
		"prompts/out.md": "../secret.md", "prompts/like.md": "tone.md",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "doc", "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	library := texts.LibrarySource{filepath.Join(dir, "none"), filepath.Join(dir, "prompts"), filepath.Join(dir, "more")}
	f := texts.SourceByScheme{"file": texts.FolderSource(filepath.Join(dir, "doc")), "library": library, "": library}
	tests := []struct{ scheme, name, want, problem string }{
		{"file", "a.md", "inside", ""},
		{"library", "tone", "kindly", ""},
		{"", "tone", "kindly", ""},
		{"library", "plain", "plainly", ""},
		{"library", "bare", "barely", ""},
		{"library", "late", "late", ""},
		{"library", "like", "kindly", ""},
		{"file", "sub/b.md", "below", ""},
		{"file", "near.md", "below", ""},
		{"file", "gone.md", "", "gone.md: no such file"},
		{"file", "", "", "path is empty"},
		{"file", "../secret.md", "", "contains .."},
		{"file", "sub/../a.md", "", "contains .."},
		{"file", `sub\..\a.md`, "", "contains .."},
		{"file", "link.md", "", "link.md: path escapes"},
		{"file", "up/secret.md", "", "escapes"},
		{"file", filepath.Join(dir, "doc", "a.md"), "", "is absolute"},
		{"file", `C:\a.md`, "", "is absolute"},
		{"file", ".", "", "is a folder"},
		{"file", "pipe", "", "is a named pipe"},
		{"file", "big.md", "", "larger"},
		{"library", "../secret", "", "is not a valid prompt name"},
		{"library", "tone.md", "", "is not a valid prompt name"},
		{"library", "", "", "is not a valid prompt name"},
		{"library", "out", "", "escapes"},
		{"library", "gone", "", "there is no gone.md or gone.txt in " + filepath.Join(dir, "none") + ", " + filepath.Join(dir, "prompts") + ", "},
		{"mcp", "server/x", "", "no prompt source"},
	}
	for _, tt := range tests {
		got, err := f.Fetch(t.Context(), tt.scheme, tt.name, nil)
		if got != tt.want || (err == nil) != (tt.problem == "") || err != nil && !strings.Contains(err.Error(), tt.problem) {
			t.Errorf("%s:%s gives %.20q, %v", tt.scheme, tt.name, got, err)
		}
	}
	if _, err := texts.LibrarySource(nil).Fetch(t.Context(), "tone", nil); err == nil || !strings.Contains(err.Error(), "no prompt folder is configured") {
		t.Error(err)
	}
}
