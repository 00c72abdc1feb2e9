package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// oldRuns copies the runs of testdata/journals into this test's state folder and returns their ids and reports by name.
// They are older than 2026-11-23: one for each format, a waiting retry, a rewind with an edit and a question, and a
// fork. Their documents are in the folder that the journals name.
func oldRuns(t *testing.T) (ids map[string]string, reports map[string][]byte) {
	t.Helper()
	ownState(t)
	home := t.TempDir()
	ids, reports = map[string]string{}, map[string][]byte{}
	archives, err := filepath.Glob("testdata/journals/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no journals", err)
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		for _, f := range archive.Files {
			f.Data = bytes.ReplaceAll(f.Data, []byte("/home/user"), []byte(home))
			if strings.Contains(f.Name, "/source/") && strings.HasSuffix(f.Name, ".runbook.md") {
				unpackFile(t, filepath.Join(home, "runbooks"), txtar.File{Name: filepath.Base(f.Name), Data: f.Data})
			}
			if f.Name == "report.json" {
				reports[name] = f.Data
				continue
			}
			ids[name], _, _ = strings.Cut(f.Name, "/")
			unpackFile(t, filepath.Join(xdg.StateHome, "playhead", "runs"), f)
		}
	}
	return ids, reports
}

// unpackFile writes one file of a run. The archive quotes files that have carriage returns or do not end with a
// newline.
func unpackFile(t *testing.T, dir string, f txtar.File) {
	t.Helper()
	name, quoted := strings.CutSuffix(f.Name, ".quoted")
	if quoted {
		var text string
		if err := json.Unmarshal(f.Data, &text); err != nil {
			t.Fatal(err)
		}
		f.Data = []byte(text)
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, f.Data, fs.FileMode(0o600)); err != nil {
		t.Fatal(err)
	}
}

// updateReport writes the report of an old run into its archive.
func updateReport(t *testing.T, name, report string) {
	t.Helper()
	path := filepath.Join("testdata/journals", name+".txtar")
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range archive.Files {
		if archive.Files[i].Name == "report.json" {
			var line bytes.Buffer
			if err := json.Compact(&line, []byte(report)); err != nil {
				t.Fatal(err)
			}
			archive.Files[i].Data = append(line.Bytes(), '\n')
		}
	}
	if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestOldJournals: runs of an earlier version are still listed, reported, replayed, compared and resumed in the same
// way.
func TestOldJournals(t *testing.T) {
	ids, reports := oldRuns(t)
	for name, want := range reports {
		t.Run(name, func(t *testing.T) {
			out, stderr, status := runApp(t, "export", ids[name], "--json")
			if status != 0 {
				t.Fatal(status, stderr)
			}
			if *update {
				updateReport(t, name, out)
				return
			}
			if d := cmp.Diff(decoded(t, want), decoded(t, []byte(out))); d != "" {
				t.Error("the report differs:", d)
			}
			for _, args := range [][]string{
				{"export", ids[name]}, {"export", ids[name], "--html"}, {"replay", ids[name], "--plain", "--speed", "16"}, {"edits", ids[name]},
			} {
				if out, stderr, status := runApp(t, args...); status != 0 || out == "" && args[0] != "edits" {
					t.Errorf("%v: status %d, %s", args, status, stderr)
				}
			}
		})
	}
	t.Run("compare", func(t *testing.T) {
		out, stderr, _ := runApp(t, "compare", ids["rewound"], ids["forked"])
		if !strings.Contains(out, "Rollback") {
			t.Error(out, stderr)
		}
	})
	t.Run("resume", func(t *testing.T) {
		out, stderr, status := runApp(t, "resume", ids["retry"], "--headless", "--json", "--trust", "--answer", "2=yes")
		if status != 0 || !strings.Contains(out, `"result":"completed"`) || strings.Contains(out, "tried") {
			t.Errorf("status %d: %s %s", status, out, stderr)
		}
	})
}

func decoded(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return v
}
