package lines

import (
	"strings"
	"sync/atomic"
	"testing"

	"playhead/engine"
	"playhead/parse/plan"
)

// yes is a program that says the same again and again, as fast as it is read.
type yes struct {
	line string
	read atomic.Int64
}

func (y *yes) Read(p []byte) (int, error) {
	y.read.Add(1)
	return copy(p, strings.Repeat(y.line, len(p)/len(y.line))), nil
}

// TestScriptIsReadAsItIsTaken: what a pipe says without end waits in the pipe, while a
// command runs too.
func TestScriptIsReadAsItIsTaken(t *testing.T) {
	in, out := &yes{line: "yes\n"}, &strings.Builder{}
	end := followIn(t, decisions, engine.Config{}, Config{Out: out, In: in, IsScript: true})
	if end.Result != plan.Completed {
		t.Errorf("ended %q:\n%s", end.Result, out)
	}
	if n := in.read.Load(); n > 2 { // one is taken, another is there already
		t.Errorf("%d pieces were read", n)
	}
}
