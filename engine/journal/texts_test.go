package journal

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

// TestLongTexts: a long text is stored once, however many events contain it, and reading the journal restores it in all
// of them.
func TestLongTexts(t *testing.T) {
	s, r := newRun(t)
	r.AddSecrets("hunter2")
	text := strings.Repeat("long \"text\"\n<of> hunter2\x00é", 2500)
	o := &plan.Outcome{Result: plan.Passed, Text: text}
	written := record(t, r, started(), &machine.StepEntered{},
		&machine.ActionFinished{Kind: "tool", Output: text, Outcome: o}, &machine.VariableCaptured{Variable: "v", Value: text},
		&machine.VariableCaptured{Variable: "v", Value: map[string]any{textReferencePrefix + "x": []any{textReferencePrefix + strings.Repeat("0", 64)}}},
		&machine.StepFinished{Result: plan.Passed, Outcome: o}, &machine.Decision{Outcome: o, To: "end"})
	for i := range written {
		written[i] = r.MaskEvent(written[i])
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if size := len(contents(t, r.eventsPath())); size > 4<<10 {
		t.Errorf("the journal takes %d bytes", size)
	}
	files, err := os.ReadDir(filepath.Join(r.dir, textsDir))
	if err != nil || len(files) != 3 { // the long one, and two that look like a reference
		t.Errorf("%d texts, %v", len(files), err)
	}
	h, err := s.ReadHistory(r.ID())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "events", written, h.Events)
	if strings.Contains(h.Events[3].Body.(*machine.VariableCaptured).Value.(string), "hunter2") {
		t.Error("a secret is stored")
	}
	id, err := s.Fork(r.ID(), 0, start)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.ReadHistory(id)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "events of a fork", written, f.Events[:len(written)])
}

// TestLostTexts: a missing or damaged text damages the journal, and so does a reference that leads out of the folder.
func TestLostTexts(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"gone":    os.Remove,
		"damaged": func(path string) error { return os.WriteFile(path, []byte("other"), 0o600) },
	} {
		s, r := newRun(t)
		record(t, r, started(), &machine.WarningRecorded{Message: strings.Repeat("x", longTextBytes)})
		files, _ := filepath.Glob(filepath.Join(r.dir, textsDir, "*"))
		if len(files) != 1 {
			t.Fatal(files)
		}
		if err := harm(files[0]); err != nil {
			t.Fatal(err)
		}
		h, err := s.ReadHistory(r.ID())
		if err == nil || !strings.Contains(err.Error(), "one of the event's stored texts") || len(h.Events) != 1 {
			t.Errorf("%s: %d events, %v", name, len(h.Events), err)
		}
	}
	f := Folder{dir: t.TempDir()}
	write(t, filepath.Join(f.dir, "secret"), []byte("hunter2"))
	if got, err := f.loadTexts([]byte(`{"message":"` + textReferencePrefix + `../secret"}`)); err == nil {
		t.Errorf("read %s", got)
	}
}

// TestStoredTextsComeBack: storing the texts of a line and loading them again restores the line byte for byte.
func TestStoredTextsComeBack(t *testing.T) {
	r := &Run{Folder: Folder{dir: t.TempDir()}, isVolatile: true}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Just(textReferencePrefix), rapid.Just(strings.Repeat(`\"`, longTextBytes/3)))
		line := encodeJSON(rapid.MapOfN(text, rapid.SliceOfN(text, 0, 2), 0, 3).Draw(t, "line"))
		kept, err := r.storeTexts(line)
		if err != nil {
			t.Fatal(err)
		}
		back, err := r.loadTexts(kept)
		if err != nil || !bytes.Equal(line, back) {
			t.Fatalf("%.200q came back as %.200q, %v", line, back, err)
		}
	})
}
