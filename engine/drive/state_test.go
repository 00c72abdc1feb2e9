package drive

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// TestStateAsJSON: a status keeps all its fields when it is sent to another process.
func TestStateAsJSON(t *testing.T) {
	question := &machine.Question{
		Action: machine.ActionRef{StepLabel: "2", StepID: "{N}", Attempt: 3, Instance: "7", ActionIndex: 1}, Kind: machine.KindReply, Prompt: "How bad?",
		ShownBlock: &plan.VerbatimBlock{Language: "json", Text: "{}"}, Options: []string{"pass"}, Draft: "so far", ReplySourceError: "no server", MayHaveActed: true,
		Field: &plan.Field{Name: "x", Type: "input", Prompt: plan.Literal("What?")}, Call: &plan.ToolCall{ID: "1", Name: "list"},
		ManualReplyForm: machine.ManualReplyForm{
			Choices: []plan.ReplyChoice{{Name: "next", Reply: "{}", To: "3"}},
			Fields:  []plan.Field{{Name: "y", Type: "select", Options: []string{"a"}, AskedIf: plan.FieldCondition{Field: "x", AnyOf: []string{"1"}}}},
		},
	}
	want := engine.Status{
		State: engine.Waiting, Question: question, WaitingFor: &machine.Waiting{Step: "2", Attempt: 3, Kind: machine.KindReply, StepText: "How bad?"},
		NextEvent: &machine.Event{Seq: 4, Step: "2", Body: &machine.StepEntered{}}, HitBreakpoint: "2", PausesNext: true, ToolToApprove: &tools.Tool{Server: "s", Name: "list", Effect: tools.ReadsOnly},
		PendingValues: []plan.Assignment{{Name: "x", Value: "1"}}, RunningStep: "2", RunningLog: "logs/000003.log",
		Notice: &model.Notice{Text: "busy", RetryAt: time.Unix(100, 0).UTC(), RetryNow: func() {}}, ReasoningWords: 9, ReplySourceName: "manual", NextReplyManual: true,
		Breakpoints: []engine.Breakpoint{{Step: "2", After: true, NthHit: 2}}, HitCounts: map[string]int{"2": 1}, Controller: "somebody", PausedBy: "somebody else", Err: errors.New("full disk"),
	}
	data, err := json.Marshal(newState(track.New(&plan.Plan{}), 3, want))
	if err != nil {
		t.Fatal(err)
	}
	var state State
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatal(err)
	}
	got := state.EngineStatus()
	if got.Notice.RetryNow == nil {
		t.Error("the notice has no RetryNow")
	}
	want.Notice.RetryNow, got.Notice.RetryNow = nil, nil
	for i := range reflect.TypeOf(want).NumField() {
		name := reflect.TypeOf(want).Field(i).Name
		a, b := reflect.ValueOf(want).Field(i).Interface(), reflect.ValueOf(got).Field(i).Interface()
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s is %+v, was %+v", name, b, a)
		}
	}
}

// TestNeedAsText: WriteText says what a run waits for in the words of the screen, not of the journal.
func TestNeedAsText(t *testing.T) {
	for want, w := range map[string]machine.Waiting{
		"run 7f3a is paused before 2\n":        {Step: "2", Kind: machine.KindPause},
		"run 7f3a is paused at breakpoint 2\n": {Step: "2", Kind: machine.KindPause, Prompt: "paused at breakpoint 2"},
		"run 7f3a is paused after 2\n  next: fail, exit 1 → end of group 1\n": {Step: "2", Kind: machine.KindPause, Prompt: "paused after 2",
			NextDecision: &machine.Decision{Outcome: &plan.Outcome{Result: plan.Failed, Source: "exit 1"}, To: "1", Destination: machine.Destination{Kind: machine.ToGroupRoutes}}},
		"run 7f3a waits at 2 for approval of the call to web/search\n":      {Step: "2", Kind: machine.KindApproveCall, Prompt: "web/search"},
		"run 7f3a waits at 2: Shall it go out?\n  playhead do answer yes\n": {Step: "2", Kind: "decide", Prompt: "Shall it go out?"},
		"run 7f3a waits at 3 for a model's reply\n":                         {Step: "3", Kind: machine.KindReply, Prompt: "Sum it up:\n- all"},
	} {
		var got strings.Builder
		need := &Need{Waiting: w}
		if w.Kind == "decide" {
			need.AnswerArguments = []string{"answer yes"}
		}
		State{RunID: "7f3a", WaitingFor: need}.WriteText(&got, false)
		if text := strings.ReplaceAll(got.String(), " --run 7f3a", ""); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}
