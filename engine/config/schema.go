package config

import _ "embed"

// Schema is the JSON Schema of the file, for editors that complete and check it.
//
//go:embed schema.json
var Schema string
