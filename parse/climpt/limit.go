package climpt

import (
	"fmt"
	"strconv"
	"strings"

	"playhead/parse/plan"
)

// What sets an iteration limit that no file sets, in words.
const (
	byFlag    = "--" + MaxIterations
	byDefault = "the default; " + byFlag + " sets another"
)

// setBy names the key of a file, or of a flag's JSON, that sets a limit.
func setBy(at Place) string {
	key := strings.ReplaceAll(strings.TrimPrefix(at.Pointer(), "/"), "/", ".")
	if strings.HasPrefix(at.File, "--") {
		return key + " in " + at.File
	}
	return fmt.Sprintf("%s in %s:%d", key, at.File, at.Line)
}

// Guard ends a run after most executions of steps. Its message has the reason, the limit
// and what sets it.
func Guard(code, reason string, most int, setBy string) plan.Guard {
	return plan.Guard{Max: most, Code: Code + code, Message: fmt.Sprintf("%s: %d (%s)", reason, most, setBy), Flag: MaxIterations}
}

// Limit is the number of executions that the flag allows, else the usual one, and what
// sets it.
func (f *Flow) Limit(usual int) (most int, setBy string) {
	text := f.Options.Get(MaxIterations)
	if text == "" {
		return usual, byDefault
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		f.Error(Place{File: f.File}, "bad-option", fmt.Sprintf("%s %s is no whole number from 1 on", byFlag, text), "")
		return usual, byDefault
	}
	return n, byFlag
}
