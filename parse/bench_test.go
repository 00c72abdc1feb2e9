package parse

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkStepflow: a step flow of 1,000 steps, each with files of its own.
func BenchmarkStepflow(b *testing.B) {
	files := map[string]string{}
	var steps []string
	for i := range 1000 {
		steps = append(steps, fmt.Sprintf(`"s_%04x": {"id": "s_%04x", "name": "Step", "prompt": {"c1": "steps", "c2": "a", "c3": "n%d"},
			"check": {"prompt": {"path": "checks/%d.md"}, "responseFormat": {"result": "ok|ng"}, "onPass": {"next": "s_%04x"}, "onFail": {"retry": true, "maxRetries": 2}}}`, i, i, i, i, (i+1)%1000))
		files[fmt.Sprintf("prompts/steps/a/n%d/f_default.md", i)] = "Do {topic}.\n"
		files[fmt.Sprintf("prompts/checks/%d.md", i)] = "Is it done?\n"
	}
	files["steps_registry.json"] = `{"version": "1.0.0", "basePath": "prompts", "entryStep": "s_0000", "steps": {` + strings.Join(steps, ",\n") + `}}`
	dir := write(b, files)
	b.ReportAllocs()
	for b.Loop() {
		if p := Load(dir, Options{}); len(p.Steps) != 1000 {
			b.Fatal(p.Diagnostics)
		}
	}
}
