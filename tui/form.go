package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/sanitize"
)

// form is values that a person fills in, one at a time.
type form struct {
	fields []field
	asked  func(answers []string) []bool // which of them are asked, by what is filled in; nil: all
	end    string                        // what the last one leads to
	at     int
	wrong  string // with the value that was to be taken
}

// field is one value of a form.
type field struct {
	name, kind, about string
	control           widget
	unfit             func(value string) string // what keeps a text from being the value
	blank             bool                      // the empty text is a value, of someone who means it
}

// doubt is what an empty text is met with before it is taken.
const doubt = "Nothing is written: again leaves it empty."

func (f *form) add(e field) { f.fields = append(f.fields, e) }

func (f *form) control() widget { return f.fields[f.at].control }

// editor is the editor of the value at hand, nil if it has none.
func (f *form) editor() *editor {
	e, _ := f.control().(*editor)
	return e
}

// answers are all values, empty for those that are not asked.
func (f *form) answers() []string {
	out := make([]string, len(f.fields))
	for i, e := range f.fields {
		out[i] = e.control.value()
	}
	for i := range out {
		if !f.asks(i, out) {
			out[i] = ""
		}
	}
	return out
}

func (f *form) asks(i int, answers []string) bool { return f.asked == nil || f.asked(answers)[i] }

// neighbour is the next value that is asked, or the one before; at the ends there is
// none.
func (f *form) neighbour(by int) (at int, found bool) {
	answers := f.answers()
	for i := f.at + by; i >= 0 && i < len(f.fields); i += by {
		if f.asks(i, answers) {
			return i, true
		}
	}
	return f.at, false
}

func (f *form) first() bool {
	_, more := f.neighbour(-1)
	return !more
}

// place says which of the values is at hand, of those that are asked so far.
func (f *form) place() string {
	answers, n, all := f.answers(), 0, 0
	for i := range f.fields {
		if f.asks(i, answers) {
			all++
			if i <= f.at {
				n++
			}
		}
	}
	return fmt.Sprintf("%d of %d", n, all)
}

func (f *form) lines(l *look, w, h int) []string {
	head, tail := f.head(l, w), f.tail(l, w)
	if room := max(1, h-f.control().height(l, w)-len(tail)); len(head) > room {
		head = head[:room]
	}
	out := append(head, f.control().lines(l, w, max(1, h-len(head)-len(tail)))...)
	return append(out, tail...)
}

// head is the name of the value that is asked for, and what it is for.
func (f *form) head(l *look, w int) []string {
	e := f.fields[f.at]
	name := l.Bold.Paint(clean(e.name))
	if e.kind != "" {
		name += " " + l.Muted.Paint("("+clean(e.kind)+")")
	}
	return append([]string{l.cut(name, w)}, l.wrap(sanitize.Text(e.about), w)...)
}

// tail is what is wrong with the value.
func (f *form) tail(l *look, w int) []string {
	if f.wrong == "" {
		return nil
	}
	return []string{l.Fail.Paint(l.cut("! "+clean(f.wrong), w))}
}

func (f *form) height(l *look, w int) int {
	return len(f.head(l, w)) + f.control().height(l, w) + len(f.tail(l, w))
}

func (f *form) writes() bool               { return f.control().writes() }
func (f *form) paste(l *look, text string) { f.control().paste(l, text) }

// backs reports whether a key goes back to the value before.
func (f *form) backs(l *look, k tea.KeyPressMsg) bool {
	s := k.String()
	return s == "shift+tab" || s == "up" && f.control().height(l, 40) == 1
}

// key takes a key. sent says that the last value was taken.
func (f *form) key(l *look, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case f.backs(l, k):
		f.wrong = ""
		f.at, _ = f.neighbour(-1)
		return false, true
	case k.String() == "tab":
		f.round()
		return false, true
	}
	if sent, used = f.control().key(l, k); sent {
		return f.next(), true
	}
	f.wrong = ""
	return false, used || f.writes()
}

// next takes the value, if it is one, and goes on to the next one that is asked. It
// reports whether there is none.
func (f *form) next() (last bool) {
	if f.wrong = f.fields[f.at].problem(f.wrong == doubt); f.wrong != "" {
		return false
	}
	at, more := f.neighbour(1)
	f.at = at
	return !more
}

// round takes the value as next does, and begins anew behind the last one: nothing is
// sent by going about.
func (f *form) round() {
	if f.next() {
		f.at = -1
		f.at, _ = f.neighbour(1)
	}
}

// problem is what keeps the text in the control from being the value; meant says that it
// was doubted already.
func (e field) problem(meant bool) string {
	value := e.control.value()
	switch {
	case value == "" && e.blank && !meant:
		return doubt
	case value == "" && e.blank || e.unfit == nil:
		return ""
	}
	return e.unfit(value)
}

func (f *form) value() string { return "" } // answers has the values

func (f *form) hints() []hint { return f.keys(!f.first()) }

// keys are the hints, with a way back or without.
func (f *form) keys(back bool) []hint {
	does, key := "next", "enter"
	if _, more := f.neighbour(1); !more {
		does = f.end
	}
	if f.editor() != nil {
		key = "ctrl+s"
	}
	out := []hint{{key, does}}
	if back {
		out = append(out, hint{"shift+tab", "back"})
	}
	for _, h := range f.control().hints() {
		if h.key != key {
			out = append(out, h)
		}
	}
	return out
}
