package playbook

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"playhead/parse/plan"
)

// diagnosed has documents for every code of spec §8, with all of their diagnostics.
var diagnosed = map[string][]struct{ doc, want string }{
	"no-title": {
		{"## STEP 1: A\n", "1:1 no-title"},
		{"#T\n## STEP 1: A\n", "1:1 no-title"},
		{"```\n# T\n```\n## STEP 1: A\n", "1:1 no-title"},
		{"x\n", "1:1 no-steps, 1:1 no-title"},
	},
	"no-steps": {
		{"# T\n## SYSTEM\nx\n", "1:1 no-steps"},
		{"# T\n## Step 1: A\n## STEP 1:A\n## STEP one: A\n## STEP 1:\n ## STEP 1: A\n", "1:1 no-steps, 2:1 heading-like, 3:1 heading-like, 4:1 heading-like, 5:1 heading-like, 6:1 heading-like"},
		{"# T\n```\n## STEP 1: A\n```\n", "1:1 no-steps"},
	},
	"empty":     {{"", "1:1 empty"}, {" \n\t\r\n", "1:1 empty"}, {"\ufeff\n", "1:1 empty"}},
	"too-large": {{"# T\n## STEP 1: A\n" + strings.Repeat("x", MaxSize), "1:1 too-large"}},
	"encoding": {
		{"# T\n## STEP 1: é\xff\n", "2:13 encoding"},
		{"# T\r\n\x00", "2:1 encoding"},
		{"\xff\xfe#\x00", "1:1 encoding"},
		{"# T\n\ufffd\n## STEP 1: A\n", ""},
	},
	"duplicate-input": {
		{head + "- `topic` (text)\n## STEP 1: A\n{{topic}}{{depth}}{{on}}\n", "6:4 duplicate-input"},
		{head + "## STEP 1: A\n{{topic}}{{depth}}{{on}}\n## inputs\n- `x` (text)\n- `on` (text)\n", "9:4 unused-input, 10:4 duplicate-input"},
		{"# T\n## INPUTS\n- `a` (text)\n- `A` (text)\n## STEP 1: A\n{{a}}{{A}}\n", ""},
	},
	"step-sequence": {
		{"# T\n## STEP 1: A\n## STEP 3: A\n## STEP 4: A\n", "3:1 step-sequence"},
		{"# T\n## STEP 2: A\n## STEP 2: A\n## STEP 1: A\n", "2:1 step-sequence, 3:1 step-sequence, 4:1 step-sequence"},
		{"# T\n## STEP 1: A\n## STEP 2: A\n## STEP 2: A\n## STEP 4: A\n", "4:1 step-sequence, 5:1 step-sequence"},
		{"# T\n## STEP 0: A\n## STEP 99999999999999999999: A\n", "2:1 step-sequence, 3:1 step-sequence"},
		{"# T\n## STEP 9223372036854775807: A\n## STEP 9223372036854775808: B\n## STEP 9223372036854775808: C\n", "2:1 step-sequence, 4:1 step-sequence"},
	},
	"input-line": {
		{"# T\n## INPUTS\n- topic (string)\n* `a` (text)\n- `1a` (text)\n- `b` ()\n-`c` (text)\n- `d` (text) x\nnot a list\n  - `e`\n\n## STEP 1: A\n",
			"3:1 input-line, 4:1 input-line, 5:1 input-line, 6:1 input-line, 7:1 input-line, 8:1 input-line"},
		{"# T\n## INPUTS\n- `a` (text)  \n- `b` (text): \n- `c` (text):\n\n## STEP 1: A\n{{a}}{{b}}\n", "5:1 input-line"},
	},
	"input-default": {
		{"# T\n## INPUTS\n- `a` (bool: Yes)\n- `b` (int: five)\n- `c` (Boolean: TRUE)\n- `d` (number: -1.5)\n## STEP 1: A\n{{a}}{{b}}{{c}}{{d}}\n", "3:4 input-default, 4:4 input-default"},
	},
	"input-type": {
		{"# T\n## INPUTS\n- `a` (nubmer)\n- `b` ( date : x)\n- `c` (: x)\n- `d` (Bool)\n- `e` (JSON)\n## STEP 1: A\n{{a}}{{b}}{{c}}{{d}}{{e}}\n", "3:8 input-type, 4:9 input-type, 5:8 input-type"},
	},
	"output-type": {
		{"# T\n## STEP 1: A\nx\n@output(a:  nubmer, extract:\"a\")\n## STEP 2: A\n{{a}}\n@output(b: JSON)\n## STEP 3: A\n{{b}}\n", "4:13 output-type"},
	},
	"enum-empty": {
		{"# T\n## INPUTS\n- `a` (enum)\n- `b` (select: , )\n## STEP 1: A\n{{a}}{{b}}\n", "3:4 enum-empty, 4:4 enum-empty"},
		{"# T\n## STEP 1: A\nx\n@output(a: choice)\n## STEP 2: A\n{{a}}\n", "4:9 enum-empty"},
	},
	"artifact-type": {
		{"# T\n## STEP 1: A\n## OUTPUT\ntype: pdf\n", "4:7 artifact-type"},
		{"# T\n## STEP 1: A\n## ARTIFACTS\n\n  Type:  \n", "5:10 artifact-type"},
		{"# T\n## STEP 1: A\n## ARTIFACTS\nTYPE: MarkDown\n", ""},
	},
	"condition-variable": {
		{"# T\n## STEP 1: A\n```if ghost == \"x\"```\n### STEP 1a: B\n```endif```\n", "3:7 condition-variable"},
		{head + "## STEP 1: A\n{{topic}}{{depth}}{{on}}\n```if late == \"x\"```\n### STEP 1a: B\nx\n@output(late)\n```elif late != \"y\"```\n### STEP 1b: B\n```endif```\n",
			"8:7 condition-variable, 12:9 condition-variable"},
		{"# T\n## STEP 1: A\nx\n@output(own)\n```if own == \"x\"```\n### STEP 1a: B\n```endif```\n", ""},
		{"# T\n## STEP 1: A\n@elicit(confirm, \"ok?\")\n## STEP 2: B\n```if __elicit_step_1 == \"yes\"```\n### STEP 2a: B\n```endif```\n", ""},
	},
	"condition-syntax": {
		{head + "## STEP 1: A\n{{topic}}{{depth}}{{on}}\n```if depth == 'deep'```\n### STEP 1a: B\nx\n```else```\n### STEP 1b: C\ny\n```endif```\n", "8:1 condition-syntax"},
		{head + "## STEP 1: A\n{{topic}}{{depth}}{{on}}\n```if depth == \"deep\"```\n### STEP 1a: B\nx\n```elif depth > \"deep\"```\n### STEP 1b: C\ny\n```else```\n### STEP 1c: C\ny\n```endif```\n", "11:1 condition-syntax"},
		{head + "## STEP 1: A\n{{topic}}{{depth}}{{on}}\n```if depth == \"deep\" and on == \"true\"```\nx\n```end```\n", "8:1 condition-syntax, 10:1 condition-syntax"},
		{head + "## STEP 1: A\n{{topic}}{{depth}}{{on}}\n```if depth == \"deep\"\n### STEP 1a: B\nx\n```endif```\n", "8:1 condition-syntax"},
		{"# T\n## STEP 1: A\n~~~\n```if a```\n~~~\n```ifconfig```\n", ""},
		{"# T\n## STEP 1: A\n```if a == \"b\"\n```\nx\n```endif\n```\n## STEP 2: B\n@elicit(confirm, \"ok?\")\n```\ncode\n```\n", "3:1 condition-syntax, 6:1 condition-syntax"},
		{"# T\n## STEP 1: A\n```if a == \"b\"\nx\n```\n## STEP 2: B\n@elicit(confirm, \"ok?\")\n", "3:1 branch-structure, 3:1 condition-syntax"},
		{"# T\n## STEP 1: A\n```if a == \"b\"\nx\n## STEP 2: B\n```\n@elicit(confirm, \"ok?\")\n```\n", "3:1 branch-structure, 3:1 condition-syntax"},
		{head + "## STEP 1: A\n{{topic}}{{depth}}\n``if on == \"true\"``\nx\n\t```else```\n- ```endif```\n", "8:1 condition-syntax, 10:1 condition-syntax, 11:1 condition-syntax"},
	},
	"branch-structure": {
		{"# T\n## STEP 1: A\n```else```\nx\n", "3:1 branch-structure"},
		{"# T\n## STEP 1: A\n```endif```\n", "3:1 branch-structure"},
		{head + "## STEP 1: A\n{{topic}}{{on}}\n```if depth == \"deep\"```\n### STEP 1a: B\nx\n```if on == \"true\"```\ny\n```else```\nz\n```endif```\nw\n```endif```\n", "11:1 branch-structure"},
		{head + "## STEP 1: A\n{{topic}}{{on}}\n```if depth == \"deep\"```\n### STEP 1a: B\nx\n\n## STEP 2: B\ny\n", "8:1 branch-structure"},
		{head + "## STEP 1: A\n{{topic}}{{on}}\n```if depth == \"deep\"```\n### STEP 1a: B\nx\n```endif```\n```else```\n### STEP 1b: B\ny\n```endif```\n", "12:1 branch-structure"},
		{head + "## STEP 1: A\n{{topic}}{{on}}\n```if depth == \"deep\"```\n### STEP 1a: B\nx\n```else```\n### STEP 1b: B\n```elif depth == \"quick\"```\n### STEP 1c: B\n```endif```\n", "13:1 branch-structure"},
	},
	"branch-unreachable": {
		{head + "## STEP 1: A\n{{topic}}{{on}}\n```if depth == \"depe\"```\n### STEP 1a: B\n```elif depth != \"qiuck\"```\n### STEP 1b: B\n```endif```\n", "8:7 branch-unreachable, 10:9 branch-unreachable"},
		{head + "## STEP 1: A\n{{topic}}{{depth}}\n```if on == \"true\"```\n### STEP 1a: B\n```elif on == \"false\"```\n### STEP 1b: B\n```else```\n### STEP 1c: B\n```endif```\n", "12:1 branch-unreachable"},
		{head + "## STEP 1: A\n{{depth}}{{on}}\n```if topic == \"a\"```\n### STEP 1a: B\n```elif topic == \"a\"```\n### STEP 1b: B\n```elif topic != \"a\"```\n### STEP 1c: B\n```elif topic == \"b\"```\n### STEP 1d: B\n```endif```\n", "10:9 branch-unreachable, 14:9 branch-unreachable"},
		{head + "## STEP 1: A\n{{depth}}{{on}}\n```if topic != \"a\"```\n### STEP 1a: B\n```elif topic != \"b\"```\n### STEP 1b: B\n```else```\n### STEP 1c: B\n```endif```\n", "12:1 branch-unreachable"},
		{"# T\n## STEP 1: A\nx\n@output(a: enum, \"x\", \"y\")\n## STEP 2: B\n```if a == \"z\"```\n### STEP 2a: B\n```endif```\n", "6:7 branch-unreachable"},
		{"# T\n## STEP 1: A\n@elicit(confirm, \"ok?\")\n@output(a)\n## STEP 2: B\n```if a == \"true\"```\n### STEP 2a: B\n```elif a == \"no\"```\n### STEP 2b: B\n```else```\n### STEP 2c: B\n```endif```\n", "6:7 branch-unreachable"},
	},
	"substep-label": {
		{head + "## STEP 1: A\n{{topic}}{{on}}\n### STEP 1a: B\n```if depth == \"deep\"```\n### STEP 2a: B\n### STEP 1b: B\n```else```\n### STEP 1b: B\n```endif```\n", "8:1 substep-label, 10:1 substep-label, 13:1 substep-label"},
	},
	"implicit-substep": {
		{head + "## STEP 1: A\n{{topic}}{{on}}\n```if depth == \"deep\"```\n\nx\n```else```\n### STEP 1a: B\n```endif```\n", "10:1 implicit-substep"},
		{head + "## STEP 1: A\n{{topic}}{{on}}\n```if depth == \"deep\"```\n@elicit(confirm, \"ok?\")\n### STEP 1a: B\n```endif```\n", "9:1 implicit-substep"},
	},
	"elicit-type": {
		{"# T\n## STEP 1: A\n@elicit(choose, \"x\")\n@elicit()\n@elicit(\"confirm\", \"x\")\n", "3:9 elicit-type, 4:9 elicit-type, 5:9 elicit-type"},
		{"# T\n## STEP 1: A\n@elicit( Confirm , \"x\")\n## STEP 2: B\n@elicit(INPUT, \"x\")\n## STEP 3: C\n@elicit(sElect, \"x\", \"a\", \"b\")\n", ""},
	},
	"elicit-arguments": {
		{"# T\n## STEP 1: A\n@elicit(input)\n", "3:9 elicit-arguments"},
		{"# T\n## STEP 1: A\n@elicit(confirm, 'ok?')\n", "3:9 elicit-arguments"},
		{"# T\n## STEP 1: A\n@elicit(select, \"which\", \"one\")\n", "3:9 elicit-arguments"},
		{"# T\n## STEP 1: A\n@elicit(select, \"which\", one, two)\n", "3:9 elicit-arguments"},
		{"# T\n## STEP 1: A\n@elicit(input, \"\")\n", "3:9 elicit-arguments"},
		{"# T\n## STEP 1: A\n@elicit(confirm \"ok?\")\n", "3:9 elicit-arguments"},
		{"# T\n## STEP 1: A\n@elicit(confirm，“ok?”)\n", "3:9 elicit-arguments"},
	},
	"prompt-scheme": {{"# T\n## STEP 1: A\n@prompt( http://x )\n", "3:10 prompt-scheme"}},
	"prompt-path": {
		{"# T\n## STEP 1: A\n@prompt(file:/etc/passwd)\n## STEP 2: A\n@prompt(file:a/../b)\n## STEP 3: A\n@prompt(file:C:\\x)\n## STEP 4: A\n@prompt(file:)\n",
			"3:9 prompt-path, 5:9 prompt-path, 7:9 prompt-path, 9:9 prompt-path"},
		{"# T\n## STEP 1: A\n@prompt(file:gone.md)\n", "3:9 prompt-path"},
		{"# T\n## STEP 1: A\n@prompt(file:a..b/there.md)\n## STEP 2: A\n@prompt(mcp:a/b)\n## STEP 3: A\n@prompt(library:x)\n## STEP 4: A\n@prompt(bare)\n", ""},
	},
	"tool-arguments": {
		{"# T\n## STEP 1: A\n@tool(server)\n", "3:7 tool-arguments"},
		{"# T\n## STEP 1: A\n@tool(server, )\n", "3:7 tool-arguments"},
		{"# T\n## STEP 1: A\n@tool(server.call, {\"a\": 1})\n@tool('server', 'call')\n", "3:7 tool-arguments, 4:7 tool-arguments"},
		{"# T\n## STEP 1: A\n@tool(server, call, [1])\n", "3:21 tool-arguments"},
		{"# T\n## STEP 1: A\n@tool(server, call, {a: 1})\n", "3:21 tool-arguments"},
		{head + "## STEP 1: A\n@tool(\"My Server\", call, {\"a\": \"{{topic}}, {{depth}}\", \"b\": {{on}}})\n", ""},
	},
	"directive-repeat": {
		{"# T\n## STEP 1: A\nx\n@output(a)\n@output(b)\n@prompt(x)\n@prompt(y)\n@elicit(input, \"a\")\n@elicit(input, \"b\")\n", "5:1 directive-repeat, 7:1 directive-repeat, 9:1 directive-repeat"},
		{"# T\n## STEP 1: A\n@tool(a, b)\n@tool(a, c)\n", "4:1 directive-repeat"},
	},
	"directive-conflict": {
		{"# T\n## STEP 1: A\nx\n@tool(a, b)\n", "4:1 directive-conflict"},
		{"# T\n## STEP 1: A\n@tool(a, b)\n@elicit(confirm, \"ok?\")\n@prompt(x)\n", "3:1 directive-conflict"},
	},
	"directive-outside": {
		{"# T\n@elicit(confirm, \"a?\")\n## Approval\n- @Elicit(confirm, \"b?\")\n```\n@elicit(confirm, \"c?\")\n```\n## SYSTEM\n@elicit(input, \"d?\")\n## STEP 1: A\nx\n",
			"2:1 directive-outside, 4:1 directive-outside, 9:1 directive-outside"},
	},
	"heading-like": {
		{"# T\n## STEP 1: A\nx\n## Step 2: B\ny\n## STEP 3 - C\n### STEP 4: D\n##STEP 5: E\n## **STEP 6: F**\n## STEP 7\n# STEP 8: H\n   ## STEP 9： I\n##\u00a0STEP 10: J\n## 🔧 STEP 11: K\n## STEP one: L\n## STEP １: M\n",
			"4:1 heading-like, 6:1 heading-like, 7:1 heading-like, 8:1 heading-like, 9:1 heading-like, 10:1 heading-like, 11:1 heading-like, 12:1 heading-like, 13:1 heading-like, 14:1 heading-like, 15:1 heading-like, 16:1 heading-like"},
		{"# T\n## Inputs:\n- `a` (text)\n## INPUT\n## System Prompt:\n## Artifact\n## Outputs\n## STEP 1: A\nx\n", "2:1 heading-like, 4:1 heading-like, 5:1 heading-like, 6:1 heading-like, 7:1 heading-like"},
		{head + "## STEP 1: A\n{{topic}}{{on}}\n```if depth == \"deep\"```\n### Step 1a: B\nx\n### STEP 1B: C\n#### STEP 1c: D\n```endif```\n", "9:1 heading-like, 9:1 implicit-substep, 11:1 heading-like, 12:1 heading-like"},
		{"# Step 1: the title\n## Step by step\n## STEPS\n## Inputs and outputs\n## STEP 1: A\n### Step 1: of a text\n### Output\n# Steps\n```\n## Step 2: B\n```\n    ## STEP 2: code\n", ""},
	},
	"title-late": {{"## SYSTEM\ns\n# T\n## STEP 1: A\nx\n", "3:1 title-late"}},
	"directive-like": {
		{"# T\n## STEP 1: A\n@ouput(a)\n @promt(x:y)\n@tol a\n@mention(you)\nmail @output(a)\n```\n@tol(a, b)\n```\n", "3:1 directive-like, 4:1 directive-like, 6:1 directive-like"},
	},
	"directive-syntax": {
		{"# T\n## STEP 1: A\n@Elicit(confirm, \"ok?\")\n@ELICIT(confirm, \"ok?\")\n@elicit (confirm, \"ok?\")\n@ elicit(confirm, \"ok?\")\n@elicit confirm ok?\n@elicit\n",
			"3:1 directive-like, 4:1 directive-like, 5:1 directive-like, 6:1 directive-like, 7:1 directive-like, 8:1 directive-like"},
		{"# T\n## STEP 1: A\n- @elicit(confirm, \"ok?\")\n\t@elicit(confirm, \"ok?\")\n`@elicit(confirm, \"ok?\")`\nNow @elicit(confirm, \"ok?\")\n@elicit（confirm, \"ok?\"）\n＠elicit(confirm, \"ok?\")\n@elicit[confirm]\n> @output(x)\n@Output(x)\n",
			"3:1 directive-like, 4:1 directive-syntax, 5:1 directive-like, 6:1 directive-like, 7:1 directive-like, 8:1 directive-like, 9:1 directive-like, 10:1 directive-like, 11:1 directive-like"},
		{"# T\n## STEP 1: A\nthe @elicit directive, an @output (of any kind)\nme@elicit.org @user\n", ""},
		{"# T\n## STEP 1: A\n@output(a) b\n@output(a b)\n @output(a)\n@elicit(input, \"x\"\n@prompt()\n@tool(a, b, {\n@unknown(x\n", "3:1 directive-syntax, 4:1 directive-syntax, 5:1 directive-syntax, 6:1 directive-syntax, 7:1 directive-syntax, 8:1 directive-syntax, 9:1 directive-like"},
	},
	"placeholder-undefined": {
		{"# T\n## STEP 1: A\n@prompt({{never}})\nx\n", "3:9 placeholder-undefined"},
		{"# T\n## STEP 1: A\né {{a}} {{a:text}} {{a:text:x}} {{ a }}\n", "3:3 placeholder-undefined, 3:9 placeholder-undefined"},
		{"# T\n## STEP 1: A\n{{a}}\n@output(a)\n## STEP 2: A\n{{a}}\n", "3:1 placeholder-undefined"},
		{head + "## STEP 1: A\n{{topic}}{{on}}\n```if depth == \"deep\"```\n### STEP 1a: B\nx\n@output(a)\n### STEP 1b: B\n{{a}}\n```else```\n### STEP 1c: B\n\n  {{a}}\n```endif```\n## STEP 2: A\n{{a}}\n", "17:3 placeholder-undefined"},
		{"# T\n## SYSTEM\n{{a}} {{b}}\n## STEP 1: A\nx\n@output(a)\n## OUTPUT\ntype: {{c}}\n", "3:7 placeholder-undefined, 8:7 placeholder-undefined"},
		{"# T\n## STEP 1: A\n@prompt({{a}})\n@elicit(input, \"{{b}}?\")\n## STEP 2: A\n@tool(a, b, {\"x\": \"{{c}}\"})\n## STEP 3: A\n@prompt(library: {{d}})\n", "3:9 placeholder-undefined, 4:17 placeholder-undefined, 6:20 placeholder-undefined, 8:18 placeholder-undefined"},
		{"# T\n## STEP 1: A\n@elicit(input, \"who?\")\n{{__elicit_step_1}}\n", ""},
		{"# T\n## STEP 1: A\n@output(a)\n## STEP 2: A\n{{a}}\n", "5:1 placeholder-undefined"},
	},
	"output-shadows-input": {{head + "## STEP 1: A\n{{topic}}{{depth}}{{on}}\n@output(topic)\n", "8:9 output-shadows-input"}},
	"unused-input":         {{"# T\n## INPUTS\n- `a` (text)\n## STEP 1: A\nx\n", "3:4 unused-input"}},
	"unused-output":        {{"# T\n## STEP 1: A\nx\n@output(a)\n## STEP 2: A\nx\n@output(a)\n", "4:9 unused-output"}},
	"unclosed-fence":       {{"# T\n## STEP 1: A\nx\n```json\n## STEP 2: B\n", "4:1 unclosed-fence"}},
}

// TestDiagnostics (spec §8): each document has exactly its diagnostics at their places, each with a message, a
// suggestion and the file.
func TestDiagnostics(t *testing.T) {
	files := func(path string) string {
		if strings.Contains(path, "gone") {
			return "there is no such file"
		}
		return ""
	}
	for code, cases := range diagnosed {
		said := false
		for _, c := range cases {
			p := Parse("case.playbook.md", []byte(c.doc), Options{PromptFileProblem: files})
			if got := listed(p, plan.Info); got != c.want && !besides(got, c.want) {
				t.Errorf("%s: %.300q\n got %s\nwant %s", code, c.doc, got, c.want)
			}
			for _, d := range p.Diagnostics {
				said = said || d.Code == Format+"/"+code
				if d.Message == "" || d.Suggestion == "" || d.File != "case.playbook.md" {
					t.Errorf("incomplete: %+v", d)
				}
			}
		}
		if !said {
			t.Errorf("no case gives %s", code)
		}
	}
}

// besides compares without unused-output and unused-input, which many of the short documents have.
func besides(got, want string) bool {
	var rest []string
	for _, d := range strings.Split(got, ", ") {
		if !strings.HasSuffix(d, " unused-output") && !strings.HasSuffix(d, " unused-input") {
			rest = append(rest, d)
		}
	}
	return strings.Join(rest, ", ") == want
}

// TestSeverities (spec §8): each code has the severity of the table.
func TestSeverities(t *testing.T) {
	for code, cases := range diagnosed {
		want := plan.Warning
		switch code {
		case "no-title", "no-steps", "empty", "too-large", "encoding", "duplicate-input":
			want = plan.Error
		case "implicit-substep", "input-default", "unused-input", "unused-output", "directive-like", "directive-outside", "heading-like", "input-type", "output-type":
			want = plan.Info
		}
		for _, d := range Parse("x", []byte(cases[0].doc), Options{}).Diagnostics {
			if d.Code == Format+"/"+code && d.Severity != want {
				t.Errorf("%s is %s, want %s", code, d.Severity, want)
			}
		}
	}
}

// TestMessages: messages and suggestions name the cause and the correction.
func TestMessages(t *testing.T) {
	for doc, want := range map[string]string{
		"# T\n## STEP 1: A\n## STEP 3: A\n":                                                    "expected step 2 here, but found step 3",
		"# T\n## STEP 1: A\n## STEP 1: B\n## STEP 2: C\n":                                      "found another step 1, which is called 1~2 in a runwrite ## STEP 2: B, and renumber the steps after it",
		"# T\n## STEP 099999999999999999999: A\n## STEP 7: B\n":                                "expected step 100000000000000000000 here, but found step 7",
		"# T\n## STEP 1: A\n## OUTPUT\ntype: pdf\n":                                            "markdown, json, mermaid, chartjs, html_css, javascript, typescript",
		"# T\n## Step 1: A\n":                                                                  "line 2 is almost one; write it like: ## STEP 1: A",
		"## My plan\n## STEP 1: A\n":                                                           "line 1 is almost one; write it like: # My plan",
		"My plan\n===\n## STEP 1: A\n":                                                         "line 1 is almost one; write it like: # My plan",
		"# T\n## STEP 1: A\n## Step 2 - Go on\n":                                               "## STEP 2: Go on",
		"# T\n## STEP 1: A\n### Step 1b. Go on\n":                                              "### STEP 1b: Go on",
		"# T\n## STEP 1: A\n### STEP 2\n":                                                      "read as text of step 1write it like: ## STEP 2: Title",
		"## SYSTEM\n# T\n## STEP 1: A\n":                                                       "put the line # T at the top",
		"# T\n## STEP 1: A\n```if d == a```\nx\n```endif```\n":                                 "the value a needs double quotes",
		"# T\n## STEP 1: A\n```if d > \"a\"```\nx\n```endif```\n":                              "only one comparison, with == or !=, can follow if or elif",
		"# T\n## STEP 1: A\n```if cta```\nx\n```endif```\n":                                    "```if cta == \"true\"```",
		"# T\n## STEP 1: A\n```if not cta```\nx\n```endif```\n":                                "```if cta != \"true\"```",
		"# T\n## STEP 1: A\n```if d = 'a b'```\nx\n```endif```\n":                              "```if d == \"a b\"```",
		"# T\n## STEP 1: A\n```IF ({{d}} is not a)```\nx\n```endif```\n":                       "```if d != \"a\"```",
		"# T\n## STEP 1: A\n```if d == a and b```\nx\n```endif```\n":                           "```if name == \"value\"```",
		"# T\n## STEP 1: A\n`if d = 'a b'`\nx\n```endif```\n":                                  "triple backticks, like: ```if d == \"a b\"```",
		"# T\n## STEP 1: A\n`elseif d`\n":                                                      "triple backticks, like: ```elif d == \"true\"```",
		"# T\n## STEP 1: A\n > `ELSE`\n":                                                       "triple backticks, like: ```else```",
		"# T\n## STEP 1: A\n@prompt({{never}})\n":                                              "nothing before this step defines \"never\": the step fails",
		head + "## STEP 1: A\n```endif```\n```else```\n":                                       "no if",
		"# T\n## STEP 1: A\n```if a == \"\"```\n```endif```\n```else```":                       "the if that ends on line 4",
		"# T\n## STEP 1: A\n{{a}}\n@output(a)\n":                                               "step 1 defines it, but does not run before this step",
		"# T\n## STEP 1: A\n@output(a)\n## STEP 2: B\n```if a == \"b\"```\nx\n```endif```":     "it is empty hereuse an input",
		"# T\n## STEP 1: A\n```if a == \"b\"```\nx\n```else```\ny\n```else```\nz\n```endif```": "this block already has an else",
	} {
		said := ""
		for _, d := range Parse("x", []byte(doc), Options{}).Diagnostics {
			said += d.Message + d.Suggestion + "\n"
		}
		if !strings.Contains(said, want) {
			t.Errorf("%q: %s does not say %q", doc, said, want)
		}
	}
}

// TestStepNumberSuggestions: whoever follows all suggestions about the numbers of steps has steps 1, 2, 3 …
func TestStepNumberSuggestions(t *testing.T) {
	const length, highest = 4, 5
	for code := range 6 * 6 * 6 * 6 {
		var numbers []int
		doc := "# T\n"
		for range length {
			numbers = append(numbers, code%(highest+1))
			doc += fmt.Sprintf("## STEP %d: A\n", code%(highest+1))
			code /= highest + 1
		}
		corrected := followSuggestions(t, doc, numbers)
		if fmt.Sprint(corrected) != "[1 2 3 4]" {
			t.Errorf("%v becomes %v", numbers, corrected)
		}
	}
}

var writtenNumberPattern = regexp.MustCompile(`write ## STEP (\d+): A`)

// followSuggestions returns the numbers of the steps of a document, which are on the lines from the second one on, after all
// suggestions are followed.
func followSuggestions(t *testing.T, doc string, numbers []int) []int {
	t.Helper()
	corrected := slices.Clone(numbers)
	for _, d := range Parse("x", []byte(doc), Options{}).Diagnostics {
		step := d.Line - 2
		if m := writtenNumberPattern.FindStringSubmatch(d.Suggestion); m != nil {
			corrected[step], _ = strconv.Atoi(m[1])
		} else if !strings.HasPrefix(d.Suggestion, "correct the numbers of the steps before this one") {
			t.Fatalf("%s: %s", d.Message, d.Suggestion)
		}
		if strings.HasSuffix(d.Suggestion, "renumber the steps after it") {
			for i := step + 1; i < len(corrected); i++ {
				corrected[i] = corrected[i-1] + 1
			}
		}
	}
	return corrected
}
