package track

import (
	"fmt"

	"playhead/engine/sanitize"
)

// LongPath is how many executions of a long path are listed at its end: more are not read.
const LongPath = 60

// Way is the way that a run took, given the labels of what it entered: a place each, with
// how often it was entered there in a row. Labels are made safe to show.
func Way(labels []string) []string {
	var out []string
	for i := 0; i < len(labels); {
		n := 1
		for i+n < len(labels) && labels[i+n] == labels[i] {
			n++
		}
		place := sanitize.Plain(labels[i])
		if n > 1 {
			place += fmt.Sprintf(" ×%d", n)
		}
		out = append(out, place)
		i += n
	}
	return out
}
