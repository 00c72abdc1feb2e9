package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/logs"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/panes"
)

// edit is the card of a value that a person changes.
type edit struct {
	name    string
	what    string // of several that there are
	control form.Widget
	began   string // what the control had of itself
	leaving bool   // esc was pressed, and would forget what was changed
	done    func(string) tea.Cmd
}

func newEdit(name, what string, control form.Widget, done func(string) tea.Cmd) *edit {
	return &edit{name: name, what: what, control: control, began: control.Value(), done: done}
}

func (c *edit) title(l *look) panes.Title {
	return panes.Title{Left: c.name, Right: l.Muted.Paint(c.what)}
}
func (c *edit) lines(l *look, w, h int) []string { return c.control.Lines(l, w, h) }
func (c *edit) height(l *look, w int) int        { return c.control.Height(l, w) }
func (c *edit) Tall() bool                       { return c.control.Writes() && c.control.Height(nil, 40) > 1 }
func (c *edit) Writing() bool                    { return c.control.Writes() }
func (c *edit) paste(m *Model, text string)      { c.control.Paste(m.look, text) }

func (c *edit) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	e, edits := c.control.(*form.Editor)
	keys := m.look.Keys
	switch {
	case keys.Is(k, "close") && !c.leaving && c.control.Value() != c.began:
		c.leaving = true
		m.say("What you changed is not kept yet: " + c.hints(m)[0].Key + " keeps it, {close} again forgets it.")
		return nil, true
	case keys.Is(k, "close"):
		m.close(c)
		return nil, true
	case keys.Is(k, "cancel"):
		return nil, false
	case keys.Is(k, "editor") && edits:
		return m.editOutside(e), true
	}
	c.leaving = false
	sent, used := c.control.Key(m.look, k)
	switch text := c.control.Value(); {
	case sent && text != c.began && len(m.cfg.Secrets) > 0 && strings.Contains(text, logs.Hidden):
		m.say(logs.Hidden + " stands where a secret is hidden: write in its place what is meant.")
		return nil, true
	case sent:
		m.close(c)
		return c.done(text), true
	}
	return nil, used || c.control.Writes()
}

func (c *edit) hints(m *Model) []draw.Hint {
	l := m.look
	if _, edits := c.control.(*form.Editor); edits {
		return []draw.Hint{l.Press("send", "set"), l.Press("editor", "$EDITOR"), l.Press("close", "back")}
	}
	return []draw.Hint{l.Press("accept", "set"), l.Press("close", "back")}
}

// edit changes what is selected: a variable in VALUES, else what a step does.
func (m *Model) edit() tea.Cmd {
	if m.editsValue() {
		return m.editValue()
	}
	return m.editStep(m.tree.selected())
}

func (m *Model) editsValue() bool { return m.why.sheet == values && m.focus == panes.Why }

// editValue changes the variable that is selected in VALUES.
func (m *Model) editValue() tea.Cmd {
	x := m.track.Vars[m.why.sel]
	value := plan.TextOf(x.Value)
	m.open(newEdit("Set "+draw.Clean(x.Name), "", m.variable(x, value), func(text string) tea.Cmd {
		if text == value {
			return nil
		}
		m.say(x.Name + " is set. What has been done with its old value stays.")
		return m.call(func(s session) error { return s.Set(x.Name, text) })
	}))
	return nil
}

// editStep changes, for this run, what a step does from its next execution on.
func (m *Model) editStep(r *track.Row) tea.Cmd {
	i := m.editableAction(r)
	text := r.Says(i)
	name := "What " + draw.Clean(r.Label) + " does in this run"
	m.open(newEdit(name, oneOf(r.Step.Actions, i), form.NewEditor(text), func(changed string) tea.Cmd {
		_, edited := r.Edits[i]
		switch {
		case changed == text:
			return nil
		case changed == "" && !edited:
			m.say("Nothing is changed: without a text the document's own stays.")
			return nil
		case changed == "":
			m.say("From now on the document's own text again. {again} runs it.")
		default:
			m.say("From now on in this run. {again} runs it again, {write-back} writes it into the document.")
		}
		return m.call(func(s session) error { return s.Edit(r.Target(), i, changed) })
	}))
	return nil
}

// editableAction is the place of the action that can be changed: the one whose output
// shows, else the row's; -1 for none.
func (m *Model) editableAction(r *track.Row) int {
	a := m.output.action
	if r != nil && r.Step != nil && m.output.row == r && a != nil && editable(r.Step.Actions[a.Index]) {
		return a.Index
	}
	return r.Editable()
}

func editable(a plan.Action) bool {
	switch a.Work.(type) {
	case plan.Command, plan.Model, plan.Tool:
		return true
	}
	return false
}

// oneOf says which of a step's actions that can be changed one is; nothing if there is no
// other.
func oneOf(all []plan.Action, i int) string {
	if !slices.ContainsFunc(append(slices.Clone(all[:i]), all[i+1:]...), editable) {
		return ""
	}
	switch w := all[i].Work.(type) {
	case plan.Model:
		return strings.TrimSpace(draw.Clean(w.Part) + " prompt")
	case plan.Tool:
		return "arguments of " + draw.Clean(w.Name)
	}
	if d, ok := all[i].Judge.(plan.Described); ok && len(d.Describe().Validators) > 0 {
		return "validator " + draw.Clean(strings.Join(d.Describe().Validators, ", "))
	}
	return "command"
}

// variable is the widget for a variable: an input's own, else by what it holds.
func (m *Model) variable(x track.Var, value string) form.Widget {
	for _, in := range m.cfg.Plan.Inputs {
		if in.Name == x.Name {
			return form.New(in.Type, value, in.Options)
		}
	}
	if strings.Contains(value, "\n") {
		return form.NewEditor(value)
	}
	return &form.OneLine{Text: value, Offers: m.cfg.Plan.Compared(x.Name)}
}

func notEditable(m *Model) string {
	switch {
	case m.session == nil:
		return "does nothing: the run has not started"
	case m.editsValue() && len(m.track.Vars) == 0:
		return "does nothing: no variable has a value yet"
	case !m.editsValue() && m.editableAction(m.tree.selected()) < 0:
		return "changes what a step runs or asks, or a value ({values}): select a step that does"
	}
	return ""
}
