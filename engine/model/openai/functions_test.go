package openai_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"playhead/engine/model"
	"playhead/parse/plan"
)

// TestFunctions: the request contains the functions, and tool calls are assembled from the parts that servers send.
func TestFunctions(t *testing.T) {
	call := func(calls string) string { return piece(`{"tool_calls":[` + calls + `]}`) }
	two := []plan.ToolCall{{ID: "a", Name: "search", Arguments: `{"q":"é"}`}, {ID: "b", Name: "read", Arguments: `{}`}}
	for name, c := range map[string]struct {
		pieces []string
		want   []plan.ToolCall
	}{
		"in pieces": {[]string{
			call(`{"index":0,"id":"a","type":"function","function":{"name":"search","arguments":""}}`),
			call(`{"index":0,"function":{"arguments":"{\"q\":"}}`), call(`{"index":0,"function":{"arguments":"\"é\"}"}}`),
			call(`{"index":1,"id":"b","function":{"name":"read","arguments":"{}"}}`)}, two},
		"whole, without index": {[]string{
			call(`{"id":"a","function":{"name":"search","arguments":"{\"q\":\"é\"}"}},{"id":"b","function":{"name":"read","arguments":"{}"}}`)}, two},
		"the name with every part": {[]string{
			call(`{"index":0,"id":"a","function":{"name":"search","arguments":"{\"q\":"}},{"index":1,"id":"b","function":{"name":"read","arguments":"{}"}}`),
			call(`{"index":0,"id":"a","function":{"name":"search","arguments":"\"é\"}"}}`)}, two},
		"without IDs": {[]string{call(`{"index":0,"function":{"name":"now"}}`)}, []plan.ToolCall{{ID: "call_1", Name: "now"}}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := serve(t, stream(append(c.pieces, finish("tool_calls"))...))
				r := s.ask(t, model.Request{Prompt: "?", Functions: []model.Function{
					{Name: "search", Description: "finds", ArgumentSchema: []byte(`{"type":"object"}`)}, {Name: "read"},
				}})
				if diff := cmp.Diff(c.want, r.WantedCalls); r.Err != nil || r.FinishReason != "tool_calls" || diff != "" {
					t.Errorf("%v %s", r.Err, diff)
				}
				offered, _ := json.Marshal(s.requests()[0]["tools"])
				if got := string(offered); got != `[{"function":{"description":"finds","name":"search","parameters":{"type":"object"}},"type":"function"},{"function":{"name":"read"},"type":"function"}]` {
					t.Error(got)
				}
			})
		})
	}
}

// TestCallsWithoutAPlace: a tool call with an impossible index is an error.
func TestCallsWithoutAPlace(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, index := range []string{"-1", "7", "2000000000"} {
			s := serve(t, stream(piece(`{"tool_calls":[{"index":`+index+`,"id":"a"}]}`), finish("stop")))
			if r := s.ask(t, model.Request{}); r.Err == nil {
				t.Errorf("index %s: %+v", index, r)
			}
		}
	})
}

// TestThread: a request contains the earlier messages, with tool calls and their results.
func TestThread(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := serve(t, whole)
		s.ask(t, model.Request{SystemMessage: "Be brief.", EarlierMessages: []plan.Message{
			{Role: plan.User, Text: "look"}, {Role: plan.Assistant, ToolCalls: []plan.ToolCall{{ID: "a", Name: "search", Arguments: "{}"}}},
			{Role: plan.ToolRole, CallID: "a", Text: "found"}, {Role: plan.Assistant, Text: "There."},
		}, Prompt: "And now?"})
		s.ask(t, model.Request{EarlierMessages: []plan.Message{{Role: plan.User, Text: "look"}}})
		got, _ := json.Marshal(s.requests()[0]["messages"])
		want := `[{"content":"Be brief.","role":"system"},{"content":"look","role":"user"},` +
			`{"role":"assistant","tool_calls":[{"function":{"arguments":"{}","name":"search"},"id":"a","type":"function"}]},` +
			`{"content":"found","role":"tool","tool_call_id":"a"},{"content":"There.","role":"assistant"},{"content":"And now?","role":"user"}]`
		if string(got) != want {
			t.Errorf("sent %s", got)
		}
		if all := s.requests()[1]["messages"].([]any); len(all) != 1 {
			t.Errorf("without a prompt the request has other messages than the earlier ones: %v", all)
		}
	})
}
