package workflow

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A maker makes hostile documents of its size.
type maker int

// fill repeats a text up to nearly the size.
func (m maker) fill(unit string) string { return strings.Repeat(unit, int(m)*15/16/len(unit)) }

// each fills nearly the size with a format of a counter.
func (m maker) each(format string) string {
	var b strings.Builder
	for i := 0; b.Len() < int(m)*15/16; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// openers returns unclosed fences of different lengths and indentations.
func (m maker) openers() string {
	var b strings.Builder
	for n := 3; b.Len() < int(m)*7/16; n++ {
		b.WriteString("### WORKFLOW STEP: A\n" + strings.Repeat(" ", n) + strings.Repeat("`", 2000-n%1900) + " x\n")
	}
	return b.String() + strings.Repeat(" ```\n", int(m)*7/16/5)
}

// hostile returns documents that try to make parsing slow.
func (m maker) hostile() map[string]string {
	list := func(part string) string { return head + "### " + part + ":\n" }
	damaged := cp1254.damage("### 🔧 WORKFLOW STEP: A\n")
	return map[string]string{
		"blank lines":     head + m.fill("\n"),
		"lines":           head + m.fill("a\n"),
		"one line":        head + m.fill("a"),
		"spaces":          head + m.fill(" "),
		"steps":           m.fill("### WORKFLOW STEP: A\n"),
		"whole steps":     m.fill(head),
		"sections":        m.fill("## A\n### WORKFLOW STEP: A\n"),
		"hashes":          head + m.fill("#"),
		"hash lines":      head + m.fill("###\n"),
		"decoration":      head + "### " + m.fill("é") + " TOOL: t",
		"combining":       head + "### " + m.fill("e\u0301") + " TOOL: t",
		"no keyword":      head + m.fill("### 🔧 "),
		"keyword blanks":  head + "### WORKFLOW" + m.fill(" ") + "STEP: A",
		"colons":          head + "### TOOL" + m.fill("*") + ":",
		"closing":         head + "### TOOL: " + m.fill(" #"),
		"near":            head + m.fill("## TOOL\n"),
		"near marks":      head + m.fill("> - ") + "# TOOL",
		"near words":      head + "# " + m.fill("TOOLX "),
		"comments":        head + m.fill("<!--\n-->\n"),
		"open comments":   head + m.fill("<!--\n### TOOL: a\n"),
		"fences":          head + m.fill("```\n"),
		"open fences":     head + m.fill("``` x\n### WORKFLOW STEP: A\n"),
		"deep fences":     m.fill("### WORKFLOW STEP: A\n     ``` x\n"),
		"shrinking":       m.openers(),
		"spaced":          m.fill("### WORKFLOW STEP: A\n` ` `\n"),
		"spaced out":      head + m.fill("` "),
		"tildes":          head + m.fill("~"),
		"closers":         head + "````\n" + m.fill("```\n") + "````\n",
		"tools":           list("TOOLS") + m.fill("- a\n"),
		"bad tools":       list("TOOLS") + m.fill("- é!\n"),
		"commas":          list("TOOLS") + "- " + m.fill("a!,"),
		"wrapped commas":  list("TOOLS") + "- a\n" + m.fill(" ,b!\n"),
		"marks":           list("TOOLS") + "- " + m.fill("`"),
		"inputs":          list("INPUTS") + m.each("- A%d: a\n"),
		"same inputs":     list("INPUTS") + m.fill("- A: a\n"),
		"steps' inputs":   m.each("### WORKFLOW STEP: A\n### INPUTS:\n- A%d: a\n"),
		"notes":           list("INPUTS") + "- A" + m.fill("(a)") + ": a",
		"open notes":      list("INPUTS") + "- A" + m.fill(")") + ": a",
		"colons in names": list("INPUTS") + "- " + m.fill(":"),
		"arrows":          list("OUTPUTS") + "- a" + m.fill("→") + " A",
		"damaged arrows":  list("OUTPUTS") + "- a" + m.fill(" â†’ ") + " A",
		"tokens":          list("OUTPUTS") + "- a" + m.fill(" ?") + " A",
		"gap":             list("OUTPUTS") + "- a" + m.fill(" ") + " A",
		"outputs":         list("OUTPUTS") + m.each("- a → A%d\n"),
		"output notes":    list("OUTPUTS") + "- a → A" + m.fill("(a)"),
		"assertions":      list("ASSERT") + m.fill("- a\n"),
		"wrapped":         list("ASSERT") + "- a\n" + m.fill("a\n"),
		"bullets":         list("ASSERT") + m.fill("* a\n"),
		"nested":          list("ASSERT") + m.fill("      - a\n"),
		"no blanks":       list("ASSERT") + m.fill("-a\n"),
		"dropped":         list("ASSERT") + "- a\n\n" + m.fill("a\n\n- b\n\n"),
		"numbers":         list("ASSERT") + m.fill("1"),
		"rules":           list("ASSERT") + m.fill("---\n"),
		"placeholders":    list("ASSERT") + "- " + m.fill("[A]"),
		"undefined":       list("ASSERT") + "- " + m.each("[A%d]"),
		"brackets":        list("ASSERT") + "- " + m.fill("["),
		"underscores":     list("ASSERT") + "- " + m.fill("[_"),
		"description":     "### WORKFLOW STEP: A\n```\n" + m.each("[A%d]\n") + "```\n",
		"damage":          m.fill(damaged),
		"damaged line":    damaged + m.fill("ğ"),
		"damaged text":    damaged + m.fill("Ã©"),
		"broken damage":   damaged + list("ASSERT") + "- " + m.fill("ï¸"),
		"damaged names":   damaged + "### ASSERT:\n- " + m.each("Ã©[A%d]"),
		"CR":              head + m.fill("\r"),
		"bytes":           head + m.fill("\xff"),
		"NEL":             head + "### TOOLS:\n- " + m.fill("\u0085"),
	}
}

// TestHostile: hostile documents keep the promises too.
func TestHostile(t *testing.T) {
	for name, doc := range maker(4000).hostile() {
		t.Run(name, func(t *testing.T) {
			defer tooLong(name).Stop()
			keepsPromises(t, doc)
		})
	}
}

// BenchmarkHostile: parsing time grows linearly with the file (§1), and is at most 0.6 seconds for a file of the
// largest size.
func BenchmarkHostile(b *testing.B) {
	for name, doc := range maker(MaxSize).hostile() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				parse(doc)
			}
			atMost(b, 600*time.Millisecond)
		})
	}
}

func atMost(b *testing.B, limit time.Duration) {
	if each := b.Elapsed() / time.Duration(b.N); each > limit {
		b.Errorf("%v", each)
	}
}

// BenchmarkHostileReports: judging a report of the largest size takes at most a second.
func BenchmarkHostileReports(b *testing.B) {
	m := maker(maxReportBytes)
	for name, arguments := range map[string]string{
		"results": `{"step_number":0,"status":"passed","assertion_results":[` + m.fill(`{"assertion":"a","passed":true},`) + `{"assertion":"a","passed":true}]}`,
		"quotes":  `{"step_number":0,"status":"passed","assertion_results":[{"assertion":"` + m.fill("1. `") + `","passed":true}]}`,
		"others":  `{"step_number":0,"status":"passed","output_variables":{` + m.each(`"A%d":1,`) + `"A":1}}`,
		"wrong":   `{"assertion_results":[` + m.fill(`1,`) + `1]}`,
		"nested":  m.fill(`{"a":`),
	} {
		b.Run(name, func(b *testing.B) {
			j := reportJudge{Assertions: strings.Split(m.fill("a\n"), "\n")}
			for b.Loop() {
				j.Judge(reply(arguments), run{})
			}
			atMost(b, time.Second)
		})
	}
}
