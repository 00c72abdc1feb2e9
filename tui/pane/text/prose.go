package text

import (
	"strings"

	"playhead/themes"
	"playhead/tui/markdown"
)

// textCache renders texts for a width in the colours of a theme, and keeps them.
type textCache struct {
	kept map[proseKey][]string
}

type proseKey struct {
	text  string
	width int
	theme string
}

// Texts are kept for a few screens of steps. One that is longer than maxText is
// shown as it is written: a document may be one long text, and keys don't wait.
const (
	maxKept = 1000
	maxText = 24 << 10
)

func newProse() *textCache { return &textCache{kept: map[proseKey][]string{}} }

// lines is a text, free of controls, as lines of at most width cells.
func (p *textCache) lines(s *themes.Styles, text string, width int) []string {
	if text == "" || width <= 0 {
		return nil
	}
	if len(text) > maxText {
		return strings.Split(text, "\n")
	}
	k := proseKey{text, width, s.Palette.Name}
	if lines, ok := p.kept[k]; ok {
		return lines
	}
	if len(p.kept) >= maxKept {
		clear(p.kept)
	}
	p.kept[k] = markdown.Render(text, width, s)
	return p.kept[k]
}
