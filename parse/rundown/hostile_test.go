package rundown

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A maker makes hostile documents of its size.
type maker int

// fill repeats a text up to nearly the size, but at least once.
func (m maker) fill(unit string) string { return strings.Repeat(unit, max(1, int(m)*15/16/len(unit))) }

// lines is like fill, with lines of nearly 64 KiB or of an eighth of the size.
func (m maker) lines(unit string) string {
	line := strings.Repeat(unit, (min(maxLineLength, int(m)/8)-1)/len(unit)) + "\n"
	return strings.Repeat(line, int(m)*15/16/len(line))
}

// each fills nearly the size with a format of a counter.
func (m maker) each(format string) string {
	var b strings.Builder
	for i := 0; b.Len() < int(m)*15/16; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// yaml returns mappings nested as deep as the size allows.
func (m maker) yaml() string {
	var b strings.Builder
	for i := 0; b.Len() < int(m)*7/8; i++ {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// nest returns a text below n open lists.
func nest(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String() + text
}

// hostile returns documents that try to make parsing slow.
func (m maker) hostile() map[string]string {
	step := "## 1. A\n"
	docs := map[string]string{
		"blank lines":                    step + m.fill("\n"),
		"named steps":                    m.fill("## a\n"),
		"steps":                          m.fill("## 1 a\n"),
		"substeps":                       step + m.fill("### 1.1 a\n"),
		"broken steps":                   m.fill("##\n"),
		"deep headings":                  m.fill("####\n"),
		"titles":                         m.fill("# a\n"),
		"items":                          step + m.fill("- a\n"),
		"empty items":                    step + m.fill("-\n"),
		"items apart":                    step + m.fill("- a\n\n"),
		"alternating lists":              step + m.fill("- a\n+ b\n"),
		"rules":                          step + m.fill("---\n\n"),
		"transitions":                    step + m.fill("PASS: STOP\n"),
		"transition items":               step + m.fill("- FAIL: GOTO 1\n"),
		"transitions and text":           step + m.fill("- PASS: STOP\n\nx\n\n"),
		"lookalikes":                     step + m.fill("pass\n"),
		"runbooks":                       step + m.fill("- a.runbook.md\n"),
		"fences":                         step + m.fill("```sh\n```\n"),
		"unclosed fences":                step + m.fill("```\n~~~\n"),
		"fences in items":                step + m.fill("- ```\n"),
		"one fence":                      step + "```sh\n" + m.fill("a\n"),
		"quotes":                         step + m.fill("> a\n"),
		"quotes, lazy":                   step + m.fill("> a\nb\n"),
		"quotes, deeper and deeper":      step + m.fill(strings.Repeat(">", 90)+"\n\n"),
		"quotes, 100 deep":               step + m.fill(strings.Repeat(">", 100)+" a\n"),
		"quotes, 60000 deep":             step + m.lines(">"),
		"items, 30000 deep in a line":    step + m.lines("- "),
		"numbers, deep in a line":        step + m.lines("1. "),
		"quotes and items in a line":     step + m.lines("> - "),
		"lists, 100 deep":                step + m.fill(nest(100, "")),
		"lists, 100 deep, then blank":    step + nest(100, (m-m/8).fill("\n")),
		"lists, 100 deep, then lazy":     step + nest(100, (m-m/8).fill("a\n")),
		"lists, 100 deep, then fence":    step + nest(99, strings.Repeat("  ", 99)+"- ```\n"+(m-m/8).fill("\n")),
		"lists, 100 deep, by tabs":       step + nest(100, (m-m/8).fill(strings.Repeat("\t", 51)+"a\n\n")),
		"lists, 50 deep, then items":     step + nest(50, m.fill(strings.Repeat("  ", 50)+"- a\n")),
		"lists, 1000 deep":               step + m.fill(nest(300, "")),
		"lists by tabs":                  step + m.fill(strings.Repeat("\t", 50)+"- a\n"),
		"indented code":                  step + m.fill("    a\n"),
		"indented code, spaced":          step + m.fill("    a\n\n"),
		"table":                          step + m.fill("|a|b|\n|-|-|\n"),
		"pipes":                          step + m.lines("|"),
		"html blocks":                    step + m.fill("<div>\n\n"),
		"html comments":                  step + m.fill("<!-- a -->\n"),
		"html comment":                   step + "<!--" + m.fill("\n"),
		"html openers":                   step + m.fill("<a\n"),
		"link definitions":               step + m.fill("[a]: b\n"),
		"link definitions, apart":        step + m.fill("[a]: b\n\n"),
		"link definitions, distinct":     step + m.each("[a%d]: b\n"),
		"link definitions, open title":   step + m.fill("[a]: b\n(\n"),
		"link definitions, open quote":   step + m.fill("[a]: b '\n"),
		"link definitions, open label":   step + m.fill("[a\n"),
		"one paragraph":                  step + m.fill("a b c d e f g\n"),
		"one marked paragraph":           step + m.fill("PASS *a* `b` [c] <d> &e;\n"),
		"underlined paragraph":           step + m.fill("1 a\n") + "---\n",
		"underlined, marked":             m.fill("1 *a `b` [c](d)\n") + "---\n",
		"underlines":                     m.fill("1 a\n-\n"),
		"front matter":                   "---\n" + m.fill("a: b\n") + "---\n" + step,
		"front matter, keys":             "---\n" + m.each("a%d: b\n") + "---\n" + step,
		"front matter, list":             "---\ntags: [" + m.fill("a, ") + "]\n---\n" + step,
		"front matter, tags":             "---\ntags:\n" + m.fill("- a\n") + "---\n" + step,
		"front matter, brackets":         "---\na: " + m.fill("[") + "\n---\n" + step,
		"front matter, braces":           "---\na: " + m.fill("{a: ") + "\n---\n" + step,
		"front matter, deep":             "---\n" + m.yaml() + "---\n" + step,
		"front matter, dashes":           "---\na: " + m.fill("- ") + "\n---\n" + step,
		"front matter, questions":        "---\n" + m.fill("? ") + "\n---\n" + step,
		"front matter, anchors":          "---\n" + m.each("k%[1]d: &a%[1]d b\n") + "---\n" + step,
		"front matter, aliases":          "---\na: &a b\nb: [" + m.fill("*a, ") + "]\n---\n" + step,
		"front matter, comments":         "---\n" + m.fill("# a\n") + "---\n" + step,
		"front matter, comments inside":  "---\na:\n" + m.fill("- b # c\n") + "---\n" + step,
		"front matter, open quote":       "---\na: \"" + m.fill("b\n") + "\n---\n" + step,
		"front matter, block":            "---\na: |\n" + m.fill("  b\n") + "---\n" + step,
		"front matter, blank block":      "---\na: |\n" + m.fill("\n") + "---\n" + step,
		"front matter, scenarios":        "---\nscenarios:\n" + m.each("  s%d: {}\n") + "---\n" + step,
		"front matter, scenario aliases": "---\nx: &x\n  commands: [" + (m / 3).fill("a, ") + "]\nscenarios:\n" + (m / 2).fill("  s: *x\n") + "---\n" + step,
		"front matter, bomb":             "---\na: &a [x, x]\n" + bomb() + "---\n" + step,
		"front matter, never closed":     "---\n" + m.fill("a: b\n"),
		"bytes":                          m.fill("\xff"),
		"CR":                             m.fill("\r"),
		"braces":                         "## {N} A\n" + m.fill("{N}{n}{\n"),
		"braces in a line":               "## {N} A\n" + m.lines("{N}"),
		"names of steps":                 m.each("## a%d\nPASS: GOTO a1\n"),
		"unknown targets":                m.each("## a%[1]d\nPASS: GOTO bcdef%[1]d\n"),
		"same names":                     m.fill("## a\nPASS: GOTO b\n"),
		"untitled substeps":              "## 1 a\n" + m.each("### 1.x%d\n"),
		"parentheses":                    "## 1 a\n### 1.1 " + m.lines("(")[:int(m)/20] + m.lines(")")[:int(m)/20] + "\n",
		"duplicate titles":               m.fill("## 1 a\n### 1.1\n"),
	}
	for name, unit := range map[string]string{
		"stars": "*", "underscores": "_", "stars and text": "*a ", "double stars": "**a *b ", "brackets": "[", "closing": "]", "bracket pairs": "[]",
		"images": "![", "links": "[a](", "links closed": "[a](b)", "nested links": "[[a](b)](c) ", "backticks": "`", "backticks and text": "`a",
		"lesser": "<", "tags": "<a ", "comments": "<!--", "instructions": "<?", "declarations": "<!A ", "data": "<![CDATA[", "autolinks": "<a@b", "ampersands": "&",
		"entities": "&amp;", "numbers": "&#1", "backslashes": "\\", "bangs": "!", "quotes": "\"", "runs": "*a_ ",
	} {
		docs["line of "+name] = step + m.fill(unit)
		docs["item lines of "+name] = step + strings.ReplaceAll("- PASS: "+strings.ReplaceAll(m.lines(strings.Repeat(unit, 8)), "\n", "\n- PASS: "), strings.Repeat(unit, 16)+"\n", "\n")
		docs["paragraph of "+name] = step + m.fill("PASS "+unit+"\n")
		docs["headings of "+name] = m.fill("## 1 " + strings.Repeat(unit, 300) + "\n")
		docs["heading of "+name] = strings.ReplaceAll("## 1 "+strings.ReplaceAll(m.lines(strings.Repeat(unit, 8)), "\n", "\n## 1 "), strings.Repeat(unit, 16)+"\n", "\n")
	}
	runs := strings.Builder{}
	for i := 1; runs.Len() < min(60_000, int(m)/9); i++ {
		runs.WriteString(strings.Repeat("`", i) + " ")
	}
	docs["backtick runs"] = step + m.fill("PASS "+runs.String()+"\n")
	return docs
}

func bomb() string {
	var b strings.Builder
	for i := range 25 {
		fmt.Fprintf(&b, "%c: &%c [*%c, *%c]\n", 'b'+i, 'b'+i, 'a'+i, 'a'+i)
	}
	return b.String() + "tags: *z\nscenarios: *z\n"
}

// TestHostile (spec §1): small hostile documents have valid diagnostics. BenchmarkHostile measures large ones.
func TestHostile(t *testing.T) {
	for name, doc := range maker(4_000).hostile() {
		t.Run(name, func(t *testing.T) {
			defer tooLong(name).Stop()
			checkDiagnostics(t, doc, Parse("x.runbook.md", []byte(doc), Options{}).Diagnostics)
		})
	}
}

// slowest limits the time for a file of 1 MB.
const slowest = 600 * time.Millisecond

// BenchmarkHostile (spec §1): parsing time grows linearly with the file.
func BenchmarkHostile(b *testing.B) {
	for name, doc := range maker(MaxSize).hostile() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				Parse("x.runbook.md", []byte(doc), Options{})
			}
			if each := b.Elapsed() / time.Duration(b.N); each > slowest {
				b.Errorf("%v for %d bytes", each, len(doc))
			}
		})
	}
}
