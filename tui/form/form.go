package form

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/logs"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/layout"
)

// Form asks a person for several values, one after the other.
type Form struct {
	Fields          []Field
	AskedFields     func(values []string) []bool // reports which fields are asked; it ignores the values of others; nil: all
	SubmitText      string                       // what confirming the last field does, for the hints
	CurrentIndex    int
	RejectionReason string // why the current value was rejected; "": it was not

	linesAbove int // how many lines the last frame has above the widget
}

// Field is one value of a form.
type Field struct {
	Name, TypeText, Description string
	EmptyText                   string // shown while there is no value, such as required
	Widget                      Widget
	Validate                    func(value string) string // returns why a text is not a valid value, "" if it is
	AllowsEmpty                 bool                      // an empty text is a valid value, after a warning
	IsSkippedWhenValid          bool                      // enter skips the field while its value is valid
	DependsOn                   string                    // the name of an earlier field to whose value its value belongs, "" if none
	isTouched                   bool                      // the person has pressed a key of its widget
	isAccepted                  bool                      // the person has accepted its value
	dependencyWhenAccepted      string                    // the value that DependsOn had then
}

// shownValue returns the value of a field as it may be shown.
func (f Field) shownValue() string {
	switch w := f.Widget.(type) {
	case *TextOrJSON:
		return w.TextField.Value()
	case *Toggle:
		return map[bool]string{true: "yes", false: "no"}[w.isYes]
	}
	value := f.Widget.Value()
	if value != "" && isMasked(f.Widget) {
		return logs.SecretPlaceholder
	}
	return value
}

// emptyWarning asks the person to confirm an empty text.
const emptyWarning = "The text is empty. Press the same key again to accept it."

// AddField appends a field.
func (f *Form) AddField(e Field) { f.Fields = append(f.Fields, e) }

// CurrentWidget returns the widget of the current field.
func (f *Form) CurrentWidget() Widget { return f.Fields[f.CurrentIndex].Widget }

// CurrentEditor returns the editor of the current field, nil if it has none.
func (f *Form) CurrentEditor() *Editor {
	e, _ := f.CurrentWidget().(*Editor)
	return e
}

// Answers returns all values, "" for fields that are not asked.
func (f *Form) Answers() []string {
	answers, isAsked := f.values(), f.askedFields()
	for i := range answers {
		if !isAsked[i] {
			answers[i] = ""
		}
	}
	return answers
}

// values returns the values of all fields, whether they are asked or not.
func (f *Form) values() []string {
	out := make([]string, len(f.Fields))
	for i, e := range f.Fields {
		out[i] = e.Widget.Value()
	}
	return out
}

// askedFields reports for each field whether it is asked.
func (f *Form) askedFields() []bool {
	if f.AskedFields == nil {
		return slices.Repeat([]bool{true}, len(f.Fields))
	}
	return f.AskedFields(f.values())
}

// adjacentField returns the index of the next (by 1) or previous (by -1) field that is asked.
func (f *Form) adjacentField(by int) (at int, found bool) {
	isAsked := f.askedFields()
	for i := f.CurrentIndex + by; i >= 0 && i < len(f.Fields); i += by {
		if isAsked[i] {
			return i, true
		}
	}
	return f.CurrentIndex, false
}

// nextFieldToFill returns the index of the next field that is asked and that enter does not skip. If there is none, it
// returns the first earlier field that has no value or an invalid one. It skips fields whose values are accepted, so that
// a person who went back to change one need not go through all again.
func (f *Form) nextFieldToFill() (at int, found bool) {
	isAsked := f.askedFields()
	for i := f.CurrentIndex + 1; i < len(f.Fields); i++ {
		if e := f.Fields[i]; isAsked[i] && (!e.IsSkippedWhenValid && !f.isAccepted(e) || e.ValueProblem(true) != "") {
			return i, true
		}
	}
	for i, e := range f.Fields[:f.CurrentIndex] {
		if isAsked[i] && (f.isUnanswered(e) || e.ValueProblem(e.IsSkippedWhenValid || f.isAccepted(e)) != "") {
			return i, true
		}
	}
	return f.CurrentIndex, false
}

// nextFieldToFillOrSee returns the index of the next field to fill, or else of the next field.
func (f *Form) nextFieldToFillOrSee() (at int, found bool) {
	if at, found = f.nextFieldToFill(); found {
		return at, found
	}
	return f.adjacentField(1)
}

// isAccepted reports whether the person has accepted a field's value, for the present value of the field on which
// it depends.
func (f *Form) isAccepted(e Field) bool {
	return e.isAccepted && e.dependencyWhenAccepted == f.valueOf(e.DependsOn)
}

// valueOf returns the value of the field with a name, "" if there is none.
func (f *Form) valueOf(name string) string {
	if i := slices.IndexFunc(f.Fields, func(e Field) bool { return e.Name == name }); i >= 0 {
		return f.Fields[i].Widget.Value()
	}
	return ""
}

// IsAtFirst reports whether the current field is the first that is asked.
func (f *Form) IsAtFirst() bool {
	_, more := f.adjacentField(-1)
	return !more
}

// PositionText returns the position of the current field among those that are asked so far, such as "2 of 5".
func (f *Form) PositionText() string {
	n, all := 0, 0
	for i, isAsked := range f.askedFields() {
		if isAsked {
			all++
			if i <= f.CurrentIndex {
				n++
			}
		}
	}
	return fmt.Sprintf("%d of %d", n, all)
}

// Lines returns the fields that are asked, with the current one open, and around it as many of the others as
// fit. Counts tell how many are out of sight. They never cover the text that a person enters.
func (f *Form) Lines(dc *draw.Context, w, h int) []string {
	isAsked := f.askedFields()
	least := min(h, f.groupHeight(dc, w, isAsked))
	above, below, hiddenAbove, hiddenBelow := f.otherFieldLines(dc, w, h-least, isAsked)
	out := append(above, f.currentFieldLines(dc, w, least, isAsked)...)
	f.linesAbove += len(above)
	var counts []string
	if hiddenAbove > 0 {
		counts = append(counts, fmt.Sprintf("↑ %d", hiddenAbove))
	}
	switch count := fmt.Sprintf("↓ %d", hiddenBelow); {
	case hiddenBelow > 0 && len(below) > 0:
		below[len(below)-1] = dc.LeftRight(below[len(below)-1], dc.Muted.Paint(count), w)
	case hiddenBelow > 0:
		counts = append(counts, count)
	}
	if counts != nil {
		out[0] = dc.LeftRight(out[0], dc.Muted.Paint(strings.Join(counts, " ")), w)
	}
	return append(out, below...)
}

// otherFieldLines returns at most room lines for the fields above and below the current one, and how many of them
// are hidden. A value that is too long for its line is wrapped if all fields fit.
func (f *Form) otherFieldLines(dc *draw.Context, w, room int, isAsked []bool) (above, below []string, hiddenAbove, hiddenBelow int) {
	var before, after []int
	for i := range f.Fields {
		switch {
		case !isAsked[i] || f.isInGroup(i):
		case i < f.CurrentIndex:
			before = append(before, i)
		default:
			after = append(after, i)
		}
	}
	spare := room - len(before) - len(after)
	n := min(len(before), max(room/2, room-len(after))) // how many of those before show
	m := min(len(after), room-n)
	rows := func(i int) []string {
		name, value := draw.CleanLine(f.Fields[i].Name)+" = ", f.overviewText(dc, f.Fields[i])
		lines := dc.Wrap(name+value, w)
		if more := len(lines) - 1; more > 0 && more <= spare {
			spare -= more
			lines[0] = dc.Muted.Paint(name) + strings.TrimPrefix(lines[0], name)
			return lines
		}
		return []string{dc.Cut(dc.Muted.Paint(name)+value, w)}
	}
	for _, i := range before[len(before)-n:] {
		above = append(above, rows(i)...)
	}
	for _, i := range after[:m] {
		below = append(below, rows(i)...)
	}
	return above, below, len(before) - n, len(after) - m
}

// isInGroup reports whether a field shows together with the current one.
func (f *Form) isInGroup(i int) bool {
	first, last := f.groupRange()
	return first <= i && i <= last
}

// currentFieldLines returns the current field and those that belong to it.
func (f *Form) currentFieldLines(dc *draw.Context, w, h int, isAsked []bool) []string {
	above, below := f.groupLines(dc, w, isAsked)
	rows := min(MinHeight(f.CurrentWidget(), dc, w), minEditorHeight)
	rejection := withoutMiddle(dc, f.rejectionLines(dc, w), w, h-1-rows-len(below)) // the field and its name stay in sight
	head, tail := append(above, f.fieldHead(dc, w)...), append(below, rejection...)
	if room := max(1, h-MinHeight(f.CurrentWidget(), dc, w)-len(tail)); len(head) > room {
		head = head[:room]
	}
	f.linesAbove = len(head)
	out := append(head, f.CurrentWidget().Lines(dc, w, max(1, h-len(head)-len(tail)))...)
	return append(out, tail...)
}

// fieldHead returns the name of the current field, and what it is about.
func (f *Form) fieldHead(dc *draw.Context, w int) []string {
	e := f.Fields[f.CurrentIndex]
	name := dc.Bold.Paint(draw.CleanLine(e.Name))
	if about := e.typeAndEmptyText(); about != "" {
		name += " " + dc.Muted.Paint("("+draw.CleanLine(about)+")")
	}
	return append([]string{dc.Cut(name, w)}, dc.Wrap(sanitize.PlainLines(e.Description), w)...)
}

// typeAndEmptyText returns which values the field takes, and what is to be known while it has none.
func (f Field) typeAndEmptyText() string {
	switch {
	case f.EmptyText == "" || f.Widget.Value() != "":
		return f.TypeText
	case f.TypeText == "":
		return f.EmptyText
	}
	return f.TypeText + ", " + f.EmptyText
}

// groupRange returns the first and the last of the fields that show together with the current one.
func (f *Form) groupRange() (first, last int) {
	first, last = f.CurrentIndex, f.CurrentIndex
	for f.showsWithPrevious(first) {
		first--
	}
	for last+1 < len(f.Fields) && f.showsWithPrevious(last+1) {
		last++
	}
	return first, last
}

// showsWithPrevious reports whether a field shows together with the one before it, on which it depends.
func (f *Form) showsWithPrevious(i int) bool {
	return i > 0 && f.Fields[i].DependsOn != "" && f.Fields[i].DependsOn == f.Fields[i-1].Name
}

// groupLines returns lines for the fields that belong to the current one, above and below it.
func (f *Form) groupLines(dc *draw.Context, w int, isAsked []bool) (above, below []string) {
	first, last := f.groupRange()
	for i := first; i <= last; i++ {
		switch {
		case i == f.CurrentIndex || !isAsked[i]:
		case i < f.CurrentIndex:
			above = append(above, f.fieldLines(dc, i, w)...)
		default:
			below = append(below, f.fieldLines(dc, i, w)...)
		}
	}
	return above, below
}

// fieldLines returns the description and the value of a field other than the current one.
func (f *Form) fieldLines(dc *draw.Context, i, w int) []string {
	e := f.Fields[i]
	out := dc.Wrap(sanitize.PlainLines(e.Description), w)
	return append(out, dc.Cut(dc.Muted.Paint(draw.CleanLine(e.Name)+": ")+f.overviewText(dc, e), w))
}

// rejectionLines returns why the value was rejected. It is wrapped, because its end says what to do.
func (f *Form) rejectionLines(dc *draw.Context, w int) []string {
	if f.RejectionReason == "" {
		return nil
	}
	text := draw.CleanLine(f.RejectionReason)
	if f.RejectionReason == notJSONMessage {
		text = dc.Keys.FillInKeys(notJSONMessage)
	}
	return dc.PaintLines(dc.Fail, "✗ "+text, w)
}

// withoutMiddle returns at most maxLines lines, but at least one: those at the beginning and those at the end. The
// middle of a long reason is the least important part, because it repeats the value.
func withoutMiddle(dc *draw.Context, lines []string, w, maxLines int) []string {
	maxLines = max(1, maxLines)
	if len(lines) <= maxLines {
		return lines
	}
	first := (maxLines + 1) / 2
	out := slices.Concat(lines[:first], lines[len(lines)-maxLines+first:])
	out[first-1] = dc.Cut(out[first-1]+dc.Fail.Paint(" …"), w)
	return out
}

// overviewText returns the value of a field that is not open.
func (f *Form) overviewText(dc *draw.Context, e Field) string {
	switch text := e.shownValue(); {
	case text != "" && !f.isUnanswered(e):
		return draw.CleanLine(plan.VisibleText(text))
	case f.isUnanswered(e) || e.ValueProblem(true) != "":
		return dc.Muted.Paint("(required)")
	case e.IsSkippedWhenValid:
		return dc.Muted.Paint("(optional)")
	}
	return dc.Muted.Paint("(empty)")
}

// isUnanswered reports whether a picker or toggle of a required field still has the value that it began with, which
// nobody has chosen.
func (f *Form) isUnanswered(e Field) bool {
	switch e.Widget.(type) {
	case *Picker, *Toggle:
		return e.EmptyText != "" && !e.IsSkippedWhenValid && !e.isTouched && !f.isAccepted(e)
	}
	return false
}

// Overflow returns how much of a list of options or of a text is out of sight.
func (f *Form) Overflow() layout.Overflow {
	o := OverflowOf(f.CurrentWidget())
	o.ListFirstRow += f.linesAbove
	return o
}

// Height implements Widget. It has one line for each field that is asked besides the current one.
func (f *Form) Height(dc *draw.Context, w int) int {
	isAsked := f.askedFields()
	n := f.groupHeight(dc, w, isAsked)
	for i := range f.Fields {
		if isAsked[i] && !f.isInGroup(i) {
			n++
		}
	}
	return n
}

// groupHeight returns the height of the current field and of those that belong to it, without the empty
// lines of an editor.
func (f *Form) groupHeight(dc *draw.Context, w int, isAsked []bool) int {
	above, below := f.groupLines(dc, w, isAsked)
	return len(above) + len(f.fieldHead(dc, w)) + MinHeight(f.CurrentWidget(), dc, w) + len(below) + len(f.rejectionLines(dc, w))
}

func (f *Form) TakesText() bool                     { return f.CurrentWidget().TakesText() }
func (f *Form) Paste(dc *draw.Context, text string) { f.CurrentWidget().Paste(dc, text) }

// IsBackKey reports whether a key goes back to the previous field.
func (f *Form) IsBackKey(dc *draw.Context, k tea.KeyPressMsg) bool {
	return dc.Keys.IsKeyOf(k, "previous-field") || k.Text == "" && dc.Keys.IsKeyOf(k, "up") && f.CurrentWidget().Height(dc, 40) == 1
}

// HandleKey implements Widget. sent reports that the last field was confirmed. The key "send" confirms any field,
// because in an editor no other key does. A key that also chooses the value, such as a digit, sends the form only
// from its last field: from another one, it goes on to the next.
func (f *Form) HandleKey(dc *draw.Context, k tea.KeyPressMsg) (sent, used bool) {
	switch {
	case f.IsBackKey(dc, k):
		f.RejectionReason = ""
		f.CurrentIndex, _ = f.adjacentField(-1)
		return false, true
	case dc.Keys.IsKeyOf(k, "next-field"):
		f.goToNextField()
		return false, true
	}
	sent, used = f.CurrentWidget().HandleKey(dc, k)
	e := &f.Fields[f.CurrentIndex]
	e.isTouched = e.isTouched || used
	switch {
	case dc.Keys.IsKeyOf(k, "send"), sent && dc.Keys.IsKeyOf(k, "accept"):
		return f.acceptField(f.nextFieldToFill), true
	case sent:
		return f.acceptField(f.nextFieldToFillOrSee), true
	}
	f.RejectionReason = ""
	return false, used || f.TakesText()
}

// acceptField accepts the current value if it is valid, and goes on to the following field. It reports whether
// there is none.
func (f *Form) acceptField(following func() (at int, found bool)) (last bool) {
	if f.RejectionReason = f.Fields[f.CurrentIndex].ValueProblem(f.RejectionReason == emptyWarning); f.RejectionReason != "" {
		return false
	}
	f.accept(&f.Fields[f.CurrentIndex])
	at, more := following()
	f.CurrentIndex = at
	return !more
}

// goToNextField goes to the following field, and from the last to the first. It accepts a valid value, and goes on from
// an invalid one too: nextFieldToFill leads back to it.
func (f *Form) goToNextField() {
	if e := &f.Fields[f.CurrentIndex]; !f.isUnanswered(*e) && e.ValueProblem(false) == "" {
		f.accept(e)
	}
	f.RejectionReason = ""
	at, more := f.adjacentField(1)
	if f.CurrentIndex = at; !more {
		f.CurrentIndex = -1
		f.CurrentIndex, _ = f.adjacentField(1)
	}
}

// accept stores that the person has accepted the value of a field.
func (f *Form) accept(e *Field) {
	e.isAccepted, e.dependencyWhenAccepted = true, f.valueOf(e.DependsOn)
}

// ValueProblem returns why the text in the widget is not a valid value, "" if it is. isWarned is true after the
// person has been warned about an empty text.
func (f Field) ValueProblem(isWarned bool) string {
	value := f.Widget.Value()
	switch {
	case value == "" && f.AllowsEmpty && !isWarned:
		return emptyWarning
	case value == "" && f.AllowsEmpty || f.Validate == nil:
		return ""
	}
	return f.Validate(value)
}

// Value implements Widget. A form has several values: see Answers.
func (f *Form) Value() string { return "" }

func (f *Form) Hints(dc *draw.Context) []draw.Hint { return f.HintsWithBack(dc, !f.IsAtFirst()) }

// HintsWithBack returns the hints. back decides whether they include the key to the previous field.
func (f *Form) HintsWithBack(dc *draw.Context, back bool) []draw.Hint {
	text, action := "next", "accept"
	toFill, fills := f.nextFieldToFill()
	next, more := f.adjacentField(1)
	switch {
	case !fills:
		text = f.SubmitText
	case toFill != next:
		text = "next unfinished field"
	}
	if f.CurrentEditor() != nil {
		action = "send"
	}
	out := []draw.Hint{dc.ActionHint(action, text)}
	if p, picks := f.CurrentWidget().(*Picker); picks && p.SelectedIndex < 0 {
		out = out[:0]
	}
	forward := more && toFill != next || len(out) == 0
	if forward {
		out = append(out, dc.ActionHint("next-field", "next"))
	}
	if back {
		out = append(out, dc.ActionHint("previous-field", "back"))
	}
	for _, h := range f.CurrentWidget().Hints(dc) {
		if h.Action != action {
			out = append(out, h)
		}
	}
	if !forward && !more && !f.IsAtFirst() {
		out = append(out, dc.ActionHint("next-field", "first field"))
	}
	return out
}
