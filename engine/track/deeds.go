package track

import (
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
)

// Deeds are the commands that ran and the tools that were called, each with its step:
// what going back does not undo.
func Deeds(events []machine.Event) []string {
	var out []string
	for _, e := range events {
		b, ok := e.Body.(*machine.ActionStarted)
		if !ok || b.Kind != "command" && b.Kind != "tool" {
			continue
		}
		what, _, _ := strings.Cut(strings.TrimSpace(b.Text), "\n")
		if b.Kind == "tool" && b.Call != nil {
			what = b.Tool
		}
		out = append(out, sanitize.Plain(e.Step+" "+what))
	}
	return out
}
