package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"playhead/engine/preflight"
)

// TestPlacesOfAnAgent: each need of an agent names its file and its line in this file.
func TestPlacesOfAnAgent(t *testing.T) {
	dir := filepath.Join(filepath.Dir(document(t, "x", "")), "greeting")
	if err := os.CopyFS(dir, os.DirFS("../../examples/greeting")); err != nil {
		t.Fatal(err)
	}
	agent := filepath.Join(dir, "agent.json")
	text, err := os.ReadFile(agent)
	if err != nil {
		t.Fatal(err)
	}
	declared := strings.Replace(string(text), `"runner"`, "\"parameters\": {\n\"who\": {\"type\": \"string\", \"description\": \"x\", \"required\": true, \"cli\": \"--who\"}},\n\"runner\"", 1)
	if err := os.WriteFile(agent, []byte(declared), 0o600); err != nil {
		t.Fatal(err)
	}
	run, err := New(newOptions(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if found := run.missingNeeds(true); len(found) != 1 || found[0].File != agent || found[0].Line != 7 {
		t.Errorf("the input: %v", found)
	}
	registry := filepath.Join(dir, "steps_registry.json")
	needs := preflight.ListNeeds(run.Config.FirstPlan, preflight.Options{AsksModelServer: true})
	if n := needs[0]; n.File != registry || n.Line != 7 {
		t.Errorf("the model: %+v", n)
	}
	if c := run.Commands().All()[0]; c.File != registry || c.Line != 7 {
		t.Errorf("the tools: %+v", c)
	}
}
