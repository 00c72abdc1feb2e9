package playbook

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"playhead/parse/objects"
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

// hostile returns documents that try to make parsing slow.
func (m maker) hostile() map[string]string {
	step := head + "## STEP 1: A\n"
	arm := step + "```if topic == \"\"```\n"
	return map[string]string{
		"blank lines":       step + m.fill("\n"),
		"lines":             step + m.fill("a\n"),
		"one line":          step + m.fill("a"),
		"spaces":            step + m.fill(" "),
		"steps":             head + m.fill("## STEP 1: A\n"),
		"sub-steps":         arm + m.fill("### STEP 1a: A\n"),
		"sub-steps outside": step + m.fill("### STEP 1a: A\n"),
		"markers":           step + m.fill("```else```\n"),
		"ifs":               step + m.fill("```if a == \"\"```\n"),
		"endifs":            step + m.fill("```endif```\n"),
		"broken markers":    step + m.fill("```if\n"),
		"elifs":             arm + m.each("```elif topic == \"%d\"```\n"),
		"not":               arm + m.each("```elif topic != \"%d\"```\n"),
		"elses":             arm + m.fill("```else```\n"),
		"blocks":            step + m.fill("```if topic == \"\"```\n```endif```\n"),
		"lone arms":         arm + m.fill("```elif on == \"\"```\na\n"),
		"arms that store":   arm + m.each("```elif on == \"%[1]d\"```\na\n@output(o%[1]d)\n"),
		"blocks that store": step + m.each("```if on == \"%[1]d\"```\na\n@output(o%[1]d)\n```endif```\n"),
		"enums that grow":   step + m.each("```if on == \"%[1]d\"```\na\n@output(o: enum, \"%[1]d\")\n```endif```\n"),
		"outputs":           step + m.each("@output(a%d)\n"),
		"storing steps":     head + m.each("## STEP 1: A\na\n@output(a%d)\n"),
		"enum":              step + `@output(a: enum` + m.fill(`, "a"`) + ")",
		"elicits":           step + m.fill("@elicit(select, \"a\", \"b\")\n"),
		"quotes":            step + "@elicit(input" + m.fill(`, "a"`) + ")",
		"open quotes":       step + "@elicit(input, " + m.fill(`"`) + ")",
		"escapes":           step + "@elicit(input, \"" + m.fill(`\"`) + ")",
		"tool":              step + "@tool(a, b, {" + m.fill(`"`) + "})",
		"tools":             step + m.fill("@tool(a, b, {})\n"),
		"prompts":           step + m.fill("@prompt(x)\n"),
		"broken":            step + m.fill("@prompt(\n"),
		"at":                step + m.fill("@"),
		"fences":            step + m.fill("```\n"),
		"tildes":            step + m.fill("~~~a\n"),
		"backticks":         step + m.fill("`"),
		"placeholders":      step + m.fill("{{topic}}"),
		"undefined":         step + m.fill("{{a}}"),
		"braces":            step + m.fill("{"),
		"open placeholders": step + m.fill("{{a:b:"),
		"words":             step + m.fill("{{a"),
		"long word":         step + "{{" + m.fill("a"),
		"undefined lines":   step + m.fill("{{a}}\n"),
		"titles":            m.fill("# a\n") + step, "inputs": head + m.each("- `a%d` (text)\n") + "## STEP 1: A\n",
		"same inputs": head + m.fill("- `a` (text)\n"),
		"options":     "# T\n## INPUTS\n- `a` (enum: " + m.fill("a,") + ")\n## STEP 1: A\n",
		"input lines": head + m.fill("-\n"),
		"sections":    head + m.fill("## A\n"),
		"systems":     head + m.fill("## SYSTEM\na\n"),
		"artifacts":   step + "## OUTPUT\n" + m.fill("type\n"),
		"types":       step + m.fill("## OUTPUT\ntype: a\n"),
		"CR":          step + m.fill("\r"),
		"bytes":       step + m.fill("\xff"),
		"wide":        step + m.fill("é {{a}} "),
		"conditions":  step + "```if topic == \"" + m.fill("a") + "\"```\n",
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

// BenchmarkHostile: parsing time grows linearly with the file, and is at most 0.6 seconds for a file of the largest
// size.
func BenchmarkHostile(b *testing.B) {
	for name, doc := range maker(MaxSize).hostile() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				Parse("x.playbook.md", []byte(doc), Options{})
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

// replies returns replies that try to make the search slow.
func (m maker) replies() map[string]string {
	out := map[string]string{}
	for _, unit := range []string{
		`{`, `[`, `}`, `{}`, `{"`, `{"{`, `{"f":`, `{"a":{"f":1},`, `{"f":1}`, `{"a":"{`, `"{`, `{"a":"{","`, `{",":"`, `\"{`, `{"\`, `{"a":[`, `{"a":"{ \"`, `{ `, "{\n", `{"a":1,`, `{"{":"`, "```\n",
		`{"a":"{",":":"`, `{"a":[{"b":"{"},`,
	} {
		for _, before := range []string{"", `{"f":`, `{"`, `{"f":["`} {
			out[fmt.Sprintf("%q, %q", before, unit)] = before + m.fill(unit)
		}
	}
	return out
}

// TestHostileReplies: a hostile reply does not lead to a wrong value.
func TestHostileReplies(t *testing.T) {
	for name, text := range maker(6000).replies() {
		defer tooLong(name).Stop()
		found(t, text)
		convertToType("json", nil, text)
	}
}

// BenchmarkHostileReplies: a reply is searched in linear time.
func BenchmarkHostileReplies(b *testing.B) {
	for name, text := range maker(4 << 20).replies() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				objects.LastObjectWithField(text, "f")
			}
			atMost(b, 4*time.Second)
		})
	}
}
