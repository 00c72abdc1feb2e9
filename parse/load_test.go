package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"playhead/parse/plan"
)

const doc = "## 1. A\n"

// write writes files into a new folder.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// codes returns the diagnostics of a Plan as "line:column code".
func codes(p *plan.Plan) string {
	var out []string
	for _, d := range p.Diagnostics {
		out = append(out, fmt.Sprintf("%d:%d %s", d.Line, d.Column, d.Code))
	}
	return strings.Join(out, " ")
}

// TestDetection (Detection in each of spec/*.md): the name and the text of a file decide its format.
func TestDetection(t *testing.T) {
	const (
		playbook = "# T\n## STEP 1: A\n"
		heading  = "### 🔧 WORKFLOW STEP: A\n"
		workflow = heading + "```\nx\n```\n### 🛠️ TOOL: t\n"
		between  = "1:1 workflow/ambiguous-format"
		stepless = "1:1 workflow/no-steps"
		beside   = "1:1 rundown/ambiguous-format"
		unknown  = "1:1 parse/unknown-format"
	)
	cases := []struct{ name, text, want, says string }{
		{"a.runbook.md", doc, "", ""},
		{"a.RunBook.MD", "x", "1:1 rundown/no-steps", ""},
		{"a.md", doc, "", ""},
		{"a.md", "\xef\xbb\xbf## {N} A\r\n", "", ""},
		{"a.md", doc + strings.Repeat("x", 70_000) + "\n", "2:1 rundown/long-line", ""},
		{"a.md", "1. A\n", unknown, ""},
		{"a.md", "1\\. A\n---\n", "", ""},
		{"a.md", "---\nname: a\n---\n" + doc, "", ""},
		{"a.md", "> ## 1. A\n", unknown, ""},
		{"a.md", "```\n## 1. A\n```\n", unknown, ""},
		{"a.md", "## Named\n", unknown, "--format"},
		{"a.md", "", unknown, ""},
		{"a.txt", doc, unknown, ""},
		{"a.md", playbook, "", ""},
		{"a.md", "```\n" + playbook + "```\n", unknown, ""},
		{"a.md", playbook + doc, "1:1 playbook/ambiguous-format", ""},
		{"a.playbook.md", doc, "1:1 playbook/ambiguous-format 1:1 playbook/no-steps 1:1 playbook/no-title", ""},
		{"a.playbook.md", "", "1:1 playbook/empty", ""},
		{"a.runbook.md", playbook + doc, beside + " 2:1 rundown/numbered-name", ""},
		{"a.md", workflow, "", ""},
		{"a.md", workflow + doc, between, "Rundown"},
		{"a.runbook.md", workflow + doc, between, "Rundown"},
		{"a.md", "```\n" + heading + "```\n", stepless, "line 2"},
		{"a.md", "```\n" + heading + "```\n" + doc, "", ""},
		{"a.md", "```\n" + heading + doc, "1:1 workflow/unclosed-block 2:1 workflow/missing-description 2:1 workflow/missing-tool-spec", ""},
		{"a.md", "<!--\n" + heading + "-->\n" + doc, "", ""},
		{"a.md", "## WORKFLOW STEP A\n", "1:1 workflow/heading-ignored " + stepless, "looks like a Workflow heading"},
		{"a.txt", workflow, unknown, ""},
		{"a.json", `{"other": 1}`, "1:1 climpt/unrecognised", "neither"},
		{"a.json", `{`, "1:2 climpt/bad-json", "ends"},
		{"a.md", "x\xff", "1:1 parse/unreadable", "UTF-8"},
		{"a.md", "x\x00", "1:1 parse/unreadable", "NUL"},
	}
	for _, c := range cases {
		p := loadText(c.name, []byte(c.text), Options{})
		got := codes(p)
		said := ""
		if len(p.Diagnostics) > 0 {
			said = p.Diagnostics[0].Message + p.Diagnostics[0].Suggestion
		}
		if got != c.want || !strings.Contains(said, c.says) {
			t.Errorf("%s %q: got %s (%s), want %s", c.name, c.text, got, said, c.want)
		}
	}
}

// loadText loads a text as a file of this name, which does not need to exist.
func loadText(name string, file []byte, o Options) *plan.Plan {
	return newLoader(name, o).detectAndParse(file)
}

// TestFormatChosen: the format that a person chooses takes precedence over detection.
func TestFormatChosen(t *testing.T) {
	for _, c := range []struct{ name, text, format, want string }{
		{"a.txt", doc, "rundown", ""},
		{"a.md", "# T\n## STEP 1: A\n" + doc, "rundown", "2:1 rundown/numbered-name"},
		{"a.runbook.md", doc, "playbook", "1:1 playbook/no-steps 1:1 playbook/no-title"},
		{"a.txt", "x", "workflow", "1:1 workflow/no-steps"},
		{"a.md", doc + "#### WORKFLOW STEP: A\n", "rundown", "2:1 rundown/heading-depth"},
		{"a.runbook.md", doc, "cobol", "1:1 parse/unknown-format"},
	} {
		if got := codes(loadText(c.name, []byte(c.text), Options{Format: c.format})); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

// TestUnreadable: a file that cannot be read gives one diagnostic, without delay.
func TestUnreadable(t *testing.T) {
	dir := write(t, map[string]string{"locked.runbook.md": doc, "folder.runbook.md/x": "", "agent/agent.json/x": ""})
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Chmod(at("locked.runbook.md"), 0); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(at("pipe.runbook.md"), 0o644); err != nil {
		t.Skip(err)
	}
	for name, size := range map[string]int64{"huge.runbook.md": 50 << 20, "huge.md": 50 << 20, "huge.json": 50 << 20, "full.runbook.md": 1<<20 + 1} {
		if err := os.WriteFile(at(name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(at(name), size); err != nil {
			t.Fatal(err)
		}
	}
	cases := []struct{ name, want, says string }{
		{at("none.runbook.md"), "1:1 rundown/unreadable", "no such file"},
		{at("none.md"), "1:1 parse/unreadable", "no such file"},
		{at("folder.runbook.md"), "1:1 rundown/unreadable", "a folder"},
		{dir, "1:1 parse/unreadable", "a folder"},
		{at("agent"), "1:1 climpt/file-not-found", "a folder"}, // its agent.json is a folder
		{at("pipe.runbook.md"), "1:1 rundown/unreadable", "a named pipe"},
		{"/dev/zero", "1:1 parse/unreadable", "a device"},
		{at("huge.runbook.md"), "1:1 rundown/too-large", "1 MiB"},
		{at("huge.md"), "1:1 parse/too-large", "1 MiB"},
		{at("huge.json"), "1:1 climpt/bad-json", "4 MiB"},
		{at("full.runbook.md"), "1:1 rundown/too-large", "1 MiB"},
		{at("none.json"), "1:1 climpt/file-not-found", "no such file"},
		{"", "1:1 parse/unreadable", "no such file"},
		{"a\x00b", "1:1 parse/unreadable", "invalid"},
	}
	if os.Geteuid() != 0 {
		cases = append(cases, struct{ name, want, says string }{at("locked.runbook.md"), "1:1 rundown/unreadable", "permission"})
	}
	for _, c := range cases {
		begin := time.Now()
		p := Load(c.name, Options{})
		if got := codes(p); got != c.want || !strings.Contains(p.Diagnostics[0].Message, c.says) || p.Diagnostics[0].Suggestion == "" || p.Path != c.name {
			t.Errorf("%s: got %s %+v", c.name, got, p.Diagnostics)
		}
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%s took %v", c.name, took)
		}
	}
}

// TestTooLarge (§1 of rundown.md and playbook.md, §5 of workflow.md): the beginning of a file that is too large decides
// the format of its diagnostic.
func TestTooLarge(t *testing.T) {
	for begin, want := range map[string]string{
		doc:                                "1:1 rundown/too-large",
		"# T\n## STEP 1: A\n":              "1:1 playbook/too-large",
		"### 🔧 WORKFLOW STEP: A\n":         "1:1 workflow/too-large",
		"# T\n":                            "1:1 parse/too-large",
		doc + "\xff\n":                     "1:1 parse/too-large",
		strings.Repeat("x", 1<<20) + "\n#": "1:1 parse/too-large",
	} {
		dir := write(t, map[string]string{"a.md": begin + strings.Repeat("some text\n", 1<<17)})
		if got := codes(Load(filepath.Join(dir, "a.md"), Options{})); got != want {
			t.Errorf("%.20q: %s", begin, got)
		}
	}
}

// TestUnreadableWorkflow (workflow.md §5): a workflow that cannot be read gives the error type of its problem.
func TestUnreadableWorkflow(t *testing.T) {
	dir := write(t, map[string]string{"folder/x": "", "utf16.md": "\xff\xfe#\x00", "large.md": strings.Repeat("x", 1<<20+1)})
	for name, want := range map[string]string{
		filepath.Join(dir, "none.md"): "file-not-found not_found", "": "file-not-found not_found",
		filepath.Join(dir, "folder"): "unreadable internal", filepath.Join(dir, "utf16.md"): "unreadable internal",
		filepath.Join(dir, "large.md"): "too-large validation",
	} {
		p := Load(name, Options{Format: "workflow"})
		if len(p.Diagnostics) != 1 {
			t.Fatalf("%s: %v", name, p.Diagnostics)
		}
		d := p.Diagnostics[0]
		if got := strings.TrimPrefix(d.Code, "workflow/") + " " + d.ErrorType; got != want || d.ErrorText != d.Message || d.Suggestion == "" {
			t.Errorf("%s: %s, want %s; %+v", name, got, want, d)
		}
	}
}

// TestChildrenOnDisk (rundown.md §5.7): included documents are found beside the document and in the start folder, and
// nowhere else.
func TestChildrenOnDisk(t *testing.T) {
	lists := func(path string) string { return doc + "- " + path + "\n" }
	dir := write(t, map[string]string{
		"home/beside.runbook.md": lists("b.runbook.md"), "home/b.runbook.md": doc,
		"home/sub.runbook.md": lists("sub/c.runbook.md"), "home/sub/c.runbook.md": lists("d.runbook.md"), "home/sub/d.runbook.md": lists("../b.runbook.md"),
		"home/start.runbook.md": lists("e.runbook.md"), "start/e.runbook.md": doc,
		"home/both.runbook.md": lists("f.runbook.md"), "home/f.runbook.md": doc, "start/f.runbook.md": "broken",
		"home/out.runbook.md": lists("../out/g.runbook.md"), "out/g.runbook.md": doc,
		"home/link.runbook.md": lists("h.runbook.md"), "home/none.runbook.md": lists("none/x.runbook.md"),
		"home/dir.runbook.md": lists("i.runbook.md"), "home/i.runbook.md/x": "",
		"home/big.runbook.md": lists("j.runbook.md"), "home/j.runbook.md": strings.Repeat("x", 1<<20+1),
		"home/in.runbook.md":   lists("k.runbook.md"),
		"home/self.runbook.md": lists("sub/../self.runbook.md"),
	})
	link := func(from, to string) {
		if err := os.Symlink(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Skip(err)
		}
	}
	link("out/g.runbook.md", "home/h.runbook.md")
	link("start/e.runbook.md", "home/k.runbook.md")
	cases := []struct{ root, want, file string }{
		{"home/beside.runbook.md", "", "b.runbook.md"},
		{"home/sub.runbook.md", "", "sub/c.runbook.md"},
		{"home/start.runbook.md", "", ""},
		{"home/both.runbook.md", "", "f.runbook.md"},
		{"home/out.runbook.md", "2:3 rundown/child-missing", ""},
		{"home/link.runbook.md", "2:3 rundown/child-missing", ""},
		{"home/none.runbook.md", "2:3 rundown/child-missing", ""},
		{"home/dir.runbook.md", "2:3 rundown/child-missing", ""},
		{"home/big.runbook.md", "2:3 rundown/child-invalid", "j.runbook.md"},
		{"home/in.runbook.md", "", "k.runbook.md"},
		{"home/self.runbook.md", "2:3 rundown/child-cycle", "self.runbook.md"},
	}
	for _, c := range cases {
		p := Load(filepath.Join(dir, c.root), Options{StartFolder: filepath.Join(dir, "start")})
		if len(p.IncludedDocuments) != 1 {
			t.Errorf("%s: %s", c.root, codes(p))
			continue
		}
		child := p.IncludedDocuments[0]
		if got := codes(p); got != c.want || (child.Plan == nil) != (c.want != "") || c.file != "" && child.File != c.file {
			t.Errorf("%s: got %s, child %q %v: %s", c.root, got, child.File, child.Plan != nil, child.LoadProblem)
		}
	}
	for root, want := range map[string]string{
		"home/dir.runbook.md":  "this is a folder",
		"home/none.runbook.md": "there is no such file",
		"home/out.runbook.md":  "it is outside the document's folder and the working folder",
	} {
		if child := Load(filepath.Join(dir, root), Options{StartFolder: filepath.Join(dir, "start")}).IncludedDocuments[0]; child.LoadProblem != want {
			t.Errorf("%s: %s, want %s", root, child.LoadProblem, want)
		}
	}
	inner := Load(filepath.Join(dir, "home/sub.runbook.md"), Options{StartFolder: filepath.Join(dir, "start")}).IncludedDocuments[0].Plan.IncludedDocuments[0]
	if inner.Plan == nil || inner.File != "sub/d.runbook.md" || inner.Plan.IncludedDocuments[0].Plan == nil || inner.Plan.Path != filepath.Join(dir, "home/sub/d.runbook.md") {
		t.Errorf("included documents are not found beside the document that lists them: %+v", inner)
	}
}

// TestStartDirectory: the start folder is by default the working folder.
func TestStartDirectory(t *testing.T) {
	dir := write(t, map[string]string{"home/a.runbook.md": doc + "- b.runbook.md\n", "work/b.runbook.md": doc})
	t.Chdir(filepath.Join(dir, "work"))
	if p := Load("../home/a.runbook.md", Options{}); codes(p) != "" || p.Path != "../home/a.runbook.md" || p.IncludedDocuments[0].Plan == nil {
		t.Error(codes(p))
	}
}

// TestFS: a document and its included documents are loaded from an fs.FS, such as the built-in examples.
func TestFS(t *testing.T) {
	fsys := fstest.MapFS{
		"x/a.runbook.md": {Data: []byte(doc + "- b.runbook.md\n- ../c.runbook.md\n- ../../d.runbook.md\n")},
		"x/b.runbook.md": {Data: []byte(doc)}, "c.runbook.md": {Data: []byte(doc)},
	}
	if got := codes(Load("x/a.runbook.md", Options{FS: fsys})); got != "4:3 rundown/child-missing" {
		t.Error(got)
	}
	if got := codes(Load("x/a.runbook.md", Options{FS: fsys, StartFolder: "x"})); got != "3:3 rundown/child-missing 4:3 rundown/child-missing" {
		t.Error(got)
	}
	if got := codes(Load("none.runbook.md", Options{FS: fsys})); got != "1:1 rundown/unreadable" {
		t.Error(got)
	}
}

// TestPromptFiles (playbook.md §5): file: is relative to the playbook, and links that leave its folder are refused.
func TestPromptFiles(t *testing.T) {
	dir := write(t, map[string]string{"out.md": "x", "home/in.md": "x", "home/sub/in.md": "x", "home/folder/x": ""})
	if err := os.Symlink(filepath.Join(dir, "out.md"), filepath.Join(dir, "home", "link.md")); err != nil {
		t.Skip(err)
	}
	missing := "3:9 playbook/prompt-path"
	for ref, want := range map[string]string{
		"in.md": "", "sub/in.md": "", "./in.md": "", "{{a:string:b}}.md": "",
		"none.md": missing, "link.md": missing, "folder": missing, "": missing,
	} {
		text := "# T\n## STEP 1: A\n@prompt(file: " + ref + ")\n"
		if got := codes(loadText(filepath.Join(dir, "home", "a.md"), []byte(text), Options{})); got != want {
			t.Errorf("%s: got %s, want %q", ref, got, want)
		}
	}
	memory := fstest.MapFS{"a.md": {Data: []byte("# T\n## STEP 1: A\n@prompt(file:b.md)\n@prompt(file:c.md)\n")}, "b.md": {Data: []byte("x")}}
	if got := codes(Load("a.md", Options{FS: memory})); got != "4:1 playbook/directive-repeat 4:9 playbook/prompt-path" {
		t.Error(got)
	}
}

// TestSidecarPath: a sidecar replaces the suffix of a document, and a folder keeps its name.
func TestSidecarPath(t *testing.T) {
	for document, want := range map[string]string{
		"docs/release.runbook.md": "docs/release.scenarios.yaml",
		"triage.playbook.md":      "triage.scenarios.yaml",
		"a.md":                    "a.scenarios.yaml",
		"agent/":                  "agent.scenarios.yaml",
		"flow.json":               "flow.scenarios.yaml",
	} {
		if got := SidecarPath(document, "scenarios"); got != want {
			t.Errorf("%s has %s, want %s", document, got, want)
		}
	}
	folder := t.TempDir()
	t.Chdir(folder)
	if got, want := SidecarPath(".", "replies"), folder+".replies.yaml"; got != want {
		t.Errorf("the current folder has %s, want %s", got, want)
	}
}
