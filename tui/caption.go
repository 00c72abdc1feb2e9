package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/draw"
	"playhead/tui/keymap"
)

// caption is a key that was pressed and what it did, for those who look on.
type caption struct {
	key, does string
	nth       int // of those that were shown: an older one's time is up for itself alone
}

// captionTime is how long a caption shows.
const captionTime = 3 * time.Second

// captionMsg says that the time of the n-th caption is up.
type captionMsg int

// showCaption shows a key with what it does, for a while. Where nobody looks on, or nothing
// is done, there is nothing to show.
func (m *Model) showCaption(k tea.KeyPressMsg, does string) tea.Cmd {
	if !m.stage.on || does == "" {
		return nil
	}
	nth := m.stage.caption.nth + 1
	m.stage.caption = caption{keymap.Shown(k.String()), does, nth}
	return m.later(captionTime, captionMsg(nth))
}

// clearCaption takes a caption away whose time is up.
func (m *Model) clearCaption(nth captionMsg) {
	if m.stage.caption.nth == int(nth) {
		m.stage.caption.key = ""
	}
}

// deed is what an action does now, in a few words; "" where it makes no sense.
func (m *Model) deed(a *keymap.Action) string {
	if m.unavailable(a) != "" {
		return ""
	}
	if said := m.label(a); said != a.Short {
		return said
	}
	first, _, _ := strings.Cut(strings.ReplaceAll(a.Help, ";", ","), ",")
	return first
}

// hintOf is what a dialog says that a key does. What is typed into it is not said.
func (m *Model) hintOf(c dialog.Dialog, k tea.KeyPressMsg) string {
	if writes(c) && k.Text != "" {
		return ""
	}
	for _, h := range c.Hints(m.view()) {
		if h.Key == keymap.Shown(k.String()) {
			return h.Text
		}
	}
	return ""
}

// line is the caption as it is drawn.
func (c caption) line(l *draw.Look) string {
	if c.key == "" {
		return ""
	}
	return l.Key.Paint(c.key) + "  " + c.does
}

// later brings a message after a while.
func later(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}
