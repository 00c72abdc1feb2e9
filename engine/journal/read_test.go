package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"playhead/engine/machine"
)

// lines returns n intact lines of a journal.
func lines(t testing.TB, n int) []string {
	t.Helper()
	var out []string
	for i := range n {
		line, err := machine.Event{Seq: i + 1, Time: start, Step: "1", Body: &machine.StepEntered{}}.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(line)+"\n")
	}
	return out
}

func TestDamage(t *testing.T) {
	l := lines(t, 4)
	cases := map[string]struct {
		data string
		line int // the line of the error; 0: no error
		want string
		kept int
		torn string
		note string
	}{
		"whole":               {data: strings.Join(l, ""), kept: 4},
		"DOS line ends":       {data: strings.ReplaceAll(strings.Join(l, ""), "\n", "\r\n"), kept: 4},
		"empty":               {note: "has no events"},
		"torn":                {data: l[0] + l[1][:20], kept: 1, torn: l[1][:20], note: "20 bytes after event 1"},
		"torn before the end": {data: l[0] + strings.TrimSpace(l[1]), kept: 1, torn: strings.TrimSpace(l[1]), note: "cut off"},
		"only a torn line":    {data: `{"se`, torn: `{"se`, note: "cut off"},
		"zeros at the end":    {data: l[0] + "\x00\x00\x00", kept: 1, torn: "\x00\x00\x00", note: "cut off"},
		"torn, then zeros":    {data: l[0] + `{"seq":` + "\x00\x00", kept: 1, torn: `{"seq":` + "\x00\x00", note: "cut off"},
		"junk between":        {data: l[0] + "hello\n" + l[1], line: 2, want: "is not an event", kept: 1},
		"junk at the end":     {data: l[0] + "hello\n", line: 2, want: "is not an event", kept: 1},
		"junk without a line": {data: l[0] + "hello", line: 2, want: "nor the beginning", kept: 1},
		"binary":              {data: "\x7fELF\x02\x01\x01\x00\x00\x00", line: 1, want: "nor the beginning"},
		"an empty line":       {data: l[0] + "\n" + l[1], line: 2, want: "is not an event", kept: 1},
		"two events a line":   {data: strings.TrimSpace(l[0]) + l[1], line: 1, want: "is not an event"},
		"zeros between":       {data: l[0] + "\x00\x00\n" + l[1], line: 2, want: "is not an event", kept: 1},
		"an event lost":       {data: l[0] + l[2], line: 2, want: "found event 3 where event 2 was expected", kept: 1},
		"the first lost":      {data: l[1], line: 1, want: "found event 2 where event 1 was expected"},
		"an event twice":      {data: l[0] + l[0], line: 2, want: "found event 1 where event 2 was expected", kept: 1},
		"no number":           {data: `{"type":"resumed"}` + "\n", line: 1, want: "found event 0"},
		"an odd number":       {data: `{"seq":1.5,"type":"resumed"}` + "\n", line: 1, want: "is not an event"},
		"no type":             {data: `{"seq":1}` + "\n", line: 1, want: "no type"},
		"null":                {data: "null\n", line: 1, want: "no type"},
		"an array":            {data: "[]\n", line: 1, want: "is not an event"},
		"unknown types": {
			data: `{"seq":1,"type":"dreamt"}` + "\n" + `{"seq":2,"type":"dreamt"}` + "\n" + `{"seq":3,"type":"woken"}` + "\n",
			kept: 3, note: "was recorded by a newer Playhead: this version ignores the events that it does not know (dreamt, woken), but keeps them"},
		"deep": {data: `{"seq":1,"type":"x","v":` + strings.Repeat("[", 20_000) + "\n", line: 1, want: "is not an event"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, r := newRun(t)
			_ = r.Close()
			write(t, r.eventsPath(), []byte(c.data))

			h, err := s.ReadHistory(r.ID())
			checkDamage(t, err, r.eventsPath(), c.line, c.want)
			if len(h.Events) != c.kept {
				t.Errorf("%d events, want %d", len(h.Events), c.kept)
			}
			if notes := strings.Join(h.Notes, "\n"); err == nil && (c.note == "") != (notes == "") || !strings.Contains(notes, c.note) {
				t.Errorf("notes = %q, want %q", notes, c.note)
			}
			if got := string(contents(t, r.eventsPath())); got != c.data {
				t.Errorf("Read changed the file to %q", got)
			}

			again, _, err := s.Open(r.ID())
			checkDamage(t, err, r.eventsPath(), c.line, c.want)
			if err != nil {
				if again, _, err = s.Open(r.ID()); again != nil || errors.As(err, new(*InUseError)) {
					t.Errorf("the lock was kept: %v", err)
				}
				return
			}
			defer func() { _ = again.Close() }()
			checkMended(t, again, c.data, c.torn)
		})
	}
}

func checkDamage(t *testing.T, err error, file string, line int, want string) {
	t.Helper()
	if line == 0 {
		if err != nil {
			t.Fatalf("error %v, want none", err)
		}
		return
	}
	var corrupt *CorruptError
	if !errors.As(err, &corrupt) || corrupt.Line != line {
		t.Fatalf("error %v, want one at line %d", err, line)
	}
	for _, part := range []string{fmt.Sprintf("%s:%d: ", file, line), want, "Restore the file", "playhead rm"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
}

// checkMended checks that a torn line was moved to a file of its own, and that the journal takes another event.
func checkMended(t *testing.T, r *Run, data, torn string) {
	t.Helper()
	same(t, "journal", strings.TrimSuffix(data, torn), string(contents(t, r.eventsPath())))
	if torn != "" {
		same(t, "what was put aside", torn+"\n", string(contents(t, filepath.Join(r.Dir(), tornFile))))
	}
	record(t, r, &machine.RunResumed{})
	c, err := readEvents(r.Folder, bytes.NewReader(contents(t, r.eventsPath())))
	if err != nil || len(c.events) != r.lastSeq {
		t.Errorf("after one more event: %d events, %v; want %d", len(c.events), err, r.lastSeq)
	}
}

func TestEveryTornLineIsKept(t *testing.T) {
	s, r := newRun(t)
	_ = r.Close()
	for _, torn := range []string{`{"seq":1`, `{"seq":1,"t`} {
		write(t, r.eventsPath(), []byte(torn))
		again, _, err := s.Open(r.ID())
		if err != nil {
			t.Fatal(err)
		}
		_ = again.Close()
	}
	same(t, "put aside", "{\"seq\":1\n{\"seq\":1,\"t\n", string(contents(t, filepath.Join(r.Dir(), tornFile))))
}

func TestTornLineStaysWhenItCannotBePutAside(t *testing.T) {
	s, r := newRun(t)
	_ = r.Close()
	write(t, r.eventsPath(), []byte(`{"seq":1`))
	if err := os.Mkdir(filepath.Join(r.Dir(), tornFile), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Open(r.ID()); err == nil || !strings.Contains(err.Error(), "incomplete end") {
		t.Errorf("Open = %v", err)
	}
	same(t, "journal", `{"seq":1`, string(contents(t, r.eventsPath())))
}

// endless is a file without line breaks.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return copy(p, bytes.Repeat([]byte("{"), len(p))), nil
}

func TestEndlessLine(t *testing.T) {
	e := &endless{}
	_, err := readEvents(Folder{dir: "/runs/ab12"}, e)
	checkDamage(t, err, "/runs/ab12/events.jsonl", 1, "longer than 64 MiB")
	if e.read > maxLine+(1<<20) {
		t.Errorf("%d bytes were read", e.read)
	}
}

func TestLinesAreBounded(t *testing.T) {
	fits := strings.Repeat("x", 99_999)
	l := newLineReader(strings.NewReader(fits+"\n"+fits+"x\n"), 100_000)
	if line, err := l.nextLine(); err != nil || string(line) != fits {
		t.Errorf("a line of 99,999 bytes: %d, %v", len(line), err)
	}
	if _, err := l.nextLine(); !errors.Is(err, bufio.ErrTooLong) {
		t.Errorf("a line of 100,000 bytes: %v", err)
	}
	r := &Run{Folder: Folder{dir: "/runs/ab12"}, journal: &memory{}}
	if err := r.writeLine(make([]byte, maxLine+1)); err == nil || !strings.Contains(err.Error(), "the limit is") {
		t.Errorf("write = %v", err)
	}
	if err := r.writeLine(make([]byte, maxLine)); err != nil {
		t.Errorf("write = %v", err)
	}
}

func TestUnreadableFile(t *testing.T) {
	_, err := readEvents(Folder{dir: "/runs/ab12"}, io.MultiReader(strings.NewReader(lines(t, 1)[0]), failing{}))
	if !errors.Is(err, unix.EIO) || !strings.Contains(err.Error(), "/runs/ab12/events.jsonl") {
		t.Errorf("read = %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, unix.EIO }

func TestMissingJournal(t *testing.T) {
	for name, replace := range map[string]func(path string) error{
		"gone":     func(string) error { return nil },
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"a pipe":   func(path string) error { return unix.Mkfifo(path, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			s, r := newRun(t)
			_ = r.Close()
			if err := errors.Join(os.Remove(r.eventsPath()), replace(r.eventsPath())); err != nil {
				t.Fatal(err)
			}
			if _, err := s.ReadHistory(r.ID()); err == nil || !strings.Contains(err.Error(), r.eventsPath()) {
				t.Errorf("Read = %v", err)
			}
			if _, _, err := s.Open(r.ID()); err == nil || !strings.Contains(err.Error(), r.eventsPath()) {
				t.Errorf("Open = %v", err)
			}
		})
	}
}

// TestAnyPrefixOfAJournalIsAPrefixOfItsEvents: a journal that is cut at any byte gives a prefix of its events, and the
// rest of its bytes as a torn line.
func TestAnyPrefixOfAJournalIsAPrefixOfItsEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &memory{}
		r := &Run{Folder: Folder{dir: "/runs/ab12"}, journal: m}
		want := anyEvents(t)
		ends := map[int]int{0: 0} // events by the size of the journal
		for _, e := range want {
			if err := r.Append(e); err != nil {
				t.Fatal(err)
			}
			ends[m.Len()] = e.Seq
		}
		cut := rapid.IntRange(0, m.Len()).Draw(t, "cut")
		c, err := readEvents(r.Folder, bytes.NewReader(m.Bytes()[:cut]))
		if err != nil {
			t.Fatal(err)
		}
		n, between := ends[int(c.wholeLineBytes)]
		if !between || n != len(c.events) || int(c.wholeLineBytes)+len(c.tornLine) != cut {
			t.Fatalf("cut at %d: %d events in %d bytes and %d torn ones", cut, len(c.events), c.wholeLineBytes, len(c.tornLine))
		}
		if _, whole := ends[cut]; whole != (len(c.tornLine) == 0) {
			t.Fatalf("cut at %d: torn %q", cut, c.tornLine)
		}
		equal(t, want[:n], c.events)
	})
}

// FuzzRead: reading accepts any data and loses no byte, and the events that it returns can be written and read again.
func FuzzRead(f *testing.F) {
	l := lines(f, 3)
	f.Add([]byte(strings.Join(l, "")))
	f.Add([]byte(l[0] + l[1][:30]))
	f.Add([]byte(l[0] + l[2]))
	f.Add([]byte("\x00\x00\n{}\n"))
	f.Add([]byte(`{"seq":1,"time":"2026-03-01T09:00:00Z","type":"captured","variable":"a","value":{"b":[1,null]}}` + "\n"))
	f.Add([]byte(`{"seq":1,"type":"dreamt","of":"sheep"}` + "\n" + `{"seq":2,"type":"resumed"` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := readEvents(Folder{dir: "/runs/ab12"}, bytes.NewReader(data))
		var corrupt *CorruptError
		switch {
		case err == nil && int(c.wholeLineBytes)+len(c.tornLine) != len(data):
			t.Fatalf("%d + %d bytes of %d", c.wholeLineBytes, len(c.tornLine), len(data))
		case err != nil && (!errors.As(err, &corrupt) || corrupt.Line != len(c.events)+1):
			t.Fatalf("error %v after %d events", err, len(c.events))
		}
		m := &memory{}
		r := &Run{Folder: Folder{dir: "/runs/ab12"}, journal: m}
		for _, e := range c.events {
			if err := r.Append(e); err != nil {
				t.Skip() // a time that Go can read but not write
			}
		}
		back, err := readEvents(r.Folder, m)
		if err != nil || len(back.events) != len(c.events) {
			t.Fatalf("written again: %d of %d events, %v", len(back.events), len(c.events), err)
		}
	})
}
