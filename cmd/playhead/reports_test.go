package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/net/html"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/report"
	"playhead/engine/runs"
)

// newestRun returns the report and the history of the newest run, with fixed times.
func newestRun(t *testing.T) (*report.Report, journal.History) {
	t.Helper()
	all, err := journal.DefaultStore().List()
	if err != nil || len(all) == 0 {
		t.Fatal("no run", err)
	}
	h, err := journal.DefaultStore().ReadHistory(all[0].Run)
	if err != nil {
		t.Fatal(err)
	}
	took := int64(40)
	for i := range h.Events {
		h.Events[i].Time = time.Date(2026, 3, 14, 9, 26, 0, 0, time.UTC).Add(time.Duration(i) * 100 * time.Millisecond)
		switch b := h.Events[i].Body.(type) {
		case *machine.RunStarted:
			b.RunID = "7f3a"
		case *machine.ActionFinished:
			if b.DurationMS != nil {
				b.DurationMS = &took
			}
		}
	}
	p, _, err := runs.InitialPlanOrStub(h)
	if err != nil {
		t.Fatal(err)
	}
	return runs.BuildReport(p, h), h
}

// exampleRuns are arguments that run one example of each format but rundown, in the folder of the examples.
var exampleRuns = map[string][]string{
	"playbook": {"triage.playbook.md", "--input", "service=checkout", "--replies", "triage.replies.yaml", "--answer", "2b=Bo, who is on call", "--answer", "3=yes"},
	"stepflow": {"essay", "--replies", "essay.replies.yaml"},
	"registry": {"changelog", "--replies", "changelog.replies.yaml", "--trust"},
	"workflow": {"handover.md", "--input", "FOLDER=docs", "--replies", "handover.replies.yaml", "--trust"},
}

// TestReportGolden compares the reports of one run of each format with recorded files.
func TestReportGolden(t *testing.T) {
	dir, err := filepath.Abs("testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	docs, err := filepath.Abs("testdata/docs")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../examples")
	all := maps.Clone(exampleRuns)
	all["rundown"] = []string{filepath.Join(docs, "check-release.runbook.md"), "--prompted", "--decide", "pass,fail,fail,fail,fail,pass,pass,pass,fail,pass,no"}
	for name, args := range all {
		t.Run(name, func(t *testing.T) {
			ownState(t)
			runApp(t, append([]string{"run", "--headless"}, args...)...)
			r, _ := newestRun(t)
			r.DocumentPath = filepath.Base(r.DocumentPath)
			for _, suffix := range []string{runs.MarkdownSuffix, runs.HTMLSuffix, runs.JSONSuffix} {
				data, err := runs.EncodeReport(r, suffix)
				if err != nil {
					t.Fatal(err)
				}
				golden(t, filepath.Join(dir, "report-"+name+suffix), string(data))
			}
		})
	}
}

// TestReportSchema validates exported reports of all examples against the printed schema: of finished runs, of a
// waiting one, and of forks.
func TestReportSchema(t *testing.T) {
	ownState(t)
	t.Chdir("../../examples")
	_, stderr, _ := runApp(t, "export", "--schema", "7f3a")
	if want := `--schema takes no RUN: remove "7f3a"`; !strings.Contains(stderr, want) {
		t.Errorf("with a RUN, stderr is %q, want %q", stderr, want)
	}
	stdout, _, _ := runApp(t, "export", "--schema")
	var s jsonschema.Schema
	if err := json.Unmarshal([]byte(stdout), &s); err != nil {
		t.Fatal(err)
	}
	schema, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	all := maps.Clone(exampleRuns)
	all["release"] = []string{"release.runbook.md", "--prompted", "--decide", "pass,pass,pass,pass,pass,fail,fail,fail,pass"}
	all["verify"] = []string{"verify.runbook.md", "--prompted", "--decide", "pass,fail"}
	all["waits"] = []string{"triage.playbook.md", "--input", "service=checkout", "--replies", "triage.replies.yaml"}
	all["waits for a reply"] = []string{"essay", "--source", "manual"}
	for name, args := range all {
		if _, stderr, status := runApp(t, append([]string{"run", "--headless"}, args...)...); status == exitUsage {
			t.Fatalf("%s: %s", name, stderr)
		}
		_, h := newestRun(t)
		fork, _, _ := runApp(t, "fork", h.ID())
		for _, run := range []string{h.ID(), strings.TrimSpace(fork)} {
			stdout, stderr, status := runApp(t, "export", "--json", run)
			var v map[string]any
			if err := json.Unmarshal([]byte(stdout), &v); err != nil || status != exitOK {
				t.Fatalf("%s: status %d, %v: %s", name, status, err, stderr)
			}
			if err := schema.Validate(v); err != nil {
				t.Errorf("%s, %v: %v", name, v["result"], err)
			}
			delete(v, "steps")
			if schema.Validate(v) == nil {
				t.Errorf("%s: the schema accepts a report without steps", name)
			}
		}
	}
}

// hostile are texts of documents, commands and people that try to break out of their place in a report.
var hostile = []string{
	`<script>alert(1)</script>`, `</pre></details><img src=x onerror=alert(1)>`, `"><b onmouseover="x">`, `' onclick='x`, `]]>`, `--><h1>x`, `{{.Run}}`,
	"```\n# out\n````\n~~~", "a\u202egnp.exe\u2066", "\x1b]0;title\x07\x1b[2J\x1b[31mred\x1b[0m", "| a | b\\| c |", "[x](javascript:alert(1)) ![y](http://evil.example/z) <http://evil.example>",
	"@everyone www.evil.example http://evil.example", "\x1b[38;5;1\"><script>m", strings.Repeat("W", 100_000),
}

// tame returns harmless texts with the same lengths and lines as those of hostile.
func tame() []string {
	var out []string
	for _, s := range hostile {
		out = append(out, strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return 'h'
		}, s))
	}
	return out
}

// TestHostileReport: no element or attribute of the HTML page comes from a text of the run, and no report has control
// characters.
func TestHostileReport(t *testing.T) {
	ownState(t)
	dir := t.TempDir()
	quiet := said(t, dir, tame())
	evil := said(t, dir, hostile)
	page, err := evil.HTML()
	if err != nil {
		t.Fatal(err)
	}
	calm, err := quiet.HTML()
	if err != nil {
		t.Fatal(err)
	}
	allowed, _ := markup(t, calm)
	allowed["span class"] = true // colours, and marks of omitted text
	got, text := markup(t, page)
	for _, what := range slices.Sorted(maps.Keys(got)) {
		if !allowed[what] {
			t.Errorf("the page has %s", what)
		}
	}
	for _, want := range []string{hostile[0], hostile[2], hostile[4], "{{.Run}}"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks the text %q", want)
		}
	}
	data, err := evil.JSON()
	if err != nil || !json.Valid(data) {
		t.Errorf("the report is not valid JSON: %v", err)
	}
	for name, data := range map[string][]byte{"HTML": page, "Markdown": evil.Markdown(), "JSON": data} {
		if bytes.ContainsAny(data, "\x1b\x07\u202e\u2066") {
			t.Errorf("control characters in the %s", name)
		}
	}
}

// said returns the report of a run with these texts in its titles, the output of a command, an answer and notes.
func said(t *testing.T, dir string, all []string) *report.Report {
	t.Helper()
	text := strings.Join(all, "\n")
	file := filepath.Join(dir, "said.txt")
	answers := filepath.Join(dir, "answers.json")
	quoted, _ := json.Marshal(map[string]any{"decide": []string{"complete:" + strings.Join(all, " ")}})
	doc := "# Report\n## 1. " + strings.ReplaceAll(all[0], "\n", " ") + "\n```sh\ncat said.txt\n```\n## 2. Ask\n"
	for name, content := range map[string]string{file: text, answers: string(quoted), filepath.Join(dir, "said.runbook.md"): doc} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	if _, stderr, status := runApp(t, "run", "said.runbook.md", "--headless", "--trust", "--answers", answers); status != exitOK {
		t.Fatalf("status %d: %s", status, stderr)
	}
	r, _ := newestRun(t)
	r.Title, r.Changes = text, []report.Change{{Description: text, Note: text, EffectsNotUndone: all}}
	r.Warnings = []report.Warning{{Step: text, Message: text}}
	r.Variables = []report.Variable{{Name: text, Value: all}}
	return r
}

// markup returns every element and attribute of a page, and its text.
func markup(t *testing.T, page []byte) (all map[string]bool, text string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	all = map[string]bool{}
	var b strings.Builder
	for n := range root.Descendants() {
		switch n.Type {
		case html.TextNode:
			b.WriteString(n.Data)
		case html.CommentNode:
			all["a comment"] = true
		case html.ElementNode:
			all[n.Data] = true
			for _, a := range n.Attr {
				all[n.Data+" "+a.Key] = true
			}
		}
	}
	return all, b.String()
}

// TestMarkdownStaysInPlace: with hostile texts the Markdown report has the same headings and blocks as with harmless
// ones.
func TestMarkdownStaysInPlace(t *testing.T) {
	ownState(t)
	dir := t.TempDir()
	if want, got := outlineOf(said(t, dir, tame()).Markdown()), outlineOf(said(t, dir, hostile).Markdown()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestReportIsMasked: no report and no exported scenario contains a secret.
func TestReportIsMasked(t *testing.T) {
	ownState(t)
	t.Setenv("TOKEN", "hunter2-secret")
	dir := t.TempDir()
	doc := "# Secret\n## INPUTS\n- `key` (string): it\n## STEP 1: Ask\nSay {{key}}.\n@output(heard)\n## STEP 2: Again\n{{heard}} and {{key}}\n"
	for name, content := range map[string]string{"s.playbook.md": doc, "r.yaml": "\"1\": you said hunter2-secret\n\"2\": hunter2-secret it is\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	_, stderr, status := runApp(t, "run", "s.playbook.md", "--headless", "--input", "key=hunter2-secret", "--secret", "key", "--replies", "r.yaml")
	if status != exitOK {
		t.Fatal(stderr)
	}
	r, h := newestRun(t)
	for _, suffix := range []string{runs.MarkdownSuffix, runs.HTMLSuffix, runs.JSONSuffix} {
		data, err := runs.EncodeReport(r, suffix)
		if err != nil || bytes.Contains(data, []byte("hunter2")) || !bytes.Contains(data, []byte(journal.SecretPlaceholder)) {
			t.Errorf("%s contains the secret, or lacks its placeholder: %v", suffix, err)
		}
	}
	out, _, _ := runApp(t, "export", h.ID(), "--scenario", "x")
	if strings.Contains(out, "hunter2") {
		t.Error("the scenario has the secret")
	}
}
