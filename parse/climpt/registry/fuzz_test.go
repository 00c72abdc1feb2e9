package registry_test

import (
	"encoding/json"
	"testing"

	"playhead/parse/plan"
)

// FuzzParse: any registry becomes a Plan that can be encoded, and the routes of a runnable Plan lead to existing steps.
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
