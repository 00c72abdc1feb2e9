package tui

import (
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/markdown"
)

// tool reports whether the pane shows what a tool gave.
func (o *output) tool() bool { return o.action != nil && o.action.Kind == "tool" }

// called reports whether the pane shows what came of a call, of a model or a tool.
func (o *output) called() bool { return o.reply() || o.tool() }

// resulted says whose result it is, and what it took.
func resulted(a *track.Action) string {
	facts := []string{"result"}
	switch {
	case a.Denied:
		facts = []string{"not called"}
	case a.Error != "":
		facts = []string{"no result"}
	case a.By == machine.ByFile:
		facts = []string{"result from file"}
	case a.By == "replay":
		facts = []string{"result of an earlier run"}
	}
	facts = append(facts, draw.Clean(tools.Title(a.Server, a.Tool)))
	if a.Done && a.Took > 0 {
		facts = append(facts, draw.Clock(a.Took))
	}
	return strings.Join(facts, " · ")
}

// noResult says why there is nothing of a tool's result.
func (o *output) noResult() string {
	switch {
	case o.asks != "":
		return "The tool is called when the question is answered. {answer} goes to the question."
	case !o.action.Done && o.notice != "":
		return o.notice + " {cancel} cancels."
	case !o.action.Done:
		return "Called. Waiting for the result. {cancel} cancels."
	case o.action.Error != "":
		return "There is no result: " + draw.Clean(o.action.Error)
	default:
		return "The result is empty."
	}
}

// calling shows the call of a tool: as it was sent, or as the document has it.
func calling(l *look, r *track.Row, index int, w plan.Tool, width int) []string {
	args := plan.Source(w.Args)
	if x := r.Last(); x != nil {
		for _, a := range x.Actions {
			if a.Index == index && a.Kind == "tool" {
				args = a.Args
			}
		}
	}
	out := []string{l.Command.Paint(l.Cut("→ "+draw.Clean(tools.Title(w.Server, w.Name)), width))}
	if args = tools.Pretty(args); args == "" || args == "{}" {
		return out
	}
	for _, line := range markdown.WrapCode(sanitize.Text(args), "json", width-2, l.Styles) {
		out = append(out, "  "+line)
	}
	return out
}
