package tools

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Pretty is a JSON object or list with a line for each part, and any other text as
// it is.
func Pretty(text string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return text
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(trimmed), "", "  ") != nil {
		return text
	}
	return b.String()
}

// Title names a tool for people. A recording does not always know whose it is.
func Title(server, name string) string {
	if server == "" {
		return name
	}
	return server + " · " + name
}
