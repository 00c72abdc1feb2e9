package model_test

import (
	"strings"
	"testing"

	"playhead/engine/model"
)

// TestReplies: the n-th reply is for the n-th execution, the last one for all
// later ones.
func TestReplies(t *testing.T) {
	r := &model.PreparedReplies{RepliedBy: "file", ByCallKey: map[string][]model.Reply{"1": {{Text: "first"}, {Text: "second"}}}}
	if r.HasReply(model.Request{StepLabel: "2"}) || (*model.PreparedReplies)(nil).HasReply(model.Request{StepLabel: "1"}) {
		t.Error("has a reply that nobody gave")
	}
	for nth, want := range map[int]string{1: "first", 2: "second", 3: "second"} {
		var out strings.Builder
		got := r.Reply(t.Context(), model.Request{StepLabel: "1", CallNumber: nth}, &out)
		if got.Text != want || out.String() != want || got.RepliedBy != "file" {
			t.Errorf("execution %d: %+v, written %q", nth, got, out.String())
		}
	}
}
