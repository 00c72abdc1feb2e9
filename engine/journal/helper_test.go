package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"playhead/engine/machine"
	"playhead/parse/plan"
)

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// document returns a runnable plan without children.
func document(path string) *plan.Plan {
	return &plan.Plan{Format: "rundown", Path: path, Title: "Release", Source: []byte("# Release\n\n## 1. Go\n")}
}

// newRun returns a run in a store of its own.
func newRun(t testing.TB) (*Store, *Run) {
	t.Helper()
	s := NewStore(filepath.Join(t.TempDir(), "runs"))
	return s, create(t, s)
}

func create(t testing.TB, s *Store) *Run {
	t.Helper()
	r, err := s.Create(document("/srv/books/release.runbook.md"), "/srv")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// record appends events with their numbers, one second apart.
func record(t testing.TB, r *Run, bodies ...machine.Body) []machine.Event {
	t.Helper()
	var events []machine.Event
	for _, b := range bodies {
		e := machine.Event{Seq: r.lastSeq + 1, Time: start.Add(time.Duration(r.lastSeq) * time.Second), Body: b}
		if _, ok := b.(*machine.StepEntered); ok {
			e.Step = fmt.Sprintf("2.%d", e.Seq)
		}
		if err := r.Append(e); err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

func started() machine.Body {
	return &machine.RunStarted{RunID: "ab12", Format: "rundown", DocumentPath: "release.runbook.md", Title: "Release"}
}

func same(t testing.TB, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty(), cmp.AllowUnexported(Folder{})); diff != "" {
		t.Errorf("%s (- want, + got):\n%s", what, diff)
	}
}

func contents(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// memory is a journal in memory with limited room.
type memory struct {
	bytes.Buffer
	room int
	err  error // returned when no room is left
}

func (m *memory) Write(p []byte) (int, error) {
	if m.err != nil && m.Len()+len(p) > m.room {
		n, _ := m.Buffer.Write(p[:m.room-m.Len()])
		return n, m.err
	}
	return m.Buffer.Write(p)
}

func (m *memory) Truncate(size int64) error { m.Buffer.Truncate(int(size)); return nil }
func (m *memory) Sync() error               { return m.err }
func (m *memory) Close() error              { return nil }

// anyEvents draws the events of a journal.
func anyEvents(t *rapid.T) []machine.Event {
	events := rapid.SliceOfN(rapid.Custom(anyEvent), 0, 12).Draw(t, "events")
	for i := range events {
		events[i].Seq = i + 1
	}
	return events
}

func anyEvent(t *rapid.T) machine.Event {
	text := rapid.String()
	e := machine.Event{
		Time:           time.Unix(rapid.Int64Range(0, 1<<35).Draw(t, "time"), rapid.Int64Range(0, 999_999_999).Draw(t, "ns")),
		Step:           text.Draw(t, "step"),
		ExplicitStepID: text.Draw(t, "id"),
		Attempt:        rapid.IntRange(0, 9).Draw(t, "attempt"),
		By:             rapid.SampledFrom([]string{"", machine.ByPerson, machine.ByFlag}).Draw(t, "by"),
		Note:           text.Draw(t, "reason"),
	}
	s := func(name string) string { return text.Draw(t, name) }
	values := func(name string) map[string]any {
		return rapid.MapOfN(text, rapid.Custom(func(t *rapid.T) any { return anyValue(t, 2) }), 0, 3).Draw(t, name)
	}
	outcome := &plan.Outcome{
		Result: plan.Failed, Source: s("source"), Text: s("text"), Data: values("data"),
		ChildResults: plan.ChildResults{{Label: s("label"), Result: plan.Passed}, {Label: "2.1", Result: plan.Failed}},
	}
	code := rapid.IntRange(0, 255).Draw(t, "code")
	e.Body = rapid.SampledFrom([]machine.Body{
		&machine.RunStarted{RunID: s("run"), DocumentPath: s("path"), Title: s("title"), Inputs: values("inputs")},
		&machine.StepEntered{OpenedGroups: []machine.OpenedGroup{{Label: s("opened"), Attempt: 2}}, InstanceNumbers: []machine.InstanceNumber{{StepID: "{N}", Number: code}}},
		&machine.ActionStarted{Kind: "command", Text: s("command")},
		&machine.ActionFinished{Kind: "command", Output: s("output"), ExitCode: &code, Outcome: outcome, Log: &machine.LogRef{File: "logs/1", Bytes: 1 << 40}},
		&machine.InputGiven{Kind: machine.KindDecide, Value: s("value"), Outcome: outcome},
		&machine.VariableCaptured{Variable: s("variable"), Value: anyValue(t, 3)},
		&machine.Decision{Outcome: outcome, Candidates: []machine.Candidate{{Line: 3, Text: s("route"), ReasonText: s("why")}}, CandidateIndex: &code},
		&machine.RunFinished{Result: plan.Stopped, Message: s("message"), Variables: values("variables"), EnteredStepLabels: []string{"1", s("last")}},
		&machine.RunResumed{},
	}).Draw(t, "body")
	return e
}

// anyValue draws a JSON value.
func anyValue(t *rapid.T, depth int) any {
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.String().Draw(t, "string")
	case 1:
		return json.Number(strconv.FormatFloat(rapid.Float64().Draw(t, "number"), 'g', -1, 64))
	case 2:
		return rapid.Bool().Draw(t, "bool")
	case 4:
		return []any{anyValue(t, depth-1), anyValue(t, depth-1)}
	case 5:
		return map[string]any{rapid.String().Draw(t, "key"): anyValue(t, depth-1)}
	}
	return nil
}

// equal is like same, for tests with rapid.
func equal(t *rapid.T, want, got any) {
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("(- want, + got):\n%s", diff)
	}
}
