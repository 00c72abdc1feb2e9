package markdown_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"playhead/themes"
	"playhead/tui/cells"
	"playhead/tui/markdown"
)

func plainStyles() *themes.Styles { return themes.NewStyles(themes.PlainPalette()) }

func TestRender(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"paragraphs wrap at words", "one two three four five six\n\nnext", "one two three\nfour five six\n\nnext"},
		{"line ends are blanks", "one\ntwo", "one two"},
		{"hard breaks stay", "one  \ntwo\\\nthree", "one\ntwo\nthree"},
		{"emphasis", "a *b* **c** ~~d~~ `e`", "a b c d `e`"},
		{"escapes", `x \* y \_ z`, "x * y _ z"},
		{"headings", "## Hello\ntext", "Hello\n\ntext"},
		{"underlined headings", "Hello\n===\ntext", "Hello\n\ntext"},
		{"a tight list", "- one\n- two\n  - three", "• one\n• two\n  • three"},
		{"a loose list", "1. one\n\n2. two\n\n   more", "1. one\n\n2. two\n\n   more"},
		{"a list that starts elsewhere", "3. one\n4. two", "3. one\n4. two"},
		{"list items hang", "- one two three four", "• one two three\n  four"},
		{"quotes", "> said\n> so\n>\n> - x", "│ said so\n│\n│ • x"},
		{"code continues on the next line", "```sh\na very long line of code it is\n\nb\n```", "┃ a very long\n┇  line of code\n┇  it is\n┃\n┃ b"},
		{"code keeps its backslashes", "```\na\\*b\n```", `┃ a\*b`},
		{"links tell where they lead", "[x](http://y)", "x http://y"},
		{"addresses stand once", "<http://y.z>", "http://y.z"},
		{"relative addresses stay", "[x](b/c.md)", "x b/c.md"},
		{"links may refer to definitions", "[x][1]\n\n[1]: http://y", "x http://y"},
		{"rules", "---", "────────────────"},
		{"tables are aligned", "| a | b |\n|---|--:|\n| 1 | 2 |\n| 3 | 44 |", " a │  b\n───┼────\n 1 │  2\n 3 │ 44"},
		{"tables in quotes", "> | what | b |\n> |---|---|\n> | 1 | 2 |", "│  what │ b\n│ ──────┼───\n│  1    │ 2"},
		{"tables without a header", "| | |\n|---|---|\n| one | two |", " one │ two"},
		{"tasks", "- [x] done\n- [ ] open", "• [x] done\n• [ ] open"},
		{"HTML is shown", "a <b>c</b>\n\n<div>\nx\n</div>", "a <b>c</b>\n\n<div>\nx\n</div>"},
		{"entities cannot smuggle controls in", "a&#27;[31mb&amp;c", "a&#27;[31mb&c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ansi.Strip(strings.Join(markdown.Render(tt.in, 16, plainStyles(), cells.Measure{}), "\n"))
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestRenderReply: JSON in a reply is indented once its fence is closed. JSON in a document is never indented.
func TestRenderReply(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"JSON", "```json\n{\"a\":[1]}\n```", "┃ {           json\n┃   \"a\": [\n┃     1\n┃   ]\n┃ }"},
		{"JSON in a list", "- x\n  ```json\n  {\"a\":1}\n  ```", "• x\n  ┃ {         json\n  ┃   \"a\": 1\n  ┃ }"},
		{"not valid", "```json\n{\"a\":1,}\n```", "┃ {\"a\":1,}    json"},
		{"two objects", "```json\n{\"a\":1}\n{}\n```", "┃ {\"a\":1}     json\n┃ {}"},
		{"another language", "```js\n{\"a\":1}\n```", "┃ {\"a\":1}       js"},
		{"still coming", "```json\n{\"a\":1}\n", "┃ {\"a\":1}     json"},
		{"the closing fence has begun", "```json\n{\"a\":1}\n``", "┃ {\"a\":1}     json\n┃ ``"},
		{"empty", "```json\n```", "┃             json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ansi.Strip(strings.Join(markdown.RenderReply(tt.in, 18, plainStyles(), cells.Measure{}), "\n"))
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
	if got := ansi.Strip(strings.Join(markdown.Render(tests[0].in, 18, plainStyles(), cells.Measure{}), "\n")); got != "┃ {\"a\":[1]}   json" {
		t.Errorf("a document shows %q", got)
	}
}

// TestCode: highlighted code keeps its text, and has colours if the language is known.
func TestCode(t *testing.T) {
	styles := themes.NewStyles(themes.DefaultPair().Dark)
	for _, source := range []string{"# note\nset -e; echo \"hi $X\" 'y' \\*", "a\n\n\nb\n", "", "\n", "printf '\\x1b[2K' <<EOF\n  x\nEOF"} {
		for _, language := range []string{"bash", "sh", "python", "json", "no such language", ""} {
			got := markdown.HighlightCode(source, language, styles)
			if d := cmp.Diff(source, ansi.Strip(strings.Join(got, "\n"))); d != "" {
				t.Errorf("%s: %s", language, d)
			}
		}
	}
	if line := markdown.HighlightCode("echo # note", "bash", styles)[0]; !strings.Contains(line, styles.Muted.Paint("# note")) {
		t.Errorf("the comment is not muted: %q", line)
	}
}

// TestCodeInBoldText: code in a heading differs from the words around it in every theme: by its background or, without
// one, by its backticks.
func TestCodeInBoldText(t *testing.T) {
	for _, name := range themes.BuiltInNames() {
		p, err := themes.LoadBuiltIn(name)
		if err != nil {
			t.Fatal(err)
		}
		got := markdown.Render("## x `x`", 40, themes.NewStyles(p), cells.Measure{})[0]
		if p.SelectionBackground == "" {
			if ansi.Strip(got) != "x `x`" {
				t.Errorf("%s: %q", name, got)
			}
			continue
		}
		if all := regexp.MustCompile(`\x1b\[[0-9;]*mx`).FindAllString(got, -1); len(all) != 2 || all[0] == all[1] {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestBlockWraps: the part of a line that does not fit continues on the next line in the same colour.
func TestBlockWraps(t *testing.T) {
	styles := themes.NewStyles(themes.DefaultPair().Dark)
	got := markdown.CodeBlock(`"abcdefghij"`, "json", "", "", 8, styles, cells.Measure{})
	want := []string{styles.CodeBar(false) + styles.Pass.Paint(`"abcde`), styles.CodeBar(true) + styles.Pass.Paint(`fghij"`)}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestWideClusters: however a terminal measures joined emoji and the clusters of other scripts, no row is wider than the pane, so
// no part of a command is cut off.
func TestWideClusters(t *testing.T) {
	const width = 40
	styles := plainStyles()
	for _, method := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
		m := cells.Measure{WidthMethod: method}
		for _, cluster := range []string{"👨\u200d👩\u200d👧", "👍🏽", "🇯🇵", "☎️", "1️⃣", "क्षि", "\u1112\u1161\u11ab", "กำ", "日", "é"} {
			many := strings.Repeat(cluster, 30)
			text := `echo "` + many + ` hi"; rm -f ~/important; echo "fine"`
			for name, rows := range map[string][]string{
				"code":  markdown.CodeBlock(text, "sh", "", "", width, styles, m),
				"fence": markdown.Render("```sh\n"+text+"\n```", width, styles, m),
				"list":  markdown.Render("- "+text, width, styles, m),
				"JSON":  markdown.JSONLines(`{"a": "`+many+` rm important fine"}`, width, styles, m),
				"raw":   markdown.WrapText(text, width, m),
			} {
				all := ""
				for _, row := range rows {
					row = m.AdaptEmoji(row)
					if n := m.Width(row); n > width {
						t.Errorf("%s of %s, method %v: %d cells: %q", name, cluster, method, n, row)
					}
					all += ansi.Strip(row)
				}
				if letters := regexp.MustCompile(`[^a-z]`).ReplaceAllString(all, ""); !strings.Contains(letters, "important") || !strings.Contains(letters, "fine") {
					t.Errorf("%s of %s: a part is missing in %q", name, cluster, all)
				}
			}
		}
	}
}

// TestKeycaps: a sign that a terminal draws as a digit or a mark of Markdown does not become Markdown.
func TestKeycaps(t *testing.T) {
	m := cells.Measure{WidthMethod: ansi.WcWidth}
	got := m.AdaptEmoji(ansi.Strip(strings.Join(markdown.RenderReply("#️⃣ general\n\n*️⃣ star", 40, plainStyles(), m), "\n")))
	if want := "# general\n\n* star"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

var style = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// FuzzRender: rendered lines contain no control sequences other than styles, whatever the text is.
func FuzzRender(f *testing.F) {
	for _, s := range []string{
		"# a\n- b\n  > c", "| a |\n|-|\n| ä |", "1. x\n   ```\n   y\n   ```", "日本語のテキスト", "&#0;&#27;\\*", "[a](b&#27;c) <x:y>",
		"![a](http://b) www.x.com", "| [a](b) |\n|-|\n", "[a]\n\n[a]: <b c>", "~~*a* `b`~~",
	} {
		f.Add(s, 20)
	}
	styles := themes.NewStyles(themes.DefaultPair().Dark)
	f.Fuzz(func(t *testing.T, s string, width int) {
		if !utf8.ValidString(s) {
			t.Skip("callers sanitize")
		}
		for _, r := range s {
			if r < ' ' && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0 {
				t.Skip("callers sanitize")
			}
		}
		for _, line := range markdown.Render(s, width%200, styles, cells.Measure{}) {
			if rest := style.ReplaceAllString(line, ""); strings.ContainsFunc(rest, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }) {
				t.Fatalf("line %q contains a control character", line)
			}
		}
	})
}
