package journal

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"playhead/parse/plan"
)

// loader finds included documents as rundown.md §5.7 says, in files that list one path a line: beside the document that
// lists it, then in the start directory, and never outside both. It reads a file once, under the first name that it
// finds.
type loader struct {
	t     *testing.T
	start string
	roots []string
	known map[string]*plan.Plan
}

func load(t *testing.T, path, start string) *plan.Plan {
	t.Helper()
	l := &loader{t, start, nil, map[string]*plan.Plan{}}
	for _, dir := range []string{filepath.Dir(path), start} {
		root := realPath(dir)
		if root == "" {
			t.Fatalf("%s is gone", dir)
		}
		l.roots = append(l.roots, root)
	}
	return l.load(path)
}

func (l *loader) load(path string) *plan.Plan {
	p := &plan.Plan{Path: path, Source: contents(l.t, path)}
	for line := range strings.Lines(string(p.Source)) {
		p.IncludedDocuments = append(p.IncludedDocuments, l.child(p, strings.TrimSpace(line)))
	}
	return p
}

func (l *loader) child(p *plan.Plan, path string) plan.IncludedDocument {
	for _, dir := range []string{filepath.Dir(p.Path), l.start} {
		at := filepath.Join(dir, path)
		real := realPath(at)
		if real == "" || !isInside(real, l.roots[0]) && !isInside(real, l.roots[1]) {
			continue
		}
		if l.known[real] == nil {
			l.known[real] = l.load(at)
		}
		return plan.IncludedDocument{WrittenPath: path, Plan: l.known[real]}
	}
	return plan.IncludedDocument{WrittenPath: path}
}

// realPath returns the path of a file with links followed, "" without a file.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return ""
	}
	return real
}

// outline returns a document and its children as one line, without their paths.
func outline(p *plan.Plan) string {
	var b strings.Builder
	b.WriteString(string(p.Source))
	for _, c := range p.IncludedDocuments {
		b.WriteString("(" + c.WrittenPath + ":")
		if c.Plan != nil {
			b.WriteString(outline(c.Plan))
		}
		b.WriteString(")")
	}
	return strings.ReplaceAll(b.String(), "\n", ";")
}

func TestCopiesFindTheSameChildren(t *testing.T) {
	cases := map[string]struct {
		files          map[string]string // "-> x" is a link to x
		document, root string
		start          string
	}{
		"alone":            {files: map[string]string{"a": ""}, document: "a", start: "."},
		"beside":           {files: map[string]string{"books/a": "b\nsub/c\n", "books/b": "", "books/sub/c": "d\n", "books/sub/d": ""}, document: "books/a", start: "."},
		"in the start":     {files: map[string]string{"books/a": "b\n", "work/b": "c\n", "work/c": ""}, document: "books/a", start: "work"},
		"beside wins":      {files: map[string]string{"books/a": "b\n", "books/b": "none\n", "work/b": ""}, document: "books/a", start: "work"},
		"above":            {files: map[string]string{"books/a": "../b\n", "b": "books/c\n", "books/c": ""}, document: "books/a", start: "."},
		"above the start":  {files: map[string]string{"x/books/a": "../lib/b\n", "x/lib/b": ""}, document: "x/books/a", start: "x/work"},
		"far from start":   {files: map[string]string{"x/y/a": "b\n", "x/y/b": "c\n", "p/q/c": ""}, document: "x/y/a", start: "p/q"},
		"twice":            {files: map[string]string{"a": "b\nc\n", "b": "c\n", "c": ""}, document: "a", start: "."},
		"missing":          {files: map[string]string{"a": "b\nnone\n", "b": ""}, document: "a", start: "."},
		"a link":           {files: map[string]string{"a": "b\n", "b": "-> lib/real", "lib/real": ""}, document: "a", start: "."},
		"two names":        {files: map[string]string{"a": "lib/real\nb\n", "b": "-> lib/real", "lib/real": "c\n", "lib/c": ""}, document: "a", start: "."},
		"a linked folder":  {files: map[string]string{"real/a": "b\n", "lib": "-> real", "real/b": "c\n", "real/c": ""}, document: "lib/a", start: "lib"},
		"outside":          {files: map[string]string{"x/books/a": "../b\n", "x/b": ""}, document: "x/books/a", start: "x/work"},
		"a link to a dir":  {files: map[string]string{"a": "lib/b\n", "lib": "-> real", "real/b": "c\n", "real/c": ""}, document: "a", start: "."},
		"an odd file name": {files: map[string]string{"bü\xffcher/a": "b\n", "bü\xffcher/b": ""}, document: "bü\xffcher/a", start: "bü\xffcher"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			plant(t, dir, c.files)
			document, startDir := filepath.Join(dir, c.document), filepath.Join(dir, c.start)
			if err := os.MkdirAll(startDir, 0o700); err != nil {
				t.Fatal(err)
			}
			p := load(t, document, startDir)
			s := NewVolatileStore(t.TempDir())
			r, err := s.Create(p, startDir)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = r.Close() }()
			if changes, err := r.ChangedDocuments(); err != nil || len(changes) > 0 {
				t.Errorf("Changed = %v, %v", changes, err)
			}
			if err := os.RemoveAll(dir); err != nil { // nothing but the copy is left
				t.Fatal(err)
			}
			src, err := r.SourcePaths()
			if err != nil {
				t.Fatal(err)
			}
			same(t, "originals", SourcePaths{src.DocumentCopy, src.StartFolderCopy, document, startDir}, src)
			if info, err := os.Stat(src.StartFolderCopy); err != nil || !info.IsDir() {
				t.Errorf("the copied start directory: %v", err)
			}
			got := load(t, src.DocumentCopy, src.StartFolderCopy)
			same(t, "outline", outline(p), outline(got))
		})
	}
}

func plant(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, name)
		target, link := strings.CutPrefix(content, "-> ")
		if !link {
			write(t, path, []byte(content))
			continue
		}
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRelativeNames: a document that is named by a relative path is copied with the documents that it includes.
func TestRelativeNames(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	plant(t, ".", map[string]string{"books/a": "b\n", "b": "c\n", "c": ""})
	r, err := NewVolatileStore(t.TempDir()).Create(load(t, "books/a", "."), ".")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	for _, name := range []string{"books/a", "b", "c"} {
		if _, err := os.Stat(filepath.Join(r.Dir(), "source", name)); err != nil {
			t.Error(err)
		}
	}
	if changes, err := r.ChangedDocuments(); err != nil || len(changes) > 0 {
		t.Errorf("Changed = %v, %v", changes, err)
	}
}

// TestDocumentAmongItsFiles: a document of several files is copied too if the person named one of them.
func TestDocumentAmongItsFiles(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "registry.json"), filepath.Join(dir, "prompt.md")
	files := []plan.File{{Path: first, Source: []byte("{}")}, {Path: second, Source: []byte("Say.")}, {Path: second, Source: []byte("Say.")}}
	for _, path := range []string{dir, first} {
		r, err := NewVolatileStore(t.TempDir()).Create(&plan.Plan{Path: path, Files: files}, dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			at, err := r.CopyPath(f.Path)
			if err != nil {
				t.Fatal(err)
			}
			same(t, f.Path, string(f.Source), string(contents(t, at)))
		}
		_ = r.Close()
	}
}

func TestCopiesAreWhatWasLoaded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.runbook.md")
	p := document(path)
	write(t, path, []byte("edited since"))
	r, err := NewVolatileStore(t.TempDir()).Create(p, ".")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	src, err := r.SourcePaths()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "copy", string(p.Source), string(contents(t, src.DocumentCopy)))
	changes, err := r.ChangedDocuments()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "changes", []DocumentChange{{Path: path}}, changes)
}

func TestChanged(t *testing.T) {
	cases := map[string]struct {
		change func(path string) error
		want   string
	}{
		"not":      {func(string) error { return nil }, ""},
		"touched":  {func(path string) error { return os.Chmod(path, 0o644) }, ""},
		"edited":   {func(path string) error { return os.WriteFile(path, []byte("b"), 0o600) }, "has changed"},
		"gone":     {os.Remove, "cannot be read"},
		"a folder": {func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }, "cannot be read"},
		"a pipe":   {func(path string) error { return errors.Join(os.Remove(path), unix.Mkfifo(path, 0o600)) }, "cannot be read"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			plant(t, dir, map[string]string{"a": "b\n", "b": ""})
			r, err := NewVolatileStore(t.TempDir()).Create(load(t, filepath.Join(dir, "a"), dir), dir)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = r.Close() }()
			child := filepath.Join(dir, "b")
			if err := c.change(child); err != nil {
				t.Fatal(err)
			}
			changes, err := r.ChangedDocuments()
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" && len(changes) > 0 || c.want != "" && (len(changes) != 1 || !strings.HasPrefix(changes[0].String(), child+" "+c.want)) {
				t.Errorf("Changed = %v, want %q", changes, c.want)
			}
		})
	}
}

func TestDamagedManifest(t *testing.T) {
	for _, content := range []string{"", "{", `{"base":"/a","document":"/b/c","start":"/a"}`, `{"base":"/a","document":"\"x","start":"/a"}`} {
		_, r := newRun(t)
		write(t, filepath.Join(r.Dir(), "source.json"), []byte(content))
		if src, err := r.SourcePaths(); err == nil || !strings.Contains(err.Error(), "source.json") && !strings.Contains(err.Error(), "cannot tell") {
			t.Errorf("source.json %q: %v, %v", content, src, err)
		}
	}
	_, r := newRun(t)
	if err := os.Remove(filepath.Join(r.Dir(), "source.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ChangedDocuments(); err == nil {
		t.Error("want an error")
	}
}
