package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// FromJSON is the value that a JSON text is, its numbers as they are written; without a
// text it is none.
func FromJSON(text string) (value any, err error) {
	if text == "" {
		return nil, nil
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	err = dec.Decode(&value)
	return value, err
}

// TextOf is a variable's value as text, wherever text is needed: in prompts, in
// conditions, on the screen. Strings are themselves, no value is the empty text,
// whole numbers have no exponent, anything else is its JSON.
func TextOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		if math.Abs(v) < 1e21 {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(value) != nil {
		return fmt.Sprint(value)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// PlainText is the type of final output that a document says nothing of.
const PlainText = "text"

// artifacts are the types of final output that Plan.Artifact can name, and the
// suffix of a file that holds one.
var artifacts = map[string]string{
	"markdown": ".md", "json": ".json", "mermaid": ".mmd", "chartjs": ".json",
	"html_css": ".html", "javascript": ".js", "typescript": ".ts",
}

// ArtifactSuffix is the suffix of the file that a run's final output is saved in.
// known is false for what is no artifact type; such output is plain text.
func ArtifactSuffix(kind string) (suffix string, known bool) {
	if s, ok := artifacts[kind]; ok {
		return s, true
	}
	return ".txt", false
}

// Visible returns a value for a person: quoted where blanks could hide in it, or it is empty. Texts of
// several lines are returned as they are.
func Visible(text string) string {
	if text == "" || !strings.Contains(text, "\n") && text != strings.Join(strings.Fields(text), " ") {
		return strconv.Quote(text)
	}
	return text
}
