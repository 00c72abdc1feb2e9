package typeahead

import (
	"testing"
	"time"

	"playhead/tui/keymap"
	"playhead/tui/terminal"
)

// TestIgnoredKeys: keys are ignored until the person pauses. Ctrl+c ends that at once, and esc does so if nothing was
// typed into a command.
func TestIgnoredKeys(t *testing.T) {
	var keys keymap.Map
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, tc := range []struct {
		name    string
		typed   bool // into a command
		at      []time.Duration
		key     string
		ignored bool
		last    bool
	}{
		{name: "at once", key: "p", ignored: true},
		{name: "after a pause", at: []time.Duration{QuietTime}, key: "p"},
		{name: "each key prolongs it", at: []time.Duration{200 * time.Millisecond, 400 * time.Millisecond}, key: "p", ignored: true},
		{name: "ctrl+c", key: "ctrl+c", ignored: true, last: true},
		{name: "esc", key: "esc", ignored: true, last: true},
		{name: "a function key", key: "f5"},
		{name: "a function key after typing", typed: true, key: "f5", ignored: true},
		{name: "esc after typing", typed: true, key: "esc", ignored: true},
		{name: "no longer after typing", typed: true, at: []time.Duration{QuietTime}, key: "p"},
	} {
		var g Guard
		g.IgnoreUntilPause(start)
		if tc.typed {
			g.IgnoreAfterTyping(start)
		}
		if tc.at == nil {
			tc.at = []time.Duration{0}
		}
		var ignored, last bool
		for _, d := range tc.at {
			ignored, last = g.CheckIgnored(start.Add(d), terminal.KeyPress(tc.key), keys)
		}
		if ignored != tc.ignored || last != tc.last {
			t.Errorf("%s: ignored %v, last %v", tc.name, ignored, last)
		}
	}
}

// TestRepeatedStepKey: in a dialog, the key that stepped is ignored until it has not been pressed for a while. Other
// keys are not ignored.
func TestRepeatedStepKey(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	n, y := terminal.KeyPress("n"), terminal.KeyPress("y")
	var g Guard
	g.NoteKeyUse(start, n, true)
	if !g.CheckQuickRepeat(start.Add(200*time.Millisecond), n) || !g.CheckQuickRepeat(start.Add(400*time.Millisecond), n) {
		t.Error("a quick repetition is not ignored")
	}
	if g.CheckQuickRepeat(start.Add(400*time.Millisecond+QuietTime), n) {
		t.Error("the key is ignored after a pause")
	}
	g.NoteKeyUse(start, n, true)
	if g.CheckQuickRepeat(start, y) || g.CheckQuickRepeat(start, n) {
		t.Error("another key is ignored, or the first key after it")
	}
	g.NoteKeyUse(start, n, false)
	if g.CheckQuickRepeat(start, n) {
		t.Error("a key that is not meant to be repeated is ignored")
	}
}

// TestHeldKeys: keys are held until the run waits or does something, but no longer than a second.
func TestHeldKeys(t *testing.T) {
	var keys keymap.Map
	var g Guard
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if g.HoldKeyUntilStarted(terminal.KeyPress("n"), keys) {
		t.Error("a key is held although the run does not begin")
	}
	g.HoldUntilStarted()
	if g.HoldKeyUntilStarted(terminal.KeyPress("ctrl+c"), keys) || !g.HoldKeyUntilStarted(terminal.KeyPress("n"), keys) {
		t.Error("ctrl+c is held, or n is not")
	}
	g.NoteStarted(start)
	if held := g.ReleaseHeldKeys(start, true); held != nil {
		t.Errorf("released before the run waits or executes something: %v", held)
	}
	if held := g.ReleaseHeldKeys(start.Add(time.Second), true); len(held) != 1 || held[0].String() != "n" {
		t.Errorf("released after a second: %v", held)
	}
}

// TestHabitualEnter: an enter directly after the digit of an answer is recognized as habitual, so that it can be
// ignored.
func TestHabitualEnter(t *testing.T) {
	var keys keymap.Map
	for _, tc := range []struct {
		answer, next []string
		want         string
	}{
		{[]string{"2"}, []string{"enter"}, "2"},
		{[]string{"2"}, []string{"p", "enter"}, ""},
		{[]string{"y"}, []string{"enter"}, ""},
	} {
		var g Guard
		for _, k := range tc.answer {
			g.NoteAnswer(time.Time{}, terminal.KeyPress(k))
		}
		got := ""
		for _, k := range tc.next {
			got = g.TakeAnswerDigitBeforeEnter(time.Time{}, terminal.KeyPress(k), keys)
		}
		if got != tc.want {
			t.Errorf("%v %v: %q, want %q", tc.answer, tc.next, got, tc.want)
		}
	}
}
