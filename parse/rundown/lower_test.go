package rundown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/parse/plan"
)

func parsed(t *testing.T, doc string) *plan.Plan {
	t.Helper()
	p := Parse("dir/case.runbook.md", []byte(doc), Options{})
	if !p.Runnable() {
		t.Fatalf("%s: %s", doc, listed(p))
	}
	return p
}

// show returns a move in the notation of the tests.
func show(m plan.Move) string {
	var b strings.Builder
	if m.Implicit {
		b.WriteString("implicit ")
	}
	b.WriteString([]string{"continue", "leave", "again", "goto", "fallback", "end"}[m.Verb])
	if m.To.Step != "" {
		fmt.Fprintf(&b, " %s", m.To.Step)
	}
	if m.To.IsNextInstance {
		b.WriteString(" next")
	}
	if m.KeepsVisit {
		b.WriteString(" keep")
	}
	if m.Result != "" {
		fmt.Fprintf(&b, " %s %q", m.Result, plan.SourceText(m.Message))
	}
	if m.Limit != nil {
		fmt.Fprintf(&b, " %s<%d", m.Limit.Counter, m.Limit.Max)
	}
	if m.AfterLimit != nil {
		fmt.Fprintf(&b, " then (%s: %s)", m.AfterLimit.SourceText, show(*m.AfterLimit))
	}
	return b.String()
}

func routes(s *plan.Step) string {
	var b strings.Builder
	for _, r := range s.Routes {
		fmt.Fprintf(&b, "%s%s | %s | %s\n", r.When.Result, r.When.AllOrAny, r.Do.SourceText, show(r.Do))
	}
	return b.String()
}

// TestRoutes (spec §3.6, §5.3, §5.5): transitions and defaults become the routes of each step.
func TestRoutes(t *testing.T) {
	cases := map[string]struct{ doc, id, want string }{
		"nothing written": {"## 1 A\n", "1", `
pass | PASS: CONTINUE | implicit continue
fail | FAIL: STOP | implicit end stopped ""
`},
		"written in file order": {"## 1 A\n- FAIL: COMPLETE\n- YES: STOP \"a \"b\"\"\n", "1", `
fail | FAIL: COMPLETE | end completed ""
pass | YES: STOP "a "b"" | end stopped "a \"b\""
`},
		"plain text is shown": {"## 1 A\n- **FAIL**: STOP\n", "1", `
fail | FAIL: STOP | end stopped ""
pass | PASS: CONTINUE | implicit continue
`},
		"the last of a side counts": {"## 1 A\n- FAIL: COMPLETE\n- NO ANY: CONTINUE\n", "1", `
failany | NO ANY: CONTINUE | continue
pass | PASS: CONTINUE | implicit continue
`},
		"retry": {"## 1 A\n- FAIL: RETRY\n- PASS: RETRY 3 CONTINUE\n", "1", `
fail | FAIL: RETRY | again attempt<2 then (STOP: implicit end stopped "")
pass | PASS: RETRY 3 CONTINUE | again attempt<4 then (CONTINUE: continue)
`},
		"retry with a message": {"## 1 A\n- FAIL: RETRY 2 \"m\"\n", "1", `
fail | FAIL: RETRY 2 "m" | again attempt<3 then (STOP "m": end stopped "m")
pass | PASS: CONTINUE | implicit continue
`},
		"goto": {"## 1 A\n- PASS: GOTO 2.Fix\n- FAIL: RETRY 1 GOTO Up\n## 2 B\n### 2.Fix\n## Up\n", "1", `
pass | PASS: GOTO 2.Fix | goto 2.Fix keep
fail | FAIL: RETRY 1 GOTO Up | again attempt<2 then (GOTO Up: goto Up keep)
`},
		"goto forms 7 and 8": {"## {N} A\n### {N}.{n} B\n- PASS: GOTO {N}.{n}\n- FAIL: GOTO Up.{n}\n## Up\n### Up.{n}\n", "{N}.{n}", `
pass | PASS: GOTO {N}.{n} | goto {N}.{n} keep
fail | FAIL: GOTO Up.{n} | goto Up.{n} keep
`},
		"next in the {N} step": {"## {N} A\n### {N}.1 B\n- PASS: NEXT\n- FAIL: GOTO NEXT {N}\n", "{N}.1", `
pass | PASS: NEXT | goto {N} next keep
fail | FAIL: GOTO NEXT {N} | goto {N} next keep
`},
		"next on a {n} substep": {"## {N} A\n### {N}.{n} B\n- PASS: GOTO NEXT\n- FAIL: RETRY GOTO NEXT {N}.{n}\n", "{N}.{n}", `
pass | PASS: GOTO NEXT | goto {N}.{n} next keep
fail | FAIL: RETRY GOTO NEXT {N}.{n} | again attempt<2 then (GOTO NEXT {N}.{n}: goto {N}.{n} next keep)
`},
		"next on a {n} substep of a static step": {"## 1 A\n### 1.{n} B\n- PASS: NEXT\n- FAIL: GOTO NEXT 1.{n}\n", "1.{n}", `
pass | PASS: NEXT | goto 1.{n} next keep
fail | FAIL: GOTO NEXT 1.{n} | goto 1.{n} next keep
`},
		"group that writes nothing": {"## 1 A\n### 1.1 B\n", "1", `
 | CONTINUE | implicit continue
`},
		"its substep": {"## 1 A\n### 1.1 B\n", "1.1", `
pass | PASS: CONTINUE | implicit continue
fail | FAIL: STOP | implicit end stopped ""
`},
		"pessimistic group": {"## 1 A\n- PASS: COMPLETE\n### 1.1 B\n", "1", `
pass | PASS: COMPLETE | end completed ""
failany | FAIL ANY: STOP | implicit end stopped ""
`},
		"its substep leaves": {"## 1 A\n- PASS: COMPLETE\n### 1.1 B\n", "1.1", `
pass | PASS: CONTINUE | implicit continue
fail | FAIL: step 1 decides (FAIL ANY) | implicit leave
`},
		"optimistic group": {"## 1 A\n- FAIL ALL: COMPLETE\n### 1.1 B\n", "1", `
failall | FAIL ALL: COMPLETE | end completed ""
passany | PASS ANY: CONTINUE | implicit continue
`},
		"its substep continues": {"## 1 A\n- FAIL ALL: COMPLETE\n### 1.1 B\n- PASS: STOP\n", "1.1", `
pass | PASS: STOP | end stopped ""
fail | FAIL: CONTINUE | implicit continue
`},
		"runbooks": {"## 1 A\n- PASS ANY: COMPLETE\n- a.runbook.md\n", "1", `
passany | PASS ANY: COMPLETE | end completed ""
failall | FAIL ALL: STOP | implicit end stopped ""
`},
	}
	for name, c := range cases {
		if diff := cmp.Diff(c.want[1:], routes(parsed(t, c.doc).FindStep(c.id))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestActions (spec §3.7, §5.2): the blocks and lists of a step decide its action.
func TestActions(t *testing.T) {
	cases := map[string]struct {
		doc  string
		want plan.Work
	}{
		"nothing":               {"", plan.Decide{Unattended: plan.WaitUnattended}},
		"a question":            {"Well?\n- YES: CONTINUE\n", plan.Decide{Unattended: plan.WaitUnattended, UsesYesNo: true}},
		"no":                    {"- NO: STOP\n", plan.Decide{Unattended: plan.WaitUnattended, UsesYesNo: true}},
		"bash":                  {"```Bash x\n\n  ls {N}\n$HOME  \n\n```\n", plan.Command{Shell: "bash", Language: "Bash", Text: plan.Literal("ls {N}\n$HOME")}},
		"sh":                    {"~~~sh\nls\n~~~\n", plan.Command{Shell: "sh", Language: "sh", Text: plan.Literal("ls")}},
		"shell, indented":       {"  ```shell\n  ls\n    x\n  ```\n", plan.Command{Shell: "sh", Language: "shell", Text: plan.Literal("ls\n  x")}},
		"empty":                 {"```sh\n```\n", plan.Command{Shell: "sh", Language: "sh"}},
		"indented, blank lines": {"  ```prompt\n\n\n   a\n\n\n b\n\n  ```\n", plan.Decide{ShownBlock: &plan.VerbatimBlock{Language: "prompt", Text: "\n\n a\n\n\nb\n"}, Unattended: plan.PassUnattended}},
		"indented, tabs":        {"  ```prompt\n\ta\n \tb\n   \tc\n \n  ```\n", plan.Decide{ShownBlock: &plan.VerbatimBlock{Language: "prompt", Text: "  a\n  b\n \tc\n"}, Unattended: plan.PassUnattended}},
		"no-break space":        {"```bash\u00a0x\nls\n```\n", plan.Decide{Unattended: plan.WaitUnattended}},
		"blank lines":           {"```sh\na\n\n\n\nb\n```\n", plan.Command{Shell: "sh", Language: "sh", Text: plan.Literal("a\n\n\n\nb")}},
		"prompt":                {"```prompt\n {N}\n```\n", plan.Decide{ShownBlock: &plan.VerbatimBlock{Language: "prompt", Text: " {N}"}, Unattended: plan.PassUnattended}},
		"bash prompt":           {"```bash a Prompt\nls\n```\n", plan.Decide{ShownBlock: &plan.VerbatimBlock{Language: "bash", Text: "ls"}, Unattended: plan.PassUnattended}},
		"json prompt":           {"```json prompt\n{}\n```\n", plan.Decide{BlockInText: &plan.VerbatimBlock{Language: "json", Text: "{}"}, Unattended: plan.PassUnattended}},
		"json, then shell":      {"```json prompt\n{}\n```\n```sh\nls\n```\n", plan.Command{Shell: "sh", Language: "sh", Text: plan.Literal("ls")}},
		"json":                  {"```json\n{}\n```\n", plan.Decide{Unattended: plan.WaitUnattended}},
		"bash;prompt":           {"```bash;prompt\nls\n```\n", plan.Decide{Unattended: plan.WaitUnattended}},
		"indented":              {"    ls\n", plan.Decide{Unattended: plan.WaitUnattended}},
		"runbooks":              {"- b.runbook.md\n- a/a.runbook.md\n", plan.Include{DocumentPaths: []string{"b.runbook.md", "a/a.runbook.md"}}},
		"any runbook":           {"- PASS ANY: CONTINUE\n- b.runbook.md\n", plan.Include{DocumentPaths: []string{"b.runbook.md"}, Join: plan.JoinAny}},
	}
	for name, c := range cases {
		s := parsed(t, one+c.doc).Steps[0]
		if diff := cmp.Diff([]plan.Work{c.want}, []plan.Work{s.Actions[0].Work}); diff != "" || len(s.Actions) != 1 {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestText (spec §3.8): the text of a step is its source without transitions, commands, comments and definitions.
func TestText(t *testing.T) {
	cases := map[string]struct{ doc, want string }{
		"nothing":                          {"", ""},
		"source, not re-rendered":          {"Some *text*  \nand `code`\\\n\n\n- a\n  - b\n", "Some *text*  \nand `code`\\\n\n\n- a\n  - b"},
		"transitions are cut":              {"a\nPASS: STOP\n", "a"},
		"slices":                           {"- PASS: STOP\n\na\n\n```sh\nls\n```\n<!-- c -->\n\n[x]: y\n", "a"},
		"joined by an empty line":          {"a\n<!-- c -->\n\n\nb\n", "a\n\nb"},
		"items among transitions":          {"- FAIL: STOP\n- a\n- b\n", "- a\n- b"},
		"runbooks are cut":                 {"- a\n- x.runbook.md\n", "- a"},
		"all but comments and definitions": {"> q\n\n***\n\n```json\n{}\n```\n\n    code\n\n<p>h</p>\n", "> q\n\n***\n\n```json\n{}\n```\n\n    code\n\n<p>h</p>"},
		"a prompt block is apart":          {"a\n\n```prompt\nb\n```\n", "a"},
		"a verbatim block stays in place":  {"a\n\n```json prompt\n{}\n```\nb\n", "a\n\n```json prompt\n{}\n```\nb"},
		"lazy text":                        {"- PASS: STOP\na\n", "a"},
		"nested text":                      {"- PASS: STOP\n\n  a\n", "  a"},
		"late titles are ignored":          {"a\n# T\nb\n", "a\n\nb"},
		"literal without {N}":              {"{N} {n}\n", "{N} {n}"},
	}
	for name, c := range cases {
		if got := plan.SourceText(parsed(t, one+c.doc).Steps[0].Text); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestPlaceholders (spec §3.8): {N} is a placeholder in the prompt text of any step, {n} in that of a {n} substep, and
// neither elsewhere.
func TestPlaceholders(t *testing.T) {
	p := parsed(t, "## {N} A {N}\n{N} {n} {x}{N}\n### {N}.{n} B\n- PASS: STOP \"{N}\"\n\n{n} of {N}\n```json\n{N}\n```\n```sh\nls {N}\n```\n## Fix\n> {N} {n}\n- FAIL: GOTO {N}\n- PASS: GOTO Fix.1\n### Fix.1\n")
	N, n := plan.TextPiece{Literal: "{N}", TemplateStep: "{N}"}, plan.TextPiece{Literal: "{n}", TemplateStep: "{N}.{n}"}
	lit := func(s string) plan.TextPiece { return plan.TextPiece{Literal: s} }
	want := []plan.Prompt{
		plan.Text{N, lit(" {n} {x}"), N},
		plan.Text{n, lit(" of "), N, lit("\n```json\n{N}\n```")},
		plan.Text{lit("> "), N, lit(" {n}")},
		nil,
	}
	var got []plan.Prompt
	p.Walk(func(s, _ *plan.Step) bool { got = append(got, s.Text); return true })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if c := p.FindStep("{N}.{n}").Actions[0].Work.(plan.Command); plan.SourceText(c.Text) != "ls {N}" || len(c.Text.(plan.Text)) != 1 {
		t.Errorf("a command has a placeholder: %+v", c)
	}
	if p.Steps[0].Title != "A {N}" {
		t.Error("a title has a placeholder")
	}
}

// TestTree (spec §2, §3.3, §3.4): steps have their ids, kinds, titles, keys, labels and agents.
func TestTree(t *testing.T) {
	p := parsed(t, "## Init. Set `up` — now\n## 1 - **Deploy** it\n### 1.1 First (net)\n### 1.Fix\n### 1.2 Deploy it!\n### 1.3\n### 1.4 (ops)\n### 1.5 f (a (b))\n## **2. Deploy it**\n- PASS: GOTO Init\n### 2.{n} Ä b\n## Init2: x\n- FAIL: GOTO Init2.1\n### Init2.1\n\n3 *A* b\nc\n---\n")
	var got []string
	p.Walk(func(s, _ *plan.Step) bool {
		flags := ""
		if s.IsTargetOnly {
			flags += " aside"
		}
		if s.HasInstances {
			flags += " template"
		}
		got = append(got, fmt.Sprintf("%s|%s|%s|%s|%s|%v%s", s.ID, s.Kind, s.Title, s.StableKey, plan.SourceText(s.Label), s.Details()["agent"], flags))
		return true
	})
	want := []string{
		"Init|named|Set `up` — now|Init||<nil> aside",
		"1|step|**Deploy** it|deploy-it||<nil>",
		"1.1|substep|First|deploy-it/first||net",
		"1.Fix|named|Fix|deploy-it/Fix||<nil>",
		"1.2|substep|Deploy it!|deploy-it/deploy-it||<nil>",
		"1.3|substep||deploy-it/untitled||<nil>",
		"1.4|substep||deploy-it/untitled~2||ops",
		"1.5|substep|f|deploy-it/f||a (b)",
		"2|step|Deploy it|deploy-it~2||<nil>",
		"2.{n}|dynamic|Ä b|deploy-it~2/ä-b|2.{n}|<nil> template",
		"Init2|named|x|Init2||<nil> aside",
		"Init2.1|substep||Init2/untitled||<nil>",
		"3|step|*A* b c|a-b-c||<nil>",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestLabels (spec §5.1): instance numbers replace {N} and {n} in labels.
func TestLabels(t *testing.T) {
	p := parsed(t, "## {N} A\n### {N}.1 B\n### {N}.Fix\n")
	N := plan.TextPiece{Literal: "{N}", TemplateStep: "{N}"}
	for id, want := range map[string]plan.Prompt{
		"{N}": plan.Text{N}, "{N}.1": plan.Text{N, {Literal: ".1"}}, "{N}.Fix": plan.Text{N, {Literal: ".Fix"}},
	} {
		if diff := cmp.Diff(want, p.FindStep(id).Label); diff != "" {
			t.Error(diff)
		}
	}
	want := plan.Text{{Literal: "1"}, {Literal: "."}, {Literal: "{n}", TemplateStep: "1.{n}"}}
	if diff := cmp.Diff(plan.Prompt(want), parsed(t, one+"### 1.{n} B\n").FindStep("1.{n}").Label); diff != "" {
		t.Error(diff)
	}
}

// TestDocument (spec §2, §3.1): the front matter, the title and the introduction describe the document.
func TestDocument(t *testing.T) {
	p := parsed(t, "---\nname: n\nversion: 1.0\nauthor: 7\ntags: one\n---\n\nahead\n\n# The *title* #\n\nWhat it does.\n\nPASS\n"+one)
	want := &plan.Plan{
		Format: "rundown", Path: "dir/case.runbook.md", Title: "The *title*", Description: "What it does.\n\nPASS",
		Extra:      map[string]any{"name": "n", "version": "1.0", "author": "7", "tags": []string{"one"}, "intro": "What it does.\n\nPASS"},
		Entries:    []plan.Entry{{Step: "1"}},
		EntryLimit: plan.EntryLimit{Max: 1001, Code: "rundown/transition-limit", Message: "more than 1,000 transitions", Flag: "max-transitions"},
	}
	p.Steps, p.Source = nil, nil
	if diff := cmp.Diff(want, p); diff != "" {
		t.Error(diff)
	}
	p = parsed(t, "---\ndescription: d\n---\nintro\n"+one)
	if p.Title != "case" || p.Description != "d" || p.Extra["intro"] != "intro" || p.Extra["name"] != "case" {
		t.Errorf("%+v", p)
	}
	if p := parsed(t, "## Fix\n### Fix.1 x\n## 1 A\n- FAIL: GOTO Fix\n"); p.Entries[0].Step != "Fix.1" {
		t.Errorf("the entry is not the first step of the file, which is a named one: %+v", p.Entries)
	}
}

// TestSpans: every step, action and route has its place in the file on disk.
func TestSpans(t *testing.T) {
	p := parsed(t, "---\r\nname: a\r\n---\r\n## 1 A\r\nü\r\n```sh\r\nls\r\n```\r\n\r\n  * FAIL: STOP\r\n\r\n## 2 B\r\n### 2.1 C\r\n\r\nx\r\n\r\n## 3 D\r\n")
	at := func(s plan.Span) string { return fmt.Sprint(s.Line, ":", s.Column, "-", s.LastLine) }
	a, c := p.Steps[0], p.FindStep("2.1")
	got := []string{at(a.Span), at(a.Actions[0].Span), at(a.Routes[0].Do.Span), at(a.Routes[1].Do.Span), at(p.Steps[1].Span), at(c.Span), at(c.Actions[0].Span), at(p.Steps[2].Span)}
	want := []string{"4:1-10", "6:1-8", "10:5-10", "4:1-4", "12:1-15", "13:1-15", "13:1-13", "17:1-17"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestScenarios (spec §6): rd commands become decisions in the notation of --decide.
func TestScenarios(t *testing.T) {
	p := Parse("d/case.runbook.md", []byte("---\nscenarios:\n  a b:\n    description: D\n    commands:\n      - rd run --prompted --allow-run=x case.runbook.md\n      - rd pass # why\n      - rd yes\n      - rd ok\n      - rd fail\n      - rd no\n      - \"rd goto 1.Fix # why\"\n      - rd stop \"no more\" now\n      - rd complete\n      - 'rd complete done:'\n    result: STOP\n  c: {commands: [rd run --step 1 x], result: COMPLETE}\n  d: &d {commands: [rd fly], result: COMPLETE}\n  e: *d\n---\n"+one), Options{})
	want := []plan.Scenario{
		{Name: "a b", Description: "D", Commands: []string{"rd run --prompted --allow-run=x case.runbook.md", "rd pass", "rd yes", "rd ok", "rd fail", "rd no", "rd goto 1.Fix # why", `rd stop "no more" now`, "rd complete", "rd complete done:"},
			ExecutesNothing: true, Decisions: []string{"pass", "pass", "pass", "fail", "fail", "goto:1.Fix", "stop:no more now", "complete", "complete:done:"}, Result: plan.Stopped, Line: 3},
		{Name: "c", Commands: []string{"rd run --step 1 x"}, Result: plan.Completed, SkipReason: "the options --agent and --step of rd hand work to an agent, which Playhead does not do", Line: 17},
		{Name: "d", Commands: []string{"rd fly"}, Result: plan.Completed, InvalidReason: `"rd fly" comes before rd run`, Line: 18},
		{Name: "e", Commands: []string{"rd fly"}, Result: plan.Completed, InvalidReason: `"rd fly" comes before rd run`, Line: 19},
	}
	if diff := cmp.Diff(want, p.Scenarios); diff != "" {
		t.Error(diff)
	}
	for doc, unreadable := range map[string]bool{"a: b: c": true, "- a": true, "scenarios: x": true, "tags: {}": false, "a: b": false} {
		if p := Parse("case.runbook.md", []byte("---\n"+doc+"\n---\n"+one), Options{}); (p.ScenariosProblem != "") != unreadable {
			t.Errorf("%s: %q", doc, p.ScenariosProblem)
		}
	}
}
