package question

import (
	"encoding/json"
	"slices"
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

// approval shows the call of a tool that a person has to approve.
type approval struct {
	question *machine.Question
	tool     *tools.Tool // nil: its server has not answered
}

// isLocal reports whether the call is of one of Playhead's own tools.
func (a approval) isLocal() bool { return plan.IsLocalServer(a.question.Call.Server) }

// lines returns what the call would do: the arguments of a tool of a server, with what the server says about
// the tool. A description with hidden characters comes before the arguments, below a warning about it.
func (a approval) lines(dc *draw.Context, run *runview.Run, w int) []string {
	args := a.question.ShownBlock.Text
	if a.isLocal() {
		return a.localCallLines(dc, run, w)
	}
	out, description := a.effectLines(dc, w), a.descriptionLines(dc, w)
	if warning := sanitize.HiddenCharacterWarning(a.serverDescription()); warning != "" {
		out, description = slices.Concat(out, dc.WarningLines(warning, w), description), nil
	}
	out = append(out, dc.WarningLines(tools.CallWarning(a.question.Call.Server, a.question.Call.Tool, args), w)...)
	out = append(out, markdown.JSONLines(sanitize.MarkPadding(args), w, dc.Styles, dc.Measure)...)
	return append(out, description...)
}

// effectLines returns the effect of the tool as its server declares it. It is above the rest, which may be longer
// than the dialog.
func (a approval) effectLines(dc *draw.Context, w int) []string {
	if a.tool == nil {
		return nil
	}
	style := dc.Muted
	if a.tool.Effect == tools.Destructive {
		style = dc.Warn
	}
	return dc.PaintLines(style, a.tool.Effect.String(), w)
}

// serverDescription returns what the server says about the tool, "" if it says nothing.
func (a approval) serverDescription() string {
	if a.tool == nil {
		return ""
	}
	return a.tool.ApprovalText()
}

// descriptionLines returns the description in lines. It is untrusted and may be long.
func (a approval) descriptionLines(dc *draw.Context, w int) []string {
	return dc.PaintLines(dc.Muted, sanitize.PlainLines(a.serverDescription()), w)
}

// localCallLines returns what a tool of Playhead would do: the command and its folder, or the change of a file
// line by line.
func (a approval) localCallLines(dc *draw.Context, run *runview.Run, w int) []string {
	args := a.question.ShownBlock.Text
	out := dc.WarningLines(tools.CallWarning(a.question.Call.Server, a.question.Call.Tool, args), w)
	if a.question.CommandFolder != "" {
		var call struct {
			Command     string
			Description any // models do not always write a text
		}
		if json.Unmarshal([]byte(args), &call) == nil && call.Command != "" {
			about, _ := call.Description.(string)
			return append(out, commandLines(dc, call.Command, about, a.question.CommandFolder, w)...)
		}
	}
	c := run.Status.ProposedChange
	switch {
	case c == nil:
	case c.Problem != "":
		out = append(out, dc.WarningLines(sanitize.PlainLines(c.CallFailureText()), w)...)
	default:
		return append(out, fileChangeLines(dc, c, w)...)
	}
	return append(out, markdown.JSONLines(sanitize.MarkPadding(args), w, dc.Styles, dc.Measure)...)
}

// commandLines returns a command with its folder, and what the model says about it.
func commandLines(dc *draw.Context, command, about, folder string, w int) []string {
	out := []string{dc.Muted.Paint(dc.Cut("in "+draw.CleanLine(folder), w))}
	for line := range strings.SplitSeq(sanitize.PlainLines(sanitize.MarkPadding(command)), "\n") {
		out = append(out, dc.CodeLines(line, w)...)
	}
	if about != "" {
		out = append(out, dc.PaintLines(dc.Muted, "The model says: "+sanitize.PlainLines(about), w)...)
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

// editArgumentsAndAllow opens an editor for the arguments, and allows the call with the changed ones.
func (d *Dialog) editArgumentsAndAllow() []tea.Msg {
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
		return d.answerRequests(machine.Answer{CallResult: &text})
	})}}
}
