package logs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"playhead/engine/logs"
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
		matcher logs.Matcher
		from    int
		dir     logs.Direction
		line    int
		found   bool
	}{
		{"through colours, in capitals or not", logs.Containing("Error"), 0, logs.Forward, 10, true},
		{"from itself", logs.Containing("error"), 10, logs.Forward, 10, true},
		{"next", logs.Containing("error"), 11, logs.Forward, 1500, true},
		{"last line", logs.Containing("error"), 1501, logs.Forward, 2999, true},
		{"none after", logs.Containing("second"), 1501, logs.Forward, 0, false},
		{"back", logs.Containing("error"), 2998, logs.Backward, 1500, true},
		{"back from itself", logs.Containing("error"), 1500, logs.Backward, 1500, true},
		{"back from beyond the end", logs.Containing("error"), 1 << 40, logs.Backward, 2999, true},
		{"none before", logs.Containing("error"), 9, logs.Backward, 0, false},
		{"back from before the start", logs.Containing("error"), -1, logs.Backward, 0, false},
		{"beyond ASCII", logs.Containing("ärger"), 0, logs.Forward, 2000, true},
		{"as shown", logs.Containing("        the"), 0, logs.Forward, 1500, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			line, found, err := l.Search(t.Context(), tt.matcher, tt.from, tt.dir)
			if line != tt.line || found != tt.found || err != nil {
				t.Errorf("Search = %d, %v, %v; want %d, %v", line, found, err, tt.line, tt.found)
			}
		})
	}
	if before, n, err := l.Count(t.Context(), logs.Containing("ERROR"), 1500); before != 1 || n != 3 || err != nil {
		t.Errorf("Count = %d, %d, %v", before, n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := l.Search(ctx, logs.Containing("nowhere"), 0, logs.Forward); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Search says %v", err)
	}
	if _, _, err := l.Count(ctx, logs.Containing("error"), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled Count says %v", err)
	}
}

// million returns a log of a million lines of 50 bytes.
func million(b *testing.B) *logs.Log {
	l, _ := create(b)
	var block bytes.Buffer
	for i := range 1_000_000 {
		fmt.Fprintf(&block, "%07d some ordinary words of an ordinary log, ok\n", i)
		if block.Len() > 4000 {
			l.Write(block.Bytes())
			block.Reset()
		}
	}
	l.Write(block.Bytes())
	return l
}

func BenchmarkWindow(b *testing.B) {
	l := million(b)
	i := 0
	for b.Loop() {
		i = (i + 7_654_321) % 1_000_000
		if _, err := l.Lines(i, 50); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	l := million(b)
	for _, from := range []int{0, 499_000} {
		b.Run(fmt.Sprint("lines=", 500_000-from), func(b *testing.B) {
			for b.Loop() {
				if _, found, _ := l.Search(b.Context(), logs.Containing("0500000 SOME"), from, logs.Forward); !found {
					b.Fatal("not found")
				}
			}
		})
	}
}

func BenchmarkCount(b *testing.B) {
	l := million(b)
	for b.Loop() {
		l.Count(b.Context(), logs.Containing("nowhere"), 0)
	}
}

func BenchmarkOpen(b *testing.B) {
	l, path := create(b)
	l.Write(bytes.Repeat([]byte("forty-nine bytes and a line feed, as is usual....\n"), 1_000_000))
	b.SetBytes(50_000_000)
	for b.Loop() {
		if _, err := logs.Open(path); err != nil {
			b.Fatal(err)
		}
	}
}

// Writes as a pseudo-terminal delivers them, about 4 KB at a time.
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
