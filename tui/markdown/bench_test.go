package markdown_test

import (
	"strings"
	"testing"

	"playhead/themes"
	"playhead/tui/cells"
	"playhead/tui/markdown"
)

func BenchmarkRender(b *testing.B) {
	text := strings.Repeat("Some *prose* with `code`, and **more** of it, to be wrapped.\n\n- an item\n- another\n\n", 100)
	styles := themes.NewStyles(themes.DefaultPair().Dark)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		markdown.Render(text, 80, styles, cells.Measure{})
	}
}
