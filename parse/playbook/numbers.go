package playbook

import (
	"fmt"
	"strconv"
	"strings"
)

// atoi is a number as a step's heading has it; one that is too large is the
// largest.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits) // digits alone: the only error is the range
	return n
}

// number is a number's text without leading zeros.
func number(digits string) string {
	if short := strings.TrimLeft(digits, "0"); short != "" {
		return short
	}
	return "0"
}

// checkNumbers warns of steps whose number does not follow the one before
// (spec §1); after a gap the next is expected from there.
func (d *document) checkNumbers() {
	last := 0
	for _, s := range d.steps {
		if s.number != last+1 {
			d.add(place{line: s.head}, finding{"step-sequence",
				fmt.Sprintf("step numbers are not in sequence: expected %d, got %d", last+1, s.number), fmt.Sprintf("write ## STEP %d: %s", last+1, s.title)})
		}
		last = s.number
	}
}
