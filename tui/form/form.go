package form

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/logs"
	"playhead/engine/sanitize"
	"playhead/tui/draw"
)

// Form is values that a person fills in, one at a time.
type Form struct {
	Fields      []Field
	AskedFields func(answers []string) []bool // which of them are asked, by what is filled in; nil: all
	End         string                        // what the last one leads to
	At          int
	Rejection   string // with the value that was to be taken
}

// Field is one value of a form.
type Field struct {
	Name, Kind, About string
	Control           Widget
	Validate          func(value string) string // what keeps a text from being the value
	Blank             bool                      // the empty text is a value, of someone who means it
	Skip              bool                      // enter passes over it while its value fits
	ShowsWithPrevious bool                      // it belongs to the field before it, and shows together with that
}

// Text is what stands in a field, as it may be seen.
func (e Field) Text() string {
	switch w := e.Control.(type) {
	case *TextOrJSON:
		return w.OneLine.Value()
	case *Toggle:
		return map[bool]string{true: "yes", false: "no"}[w.on]
	}
	value := e.Control.Value()
	if value != "" && isHidden(e.Control) {
		return logs.SecretPlaceholder
	}
	return value
}

// emptyWarning is what an empty text is met with before it is taken.
const emptyWarning = "Empty. Press the key again to leave it empty."

// Add puts a value at the end.
func (f *Form) Add(e Field) { f.Fields = append(f.Fields, e) }

// Control takes the value at hand.
func (f *Form) Control() Widget { return f.Fields[f.At].Control }

// Editor is the editor of the value at hand, nil if it has none.
func (f *Form) Editor() *Editor {
	e, _ := f.Control().(*Editor)
	return e
}

// Answers are all values, empty for those that are not asked.
func (f *Form) Answers() []string {
	out := make([]string, len(f.Fields))
	for i, e := range f.Fields {
		out[i] = e.Control.Value()
	}
	for i := range out {
		if !f.isAsked(i, out) {
			out[i] = ""
		}
	}
	return out
}

func (f *Form) isAsked(i int, answers []string) bool {
	return f.AskedFields == nil || f.AskedFields(answers)[i]
}

// neighbour is the next value that is asked, or the one before; at the ends there is
// none.
func (f *Form) neighbour(by int) (at int, found bool) {
	answers := f.Answers()
	for i := f.At + by; i >= 0 && i < len(f.Fields); i += by {
		if f.isAsked(i, answers) {
			return i, true
		}
	}
	return f.At, false
}

// nextToFill is the next value that is asked and that enter does not pass over.
func (f *Form) nextToFill() (at int, found bool) {
	answers := f.Answers()
	for i := f.At + 1; i < len(f.Fields); i++ {
		if f.isAsked(i, answers) && (!f.Fields[i].Skip || f.Fields[i].Problem(true) != "") {
			return i, true
		}
	}
	return f.At, false
}

// First reports whether no value before this one is asked.
func (f *Form) First() bool {
	_, more := f.neighbour(-1)
	return !more
}

// Place says which of the values is at hand, of those that are asked so far.
func (f *Form) Place() string {
	answers, n, all := f.Answers(), 0, 0
	for i := range f.Fields {
		if f.isAsked(i, answers) {
			all++
			if i <= f.At {
				n++
			}
		}
	}
	return fmt.Sprintf("%d of %d", n, all)
}

func (f *Form) Lines(l *draw.Look, w, h int) []string {
	above, below := f.groupedFields(l, w)
	head, tail := append(above, f.head(l, w)...), append(below, f.rejectionLines(l, w)...)
	if room := max(1, h-LeastHeight(f.Control(), l, w)-len(tail)); len(head) > room {
		head = head[:room]
	}
	out := append(head, f.Control().Lines(l, w, max(1, h-len(head)-len(tail)))...)
	return append(out, tail...)
}

// head is the name of the value that is asked for, and what it is for.
func (f *Form) head(l *draw.Look, w int) []string {
	e := f.Fields[f.At]
	name := l.Bold.Paint(draw.Clean(e.Name))
	if e.Kind != "" {
		name += " " + l.Muted.Paint("("+draw.Clean(e.Kind)+")")
	}
	return append([]string{l.Cut(name, w)}, l.Wrap(sanitize.Text(e.About), w)...)
}

// groupedFields are the fields that belong to the one at hand: what they ask, and what they have.
func (f *Form) groupedFields(l *draw.Look, w int) (above, below []string) {
	first, last := f.At, f.At
	for f.Fields[first].ShowsWithPrevious {
		first--
	}
	for last+1 < len(f.Fields) && f.Fields[last+1].ShowsWithPrevious {
		last++
	}
	answers := f.Answers()
	for i := first; i <= last; i++ {
		switch {
		case i == f.At || !f.isAsked(i, answers):
		case i < f.At:
			above = append(above, f.summary(l, i, w)...)
		default:
			below = append(below, f.summary(l, i, w)...)
		}
	}
	return above, below
}

// summary is a field that is not at hand.
func (f *Form) summary(l *draw.Look, i, w int) []string {
	e := f.Fields[i]
	value := draw.Clean(e.Text())
	if value == "" {
		value = "…"
	}
	out := l.Wrap(sanitize.Text(e.About), w)
	return append(out, l.Cut(l.Muted.Paint(draw.Clean(e.Name)+": ")+value, w))
}

// rejectionLines is what is wrong with the value.
func (f *Form) rejectionLines(l *draw.Look, w int) []string {
	if f.Rejection == "" {
		return nil
	}
	text := draw.Clean(f.Rejection)
	if f.Rejection == notJSON {
		text = l.Keys.Sentence(notJSON)
	}
	return []string{l.Fail.Paint(l.Cut("✗ "+text, w))}
}

// Overview is all values, a line each where there is room, and the one at hand open.
func (f *Form) Overview(l *draw.Look, w, h int) []string {
	if h < f.OverviewHeight(l, w) {
		return f.Lines(l, w, h)
	}
	var out []string
	for i, e := range f.Fields {
		if i == f.At {
			out = append(out, f.Lines(l, w, f.leastHeight(l, w))...)
		} else {
			out = append(out, l.Cut(l.Muted.Paint(draw.Clean(e.Name)+" = ")+e.overview(l), w))
		}
	}
	return out
}

// overview is the value of a field that is not at hand.
func (e Field) overview(l *draw.Look) string {
	switch text := e.Text(); {
	case text != "":
		return draw.Clean(text)
	case e.Skip:
		return l.Muted.Paint("(none)")
	}
	return l.Muted.Paint("…")
}

// OverviewHeight is how many lines the overview has.
func (f *Form) OverviewHeight(l *draw.Look, w int) int {
	return f.leastHeight(l, w) + len(f.Fields) - 1
}

// leastHeight returns the height without the empty lines of an editor.
func (f *Form) leastHeight(l *draw.Look, w int) int {
	return f.Height(l, w) - f.Control().Height(l, w) + LeastHeight(f.Control(), l, w)
}

func (f *Form) Height(l *draw.Look, w int) int {
	above, below := f.groupedFields(l, w)
	return len(above) + len(f.head(l, w)) + f.Control().Height(l, w) + len(below) + len(f.rejectionLines(l, w))
}

func (f *Form) Writes() bool                    { return f.Control().Writes() }
func (f *Form) Paste(l *draw.Look, text string) { f.Control().Paste(l, text) }

// IsBackKey reports whether a key goes back to the value before.
func (f *Form) IsBackKey(l *draw.Look, k tea.KeyPressMsg) bool {
	return l.Keys.Is(k, "previous-field") || k.Text == "" && l.Keys.Is(k, "up") && f.Control().Height(l, 40) == 1
}

// Key takes a key. sent says that the last value was taken.
func (f *Form) Key(l *draw.Look, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case f.IsBackKey(l, k):
		f.Rejection = ""
		f.At, _ = f.neighbour(-1)
		return false, true
	case l.Keys.Is(k, "next-field"):
		f.wrapAround()
		return false, true
	}
	if sent, used = f.Control().Key(l, k); sent {
		return f.next(f.nextToFill), true
	}
	f.Rejection = ""
	return false, used || f.Writes()
}

// next takes the value, if it is one, and goes on to the one that follows. It reports whether
// there is none.
func (f *Form) next(following func() (at int, found bool)) (last bool) {
	if f.Rejection = f.Fields[f.At].Problem(f.Rejection == emptyWarning); f.Rejection != "" {
		return false
	}
	at, more := following()
	f.At = at
	return !more
}

// wrapAround takes the value as next does, and begins anew behind the last one: nothing is
// sent by going about.
func (f *Form) wrapAround() {
	if f.next(func() (int, bool) { return f.neighbour(1) }) {
		f.At = -1
		f.At, _ = f.neighbour(1)
	}
}

// Problem is what keeps the text in the control from being the value; meant says that it
// was doubted already.
func (e Field) Problem(meant bool) string {
	value := e.Control.Value()
	switch {
	case value == "" && e.Blank && !meant:
		return emptyWarning
	case value == "" && e.Blank || e.Validate == nil:
		return ""
	}
	return e.Validate(value)
}

func (f *Form) Value() string { return "" } // answers has the values

func (f *Form) Hints(l *draw.Look) []draw.Hint { return f.Keys(l, !f.First()) }

// Keys are the hints, with a way back or without.
func (f *Form) Keys(l *draw.Look, back bool) []draw.Hint {
	does, sends := "next", "accept"
	_, fills := f.nextToFill()
	if !fills {
		does = f.End
	}
	if f.Editor() != nil {
		sends = "send"
	}
	out := []draw.Hint{l.Press(sends, does)}
	if p, picks := f.Control().(*Picker); picks && p.At < 0 {
		out = out[:0]
	}
	_, more := f.neighbour(1)
	forward := more && !fills || len(out) == 0
	if forward {
		out = append(out, l.Press("next-field", "next"))
	}
	if back {
		out = append(out, l.Press("previous-field", "back"))
	}
	for _, h := range f.Control().Hints(l) {
		if h.Action != sends {
			out = append(out, h)
		}
	}
	if !forward && (fills || !more && !f.First()) { // from the last one, it leads to the first
		out = append(out, l.Press("next-field", "next field"))
	}
	return out
}
