package playbook

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

// TestShow compares the JSON of a document that uses every feature with a recorded file.
func TestShow(t *testing.T) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(Parse("survey.playbook.md", slurp(t, "testdata/survey.playbook.md"), Options{})); err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/survey.json"
	if *update {
		if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := string(slurp(t, golden))
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(b.String(), "\n")); diff != "" {
		t.Error(diff)
	}
}
