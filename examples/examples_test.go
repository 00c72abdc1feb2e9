package examples

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	for _, name := range Names() {
		path, err := Write(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path = filepath.Join(path, "agent.json")
		}
		data, err := os.ReadFile(path)
		if err != nil || !ContainsFile(data) {
			t.Errorf("%s is not the example: %v", path, err)
		}
		if ContainsFile(append(data, '\n')) {
			t.Errorf("%s with one more byte is taken for the example", path)
		}
	}
	if path, err := Write(dir, "nothing"); err == nil {
		t.Errorf("there is an example nothing: %s", path)
	}
	if _, err := os.Stat(filepath.Join(dir, "verify.runbook.md")); err != nil {
		t.Errorf("the included runbook is missing: %v", err)
	}
}
