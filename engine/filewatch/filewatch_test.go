package filewatch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/goleak"

	"playhead/parse/plan"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// expect waits for the next changes and compares the names of the files.
func expect(t *testing.T, w *Watcher, want ...string) {
	t.Helper()
	var got []string
	select {
	case paths := <-w.Changes():
		for _, path := range paths {
			got = append(got, filepath.Base(path))
		}
	case <-time.After(30 * time.Second):
	}
	if !slices.Equal(got, want) {
		t.Errorf("changes %q, want %q", got, want)
	}
}

// TestSaves: the watcher reports a file that an editor writes, replaces, removes or changes through a link.
func TestSaves(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link.md")
	if err := os.Mkdir(real, 0o755); err != nil {
		t.Fatal(err)
	}
	a, b, linked := filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md"), filepath.Join(real, "c.md")
	for _, path := range []string{a, b, linked} {
		write(t, path, "1")
	}
	if err := os.Symlink(linked, link); err != nil {
		t.Fatal(err)
	}
	w := New()
	defer w.Close()
	w.SetFiles([]plan.File{{Path: a, Source: []byte("1")}, {Path: b, Source: []byte("0")}, {Path: link}, {Path: dir, IsFolder: true}})

	expect(t, w, "b.md") // the file changed after it was read and before it was watched
	write(t, a, "2")
	expect(t, w, "a.md")
	temporary := filepath.Join(real, "a.md.tmp")
	write(t, temporary, "3")
	if err := os.Rename(temporary, a); err != nil {
		t.Fatal(err)
	}
	expect(t, w, "a.md")
	write(t, linked, "2")
	expect(t, w, "link.md")
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	expect(t, w, filepath.Base(dir), "b.md")
	write(t, b, "2")
	expect(t, w, filepath.Base(dir), "b.md")

	w.SetFiles([]plan.File{{Path: linked}})
	write(t, a, "unwatched")
	write(t, linked, "3")
	expect(t, w, "c.md")
}

// TestFolderComes: the watcher reports a file whose folder is created and removed again.
func TestFolderComes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sub")
	file := filepath.Join(dir, "a.md")
	w := New()
	defer w.Close()
	w.SetFiles([]plan.File{{Path: file}})
	for _, text := range []string{"1", "2"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, file, text)
		expect(t, w, "a.md")
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		expect(t, w, "a.md")
	}
}

// TestSettles: the watcher reports files only when all of them have been quiet, and only if their content differs.
func TestSettles(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.md"), filepath.Join(dir, "b.md")
	write(t, a, "1")
	write(t, b, "1")
	synctest.Test(t, func(t *testing.T) {
		events := make(chan fsnotify.Event)
		w := startWatcher(nil, events, nil)
		defer w.Close()
		w.SetFiles([]plan.File{{Path: a}, {Path: b}})
		time.Sleep(2 * settleTime)
		begin := time.Now()
		for _, path := range []string{a, b} {
			write(t, path, "2")
			for range 3 {
				events <- fsnotify.Event{Name: path, Op: fsnotify.Write}
				time.Sleep(settleTime / 2)
			}
		}
		got := <-w.Changes()
		if want := []string{a, b}; !slices.Equal(got, want) {
			t.Errorf("changes %q, want %q", got, want)
		}
		if took := time.Since(begin); took != 3*settleTime+settleTime/2 {
			t.Errorf("reported after %v", took)
		}
		write(t, a, "2")
		events <- fsnotify.Event{Name: a, Op: fsnotify.Write}
		events <- fsnotify.Event{Name: filepath.Join(dir, "other.log"), Op: fsnotify.Write}
		select {
		case got := <-w.Changes():
			t.Errorf("changes %q, but no content changed", got)
		case <-time.After(10 * pollInterval):
		}
	})
}

// TestPolls: the watcher polls the files when the system has no watches left.
func TestPolls(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.md")
	write(t, file, "1")
	synctest.Test(t, func(t *testing.T) {
		w := startWatcher(nil, nil, nil)
		defer w.Close()
		w.SetFiles([]plan.File{{Path: file}})
		time.Sleep(2 * pollInterval)
		write(t, file, "2")
		expect(t, w, "a.md")
	})
}

// TestFiles: DocumentAndIncludedFiles lists the files of included documents, even those that are missing.
func TestFiles(t *testing.T) {
	p := &plan.Plan{Path: "example:a", Source: []byte("a")}
	child := &plan.Plan{Path: "dir/b.md", Files: []plan.File{{Path: "dir/b.md"}, {Path: "dir/b.txt"}}}
	child.IncludedDocuments = []plan.IncludedDocument{{WrittenPath: "a.md", Plan: p}}
	p.IncludedDocuments = []plan.IncludedDocument{{WrittenPath: "b.md", Plan: child}, {WrittenPath: "c.md"}, {WrittenPath: "/d.md"}}
	var got []string
	for _, f := range DocumentAndIncludedFiles(p, "dir/a.md") {
		got = append(got, f.Path)
	}
	if want := []string{"dir/a.md", "dir/b.md", "dir/b.txt", "dir/c.md", "/d.md"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}
