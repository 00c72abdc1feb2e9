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
