package output

import (
	"cmp"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/tui/draw"
)

// isReply reports whether the pane shows the reply of a model, or of a person or file in its place.
func (p *Pane) isReply() bool { return p.action != nil && p.action.Kind == "model" }

// replyFacts returns the author of a reply and what it cost, for a title.
func replyFacts(a *track.Action) []draw.Fact {
	whose := map[string]string{
		machine.ByFile: "reply from file", machine.ByPerson: "reply by a person", "replay": "reply of an earlier run",
	}[a.By]
	facts := []draw.Fact{{Text: cmp.Or(whose, "reply"), Weight: 6}}
	add := func(weight int, text string) {
		if text != "" {
			facts = append(facts, draw.Fact{Text: text, Weight: weight})
		}
	}
	if whose == "" {
		add(2, draw.Clean(a.Model))
	}
	switch a.Schema {
	case model.SchemaSent:
		add(1, "schema sent")
	case model.SchemaInPrompt:
		add(1, "schema in the prompt")
	}
	if n := a.Used.Out; n > 0 {
		add(3, wording.Count(n, "token"))
	}
	add(5, a.Used.Money())
	if a.Done && a.Took > 0 {
		add(4, wording.Clock(a.Took))
	}
	return facts
}

// flaw returns what is wrong with a reply that has ended, painted, "" if nothing is. The error of a
// tool is among the pane's lines.
func (p *Pane) flaw(l *draw.Look) string {
	switch a := p.action; {
	case a.Error != "" && p.isReply() && p.window.total > 0: // otherwise the pane itself shows it
		return l.Fail.Paint(draw.Clean(a.Error))
	case p.openQuestion == machine.KindResume:
		return l.Warn.Paint("interrupted")
	case a.Finish == "length":
		return l.Warn.Paint("cut at the token limit")
	}
	return ""
}

// isTool reports whether the pane shows the result of a tool.
func (p *Pane) isTool() bool { return p.action != nil && p.action.Kind == "tool" }

// resultTitle returns a title with the origin of a result, its tool and how long the call took.
func resultTitle(a *track.Action) string {
	facts := []string{"result"}
	switch {
	case a.Denied:
		facts = []string{"not called"}
	case a.Error != "":
		facts = []string{"no result"}
	case !a.Done:
		facts = []string{"tool call"}
	case a.By == machine.ByFile:
		facts = []string{"result from file"}
	case a.By == "replay":
		facts = []string{"result of an earlier run"}
	}
	facts = append(facts, draw.Clean(tools.Title(a.Server, a.Tool)))
	if a.Done && a.Took > 0 {
		facts = append(facts, wording.Clock(a.Took))
	}
	return strings.Join(facts, " · ")
}
