package rundown

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// fill repeats a text up to nearly a megabyte.
func fill(unit string) string { return strings.Repeat(unit, (MaxSize-4096)/len(unit)) }

// inLines is the same in lines of nearly 64 KiB.
func inLines(unit string) string {
	line := strings.Repeat(unit, (maxLine-1)/len(unit)) + "\n"
	return strings.Repeat(line, (MaxSize-4096)/len(line))
}

// nest is a text below n open lists.
func nest(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String() + text
}

// hostile are megabytes made to be slow.
func hostile() map[string]string {
	step := "## 1. A\n"
	docs := map[string]string{
		"blank lines":                    step + fill("\n"),
		"named steps":                    fill("## a\n"),
		"steps":                          fill("## 1 a\n"),
		"substeps":                       step + fill("### 1.1 a\n"),
		"broken steps":                   fill("##\n"),
		"deep headings":                  fill("####\n"),
		"titles":                         fill("# a\n"),
		"items":                          step + fill("- a\n"),
		"empty items":                    step + fill("-\n"),
		"items apart":                    step + fill("- a\n\n"),
		"alternating lists":              step + fill("- a\n+ b\n"),
		"rules":                          step + fill("---\n\n"),
		"transitions":                    step + fill("PASS: STOP\n"),
		"transition items":               step + fill("- FAIL: GOTO 1\n"),
		"transitions and text":           step + fill("- PASS: STOP\n\nx\n\n"),
		"lookalikes":                     step + fill("pass\n"),
		"runbooks":                       step + fill("- a.runbook.md\n"),
		"fences":                         step + fill("```sh\n```\n"),
		"unclosed fences":                step + fill("```\n~~~\n"),
		"fences in items":                step + fill("- ```\n"),
		"one fence":                      step + "```sh\n" + fill("a\n"),
		"quotes":                         step + fill("> a\n"),
		"quotes, lazy":                   step + fill("> a\nb\n"),
		"quotes, deeper and deeper":      step + fill(strings.Repeat(">", 90)+"\n\n"),
		"quotes, 100 deep":               step + fill(strings.Repeat(">", 100)+" a\n"),
		"quotes, 60000 deep":             step + inLines(">"),
		"items, 30000 deep in a line":    step + inLines("- "),
		"numbers, deep in a line":        step + inLines("1. "),
		"quotes and items in a line":     step + inLines("> - "),
		"lists, 100 deep":                step + fill(nest(100, "")),
		"lists, 100 deep, then blank":    step + nest(100, fill("\n")[:900_000]),
		"lists, 100 deep, then lazy":     step + nest(100, fill("a\n")[:900_000]),
		"lists, 100 deep, then fence":    step + nest(99, strings.Repeat("  ", 99)+"- ```\n"+fill("\n")[:900_000]),
		"lists, 100 deep, by tabs":       step + nest(100, strings.Repeat(strings.Repeat("\t", 51)+"a\n\n", 15_000)),
		"lists, 50 deep, then items":     step + nest(50, fill(strings.Repeat("  ", 50)+"- a\n")),
		"lists, 1000 deep":               step + fill(nest(300, "")),
		"lists by tabs":                  step + fill(strings.Repeat("\t", 50)+"- a\n"),
		"indented code":                  step + fill("    a\n"),
		"indented code, spaced":          step + fill("    a\n\n"),
		"table":                          step + fill("|a|b|\n|-|-|\n"),
		"pipes":                          step + inLines("|"),
		"html blocks":                    step + fill("<div>\n\n"),
		"html comments":                  step + fill("<!-- a -->\n"),
		"html comment":                   step + "<!--" + fill("\n"),
		"html openers":                   step + fill("<a\n"),
		"link definitions":               step + fill("[a]: b\n"),
		"link definitions, apart":        step + fill("[a]: b\n\n"),
		"link definitions, distinct":     step + distinct("[a%d]: b\n"),
		"link definitions, open title":   step + fill("[a]: b\n(\n"),
		"link definitions, open quote":   step + fill("[a]: b '\n"),
		"link definitions, open label":   step + fill("[a\n"),
		"one paragraph":                  step + fill("a b c d e f g\n"),
		"one marked paragraph":           step + fill("PASS *a* `b` [c] <d> &e;\n"),
		"underlined paragraph":           step + fill("1 a\n") + "---\n",
		"underlined, marked":             fill("1 *a `b` [c](d)\n") + "---\n",
		"underlines":                     fill("1 a\n-\n"),
		"front matter":                   "---\n" + fill("a: b\n") + "---\n" + step,
		"front matter, keys":             "---\n" + distinct("a%d: b\n") + "---\n" + step,
		"front matter, list":             "---\ntags: [" + fill("a, ") + "]\n---\n" + step,
		"front matter, tags":             "---\ntags:\n" + fill("- a\n") + "---\n" + step,
		"front matter, brackets":         "---\na: " + fill("[") + "\n---\n" + step,
		"front matter, braces":           "---\na: " + fill("{a: ") + "\n---\n" + step,
		"front matter, deep":             "---\n" + deepYAML() + "---\n" + step,
		"front matter, dashes":           "---\na: " + fill("- ") + "\n---\n" + step,
		"front matter, questions":        "---\n" + fill("? ") + "\n---\n" + step,
		"front matter, anchors":          "---\n" + distinct("k%[1]d: &a%[1]d b\n") + "---\n" + step,
		"front matter, aliases":          "---\na: &a b\nb: [" + fill("*a, ") + "]\n---\n" + step,
		"front matter, comments":         "---\n" + fill("# a\n") + "---\n" + step,
		"front matter, comments inside":  "---\na:\n" + fill("- b # c\n") + "---\n" + step,
		"front matter, open quote":       "---\na: \"" + fill("b\n") + "\n---\n" + step,
		"front matter, block":            "---\na: |\n" + fill("  b\n") + "---\n" + step,
		"front matter, blank block":      "---\na: |\n" + fill("\n") + "---\n" + step,
		"front matter, scenarios":        "---\nscenarios:\n" + distinct("  s%d: {}\n") + "---\n" + step,
		"front matter, scenario aliases": "---\nx: &x\n  commands: [" + strings.Repeat("a, ", 100_000) + "]\nscenarios:\n" + strings.Repeat("  s: *x\n", 60_000) + "---\n" + step,
		"front matter, bomb":             "---\na: &a [x, x]\n" + bomb() + "---\n" + step,
		"front matter, never closed":     "---\n" + fill("a: b\n"),
		"bytes":                          fill("\xff"),
		"CR":                             fill("\r"),
		"braces":                         "## {N} A\n" + fill("{N}{n}{\n"),
		"braces in a line":               "## {N} A\n" + inLines("{N}"),
		"names of steps":                 distinct("## a%d\nPASS: GOTO a1\n"),
		"same names":                     fill("## a\nPASS: GOTO b\n"),
		"untitled substeps":              "## 1 a\n" + distinct("### 1.x%d\n"),
		"parentheses":                    "## 1 a\n### 1.1 " + strings.Repeat("(", 60_000) + strings.Repeat(")", 5_000) + "\n",
		"duplicate titles":               fill("## 1 a\n### 1.1\n"),
	}
	for name, unit := range map[string]string{
		"stars": "*", "underscores": "_", "stars and text": "*a ", "double stars": "**a *b ", "brackets": "[", "closing": "]", "bracket pairs": "[]",
		"images": "![", "links": "[a](", "links closed": "[a](b)", "nested links": "[[a](b)](c) ", "backticks": "`", "backticks and text": "`a",
		"lesser": "<", "tags": "<a ", "comments": "<!--", "instructions": "<?", "declarations": "<!A ", "data": "<![CDATA[", "autolinks": "<a@b", "ampersands": "&",
		"entities": "&amp;", "numbers": "&#1", "backslashes": "\\", "bangs": "!", "quotes": "\"", "runs": "*a_ ",
	} {
		docs["line of "+name] = step + fill(unit)
		docs["item lines of "+name] = step + strings.ReplaceAll("- PASS: "+strings.ReplaceAll(inLines(strings.Repeat(unit, 8)), "\n", "\n- PASS: "), strings.Repeat(unit, 16)+"\n", "\n")
		docs["paragraph of "+name] = step + fill("PASS "+unit+"\n")
		docs["headings of "+name] = fill("## 1 " + strings.Repeat(unit, 500) + "\n")
		docs["heading of "+name] = strings.ReplaceAll("## 1 "+strings.ReplaceAll(inLines(strings.Repeat(unit, 8)), "\n", "\n## 1 "), strings.Repeat(unit, 16)+"\n", "\n")
	}
	runs := strings.Builder{}
	for i := 1; runs.Len() < 60_000; i++ {
		runs.WriteString(strings.Repeat("`", i) + " ")
	}
	docs["backtick runs"] = step + strings.Repeat("PASS "+runs.String()+"\n", 16)
	return docs
}

func distinct(format string) string {
	var b strings.Builder
	for i := 0; b.Len() < MaxSize-4096; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func deepYAML() string {
	var b strings.Builder
	for i := 0; b.Len() < MaxSize-8192; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func bomb() string {
	var b strings.Builder
	for i := range 25 {
		fmt.Fprintf(&b, "%c: &%c [*%c, *%c]\n", 'b'+i, 'b'+i, 'a'+i, 'a'+i)
	}
	return b.String() + "tags: *z\nscenarios: *z\n"
}

// TestHostile (spec §1): parsing time grows linearly with the file.
func TestHostile(t *testing.T) {
	for name, doc := range hostile() {
		t.Run(name, func(t *testing.T) {
			if len(doc) > MaxSize {
				t.Fatalf("SLOW %q %d bytes", name, len(doc))
			}
			begin := time.Now()
			p := Parse("x.runbook.md", []byte(doc), Options{})
			if took := time.Since(begin); took > 600*time.Millisecond {
				t.Logf("SLOW %q took %v, %d diagnostics", name, took, len(p.Diagnostics))
			}
		})
	}
}
