package model_test

import (
	"strings"
	"testing"

	"playhead/engine/model"
)

// TestReplies: the n-th call gets the n-th reply, and later calls get the last one.
func TestReplies(t *testing.T) {
	r := &model.PreparedReplies{RepliedBy: "file", ByCallKey: map[string][]model.Reply{"1": {{Text: "first"}, {Text: "second"}}}}
	if r.HasReply(model.Request{StepLabel: "2"}) || (*model.PreparedReplies)(nil).HasReply(model.Request{StepLabel: "1"}) {
		t.Error("HasReply finds a reply that is not prepared")
	}
	for nth, want := range map[int]string{1: "first", 2: "second", 3: "second"} {
		var out strings.Builder
		got := r.Reply(t.Context(), model.Request{StepLabel: "1", CallNumber: nth}, &out)
		if got.Text != want || out.String() != want || got.RepliedBy != "file" {
			t.Errorf("call %d: %+v, written %q", nth, got, out.String())
		}
	}
}
