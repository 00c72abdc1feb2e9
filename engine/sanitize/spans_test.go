package sanitize_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/sanitize"
)

func TestSpans(t *testing.T) {
	type style = sanitize.SpanStyle
	for line, want := range map[string][]sanitize.StyledSpan{
		"":                           nil,
		"plain":                      {{Text: "plain"}},
		"a \x1b[31mred\x1b[0m b":     {{Text: "a "}, {"red", style{Foreground: "1"}}, {Text: " b"}},
		"\x1b[1;93;44mx\x1b[22my":    {{"x", style{Bold: true, Foreground: "11", Background: "4"}}, {"y", style{Foreground: "11", Background: "4"}}},
		"\x1b[38;5;196mx":            {{"x", style{Foreground: "#ff0000"}}},
		"\x1b[38;5;244mx":            {{"x", style{Foreground: "#808080"}}},
		"\x1b[48:2::1:2:3mx":         {{"x", style{Background: "#010203"}}},
		"\x1b[38;2;300;0;0mx":        {{Text: "x"}},
		"\x1b[4:3;7;9mx\x1b[4:0my":   {{"x", style{Underline: true, Reverse: true, Strike: true}}, {"y", style{Reverse: true, Strike: true}}},
		"1%\r2%":                     {{Text: "2%"}},
		"\x1b]0;title\x07<b>\x1b[2J": {{Text: "<b>"}},
	} {
		if diff := cmp.Diff(want, sanitize.OutputSpans(line)); diff != "" {
			t.Errorf("%q: %s", line, diff)
		}
	}
}

// FuzzSpans: the spans together have the text that the line shows, without control characters.
func FuzzSpans(f *testing.F) {
	f.Add("\x1b[38;5;1mx\x1b[0m\ty\r\x1b[48;2;1;2;3mz")
	f.Fuzz(func(t *testing.T, line string) {
		var text strings.Builder
		for _, s := range sanitize.OutputSpans(line) {
			text.WriteString(s.Text)
			for _, c := range []string{s.Foreground, s.Background} {
				if len(c) > 7 || strings.Trim(c, "#0123456789abcdef") != "" {
					t.Errorf("colour %q", c)
				}
			}
		}
		if got := text.String(); strings.ContainsAny(got, "\x1b\x07\r\b") || got != sanitize.OutputPlain(line) {
			t.Errorf("the spans of %q are %q, and its line is %q", line, got, sanitize.Output(line))
		}
	})
}
