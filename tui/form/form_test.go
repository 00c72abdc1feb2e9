package form

import (
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"

	"playhead/themes"
	"playhead/tui/draw"
)

func typed(t *testing.T, f *Form, keys ...tea.KeyPressMsg) (sent bool) {
	t.Helper()
	look := draw.New(themes.Plain())
	for _, k := range keys {
		sent, _ = f.Key(&look, k)
	}
	return sent
}

func text(s string) (keys []tea.KeyPressMsg) {
	for _, r := range s {
		keys = append(keys, tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return keys
}

var enter, back = tea.KeyPressMsg{Code: tea.KeyEnter}, tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}

// TestForm: values are filled in one at a time, what does not fit stays with the reason,
// and the last one sends them all.
func TestForm(t *testing.T) {
	f := &Form{}
	f.Add(Field{Name: "version", Control: New("string", "", nil), Unfit: func(v string) string {
		if v == "" {
			return "A value is needed."
		}
		return ""
	}})
	f.Add(Field{Name: "where", Control: New("enum", "staging", []string{"staging", "production"}), Unfit: func(string) string { return "" }})
	if typed(t, f, enter); f.At != 0 || f.Wrong == "" {
		t.Fatalf("an empty value is taken: at %d, %q", f.At, f.Wrong)
	}
	typed(t, f, append(text("1.2"), enter)...)
	if f.At != 1 || f.Wrong != "" {
		t.Fatalf("at %d, %q", f.At, f.Wrong)
	}
	typed(t, f, back)
	typed(t, f, append(text(".3"), enter)...)
	if !typed(t, f, tea.KeyPressMsg{Code: tea.KeyDown}, enter) {
		t.Fatal("the last value does not send them")
	}
	if got, want := f.Answers(), []string{"1.2.3", "production"}; !slices.Equal(got, want) {
		t.Errorf("answers %q, not %q", got, want)
	}
}

// TestFormAsks: a value that is not asked is passed by, and is empty whatever stood in it.
func TestFormAsks(t *testing.T) {
	f := &Form{Asked: func(a []string) []bool { return []bool{true, a[0] == "true", true} }}
	f.Add(Field{Name: "notify", Control: New("boolean", "true", nil)})
	f.Add(Field{Name: "whom", Control: New("string", "ops", nil)})
	f.Add(Field{Name: "why", Control: New("string", "because", nil)})
	typed(t, f, enter)
	if f.At != 1 {
		t.Fatalf("at %d: it is asked whom", f.At)
	}
	typed(t, f, back, tea.KeyPressMsg{Code: 'n', Text: "n"})
	if got, want := f.Answers(), []string{"false", "", "because"}; !slices.Equal(got, want) {
		t.Errorf("answers %q, not %q", got, want)
	}
}
