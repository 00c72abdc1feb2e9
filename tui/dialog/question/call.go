package question

import (
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/edit"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/markdown"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// isLocalCall reports whether the question is about a call of one of Playhead's own tools.
func (d *Dialog) isLocalCall() bool {
	return d.question.Call != nil && plan.IsLocalServer(d.question.Call.Server)
}

// localCallLines returns what a tool of Playhead would do: the command and its folder, or the change of a file
// line by line.
func (d *Dialog) localCallLines(dc *draw.Context, run *runview.Run, w int) []string {
	args := d.question.ShownBlock.Text
	out := dc.WarningLines(tools.CallWarning(d.question.Call.Server, d.question.Call.Tool, args), w)
	if d.question.CommandFolder != "" {
		var a struct {
			Command     string
			Description any // models do not always write a text
		}
		if json.Unmarshal([]byte(args), &a) == nil && a.Command != "" {
			about, _ := a.Description.(string)
			return append(out, commandLines(dc, a.Command, about, d.question.CommandFolder, w)...)
		}
	}
	c := run.Status.ProposedChange
	switch {
	case c == nil:
	case c.Problem != "":
		for _, line := range dc.Wrap("This call would fail: "+sanitize.PlainLines(c.Problem), w) {
			out = append(out, dc.Warn.Paint(line))
		}
	default:
		return append(out, fileChangeLines(dc, c, w)...)
	}
	return append(out, markdown.JSONLines(sanitize.MarkPadding(args), w, dc.Styles)...)
}

func commandLines(dc *draw.Context, command, about, folder string, w int) []string {
	out := []string{dc.Muted.Paint(dc.Cut("in "+draw.CleanLine(folder), w))}
	for line := range strings.SplitSeq(sanitize.PlainLines(sanitize.MarkPadding(command)), "\n") {
		out = append(out, dc.CodeLines(line, w)...)
	}
	if about != "" {
		for _, line := range dc.Wrap("The model says: "+sanitize.PlainLines(about), w) {
			out = append(out, dc.Muted.Paint(line))
		}
	}
	return out
}

// fileChangeLines returns the lines of a file that would change.
func fileChangeLines(dc *draw.Context, c *engine.ProposedFileChange, w int) []string {
	name := draw.CleanLine(c.Path)
	if c.Before == "" {
		name += " (new)"
	}
	hunks := c.Hunks()
	if len(hunks) == 0 {
		name += " (no line changes)"
	}
	out := []string{dc.Bold.Paint(dc.Cut(name, w))}
	return append(out, dc.HunkLines(hunks, w)...)
}

// editArguments opens an editor for the arguments, and allows the call with the changed ones.
func (d *Dialog) editArguments() []tea.Msg {
	name := "Arguments of " + draw.ToolName(d.question.Call.Server, d.question.Call.Tool)
	return []tea.Msg{dialog.Open{Dialog: edit.New(name, "", "allow with these", form.NewEditor(tools.PrettyJSON(d.question.ShownBlock.Text)), func(_ *runview.Run, text string) []tea.Msg {
		var object map[string]any
		if json.Unmarshal([]byte(text), &object) != nil || object == nil {
			return []tea.Msg{request.Say{Text: "No change: the arguments must be a JSON object."}}
		}
		return d.answerRequests(machine.Answer{Value: "yes", Args: text})
	})}}
}

// askCallResult opens an editor for the result that the model gets instead of the call.
func (d *Dialog) askCallResult() []tea.Msg {
	name := "Result of " + draw.ToolName(d.question.Call.Server, d.question.Call.Tool)
	return []tea.Msg{dialog.Open{Dialog: edit.New(name, "", "give this result", form.NewEditor(""), func(_ *runview.Run, text string) []tea.Msg {
		return d.answerRequests(machine.Answer{Result: &text})
	})}}
}
