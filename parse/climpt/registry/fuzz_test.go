package registry_test

import (
	"encoding/json"
	"testing"

	"playhead/parse/plan"
)

// FuzzParse: whatever a registry holds, it becomes a Plan that can be shown, and what
// can be run leads to steps that there are.
func FuzzParse(f *testing.F) {
	f.Add(notes)
	f.Add(whole)
	f.Add(`{"agentId": "x", "steps": {"a": {"structuredGate": {"allowedIntents": []}, "transitions": {"next": {"condition": "a", "targets": {"": "a"}}}}}}`)
	f.Fuzz(func(t *testing.T, registry string) {
		p := load(files(registry, wholeFiles), nil)
		if _, err := json.Marshal(p); err != nil {
			t.Fatal(err)
		}
		if !p.Runnable() {
			return
		}
		p.Walk(func(s, _ *plan.Step) bool {
			for _, r := range s.Routes {
				if to := r.Do.To.Step; to != "" && p.FindStep(to) == nil {
					t.Errorf("%s leads to %q, which is no step", s.ID, to)
				}
			}
			return true
		})
	})
}
