package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/model"
	"playhead/tui/dialog/choose"
	"playhead/tui/excerpt"
	"playhead/tui/panes"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// excerpts are what there is to take away from the pane with focus, the likeliest first. Those of a
// step are those of its text, too.
func (m *Model) excerpts() []excerpt.Excerpt {
	shown, run := m.pane(m.focus), m.view()
	switch {
	case shown == nil:
		return m.dialogExcerpts()
	case m.focus == panes.Tree:
		return append(shown.Excerpts(run), m.text.Excerpts(run)...)
	}
	return shown.Excerpts(run)
}

// dialogExcerpts are what the dialog on top says.
func (m *Model) dialogExcerpts() []excerpt.Excerpt {
	c, box := m.top(), m.layout.Panes[panes.Dialog]
	if c == nil {
		return nil
	}
	return []excerpt.Excerpt{{Name: "dialog", Of: "the dialog", Text: func() string {
		box.H = max(box.H, c.Height(m.view(), box.W))
		_, lines := m.dialogView(c, box)
		return excerpt.Unstyled(lines)
	}}}
}

// copy takes something of the pane with focus to the clipboard. Where there are several
// things, the person chooses.
func (m *Model) copy() tea.Cmd {
	all := m.excerpts()
	if len(all) == 1 {
		return excerpt.Copy(all[0])
	}
	offers, byName := make([]model.Origin, len(all)), map[string]excerpt.Excerpt{}
	for i, x := range all {
		offers[i] = model.Origin{Name: x.Name, About: x.About()}
		byName[x.Name] = x
	}
	c := choose.New("Copy what?", offers, "")
	c.Again = "copy"
	c.Choose = func(_ *runview.Run, name string) []tea.Msg {
		return []tea.Msg{request.Background{Cmd: excerpt.Copy(byName[name])}}
	}
	m.open(c)
	return nil
}

func canCopy(m *Model) string {
	if len(m.excerpts()) == 0 {
		return "copies what a pane shows, and this one shows nothing yet"
	}
	return ""
}

// takeCopied hands an excerpt to the clipboard and says what it was.
func (m *Model) takeCopied(c excerpt.Copied) tea.Cmd {
	message, text := c.Message()
	m.say(message)
	if text == "" {
		return nil
	}
	return m.copyText(text)
}

// clipboard gives a text to the terminal, which may be at the other end of a connection,
// and to the system that the program runs on. Nobody says whether the first one took it.
func (m *Model) clipboard(text string) tea.Cmd {
	system := m.cfg.Clipboard
	if system == nil {
		return tea.SetClipboard(text)
	}
	return tea.Batch(tea.SetClipboard(text), func() tea.Msg {
		_ = system(text) // there is the terminal's
		return nil
	})
}
