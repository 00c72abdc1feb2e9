package workflow

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawn draws a document with parts in random order and number, and with nested fences.
func drawn(t *rapid.T) string {
	words := rapid.SampledFrom([]string{"café", "größe", "50 €", "«ok»", "a — b", "→ on", "“so”", "[HOST]", "日本", "§ 4", "Tür", "plain"})
	say := func() string { return "so " + words.Draw(t, "words") + " " + words.Draw(t, "more") }
	var b strings.Builder
	for i := range rapid.IntRange(1, 3).Draw(t, "steps") {
		fmt.Fprintf(&b, "## %s\n### 🔧 WORKFLOW STEP: s%d %s\n", say(), i, say())
		fence := rapid.SampledFrom([]string{"````", "~~~", "~~~~"}).Draw(t, "fence")
		fmt.Fprintf(&b, "%s\n%s\n```\n### 🔧 WORKFLOW STEP: inner\n```\n%[1]s\n", fence, say())
		fmt.Fprintf(&b, "<!-- %s\n### ✅ ASSERT: -->\n### 🛠️ TOOLS:\n- a\n- s/b\n", say())
		parts := []string{
			fmt.Sprintf("### 📥 INPUTS:\n- HOST: %s\n", say()),
			fmt.Sprintf("### 📤 OUTPUTS:\n- %s → A%d\n- x -> B%[2]d\n- result.x  C%[2]d\n", say(), i),
			fmt.Sprintf("### ✅ ASSERT:\n- %s\n- %s\n  %s\n", say(), say(), say()),
		}
		b.WriteString(strings.Join(rapid.Permutation(parts).Draw(t, "parts")[rapid.IntRange(0, 2).Draw(t, "without"):], "\n"))
	}
	return b.String()
}

// bones returns the steps of a document without their texts, which may be beyond repair.
func bones(doc string) (out []string) {
	for _, m := range read(doc) {
		line := fmt.Sprint(strings.Fields(m.StepName)[0], m.Tools, len(m.Assertions))
		for _, in := range m.Inputs {
			line += " " + in.Name
		}
		for _, o := range m.Outputs {
			line += " " + o.Variable
		}
		out = append(out, line)
	}
	return out
}

// TestDamageInPlaces: a document keeps its steps even if only some lines are damaged, once or twice and by different
// encodings.
func TestDamageInPlaces(t *testing.T) {
	pages := rapid.SampledFrom([]codePage{cp1252, cp1254, latin1, kept})
	rapid.Check(t, func(t *rapid.T) {
		doc := drawn(t)
		first, ends := rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "first"), rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "ends")
		one, other := pages.Draw(t, "one"), pages.Draw(t, "other")
		var broken strings.Builder
		for _, line := range strings.SplitAfter(first+strings.ReplaceAll(doc, "\n", ends), ends) {
			switch rapid.IntRange(0, 3).Draw(t, "damage") {
			case 1:
				line = one.damage(line)
			case 2:
				line = other.damage(line)
			case 3:
				line = other.damage(one.damage(line))
			}
			broken.WriteString(line)
		}
		if d := cmp.Diff(bones(doc), bones(broken.String())); d != "" {
			t.Fatalf("%s, %s: %s\n%s", one.name, other.name, d, broken.String())
		}
	})
}
