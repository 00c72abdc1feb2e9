package form

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"playhead/tui/draw"
)

// TextOrJSON is a line that is taken as text, or as JSON. Its value is JSON in both cases.
type TextOrJSON struct {
	TextField
	IsJSON bool
}

// Value returns the line as it is if IsJSON is true, else encoded as a JSON string. An empty line stays empty.
func (t *TextOrJSON) Value() string {
	text := t.TextField.Value()
	if t.IsJSON || text == "" {
		return text
	}
	data, err := json.Marshal(text)
	if err != nil {
		panic(err) // impossible: a string can always be encoded
	}
	return string(data)
}

// HandleKey implements Widget. The key "as-json" switches between text and JSON.
func (t *TextOrJSON) HandleKey(dc *draw.Context, k tea.KeyPressMsg) (sent, used bool) {
	if dc.Keys.IsKeyOf(k, "as-json") {
		t.IsJSON = !t.IsJSON
		return false, true
	}
	return t.TextField.HandleKey(dc, k)
}

func (t *TextOrJSON) Lines(dc *draw.Context, w, h int) []string {
	kind := "read as text"
	if t.IsJSON {
		kind = "read as JSON, such as 5, true or [1, 2]"
	}
	return append(t.TextField.Lines(dc, w, max(1, h-1)), dc.Cut(dc.Muted.Paint(kind), w))
}

func (t *TextOrJSON) Height(dc *draw.Context, w int) int { return t.TextField.Height(dc, w) + 1 }

func (t *TextOrJSON) Hints(dc *draw.Context) []draw.Hint {
	other := "as JSON"
	if t.IsJSON {
		other = "as text"
	}
	return append(t.TextField.Hints(dc), dc.ActionHint("as-json", other))
}

// notJSONMessage is shown after {as-json} is replaced by the key.
const notJSONMessage = "This is not valid JSON. {as-json} to read it as text."

// JSONProblem returns why a text is not a valid value, "" if it is.
func JSONProblem(value string) string {
	if value == "" || json.Valid([]byte(value)) {
		return ""
	}
	return notJSONMessage
}
