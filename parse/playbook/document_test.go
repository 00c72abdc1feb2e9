package playbook

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/parse/plan"
)

// TestDocument (spec §1): the title, the description, the system prompt and the step's text are found, and blanks are
// trimmed.
func TestDocument(t *testing.T) {
	cases := map[string]struct{ doc, title, description, system, text string }{
		"all":                {"\n\n# T  \n\nd\n# e\n\n## SYSTEM\n\ns\n\n## STEP 1: A\n\nx\n\n", "T", "d\n# e", "s", "x"},
		"other sections":     {"# T\n## Notes\nd\n## STEP 1: A\nx\n## System message\ny\n", "T", "", "", "x"},
		"the last system":    {"# T\n## SYSTEM\na\n## system prompt\nb\n## STEP 1: A\nx\n", "T", "", "b", "x"},
		"any order":          {"## STEP 1: A\nx\n## SYSTEM\ns\n# T\nd\n## INPUTS\n", "T", "d", "s", "x"},
		"fenced headings":    {"# T\nd\n```\n## STEP 2: B\n```\n## STEP 1: A\n~~~ md\n## STEP 2: B\n```\n~~~\n", "T", "d\n```\n## STEP 2: B\n```", "", "~~~ md\n## STEP 2: B\n```\n~~~"},
		"deeper headings":    {"# T\n## STEP 1: A\n### B\n#### C\n# D\n##E\n", "T", "", "", "### B\n#### C\n# D\n##E"},
		"CRLF":               {"\ufeff# T\r\nd\r\n## STEP 1: A\r\nx\r\ny\r\n", "T", "d", "", "x\ny"},
		"CR":                 {"# T\rd\r## STEP 1: A\rx", "T", "d", "", "x"},
		"long fences":        {"# T\n## STEP 1: A\n````\n```\n## STEP 2: B\n````\nx\n", "T", "", "", "````\n```\n## STEP 2: B\n````\nx"},
		"code in a line":     {"# T\n## STEP 1: A\n```a``` b\nx\n", "T", "", "", "```a``` b\nx"},
		"directives removed": {"# T\n## STEP 1: A\na\n\n@prompt(x)\n\nb\n@output(c)\nd\n", "T", "", "", "a\n\nb\n\nd"},
		"fenced directives":  {"# T\n## STEP 1: A\n```\n@output(c)\n```\n", "T", "", "", "```\n@output(c)\n```"},
		"indentation":        {"# T\n## STEP 1: A\n    a\n      b  \n\n\n    c\n", "T", "", "", "a\n      b\n\n\n    c"},
		"indented fences":    {"# T\n## STEP 1: A\n- a\n    ```\n    b\n    ```\n", "T", "", "", "- a\n    ```\n    b\n    ```"},
		"blanks at the end":  {"# T  \n\nd  \ne\t\n## SYSTEM\ns \ns\n## STEP 1: A\nx  \n \t\ny\t \n~~~ \nz  \n~~~\n", "T", "d\ne", "s\ns", "x\n\ny\n~~~ \nz  \n~~~"},
	}
	for name, c := range cases {
		p := parsed(t, c.doc)
		got := []string{p.Title, p.Description, plan.SourceText(p.SystemPrompt), plan.SourceText(p.Steps[0].Text)}
		if diff := cmp.Diff([]string{c.title, c.description, c.system, c.text}, got); diff != "" || len(p.Steps) != 1 {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestInputs (spec §2) reads types, aliases, defaults and options.
func TestInputs(t *testing.T) {
	p := parsed(t, "# T\n## Inputs\n"+
		"- `a` (string): What it is  \n"+
		"-   `b_2`   ( Text : some text )\n"+
		"- `c` (INT: 5): n\n"+
		"- `d` (bool: TRUE)\n"+
		"- `e` (Choice:  x , , y z):d\n"+
		"- `f` (json: {})\n"+
		"- `g` (url: http://x:1)\n"+
		"- `h` (number: )\n"+
		"```\n- `no` (text)\n```\n"+
		"* * *\n## STEP 1: A\n## INPUTS\n- `i` (boolean: maybe)\n")
	want := []plan.Input{
		{Name: "a", Type: "string", Description: "What it is", Required: true, DeclaredAt: plan.WholeLine(3)},
		{Name: "b_2", Type: "text", Default: "some text", DeclaredAt: plan.WholeLine(4)},
		{Name: "c", Type: "number", Default: "5", Description: "n", DeclaredAt: plan.WholeLine(5)},
		{Name: "d", Type: "boolean", Default: "true", DeclaredAt: plan.WholeLine(6)},
		{Name: "e", Type: "enum", Options: []string{"x", "y z"}, Description: "d", Required: true, DeclaredAt: plan.WholeLine(7)},
		{Name: "f", Type: "string", Default: "{}", DeclaredAt: plan.WholeLine(8)},
		{Name: "g", Type: "string", Default: "http://x:1", DeclaredAt: plan.WholeLine(9)},
		{Name: "h", Type: "number", Required: true, DeclaredAt: plan.WholeLine(10)},
		{Name: "i", Type: "boolean", Default: "maybe", DeclaredAt: plan.WholeLine(17)},
	}
	for i := range want {
		want[i].BlankIsMissing = true
	}
	if diff := cmp.Diff(want, p.Inputs); diff != "" {
		t.Error(diff)
	}
}

// TestArtifact (spec §6): the first type line decides the artifact type and its suffix.
func TestArtifact(t *testing.T) {
	for text, want := range map[string]string{
		"type: Markdown":       "markdown .md",
		"x\n TYPE : html_css ": "html_css .html",
		"type: {{kind}}":       "{{kind}} ",
		"type: pdf":            "pdf .txt",
		"type: json\ntype: x":  "json .json",
		"nothing":              "",
		"```\ntype: json\n```": "",
	} {
		p := parsed(t, "# T\n## STEP 1: A\nx\n@output(kind)\n## artifacts\n"+text+"\n")
		got := plan.SourceText(p.ArtifactType)
		if facts, ok := p.Extra["artifact"].(artifactFacts); ok {
			got += " " + facts.Suffix
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestNames (Detection): the name or the text decides whether a file is a playbook; a document without a title has its
// name.
func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"a.playbook.md": true, "b/A.Playbook.MD": true, "a.md": false, "playbook.md": false} {
		if IsDocumentName(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	for text, want := range map[string]bool{
		"# T\n## STEP 1: A\n": true, "## STEP 12:\n# T": true, "\ufeff# T\r\n##  STEP 1: A\r\n": true,
		"# T\n## STEP A\n": false, "## STEP 1: A\n": false, "# T\n## step 1: A\n": false, "# T\n```\n## STEP 1: A\n": false, "# T\n## STEP 1: A\n\x00": false,
	} {
		if LooksLikePlaybook([]byte(text)) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	for name, want := range map[string]string{"x/a.playbook.md": "a", `x\a.md`: "a", ".md": ".md", "a": "a"} {
		if p := Parse(name, nil, Options{}); p.Title != want {
			t.Errorf("%s: %s", name, p.Title)
		}
	}
}
