package tui

import (
	"hash/maphash"
	"strings"
	"sync"

	"charm.land/glamour/v2"

	"playhead/themes"
)

// textKey names a rendered text: its content, width and theme.
type textKey struct {
	hash  uint64
	width int
	theme string
}

// rendered is a text made ready.
type rendered struct {
	key   textKey
	lines []string
}

// mostText is how much of one text is rendered: glamour makes 0.2 MB a second.
// What is longer shows as it is written.
const mostText = 64 << 10

// markdown renders texts for the detail pane, outside Update, and keeps them.
type markdown struct {
	seed   maphash.Seed
	styles *themes.Styles
	kept   map[textKey][]string

	mu       sync.Mutex // over the renderer, which is made when first needed
	renderer *glamour.TermRenderer
	made     textKey // width and theme of the renderer
}

func newMarkdown(s *themes.Styles) *markdown {
	return &markdown{seed: maphash.MakeSeed(), styles: s, kept: map[textKey][]string{}}
}

func (m *markdown) key(text string, width int) textKey {
	return textKey{maphash.String(m.seed, text), width, m.styles.Palette.Name}
}

func (m *markdown) find(k textKey) ([]string, bool) {
	lines, ok := m.kept[k]
	return lines, ok
}

// mostKept bounds what is kept: a few screens of texts at a few widths.
const mostKept = 2000

func (m *markdown) keep(r rendered) {
	if len(m.kept) >= mostKept {
		clear(m.kept)
	}
	m.kept[r.key] = r.lines
}

// render makes a text ready. It is called from commands, one at a time.
func (m *markdown) render(styles *themes.Styles, k textKey, text string) rendered {
	m.mu.Lock()
	defer m.mu.Unlock()
	if want := (textKey{0, k.width, k.theme}); m.renderer == nil || m.made != want {
		r, err := glamour.NewTermRenderer(glamour.WithStyles(styles.Markdown()), glamour.WithWordWrap(k.width))
		if err != nil {
			return rendered{k, strings.Split(text, "\n")}
		}
		m.renderer, m.made = r, want
	}
	out, err := m.renderer.Render(text)
	if err != nil {
		return rendered{k, strings.Split(text, "\n")}
	}
	return rendered{k, trimBlank(strings.Split(out, "\n"))}
}

// trimBlank removes blank lines at both ends, and the padding of the others.
func trimBlank(lines []string) []string {
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
