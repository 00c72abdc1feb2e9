package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

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
