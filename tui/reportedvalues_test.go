package tui

import (
	"encoding/json"
	"testing"
	"time"

	"playhead/parse/plan"
)

const takenDoc = "# Backup\n### 🔧 WORKFLOW STEP: Look\n```\nLook.\n```\n### 🛠️ TOOL: list\n" +
	"### 📤 OUTPUTS:\n- id → ARCHIVE\n- n → COUNT\n- text → NOTES\n"

// openReportedValues returns the screen of a run whose step failed and reported values, which passing the step would
// store.
func openReportedValues(t testing.TB, w, h int) *testScreen {
	t.Helper()
	sc := open(t, backup(takenDoc), w, h)
	report := `{"step_number":0,"status":"failed","error_message":"it is of May",` +
		`"output_variables":{"ARCHIVE":"a-91","COUNT":3,"NOTES":"two\nlines \u001b[2J"}}`
	sc.endCall(2*time.Second, plan.Product{Text: "Done.", ToolCalls: []plan.ToolCall{{ID: "r", Name: "report_step_result", Arguments: report}}})
	sc.press("p")
	return sc
}

// TestReportedValues: passing a failed step shows its reported values, which a person can accept or change (workflow.md
// §8).
func TestReportedValues(t *testing.T) {
	sizes(t, func(t *testing.T, w, h int) *testScreen { return openReportedValues(t, w, h) })
}

// TestAcceptReportedValues: enter stores all values, changed ones with the type that shows. esc changes nothing.
func TestAcceptReportedValues(t *testing.T) {
	for _, tt := range []struct {
		name           string
		keys           []string
		archive, count string
	}{
		{"as reported", []string{"enter"}, `"a-91"`, "3"},
		{"a text", []string{"2", "enter"}, `"a-912"`, "3"},
		{"a number", []string{"tab", "4", "enter"}, `"a-91"`, "34"},
		{"no JSON", []string{"tab", "x", "enter", "backspace", "backspace", "7", "enter"}, `"a-91"`, "7"},
		{"as text", []string{"down", "ctrl+t", "enter"}, `"a-91"`, `"3"`},
		{"taken out", []string{"backspace", "backspace", "backspace", "backspace", "enter"}, "", "3"},
		{"round", []string{"shift+tab", "tab", "tab", "1", "enter"}, `"a-91"`, "31"},
		{"back", []string{"esc"}, "", ""},
	} {
		sc := openReportedValues(t, 100, 30)
		sc.press(tt.keys...)
		for name, want := range map[string]string{"ARCHIVE": tt.archive, "COUNT": tt.count} {
			got := ""
			for _, v := range sc.m.timeline.ShownTrack.Variables {
				if v.Name == name && v.Value != nil {
					got = encodeJSON(t, v.Value)
				}
			}
			if got != want {
				t.Errorf("%s: %s is %s, not %s", tt.name, name, got, want)
			}
		}
		if passed := sc.m.timeline.ShownTrack.RowByLabel("1").Overridden; passed != (tt.name != "back") {
			t.Errorf("%s: overridden %v", tt.name, passed)
		}
	}
}

// TestScrollPromptAtReportedValues: beside the reported values, the page keys scroll the prompt if it is cut.
func TestScrollPromptAtReportedValues(t *testing.T) {
	sc := openReportedValues(t, 80, 24)
	sc.want("Workflow step 1: Look", "more lines")
	sc.press("pgdown")
	sc.wantNot("Workflow step 1: Look")
	sc.want("› a-91", "Values to report:")
}

func encodeJSON(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
