package parse

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHiddenCharacters: in every format and every file of a plan, each line with hidden characters is reported once, at
// the first of them.
func TestHiddenCharacters(t *testing.T) {
	const runbook = "# H\n## 1. One\n```sh\n%s\n```\n"
	one := func(text string) map[string]string {
		return map[string]string{"a.runbook.md": fmt.Sprintf(runbook, text)}
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		open  string
		want  []string
	}{
		{"none", one("echo fine \t é 👩\u200d👧"), "a.runbook.md", nil},
		{"escapes as letters", one(`echo "\x1b[2K \u202e"`), "a.runbook.md", nil},
		{"CRLF and a byte order mark", map[string]string{"a.runbook.md": "\ufeff" + strings.ReplaceAll(fmt.Sprintf(runbook, "true"), "\n", "\r\n")}, "a.runbook.md", nil},
		{"line ends of old", map[string]string{"a.runbook.md": strings.ReplaceAll(fmt.Sprintf(runbook, "true"), "\n", "\r")}, "a.runbook.md", nil},
		{"an erased command", one("é EVIL #\x1b[2K\recho fine"), "a.runbook.md", []string{`a.runbook.md:4:9 \x1b \r`}},
		{"each line once", one("a\bb\b\x7f\ntrue\n\u202ec\u2066"), "a.runbook.md", []string{`a.runbook.md:4:2 \b \x7f`, `a.runbook.md:6:1 \u202e \u2066`}},
		{"lines as parsers count them", one("a\rb\u200b"), "a.runbook.md", []string{`a.runbook.md:4:2 \r`, `a.runbook.md:5:2 \u200b`}},
		{"one more", one("\x01\x02\x03\x04\x05\x06"), "a.runbook.md", []string{`a.runbook.md:4:1 \x01 \x02 \x03 \x04 \x05 and 1 other`}},
		{"many kinds", one("\x01\x02\x03\x04\x05\x06\a"), "a.runbook.md", []string{`a.runbook.md:4:1 \x01 \x02 \x03 \x04 \x05 and 2 others`}},
		{"an included document", map[string]string{
			"a.runbook.md": "# A\n## 1. One\n- b.runbook.md\n", "b.runbook.md": fmt.Sprintf(runbook, "x\U000e0041"),
		}, "a.runbook.md", []string{`b.runbook.md:4:2 \U000e0041`}},
		{"a playbook and its prompt", map[string]string{
			"a.playbook.md": "# A\n## STEP 1: One\nSay\v it.\n@prompt(file:p.md)\n", "p.md": "one\ntwo\u009b2K\n",
		}, "a.playbook.md", []string{`a.playbook.md:3:4 \v`, `p.md:2:4 \u009b`}},
		{"a workflow", map[string]string{"a.md": "# A\n### 🔧 WORKFLOW STEP: One\n```\nSay\u2028it.\n```\n"}, "a.md", []string{`a.md:4:4 \u2028`}},
		{"an agent and its prompt", map[string]string{
			"steps_registry.json": `{"version": "1.0.0", "basePath": "prompts", "entryStep": "s_1", "steps": {` + "\n" +
				`"s_1": {"id": "s_1", "name": "S` + "\x7f" + `", "prompt": {"c1": "steps", "c2": "a", "c3": "b"}, "check": {"prompt": {"path": "c.md"}, "responseFormat": {"result": "ok|ng"}, "onPass": {"complete": true}, "onFail": {"retry": true, "maxRetries": 2}}}}}`,
			"prompts/steps/a/b/f_default.md": "Do\u2060 it.\n", "prompts/c.md": "Done?\u00ad\n",
		}, "", []string{`prompts/c.md:1:6 \u00ad`, `prompts/steps/a/b/f_default.md:1:3 \u2060`, `steps_registry.json:2:32 \x7f`}},
		{"escapes of JSON", map[string]string{
			"steps_registry.json": `{"version": "1.0.0", "basePath": "prompts", "entryStep": "s_1", "steps": {` + "\n" +
				`"s_1": {"id": "s_1", "name": "é \u202e\ud83d\ude00 \\u202e \r\n \b \ud83d", "prompt": {"c1": "steps", "c2": "a", "c3": "b"}, "check": {"prompt": {"path": "c.md"}, "responseFormat": {"result": "ok|ng"}, "onPass": {"complete": true}, "onFail": {"retry": true, "maxRetries": 2}}}}}`,
			"prompts/steps/a/b/f_default.md": "Do it: \\u202e.\n", "prompts/c.md": "Done?\n",
		}, "", []string{`steps_registry.json:2:33 \u202e \b`}},
		{"a suffix in capitals", map[string]string{"FLOW.JSON": `{"basePath": "prompts", "description": "\u202e"}`}, "FLOW.JSON", []string{`FLOW.JSON:1:41 \u202e`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := write(t, c.files)
			var got []string
			for _, d := range Load(filepath.Join(dir, c.open), Options{}).Diagnostics {
				if d.Code != "parse/hidden-characters" {
					continue
				}
				file, err := filepath.Rel(dir, d.File)
				if err != nil {
					t.Fatal(err)
				}
				_, chars, _ := strings.Cut(d.Message, "the line has hidden characters: ")
				got = append(got, fmt.Sprintf("%s:%d:%d %s", file, d.Line, d.Column, chars))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestHiddenCharactersOfOthers: a warning for an included document names that document's file.
func TestHiddenCharactersOfOthers(t *testing.T) {
	dir := write(t, map[string]string{
		"a.runbook.md": "# A\n## 1. One\n- b.runbook.md\n## 2. T\awo\n", "b.runbook.md": "# B\n## 1. O\vne\n",
	})
	p := Load(filepath.Join(dir, "a.runbook.md"), Options{})
	for _, d := range p.Diagnostics {
		if d.Code == "parse/hidden-characters" && p.IsInMainFile(d) != strings.Contains(d.Message, `\a`) {
			t.Errorf("%v, in the main file: %v", d, p.IsInMainFile(d))
		}
	}
}

// TestHiddenCharactersAreManyLines: a file with many such lines gets a limited number of warnings, so that other
// diagnostics remain visible.
func TestHiddenCharactersAreManyLines(t *testing.T) {
	p := loadText("a.runbook.md", []byte("# H\n## 1. One\n```sh\n"+strings.Repeat("\a\n", 1000)+"```\n"), Options{})
	if n := len(p.Diagnostics); n != maxLinesWithHiddenWarnings || !strings.HasSuffix(p.Diagnostics[n-1].Message, "(further lines with hidden characters, not listed: 900)") {
		t.Errorf("%d diagnostics, the last %v", n, p.Diagnostics[n-1])
	}
}
