package tui

import (
	"playhead/engine/machine"
	"playhead/engine/track"
)

// prepared names who gave an answer that nobody typed, "" for any other.
func prepared(by string) string {
	return map[string]string{
		machine.ByFlag: "by flag", machine.ByFile: "from file", machine.ByAuto: "automatic", "replay": "from an earlier run",
	}[by]
}

// givenBy is who gave a row's newest answer or reply, "" before there is one.
func givenBy(r *track.Row) string {
	if x := r.Last(); x != nil {
		return x.By
	}
	return ""
}
