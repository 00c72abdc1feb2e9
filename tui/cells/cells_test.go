package cells

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestSeparate(t *testing.T) {
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
		got := Separate(joined)
		if got != want {
			t.Errorf("%q became %q, not %q", joined, got, want)
		}
		if a, b := ansi.WcWidth.StringWidth(joined), ansi.WcWidth.StringWidth(got); a != b {
			t.Errorf("%q is measured as %d cells and takes %d", joined, a, b)
		}
	}
}

// TestCutInCells: whatever the terminal counts, a line is cut to the cells that there are.
func TestCutInCells(t *testing.T) {
	for _, method := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
		c := Measure{Method: method}
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
