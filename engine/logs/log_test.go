package logs_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"playhead/engine/logs"
	"playhead/engine/testscale"
)

// at returns the location of the file at path.
func at(path string) logs.FileLocation {
	return logs.FileLocation{RunDir: filepath.Dir(path), Name: filepath.Base(path)}
}

// create returns a new log and its path.
func create(t testing.TB) (*logs.Log, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "log")
	l, err := logs.NewAppendingLog(at(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, path
}

// written returns a log that contains text.
func written(t testing.TB, text string) *logs.Log {
	t.Helper()
	l, _ := create(t)
	write(t, l, text)
	return l
}

func write(t testing.TB, l *logs.Log, text string) {
	t.Helper()
	if n, err := l.Write([]byte(text)); err != nil || n != len(text) {
		t.Fatalf("Write = %d, %v", n, err)
	}
}

func lines(t testing.TB, l *logs.Log, from, n int) []string {
	t.Helper()
	got, err := l.Lines(from, n)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestLines(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"one", "one\n", []string{"one"}},
		{"not ended", "one\ntw", []string{"one", "tw"}},
		{"from a terminal", "one\r\ntwo\r\n", []string{"one", "two"}},
		{"empty lines", "\n\na\n\n", []string{"", "", "a", ""}},
		{"progress stays raw", "1%\r2%\r\n", []string{"1%\r2%"}},
		{"just as long as a line may be", strings.Repeat("x", 16<<10) + "\ny", []string{strings.Repeat("x", 16<<10), "y"}},
		{"too long", strings.Repeat("x", 16<<10) + "y\nz", []string{strings.Repeat("x", 16<<10), "y", "z"}},
		{"characters are not divided", strings.Repeat("x", 16<<10-1) + "日\n", []string{strings.Repeat("x", 16<<10-1) + "日"}},
		{"nor is there an end to wait for", strings.Repeat("\x80", 16<<10+5), []string{strings.Repeat("\x80", 16<<10+3), "\x80\x80"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := written(t, tt.text)
			if diff := cmp.Diff(tt.want, lines(t, l, 0, 99)); diff != "" {
				t.Error(diff)
			}
			if size, n := l.Size(); size != int64(len(tt.text)) || n != len(tt.want) {
				t.Errorf("Size = %d, %d", size, n)
			}
		})
	}
}

// TestAnyWindowReadsTheSame: Lines returns the same lines for any division into writes, from the open log and from a
// file that is opened later.
func TestAnyWindowReadsTheSame(t *testing.T) {
	dir := t.TempDir()
	files := 0
	rapid.Check(t, func(t *rapid.T) {
		files++
		path := filepath.Join(dir, fmt.Sprint(files))
		piece := rapid.Custom(func(t *rapid.T) string {
			text := rapid.SampledFrom([]string{"\n", "\r\n", "x", "some words", "日本", "\xff", "line\n", strings.Repeat("w", 1000)}).Draw(t, "text")
			return strings.Repeat(text, rapid.IntRange(1, 700).Draw(t, "times"))
		})
		pieces := rapid.SliceOfN(piece, 1, 8).Draw(t, "pieces")
		l, err := logs.NewAppendingLog(at(path))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		for _, p := range pieces {
			if _, err := l.Write([]byte(p)); err != nil {
				t.Fatal(err)
			}
		}
		want := divide(strings.Join(pieces, ""))
		opened, err := logs.Open(at(path))
		if err != nil {
			t.Fatal(err)
		}
		from := rapid.IntRange(0, len(want)).Draw(t, "from")
		n := rapid.IntRange(0, 300).Draw(t, "n")
		for _, l := range []*logs.Log{l, opened} {
			if _, total := l.Size(); total != len(want) {
				t.Fatalf("%d lines, want %d", total, len(want))
			}
			got, err := l.Lines(from, n)
			if err != nil {
				t.Fatal(err)
			}
			window := want[from:min(from+n, len(want))]
			if len(got) != len(window) || strings.Join(got, "\n") != strings.Join(window, "\n") {
				t.Fatalf("Lines(%d, %d) = %.200q, want %.200q", from, n, got, window)
			}
		}
	})
}

// divide returns the lines of text, computed in the simplest way.
func divide(text string) []string {
	var out []string
	for text != "" {
		line, rest, ended := strings.Cut(text, "\n")
		if len(line) > 16<<10 {
			n := 16 << 10
			for n < 16<<10+3 && n < len(line) && !utf8.RuneStart(line[n]) {
				n++
			}
			if n < len(line) {
				line, rest, ended = line[:n], text[n:], false
			}
		}
		if ended || rest != "" {
			line = strings.TrimSuffix(line, "\r")
		}
		out = append(out, strings.TrimSuffix(line, "\r"))
		text = rest
	}
	return out
}

func TestACommandThatPrintsNothingLeavesNoFile(t *testing.T) {
	l, path := create(t)
	write(t, l, "")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
	if got := lines(t, l, 0, 9); got != nil {
		t.Errorf("Lines = %q", got)
	}
}

func TestWhatAFileHoldsStays(t *testing.T) {
	l, path := create(t)
	write(t, l, "first run\n")
	l.Close()
	again, err := logs.NewAppendingLog(at(path))
	if err != nil {
		t.Fatal(err)
	}
	write(t, again, "second\nrun\n")
	again.Close()
	if got := lines(t, again, 0, 9); !cmp.Equal(got, []string{"second", "run"}) {
		t.Errorf("Lines = %q", got)
	}
	if got := lines(t, l, 0, 9); !cmp.Equal(got, []string{"first run"}) {
		t.Errorf("the first log reads %q", got)
	}
	part, err := logs.OpenAt(at(path), again.FileOffset(), 7)
	if err != nil {
		t.Fatal(err)
	}
	if got := lines(t, part, 0, 9); !cmp.Equal(got, []string{"second"}) {
		t.Errorf("the part at %d reads %q", again.FileOffset(), got)
	}
}

// TestGrow: a growing log reads an existing file only up to the size that it has grown to, and only whole characters.
func TestGrow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte("before\none\ntwo\nthré🚀e"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := logs.NewGrowingLogAt(at(path), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		by   int64
		want []string
	}{{0, nil}, {2, []string{"on"}}, {4, []string{"one", "tw"}}, {6, []string{"one", "two", "thré"}}, {1, []string{"one", "two", "thré🚀"}}, {1 << 40, []string{"one", "two", "thré🚀e"}}, {1, []string{"one", "two", "thré🚀e"}}} {
		if err := l.Grow(step.by); err != nil {
			t.Fatal(err)
		}
		if got := lines(t, l, 0, 9); !cmp.Equal(got, step.want) {
			t.Errorf("grown by %d it reads %q", step.by, got)
		}
	}
	if _, err := logs.NewGrowingLogAt(at(path+"s"), 0); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestOpenReportsWhatIsWrong(t *testing.T) {
	if _, err := logs.Open(at(filepath.Join(t.TempDir(), "none"))); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open of nothing: %v", err)
	}
	if _, err := logs.Open(at(t.TempDir())); err == nil {
		t.Error("a folder opens as a log")
	}
	if _, err := logs.NewAppendingLog(at(t.TempDir())); err == nil {
		t.Error("a log can be created on a folder")
	}
}

// TestFullDisk: a full disk ends the log. Its text can still be read, and Write, Err and Close return the error.
func TestFullDisk(t *testing.T) {
	l, _ := create(t)
	write(t, l, "one\ntwo\n")
	restore := limitFileSize(t, 10)
	n, err := l.Write([]byte("three\n"))
	restore()
	if n != 2 || !errors.Is(err, syscall.EFBIG) {
		t.Fatalf("Write = %d, %v", n, err)
	}
	if !errors.Is(l.Err(), syscall.EFBIG) {
		t.Errorf("Err = %v", l.Err())
	}
	if n, again := l.Write([]byte("four\n")); n != 0 || again == nil {
		t.Errorf("a later Write = %d, %v", n, again)
	}
	if got := lines(t, l, 0, 9); !cmp.Equal(got, []string{"one", "two", "th"}) {
		t.Errorf("Lines = %q", got)
	}
	if err := l.Close(); err == nil {
		t.Error("Close returns no error")
	}
}

func TestWatchersHearOfChanges(t *testing.T) {
	l, _ := create(t)
	one, two := l.Watch(), l.Watch()
	for range 1000 {
		write(t, l, "x\n")
	}
	for _, ch := range []<-chan struct{}{one, two} {
		<-ch
		select {
		case <-ch:
			t.Error("notices do not merge")
		default:
		}
	}
	late := l.Watch()
	<-late
	l.Unwatch(two)
	l.Close()
	<-one
	<-late
	select {
	case <-two:
		t.Error("a notice after Unwatch")
	default:
	}
}

func TestReadersWhileItIsWritten(t *testing.T) {
	const total = 20000
	l, _ := create(t)
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			changed := l.Watch()
			defer l.Unwatch(changed)
			for last := 0; last < total; {
				<-changed
				_, n := l.Size()
				got, err := l.Lines(n-1, 1)
				if err != nil || len(got) != 1 || got[0] != fmt.Sprint("line ", n-1) {
					t.Errorf("line %d is %q, %v", n-1, got, err)
					return
				}
				last = n
			}
		})
	}
	for i := range total {
		write(t, l, fmt.Sprintf("line %d\n", i))
	}
	readers.Wait()
}

// TestMemoryIsBounded: a command that never ends its line does not fill the memory.
func TestMemoryIsBounded(t *testing.T) {
	l, _ := create(t)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	piece := bytes.Repeat([]byte("x"), 1<<20)
	const pieces, shorts = 64 / testscale.Divisor, 12 / min(testscale.Divisor, 3)
	for range pieces {
		if _, err := l.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	short := bytes.Repeat([]byte("\n"), 1<<20)
	for range shorts {
		if _, err := l.Write(short); err != nil {
			t.Fatal(err)
		}
	}
	if _, n := l.Size(); n != pieces*64+shorts<<20-1 {
		t.Errorf("%d lines", n)
	}
	if got := lines(t, l, shorts<<20, 2); len(got) != 2 || got[0] != "" {
		t.Errorf("Lines = %.50q", got)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 2<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
}

func TestText(t *testing.T) {
	long := strings.Repeat("\x1b[32mmiddle\x1b[0m\r\n", 10000)
	tests := []struct {
		name, in string
		max      int
		want     string
	}{
		{"short", "\x1b[1mok\x1b[0m\r\n50%\r99%\r\n", 100, "ok\n99%\n"},
		{"nothing", "", 100, ""},
		{"head and tail", "first\n" + long + "last\n", 80, "first\nmiddle\nmiddle\n… cut here: 170011 bytes in all …\nmiddle\nmiddle\nlast\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := written(t, tt.in).ShortenedText(tt.max)
			if len(got) > tt.max || got != tt.want {
				t.Errorf("Text = %q (%d bytes)\nwant   %q", got, len(got), tt.want)
			}
		})
	}
	text := written(t, "first\n"+strings.Repeat("日本語\n", 100000)+"last").ShortenedText(64 << 10)
	if len(text) > 64<<10 || len(text) < 63<<10 || !utf8.ValidString(text) || !strings.HasSuffix(text, "語\nlast") {
		t.Errorf("Text has %d bytes and ends %q", len(text), text[len(text)-20:])
	}
}
