package output

import (
	"cmp"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/model"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/draw"
)

// titleDuration returns how long the open action took, "" if the list of actions says so.
func (p *Pane) titleDuration() string {
	if !p.action.IsDone || p.actionList.actions != nil {
		return ""
	}
	return wording.ColumnDuration(p.action.Duration)
}

// replyFacts returns the author of a reply and what it cost, for a title.
func replyFacts(a *track.Action, duration string) []draw.TitleFact {
	whose := map[string]string{
		machine.ByFile: "reply from a file", machine.ByPerson: "reply by a person", "replay": "reply from an earlier run",
	}[a.RepliedBy]
	facts := []draw.TitleFact{{Text: cmp.Or(whose, "reply"), Priority: 6}}
	add := func(priority int, text string) {
		if text != "" {
			facts = append(facts, draw.TitleFact{Text: text, Priority: priority})
		}
	}
	if whose == "" {
		add(2, draw.CleanLine(a.Model))
	}
	switch a.SchemaMethod {
	case model.SchemaInResponseFormat:
		add(1, "schema as response format")
	case model.SchemaInPrompt:
		add(1, "schema in the prompt")
	}
	if n := a.Usage.OutputTokens; n > 0 {
		add(3, plan.CountText(n, "token"))
	}
	add(5, a.Usage.CostText())
	add(4, duration)
	return facts
}

// replyProblem returns what is wrong with a reply that has ended, painted, "" if nothing is. The error of a
// tool is among the pane's lines.
func (p *Pane) replyProblem(dc *draw.Context) string {
	switch a := p.action; {
	case a.Error != "" && p.showsReply() && p.viewport.logWindow.totalLines > 0: // otherwise the pane itself shows it
		return dc.Fail.Paint(draw.CleanLine(a.Error))
	case p.asksAboutInterruption():
		return dc.Warn.Paint("interrupted")
	case a.FinishReason == "length":
		return dc.Warn.Paint("cut off at the token limit")
	}
	return ""
}

// resultTitle returns a title with the origin of a result, its tool and how long the call took.
func resultTitle(a *track.Action, duration string) string {
	facts := []string{"result"}
	switch {
	case a.WasDenied:
		facts = []string{"not called"}
	case a.Error != "":
		facts = []string{"no result"}
	case !a.IsDone:
		facts = []string{"tool call"}
	case a.RepliedBy == machine.ByFile:
		facts = []string{"result from a file"}
	case a.RepliedBy == "replay":
		facts = []string{"result from an earlier run"}
	}
	facts = append(facts, draw.CleanLine(tools.Title(a.Server, a.Tool)))
	if duration != "" {
		facts = append(facts, duration)
	}
	return strings.Join(facts, " · ")
}
