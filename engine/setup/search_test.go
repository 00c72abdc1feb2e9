package setup

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestDocuments: those of any format are found, at whatever name reads so, nearest first.
func TestDocuments(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"far/away/b.runbook.md":       asking,
		"a.runbook.md":                asking,
		"README.md":                   "# Nothing to do\n\nProse.\n",
		"node_modules/x/c.runbook.md": asking,
		".hidden/d.runbook.md":        asking,
		"1/2/3/4/5/e.runbook.md":      asking,
		"package.json":                "{}",
		"agents/f/steps_registry.json": `{"agentId": "f", "version": "1.0.0", "c1": "steps", "entryStep": "initial.x",
			"steps": {"initial.x": {"stepId": "initial.x", "name": "x", "c2": "initial", "c3": "x", "edition": "default", "stepKind": "work"}}}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, d := range FindDocuments(dir) {
		got = append(got, strings.TrimPrefix(filepath.ToSlash(d.Path), filepath.ToSlash(dir)+"/")+" "+d.Format)
	}
	want := []string{"a.runbook.md Rundown", "agents/f Climpt registry", "far/away/b.runbook.md Rundown"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
