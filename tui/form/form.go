package form

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/logs"
	"playhead/engine/sanitize"
	"playhead/tui/draw"
	"playhead/tui/panes"
)

// Form asks a person for several values, one after the other.
type Form struct {
	Fields      []Field
	AskedFields func(answers []string) []bool // reports which fields are asked, given the answers so far; nil: all
	End         string                        // what confirming the last field does, for the hints
	At          int
	Rejection   string // why the current value was rejected; "": it was not

	above int // how many lines the last frame has above the control
}

// Field is one value of a form.
type Field struct {
	Name, Kind, About string
	Control           Widget
	Validate          func(value string) string // returns why a text is not a valid value, "" if it is
	Blank             bool                      // an empty text is a valid value, after a warning
	Skip              bool                      // enter skips the field while its value is valid
	ShowsWithPrevious bool                      // it belongs to the field before it, and is shown together with it
}

// Text returns the value of a field as it may be shown.
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

// emptyWarning asks the person to confirm an empty text.
const emptyWarning = "Empty. Press the key again to leave it empty."

// Add appends a field.
func (f *Form) Add(e Field) { f.Fields = append(f.Fields, e) }

// Control returns the widget of the current field.
func (f *Form) Control() Widget { return f.Fields[f.At].Control }

// Editor returns the editor of the current field, nil if it has none.
func (f *Form) Editor() *Editor {
	e, _ := f.Control().(*Editor)
	return e
}

// Answers returns all values, "" for fields that are not asked.
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

// neighbour returns the index of the next (by 1) or previous (by -1) field that is asked.
func (f *Form) neighbour(by int) (at int, found bool) {
	answers := f.Answers()
	for i := f.At + by; i >= 0 && i < len(f.Fields); i += by {
		if f.isAsked(i, answers) {
			return i, true
		}
	}
	return f.At, false
}

// nextToFill returns the index of the next field that is asked and that enter does not skip.
func (f *Form) nextToFill() (at int, found bool) {
	answers := f.Answers()
	for i := f.At + 1; i < len(f.Fields); i++ {
		if f.isAsked(i, answers) && (!f.Fields[i].Skip || f.Fields[i].Problem(true) != "") {
			return i, true
		}
	}
	return f.At, false
}

// First reports whether the current field is the first that is asked.
func (f *Form) First() bool {
	_, more := f.neighbour(-1)
	return !more
}

// Place returns the position of the current field among those that are asked so far, such as "2 of 5".
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

// Lines returns the fields that are asked, with the current one open, and around it as many of the others as
// fit.
func (f *Form) Lines(l *draw.Look, w, h int) []string {
	least := f.leastHeight(l, w)
	if h <= least {
		return f.currentLines(l, w, h)
	}
	above, below := f.otherFields(l, w, h-least)
	out := append(above, f.currentLines(l, w, least)...)
	f.above += len(above)
	return append(out, below...)
}

// otherFields returns at most room lines for the fields above and below the current one. A value that is too
// long for its line is wrapped if all fields fit.
func (f *Form) otherFields(l *draw.Look, w, room int) (above, below []string) {
	var before, after []int
	for i := range f.Fields {
		switch {
		case !f.isOneLine(i):
		case i < f.At:
			before = append(before, i)
		default:
			after = append(after, i)
		}
	}
	spare := room - len(before) - len(after)
	n := min(len(before), max(room/2, room-len(after))) // how many of those before show
	rows := func(i int) []string {
		name, value := draw.Clean(f.Fields[i].Name)+" = ", f.Fields[i].overview(l)
		lines := l.Wrap(name+value, w)
		if more := len(lines) - 1; more > 0 && more <= spare {
			spare -= more
			lines[0] = l.Muted.Paint(name) + strings.TrimPrefix(lines[0], name)
			return lines
		}
		return []string{l.Cut(l.Muted.Paint(name)+value, w)}
	}
	for _, i := range before[len(before)-n:] {
		above = append(above, rows(i)...)
	}
	for _, i := range after[:min(len(after), room-n)] {
		below = append(below, rows(i)...)
	}
	if hidden := len(before) - n; hidden > 0 && n > 0 {
		above[0] = l.Spread(above[0], l.Muted.Paint(fmt.Sprintf("↑ %d", hidden)), w)
	}
	if hidden := len(after) - (room - n); hidden > 0 && room > n {
		below[len(below)-1] = l.Spread(below[len(below)-1], l.Muted.Paint(fmt.Sprintf("↓ %d", hidden)), w)
	}
	return above, below
}

// isOneLine reports whether a field other than the current one has a line of its own.
func (f *Form) isOneLine(i int) bool {
	first, last := f.group()
	return (i < first || i > last) && f.isAsked(i, f.Answers())
}

// currentLines returns the current field and those that belong to it.
func (f *Form) currentLines(l *draw.Look, w, h int) []string {
	above, below := f.groupedFields(l, w)
	head, tail := append(above, f.head(l, w)...), append(below, f.rejectionLines(l, w)...)
	if room := max(1, h-LeastHeight(f.Control(), l, w)-len(tail)); len(head) > room {
		head = head[:room]
	}
	f.above = len(head)
	out := append(head, f.Control().Lines(l, w, max(1, h-len(head)-len(tail)))...)
	return append(out, tail...)
}

// head returns the name of the current field, and what it is about.
func (f *Form) head(l *draw.Look, w int) []string {
	e := f.Fields[f.At]
	name := l.Bold.Paint(draw.Clean(e.Name))
	if e.Kind != "" {
		name += " " + l.Muted.Paint("("+draw.Clean(e.Kind)+")")
	}
	return append([]string{l.Cut(name, w)}, l.Wrap(sanitize.Text(e.About), w)...)
}

// group returns the first and the last of the fields that show together with the current one.
func (f *Form) group() (first, last int) {
	first, last = f.At, f.At
	for f.Fields[first].ShowsWithPrevious {
		first--
	}
	for last+1 < len(f.Fields) && f.Fields[last+1].ShowsWithPrevious {
		last++
	}
	return first, last
}

// groupedFields returns lines for the fields that belong to the current one, above and below it.
func (f *Form) groupedFields(l *draw.Look, w int) (above, below []string) {
	first, last := f.group()
	answers := f.Answers()
	for i := first; i <= last; i++ {
		switch {
		case i == f.At || !f.isAsked(i, answers):
		case i < f.At:
			above = append(above, f.fieldLines(l, i, w)...)
		default:
			below = append(below, f.fieldLines(l, i, w)...)
		}
	}
	return above, below
}

// fieldLines returns the description and the value of a field other than the current one.
func (f *Form) fieldLines(l *draw.Look, i, w int) []string {
	e := f.Fields[i]
	value := draw.Clean(e.Text())
	if value == "" {
		value = "…"
	}
	out := l.Wrap(sanitize.Text(e.About), w)
	return append(out, l.Cut(l.Muted.Paint(draw.Clean(e.Name)+": ")+value, w))
}

// rejectionLines returns why the value was rejected.
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

// overview returns the value of a field that is not open.
func (e Field) overview(l *draw.Look) string {
	switch text := e.Text(); {
	case text != "":
		return draw.Clean(text)
	case e.Problem(true) != "":
		return l.Muted.Paint("(required)")
	case e.Skip:
		return l.Muted.Paint("(optional)")
	}
	return l.Muted.Paint("…")
}

// Overflow returns how much of a list of options is out of sight.
func (f *Form) Overflow() (o panes.Overflow) {
	if list, is := f.Control().(interface{ Overflow() panes.Overflow }); is {
		o = list.Overflow()
		o.First = f.above
	}
	return o
}

func (f *Form) Height(l *draw.Look, w int) int {
	n := f.leastHeight(l, w)
	for i := range f.Fields {
		if i != f.At && f.isOneLine(i) {
			n++
		}
	}
	return n
}

// leastHeight returns the height of the current field and of those that belong to it, without the empty
// lines of an editor.
func (f *Form) leastHeight(l *draw.Look, w int) int {
	above, below := f.groupedFields(l, w)
	return len(above) + len(f.head(l, w)) + LeastHeight(f.Control(), l, w) + len(below) + len(f.rejectionLines(l, w))
}

func (f *Form) Writes() bool                    { return f.Control().Writes() }
func (f *Form) Paste(l *draw.Look, text string) { f.Control().Paste(l, text) }

// IsBackKey reports whether a key goes back to the previous field.
func (f *Form) IsBackKey(l *draw.Look, k tea.KeyPressMsg) bool {
	return l.Keys.Is(k, "previous-field") || k.Text == "" && l.Keys.Is(k, "up") && f.Control().Height(l, 40) == 1
}

// Key implements Widget. sent reports that the last field was confirmed.
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

// next accepts the current value if it is valid, and goes on to the following field. It reports whether
// there is none.
func (f *Form) next(following func() (at int, found bool)) (last bool) {
	if f.Rejection = f.Fields[f.At].Problem(f.Rejection == emptyWarning); f.Rejection != "" {
		return false
	}
	at, more := following()
	f.At = at
	return !more
}

// wrapAround accepts the value like next, and continues at the first field after the last. It never sends
// the form.
func (f *Form) wrapAround() {
	if f.next(func() (int, bool) { return f.neighbour(1) }) {
		f.At = -1
		f.At, _ = f.neighbour(1)
	}
}

// Problem returns why the text in the control is not a valid value. meant says that the person has already
// been warned about an empty text.
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

func (f *Form) Value() string { return "" } // see Answers

func (f *Form) Hints(l *draw.Look) []draw.Hint { return f.HintsWithBack(l, !f.First()) }

// HintsWithBack returns the hints. back says whether they include the key to the previous field.
func (f *Form) HintsWithBack(l *draw.Look, back bool) []draw.Hint {
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
	if !forward && (fills || !more && !f.First()) { // from the last field, it goes to the first
		out = append(out, l.Press("next-field", "next field"))
	}
	return out
}
