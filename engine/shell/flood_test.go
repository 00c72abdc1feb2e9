package shell_test

import (
	"io"
	"testing"

	"playhead/engine/logs"
	"playhead/engine/shell"
)

// TestFlood: however fast a command prints, the log has every line when the command has ended.
func TestFlood(t *testing.T) {
	l := newLog(t)
	r := newRunner(t, 0)
	result := r.Start(t.Context(), sh("seq 200000"), l).Wait()
	if result.ExitCode != 0 || result.Err != nil {
		t.Errorf("%+v", result)
	}
	if _, n := l.Size(); n != 200000 {
		t.Errorf("%d lines", n)
	}
	if last, err := l.Lines(199999, 1); err != nil || len(last) != 1 || last[0] != "200000" {
		t.Errorf("the last line is %q, %v", last, err)
	}
}

// TestFloodInTheBackground: a command ends even if its background processes print without a pause.
func TestFloodInTheBackground(t *testing.T) {
	r := newRunner(t, 0)
	p := r.Start(t.Context(), sh("yes & echo on"), io.Discard)
	if result := p.Wait(); result.ExitCode != 0 || len(result.BackgroundNames) != 1 {
		t.Errorf("%+v", result)
	}
	if ended := r.Close(); len(ended) != 1 {
		t.Errorf("Close ended %q", ended)
	}
}

func newLog(t testing.TB) *logs.Log {
	t.Helper()
	l, err := logs.NewAppendingLog(logs.FileLocation{RunDir: t.TempDir(), Name: "log"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// BenchmarkFlood writes a million lines of 50 bytes from a command, through its terminal or pipes, to a log on disk.
func BenchmarkFlood(b *testing.B) {
	const lines = 1_000_000
	for _, way := range []struct {
		name  string
		pipes bool
	}{{"terminal", false}, {"pipes", true}} {
		b.Run(way.name, func(b *testing.B) {
			r := newRunner(b, 0)
			c := shell.Command{Shell: "sh", Text: "yes 'forty-nine bytes and a line feed, as is usual....' | head -n 1000000", UsesPipes: way.pipes}
			for b.Loop() {
				l := newLog(b)
				r.Start(b.Context(), c, l).Wait()
				if _, n := l.Size(); n != lines {
					b.Fatalf("%d lines", n)
				}
			}
			b.ReportMetric(float64(b.N)*lines/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

// BenchmarkStart runs a command that does nothing.
func BenchmarkStart(b *testing.B) {
	r := newRunner(b, 0)
	for b.Loop() {
		r.Start(b.Context(), sh(":"), io.Discard).Wait()
	}
}
