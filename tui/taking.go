package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// taking is the card of the values that a step reported and that passing it takes: they
// can be changed first.
type taking struct {
	name     string
	reported []plan.Assignment
	began    []string // what the controls had of themselves
	*form
	done func(instead []plan.Assignment) tea.Cmd
}

func newTaking(name string, reported []plan.Assignment, done func([]plan.Assignment) tea.Cmd) *taking {
	t := &taking{name: name, reported: reported, form: &form{end: "take them"}, done: done}
	for _, a := range reported {
		f := field{name: a.Name, control: newTaken(a.Value)}
		if _, mixed := f.control.(*textOrJSON); mixed {
			f.unfit = notJSON
		}
		t.add(f)
		t.began = append(t.began, f.control.value())
	}
	return t
}

// newTaken is the widget for a value that was reported.
func newTaken(value any) widget {
	text, is := value.(string)
	if strings.Contains(text, "\n") {
		return newEditor(text)
	}
	return &textOrJSON{oneLine: oneLine{text: plan.TextOf(value)}, json: !is}
}

// instead are the values that the person has changed; nothing is none.
func (t *taking) instead() (out []plan.Assignment) {
	for i, text := range t.answers() {
		if text == t.began[i] {
			continue
		}
		var value any = text
		if t.fields[i].unfit != nil {
			value, _ = plan.FromJSON(text)
		}
		out = append(out, plan.Assignment{Name: t.reported[i].Name, Value: value})
	}
	return out
}

func (t *taking) title(l *look) title {
	return title{t.name, l.Wait.Paint(count(len(t.fields), "value") + " reported")}
}

func (t *taking) tall() bool                   { return true }
func (t *taking) writing() bool                { return t.writes() }
func (t *taking) paste(m *Model, text string)  { t.form.paste(m.look, text) }
func (t *taking) height(l *look, w int) int    { return t.form.height(l, w) + len(t.fields) - 1 }
func (t *taking) row(l *look, i, w int) string { return l.cut(t.line(l, i), w) }
func (t *taking) line(l *look, i int) string {
	return l.Muted.Paint(clean(t.reported[i].Name)+" = ") + clean(t.fields[i].text())
}

// text is what stands in a field.
func (e field) text() string {
	if t, mixed := e.control.(*textOrJSON); mixed {
		return t.oneLine.value()
	}
	return e.control.value()
}

// lines are all values, a line each where there is room, and the one at hand open.
func (t *taking) lines(l *look, w, h int) []string {
	if h < t.height(l, w) {
		return t.form.lines(l, w, h)
	}
	var out []string
	for i := range t.fields {
		if i == t.at {
			out = append(out, t.form.lines(l, w, t.form.height(l, w))...)
		} else {
			out = append(out, t.row(l, i, w))
		}
	}
	return out
}

// key takes all values at once; tab goes from one to the other.
func (t *taking) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	s, line := k.String(), t.editor() == nil
	switch {
	case s == "esc":
		m.close(t)
		return nil, true
	case s == "ctrl+c":
		return nil, false
	case s == "ctrl+e" && !line:
		return m.editOutside(t.editor()), true
	case s == "tab", s == "down" && line:
		t.turn(1)
		return nil, true
	case s == "shift+tab", s == "up" && line:
		t.turn(-1)
		return nil, true
	}
	if sent, used := t.control().key(m.look, k); !sent {
		t.wrong = ""
		return nil, used || t.writes()
	}
	if !t.fit() {
		return nil, true
	}
	m.close(t)
	return t.done(t.instead()), true
}

// turn goes to another value, round the ends.
func (t *taking) turn(by int) {
	t.wrong, t.at = "", (t.at+by+len(t.fields))%len(t.fields)
}

// fit reports whether all values are values; the first that is none is then at hand.
func (t *taking) fit() bool {
	for i, f := range t.fields {
		if problem := f.problem(false); problem != "" {
			t.at, t.wrong = i, problem
			return false
		}
	}
	return true
}

func (t *taking) hints(*Model) []hint {
	key := "enter"
	if t.editor() != nil {
		key = "ctrl+s"
	}
	out := []hint{{key, t.end}}
	if len(t.fields) > 1 {
		out = append(out, hint{"tab", "next value"})
	}
	for _, h := range t.control().hints() {
		if h.key != key {
			out = append(out, h)
		}
	}
	return append(out, hint{"esc", "back"})
}

// takes shows what passing the step takes before it is done, if there is anything.
func (m *Model) takes(name string, do func(instead []plan.Assignment) tea.Cmd) tea.Cmd {
	if len(m.status.Withheld) == 0 {
		return do(nil)
	}
	at := m.standing()
	m.open(newTaking(name, m.status.Withheld, func(instead []plan.Assignment) tea.Cmd {
		if why := m.gone(at); why != "" {
			m.say(why)
			return nil
		}
		return do(instead)
	}))
	return nil
}

// accept passes what is held.
func (m *Model) accept(q *question, value string) tea.Cmd {
	return m.takes("Accept "+clean(q.ask.Action.Step), func(instead []plan.Assignment) tea.Cmd {
		return m.give(q, machine.Answer{Value: value, Set: instead})
	})
}
