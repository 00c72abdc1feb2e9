package tui

import (
	"slices"
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

// edit changes what is selected: a variable in VALUES, else what a step does.
func (m *Model) edit() tea.Cmd {
	if m.editsValue() {
		return m.editValue()
	}
	return m.editStep(m.tree.selected())
}

func (m *Model) editsValue() bool { return m.why.sheet == values && m.focus == whyPane }

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

// editStep changes, for this run, what a step does from its next execution on.
func (m *Model) editStep(r *track.Row) tea.Cmd {
	i := editableAction(r)
	text := textOf(r, i)
	m.open(&edit{name: "What " + clean(r.Label) + " does in this run", control: newEditor(text), done: func(changed string) tea.Cmd {
		if changed == text {
			return nil
		}
		m.say("From now on in this run. {again} runs it again, {write-back} writes it into the document.")
		return m.call(func(s session) error { return s.Edit(r.Step.ID, i, changed) })
	}})
	return nil
}

// editableAction is the place of the action that can be changed: the last that was
// begun, else the first; -1 for none.
func editableAction(r *track.Row) int {
	if r == nil || r.Step == nil {
		return -1
	}
	first := -1
	for i, a := range r.Step.Actions {
		switch a.Work.(type) {
		case plan.Command, plan.Model, plan.Tool:
			if last := r.Action(); first < 0 || last != nil && last.Index == i {
				first = i
			}
		}
	}
	return first
}

// textOf is what an action says: a person's word, else as the document has it.
func textOf(r *track.Row, i int) string {
	if text, ok := r.Edits[i]; ok {
		return text
	}
	if own, ok := plan.WrittenIn(r.Step.Actions[i].Work); ok {
		return own.Own()
	}
	return ""
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
	return &oneLine{text: value, offers: compared(m.cfg.Plan, x.Name)}
}

// compared are the values that a document's routes compare a variable with.
func compared(p *plan.Plan, name string) (out []string) {
	add := func(t *plan.Test) {
		if t != nil && !t.Data && t.Path[0] == name && t.Value != "" && !slices.Contains(out, t.Value) {
			out = append(out, t.Value)
		}
	}
	p.Walk(func(s, _ *plan.Step) bool {
		add(s.When)
		for _, r := range s.Routes {
			add(r.When.Test)
		}
		return true
	})
	return out
}

func notEditable(m *Model) string {
	switch {
	case m.session == nil:
		return "does nothing: the run has not started"
	case m.editsValue() && len(m.track.Vars) == 0:
		return "does nothing: no variable has a value yet"
	case !m.editsValue() && editableAction(m.tree.selected()) < 0:
		return "changes what a step runs or asks, or a value (v): select a step that does"
	}
	return ""
}
