package rewrite

import (
	"slices"
	"testing"

	"playhead/engine/machine"
)

// TestDocumentEdits: EditSnapshots returns the edits since the files were last loaded, even if rewinds are shown or
// events are missing, so that sequence numbers are not indexes.
func TestDocumentEdits(t *testing.T) {
	event := func(seq int, b machine.Body) machine.Event { return machine.Event{Seq: seq, Body: b} }
	edit := func(seq int, snapshot string) machine.Event {
		return event(seq, &machine.DocumentReloaded{Snapshot: snapshot, EditSubject: "edit of 1"})
	}
	start := event(1, &machine.RunStarted{})
	for name, c := range map[string]struct {
		events []machine.Event
		want   []string
		label  string
	}{
		"none":                    {[]machine.Event{start}, nil, ""},
		"one":                     {[]machine.Event{start, edit(2, "a")}, []string{"", "a"}, "edit of 1"},
		"two behind rewinds":      {[]machine.Event{start, event(9, &machine.RunRewound{ToSeq: 1}), edit(10, "a"), event(30, &machine.RunRewound{ToSeq: 10}), edit(31, "b")}, []string{"", "a", "b"}, "last 2 edits to the document"},
		"loaded again in between": {[]machine.Event{start, edit(2, "a"), event(3, &machine.DocumentReloaded{Snapshot: "b"}), edit(7, "c")}, []string{"b", "c"}, "edit of 1"},
	} {
		if got, label := EditSnapshots(c.events); !slices.Equal(got, c.want) || label != c.label {
			t.Errorf("%s: %q %q", name, got, label)
		}
	}
}

// TestContains: a file contains the edits that were written into it, whatever else changed there.
func TestContains(t *testing.T) {
	const base, edited = "a\nb\nc\nd\n", "a\nB\nc\n" // a line is changed, another removed
	for text, want := range map[string]bool{
		edited: true, "a\nB\nc2\n": true, "x\na\nB\nc\n": true,
		base: false, "a\nb\nc\n": false, "a\nB\nc\nd\n": false,
	} {
		at := func(text string) FileContents { return FileContents{"f": []byte(text)} }
		if got := at(text).ContainsEdits(at(base), at(edited)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
