package form

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"playhead/parse/plan"
	"playhead/themes"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/terminal"
)

func typed(t *testing.T, f *Form, keys ...tea.KeyPressMsg) (sent bool) {
	t.Helper()
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	for _, k := range keys {
		sent, _ = f.HandleKey(dc, k)
	}
	return sent
}

// trimmedText returns lines without styles and without the blanks at their ends.
func trimmedText(lines []string) string {
	var out []string
	for _, line := range lines {
		out = append(out, strings.TrimRight(ansi.Strip(line), " "))
	}
	return strings.Join(out, "\n")
}

// TestPicker: a list with more options than fit says how many are above and below.
func TestPicker(t *testing.T) {
	dc, p := draw.New(themes.PlainPalette(), keymap.Map{}), NewPicker([]string{"a", "b", "c", "d", "e", "f"}, "d")
	for _, step := range []struct {
		key  tea.KeyPressMsg
		h    int
		want string
	}{
		{tea.KeyPressMsg{}, 3, "  2 b  ↑ 1\n  3 c\n▌ 4 d  ↓ 2"},
		{tea.KeyPressMsg{}, 1, "▌ 4 d  ↓ 2"},
		{tea.KeyPressMsg{Code: tea.KeyEnd}, 2, "  5 e  ↑ 4\n▌ 6 f"},
		{tea.KeyPressMsg{Code: tea.KeyHome}, 6, "▌ 1 a\n  2 b\n  3 c\n  4 d\n  5 e\n  6 f"},
	} {
		p.HandleKey(dc, step.key)
		if got := trimmedText(p.Lines(dc, 10, step.h)); got != step.want {
			t.Errorf("%s, %d lines: %q", step.key, step.h, got)
		}
	}
}

// TestEditorLooksLikeTextField: an editor has the same prompt and cursor as a text field.
func TestEditorLooksLikeTextField(t *testing.T) {
	palette, err := themes.LoadBuiltIn("ember")
	if err != nil {
		t.Fatal(err)
	}
	dc := draw.New(palette, keymap.Map{})
	line, text := (&TextField{Text: "now"}).Lines(dc, 20, 1)[0], NewEditor("now").Lines(dc, 20, 1)[0]
	for _, part := range []string{`\x1b\[[\d;]+m› `, `\x1b\[[\d;]+mnow`, `\x1b\[7;[\d;]+m `} {
		part := regexp.MustCompile(part)
		if want, got := part.FindString(line), part.FindString(text); want == "" || got != want {
			t.Errorf("the text field has %q, the editor %q", line, text)
		}
	}
}

// TestPickerWraps: long options continue below their text. If there is no room for all rows, only the selected option
// is wrapped.
func TestPickerWraps(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	p := &Picker{ContinuationIndent: 6, Options: []string{"dark  quiet greys and blues", "light the same roles", "ember warm"}}
	for h, want := range map[int]string{
		4: "▌ 1 dark  quiet greys and\n▌         blues\n  2 light the same roles\n  3 ember warm",
		3: "▌ 1 dark  quiet greys and\n▌         blues\n  2 light the same roles   ↓ 1",
		1: "▌ 1 dark  quiet greys and… ↓ 2",
	} {
		if got := trimmedText(p.Lines(dc, 30, h)); got != want {
			t.Errorf("%d lines:\n%s\nwant\n%s", h, got, want)
		}
	}
}

// TestPickerTrailingTexts: trailing texts form a column, beside the first row of a long option.
func TestPickerTrailingTexts(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	p := &Picker{SelectedIndex: 1, Options: []string{"quiet greys and dark blues", "warm", "none"}, TrailingTexts: []string{" → 2", " → 3", ""}}
	for h, want := range map[int]string{
		4: "  1 quiet greys and  → 2\n    dark blues\n▌ 2 warm             → 3\n  3 none",
		3: "  1 quiet greys and… → 2\n▌ 2 warm             → 3\n  3 none",
	} {
		if got := trimmedText(p.Lines(dc, 24, h)); got != want {
			t.Errorf("%d lines:\n%s\nwant\n%s", h, got, want)
		}
	}
}

// TestPickerKeepsTrailingTexts: a trailing text is never cut. Its short form replaces it if an option would be cut
// otherwise.
func TestPickerKeepsTrailingTexts(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	p := &Picker{
		Options:            []string{"a reply of many words that says so", "another one", "none"},
		TrailingTexts:      []string{" → 2", " → continuation.outline Outline", " → 4"},
		ShortTrailingTexts: []string{" → 2", " → continuation.outline", " → 4"},
	}
	for size, want := range map[[2]int]string{
		{80, 4}: "▌ 1 a reply of many words that says so → 2\n  2 another one                        → continuation.outline Outline\n  3 none                               → 4",
		{68, 4}: "▌ 1 a reply of many words that says so → 2\n  2 another one                        → continuation.outline\n  3 none                               → 4",
		{54, 4}: "▌ 1 a reply of many words that says so → 2\n  2 another one         → continuation.outline Outline\n  3 none                → 4",
		{36, 5}: "▌ 1 a reply of many words that   → 2\n▌   says so\n  2 another … → continuation.outline\n  3 none       → 4",
	} {
		if got := trimmedText(p.Lines(dc, size[0], size[1])); got != want {
			t.Errorf("%v:\n%s\nwant\n%s", size, got, want)
		}
	}
}

// TestPickerUsesFreeCells: a long option uses the cells that its short trailing text leaves free, even if other
// trailing texts are longer.
func TestPickerUsesFreeCells(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	p := &Picker{
		Options:       []string{"outcome = fail", "severity = critical, not high", "severity = low"},
		TrailingTexts: []string{"  → the run fails", "  → completed", "  → completed"},
	}
	want := "▌ 1 outcome = fail         → the run fails\n  2 severity = critical, not…  → completed\n  3 severity = low         → completed"
	if got := trimmedText(p.Lines(dc, 42, 3)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestPickerKeepsRows: in a list that scrolls, the selected option is wrapped only if the count of hidden options takes
// its room.
func TestPickerKeepsRows(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	p := &Picker{Options: slices.Repeat([]string{"a city in the north-east"}, 5)}
	for at, rows := range []int{1, 1, 2, 2, 1} {
		p.SelectedIndex = at
		n := 0
		for _, line := range p.Lines(dc, 30, 3) {
			if strings.HasPrefix(ansi.Strip(line), "▌") {
				n++
			}
		}
		if n != rows {
			t.Errorf("option %d has %d rows, want %d:\n%s", at, n, rows, ansi.Strip(strings.Join(p.Lines(dc, 30, 3), "\n")))
		}
	}
}

func text(s string) (keys []tea.KeyPressMsg) {
	for _, r := range s {
		keys = append(keys, tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return keys
}

var enter, back = tea.KeyPressMsg{Code: tea.KeyEnter}, tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}

// TestFormFillsItsRoom: a form shows as many fields around the current one as fit, and whole values if lines are left.
func TestFormFillsItsRoom(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	f := &Form{CurrentIndex: 3}
	for i, value := range []string{"0", "1", "a value of two lines", "3", "4", "5", "6"} {
		f.AddField(Field{Name: string(rune('a' + i)), Widget: NewWidget("string", value, nil)})
	}
	for h, want := range map[int]string{
		2: "d      ↑ 3 ↓ 3|› 3", 3: "d          ↑ 3|› 3|e = 4      ↓ 2", 4: "c = a val… ↑ 2|d|› 3|e = 4      ↓ 2",
		9: "a = 0|b = 1|c = a value of|two lines|d|› 3|e = 4|f = 5|g = 6",
		8: "a = 0|b = 1|c = a value o…|d|› 3|e = 4|f = 5|g = 6",
	} {
		var got []string
		for _, line := range f.Lines(dc, 14, h) {
			got = append(got, strings.TrimRight(ansi.Strip(line), " "))
		}
		if got := strings.Join(got, "|"); got != want {
			t.Errorf("%d lines: %s\nwant %s", h, got, want)
		}
	}
}

// TestFormHints: a key has a hint only if it goes to another field than the other keys.
func TestFormHints(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	f := &Form{SubmitText: "start"}
	for _, name := range []string{"first", "required", "optional", "last"} {
		f.AddField(Field{Name: name, Widget: NewWidget("number", "", nil), IsSkippedWhenValid: name == "optional"})
	}
	for i, want := range []string{"enter next", "enter next unfinished field, tab next, ⇧tab back", "enter next, ⇧tab back", "enter start, ⇧tab back, tab first field"} {
		f.CurrentIndex = i
		var got []string
		for _, h := range f.Hints(dc) {
			got = append(got, h.Key+" "+h.Text)
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("at field %d: %s\nwant %s", i+1, got, want)
		}
	}
}

// TestForm: enter goes to the next field, keeps an invalid value with a reason below it, and sends the form at the last
// field.
func TestForm(t *testing.T) {
	f := &Form{}
	f.AddField(Field{Name: "version", Widget: NewWidget("string", "", nil), Validate: func(v string) string {
		if v == "" {
			return "A value is needed."
		}
		return ""
	}})
	f.AddField(Field{Name: "where", Widget: NewWidget("enum", "staging", []string{"staging", "production"}), Validate: func(string) string { return "" }})
	if typed(t, f, enter); f.CurrentIndex != 0 || f.RejectionReason == "" {
		t.Fatalf("an empty value is accepted: at %d, %q", f.CurrentIndex, f.RejectionReason)
	}
	typed(t, f, append(text("1.2"), enter)...)
	if f.CurrentIndex != 1 || f.RejectionReason != "" {
		t.Fatalf("at %d, %q", f.CurrentIndex, f.RejectionReason)
	}
	typed(t, f, back)
	typed(t, f, append(text(".3"), enter)...)
	if !typed(t, f, tea.KeyPressMsg{Code: tea.KeyDown}, enter) {
		t.Fatal("enter at the last field does not send the form")
	}
	if got, want := f.Answers(), []string{"1.2.3", "production"}; !slices.Equal(got, want) {
		t.Errorf("answers %q, not %q", got, want)
	}
}

// TestLongRejectionIsWrapped: a reason that is too long for one line is wrapped and shows in full.
func TestLongRejectionIsWrapped(t *testing.T) {
	dc, f := draw.New(themes.PlainPalette(), keymap.Map{}), &Form{}
	f.AddField(Field{Name: "folder", Widget: NewWidget("string", "", nil), AllowsEmpty: true})
	typed(t, f, enter)
	lines := f.Lines(dc, 40, f.Height(dc, 40))
	if got := strings.Join(strings.Fields(trimmedText(lines)), " "); !strings.HasSuffix(got, "✗ "+emptyWarning) {
		t.Errorf("not whole: %q", got)
	}
}

// TestRejectionOfLongValue: if a reason has too few lines, the field and the beginning and end of the reason stay in
// sight.
func TestRejectionOfLongValue(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	for _, widget := range []Widget{&TextField{}, NewWidget("value", "", nil), NewEditor("")} {
		f := &Form{Fields: []Field{{Name: "count", Description: "How many?", Widget: widget, Validate: func(value string) string {
			return value + " is not a number."
		}}}}
		f.Paste(dc, strings.Repeat("many ", 60))
		f.acceptField(f.nextFieldToFill)
		for h := 6; h < 12; h++ {
			lines := f.Lines(dc, 30, h)
			text := trimmedText(lines)
			if len(lines) > h || !strings.HasPrefix(text, "count") || !strings.Contains(lines[1], "many") || !strings.Contains(text, "\n✗ ") || !strings.Contains(text, "…") || !strings.Contains(text, "a number.") {
				t.Errorf("%T in %d lines:\n%s", widget, h, text)
			}
		}
	}
}

// TestFormSkipsFieldsNotAsked: a field that is not asked is skipped, and its answer is empty whatever its widget
// contains.
func TestFormSkipsFieldsNotAsked(t *testing.T) {
	f := &Form{AskedFields: func(a []string) []bool { return []bool{true, a[0] == "true", true} }}
	f.AddField(Field{Name: "notify", Widget: NewWidget("boolean", "true", nil)})
	f.AddField(Field{Name: "whom", Widget: NewWidget("string", "ops", nil)})
	f.AddField(Field{Name: "why", Widget: NewWidget("string", "because", nil)})
	typed(t, f, enter)
	if f.CurrentIndex != 1 {
		t.Fatalf("at field %d, want 1", f.CurrentIndex)
	}
	typed(t, f, back, tea.KeyPressMsg{Code: 'n', Text: "n"})
	if got, want := f.Answers(), []string{"false", "", "because"}; !slices.Equal(got, want) {
		t.Errorf("answers %q, not %q", got, want)
	}
}

// TestEnterSkipsFieldsWithValues: enter skips fields with a valid value, and tab does not.
func TestEnterSkipsFieldsWithValues(t *testing.T) {
	needed := func(v string) string {
		if v == "" {
			return "A value is needed."
		}
		return ""
	}
	f := &Form{}
	f.AddField(Field{Name: "a", Widget: NewWidget("string", "1", nil), Validate: needed, IsSkippedWhenValid: true})
	f.AddField(Field{Name: "b", Widget: NewWidget("string", "2", nil), Validate: needed, IsSkippedWhenValid: true})
	if !typed(t, f, enter) {
		t.Error("all fields have a value, but enter does not send")
	}
	tab, backspace := terminal.KeyPress("tab"), terminal.KeyPress("backspace")
	typed(t, f, tab, backspace, back)
	if typed(t, f, enter) || f.CurrentIndex != 1 {
		t.Errorf("enter skips an invalid value, at %d", f.CurrentIndex)
	}
}

// TestTabPassesOverInvalidValues: tab leaves a field with an invalid value, and enter returns to it before the form is
// sent.
func TestTabPassesOverInvalidValues(t *testing.T) {
	needed := func(v string) string {
		if v == "" {
			return "A value is needed."
		}
		return ""
	}
	f := &Form{}
	f.AddField(Field{Name: "a", Widget: NewWidget("string", "", nil), Validate: needed})
	f.AddField(Field{Name: "b", Widget: NewWidget("string", "2", nil), Validate: needed})
	tab := terminal.KeyPress("tab")
	typed(t, f, tab)
	if f.CurrentIndex != 1 || f.RejectionReason != "" {
		t.Errorf("tab stays at %d: %s", f.CurrentIndex, f.RejectionReason)
	}
	if typed(t, f, enter) || f.CurrentIndex != 0 {
		t.Errorf("enter skips a missing value, at %d", f.CurrentIndex)
	}
	typed(t, f, tab, tab)
	if f.CurrentIndex != 0 {
		t.Errorf("tab does not go on from the last value to the first, but to %d", f.CurrentIndex)
	}
	if !typed(t, f, append(text("1"), enter)...) {
		t.Error("all values are valid, but enter does not send")
	}
}

// TestFormAfterChange: a digit sends the form only at the last asked field. A field is asked again after the field that
// it depends on changes.
func TestFormAfterChange(t *testing.T) {
	digit := func(d rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: d, Text: string(d)} }
	filled := func() *Form {
		f := &Form{AskedFields: func(a []string) []bool { return []bool{true, a[0] != "unchecked", true} }}
		f.AddField(Field{Name: "holds", Widget: NewUnchosenPicker([]string{"true", "false", "unchecked"}), Validate: ChoiceProblem})
		f.AddField(Field{Name: "evidence", Widget: NewWidget("string", "", nil), DependsOn: "holds"})
		f.AddField(Field{Name: "count", Widget: NewWidget("string", "", nil)})
		typed(t, f, append(append([]tea.KeyPressMsg{digit('1')}, text("ok")...), enter)...)
		typed(t, f, append(text("7"), terminal.KeyPress("tab"))...)
		if f.CurrentIndex != 0 {
			t.Fatalf("at %d", f.CurrentIndex)
		}
		return f
	}
	for _, c := range []struct {
		key  tea.KeyPressMsg
		at   int
		sent bool
	}{
		{digit('1'), 1, false}, {digit('2'), 1, false}, {digit('3'), 2, false}, {enter, 0, true}, {terminal.KeyPress("ctrl+s"), 0, true},
	} {
		f := filled()
		if sent := typed(t, f, c.key); sent != c.sent || f.CurrentIndex != c.at {
			t.Errorf("%s: sent %t, at %d", c.key, sent, f.CurrentIndex)
		}
	}
	f := filled()
	if typed(t, f, terminal.KeyPress("down"), enter) || f.CurrentIndex != 1 {
		t.Errorf("the form is sent with the evidence for another value, at %d", f.CurrentIndex)
	}
	if !typed(t, f, enter) {
		t.Error("nothing is left to fill, but enter does not send")
	}
}

// TestHiddenLines: a masked text keeps its lines and shows as stars.
func TestHiddenLines(t *testing.T) {
	dc, w := draw.New(themes.PlainPalette(), keymap.Map{}), NewWidget("string", "", nil)
	Mask(w)
	w.Paste(dc, "one\rtwo\r")
	if shown := ansi.Strip(strings.Join(w.Lines(dc, 20, 5), "")); w.Value() != "one\ntwo" || strings.Contains(shown, "o") || EditableTextOf(w) != nil {
		t.Errorf("%q shows as %q", w.Value(), shown)
	}
}

// TestEditorOfWideCharacters: rows are not wider than the editor if the terminal measures characters wider than
// the library.
func TestEditorOfWideCharacters(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	for _, row := range NewEditor("👩‍👩‍👧‍👦 ok").Lines(dc, 20, 3) {
		if w := dc.Width(row); w > 20 {
			t.Errorf("%d cells: %q", w, row)
		}
	}
}

// TestEditorGrows: an editor that becomes taller shows the rows that were out of sight.
func TestEditorGrows(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	e := NewEditor("")
	for i := range 6 {
		e.Paste(dc, fmt.Sprintf("line %d\n", i))
		e.Lines(dc, 20, 3)
	}
	if got := strings.Join(e.Lines(dc, 20, 8), "\n"); !strings.Contains(got, "line 0") || !strings.Contains(got, "line 5") {
		t.Errorf("shows\n%s", got)
	}
}

// TestEditorOfFullRows: an editor whose lines exactly fill their rows also shows them all when it becomes taller. The
// library's cursor does not leave such a row by itself.
func TestEditorOfFullRows(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	for length := 1; length < 40; length++ {
		e := NewEditor("")
		for range 4 {
			e.Paste(dc, strings.Repeat("x", length)+"\n")
		}
		e.Paste(dc, "end")
		e.Lines(dc, 20, 2)
		if got := strings.Join(e.Lines(dc, 20, 20), "\n"); !strings.Contains(got, "end") {
			t.Errorf("lines of %d: shows\n%s", length, got)
		}
	}
}

// TestEditorOverflow: an editor reports how many rows are hidden above and below, also in a form.
func TestEditorOverflow(t *testing.T) {
	dc, e := draw.New(themes.PlainPalette(), keymap.Map{}), NewEditor("a\nb\nc\nd\ne")
	e.Lines(dc, 20, 3)
	if o := e.Overflow(); o.Above != 2 || o.Below != 0 {
		t.Errorf("at the end: %+v", o)
	}
	for range 4 {
		e.HandleKey(dc, tea.KeyPressMsg{Code: tea.KeyUp})
	}
	f := &Form{}
	f.AddField(Field{Name: "text", Description: "What to say", Widget: e})
	f.Lines(dc, 20, 5)
	if got, want := f.Overflow(), layout.ListOverflow(1, 0, 4, 5); got != want {
		t.Errorf("at the start: %+v, want %+v", got, want)
	}
}

// TestEditorKeepsText: a text that cannot be edited here is read-only and unchanged. A paste is inserted at the
// cursor even if the result is read-only.
func TestEditorKeepsText(t *testing.T) {
	for _, text := range []string{"a\tb", "a\x1b[1mb", "bell\a", "a\u0085b", "bad \xff", "sign \ufffd", "one\rtwo"} {
		if got := NewEditor(text).Value(); got != text {
			t.Errorf("%q has become %q", text, got)
		}
	}
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	for text, want := range map[string]string{
		"new ": "one\nnew two", "a\tb ": "one\na\tb two", "x\r\ny\t": "one\nx\ny\ttwo", "\x1b[1mbold ": "one\n[1mbold two",
	} {
		e := NewEditor("one\ntwo")
		e.HandleKey(dc, terminal.KeyPress("home"))
		e.Paste(dc, text)
		if got := e.Value(); got != want {
			t.Errorf("%q makes %q, want %q", text, got, want)
		}
	}
}

// TestHiddenCharactersInFields: hidden characters in the default value of a field are visible.
func TestHiddenCharactersInFields(t *testing.T) {
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	const text = "a\u202eb\u200bc\x1b[2K"
	for name, w := range map[string]Widget{"a line": NewWidget("string", text, nil), "a text": NewWidget("text", text, nil), "one of several": NewWidget("select", "", []string{text})} {
		if lines := w.Lines(dc, 60, 5); !strings.Contains(ansi.Strip(lines[0]), `a\u202eb\u200bc\x1b[2K`) {
			t.Errorf("%s shows %q", name, lines)
		}
		if name != "one of several" && w.Value() != text {
			t.Errorf("%s has become %q", name, w.Value())
		}
	}
}

// BenchmarkForm lays out a form of 100 fields, some of which are not asked: its height, its lines and its hints.
func BenchmarkForm(b *testing.B) {
	fields, f := make([]plan.Field, 100), &Form{}
	for i := range fields {
		fields[i].Name = fmt.Sprint("field ", i)
		if i%4 == 3 {
			fields[i].AskedIf = plan.FieldCondition{Field: fields[i-1].Name, AnyOf: []string{"no"}}
		}
		f.AddField(Field{Name: fields[i].Name, Widget: NewWidget("string", "yes", nil)})
	}
	f.AskedFields = func(values []string) []bool { return plan.AskedFields(fields, values) }
	dc := draw.New(themes.PlainPalette(), keymap.Map{})
	for b.Loop() {
		f.Lines(dc, 80, min(20, f.Height(dc, 80)))
		f.Hints(dc)
	}
}
