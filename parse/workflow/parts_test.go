package workflow

import (
	"fmt"
	"strings"
	"testing"

	"playhead/parse/plan"
)

// parsedPart returns the step of a document that ends with this heading and these lines.
func parsedPart(t *testing.T, heading, lines string) stepPrompt {
	t.Helper()
	s := steps(parse(head + heading + "\n" + lines))
	if len(s) != 1 {
		t.Fatalf("%d steps", len(s))
	}
	return messageOf(s[0])
}

// TestOutputs (§3.3): the five rules find the source and the variable of an output.
func TestOutputs(t *testing.T) {
	for line, want := range map[string]string{
		"result.id → ID":          "result.id|ID",
		"result.id→ID":            "result.id|ID",
		"a → b → ID":              "a → b|ID",
		"a → b -> ID":             "a → b|ID",
		"→ ID":                    "|ID",
		"result.id → `ID` (text)": "result.id|ID",
		"x → **ID**":              "x|ID",
		"x → ID (see a → b)":      "x|ID",
		"x → ID (a (b))":          "x|ID",
		"x → id_1":                "x|id_1",
		"x â†’ ID":                "x|ID",
		"x â†' ID":                "x|ID",
		"x Ã¢â€\u00a0â€™ ID":      "x|ID",
		"x Ã¢â€ â€™ ID":           "x|ID",
		"x 鈫\ufffd ID":            "x|ID",
		"x 鈫? ID":                 "x|ID",
		"x ΓåÆ ID":                "x|ID",
		"x â\u0086\u0092 ID":      "x|ID",
		"x в†’ ID":                "x|ID",
		"x ‚Üí ID":                "x|ID",
		"x ÔåÆ ID":                "x|ID",
		"x тЖТ ID":                "x|ID",
		"x Б├▓ ID":                "x|ID",
		"x鈫ID":                    "x|ID",
		"xв†’ID":                  "x|ID",
		"x => ID":                 "x|ID",
		"x ⇒ ID":                  "x|ID",
		"x ➔ ID":                  "x|ID",
		"x ➜ ID":                  "x|ID",
		"?? ID":                   "|ID",
		"a b\tID":                 "",
		"x → ID.":                 "",
		"x → [ID]":                "",
		"x -> ID":                 "x|ID",
		"x ==> ID":                "x|ID",
		"x-->ID":                  "x|ID",
		"x ⟶ ID":                  "x|ID",
		"x ?? ID":                 "x|ID",
		"x â ? \ufffd ID":         "x|ID",
		"x\tID":                   "x|ID",
		"x  ID":                   "x|ID",
		"`a b` → ID":              "`a b`|ID",
		"x → 1D":                  "",
		"x → é":                   "",
		"x → A B":                 "",
		"x ?? id":                 "",
		"x ID":                    "",
		"a b  ID":                 "",
		"ID":                      "",
		"x →":                     "",
	} {
		got := ""
		if out := parsedPart(t, "### 📤 OUTPUTS:", "- "+line+"\n").Outputs; len(out) > 0 {
			got = out[0].Source + "|" + out[0].Variable
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestInputs (§3.3): an input has a name and a description.
func TestInputs(t *testing.T) {
	for line, want := range map[string]string{
		"HOST: the machine":    "HOST|the machine",
		"HOST：the machine: a":  "HOST|the machine: a",
		"HOST":                 "HOST|",
		"`HOST` (optional): m": "HOST|m",
		"**HOST**: m":          "HOST|m",
		"**HOST:** m":          "HOST|m",
		"HOST (a): m":          "HOST|m",
		"HOST: **m**":          "HOST|**m**",
		"the host: m":          "",
		": m":                  "",
	} {
		got := ""
		if in := parsedPart(t, "### 📥 INPUTS:", "- "+line+"\n").Inputs; len(in) > 0 {
			got = in[0].Name + "|" + in[0].Description
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	twice := parsedPart(t, "### 📥 INPUTS:", "- A: 1\n- B: 2\n- A: 3\n").Inputs
	if got := fmt.Sprint(twice); got != "[{A 3} {B 2}]" { // the place of the first item, the description of the last
		t.Error(got)
	}
}

// TestTools: tool names keep their order and repetitions (§3.3), but each tool is offered once (§6).
func TestTools(t *testing.T) {
	doc := begin + block + "### 🛠️ TOOLS:\n- b\n- `a`: does it\n- \"c\", d,e\n- server/x.y-z_1\n- [T]_x\n- b\n### 🛠️ TOOL: f\n- g\n"
	s := steps(parse(doc, "T=1"))[0]
	if got := strings.Join(messageOf(s).Tools, " "); got != "b a c d e server/x.y-z_1 [T]_x b f" {
		t.Error(got)
	}
	if got := len(modelOf(s).Tools); got != 8 {
		t.Errorf("%d are offered", got)
	}
}

// TestAssertions (§3.3): items are read, and other text ends their list.
func TestAssertions(t *testing.T) {
	got := parsedPart(t, "### ✅ ASSERT:", "- - -5 < x\n-5 is less\n\n1. one\n   two\n---\n<!-- - no -->\n* `three`\n    - four\n\nend\n- no\n").Assertions
	if want := "- -5 < x|5 is less|one two|`three`|four"; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
	if got := parsedPart(t, "### ✅ ASSERT:", "text\n- a\n## S\n- b\n").Assertions; fmt.Sprint(got) != "[a]" {
		t.Errorf("%q", got)
	}
}

// TestDescription (§3.2): the description is the first block of the step, without its indentation.
func TestDescription(t *testing.T) {
	for doc, want := range map[string]string{
		"```\n\n a\n\n  b \n```\n":               "a\n\n  b",
		"~~~\n```\n### TOOLS:\n```\n~~~\n":       "```\n### TOOLS:\n```",
		"````\n```\na\n```\n````\n":              "```\na\n```",
		"  ```\n   a\n b\n  ```\n":               "a\nb",
		"      ```\n      a\n       b\n   ```\n": "a\n b",
		"` ` `\na\n```\n` ` ` `\n":               "a\n```",
		"text\n```\na\n```\n```\nb\n```\n":       "a",
		"### ✅ ASSERT:\n- x\n```\na\n```\n":      "a",
		"```\na\n    ```\n```\n":                 "a\n    ```",
	} {
		s := steps(parse(begin + doc + tool1))[0]
		if got := messageOf(s).Description; got != want {
			t.Errorf("%q: %q, want %q", doc, got, want)
		}
	}
}

// TestNames (§3.1): the name of a step is the heading without its marker, keyword and decoration.
func TestNames(t *testing.T) {
	for heading, want := range map[string]string{
		"🔧 WORKFLOW STEP: a":           "a",
		"🔧 WORKFLOW STEP: a b #":       "a b",
		"🔧 WORKFLOW STEP: C#":          "C#",
		"🔧 WORKFLOW STEP: [A] `b`":     "[A] `b`",
		"🔧 WORKFLOW STEP: *a*":         "*a*",
		"🔧 **WORKFLOW STEP:** a":       "a",
		"🔧 **WORKFLOW STEP**: *a*":     "*a*",
		"🔧 **WORKFLOW STEP:** **a**":   "**a**",
		"🔧 **WORKFLOW STEP: a**":       "a",
		"**🔧 WORKFLOW STEP:** a":       "a",
		"**🔧** WORKFLOW STEP: **a**":   "**a**",
		"**🔧 **WORKFLOW STEP:** a":     "a",
		"_🔧_ **WORKFLOW STEP:** a":     "a",
		"🔧 WORKFLOW STEP:** a":         "a",
		"🔧 WORKFLOW STEP:**a**":        "**a**",
		"🔧 WORKFLOW\u00a0STEP：a":       "a",
		"e\u0301 WORKFLOW STEP: a":     "a",
		"###WORKFLOW STEP: a\u0085":    "",
		"1. WORKFLOW STEP: a":          "",
		"🔧 WORKFLOW STEP 1: a":         "",
		"🔧 WORKFLOW-STEP: a":           "",
		"# WORKFLOW STEP: a":           "",
		"\tWORKFLOW\t STEP\u2003: a\t": "a",
	} {
		got := ""
		if s := steps(parse("### " + heading + "\n" + block + tool1)); len(s) == 1 {
			got = s[0].Title
		}
		if got != want {
			t.Errorf("%q: %q, want %q", heading, got, want)
		}
	}
}

// TestTree (§2): steps and sections have ids, titles and stable keys.
func TestTree(t *testing.T) {
	p := parse("# The title #\n" + begin + "## One ##\n" + begin + "# no\n### WORKFLOW STEP: B\n## One\n## INPUTS\n### WORKFLOW STEP: 2\n##Two\n## Two\n")
	var got []string
	p.Walk(func(s, _ *plan.Step) bool {
		got = append(got, fmt.Sprintf("%s %s %q %s", s.Kind, s.ID, s.Title, s.StableKey))
		return true
	})
	want := `step 1 "A" a, section One "One" one, step 2 "A" one/a, step 3 "B" one/b, section INPUTS "INPUTS" inputs, step 4 "2" inputs/2`
	if strings.Join(got, ", ") != want || p.Title != "The title" {
		t.Errorf("%s: %s", p.Title, strings.Join(got, ", "))
	}
	again := parse("## 1\n" + head + "## x\n## 1\n" + head)
	if got := again.Steps[0].ID + again.Steps[1].ID + again.Steps[0].Children[0].ID; got != "1~21~31" || again.Title != "case.md" {
		t.Errorf("%s %s", again.Title, got)
	}
}

// TestMessage (§6): the prompt contains values in code spans and the function names of tools.
func TestMessage(t *testing.T) {
	m := stepPrompt{StepName: "[A]", Description: "[A] [B] [C]", Tools: []string{"x/y", "x.y", "[A]", "[R]", "x/y"},
		Inputs: []Input{{"A", "an [A]"}, {"B", ""}, {"N", "numbers"}, {"LONG", "x"}, {"NONE", ""}}, Outputs: []Output{{"", "O"}, {"a`b", "O"}}}
	scope := run{vars: map[string]any{"A": "[B]`", "B": "", "N": []any{1.5, "é"}, "LONG": "a\n````\n", "R": "r"}, reported: []string{"R"}}
	got := render(t, m, scope)
	for _, part := range []string{
		"## Workflow step 1: [A]\n\n[B]`  [C]\n\n**Tools", "  1. `x_y`\n  2. `x_y_2`\n  3. `_B__`\n  4. `_R_`\n  5. `x_y`\n",
		"- A = `` [B]` `` (an [A])\n", "- B = ``\n", "- N = `[1.5,\"é\"]` (numbers)\n", "- LONG (x):\n`````\na\n````\n\n`````\n- NONE\n",
		"- report it as `O`\n- extract ``a`b``, report it as `O`\n", "an object with O\n", "[unknown-placeholder] [unknown-placeholder]",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in\n%s", part, got)
		}
	}
	if bare := render(t, m, nil); !strings.Contains(bare, "[A] [B] [C]") || strings.Contains(bare, "Verify") {
		t.Error(bare)
	}
}

// TestToolName: a value that a model reported does not choose a tool (§4).
func TestToolName(t *testing.T) {
	scope := run{vars: map[string]any{"A": "x", "R": "y"}, reported: []string{"R"}}
	if got := render(t, toolNamePrompt("[A]/[R]"), scope); got != "x/[R] [unknown-placeholder]" {
		t.Error(got)
	}
}
