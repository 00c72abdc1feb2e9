package linediff

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// marked writes hunks as text, with ~ between them.
func marked(hunks []Hunk) string {
	var b strings.Builder
	for i, h := range hunks {
		if i > 0 {
			b.WriteString("~\n")
		}
		for _, l := range h {
			fmt.Fprintf(&b, "%s%d/%d %s\n", l.Op, l.NumberInA, l.NumberInB, l.Text)
		}
	}
	return b.String()
}

func TestLines(t *testing.T) {
	long := strings.Split(strings.Repeat("x", 20), "")
	for _, c := range []struct {
		name, want string
		a, b       []string
	}{
		{"nothing", "", nil, nil},
		{"the same", "", []string{"a", "b"}, []string{"a", "b"}},
		{"all new", "+0/1 a\n", nil, []string{"a"}},
		{"one line changed", " 1/1 a\n-2/0 b\n+0/2 B\n 3/3 c\n", []string{"a", "b", "c"}, []string{"a", "B", "c"}},
		{
			"apart",
			"-1/0 first\n 2/1 x\n 3/2 x\n 4/3 x\n~\n 19/18 x\n 20/19 x\n 21/20 x\n+0/21 last\n",
			slices.Concat([]string{"first"}, long), slices.Concat(long, []string{"last"}),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := marked(CompareLines(c.a, c.b)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestCompareOutputs(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"nothing", "", "", ""},
		{"the same", "a\nb\n", "a\nb\n", ""},
		{"line ends and colours are no difference", "a\r\nb", "\x1b[31ma\x1b[0m\nb\n", ""},
		{"one is longer", "a\n", "a\nb\n", " 1/1 a\n+0/2 b\n"},
		{"controls do not reach the diff", "a\x1b]0;title\x07\n", "b\x1b[2J\n", "-1/0 a\n+0/1 b\n"},
		{"numbers count from the start", "1\n2\n3\n4\n5\nx\n", "1\n2\n3\n4\n5\ny\n", " 3/3 3\n 4/4 4\n 5/5 5\n-6/0 x\n+0/6 y\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := CompareOutputs(strings.NewReader(c.a), strings.NewReader(c.b))
			if err != nil {
				t.Fatal(err)
			}
			if got := marked(d.Hunks); got != c.want || d.LastComparedLine != 0 {
				t.Errorf("got\n%s\n(%d) want\n%s", got, d.LastComparedLine, c.want)
			}
		})
	}
}

// TestCompareLongOutputs: only a part of long texts is compared, and the diff says up to which line.
func TestCompareLongOutputs(t *testing.T) {
	const most = 500_000
	text := strings.Repeat("line\n", most)
	same := func() io.Reader { return strings.NewReader(text) }
	a := io.MultiReader(same(), strings.NewReader("one\n"), same())
	b := io.MultiReader(same(), strings.NewReader("two\n"), same())
	d, err := CompareOutputs(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if removed, added := d.ChangedLineCounts(); removed != 1 || added != 1 || d.LastComparedLine != most+maxComparedLines-contextLines {
		t.Errorf("-%d +%d, limit %d", removed, added, d.LastComparedLine)
	}
	if l := d.Hunks[0][contextLines]; l.NumberInA != most+1 || l.Text != "one" {
		t.Errorf("the difference is %+v", l)
	}
	if d, err := CompareOutputs(same(), same()); err != nil || !d.IsEqual() || d.LastComparedLine != 0 {
		t.Errorf("equal texts differ: %+v, %v", d, err)
	}
}

func TestCompareOutputsFails(t *testing.T) {
	broken := errors.New("broken")
	if _, err := CompareOutputs(iotest.ErrReader(broken), strings.NewReader("a\n")); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// FuzzCompareOutputs: the line numbers of a diff increase, its lines have no controls, and equal texts do not differ.
func FuzzCompareOutputs(f *testing.F) {
	f.Add("a\nb\n", "a\nc\n")
	f.Add("\x1b[31mx\r\n", "x\x00\n\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		d, err := CompareOutputs(strings.NewReader(a), strings.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		lastA, lastB := 0, 0
		for _, h := range d.Hunks {
			for _, l := range h {
				if l.NumberInA != 0 && l.NumberInA <= lastA || l.NumberInB != 0 && l.NumberInB <= lastB || strings.ContainsAny(l.Text, "\x1b\n\r") {
					t.Fatalf("%+v behind %d/%d", l, lastA, lastB)
				}
				lastA, lastB = max(lastA, l.NumberInA), max(lastB, l.NumberInB)
			}
		}
		if equal, err := CompareOutputs(strings.NewReader(a), strings.NewReader(a)); err != nil || !equal.IsEqual() {
			t.Fatalf("%q differs from itself: %+v, %v", a, equal, err)
		}
	})
}
