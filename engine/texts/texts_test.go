package texts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"playhead/engine/texts"
)

// TestFetch: texts come from the document's folder or a prompt folder, and from
// nowhere else (playbook.md §5).
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
	write("doc/big.md", strings.Repeat("x", 1<<20+1))
	write("secret.md", "outside")
	write("prompts/tone.md", "kindly")
	if err := os.Symlink("../secret.md", filepath.Join(dir, "doc", "link.md")); err != nil {
		t.Fatal(err)
	}
	f := texts.Files{Dir: filepath.Join(dir, "doc"), Library: []string{filepath.Join(dir, "none"), filepath.Join(dir, "prompts")}}
	tests := []struct{ scheme, name, want, problem string }{
		{"file", "a.md", "inside", ""},
		{"library", "tone", "kindly", ""},
		{"", "tone", "kindly", ""},
		{"file", "gone.md", "", "gone.md"},
		{"file", "../secret.md", "", "escapes"},
		{"file", "link.md", "", "escapes"},
		{"file", filepath.Join(dir, "secret.md"), "", "escapes"},
		{"file", ".", "", "no file"},
		{"file", "big.md", "", "larger"},
		{"library", "../secret", "", "names no prompt"},
		{"library", "gone", "", "no prompt folder"},
		{"mcp", "server/x", "", "scheme"},
	}
	for _, tt := range tests {
		got, err := f.Fetch(t.Context(), tt.scheme, tt.name)
		if got != tt.want || (err == nil) != (tt.problem == "") || err != nil && !strings.Contains(err.Error(), tt.problem) {
			t.Errorf("%s:%s gives %.20q, %v", tt.scheme, tt.name, got, err)
		}
	}
}
