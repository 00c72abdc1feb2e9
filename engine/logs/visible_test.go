package logs_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/logs"
)

// TestVisible: what was said is not emulated, however it is read, and is found as it shows.
func TestVisible(t *testing.T) {
	l, _ := create(t)
	if _, err := l.Write([]byte("one\r\nEVIL\x1b[2K\rfine\n\x1b[31mr\u202eed\n")); err != nil {
		t.Fatal(err)
	}
	v := logs.Visible{Log: l}
	want := []string{"one", `EVIL\x1b[2K\rfine`, `\x1b[31mr\u202eed`}
	got, err := v.Lines(0, 9)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if text := v.Text(1 << 10); text != strings.Join(want, "\n")+"\n" {
		t.Errorf("the text is %q", text)
	}
	for query, line := range map[string]int{"evil": 1, `2k\rfine`: 1, `[31mr\u`: 2} {
		if at, found, err := v.Search(t.Context(), logs.Containing(query), 0, logs.Forward); at != line || !found || err != nil {
			t.Errorf("%s is in line %d: %v %v", query, at, found, err)
		}
	}
	if _, n, err := v.Count(t.Context(), logs.Containing("red"), 0); n != 0 || err != nil {
		t.Errorf("what no terminal showed is found in %d lines (%v)", n, err)
	}
	if text := l.Text(1 << 10); text != "one\nfine\nred\n" {
		t.Errorf("as the output of a program it is %q", text)
	}
}
