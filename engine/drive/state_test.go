package drive

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// TestStateAsJSON: what a session says of itself reaches a screen in another process whole.
func TestStateAsJSON(t *testing.T) {
	question := &machine.Question{
		Action: machine.Ref{Step: "2", ID: "{N}", Attempt: 3, Instance: "7", Action: 1}, Kind: machine.KindReply, Prompt: "How bad?",
		Show: &plan.Block{Language: "json", Text: "{}"}, Options: []string{"pass"}, Draft: "so far", SourceError: "no server", MayHaveActed: true,
		Field: &plan.Field{Name: "x", Type: "input", Prompt: plan.Literal("What?")}, Call: &plan.ToolCall{ID: "1", Name: "list"},
		ManualReply: machine.ManualReply{
			Choices: []plan.Choice{{Name: "next", Reply: "{}", To: "3"}},
			Fields:  []plan.Field{{Name: "y", Type: "select", Options: []string{"a"}, Only: plan.Only{Field: "x", Is: []string{"1"}}}},
		},
	}
	want := engine.Status{
		State: engine.Waits, Question: question, Need: &machine.Waiting{Step: "2", Attempt: 3, Kind: machine.KindReply, Text: "How bad?"},
		NextEvent: &machine.Event{Seq: 4, Step: "2", Body: &machine.Entered{}}, Break: "2", Tool: &tools.Tool{Server: "s", Name: "list", Effect: tools.ReadsOnly},
		PendingValues: []plan.Assignment{{Name: "x", Value: "1"}}, Running: "2", Log: "logs/000003.log",
		Notice: &model.Notice{Text: "busy", Until: time.Unix(100, 0).UTC(), Skip: func() {}}, ReasoningWords: 9, Source: "manual", NextReplyManual: true,
		Breaks: []engine.Breakpoint{{Step: "2", After: true, Hit: 2}}, Hits: map[string]int{"2": 1}, Controller: "somebody", PausedBy: "somebody else", Err: errors.New("full disk"),
	}
	data, err := json.Marshal(stateOf(track.New(&plan.Plan{}), 3, want))
	if err != nil {
		t.Fatal(err)
	}
	var state State
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatal(err)
	}
	got := state.Status()
	if got.Notice.Skip == nil {
		t.Error("a call that is put off cannot be tried at once")
	}
	want.Notice.Skip, got.Notice.Skip = nil, nil
	for i := range reflect.TypeOf(want).NumField() {
		name := reflect.TypeOf(want).Field(i).Name
		a, b := reflect.ValueOf(want).Field(i).Interface(), reflect.ValueOf(got).Field(i).Interface()
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s is %+v, was %+v", name, b, a)
		}
	}
}
