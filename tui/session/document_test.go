package session

import (
	"testing"

	"playhead/engine"
	"playhead/parse/plan"
)

// TestWatchedFiles: the file that is watched is the saved document, whatever the run calls it. A file
// that is not there would count as changed again and again.
func TestWatchedFiles(t *testing.T) {
	saved := &engine.Offer{Version: &engine.Version{File: "/cache/release.runbook.md", Plan: &plan.Plan{Path: "example:release", Source: []byte("# A")}}}
	if got := watchedFiles(saved); len(got) != 1 || got[0].Path != "/cache/release.runbook.md" || string(got[0].Source) != "# A" {
		t.Errorf("%+v", got)
	}
	if saved.Plan.Path != "example:release" {
		t.Errorf("the document is now called %s", saved.Plan.Path)
	}
}
