package rewrite

import (
	"slices"
	"testing"

	"playhead/engine/machine"
)

// TestDocumentEdits: the edits since the files were loaded, also of a branch that shows its rewinds or lacks
// events, whose numbers are then no positions.
func TestDocumentEdits(t *testing.T) {
	event := func(seq int, b machine.Body) machine.Event { return machine.Event{Seq: seq, Body: b} }
	edit := func(seq int, snapshot string) machine.Event {
		return event(seq, &machine.Reloaded{Snapshot: snapshot, About: "edit of 1"})
	}
	start := event(1, &machine.Started{})
	for name, c := range map[string]struct {
		events []machine.Event
		want   []string
		label  string
	}{
		"none":                    {[]machine.Event{start}, nil, ""},
		"one":                     {[]machine.Event{start, edit(2, "a")}, []string{"", "a"}, "edit of 1"},
		"two behind rewinds":      {[]machine.Event{start, event(9, &machine.Rewound{To: 1}), edit(10, "a"), event(30, &machine.Rewound{To: 10}), edit(31, "b")}, []string{"", "a", "b"}, "last 2 edits of the document"},
		"loaded again in between": {[]machine.Event{start, edit(2, "a"), event(3, &machine.Reloaded{Snapshot: "b"}), edit(7, "c")}, []string{"b", "c"}, "edit of 1"},
	} {
		if got, label := DocumentEdits(c.events); !slices.Equal(got, c.want) || label != c.label {
			t.Errorf("%s: %q %q", name, got, label)
		}
	}
}
