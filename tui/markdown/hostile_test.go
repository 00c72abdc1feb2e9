package markdown_test

import (
	"strings"
	"testing"

	"playhead/tui/cells"
	"playhead/tui/markdown"
)

// BenchmarkHostile: no text of 24 KB, the longest that is laid out while a person waits, takes much longer than
// another.
func BenchmarkHostile(b *testing.B) {
	const size = 24 << 10
	styles := plainStyles()
	for name, part := range map[string]string{
		"brackets": "[", "open brackets": "[a](", "stars": "*a ", "bold": "**a* ", "quotes": "> ", "items": "- ", "entities": "&amp;", "ticks": "`a``b",
		"tags": "<a ", "columns": "|a", "rows": "| a | b |\n|---|---|\n", "words": "word ", "fences": "```sh\necho hi\n```\n", "definitions": "[a]\n\n[a]: b\n\n",
		"strikes": "~~a~ ", "items of paragraphs": "- a\n\n  b\n\n", "addresses": "http://a.b/c ", "open tags": "<!-- ", "headings": "# a\n", "long word": "wordword",
		"emails": "a@b.c ", "json": "```json\n{\"a\":[\n```\n", "deep fence": "> ```\n", "table cells": "| `a` **b** [c](d) | e |\n|---|---|\n",
	} {
		source := strings.Repeat(part, size/len(part))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				markdown.Render(source, 80, styles, cells.Measure{})
			}
		})
	}
	wide := strings.Repeat("| a ", 500) + "|\n" + strings.Repeat("|---", 500) + "|\n" + strings.Repeat(strings.Repeat("| b ", 500)+"|\n", 10)
	b.Run("wide table", func(b *testing.B) {
		for b.Loop() {
			markdown.Render(wide, 80, styles, cells.Measure{})
		}
	})
}
