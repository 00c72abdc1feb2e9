package markdown_test

import (
	"regexp"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/google/go-cmp/cmp"

	"playhead/tui/markdown"
)

// mark shows where a paint was used.
func mark(open, shut string) markdown.Paint {
	return func(s string) string { return open + s + shut }
}

var marked = &markdown.Styles{
	Heading: mark("H(", ")"), Strong: mark("b(", ")"), Emphasis: mark("i(", ")"), Struck: mark("s(", ")"),
	Code: mark("c(", ")"), Block: mark("", ""), Quote: mark("", ""), Marker: mark("", ""), Rule: mark("", ""),
	Link: mark("l(", ")"), Address: mark("", ""),
}

func TestRender(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"paragraphs wrap at words", "one two three four five six\n\nnext", "one two three\nfour five six\n\nnext"},
		{"emphasis", "a *b* **c** ~~d~~ `e`", "a i(b) b(c) s(d)\nc(e)"},
		{"headings", "## Hello\ntext", "H(Hello)\n\ntext"},
		{"a tight list", "- one\n- two\n  - three", "• one\n• two\n  • three"},
		{"a loose list", "1. one\n\n2. two", "1. one\n\n2. two"},
		{"list items hang", "- one two three four", "• one two three\n  four"},
		{"quotes", "> said\n> so", "│ said so"},
		{"code is left as it is", "```sh\na very long line of code it is\n\nb\n```", "  a very long line of code it is\n\n  b"},
		{"links tell where they lead", "[x](http://y)", "l(x) (http://y)"},
		{"rules", "---", "────────────────"},
		{"tables", "| a | b |\n|---|---|\n| 1 | 2 |", "b(a) │ b(b)\n─────┼─────\n1    │ 2"},
		{"tables without a header", "| | |\n|---|---|\n| 1 | 2 |", "1 │ 2"},
		{"tasks", "- [x] done\n- [ ] open", "• [x] done\n• [ ] open"},
		{"entities cannot smuggle controls in", "a&#27;[31mb&amp;c", `a\x1b[31mb&c`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.Join(markdown.Render(tt.in, 16, marked), "\n")
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// FuzzRender: whatever the text is, lines fit (code aside) and hold no controls.
func FuzzRender(f *testing.F) {
	for _, s := range []string{"# a\n- b\n  > c", "| a |\n|-|\n| ä |", "1. x\n   ```\n   y\n   ```", "日本語のテキスト", "&#0;&#27;\\*"} {
		f.Add(s, 20)
	}
	bold := lipgloss.NewStyle().Bold(true)
	paint := func(s string) string { return bold.Render(s) }
	styles := &markdown.Styles{Heading: paint, Strong: paint, Emphasis: paint, Struck: paint, Code: paint, Block: paint, Quote: paint, Marker: paint, Rule: paint, Link: paint, Address: paint}
	f.Fuzz(func(t *testing.T, s string, width int) {
		for _, r := range s {
			if r < ' ' && r != '\n' || r == 0x7f {
				t.Skip("callers sanitize")
			}
		}
		for _, l := range markdown.Render(s, width%200, styles) {
			if rest := sgr.ReplaceAllString(l, ""); strings.ContainsAny(rest, "\x1b\n\r") {
				t.Fatalf("line %q holds a control", l)
			}
		}
	})
}

func BenchmarkRender(b *testing.B) {
	text := strings.Repeat("Some *prose* with `code`, and **more** of it, to be wrapped.\n\n- an item\n- another\n\n", 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		markdown.Render(text, 80, marked)
	}
}
