package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestDocuments: FindDocuments finds documents of all formats, whatever their names, and lists the nearest first.
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

// TestDoubtfulDocumentsComeLast: documents with numbered headings only are listed last, after those with commands below
// such headings, such as the instructions of a README.
func TestDoubtfulDocumentsComeLast(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.md":         "# Notes\n\n## 1. Background\n\nText.\n\n## 2. More\n\nText.\n",
		"b.md":         "# Restart\n\n## 1. Stop\n\n```sh\nstop\n```\n\n## 2. Start\n\nText.\n",
		"c.md":         "# Ask\n\n## 1. Sure?\n\n- YES: CONTINUE\n- NO: STOP\n\n## 2. Go\n\nText.\n",
		"e.md":         "# Rate\n\n## SYSTEM\n\nBe brief.\n\n## STEP 1: Rate\n\nRate it.\n",
		"d.runbook.md": "# Plain\n\n## 1. Look\n\nText.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, d := range FindDocuments(dir) {
		got = append(got, filepath.Base(d.Path))
	}
	if want := []string{"c.md", "d.runbook.md", "e.md", "b.md", "a.md"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestNearDocumentsBeforeTheLimit: a folder with very many documents does not hide a document that is nearer.
func TestNearDocumentsBeforeTheLimit(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	files := []string{"z.runbook.md"}
	for i := range maxDocuments {
		files = append(files, fmt.Sprintf("a/%d.runbook.md", i))
	}
	for _, name := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(asking), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := FindDocuments(dir)
	if len(got) != maxDocuments || filepath.Base(got[0].Path) != "z.runbook.md" {
		t.Errorf("%d documents, first %s", len(got), got[0].Path)
	}
}

// TestNumbersInNames: documents are sorted by the values of the numbers in their names.
func TestNumbersInNames(t *testing.T) {
	names := []string{"a/10 x", "a/2 x", "b", "a/02 y", "a-b/1", "a", "a2", "a10"}
	slices.SortFunc(names, compareNames)
	if want := []string{"a", "a-b/1", "a/2 x", "a/02 y", "a/10 x", "a2", "a10", "b"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
