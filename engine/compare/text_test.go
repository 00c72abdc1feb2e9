package compare

import (
	"errors"
	"io"
	"strings"
	"testing"

	"playhead/engine/linediff"
	"playhead/engine/machine"
)

const prints = "# Prints\n## 1. Print\n~~~sh\n./print\n~~~\n"

// printed returns a run whose command printed text: its event has only the first bytes, its log has all of it.
func printed(t *testing.T, text string) Side {
	s := walked(t, runbook(prints), nil, "exit 0")
	for _, e := range s.Events {
		if b, ok := e.Body.(*machine.ActionFinished); ok {
			b.Output, b.Log = text[:min(len(text), 10)], &machine.LogRef{File: "logs/1.log", Bytes: int64(len(text))}
		}
	}
	s.OpenLog = func(*machine.LogRef) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	return s
}

// TestLongOutput: output that is too long for an event is compared by its size, and at the same size by its log.
func TestLongOutput(t *testing.T) {
	long := strings.Repeat("a line of output\n", 10_000)
	for _, c := range []struct {
		name, a, b     string
		differs        bool
		removed, added int
	}{
		{"the same", long, long, false, 0, 0},
		{"one line more", long, long + "the end\n", true, 0, 1},
		{"as long, and another", long + "the one\n", long + "the two\n", true, 1, 1},
		{"short", "one\ntwo\n", "one\nthree\n", true, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs := Runs(printed(t, c.a), printed(t, c.b))
			if got := len(runs.Pairs[0].Differences) > 0; got != c.differs {
				t.Errorf("differs: %v, %+v", got, runs.Pairs[0].Differences)
			}
			texts, err := runs.TextDifferences(runs.Pairs[0])
			if err != nil {
				t.Fatal(err)
			}
			var d linediff.Diff
			if len(texts) > 0 {
				d = texts[0].Diff
			}
			if removed, added := d.ChangedLineCounts(); removed != c.removed || added != c.added {
				t.Errorf("-%d +%d", removed, added)
			}
		})
	}
}

// TestLostOutput: a missing log is an error of TextDifferences only, and the paths are still compared.
func TestLostOutput(t *testing.T) {
	a, b := printed(t, strings.Repeat("a", 70_000)), printed(t, strings.Repeat("b", 70_000))
	gone := errors.New("gone")
	b.OpenLog = func(*machine.LogRef) (io.ReadCloser, error) { return nil, gone }
	c := Runs(a, b)
	if len(c.Pairs) != 1 || len(c.Pairs[0].Differences) != 1 {
		t.Errorf("pairs %+v", c.Pairs)
	}
	if _, err := c.TextDifferences(c.Pairs[0]); !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}
