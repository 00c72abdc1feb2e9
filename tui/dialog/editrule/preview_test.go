package editrule

import (
	"testing"

	"playhead/engine"
	"playhead/engine/match"
	"playhead/parse/plan"
	"playhead/tui/keymap"
	"playhead/tui/runview"
	"playhead/tui/runview/runviewtest"
)

// TestPreviewName: the preview names the file of a rule that is not in the document's own file.
func TestPreviewName(t *testing.T) {
	row := runviewtest.New(t, keymap.Map{}).SelectedRow
	for file, want := range map[string]string{
		"":                  "Use this limit of the run (line 2)?",
		"agents/agent.json": "Use this limit of the run (agent.json:2)?",
	} {
		own := plan.Rule{Kind: plan.RunLimitKind, Location: plan.TextLocation{File: file, Span: plan.Span{Line: 2}}}
		p := PreviewMsg{rule: runview.EditableRule{Row: row, Rule: own}, offer: &engine.ReloadOffer{Match: new(match.Match)}}
		if got := p.newPreviewDialog().Name; got != want {
			t.Errorf("%q: %q, want %q", file, got, want)
		}
	}
}
