package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/parse/plan"
)

// inputs is the card of what a document needs to know before it can run.
type inputs struct {
	fields []plan.Input
	*form
	done func(map[string]string) tea.Cmd
	back func() // to what was asked before; nil: nothing was
}

func newInputs(fields []plan.Input, done func(map[string]string) tea.Cmd) *inputs {
	f := &inputs{fields: fields, form: &form{end: "start the run"}, done: done}
	for _, in := range fields {
		kind := in.Type
		if !in.Required {
			kind += ", may be left out"
		}
		f.add(field{
			name: in.Name, kind: kind, about: in.Description, control: newWidget(in.Type, in.Default, in.Options),
			unfit: func(value string) string { return unfit(in, value) }, blank: in.Blank,
		})
	}
	return f
}

func (f *inputs) title(l *look) title {
	return title{"Before it runs", l.Wait.Paint("input " + f.place())}
}

func (f *inputs) tall() bool { return true }

func (f *inputs) paste(m *Model, text string) { f.form.paste(m.look, text) }

func (f *inputs) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch s := k.String(); {
	case s == "esc":
		return m.waitWith("Nothing runs before the inputs are given. {answer} goes back to them."), true
	case s == "ctrl+c":
		return nil, false
	case f.backs(m.look, k) && f.first() && f.back != nil:
		m.close(f)
		f.back()
		return nil, true
	case s == "ctrl+e" && f.editor() != nil:
		return m.editOutside(f.editor()), true
	}
	sent, used := f.form.key(m.look, k)
	if sent {
		m.close(f)
		return f.done(f.values()), true
	}
	return nil, used
}

// values are the values that are there. What may be left out and was is none.
func (f *inputs) values() map[string]string {
	out := map[string]string{}
	for i, v := range f.answers() {
		if v != "" || f.fields[i].Blank {
			out[f.fields[i].Name] = v
		}
	}
	return out
}

// unfit says what keeps a text from being an input's value.
func unfit(in plan.Input, value string) string {
	switch {
	case strings.TrimSpace(value) == "" && in.Required && !in.Blank:
		return "It has no default: a value is needed."
	case value == "":
		return ""
	}
	if problem := in.Unfit(value); problem != "" {
		return problem + "."
	}
	return ""
}

func (f *inputs) hints(*Model) []hint {
	return append(f.keys(f.back != nil || !f.first()), hint{"esc", "look around"})
}
