package tui

import (
	"fmt"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/linediff"
	"playhead/engine/rewrite"
	"playhead/engine/track"
	"playhead/tui/draw"
	"playhead/tui/list"
	"playhead/tui/panes"
)

// writeBack is the card that shows an edit as a change of the document, and writes it
// if the person says so.
type writeBack struct {
	draft rewrite.Draft
	list.Scroller
}

func (c *writeBack) name() string { return draw.Clean(filepath.Base(c.draft.File)) }

func (c *writeBack) title(l *look) panes.Title {
	if c.draft.Err != nil {
		return panes.Title{Left: draw.Clean(c.draft.Label) + " stays out of the document"}
	}
	return panes.Title{
		Left:  fmt.Sprintf("Write %s into %s, line %d?", draw.Clean(c.draft.Label), c.name(), c.draft.Line),
		Right: l.Counts(linediff.Diff{Hunks: c.draft.Hunks()}),
	}
}

func (c *writeBack) lines(l *look, w, h int) []string { return c.Window(l, c.all(l, w), h) }
func (c *writeBack) height(l *look, w int) int        { return len(c.all(l, w)) }
func (c *writeBack) Tall() bool                       { return true }

// all is the reason why not, or the change with the warnings that it would bring.
func (c *writeBack) all(l *look, w int) (out []string) {
	if c.draft.Err != nil {
		return append(l.Wrap(draw.Clean(c.draft.Err.Error()), w), l.Muted.Paint("The run does it all the same."))
	}
	for _, n := range c.draft.Notes {
		out = append(out, l.Wrap("The document would have a warning: "+draw.Clean(n), w)...)
	}
	for _, hunk := range c.draft.Hunks() {
		out = append(out, l.Muted.Paint(hunk.Head()))
		for _, line := range hunk {
			out = append(out, changed(l, line, w)...)
		}
	}
	return out
}

// changed is a line of a change, whole, be it long.
func changed(l *look, line linediff.Line, w int) []string {
	out := l.Hard(string(line.Op)+line.Text, w)
	for i := range out {
		out[i] = l.Change(line.Op).Paint(out[i])
	}
	return out
}

func (c *writeBack) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	keys := m.look.Keys
	switch {
	case keys.Is(k, "cancel"):
		return nil, false
	case keys.Is(k, "close", "no", "quit"), c.draft.Err != nil && keys.Is(k, "accept"):
		m.close(c)
	case c.Scrolled(keys, k):
	case c.draft.Err != nil:
		m.say("{close} goes back")
	case keys.Is(k, "yes"):
		m.close(c)
		return m.write(c.draft), true
	default:
		m.say("{yes} writes it, {no} does not")
	}
	return nil, true
}

func (c *writeBack) hints(m *Model) []draw.Hint {
	l := m.look
	if c.draft.Err != nil {
		return []draw.Hint{l.Press("close", "back")}
	}
	return []draw.Hint{l.Press("yes", "write it"), l.Press("no", "do not"), l.UpDown("scroll")}
}

// write writes a change, away from the screen's own thread.
func (m *Model) write(d rewrite.Draft) tea.Cmd {
	return func() tea.Msg {
		d.Err = d.Write()
		d.There = d.Err == nil
		return draftedMsg(d)
	}
}

// draft makes a change of the document of what was edited in the selected step.
func (m *Model) draft() tea.Cmd {
	r, all := m.tree.selected(), m.cfg.Drafts
	return func() tea.Msg {
		drafts, err := all()
		if err != nil {
			return calledMsg{err}
		}
		return draftOf(r, drafts)
	}
}

// draftOf is the first change of a step that the document has not yet.
func draftOf(r *track.Row, all []rewrite.Draft) tea.Msg {
	var last draftedMsg
	for _, d := range all {
		if d.Label != r.Label {
			continue
		}
		if last = draftedMsg(d); !d.There {
			break
		}
	}
	return last
}

// showDraft shows a change, or that there is none to be made.
func (m *Model) showDraft(d rewrite.Draft) {
	if d.There && d.After != nil {
		m.say(draw.Clean(d.Label) + " is written into " + draw.Clean(filepath.Base(d.File)) + ". This run goes on with its own copy of the document.")
		return
	}
	if d.There {
		m.say("The document says that already.")
		return
	}
	m.open(&writeBack{draft: d})
}

func notWritable(m *Model) string {
	switch r := m.tree.selected(); {
	case m.session == nil || m.cfg.Drafts == nil:
		return "does nothing: the run has not started"
	case r == nil || len(r.Edits) == 0:
		return "writes an edit into the document, and this step has none: {edit} edits it"
	}
	return ""
}
