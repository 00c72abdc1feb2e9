package lines

import (
	"testing"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/parse/plan"
)

// TestReportedValues: the question shows the reported values that are stored if the step passes, and :set changes a
// value before it is stored.
func TestReportedValues(t *testing.T) {
	report := plan.ToolCall{ID: "r", Name: "report_step_result", Arguments: `{"step_number":0,"status":"passed","output_variables":{"ID":1}}`}
	script := &preparedModel{replies: []model.Reply{{WantedCalls: []plan.ToolCall{report}}}}
	got, end := followManualReplies(t, backup(), func(c *engine.Config) {
		c.Tools, c.FirstReplySourceName, c.Options.ApprovalPolicy = web{}, "script", machine.ApproveNone
		c.ReplySources = []model.ReplySourceOption{{Name: "script", Open: func() (model.ReplySource, error) { return script, nil }}}
	}, ":set ID=json:[", ":set ID=json:[7]", "pass")
	wantParts(t, got, "[1] report\n", "stored if the step passes: ID = 1", "type :set NAME=VALUE to change a value before it is stored", "this is not valid JSON", "stored if the step passes: ID = [7]")
	if list, _ := end.Variables["ID"].([]any); end.Result != plan.Completed || len(list) != 1 {
		t.Errorf("ended %+v", end.RunFinished)
	}
}
