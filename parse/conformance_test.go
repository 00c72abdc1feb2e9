package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"playhead/parse/plan"
)

// causes maps known documents of rundown/invalid to the errors that they must have. Any other document there must have
// some error.
var causes = map[string]string{
	"duplicate-substep-id":  "3 rundown/substep-duplicate",
	"goto-nonexistent-step": "2 rundown/goto-step-missing",
	"h4-header":             "3 rundown/heading-depth",
	"nested-retry":          "2 rundown/retry-nested",
	"no-steps":              "1 rundown/no-steps",
	"non-sequential-steps":  "2 rundown/step-sequence",
	"reserved-word-name":    "6 rundown/step-heading",
	"wrong-parent-prefix":   "2 rundown/substep-parent",
}

// TestConformance loads the documents in the folder that CASES names: those in valid are runnable, those in invalid are
// not.
func TestConformance(t *testing.T) {
	cases := os.Getenv("CASES")
	if cases == "" {
		t.Skip("CASES names no folder of documents")
	}
	for kind, ok := range map[string]bool{"valid": true, "invalid": false} {
		files, _ := filepath.Glob(filepath.Join(cases, "rundown", kind, "*.md"))
		if len(files) == 0 {
			t.Errorf("no documents in %s/rundown/%s", cases, kind)
		}
		for _, file := range files {
			p := Load(file, Options{})
			if p.Runnable() != ok {
				t.Errorf("%s: %v", file, p.Diagnostics)
			}
			name := strings.TrimSuffix(filepath.Base(file), ".runbook.md")
			if want := causes[name]; !ok && want != "" && refusals(p) != want {
				t.Errorf("%s: got %s, want %s", file, refusals(p), want)
			}
		}
	}
}

func refusals(p *plan.Plan) string {
	var out []string
	for _, d := range p.Diagnostics {
		if d.Severity == plan.Error {
			out = append(out, fmt.Sprint(d.Line, " ", d.Code))
		}
	}
	return strings.Join(out, ", ")
}
