package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// TrustItem is a command that a document would run.
type TrustItem struct {
	Step   string // the label of its step
	Checks string // the validator that it is, if it is one
	File   string // the file it is in; empty: the document itself
	Line   int
	Text   string
}

// trust is the card at the start of a document that was never trusted: it lists
// every command, before any of them runs.
type trust struct {
	items []TrustItem
	begun bool // the run goes on: whether it executes anything was said when it began
	list.Scroller
}

func (t *trust) title(l *look) panes.Title {
	return panes.Title{Left: "Trust this document?", Right: l.Wait.Paint(draw.Count(len(t.items), "command"))}
}

func (t *trust) lines(l *look, w, h int) []string {
	all := careful(l, sanitize.Careful(t.texts()...), w)
	all = append(all, l.Wrap("It would run these commands on this machine, as you:", w)...)
	for _, it := range t.items {
		all = append(all, "")
		for _, line := range l.Wrap(t.where(it), w) {
			all = append(all, l.Muted.Paint(line))
		}
		for _, line := range strings.Split(sanitize.Text(sanitize.Unpadded(it.Text)), "\n") {
			all = append(all, wrapCode(l, line, w)...)
		}
	}
	return t.Window(l, all, h)
}

// texts are all that the document says here.
func (t *trust) texts() []string {
	var out []string
	for _, it := range t.items {
		out = append(out, it.Step, it.Checks, it.File, it.Text)
	}
	return out
}

// careful sets a warning, if there is one.
func careful(l *look, warning string, w int) []string {
	var out []string
	for _, line := range l.Wrap(warning, w) {
		out = append(out, l.Warn.Paint(line))
	}
	return out
}

// wrapCode shows a whole command: nothing of it may hide beyond the edge.
func wrapCode(l *look, line string, w int) []string {
	var out []string
	for _, part := range l.Hard(line, w-2) {
		out = append(out, "  "+l.Command.Paint(part))
	}
	return out
}

func (t *trust) where(it TrustItem) string {
	s := draw.Clean(it.Step)
	if it.Checks != "" {
		s += ", validator " + draw.Clean(it.Checks)
	}
	if it.Line > 0 {
		s += fmt.Sprintf(", line %d", it.Line)
	}
	if it.File != "" {
		s += " of " + draw.Clean(it.File)
	}
	return s
}

func (t *trust) height(l *look, w int) int { return len(t.lines(l, w, 1<<20)) }
func (t *trust) Tall() bool                { return true }

func (t *trust) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	keys := m.look.Keys
	switch {
	case keys.Is(k, "yes"):
		m.close(t)
		return m.trusted(), true
	case keys.Is(k, "run-prompted") && !t.begun:
		m.close(t)
		return m.start(true), true
	case keys.Is(k, "no"):
		return m.quit(), true
	case keys.Is(k, "close"):
		return m.waitWith("Nothing runs until you say so. {answer} goes back to the question."), true
	}
	return nil, t.Scrolled(keys, k)
}

func (t *trust) hints(m *Model) []draw.Hint {
	l := m.look
	if t.begun {
		return []draw.Hint{l.Press("yes", "trust and go on"), l.UpDown("scroll")}
	}
	return []draw.Hint{l.Press("yes", "trust and run"), l.Press("run-prompted", "run without executing"), l.UpDown("scroll")}
}
