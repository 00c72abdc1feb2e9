package markdown

import (
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"playhead/themes"
)

// TestHighlightCode: each line of the source becomes one line, even if a lexer drops the last line end.
func TestHighlightCode(t *testing.T) {
	lexers.Register(chroma.MustNewLexer(&chroma.Config{Name: "drops-last-line-end"}, func() chroma.Rules {
		return chroma.Rules{"root": {{Pattern: `\n\z`}, {Pattern: `.|\n`, Type: chroma.Text}}}
	}))
	s := themes.NewStyles(themes.PlainPalette())
	for _, language := range []string{"drops-last-line-end", "go", "sh", "json", "yaml", "markdown"} {
		for source, want := range map[string]int{"a": 1, "a\n": 2, "a\nb\n": 3} {
			if got := HighlightCode(source, language, s); len(got) != want {
				t.Errorf("%s: %q has the lines %q", language, source, got)
			}
		}
	}
}
