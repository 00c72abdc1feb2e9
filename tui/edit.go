package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/track"
	"playhead/parse/plan"
)

// edit is the card of a value that a person changes.
type edit struct {
	name    string
	control widget
	done    func(string) tea.Cmd
}

func (c *edit) title(*look) title                { return title{left: c.name} }
func (c *edit) lines(l *look, w, h int) []string { return c.control.lines(l, w, h) }
func (c *edit) height(l *look, w int) int        { return c.control.height(l, w) }
func (c *edit) tall() bool                       { return c.control.writes() && c.height(nil, 40) > 1 }
func (c *edit) writing() bool                    { return c.control.writes() }
func (c *edit) paste(m *Model, text string)      { c.control.paste(m.look, text) }

func (c *edit) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	e, edits := c.control.(*editor)
	switch s := k.String(); {
	case s == "esc":
		m.close(c)
		return nil, true
	case s == "ctrl+c":
		return nil, false
	case s == "ctrl+e" && edits:
		return m.editOutside(e), true
	}
	sent, used := c.control.key(m.look, k)
	if sent {
		m.close(c)
		return c.done(c.control.value()), true
	}
	return nil, used || c.control.writes()
}

func (c *edit) hints(*Model) []hint {
	if _, edits := c.control.(*editor); edits {
		return []hint{{"ctrl+s", "set"}, {"ctrl+e", "$EDITOR"}, {"esc", "back"}}
	}
	return []hint{{"enter", "set"}, {"esc", "back"}}
}

// editValue changes the variable that is selected in VALUES.
func (m *Model) editValue() tea.Cmd {
	x := m.track.Vars[m.why.sel]
	value := plan.TextOf(x.Value)
	m.open(&edit{name: "Set " + clean(x.Name), control: m.variable(x, value), done: func(text string) tea.Cmd {
		if text == value {
			return nil
		}
		m.say(x.Name + " is set. What has been done with its old value stays.")
		return m.call(func(s session) error { return s.Set(x.Name, text) })
	}})
	return nil
}

// variable is the widget for a variable: an input's own, else by what it holds.
func (m *Model) variable(x track.Var, value string) widget {
	for _, in := range m.cfg.Plan.Inputs {
		if in.Name == x.Name {
			return newWidget(in.Type, value, in.Options)
		}
	}
	if strings.Contains(value, "\n") {
		return newEditor(value)
	}
	return &oneLine{text: value}
}

func notEditable(m *Model) string {
	switch {
	case m.why.sheet != values || m.focus != whyPane:
		return "changes a value: v shows them, 4 goes there"
	case m.session == nil:
		return "does nothing: the run has not started"
	case len(m.track.Vars) == 0:
		return "does nothing: no variable has a value yet"
	}
	return ""
}
