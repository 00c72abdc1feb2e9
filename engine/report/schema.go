package report

import _ "embed"

// Schema is the JSON Schema of the JSON of a Report, for what reads it. Keys may be
// added, so it allows others.
//
//go:embed schema.json
var Schema string
