package artifact_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"playhead/engine/artifact"
)

// TestContent: a reply that is one code block is saved without its fence, except as Markdown or plain text.
func TestContent(t *testing.T) {
	for _, c := range []struct{ name, kind, text, want string }{
		{"no fence", "json", `{"a": 1}`, `{"a": 1}`},
		{"fenced", "json", "```json\n{\"a\": 1}\n```\n", `{"a": 1}`},
		{"tildes", "mermaid", "\n~~~\ngraph TD\n~~~", "graph TD"},
		{"a longer fence closes", "javascript", "```\nf()\n`````", "f()"},
		{"no fence has a backtick after it", "javascript", "``` `a`\nf()\n```", "``` `a`\nf()\n```"},
		{"a shorter one is content", "html_css", "````\n```\n````", "```"},
		{"a sentence before it", "json", "Here it is:\n```json\n[1]\n```\nDone.", "[1]"},
		{"a sentence before an object", "chartjs", "Here it is: {\"a\": 1.50}", "{\"a\": 1.50}"},
		{"two blocks", "json", "```\n1\n```\n```\n2\n```", "2"},
		{"not closed", "json", "```\n{}", "{}"},
		{"no JSON", "json", "Here:\n```\n{\n```", "Here:\n```\n{\n```"},
		{"words around code", "mermaid", "Here:\n```\ngraph TD\n```", "Here:\n```\ngraph TD\n```"},
		{"one line", "json", "```", "```"},
		{"nothing in it", "json", "```\n```", ""},
		{"Markdown", "markdown", "```\nx\n```", "```\nx\n```"},
		{"plain text", "text", "```\nx\n```", "```\nx\n```"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (artifact.Artifact{Type: c.kind, RawText: c.text}).Content(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestProblemAndPrettyContent(t *testing.T) {
	for _, c := range []struct {
		kind, text, pretty string
		flawed             bool
	}{
		{"json", `{"b":[1,2]}`, "{\n  \"b\": [\n    1,\n    2\n  ]\n}", false},
		{"chartjs", "```\n{}\n```", "{}", false},
		{"json", "no object", "no object", true},
		{"json", "", "", true},
		{"chartjs", "{", "{", true},
		{"markdown", "no object", "no object", false},
		{"text", `{"next_action": "closing"}`, "{\n  \"next_action\": \"closing\"\n}", false},
		{"text", "[draft] {}", "[draft] {}", false},
	} {
		a := artifact.Artifact{Type: c.kind, RawText: c.text}
		if got := a.Problem(); (got != "") != c.flawed {
			t.Errorf("%s %q: flaw %q", c.kind, c.text, got)
		}
		if got := a.PrettyContent(); got != c.pretty {
			t.Errorf("%s %q: pretty %q", c.kind, c.text, got)
		}
	}
}

func TestName(t *testing.T) {
	for kind, want := range map[string]string{"markdown": "who-is-it.md", "html_css": "who-is-it.html", "chartjs": "who-is-it.json", "text": "who-is-it.txt"} {
		if got := (artifact.Artifact{Type: kind}).FileName("Who is it?"); got != want {
			t.Errorf("%s: %s", kind, got)
		}
	}
}

// TestSave: Save replaces an existing file only if overwrite is set, keeps its mode and leaves no temporary file.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "out.md")
	a := artifact.Artifact{Type: "markdown", RawText: "new\n\n"}
	if err := os.WriteFile(file, []byte("mine"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := a.Save(file, false); !errors.Is(err, fs.ErrExist) || slurp(t, file) != "mine" {
		t.Fatalf("%v, %q", err, slurp(t, file))
	}
	if err := a.Save(file, true); err != nil || slurp(t, file) != "new\n" {
		t.Fatalf("%v, %q", err, slurp(t, file))
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if path, err := a.SaveToFileOrFolder(dir, "Out", false); err != nil || filepath.Base(path) != "out-2.md" {
		t.Errorf("saved in %s: %v", path, err)
	}
	links := t.TempDir()
	for target, path := range map[string]string{file: filepath.Join(links, "link.md"), "gone": filepath.Join(links, "broken.md")} {
		if err := os.Symlink(target, path); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{dir, filepath.Join(links, "link.md"), filepath.Join(links, "broken.md")} {
		if err := a.Save(path, true); err == nil || !strings.Contains(err.Error(), "it is not a regular file: give another name") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := a.Save(filepath.Join(dir, "no", "out.md"), true); err == nil || strings.Contains(err.Error(), ".playhead-") {
		t.Errorf("no folder: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	hidden, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(left) != 2 || len(hidden) != 0 {
		t.Errorf("left: %v %v", left, hidden)
	}
}

func slurp(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
