package tui

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"
)

// textOrJSON is a line that is a text, or JSON. Its value is JSON either way.
type textOrJSON struct {
	oneLine
	json bool
}

func (t *textOrJSON) value() string {
	text := t.oneLine.value()
	if t.json || text == "" {
		return text
	}
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text can be written
	}
	return string(data)
}

func (t *textOrJSON) key(l *look, k tea.KeyPressMsg) (sent, used bool) {
	if k.String() == "ctrl+t" {
		t.json = !t.json
		return false, true
	}
	return t.oneLine.key(l, k)
}

func (t *textOrJSON) lines(l *look, w, h int) []string {
	kind := "taken as text"
	if t.json {
		kind = "taken as JSON: a number, true, [1, 2] …"
	}
	return append(t.oneLine.lines(l, w, h), l.cut(l.Muted.Paint(kind), w))
}

func (t *textOrJSON) height(*look, int) int { return 2 }

func (t *textOrJSON) hints() []hint {
	other := "as JSON"
	if t.json {
		other = "as text"
	}
	return []hint{{"enter", "answer"}, {"ctrl+t", other}}
}

// notJSON says what keeps a text from being a value.
func notJSON(value string) string {
	if value == "" || json.Valid([]byte(value)) {
		return ""
	}
	return "It is no JSON. ctrl+t takes it as text."
}
