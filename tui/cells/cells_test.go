package cells

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestSplitEmoji(t *testing.T) {
	for joined, want := range map[string]string{
		"👩\u200d👩\u200d👧 family":         "👩👩👧 family",
		"🏳\ufe0f\u200d🌈":                 "🏳🌈",
		"🇩🇪 flag":                        "DE flag",
		"👍🏽!":                            "👍  !",
		"❤\ufe0f 1\ufe0f\u20e3":          "❤ 1",
		"\u0646\u0645\u06cc\u200c\u062e": "\u0646\u0645\u06cc\u200c\u062e",
		"\u0915\u094d\u200d\u0937":       "\u0915\u094d\u200d\u0937",
		"plain, 完了, 🚀":                   "plain, 完了, 🚀",
	} {
		got := SplitEmoji(joined)
		if got != want {
			t.Errorf("%q became %q, not %q", joined, got, want)
		}
		if a, b := ansi.WcWidth.StringWidth(joined), ansi.WcWidth.StringWidth(got); a != b {
			t.Errorf("%q is measured as %d cells and takes %d", joined, a, b)
		}
	}
}

// TestCutInCells: Fit and Slice keep to the number of cells, whatever method the terminal uses to count them.
func TestCutInCells(t *testing.T) {
	for _, method := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
		c := Measure{WidthMethod: method}
		for _, line := range []string{"Signs: 🧑🏽\u200d🚀 ⚠\ufe0f and more", "👩\u200d👩\u200d👧 abcdef", "क्षि क्षि क्षि", "完了 done", "\x1b[31mred\x1b[m 👍🏽👍🏽"} {
			for w := 1; w < 30; w++ {
				if got := c.Width(c.Fit(line, w)); got != w {
					t.Errorf("%q in %d cells takes %d (method %d)", line, w, got, method)
				}
				if got := c.Width(c.Slice(line, 0, w)); got > w {
					t.Errorf("the first %d cells of %q are %d (method %d)", w, line, got, method)
				}
			}
		}
	}
}

// TestCodeRows: WrapCode breaks code before a blank or after a separator, unless less than a third of a row would be
// left. It drops nothing, so a row begins with a blank only if the code has one there.
func TestCodeRows(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"short", "short"},
		{"npx -y @scope/server-files@2026.8.31 .", "npx -y\n @scope/\nserver-files@2026.8.\n31 ."},
		{"rm -rf /some/where /home", "rm -rf /some/where\n /home"},
		{"rm -rf /some/where/x/home", "rm -rf\n /some/where/x/home"},
		{"echo one   two three four", "echo one   two three\n four"},
		{"echo one two three    four", "echo one two three\n    four"},
		{"echo abcdefghijklmnopqrstuvwxyz", "echo abcdefghijklmno\npqrstuvwxyz"},
		{"                       deep", "                    \n   deep"},
		{"完了完了完了完了完了完了", "完了完了完了完了完了\n完了"},
		{"\x1b[31mecho one two three four\x1b[m five", "\x1b[31mecho one two three\n four\x1b[m five"},
	} {
		if got := strings.Join((Measure{WidthMethod: ansi.GraphemeWidth}).WrapCode(test.line, 20), "\n"); got != test.want {
			t.Errorf("%q became\n%q, want\n%q", test.line, got, test.want)
		}
	}
}

// TestTextRows: WrapText drops the blanks at which it breaks a line.
func TestTextRows(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"", ""},
		{"the quick brown fox jumps over", "the quick brown fox\njumps over"},
		{"the quick brown fox   jumps", "the quick brown fox\njumps"},
		{"  - the quick brown fox", "  - the quick brown\nfox"},
		{"the quick brown foxes      ", "the quick brown\nfoxes      "},
		{"the quick brown fox          ", "the quick brown fox"},
		{"abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrst\nuvwxyz"},
	} {
		if got := strings.Join((Measure{WidthMethod: ansi.GraphemeWidth}).WrapText(test.line, 20), "\n"); got != test.want {
			t.Errorf("%q became\n%q, want\n%q", test.line, got, test.want)
		}
	}
}

// FuzzRows: WrapCode returns rows that together are the line, and none is too wide.
func FuzzRows(f *testing.F) {
	for _, s := range []string{"a b  c/d=e", "👩\u200d👩\u200d👧 完了", "   x"} {
		f.Add(s, 8)
	}
	f.Fuzz(func(t *testing.T, s string, w int) {
		if w = w % 40; w < 8 || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
			t.Skip("callers sanitize")
		}
		for _, method := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
			c := Measure{WidthMethod: method}
			rows := c.WrapCode(s, w)
			if strings.Join(rows, "") != s {
				t.Fatalf("%q became %q", s, rows)
			}
			for _, row := range rows {
				if c.Width(row) > w {
					t.Fatalf("%q takes more than %d cells", row, w)
				}
			}
		}
	})
}

// TestWrapLongWords: Wrap breaks a path after a slash only if the path is longer than a line. It does not break at a
// blank with which a quoted value begins or ends.
func TestWrapLongWords(t *testing.T) {
	c := Measure{WidthMethod: ansi.GraphemeWidth}
	for _, test := range []struct{ text, want string }{
		{"see prompts/steps/initial/f_default.md", "see prompts/steps/\ninitial/f_default.md"},
		{"it is in the docs/keys.md file", "it is in the\ndocs/keys.md file"},
		{`size = is now "small " (only it)`, "size = is now\n\"small \" (only it)"},
		{`the size of it is "  small one" now`, "the size of it is\n\"  small one\" now"},
		{`now it says: "very small ones" here`, "now it says: \"very\nsmall ones\" here"},
	} {
		if got := strings.Join(c.Wrap(test.text, 20), "\n"); got != test.want {
			t.Errorf("%q became\n%q, want\n%q", test.text, got, test.want)
		}
	}
}

// TestCutWords: CutWords cuts a text at a blank, unless little of the text would be left.
func TestCutWords(t *testing.T) {
	c := Measure{WidthMethod: ansi.GraphemeWidth}
	for _, test := range []struct{ text, want string }{
		{"short", "short"},
		{`OUTPUT 6 rm -rf "${TMPDIR}"`, "OUTPUT 6 rm -rf …"},
		{"OUTPUT abcdefghijklmnopqrstuvwxyz", "OUTPUT abcdefghijklm…"},
	} {
		if got := c.CutWords(test.text, 21); got != test.want {
			t.Errorf("%q became %q, want %q", test.text, got, test.want)
		}
	}
}
