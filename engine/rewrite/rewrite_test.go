package rewrite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"playhead/parse"
	"playhead/parse/plan"
)

// document writes files into a folder. The first file is the document.
func document(t testing.TB, files ...string) (RunDocuments, string) {
	t.Helper()
	dir := t.TempDir()
	kept := map[string][]byte{}
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(files[i]))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[i+1]), 0o640); err != nil {
			t.Fatal(err)
		}
		kept[path] = []byte(files[i+1])
	}
	root := filepath.Join(dir, filepath.FromSlash(files[0]))
	return RunDocuments{
		Path:     root,
		LoadPlan: func(instead map[string][]byte) *plan.Plan { return parse.Load(root, parse.Options{Overlay: instead}) },
		ReadCopy: func(path string) ([]byte, error) { return kept[path], nil },
	}, dir
}

// TestWritten: writing an edit changes only the edited text of the document.
func TestWritten(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		edit             Edit
		want             string
	}{
		{"a command", "a.runbook.md", "## 1. A\n\n```sh\necho a\n```\n\n## 2. B\n", Edit{StepID: "1", Text: "echo b"}, "## 1. A\n\n```sh\necho b\n```\n\n## 2. B\n"},
		{"more lines", "a.runbook.md", "## 1. A\n```sh\n\n  a\n\n```\n", Edit{StepID: "1", Text: "b\n\nc"}, "## 1. A\n```sh\n\n  b\n\nc\n\n```\n"},
		{"line ends", "a.runbook.md", "## 1. A\r\n```sh\r\necho a\r\n```\r\n", Edit{StepID: "1", Text: "b\nc"}, "## 1. A\r\n```sh\r\nb\r\nc\r\n```\r\n"},
		{"no line end", "a.runbook.md", "## 1. A\n```sh\na\n```", Edit{StepID: "1", Text: "b"}, "## 1. A\n```sh\nb\n```"},
		{"a longer fence", "a.runbook.md", "## 1. A\n```sh\na\n```\n", Edit{StepID: "1", Text: "cat <<X\n```\nX"}, "## 1. A\n````sh\ncat <<X\n```\nX\n````\n"},
		{"tildes", "a.runbook.md", "## 1. A\n~~~sh\na\n~~~\n", Edit{StepID: "1", Text: "cat <<X\n```\nX"}, "## 1. A\n~~~sh\ncat <<X\n```\nX\n~~~\n"},
		{"indented", "a.runbook.md", "## 1. A\n   ```sh\n   a\n   ```\n", Edit{StepID: "1", Text: "b\n\n  c"}, "## 1. A\n   ```sh\n   b\n\n     c\n   ```\n"},
		{"a prompt", "a.playbook.md", "# T\n## STEP 1: A\nRate it.\nNow.\n\n## STEP 2: B\nx\n", Edit{StepID: "1", Text: "Rate it."}, "# T\n## STEP 1: A\nRate it.\n\n## STEP 2: B\nx\n"},
		{"blanks at the end of lines", "a.playbook.md", "# T\n## STEP 1: A\nRate it.  \n \nNow.\t\n## STEP 2: B\n@elicit[x]\n", Edit{StepID: "1", Text: "Rate\nit\n\nnow."}, "# T\n## STEP 1: A\nRate\nit\n\nnow.\t\n## STEP 2: B\n@elicit[x]\n"},
		{"placeholders", "a.playbook.md", "# T\n## INPUTS\n- `x` (string): X\n## STEP 1: A\n  Rate {{x}}.\n", Edit{StepID: "1", Text: "Do rate {{x}}."}, "# T\n## INPUTS\n- `x` (string): X\n## STEP 1: A\n  Do rate {{x}}.\n"},
		{"arguments", "a.playbook.md", "# T\n## STEP 1: A\n@tool(s, t, {\"a\": 1})\nx\n", Edit{StepID: "1", Text: "{\n  \"a\": 2\n}"}, "# T\n## STEP 1: A\n@tool(s, t, { \"a\": 2 })\nx\n"},
		{"a description", "a.md", workflow("Look.\n[IT]"), Edit{StepID: "1", Text: "See.\n```\n[IT]\n```"}, workflow("See.\n```\n[IT]\n```")},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, dir := document(t, c.file, c.text)
			e := c.edit
			e.Label = e.StepID
			draft := d.EditChanges([]Edit{e})[0]
			if draft.Err != nil {
				t.Fatal(draft.Err)
			}
			if err := draft.Write(); err != nil {
				t.Fatal(err)
			}
			got, _ := os.ReadFile(filepath.Join(dir, c.file))
			if string(got) != c.want {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
			info, _ := os.Stat(filepath.Join(dir, c.file))
			if again := d.EditChanges([]Edit{e})[0]; again.Err != nil || !again.IsInDocument || info.Mode().Perm() != 0o640 {
				t.Errorf("computed again: %+v, %v", again.Err, info.Mode())
			}
		})
	}
}

func workflow(description string) string {
	return "# W\n\n#### 🔢 WORKFLOW STEP: Look\n\n~~~~\n" + description + "\n~~~~\n\n##### 🛠️ TOOL: grep\n"
}

// TestRefused: an edit that cannot be written back safely is refused with a reason.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		edit             Edit
		why              string
	}{
		{"a heading", "a.playbook.md", "# T\n## STEP 1: A\nx\n## STEP 2: B\ny\n", Edit{StepID: "1", Text: "x\n## STEP 2: C\nz"}, "parsed differently"},
		{"a directive", "a.playbook.md", "# T\n## STEP 1: A\nx\n", Edit{StepID: "1", Text: "x\n@output(y)"}, "parsed differently"},
		{"several places", "a.playbook.md", "# T\n## STEP 1: A\nx\n@output(a)\ny\n", Edit{StepID: "1", Text: "z"}, "not one continuous block"},
		{"gone", "a.runbook.md", "## 1. A\n```sh\na\n```\n", Edit{StepID: "7", Text: "z"}, "no longer has this step"},
		{"a child's", "a.runbook.md", "## 1. A\n```sh\na\n```\n", Edit{StepID: "1", Label: "1/b/1", Text: "z"}, "included document"},
		{"a secret", "a.runbook.md", "## 1. A\n```sh\na\n```\n", Edit{StepID: "1", Text: "login •••"}, "secret"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := document(t, c.file, c.text)
			draft := d.EditChanges([]Edit{c.edit})[0]
			if draft.Err == nil || !strings.Contains(draft.Err.Error(), c.why) {
				t.Errorf("refused with %v, would write\n%s", draft.Err, draft.After)
			}
		})
	}
}

// TestWrittenTogether: edits can be written one after the other, and again after they change, until something else
// changes the file.
func TestWrittenTogether(t *testing.T) {
	d, dir := document(t, "a.runbook.md", "## 1. A\n```sh\na\n```\n## 2. B\n```sh\nb\n```\n")
	first := Edit{StepID: "1", Label: "1", Text: "one"}
	second := Edit{StepID: "2", Label: "2", Text: "two\nlines"}
	third := Edit{StepID: "1", Label: "1", Text: "three", earlierTexts: []string{"one"}}
	for _, all := range [][]Edit{{first}, {first, second}, {second, third}} {
		if err := d.EditChanges(all)[len(all)-1].Write(); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "a.runbook.md")
	if got, _ := os.ReadFile(file); string(got) != "## 1. A\n```sh\nthree\n```\n## 2. B\n```sh\ntwo\nlines\n```\n" {
		t.Errorf("got %s", got)
	}
	if err := os.WriteFile(file, []byte("## 1. A\n```sh\nmine\n```\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if draft := d.EditChanges([]Edit{first})[0]; draft.Err == nil || !strings.Contains(draft.Err.Error(), "has changed since") {
		t.Errorf("the edit would overwrite a change from elsewhere: %v", draft.Err)
	}
}

// TestWrittenThroughLinks: a link may lead to a file in the document's folder, but not out of it.
func TestWrittenThroughLinks(t *testing.T) {
	const text = "## 1. A\n```sh\na\n```\n"
	for _, out := range []bool{false, true} {
		d, dir := document(t, "a.runbook.md", text)
		target := filepath.Join(dir, "b.txt")
		if out {
			target = filepath.Join(t.TempDir(), "b.txt")
		}
		if err := os.Rename(d.Path, target); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, d.Path); err != nil {
			t.Fatal(err)
		}
		err := d.EditChanges([]Edit{{StepID: "1", Label: "1", Text: "b"}})[0].Write()
		got, _ := os.ReadFile(target)
		link, _ := os.Readlink(d.Path)
		if (err != nil) != out || strings.Contains(string(got), "b") == out || link != target {
			t.Errorf("out %v: %v, %s", out, err, got)
		}
	}
}
