package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// volatile are the parts of the output that differ from run to run, and their replacements.
var volatile = []struct {
	is *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`"time":"[^"]*"`), `"time":"TIME"`},
	{regexp.MustCompile(`"(started|ended)":"[^"]*"`), `"$1":"TIME"`},
	{regexp.MustCompile(`"duration_ms":\d+`), `"duration_ms":0`},
	{regexp.MustCompile(`"run":"[^"]*"`), `"run":"RUN"`},
	{regexp.MustCompile(`"(root|start)":"[^"]*"`), `"$1":"FOLDER"`},
	{regexp.MustCompile(`(?m)^  run   .*$`), `  run   RUN, TIME`},
	{regexp.MustCompile(`playhead resume [0-9a-f]+`), `playhead resume RUN`},
}

// golden compares output with a file; -update writes the file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	for _, v := range volatile {
		got = v.is.ReplaceAllString(got, v.as)
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s\nwant:\n%s", filepath.Base(path), got, want)
	}
}

// TestGolden compares the output of commands on the format's worked examples with recorded files.
func TestGolden(t *testing.T) {
	dir, err := filepath.Abs("testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("testdata/docs")
	ownState(t)
	release, tenants := "check-release.runbook.md", "move-tenants.runbook.md"
	decide := map[string]string{
		release: "pass,fail,fail,fail,fail,pass,pass,pass,fail,pass,no",
		tenants: "pass,fail,yes,pass,fail,no,yes,fail,no,no",
	}
	for doc, status := range map[string]int{release: exitFailed, tenants: exitOK} {
		for _, c := range []struct {
			golden string
			status int
			args   []string
		}{
			{"show.txt", 0, []string{"show", doc}},
			{"show.json", 0, []string{"show", doc, "--json"}},
			{"mermaid.txt", 0, []string{"show", doc, "--mermaid"}},
			{"dot.txt", 0, []string{"show", doc, "--dot"}},
			{"check.json", 0, []string{"check", doc, "--json"}},
			{"sarif.json", 0, []string{"check", doc, "--sarif"}},
			{"run.jsonl", status, []string{"run", doc, "--json", "--prompted", "--decide", decide[doc]}},
			{"run.txt", status, []string{"run", doc, "--headless", "--prompted", "--decide", decide[doc]}},
			{"test.json", 0, []string{"test", doc, "--json"}},
		} {
			t.Run(doc+" "+c.golden, func(t *testing.T) {
				stdout, stderr, got := runApp(t, c.args...)
				if got != c.status {
					t.Errorf("status %d, want %d; stderr:\n%s", got, c.status, stderr)
				}
				golden(t, filepath.Join(dir, doc+"."+c.golden), stdout)
			})
		}
	}
}
