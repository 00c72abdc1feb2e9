package workflow

import (
	"strings"
	"testing"
)

const (
	begin = "### 🔧 WORKFLOW STEP: A\n"
	block = "```\nx\n```\n"
	tool1 = "### 🛠️ TOOL: t\n"
)

// diagnosed has documents for every code of §5 that loading reports, with all of their diagnostics.
var diagnosed = map[string][]struct{ doc, want string }{
	"unreadable": {
		{begin + "ab\xff", "E 2:3 unreadable"},
		{"\xff\xfe#\x00", "E 1:1 unreadable"},
		{begin + "\x00", "E 2:1 unreadable"},
	},
	"too-large": {{begin + strings.Repeat("x", MaxSize), "E 1:1 too-large"}},
	"no-steps": {
		{"", "E 1:1 no-steps"},
		{"```\n" + begin + "```\n", "E 1:1 no-steps"},
		{"<!--\n" + begin + "-->\n", "E 1:1 no-steps"},
		{"## WORKFLOW STEP: A\n", "1:1 heading-ignored, E 1:1 no-steps"},
	},
	"empty-name": {
		{"### 🔧 WORKFLOW STEP:\nA\n" + block + tool1, "E 1:21 empty-name, 3:1 description-place"},
		{"### 🔧 WORKFLOW STEP: ###\n" + block + tool1, "1:1 heading-form, E 1:21 empty-name"},
	},
	"missing-description": {
		{begin + tool1, "E 1:1 missing-description"},
		{begin + "```\n \n```\n" + tool1, "E 1:1 missing-description"},
		{begin + "x\n" + tool1, "E 1:1 missing-description"},
	},
	"unclosed-block": {
		{begin + "```\nx\n" + tool1, "E 2:1 unclosed-block"},
		{begin + "````\nx\n```\n" + tool1, "2:1 fence-form, E 2:1 unclosed-block"},
		{head + "<!-- x\n" + tool1, "E 6:1 unclosed-block, 7:1 repeated-part"},
		{head + "  <!-->\n", ""},
		{head + "~~~\n", "6:1 extra-fence, E 6:1 unclosed-block"},
	},
	"missing-tool-spec": {
		{begin + block, "E 1:1 missing-tool-spec"},
		{begin + block + "### 🛠️ TOOLS:\nx\n", "E 1:1 missing-tool-spec, 6:1 item-dropped"},
		{begin + block + "### 🛠️ TOOLS:\n- \n", "E 1:1 missing-tool-spec, 6:2 item-dropped"},
	},
	"bad-tool-name": {
		{begin + block + "### 🛠️ TOOL: report_step_result\n", "E 5:14 bad-tool-name"},
		{begin + block + "### 🛠️ TOOLS:\n- a!\n- [B]/c\n", "E 6:3 bad-tool-name, 7:3 unknown-placeholder"},
	},
	"missing-input": {
		{head + "### 📥 INPUTS:\n- ONE: a\n- TWO: b\n### 📤 OUTPUTS:\n- x → ONE\n" + begin + "```\n[ONE][TWO][GIVEN]\n```\n" + tool1 + "### 📥 INPUTS:\n- ONE: a\n- TWO: b\n- GIVEN: c\n",
			"E 7:3 missing-input, E 8:3 missing-input, E 18:3 missing-input"},
	},
	"bom":          {{"\ufeff" + head, "1:1 bom"}},
	"line-endings": {{begin + "```\r\nx\r\n```\n" + tool1, "2:1 line-endings"}, {strings.ReplaceAll(head, "\n", "\r"), "1:1 line-endings"}},
	"heading-form": {
		{"#### 🔧 WORKFLOW STEP: A\n" + block + tool1, "1:1 heading-form"},
		{" ### 🔧 WORKFLOW STEP: A\n" + block + tool1, "1:2 heading-form"},
		{"###🔧 WORKFLOW STEP: A\n" + block + tool1, "1:1 heading-form"},
		{"###  🔧 WORKFLOW STEP: A\n" + block + tool1, "1:1 heading-form"},
		{"### 🔧  WORKFLOW STEP: A\n" + block + tool1, "1:1 heading-form"},
		{"### 🔧 WORKFLOW  STEP: A\n" + block + tool1, "1:1 heading-form"},
		{"### 🔧 Workflow Step: A\n" + block + tool1, "1:1 heading-form"},
		{"### 🔧 WORKFLOW STEP : A\n" + block + tool1, "1:1 heading-form"},
		{"### 🔧 WORKFLOW STEP：A\n" + block + tool1, "1:1 heading-form"},
		{"### 🔧 **WORKFLOW STEP:** A\n" + block + tool1, "1:1 heading-form"},
		{"### 🔧 WORKFLOW STEP:** A\n" + block + tool1, "1:1 heading-form"},
		{"### **🔧** WORKFLOW STEP: **A**\n" + block + tool1, "1:1 heading-form"},
		{"### 🔧 WORKFLOW STEP: A ##\n" + block + tool1, "1:1 heading-form"},
		{"### 🔧 WORKFLOW STEP:A\n" + block + tool1, ""},
		{begin + block + "### 🛠️ TOOL:\n- t\n### ✅ ASSERTIONS:\n### 📥 INPUT:\n", "5:1 heading-form, 7:1 heading-form, 8:1 heading-form"},
	},
	"marker-missing": {{"### WORKFLOW STEP: A\n" + block + tool1, "1:1 marker-missing"}, {"###WORKFLOW STEP: A\n" + block + tool1, "1:1 heading-form, 1:1 marker-missing"}},
	"marker-other":   {{"### 🔧\ufe0f WORKFLOW STEP: A\n" + block + tool1, "1:1 marker-other"}},
	"marker-damaged": {{"### ?? WORKFLOW STEP: A\n" + block + tool1, "1:1 marker-damaged"}},
	"heading-ignored": {
		{head + "## INPUTS:\n- A: b\n### The TOOLS:\n> ### ASSERT\n- # workflow step\n### TOOLS\n    ### TOOL: t\n# Tools\n# ATOOL\n",
			"6:1 heading-ignored, 8:1 heading-ignored, 9:3 heading-ignored, 10:3 heading-ignored, 11:1 heading-ignored, 12:5 heading-ignored"},
	},
	"heading-in-fence": {
		{"```\n" + begin + "```\n" + head, ""},
		{begin + "```\n" + tool1 + "```\n" + tool1 + "<!--\n### TOOLS:\n-->\n", "3:1 heading-in-fence, 7:1 heading-in-fence"},
	},
	"orphan-part":   {{tool1 + "- x\n" + head, "1:1 orphan-part"}},
	"repeated-part": {{head + "### 🛠️ TOOLS:\n- u\n", "6:1 repeated-part"}},
	"heading-note": {
		{head + "### 📥 INPUTS: (optional, see below)\n### 📤 OUTPUTS: Required\n### ✅ ASSERT: ordered\n", "6:15 heading-note, 7:16 heading-note, 8:15 heading-note"},
	},
	"inline-item": {
		{begin + block + "### 🛠️ TOOLS: a, b\n", "5:15 inline-item, 5:15 item-form"},
		{head + "### ✅ ASSERT: it works\nwell\n- b\n", "6:15 inline-item, 7:1 wrapped-item"},
	},
	"fence-form": {
		{begin + "~~~\nx\n~~~\n" + tool1, "2:1 fence-form"},
		{begin + "```text\nx\n```\n" + tool1, "2:1 fence-form"},
		{begin + "  ````\n  x\n  ````\n" + tool1, "2:3 fence-form"},
		{begin + "     ```\n     x\n     ```\n" + tool1, "2:6 fence-form"},
		{begin + "` ` `\nx\n` ` ` \n" + tool1, "2:1 fence-form"},
		{begin + "``` a`b\n" + block + tool1, "3:1 description-place"},
	},
	"description-place": {
		{begin + "x\n" + block + tool1, "3:1 description-place"},
		{begin + tool1 + block, "3:1 description-place"},
		{begin + "\n---\n<!-- x -->\n" + block + tool1, ""},
	},
	"extra-fence": {{head + "~~~\nx\n~~~\n", "6:1 extra-fence"}, {head + "     ```\n     ```\n", ""}},
	"list-form": {
		{head + "### ✅ ASSERT:\n* a\n+ a\n• a\n– a\n— a\n1. a\n1) a\n-a\n    - a\n- - a\n", "7:1 list-form, 8:1 list-form, 9:1 list-form, 10:1 list-form, 11:1 list-form, 12:1 list-form, 13:1 list-form, 14:1 list-form, 15:5 list-form"},
	},
	"wrapped-item": {
		{head + "### ✅ ASSERT:\n- a\nb\n\n  c\n1.5 d\n", "8:1 wrapped-item, 10:3 wrapped-item, 11:1 wrapped-item"},
	},
	"item-form": {
		{begin + block + "### 🛠️ TOOLS:\n- `a`\n- **b**,\n- c, d\n- e: makes it\n- \"f\"\n", "6:3 item-form, 7:3 item-form, 8:3 item-form, 9:3 item-form, 10:3 item-form"},
		{head + "### 📥 INPUTS:\n- `GIVEN`: x\n- GIVEN\n", "7:4 item-form, 8:3 duplicate-variable, 8:3 item-form"},
		{head + "### 📤 OUTPUTS:\n- → A\n- x → `B` (text)\n", "7:3 item-form, 8:3 item-form"},
	},
	"item-dropped": {
		{head + "### ✅ ASSERT:\ntext\n- a\n-\n\ntext\n- b\n- c\ntext\n", "7:1 item-dropped, 9:2 item-dropped, 11:1 item-dropped, 12:1 item-dropped, 13:1 item-dropped"},
		{head + "### 📥 INPUTS:\n- two words: x\n- 1A: x\n- HOST - x\n", "7:3 item-dropped, 8:3 item-dropped, 9:3 item-dropped"},
		{head + "### 📤 OUTPUTS:\n- x → two words\n- nothing\n- x y  A\n", "7:3 item-dropped, 8:3 item-dropped, 9:3 item-dropped"},
		{head + "- a\ntext\n- b\n## S\n- c\n", "6:1 item-dropped, 8:1 item-dropped"},
		{begin + block + "### 🛠️ TOOLS:\n- t\n~~~\n~~~\n- u\n", "7:1 extra-fence, 9:1 item-dropped"},
	},
	"arrow-form": {
		{head + "### 📤 OUTPUTS:\n- x -> A\n- x --> B\n- x => C\n- x ⇒ D\n- x в†’ E\n- x ?? F\n- x  G\n- x\tH\n", "8:3 arrow-form, 9:3 arrow-form, 10:3 arrow-form, 11:3 arrow-form, 12:3 arrow-form, 13:3 arrow-form, 14:3 arrow-form"},
	},
	"variable-name": {
		{head + "### 📥 INPUTS:\n- given_one: x\n### 📤 OUTPUTS:\n- x → Out\n", "E 7:3 missing-input, 7:3 variable-name, 9:7 variable-name"},
	},
	"duplicate-variable": {
		{head + "### 📤 OUTPUTS:\n- x → A\n- y → A\n- y → B\n", "8:7 duplicate-variable"},
	},
	"unknown-placeholder": {
		{begin + "```\n[NO] [NO] [GIVEN] [[NO]] [x] [A B] [1A] [_] [_A](u)\n```\n### 🛠️ TOOL: t_[NAME]\n", "3:1 unknown-placeholder, 3:45 unknown-placeholder, 5:16 unknown-placeholder"},
	},
}

// TestDiagnostics (§5): each document has exactly its diagnostics.
func TestDiagnostics(t *testing.T) {
	for code, cases := range diagnosed {
		for _, c := range cases {
			got := told(parse(c.doc, "GIVEN=x"))
			got = strings.TrimPrefix(strings.TrimPrefix(got, "1:1 unused-input"), ", ")
			got = strings.ReplaceAll(got, ", 1:1 unused-input", "")
			if got != c.want {
				t.Errorf("%s: %q:\n got %s\nwant %s", code, c.doc, got, c.want)
			}
		}
	}
}

// TestUnused: an initial variable that no step names is reported (§4).
func TestUnused(t *testing.T) {
	doc := head + "### ✅ ASSERT:\n- [USED]\n### 📤 OUTPUTS:\n- x → OUT\n"
	p := parse(doc, "USED=1", "OUT=2", "LOST=3", "1X=4")
	if got := told(p); got != "1:1 unused-input, 1:1 unused-input" {
		t.Error(got)
	}
	var inputs []string
	for _, in := range p.Inputs {
		inputs = append(inputs, in.Name)
	}
	if got := strings.Join(inputs, " "); got != "LOST OUT USED" { // 1X is not a valid name
		t.Errorf("inputs: %s", got)
	}
}

// TestSuggestions: each diagnostic says what to do, and shows the canonical heading.
func TestSuggestions(t *testing.T) {
	p := parse("#### Tool: t\n### workflow step: A\n")
	for _, d := range p.Diagnostics {
		if d.Suggestion == "" || d.ErrorType == "" || !strings.HasPrefix(d.Message, "dir/case.md: ") {
			t.Errorf("%+v", d)
		}
	}
	if !strings.Contains(p.Diagnostics[0].Suggestion, "`### 🛠️ TOOL:`") {
		t.Errorf("%+v", p.Diagnostics[0])
	}
}
