package logs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"playhead/engine/logs"
	"playhead/engine/sanitize"
	"playhead/engine/testscale"
)

func TestSearch(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		switch i {
		case 10:
			text.WriteString("first \x1b[31mERR\x1b[0mOR here\r\n")
		case 1500:
			text.WriteString("\tthe second error\n")
		case 2000:
			text.WriteString("ÄRGER\n")
		case 2999:
			text.WriteString("last error, not ended")
		default:
			fmt.Fprintf(&text, "line %d\n", i)
		}
	}
	l := written(t, text.String())
	tests := []struct {
		name    string
		matcher logs.LineMatcher
		from    int
		dir     logs.Direction
		line    int
		found   bool
	}{
		{"through colours, in capitals or not", logs.LinesContaining("Error"), 0, logs.Forward, 10, true},
		{"from itself", logs.LinesContaining("error"), 10, logs.Forward, 10, true},
		{"next", logs.LinesContaining("error"), 11, logs.Forward, 1500, true},
		{"last line", logs.LinesContaining("error"), 1501, logs.Forward, 2999, true},
		{"none after", logs.LinesContaining("second"), 1501, logs.Forward, 0, false},
		{"back", logs.LinesContaining("error"), 2998, logs.Backward, 1500, true},
		{"back from itself", logs.LinesContaining("error"), 1500, logs.Backward, 1500, true},
		{"back from beyond the end", logs.LinesContaining("error"), 1 << 40, logs.Backward, 2999, true},
		{"none before", logs.LinesContaining("error"), 9, logs.Backward, 0, false},
		{"back from before the start", logs.LinesContaining("error"), -1, logs.Backward, 0, false},
		{"beyond ASCII", logs.LinesContaining("ärger"), 0, logs.Forward, 2000, true},
		{"as shown", logs.LinesContaining("        the"), 0, logs.Forward, 1500, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line, found, err := l.Search(t.Context(), tt.matcher, tt.from, tt.dir)
			if line != tt.line || found != tt.found || err != nil {
				t.Errorf("Search = %d, %v, %v; want %d, %v", line, found, err, tt.line, tt.found)
			}
		})
	}
	if before, n, err := l.CountMatches(t.Context(), logs.LinesContaining("ERROR"), 1500); before != 1 || n != 3 || err != nil {
		t.Errorf("Count = %d, %d, %v", before, n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := l.Search(ctx, logs.LinesContaining("nowhere"), 0, logs.Forward); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Search says %v", err)
	}
	if _, _, err := l.CountMatches(ctx, logs.LinesContaining("error"), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Count says %v", err)
	}
}

// TestSearchIsWhatIsShown: a search matches each line as it is shown, even if it skips whole blocks of lines.
func TestSearchIsWhatIsShown(t *testing.T) {
	parts := []string{"word", "WORD", "\x1b[1;31m", "\x1b[0m", "\t", " ", "wo", "rd", "\r", "\b", "é", "É", "✓", "\u200b", "\u212a", "e\u0301",
		"\xff", "\x7f", "\x1b]0;word\a", "\x1b[3", "\x1b[2K", "\x1b[C", "12345678", "日本", "\u00ad", "\n", "\r\n", strings.Repeat("x", 16<<10-2)}
	queries := []string{"word", "o r", "É", "k", "x\x1b", "日", "✓12", "  ", "xw", "8w", "1m"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 / testscale.Divisor {
		var text strings.Builder
		for range rng.IntN(40) {
			text.WriteString(parts[rng.IntN(len(parts))])
		}
		l := written(t, text.String())
		_, total := l.Size()
		all := lines(t, l, 0, total)
		for _, q := range queries {
			m, want := logs.LinesContaining(q), 0
			for _, line := range all {
				if m.Matches(sanitize.OutputPlain(line)) {
					want++
				}
			}
			if _, n, err := l.CountMatches(t.Context(), m, 0); n != want || err != nil {
				t.Fatalf("%q is in %d lines of %q, not %d (%v)", q, want, text.String(), n, err)
			}
		}
	}
}

// TestSearchBackInALongLog: a backward search works across many blocks of lines, most of which are skipped.
func TestSearchBackInALongLog(t *testing.T) {
	l := written(t, strings.Repeat("nothing\n", 5)+"here\n"+strings.Repeat("nothing\n", 20_000)+"here\n"+strings.Repeat("nothing\n", 9_000))
	for from, want := range map[int]int{1 << 40: 20_006, 20_006: 20_006, 20_005: 5, 4: 0} {
		if line, found, err := l.Search(t.Context(), logs.LinesContaining("HERE"), from, logs.Backward); line != want || found != (want > 0) || err != nil {
			t.Errorf("from %d: %d, %v, %v; want %d", from, line, found, err, want)
		}
	}
}

// million returns a log of a million lines of about 50 bytes.
func million(b *testing.B, line string) *logs.Log {
	l, _ := create(b)
	var block bytes.Buffer
	for i := range 1_000_000 {
		fmt.Fprintf(&block, line, i)
		if block.Len() > 4000 {
			l.Write(block.Bytes())
			block.Reset()
		}
	}
	l.Write(block.Bytes())
	return l
}

func BenchmarkWindow(b *testing.B) {
	l := million(b, "%07d some ordinary words of an ordinary log, ok\n")
	i := 0
	for b.Loop() {
		i = (i + 7_654_321) % 1_000_000
		if _, err := l.Lines(i, 50); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSearch searches a log of a million lines to its end: plain, with colours, and with a character outside ASCII
// in every line.
func BenchmarkSearch(b *testing.B) {
	for name, line := range map[string]string{
		"plain":   "%07d some ordinary words of an ordinary log, ok\n",
		"colours": "\x1b[32mok\x1b[0m %07d some ordinary words of a log, ok\n",
		"signs":   "✓ %07d some ordinary words of an ordinary log\n",
	} {
		b.Run(name, func(b *testing.B) {
			l := million(b, line)
			began, before := 0, processorTime(b)
			for b.Loop() {
				began++
				if _, found, _ := l.Search(b.Context(), logs.LinesContaining("0999999 SOME"), 0, logs.Forward); !found {
					b.Fatal("not found")
				}
			}
			b.ReportMetric(float64((processorTime(b)-before).Milliseconds())/float64(began), "cpu-ms/op")
		})
	}
}

// processorTime returns the processor time of this process: other processes may use the machine, too.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkSearchBack(b *testing.B) {
	l := million(b, "%07d some ordinary words of an ordinary log, ok\n")
	for b.Loop() {
		if _, found, _ := l.Search(b.Context(), logs.LinesContaining("nowhere"), 1<<40, logs.Backward); found {
			b.Fatal("found")
		}
	}
}

func BenchmarkCount(b *testing.B) {
	l := million(b, "%07d some ordinary words of an ordinary log, ok\n")
	for b.Loop() {
		l.CountMatches(b.Context(), logs.LinesContaining("nowhere"), 0)
	}
}

func BenchmarkOpen(b *testing.B) {
	l, path := create(b)
	l.Write(bytes.Repeat([]byte("forty-nine bytes and a line feed, as is usual....\n"), 1_000_000))
	b.SetBytes(50_000_000)
	for b.Loop() {
		if _, err := logs.Open(at(path)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWrite writes about 4 KB at a time, as a pseudo-terminal delivers them.
func BenchmarkWrite(b *testing.B) {
	l, _ := create(b)
	block := bytes.Repeat([]byte("forty-nine bytes and a line feed, as is usual....\n"), 80)
	changed := l.Watch()
	defer l.Unwatch(changed)
	for b.Loop() {
		l.Write(block)
	}
	b.ReportMetric(80*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
