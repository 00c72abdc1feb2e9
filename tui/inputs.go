package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/logs"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/panes"
)

// inputs is the card of what a document needs to know before it can run.
type inputs struct {
	fields []plan.Input
	*form.Form
	done func(map[string]string) tea.Cmd
	back func() // to what was asked before; nil: nothing was
}

// newInputs is a form of fields. Of those that are secret nobody sees what is written.
func newInputs(fields []plan.Input, secrets []string, done func(map[string]string) tea.Cmd) *inputs {
	f := &inputs{fields: fields, Form: &form.Form{End: "start the run"}, done: done}
	for _, in := range fields {
		kind, control := in.Type, form.New(in.Type, in.Default, in.Options)
		hidden := slices.Contains(secrets, in.Name) && form.Hide(control)
		if hidden {
			kind += ", hidden"
		}
		if !in.Required {
			kind += ", may be left out"
		}
		f.Add(form.Field{
			Name: in.Name, Kind: kind, About: in.Description, Control: control,
			Unfit: func(value string) string { return unfit(in, value, hidden) }, Blank: in.Blank,
		})
	}
	return f
}

func (f *inputs) title(l *look) panes.Title {
	return panes.Title{Left: "Before it runs", Right: l.Wait.Paint("input " + f.Place())}
}

func (f *inputs) lines(l *look, w, h int) []string { return f.Form.Lines(l, w, h) }
func (f *inputs) height(l *look, w int) int        { return f.Form.Height(l, w) }
func (f *inputs) Tall() bool                       { return true }
func (f *inputs) Writing() bool                    { return f.Writes() }

func (f *inputs) paste(m *Model, text string) { f.Form.Paste(m.look, text) }

func (f *inputs) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	keys := m.look.Keys
	switch {
	case keys.Is(k, "close"):
		return m.waitWith("Nothing runs before the inputs are given. {answer} goes back to them."), true
	case keys.Is(k, "cancel"):
		return nil, false
	case f.Backs(m.look, k) && f.First() && f.back != nil:
		m.close(f)
		f.back()
		return nil, true
	case keys.Is(k, "editor") && f.Editor() != nil && !f.Editor().Hidden:
		return m.editOutside(f.Editor()), true
	}
	sent, used := f.Form.Key(m.look, k)
	if sent {
		m.close(f)
		return f.done(f.values()), true
	}
	return nil, used
}

// values are the values that are there. What may be left out and was is none.
func (f *inputs) values() map[string]string {
	out := map[string]string{}
	for i, v := range f.Answers() {
		if v != "" || f.fields[i].Blank {
			out[f.fields[i].Name] = v
		}
	}
	return out
}

// unfit says what keeps a text from being an input's value, and of one that is hidden not
// what it is.
func unfit(in plan.Input, value string, hidden bool) string {
	switch {
	case strings.TrimSpace(value) == "" && in.Required && !in.Blank:
		return "It has no default: a value is needed."
	case value == "":
		return ""
	}
	problem := in.Unfit(value)
	if hidden {
		problem = logs.Masked(problem, value)
	}
	if problem != "" {
		problem += "."
	}
	return problem
}

func (f *inputs) hints(m *Model) []draw.Hint {
	return append(f.Keys(m.look, f.back != nil || !f.First()), m.look.Press("close", "look around"))
}
