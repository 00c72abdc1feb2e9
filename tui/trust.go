package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
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
	scroller
}

func (t *trust) title(l *look) title {
	return title{"Trust this document?", l.Wait.Paint(count(len(t.items), "command"))}
}

func (t *trust) lines(l *look, w, h int) []string {
	all := l.wrap("It would run these commands on this machine, as you:", w)
	for _, it := range t.items {
		all = append(all, "")
		for _, line := range l.wrap(t.where(it), w) {
			all = append(all, l.Muted.Paint(line))
		}
		for _, line := range strings.Split(sanitize.Text(it.Text), "\n") {
			all = append(all, l.wrapCode(line, w)...)
		}
	}
	return t.window(l, all, h)
}

// wrapCode shows a whole command: nothing of it may hide beyond the edge.
func (l *look) wrapCode(line string, w int) []string {
	var out []string
	for _, part := range l.hard(line, w-2) {
		out = append(out, "  "+l.Command.Paint(part))
	}
	return out
}

func (t *trust) where(it TrustItem) string {
	s := clean(it.Step)
	if it.Checks != "" {
		s += ", validator " + clean(it.Checks)
	}
	if it.Line > 0 {
		s += ", line " + text(it.Line)
	}
	if it.File != "" {
		s += " of " + clean(it.File)
	}
	return s
}

func (t *trust) height(l *look, w int) int { return len(t.lines(l, w, 1<<20)) }
func (t *trust) tall() bool                { return true }

func (t *trust) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch s := k.String(); {
	case s == "y":
		m.close(t)
		return m.trusted(), true
	case s == "m" && !t.begun:
		m.close(t)
		return m.start(true), true
	case s == "n":
		return m.quit(), true
	case s == "esc":
		return m.waitWith("Nothing runs until you say so. {answer} goes back to the question."), true
	}
	return nil, t.scrolled(k)
}

func (t *trust) hints(*Model) []hint {
	if t.begun {
		return []hint{{"y", "trust and go on"}, {"↑↓", "scroll"}}
	}
	return []hint{{"y", "trust and run"}, {"m", "run without executing"}, {"↑↓", "scroll"}}
}
