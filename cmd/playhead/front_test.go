package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"playhead/engine/setup"

	"github.com/creack/pty"
)

// TestFront: without a name the program shows what there is to open, and opens what is
// chosen.
func TestFront(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("deploy.runbook.md", asking)
	size := pty.Winsize{Rows: 24, Cols: 100}
	x := openIn(t, size, dir)
	x.sees("deploy.runbook.md")
	x.sees("example:release")
	x.types("deploy")
	x.sees("2 Sure?")
	x.types("\r")
	x.sees("Trust this document?")
	x.types("y")
	x.sees("Yes or no?")
	x.types("q")
	x.ends(exitAwaiting)

	x = openIn(t, size, dir)
	x.sees("recent runs")
	x.sees("echo something said")
	x.types("\r")
	x.sees("Yes or no?")
	x.types("p")
	x.sees("✓ completed ·")
	x.types("q")
	x.ends(0)

	x = openIn(t, size, dir)
	x.sees("recent runs")
	x.types("\x1b")
	x.ends(0)

	x = openIn(t, size, dir, "--theme", "dusk")
	x.sees("recent runs")
	if err := x.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	x.gets("\x1b[?1049l") // the screen that was there before
	x.ends(exitSignal + int(syscall.SIGTERM))
}

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
	for _, d := range setup.FindDocuments(dir) {
		got = append(got, strings.TrimPrefix(filepath.ToSlash(d.Path), filepath.ToSlash(dir)+"/")+" "+d.Format)
	}
	want := []string{"a.runbook.md Rundown", "agents/f Climpt registry", "far/away/b.runbook.md Rundown"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestPreviewOfADocumentWithInputs: an input that the form asks for is not told as an error.
func TestPreviewOfADocumentWithInputs(t *testing.T) {
	got := strings.Join(previewDocument("../../examples/handover.md", 78), "\n")
	if !strings.Contains(got, "Take stock") || strings.Contains(got, "error") {
		t.Error(got)
	}
}

func TestAgo(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "just now", 90 * time.Second: "1 minute ago", 59 * time.Minute: "59 minutes ago",
		25 * time.Hour: "1 day ago", 80 * time.Hour: "3 days ago", -time.Hour: "just now",
	} {
		if got := ago(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}
