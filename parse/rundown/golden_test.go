package rundown

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// TestWorkedExamples (spec §7) compares the JSON of the documents of §7.1 and §7.2 with recorded files.
func TestWorkedExamples(t *testing.T) {
	for _, name := range []string{"release-check", "move-tenants"} {
		file, err := os.ReadFile("testdata/" + name + ".runbook.md")
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(Parse(name+".runbook.md", file, Options{})); err != nil {
			t.Fatal(err)
		}
		golden := "testdata/" + name + ".json"
		if *update {
			if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
