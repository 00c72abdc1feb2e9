package lines

import (
	"strings"
	"sync/atomic"
	"testing"

	"playhead/engine"
	"playhead/parse/plan"
)

// yes is a reader that repeats the same line without end, like the program yes.
type yes struct {
	line string
	read atomic.Int64
}

func (y *yes) Read(p []byte) (int, error) {
	y.read.Add(1)
	return copy(p, strings.Repeat(y.line, len(p)/len(y.line))), nil
}

// TestScriptIsReadAsItIsTaken: an endless script is read only as far as its lines are used, also while a command runs.
func TestScriptIsReadAsItIsTaken(t *testing.T) {
	in, out := &yes{line: "yes\n"}, &strings.Builder{}
	end := followIn(t, decisions, engine.Config{}, Config{Out: out, In: in, IsScript: true})
	if end.Result != plan.Completed {
		t.Errorf("ended %q:\n%s", end.Result, out)
	}
	if n := in.read.Load(); n > 2 { // one is used, and the next one waits
		t.Errorf("%d pieces were read", n)
	}
}
