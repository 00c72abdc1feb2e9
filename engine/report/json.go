package report

import (
	"bytes"
	"encoding/json"

	"playhead/engine/sanitize"
)

// JSON is the report for programs, indented. On a terminal too it is nothing but text.
func (r *Report) JSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(r)
	return sanitize.JSON(b.Bytes()), err
}
