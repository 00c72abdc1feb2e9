package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/dialog/help"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// chooseSource has a person choose who replies from now on.
func (m *Model) chooseSource() tea.Cmd {
	m.open(choose.Source(m.view()))
	return nil
}

// approvals has a person choose when they are asked before a model calls a tool.
func (m *Model) approvals() tea.Cmd {
	m.open(choose.Approvals(m.view()))
	return nil
}

// chooseTheme has a person choose what is painted with.
func (m *Model) chooseTheme() tea.Cmd {
	m.open(choose.Theme(m.cfg.Palettes(), m.theme))
	return nil
}

// notThemed is for a screen whose colours are not ours to choose.
func notThemed(m *Model) string {
	switch {
	case m.cfg.NoColor:
		return "chooses a theme, and colours are switched off"
	case m.cfg.Palettes == nil:
		return "chooses a theme, and there are none"
	}
	return ""
}

// goTo opens the list of all steps.
func (m *Model) goTo() tea.Cmd {
	m.open(choose.Steps(m.view()))
	return nil
}

func notSteps(m *Model) string {
	if len(m.track.Rows) == 0 {
		return "goes to a step, and this document has none"
	}
	return ""
}

// palette opens the list of all actions.
func (m *Model) palette() tea.Cmd {
	m.open(choose.Actions(m.view()))
	return nil
}

// help shows the keys. The last line may have no room for all those of a dialog.
func (m *Model) help() tea.Cmd {
	d := &help.Dialog{Pane: m.focus, Scope: scopeOf(m.focus)}
	if c := m.top(); c != nil && m.focus == panes.Dialog {
		d.Own = c.Hints(m.view())
		if s, has := c.(dialog.Signer); has {
			d.Signs = s.Signs()
		}
	}
	m.open(d)
	return nil
}

// byHand makes the reply under way, or the next one, the person's, or gives it back.
func (m *Model) byHand() tea.Cmd {
	yes, tool := !m.status.Own, m.track.Current.HasTool()
	switch {
	case tool && !yes:
		m.say("The tool is called again from now on.")
	case tool && draw.LastTool(m.track.Row(m.status.Running)) != "":
		m.say("The call is given up: you give its result.")
	case tool:
		m.say("You give the result of the next call. {by-hand} has the tool called again." + choose.ThenAgain(m.view()))
	case !yes:
		m.say("Replies come from " + m.status.Source + " again.")
	case m.replying():
		m.say("The call is given up: the reply is yours.")
	case !m.question.OffersByHand():
		m.say("The next reply is yours. {by-hand} gives it back to " + m.status.Source + "." + choose.ThenAgain(m.view()))
	}
	return m.call(func(s session) error { return s.TakeOver(yes) })
}

// tryNow makes a call again at once that waits for a server.
func (m *Model) tryNow() tea.Cmd {
	m.status.Notice.Skip()
	return nil
}
