package scenario

import (
	"encoding/json"
	"regexp"

	"go.yaml.in/yaml/v3"
)

// foreign are the escapes of JSON that are none of YAML: two for one character, and \/.
// An escaped \ is matched to be passed over.
var foreign = regexp.MustCompile(`\\(?:\\|/|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})`)

// Read reads YAML, or JSON: a few escapes aside, that is YAML too.
func Read(source []byte, into any) error {
	if json.Valid(source) {
		source = foreign.ReplaceAllFunc(source, unescaped)
	}
	return yaml.Unmarshal(source, into)
}

// unescaped is the character that an escape stands for.
func unescaped(escape []byte) []byte {
	var text string
	if string(escape) == `\\` || json.Unmarshal([]byte(`"`+string(escape)+`"`), &text) != nil {
		return escape
	}
	return []byte(text)
}
