package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"playhead/engine/scenario"
	"playhead/engine/show"
	"playhead/parse/plan"
)

// TestConformance runs documents of others, in the folder CASES: those in valid load without errors and their scenarios
// end as declared, those in invalid are refused with a line and a cause, those in gallery run to their end.
func TestConformance(t *testing.T) {
	cases := os.Getenv("CASES")
	if cases == "" {
		t.Skip("CASES is not set: make conformance CASES=DIR")
	}
	ownState(t)
	each(t, filepath.Join(cases, "rundown", "valid"), conforms)
	each(t, filepath.Join(cases, "rundown", "invalid"), isRefused)
	each(t, filepath.Join(cases, "playbook", "gallery"), runsToItsEnd)
}

func each(t *testing.T, dir string, check func(*testing.T, string)) {
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents in %s: %v", dir, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(dir)+"/"+filepath.Base(file), func(t *testing.T) { check(t, file) })
	}
}

func conforms(t *testing.T, file string) {
	if stdout, _, status := runApp(t, "check", file); status != exitOK {
		t.Errorf("check: status %d\n%s", status, stdout)
	}
	stdout, stderr, status := runApp(t, "test", "--trust", "--json", file)
	if status != exitOK {
		t.Errorf("test: status %d\n%s", status, stderr)
	}
	var tested struct{ Files []scenario.FileReport }
	if err := json.Unmarshal([]byte(stdout), &tested); err != nil || len(tested.Files) != 1 {
		t.Fatalf("test: %v\n%s", err, stdout)
	}
	for _, s := range tested.Files[0].Scenarios {
		t.Logf("%s: %s", s.Name, s.Status)
		if s.Status == scenario.StatusFail {
			t.Errorf("%s: %s (%v)", s.Name, s.Reason, s.ActualPath)
		}
	}
}

func isRefused(t *testing.T, file string) {
	stdout, _, status := runApp(t, "check", "--json", file)
	if status != exitUsage {
		t.Errorf("check: status %d", status)
	}
	var checked struct{ Files []show.CheckedFile }
	if err := json.Unmarshal([]byte(stdout), &checked); err != nil || len(checked.Files) != 1 {
		t.Fatalf("check: %v\n%s", err, stdout)
	}
	for _, d := range checked.Files[0].Diagnostics {
		if d.Severity == plan.Error && d.Line > 0 && d.Code != "" && d.Message != "" {
			t.Log(d)
			return
		}
	}
	t.Errorf("no error with a line and a cause: %v", checked.Files[0].Diagnostics)
}
