package rundown

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/parse/plan"
)

// one is a valid first step, for cases about the text after it.
const one = "## 1. A\n"

// findings returns the diagnostics of a document as "line:column code", separated by blanks.
func findings(doc string) string {
	return listed(Parse("case.runbook.md", []byte(doc), Options{}))
}

func listed(p *plan.Plan) string {
	var out []string
	for _, d := range p.Diagnostics {
		out = append(out, fmt.Sprintf("%d:%d %s", d.Line, d.Column, strings.TrimPrefix(d.Code, "rundown/")))
	}
	return strings.Join(out, " ")
}

// diagnosed maps sections of the spec to documents with all of their diagnostics.
var diagnosed = map[string][]struct{ doc, want string }{
	"1 reading": {
		{"", "1:1 no-steps"},
		{"\xef\xbb\xbf## 1. A\n", ""},
		{"## 1. A\r\nx\r\n- PASS: GOTO 9\r\n", "3:3 goto-step-missing"},
		{"## 1. A\rx\r- PASS: GOTO 9\r", "3:3 goto-step-missing"},
		{"## 1. A\nb\xff\n", "1:1 unreadable"},
		{"## 1. A\nb\x00\n", "1:1 unreadable"},
		{one + strings.Repeat("x", maxLineLength), ""},
		{one + strings.Repeat("x", maxLineLength+1) + "\n", "2:1 long-line"},
		{one + strings.Repeat("ü", maxLineLength) + "\n- PASS: GOTO 9\n## 3. " + strings.Repeat("*", MaxSize/2), "2:1 long-line 3:3 goto-step-missing 4:1 long-line 4:1 step-sequence"},
		{"---\nname: a-" + strings.Repeat("b", maxLineLength) + "\n---\n" + one + "- PASS: GOTO 9\n", "2:1 long-line 5:3 goto-step-missing"},
		{one + strings.Repeat(">", 100) + " x", ""},
		{one + strings.Repeat(">", 101) + " x", "2:101 too-deep"},
		{one + nest(100, ""), ""},
		{one + nest(101, ""), "102:201 too-deep"},
		{one + strings.Repeat("> - ", 50) + "x", ""},
		{one + strings.Repeat("> - ", 50) + "> x", "2:201 too-deep"},
		{strings.Repeat("x", MaxSize+1), "1:1 too-large"},
		{one + "| a | b |\n|---|---|\n| PASS: STOP | |\n\n- [ ] PASS: STOP\n\n[^1]: PASS\n", ""},
	},
	"1 CommonMark": {
		{one + "</pre>\nPASS: nowhere\n\n</Script \t>\nPASS: nowhere\n\n</style>\nPASS: nowhere\n", ""},
		{one + "<!a\nPASS: nowhere\n>\n<!B\nPASS: nowhere\n>\n", ""},
		{one + "<div\tid=a\nPASS: nowhere\n\n<x-y\ta>\t\nPASS: nowhere\n\n</p\t>\nPASS: nowhere\n", ""},
		{one + "x\n</pre>\nPASS: nowhere\n", "4:1 bad-transition"},
		{one + "</pre> x\nPASS: nowhere\n\n<![a\nPASS: nowhere\n", "3:1 bad-transition 6:1 bad-transition 6:1 transition-order"},
	},
	"3.8 placeholders in commands": {
		{"## 1. A\n### 1.{n} B\n```sh\necho {n}\n```\n", "4:6 command-literal"},
		{"## {N} A\n```sh\necho {N}\n```\n", "3:6 command-literal"},
		{"## {N} A\n### {N}.{n} B\n```sh\necho {N}\n```\n", "4:6 command-literal"},
		{"## {N} A\n### {N}.{n} B\n```sh prompt\necho {n}\n```\nPASS: STOP\n", ""},
		{one + "```sh\necho {n} {N}\n```\n", ""},
		{"## 1. A\n### 1.{n} B\n```sh\nfor n in 1 2; do echo ${n}; done\n```\n", ""},
		{"## {N} A\n### {N}.{n} B\n```sh\necho ${n} {n}\n```\n", "4:11 command-literal"},
	},
	"1 top level": {
		{one + "> ## 2. B\n", "2:3 ignored-construct"},
		{one + "> PASS: STOP\n", "2:3 ignored-construct"},
		{one + "> x\n> FAIL: nowhere\n", "3:3 ignored-construct"},
		{one + "> `code\n> broken` over lines\n> PASS: STOP\n", "4:3 ignored-construct"},
		{one + "> - a.runbook.md\n", "2:5 ignored-construct"},
		{one + "> ```sh\n> ls\n> ```\n", "2:3 ignored-construct"},
		{one + "> ```json\n> {}\n> ```\n> ```sh prompt\n> ```\n", ""},
		{one + "> pass: stop\n", ""},
		{one + "- x\n  - PASS: STOP\n", "3:5 ignored-construct"},
		{one + "- x\n  - a.runbook.md\n", "3:5 ignored-construct"},
		{one + "- x\n  \t- PASS: STOP\n", "3:6 ignored-construct"},
		{one + "- x\n\n  \t```sh\n  \t```\n", "4:4 ignored-construct"},
		{one + "-\n  - PASS: STOP\n", "3:5 ignored-construct"},
		{one + "-\n  * PASS: STOP\n", "3:5 ignored-construct"},
		{one + "1. \n   - PASS: STOP\n", "3:6 ignored-construct"},
		{one + "-\n  1. a.runbook.md\n", "3:6 ignored-construct"},
		{one + "-\n\n  * PASS: STOP\n", ""}, // an empty line ends an empty item
		{one + "- x\n\n  ```bash\n  ls\n  ```\n", "4:3 ignored-construct"},
		{one + "- x\n  PASS: STOP\n", "3:3 ignored-construct"},
		{one + "- x\n\n  PASS: STOP\n", "4:3 ignored-construct"},
		{one + "- ## 2. B\n", "2:3 ignored-construct"},
		{one + "- ```sh\n  ls\n  ```\n", "2:3 ignored-construct"},
		{"PASS: STOP\n\n- a.runbook.md\n\n```sh\nls\n```\n" + one, "1:1 ignored-construct 3:3 ignored-construct 5:1 ignored-construct"},
	},
	"3.1 front matter": {
		{"---\nname: a-B-1\nversion: 1.0\nauthor: me\ntags: [a, b]\nother: {x: 1}\n---\n" + one, ""},
		{"\n \t\n --- \ntags: one\n\t---\n" + one, ""},
		{"---\n---\n" + one, ""},
		{"---\n# nothing\n---\n" + one, ""},
		{"x\n---\nname: a\n---\n" + one, "3:1 named-unreachable"},
		{"---\na: b\n" + one, ""},
		{"---\nname: a b\n---\n" + one, "2:7 front-matter-name"},
		{"---\nname: ünï\n---\n" + one, "2:7 front-matter-name"},
		{"---\na: b: c\n---\n" + one, "2:1 front-matter"},
		{"---\n- a\n---\n" + one, "2:1 front-matter"},
		{"---\nname: [a]\n---\n" + one, "2:1 front-matter"},
		{"---\ndescription:\n  a: b\n---\n" + one, "2:1 front-matter"},
		{"---\ntags: {a: b}\n---\n" + one, "2:1 front-matter"},
		{"---\ntags: [[a]]\n---\n" + one, "2:1 front-matter"},
		{"---\ntags: [a, [b]]\n---\n" + one, "2:1 front-matter"},
		{"---\nscenarios: [a]\n---\n" + one, "2:1 front-matter"},
		{"---\nname: a\nname: b\n---\n" + one, "3:1 front-matter"},
		{"---\na: 1\n---\n" + one + "- PASS: GOTO 9\n", "5:3 goto-step-missing"},
	},
	"3.2 headings": {
		{"   ## 1. A ##\n", ""},
		{"1. A\n---\n", "1:1 no-steps"}, // a list and a rule, not a heading
		{"1) A\nB\n---\n", "1:1 no-steps"},
		{"# T\n\n2 A\nB\n---\n1 A\n---\n", "3:1 step-sequence 6:1 step-sequence"},
		{"# 1. A\n", "1:1 h1-step 1:1 no-steps"},
		{"# 1) A\n# 1 A\n# 1-A\n# 1: A\n" + one, "1:1 h1-step 2:1 h1-step 3:1 h1-step 4:1 h1-step"},
		{"# 2024\n" + one, ""},
		{"# 1A\n" + one, ""},
		{"# T\n# U\n" + one + "x\n# V\n", "2:1 h1-late 5:1 h1-late"},
		{one + "#### x\n", "2:1 heading-depth"},
		{"###### x\n" + one, "1:1 heading-depth"},
		{one + "## 0 x\n- PASS: GOTO 99\n### 0.1 y\n### 9.9 z\n## 2. B\n", "2:1 step-heading"},
		{one + "- PASS: CONTINUE\n\nPASS: STOP\n---\n", "4:1 step-heading"},
		{one + "### 1.1.1 x\n### 1.1 A\n", "2:1 substep-heading"},
		{one + "## Fix\n## 0 x\n- PASS: NEXT\n- FAIL: GOTO Fix\n### 0.1 y\n- PASS ALL: GOTO 99\n", "3:1 step-heading"},
		{one + "## 0 x\n- PASS: y\n", "2:1 step-heading 3:3 bad-transition"},
	},
	"3.3 steps": {
		{"## 1 A\n## 2. B\n## 3) C\n## 4 - D\n## 5: E\n## 6 — F\n## 7→G\n", ""},
		{"## {N}: A\n", ""},
		{"## {N} — .A\n", ""},
		{"## A\n## B.\n## C:\n## D— x\n## E_1 x\n- PASS: GOTO A\n- FAIL: GOTO B\n## F\n- PASS: GOTO C\n- FAIL: GOTO D\n## G\n- PASS: GOTO E_1\n- FAIL: RETRY GOTO F\n## H\n- PASS: GOTO G\n", "14:1 named-unreachable"},
		{"## 1A\n", "1:1 heading-separator"},
		{"## {N}A\n", "1:1 heading-separator"},
		{"## 1.1 A\n", "1:1 heading-separator"},
		{"## 1..1 A\n", ""},
		{"## 01 A\n## 2 B\n- PASS: GOTO 1\n- FAIL: GOTO 01\n", "1:1 leading-zero 3:3 goto-step-missing"},
		{"## Step 1: Foo\n", "1:1 numbered-name"},
		{"## Name-Part\n## Name.Sub\n## Ünï\n## {n} x\n## {M} x\n## 0 x\n## 1.\n## NEXT\n##\n## 1000000 x\n## {N}\n",
			"1:1 no-steps 1:1 step-heading 2:1 step-heading 3:1 step-heading 4:1 step-heading 5:1 step-heading 6:1 step-heading 7:1 step-heading 8:1 step-heading 9:1 step-heading 10:1 step-heading 11:1 step-heading"},
		{"## Next\n## NextStep\n- PASS: GOTO Next\n- FAIL: GOTO Next\n", "2:1 named-unreachable"},
		{one + "## 3. B\n## 4. C\n## 3. D\n", "2:1 step-sequence 4:1 step-sequence"},
		{one + "## Fix\n- PASS: GOTO 1\n## 2. B\n- FAIL: GOTO Fix\n", ""},
		{one + "## {N} B\n## 2. C\n", "2:1 step-mix"},
		{"## {N} B\n## 1. C\n## 2. D\n", "2:1 step-mix"},
		{"## {N} A\n## {N} B\n## {N} C\n", "2:1 step-multi-dynamic 3:1 step-multi-dynamic"},
		{"## A\n## A\n## 1. B\n- PASS: GOTO A\n", "2:1 step-duplicate-name"},
		{"## A\n## a\n- PASS: GOTO A\n## 1. B\n- FAIL: GOTO a\n", ""},
		{"## **1. A**\n## 2\\. B\n## &#51; C\n## [4. D](x)\n", ""},
		{"## `1. A`\n", "1:1 no-steps 1:1 step-heading"},
	},
	"3.4 substeps": {
		{one + "### 1.1 A\n### 1.2\n### 1.Fix (ops)\n### 1.3 B\n", ""},
		{one + "### 1.{n} A\n", ""},
		{"## {N} A\n### {N}.1\n### {N}.Fix x\n", ""},
		{"## Fix\n### Fix.1 A\n### Fix.Up B\n", ""},
		{one + "### 1.1. A\n", "2:1 substep-heading"},
		{one + "### 1.1: A\n### 1.1A\n### 1.1.1 A\n### 1. A\n### 1\n### A\n###\n### 1.NEXT\n### 1.0 A\n### 1.{N}\n",
			"2:1 substep-heading 3:1 substep-heading 4:1 substep-heading 5:1 substep-heading 6:1 substep-heading 7:1 substep-heading 8:1 substep-heading 9:1 substep-heading 10:1 substep-heading 11:1 substep-heading"},
		{"### 1.1 A\n" + one, "1:1 substep-heading"},
		{one + "### 2.1 A\n### 1.2 B\n", "2:1 substep-parent"},
		{"## 01 A\n### 1.1 B\n", "1:1 leading-zero 2:1 substep-parent"},
		{one + "### 1.01 B\n", "2:1 leading-zero"},
		{one + "### 1.1 A\n### 1.1 B\n### 1.Fix\n### 1.Fix\n", "3:1 substep-duplicate 5:1 substep-duplicate"},
		{one + "### 1.{n} A\n### 1.{n} B\n", "3:1 substep-duplicate"},
		{one + "### 1.{n} A\n### 1.1 B\n", "3:1 substep-mix"},
		{one + "### 1.Fix\n### 1.{n} B\n", "3:1 substep-mix"},
		{one + "### 1.2 A\n### 1.3 B\n### 1.5 C\n", "2:1 substep-sequence 4:1 substep-sequence"},
	},
	"3.5 order": {
		{one + "- PASS: STOP\n\nx\n\n```sh\nls\n```\n", ""},
		{one + "x\n\n```sh\nls\n```\n- PASS: STOP\n", ""},
		{one + "x\n- PASS: STOP\n", ""},
		{one + "- PASS: STOP\n\n```json\n{}\n```\n***\n<!-- c -->\n\n- FAIL: STOP\n", ""},
		{one + "```sh\nls\n```\n\n```json\n{}\n```\n***\n<p>\n\n[a]: b\n", ""},
		{one + "x\n\nPASS: STOP\n\ny\n", "6:1 transition-order"},
		{one + "x\n- PASS: STOP\n\n```sh\nls\n```\n", "3:3 transition-order"},
		{one + "- PASS: STOP\n\nx\n\n- FAIL: STOP\n", "6:3 transition-order"},
		{one + "```sh\nls\n```\nx\n", "5:1 prompt-order"},
		{one + "- PASS: STOP\n- a.runbook.md\n- x\n", "3:3 child-missing 4:1 prompt-order"},
		{one + "```sh\nls\n```\n- PASS: STOP\n\nx\n", "7:1 transition-order"},
		{one + "x\n- PASS: STOP\n\n```sh\nls\n```\ny\n", "3:3 transition-order 8:1 prompt-order"},
		{one + "- PASS: STOP\n\nx\n### 1.1 B\n", ""},
		{one + "x\n\n- PASS: STOP\n### 1.1 B\n", ""},
		{one + "x\n\n- PASS: STOP\n\ny\n### 1.1 B\n", "6:1 transition-order"},
		{one + "```sh\nls\n```\n```bash\nls\n```\n", "5:1 multi-code"},
		{one + "```sh\nls\n```\n```prompt\nls\n```\n", "5:1 multi-code"},
		{one + "```sh\nls\n```\n- a.runbook.md\n", "5:3 child-missing 5:3 exclusivity"},
		{one + "- a.runbook.md\n```sh\nls\n```\n", "2:3 child-missing 3:1 exclusivity"},
		{one + "```sh\nls\n```\n### 1.1 B\n", "5:1 exclusivity"},
		{one + "- a.runbook.md\n### 1.1 B\n", "2:3 child-missing 3:1 exclusivity"},
		{one, ""},
	},
	"3.6 transitions": {
		{one + "* PASS: CONTINUE\n+ FAIL: STOP\n", ""},
		{one + "1. YES: CONTINUE\n2. NO: STOP\n", ""},
		{one + "PASS: CONTINUE\nFAIL: STOP\n", ""},
		{one + "**PASS**: CONTINUE\n[FAIL](x): STOP\n", ""},
		{one + "- PASS:CONTINUE\n- FAIL :STOP\n", ""},
		{one + "- PASS :→ CONTINUE\n- FAIL ANY -: STOP\n", ""},
		{one + "- PASS → CONTINUE\n- FAIL—STOP\n", ""},
		{one + "- PASS - CONTINUE\n- FAIL ALL STOP\n", ""},
		{one + "PASS → → STOP\nPASS →→ STOP\nPASS — — STOP\nPASS → - STOP\nPASS ALL - → STOP\n",
			"2:1 transition-like 3:1 transition-like 4:1 transition-like 5:1 transition-like 6:1 transition-like"},
		{one + "- PASS:\n- FAIL: x\n", "2:3 bad-transition 3:3 bad-transition"},
		{one + "- YES: of course\n", "2:3 bad-transition"},
		{one + "- PASS: continue\n", "2:3 bad-transition"},
		{one + "- YES → CONTINUE with step 2\n- NO - STOP and call the manager\n", "2:3 transition-like 3:3 transition-like"},
		{one + "FAIL ANY STOP the line\nPASS → GOTO\n", "2:1 transition-like 3:1 transition-like"},
		{one + "- YES → CONTINUE with\n  step 2\n- NO → STOP\n  here\n", "2:3 transition-like 4:3 bad-transition"},
		{one + "> FAIL ANY STOP the line\n", ""},
		{one + "- PASS → RETRY 0\n- FAIL → RETRY RETRY\n", "2:3 retry-count 3:3 retry-nested"},
		{one + "PASSWORD must be set\nNOTE: x\nNO changes\n`PASS: STOP`\n[ ] PASS: STOP\nNow stop the server\nNote: stop the server\nPASS - through\n", ""},
		{one + "`a\nPASS: STOP\nb`\nFAIL `c\n", ""},
		{one + "<a\nPASS: STOP>\n![a\nPASS: STOP\n](b)\n", ""},
		{one + "*a\nPASS: STOP\nb* [c\nFAIL: STOP\nd](\n/NO:\n)\n", "5:1 transition-order"},
		{one + "pass: CONTINUE\nPASS CONTINUE\nPASSED: stop\nfail\nNO\nPASS ALL\nPASS -> STOP\nPASS-STOP\nYes: continue\nFailure: go\n",
			"2:1 transition-like 3:1 transition-like 4:1 transition-like 5:1 transition-like 6:1 transition-like 7:1 transition-like 8:1 transition-like 9:1 transition-like 10:1 transition-like"},
		{one + "- PAS: CONTINUE\n- FIAL ANY: GOTO 1\n\nYESS: STOP \"x\"\n", "2:3 transition-like 3:3 transition-like 5:1 transition-like"},
		{one + "FAILED STOP\n\nPASSES CONTINUE\nFailed jobs stop the line\nNow continue\nFailed stop the line\n", "2:1 transition-like 4:1 transition-like"},
		{one + "- PATHWAY: CONTINUE\n- Pas: CONTINUE\n- FIAL: by hand\n- PAS CONTINUE\n", ""},
		{one + "- PASS: CONTINUE\n  and more\n", "2:3 bad-transition"},
		{one + "- PASS: CONTINUE\nand more\n", "3:1 lazy-text"},
		{one + "- PASS: CONTINUE\nFAIL: STOP\n", "3:1 lazy-text"},
		{one + "- PASS: CONTINUE\n\n  Nested text.\n  - and a list\n", ""},
		{one + "- PASS: STOP\n  \t- note\n", ""},
		{one + "- PASS: STOP\n  \t* note\n", ""},
		{one + "- PASS: STOP\n   \t1. note\n", ""},
		{one + "1. PASS: STOP\n   \t- note\n", ""},
		{one + "- PASS: STOP\n  \tmore\n", "2:3 bad-transition"},
		{one + "x\n- PASS: CONTINUE\n\n  Nested text.\n", "5:1 transition-order"},
		{one + "- PASS: CONTINUE\n- PASS: STOP\n", "3:3 transition-repeated"},
		{one + "- PASS: CONTINUE\n- YES: STOP\n", "3:3 transition-repeated"},
		{one + "- PASS ALL: CONTINUE\n- FAIL ALL: STOP\n", "3:3 agg-conflict"},
		{one + "- PASS ALL: CONTINUE\n- FAIL ALL: STOP\n- FAIL ANY: STOP\n", "4:3 transition-repeated"},
		{one + "- FAIL ANY: STOP\n- PASS ANY: CONTINUE\n### 1.1 B\n", "3:3 agg-conflict"},
		{one + "### 1.1 A\n### 1.2 B\n- FAIL ANY: STOP\n", "4:3 agg-trailing"},
		{one + "### 1.1 A\n- FAIL ANY: STOP\n### 1.2 B\n- FAIL ANY: STOP\n\n- a.runbook.md\n", "7:3 child-missing"},
	},
	"3.6 actions": {
		{one + "- PASS: CONTINUE.\n", "2:3 bad-transition"},
		{one + "- PASS: CONTINUE <!-- x -->\n", "2:3 bad-transition"},
		{one + "- PASS: CONTINUE now\n", "2:3 bad-transition"},
		{one + "- PASS: COMPLETE done\n- FAIL: STOP \"a \"b\" c\"\n", ""},
		{one + "- PASS: COMPLETE \"\"\n- FAIL: STOP a b\n", "3:3 bad-transition"},
		{one + "- PASS: COMPLETE 5\n- FAIL: STOP \"\n", "2:3 bad-transition 3:3 bad-transition"},
		{one + "- PASS: GOTO {n}\n- FAIL: GOTO 1.0\n", "2:3 bad-transition 3:3 bad-transition"},
		{one + "- PASS: GOTO 1.2.3\n- FAIL: GOTO NEXT.1\n", "2:3 bad-transition 3:3 bad-transition"},
		{one + "- PASS: GOTO {N}.\n- FAIL: GOTO \"2\"\n", "2:3 bad-transition 3:3 bad-transition"},
		{one + "- PASS: GOTO 2 3\n- FAIL: GOTO STOP\n", "2:3 bad-transition 3:3 bad-transition"},
		{"## {N} A\n- PASS: NEXT\n- FAIL: RETRY 2 NEXT\n", ""},
		{one + "- FAIL: RETRY\n- PASS: RETRY 3 CONTINUE\n", ""},
		{one + "- FAIL: RETRY \"m\"\n- PASS: RETRY 02 \"m\"\n", ""},
		{one + "- FAIL: RETRY 2 \"m\n- PASS: RETRY x\n", "2:3 bad-transition 3:3 bad-transition"},
		{one + "- FAIL: RETRY 2 RETRY 1 STOP\n- PASS: RETRY RETRY\n", "2:3 retry-nested 3:3 retry-nested"},
		{one + "- FAIL: RETRY 0\n- PASS: RETRY 00\n", "2:3 retry-count 3:3 retry-count"},
		{one + "- FAIL: RETRY 1073741825\n- PASS: RETRY 99999999999999999999\n", ""},
	},
	"3.7 blocks": {
		{one + "```BASH\nls\n```\n", ""},
		{one + "~~~ shell -x\nls\n~~~\n", ""},
		{one + "```sh\n \n```\n", "2:1 empty-command"},
		{one + "```sh prompt\n```\n", ""},
		{one + "```json prompt\n```\n```json\n```\n```zsh\n```\n```\n```\n    code\n", ""},
		{one + "```bsh\n```\n```bahs\n```\n```Shel x\n```\n```shell\n\n```\n", "2:1 fence-info 4:1 fence-info 6:1 fence-info 8:1 empty-command"},
		{one + "```zsh\n```\n```hs\n```\n```basic\n```\n```css\n```\n```s\n```\n```math\n```\n```powershell\n```\n```ssh\n```\n", ""},
		{one + "```bash; prompt\n```\n", "2:1 fence-info"},
		{one + "```bash;prompt\n```\n```sh,x\n```\n```shell{1}\n```\n```Bash:x\n```\n```bashful;\n```\n", "2:1 fence-info 4:1 fence-info 6:1 fence-info 8:1 fence-info"},
		{one + "```bash\u00a0x\nls\n```\n```json\u00a0prompt\n```\n", "2:1 fence-info"},
		{one + "```sh\nls\n", "2:1 unclosed-fence"},
		{one + "```sh\n", "2:1 empty-command 2:1 unclosed-fence"},
		{one + "```json\n{}\n\n\n", "2:1 unclosed-fence"},
		{one + "- x\n\n  ```json\n  {}", "4:3 unclosed-fence"},
		{one + "- x\n\n  ```json\n  {}\ny\n", ""},
		{one + "- a.runbook.md\n- b/c.RUNBOOK.md\n", "2:3 child-missing 3:3 child-missing"},
		{one + "- a.md\n", "2:3 runbook-suffix"},
		{one + "- `a.runbook.md`\n- [a](a.runbook.md)\n- `a.md`\n- see a.md\n- a.runbook.md too\n", "2:3 runbook-suffix 3:3 runbook-suffix"},
		{one + "- [a][l]\n- [l]\n- [b][m]\n- [c](<c.runbook.md> \"C\")\n- [a][l] too\n\n[l]: a.runbook.md\n[m]: b.md\n", "2:3 runbook-suffix 3:3 runbook-suffix 5:3 runbook-suffix"},
		{one + "a.runbook.md\n", ""},
	},
	"5.5 goto": {
		{one + "- PASS: GOTO 2\n- FAIL: GOTO X\n", "2:3 goto-step-missing 3:3 goto-step-missing"},
		{one + "- PASS: GOTO 2.1\n- FAIL: GOTO X.Y\n", "2:3 goto-step-missing 3:3 goto-step-missing"},
		{one + "- PASS: GOTO 2.1\n## 2. B\n- PASS: GOTO 1.X\n", "2:3 goto-no-substeps 4:3 goto-no-substeps"},
		{one + "### 1.1. B\n## 2. C\n- **PASS**: GOTO 1.1\n", "2:1 substep-heading 4:3 goto-no-substeps"}, // a substep without ID is ignored
		{one + "- PASS: GOTO 2.1\n- FAIL: GOTO 2.Y\n## 2. B\n### 2.{n} C\n", "2:3 goto-substep-missing 3:3 goto-substep-missing"},
		{one + "- PASS: GOTO {N}\n- FAIL: RETRY GOTO {N}.1\n", "2:3 goto-no-dynamic 3:3 goto-no-dynamic"},
		{one + "- PASS: GOTO {N}.{n}\n- FAIL: GOTO NEXT {N}\n", "2:3 goto-no-dynamic 3:3 goto-no-dynamic"},
		{one + "- PASS: GOTO NEXT {N}.{n}\n", "2:3 goto-no-dynamic"},
		{"## {N} A\n- PASS: GOTO {N}.{n}\n- FAIL: GOTO NEXT {N}.{n}\n", "2:3 goto-no-dynsub 3:3 goto-no-dynsub"},
		{one + "- PASS: GOTO 2.{n}\n## 2. B\n### 2.1 C\n- PASS: GOTO 1.{n}\n", "2:3 goto-no-dynsub 5:3 goto-no-dynsub"},
		{one + "- PASS: GOTO NEXT 1\n- FAIL: GOTO NEXT X\n", "2:3 goto-next-form 3:3 goto-next-form"},
		{one + "- PASS: GOTO NEXT 1.2\n- FAIL: GOTO NEXT {N}.1\n", "2:3 goto-next-form 3:3 goto-next-form"},
		{one + "- PASS: GOTO NEXT 1.{n}\n- FAIL: GOTO NEXT X.{n}\n", "2:3 goto-next-target 3:3 goto-next-target"},
		{one + "- PASS: GOTO NEXT\n- FAIL: NEXT\n", "2:3 next-static 3:3 next-static"},
		{one + "- PASS: NEXT\n### 1.{n} B\n- PASS: NEXT\n- FAIL: RETRY 1 NEXT\n", "2:3 next-static"},
		{"## {N} A\n- PASS: NEXT\n### {N}.1 B\n- PASS: NEXT\n## Fix\n- PASS: NEXT\n- FAIL: GOTO NEXT {N}\n", "5:1 named-unreachable 6:3 next-static"},
		{one + "- PASS: GOTO 1\n- FAIL: RETRY 2 GOTO 1\n", "2:3 goto-self 3:3 goto-self"},
		{one + "### 1.1 B\n- PASS: GOTO 1.1\n- FAIL: GOTO 1\n", "3:3 goto-self"},
		{one + "- PASS: GOTO 1\n### 1.X B\n- PASS: GOTO 1.X\n", "2:3 goto-self 4:3 goto-self"},
		{"## A\n- PASS: GOTO A\n", "2:3 goto-self"},
		{"## {N} A\n- PASS: GOTO {N}\n### {N}.1 B\n- PASS: GOTO {N}.1\n- FAIL: GOTO {N}\n", ""},
		{one + "### 1.{n} B\n- PASS: GOTO 1.{n}\n- FAIL: GOTO NEXT 1.{n}\n", ""},
		{one + "## Fix\n### Fix.1 B\n- PASS: GOTO Fix\n", "2:1 named-unreachable"},
		{one + "- FAIL: GOTO Fix.1\n## Fix\n### Fix.1 B\n", ""},
	},
	"6 scenarios": {
		{declaring("commands: [rd run case.runbook.md, rd pass, rd fail, rd goto 1, rd complete done, rd stop]\n    result: STOP"), ""},
		{declaring("commands: [rd run --prompted --no-color ./x/case.runbook.md, rd yes, rd ok, 'rd no # why']\n    result: COMPLETE"), ""},
		{declaring("commands: [rd run --agent x other.md, rd hand over]\n    result: STOP"), ""},
		{declaring("commands: [rd pass, rd run case.runbook.md]\n    result: STOP"), "4:16 scenario-invalid 4:25 scenario-invalid"},
		{declaring("commands: [rd run case.runbook.md, rd run case.runbook.md]\n    result: STOP"), "4:40 scenario-invalid"},
		{declaring("commands: [rd run other.runbook.md]\n    result: STOP"), "4:16 scenario-invalid"},
		{declaring("commands: [rd run case.runbook.md, rd pass it, ls, 'rd goto', 'rd \"pass']\n    result: STOP"),
			"4:40 scenario-invalid 4:52 scenario-invalid 4:56 scenario-invalid 4:67 scenario-invalid"},
		{declaring("result: STOP"), "3:3 scenario-invalid"},
		{declaring("commands: []\n    result: STOP"), "3:3 scenario-invalid"},
		{declaring("commands: [rd run case.runbook.md]\n    result: DONE"), "5:13 scenario-invalid"},
		{declaring("commands: [rd run case.runbook.md]"), "3:3 scenario-invalid"},
		{declaring("commands: [rd run case.runbook.md, [a]]\n    description: [x]\n    result: STOP"), "4:40 scenario-invalid 5:18 scenario-invalid"},
		{"---\nscenarios:\n  s: x\n---\n" + one, "3:3 scenario-invalid"},
	},
}

func declaring(body string) string {
	return "---\nscenarios:\n  s:\n    " + body + "\n---\n" + one
}

func TestDiagnostics(t *testing.T) {
	for section, cases := range diagnosed {
		for _, c := range cases {
			if got := findings(c.doc); got != c.want {
				t.Errorf("§%s\n%.300q\ngot  %s\nwant %s", section, c.doc, got, c.want)
			}
		}
	}
}

// TestFullMessages: the message says what is wrong and the suggestion what to do, each once.
func TestFullMessages(t *testing.T) {
	topLevel := "; put it at the top level of a step, not in a quote or nested in a list item"
	long := "---\nscenarios:\n" + strings.Repeat("  a: {commands: [rd run case.runbook.md, rd pass], result: COMPLETE}\n", maxCommands/3+1) + "---\n"
	for doc, want := range map[string]string{
		"> PASS: STOP\n\n" + one:       `before the first step: the transition "PASS: STOP" is read as plain text` + topLevel,
		one + "> PASS: STOP\n":         `step 1: the transition "PASS: STOP" is read as plain text` + topLevel,
		one + "- PASS: STOP\n  more\n": `step 1: the indented line below is read as part of the transition "PASS: STOP"; put an empty line between them, or move the text`,
		one + "- NO - STOP the line\n": `step 1: "NO - STOP the line" is prompt text, though it looks like a transition; write STOP "the line"`,
		one + "- FAIL: RETRY 0\n":      `step 1: in "FAIL: RETRY 0", the number of retries must be 1 or more; write how many extra attempts to make`,
		"## Step 1: Build\n":           `"Step 1: Build" is read as the named step Step, which other steps reach only by GOTO; for a numbered step write the number first: ## 1: Build`,
		one + "- PASS: STOP v1.2\n":    `step 1: in "PASS: STOP v1.2", "STOP v1.2" cannot be read: the message "v1.2" needs double quotes, because it is not a single plain word; write STOP "v1.2"`,
		long + one:                     "the scenarios are ignored: there are more than 20000 scenarios and commands; write fewer",
	} {
		p := Parse("case.runbook.md", []byte(doc), Options{})
		found := p.Diagnostics
		if got := found[0].Message + "; " + found[0].Suggestion; len(found) != 1 || got != want {
			t.Errorf("%.200s\ngot  %s\nwant %s", doc, got, want)
		}
		if doc == long+one && (len(p.Scenarios) > 0 || p.ScenariosProblem != "there are more than 20000 scenarios and commands") {
			t.Errorf("%d scenarios, problem %q", len(p.Scenarios), p.ScenariosProblem)
		}
	}
}

// TestMessagesWithoutQuotes: the suggestion puts the whole message in quotes, whatever comes before it.
func TestMessagesWithoutQuotes(t *testing.T) {
	for action, want := range map[string]string{
		"COMPLETE all done":           `write COMPLETE "all done"`,
		"COMPLETE: all done":          `write COMPLETE "all done"`,
		"COMPLETE “all done”":         `write COMPLETE "all done"`,
		"RETRY 2 STOP - not ready":    `write STOP "not ready"`,
		"STOP \"not ready":            `write STOP "not ready"`,
		"STOP in C:\\temp or \"x\" b": `write STOP "in C:\temp or "x" b"`,
	} {
		found := Parse("case.runbook.md", []byte(one+"- FAIL: "+action+"\n"), Options{}).Diagnostics
		if len(found) != 1 || found[0].Suggestion != want {
			t.Errorf("%s\ngot  %+v\nwant %s", action, found, want)
		}
	}
}

// elsewhere lists codes of the table that other tests cover.
var elsewhere = []string{"ambiguous-format", "child-cycle", "child-depth", "child-invalid", "transition-limit", "command-not-started", "child-failed"}

// TestEveryCode (spec §4): the cases cover each code of the table.
func TestEveryCode(t *testing.T) {
	seen := map[string]bool{}
	for _, cases := range diagnosed {
		for _, c := range cases {
			for i, word := range strings.Fields(c.want) {
				if i%2 == 1 {
					seen[word] = true
				}
			}
		}
	}
	for _, code := range elsewhere {
		seen[code] = true
	}
	table := strings.Fields(`unreadable too-large no-steps h1-step heading-depth step-heading substep-heading
		substep-parent substep-duplicate substep-mix substep-sequence step-sequence step-mix step-multi-dynamic
		step-duplicate-name bad-transition agg-conflict retry-nested retry-count multi-code exclusivity prompt-order
		transition-order goto-step-missing goto-no-substeps goto-substep-missing goto-no-dynamic goto-no-dynsub
		goto-next-form goto-next-target next-static goto-self child-cycle child-depth ambiguous-format
		ignored-construct front-matter front-matter-name scenario-invalid h1-late heading-separator leading-zero
		numbered-name transition-like transition-repeated lazy-text too-deep long-line agg-trailing
		named-unreachable child-missing child-invalid runbook-suffix fence-info empty-command command-literal unclosed-fence
		transition-limit command-not-started child-failed`)
	slices.Sort(table)
	if diff := cmp.Diff(table, slices.Sorted(maps.Keys(seen))); diff != "" {
		t.Error(diff)
	}
}

// TestSentences (spec §4): every diagnostic has the severity of the table, a message on one line, and a suggestion.
func TestSentences(t *testing.T) {
	for _, cases := range diagnosed {
		for _, c := range cases {
			for _, d := range Parse("case.runbook.md", []byte(c.doc), Options{}).Diagnostics {
				code := strings.TrimPrefix(d.Code, "rundown/")
				if warns := d.Severity == plan.Warning; warns != (severityByCode[code] == plan.Warning) || d.Message == "" || d.Suggestion == "" || strings.Contains(d.Message, "\n") || d.File != "case.runbook.md" {
					t.Errorf("%+v", d)
				}
			}
		}
	}
}
