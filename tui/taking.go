package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/panes"
)

// taking is the card of the values that a step reported and that passing it takes: they
// can be changed first.
type taking struct {
	name     string
	reported []plan.Assignment
	began    []string // what the controls had of themselves
	*form.Form
	done func(instead []plan.Assignment) tea.Cmd
}

func newTaking(name string, reported []plan.Assignment, done func([]plan.Assignment) tea.Cmd) *taking {
	t := &taking{name: name, reported: reported, Form: &form.Form{End: "take them"}, done: done}
	for _, a := range reported {
		f := form.Field{Name: a.Name, Control: newTaken(a.Value)}
		if _, mixed := f.Control.(*form.TextOrJSON); mixed {
			f.Unfit = form.NotJSON
		}
		t.Add(f)
		t.began = append(t.began, f.Control.Value())
	}
	return t
}

// newTaken is the widget for a value that was reported.
func newTaken(value any) form.Widget {
	text, is := value.(string)
	if strings.Contains(text, "\n") {
		return form.NewEditor(text)
	}
	return &form.TextOrJSON{OneLine: form.OneLine{Text: plan.TextOf(value)}, JSON: !is}
}

// instead are the values that the person has changed; nothing is none.
func (t *taking) instead() (out []plan.Assignment) {
	for i, text := range t.Answers() {
		if text == t.began[i] {
			continue
		}
		var value any = text
		if t.Fields[i].Unfit != nil {
			value, _ = plan.FromJSON(text)
		}
		out = append(out, plan.Assignment{Name: t.reported[i].Name, Value: value})
	}
	return out
}

func (t *taking) title(l *look) panes.Title {
	return panes.Title{Left: t.name, Right: l.Wait.Paint(draw.Count(len(t.Fields), "value") + " reported")}
}

func (t *taking) Tall() bool                   { return true }
func (t *taking) Writing() bool                { return t.Writes() }
func (t *taking) paste(m *Model, text string)  { t.Form.Paste(m.look, text) }
func (t *taking) height(l *look, w int) int    { return t.Form.Height(l, w) + len(t.Fields) - 1 }
func (t *taking) row(l *look, i, w int) string { return l.Cut(t.line(l, i), w) }
func (t *taking) line(l *look, i int) string {
	return l.Muted.Paint(draw.Clean(t.reported[i].Name)+" = ") + draw.Clean(t.Fields[i].Text())
}

// lines are all values, a line each where there is room, and the one at hand open.
func (t *taking) lines(l *look, w, h int) []string {
	if h < t.height(l, w) {
		return t.Form.Lines(l, w, h)
	}
	var out []string
	for i := range t.Fields {
		if i == t.At {
			out = append(out, t.Form.Lines(l, w, t.Form.Height(l, w))...)
		} else {
			out = append(out, t.row(l, i, w))
		}
	}
	return out
}

// key takes all values at once; tab goes from one to the other.
func (t *taking) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	keys, line := m.look.Keys, t.Editor() == nil
	switch {
	case keys.Is(k, "close"):
		m.close(t)
		return nil, true
	case keys.Is(k, "cancel"):
		return nil, false
	case keys.Is(k, "editor") && !line:
		return m.editOutside(t.Editor()), true
	case keys.Is(k, "next-field"), k.Text == "" && keys.Is(k, "down") && line:
		t.turn(1)
		return nil, true
	case keys.Is(k, "previous-field"), k.Text == "" && keys.Is(k, "up") && line:
		t.turn(-1)
		return nil, true
	}
	if sent, used := t.Control().Key(m.look, k); !sent {
		t.Wrong = ""
		return nil, used || t.Writes()
	}
	if !t.fit() {
		return nil, true
	}
	m.close(t)
	return t.done(t.instead()), true
}

// turn goes to another value, round the ends.
func (t *taking) turn(by int) {
	t.Wrong, t.At = "", (t.At+by+len(t.Fields))%len(t.Fields)
}

// fit reports whether all values are values; the first that is none is then at hand.
func (t *taking) fit() bool {
	for i, f := range t.Fields {
		if problem := f.Problem(false); problem != "" {
			t.At, t.Wrong = i, problem
			return false
		}
	}
	return true
}

func (t *taking) hints(m *Model) []draw.Hint {
	l, sends := m.look, "accept"
	if t.Editor() != nil {
		sends = "send"
	}
	out := []draw.Hint{l.Press(sends, t.End)}
	if len(t.Fields) > 1 {
		out = append(out, l.Press("next-field", "next value"))
	}
	for _, h := range t.Control().Hints(l) {
		if h.Key != out[0].Key {
			out = append(out, h)
		}
	}
	return append(out, l.Press("close", "back"))
}

// takes shows what passing the step takes before it is done, if there is anything.
func (m *Model) takes(name string, do func(instead []plan.Assignment) tea.Cmd) tea.Cmd {
	if len(m.status.Withheld) == 0 {
		return do(nil)
	}
	at := m.standing()
	m.open(newTaking(name, m.status.Withheld, func(instead []plan.Assignment) tea.Cmd {
		if why := at.gone(new(m.run())); why != "" {
			m.say(why)
			return nil
		}
		return do(instead)
	}))
	return nil
}

// accept passes what is held.
func (m *Model) accept(q *question, value string) tea.Cmd {
	return m.takes("Accept "+draw.Clean(q.ask.Action.Step), func(instead []plan.Assignment) tea.Cmd {
		return m.give(q, machine.Answer{Value: value, Set: instead})
	})
}
