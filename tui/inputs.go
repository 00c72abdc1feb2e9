package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
	"playhead/parse/plan"
)

// inputs is the form of what a document needs to know before it can run: one value
// at a time.
type inputs struct {
	fields   []plan.Input
	controls []widget
	at       int
	wrong    string // with the value that was to be taken
	done     func(map[string]string) tea.Cmd
	back     func() // to what was asked before; nil: nothing was
}

func newInputs(fields []plan.Input, done func(map[string]string) tea.Cmd) *inputs {
	f := &inputs{fields: fields, done: done}
	for _, in := range fields {
		f.controls = append(f.controls, newWidget(in.Type, in.Default, in.Options))
	}
	return f
}

func (f *inputs) title(l *look) title {
	return title{"Before it runs", l.Wait.Paint(fmt.Sprintf("input %d of %d", f.at+1, len(f.fields)))}
}

func (f *inputs) lines(l *look, w, h int) []string {
	head, tail := f.head(l, w), f.tail(l, w)
	if room := max(1, h-f.controls[f.at].height(l, w)-len(tail)); len(head) > room {
		head = head[:room]
	}
	out := append(head, f.controls[f.at].lines(l, w, max(1, h-len(head)-len(tail)))...)
	return append(out, tail...)
}

// head is the name of the value that is asked for, and what it is for.
func (f *inputs) head(l *look, w int) []string {
	in := f.fields[f.at]
	kind := in.Type
	if !in.Required {
		kind += ", may be left out"
	}
	out := []string{l.cut(l.Bold.Paint(clean(in.Name))+" "+l.Muted.Paint("("+clean(kind)+")"), w)}
	return append(out, l.wrap(sanitize.Text(in.Description), w)...)
}

// tail is what is wrong with the value.
func (f *inputs) tail(l *look, w int) []string {
	if f.wrong == "" {
		return nil
	}
	return []string{l.Fail.Paint(l.cut("! "+clean(f.wrong), w))}
}

func (f *inputs) height(l *look, w int) int {
	return len(f.head(l, w)) + f.controls[f.at].height(l, w) + len(f.tail(l, w))
}

func (f *inputs) tall() bool { return true }

func (f *inputs) paste(m *Model, text string) { f.controls[f.at].paste(m.look, text) }

func (f *inputs) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	c := f.controls[f.at]
	e, edits := c.(*editor)
	switch s := k.String(); {
	case s == "esc":
		return m.waitWith("Nothing runs before the inputs are given. a goes back to them."), true
	case s == "ctrl+c":
		return nil, false
	case s == "shift+tab", s == "up" && c.height(m.look, 40) == 1:
		f.previous(m)
		return nil, true
	case s == "tab":
		return f.next(m), true
	case s == "ctrl+e" && edits:
		return m.editOutside(e), true
	}
	f.wrong = ""
	sent, used := c.key(m.look, k)
	if sent {
		return f.next(m), true
	}
	return nil, used || c.writes()
}

// next takes the value, if it is one, and goes on to the next field; behind the
// last one the run begins.
func (f *inputs) next(m *Model) tea.Cmd {
	if f.wrong = unfit(f.fields[f.at], f.controls[f.at].value()); f.wrong != "" {
		return nil
	}
	if f.at+1 < len(f.fields) {
		f.at++
		return nil
	}
	m.close(f)
	return f.done(f.values())
}

// previous goes back to the field before; before the first one, to what was asked
// ahead of the form.
func (f *inputs) previous(m *Model) {
	f.wrong = ""
	if f.at == 0 && f.back != nil {
		m.close(f)
		f.back()
	}
	f.at = max(0, f.at-1)
}

// values are the values that are there. What may be left out and was is none.
func (f *inputs) values() map[string]string {
	out := map[string]string{}
	for i, in := range f.fields {
		if v := f.controls[i].value(); v != "" {
			out[in.Name] = v
		}
	}
	return out
}

// unfit says what keeps a text from being an input's value.
func unfit(in plan.Input, value string) string {
	_, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	switch {
	case strings.TrimSpace(value) == "" && in.Required:
		return "It has no default: a value is needed."
	case value == "":
		return ""
	case in.Type == "number" && err != nil:
		return strconv.Quote(value) + " is no number."
	case in.Type == "enum" && !slices.Contains(in.Options, value):
		return strconv.Quote(value) + " is none of the options."
	}
	return ""
}

func (f *inputs) hints(*Model) []hint {
	does, key := "next", "enter"
	if f.at+1 == len(f.fields) {
		does = "start the run"
	}
	if _, edits := f.controls[f.at].(*editor); edits {
		key = "ctrl+s"
	}
	out := []hint{{key, does}}
	if f.at > 0 || f.back != nil {
		out = append(out, hint{"shift+tab", "back"})
	}
	for _, h := range f.controls[f.at].hints() {
		if h.key != key {
			out = append(out, h)
		}
	}
	return append(out, hint{"esc", "look around"})
}
