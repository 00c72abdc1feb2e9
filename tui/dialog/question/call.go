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
	return d.ask.Call != nil && plan.IsLocal(d.ask.Call.Server)
}

// localCall returns what a tool of Playhead would do: the command and its folder, or the change of a file
// line by line.
func (d *Dialog) localCall(l *draw.Look, run *runview.Run, w int) []string {
	args := d.ask.Show.Text
	out := l.Warning(tools.CallWarning(d.ask.Call.Server, d.ask.Call.Tool, args), w)
	if d.ask.Folder != "" {
		var a struct {
			Command     string
			Description any // models do not always write a text
		}
		if json.Unmarshal([]byte(args), &a) == nil && a.Command != "" {
			about, _ := a.Description.(string)
			return append(out, commandLines(l, a.Command, about, d.ask.Folder, w)...)
		}
	}
	c := run.Status.ProposedChange
	switch {
	case c == nil:
	case c.Problem != "":
		for _, line := range l.Wrap("It would fail: "+sanitize.Text(c.Problem), w) {
			out = append(out, l.Warn.Paint(line))
		}
	default:
		return append(out, changeLines(l, c, w)...)
	}
	return append(out, markdown.JSON(sanitize.Unpadded(args), w, l.Styles)...)
}

func commandLines(l *draw.Look, command, about, folder string, w int) []string {
	out := []string{l.Muted.Paint(l.Cut("in "+draw.Clean(folder), w))}
	for line := range strings.SplitSeq(sanitize.Text(sanitize.Unpadded(command)), "\n") {
		out = append(out, l.Code(line, w)...)
	}
	if about != "" {
		for _, line := range l.Wrap("The model says: "+sanitize.Text(about), w) {
			out = append(out, l.Muted.Paint(line))
		}
	}
	return out
}

// changeLines returns the lines of a file that would change.
func changeLines(l *draw.Look, c *engine.FileChange, w int) []string {
	name := draw.Clean(c.Path)
	if c.Before == "" {
		name += " (new)"
	}
	hunks := c.Hunks()
	if len(hunks) == 0 {
		name += " (no line changes)"
	}
	out := []string{l.Bold.Paint(l.Cut(name, w))}
	return append(out, l.Hunks(hunks, w)...)
}

// editArguments opens an editor for the arguments, and allows the call with the changed ones.
func (d *Dialog) editArguments() []tea.Msg {
	name := "Arguments of " + draw.ToolName(d.ask.Call.Server, d.ask.Call.Tool)
	return []tea.Msg{dialog.Open{Dialog: edit.New(name, "", "allow with these", form.NewEditor(tools.Pretty(d.ask.Show.Text)), func(_ *runview.Run, text string) []tea.Msg {
		var object map[string]any
		if json.Unmarshal([]byte(text), &object) != nil || object == nil {
			return []tea.Msg{request.Say{Text: "No change: the arguments must be a JSON object."}}
		}
		return d.give(machine.Answer{Value: "yes", Args: text})
	})}}
}

// answerCall opens an editor for the result that the model gets instead of the call.
func (d *Dialog) answerCall() []tea.Msg {
	name := "The result of " + draw.ToolName(d.ask.Call.Server, d.ask.Call.Tool)
	return []tea.Msg{dialog.Open{Dialog: edit.New(name, "", "give this result", form.NewEditor(""), func(_ *runview.Run, text string) []tea.Msg {
		return d.give(machine.Answer{Result: &text})
	})}}
}
