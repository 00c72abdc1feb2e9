package question

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/layout"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// setReplyWidget sets the widget of a reply: a report, a list of replies to choose from, or an editor.
func (d *Dialog) setReplyWidget() {
	if len(d.question.Fields) > 0 {
		d.widget = newReportForm(d.question.Fields)
		return
	}
	d.widget = form.NewEditor(d.question.Draft)
	if len(d.question.Choices) == 0 {
		return
	}
	d.replyChooser = form.NewReplyChooser(d.question.Choices)
	if d.question.Draft == "" {
		d.widget = d.replyChooser
	} else {
		d.replyChooser.Editor = d.widget.(*form.Editor)
	}
}

// newValuesForm returns the form of the values that a step needs.
func newValuesForm(fields []plan.Field) *form.Form {
	f := &form.Form{SubmitText: "continue"}
	for _, one := range fields {
		f.AddField(form.Field{Name: one.Name, Description: plan.SourceText(one.Prompt), Widget: form.NewWidget(one.Type, one.Default, one.Options), AllowsEmpty: true})
	}
	return f
}

// newReportForm returns the form of a report in the model's place.
func newReportForm(fields []plan.Field) *form.Form {
	f := &form.Form{SubmitText: "report", AskedFields: func(answers []string) []bool { return plan.AskedFields(fields, answers) }}
	for _, one := range fields {
		e := form.Field{Name: one.Name, Description: plan.SourceText(one.Prompt), Widget: form.NewWidget(one.Type, one.Default, one.Options), DependsOn: one.AskedIf.Field}
		switch one.Type {
		case "value":
			e.Validate = form.JSONProblem
		case "select":
			e.Widget, e.Validate = form.NewUnchosenPicker(one.Options), form.ChoiceProblem
		}
		f.AddField(e)
	}
	return f
}

// writtenText returns the text in the widget, "" if a person cannot write there.
func (d *Dialog) writtenText() string {
	c := d.widget
	if d.replyChooser != nil && d.replyChooser.Editor != nil {
		c = d.replyChooser.Editor
	}
	if f, fills := c.(*form.Form); fills {
		return strings.Join(f.Answers(), "\x00")
	}
	if c == nil || !c.TakesText() {
		return ""
	}
	return c.Value()
}

// HasUnsentText reports whether a text would be lost by leaving the run. This includes a reply that a person
// took over from a model.
func (d *Dialog) HasUnsentText() bool {
	if d == nil || d.replyChooser != nil && d.writtenText() == d.replyChooser.InitialText {
		return false
	}
	return d.writtenText() != d.safeText
}

// promptAndWidget returns the prompt, or the visible part of it, and the widget below it.
func (d *Dialog) promptAndWidget(dc *draw.Context, w, h int) []string {
	room := max(1, h/2, h-form.MinHeight(d.widget, dc, w))
	if len(d.replyWarnings.lines(dc, d.widget, w)) > 0 { // a person must read them before the text is sent
		room = max(room, h-2)
	}
	lines := d.VisibleCutLines(dc, d.promptLines(dc, w), w, room)
	d.linesAboveWidget += len(lines)
	return append(lines, d.widget.Lines(dc, w, h-len(lines))...)
}

// IsPromptCut reports whether the last frame had a part of the prompt out of sight. The page keys then scroll it.
func (d *Dialog) IsPromptCut() bool { return d.Scroller.Overflow() != layout.Overflow{} }

// promptLines returns what is asked, wrapped.
func (d *Dialog) promptLines(dc *draw.Context, w int) []string {
	task, remark := "", " Its prompt is above."
	switch {
	case d.question.Tool != "":
		task, remark = "Write the result of "+draw.CleanLine(d.question.Tool)+".", " The tool is not called."
	case d.question.Kind != machine.KindReply:
	case len(d.question.Fields) > 0:
		task = "Fill in the model's report."
	case d.question.Draft != "":
		task = "Finish the model's reply."
	default:
		task = "Reply in the model's place."
	}
	if task != "" {
		return append(dc.Wrap(dc.Bold.Paint(task)+dc.Muted.Paint(remark), w), d.replyWarnings.lines(dc, d.widget, w)...)
	}
	if len(d.question.Fields) > 0 {
		lines := []string{dc.Cut(dc.Bold.Paint("The step needs "+plan.CountText(len(d.question.Fields), "value")+" first."), w)}
		for _, text := range d.missingValueTexts {
			lines = append(lines, dc.Wrap(text, w)...)
		}
		return lines
	}
	return dc.PaintLines(dc.Bold, sanitize.PlainLines(d.question.Prompt), w)
}

// handleWidgetKey handles a key of a question with a widget.
func (d *Dialog) handleWidgetKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	switch keys := run.DrawContext.Keys; {
	case keys.IsKeyOf(k, "close"):
		return d.closeToLookAround(), true
	case keys.IsKeyOf(k, "interrupt"), keys.IsKeyOf(k, "reload") && k.Text == "":
		return dialog.Unhandled()
	case keys.IsKeyOf(k, "editor") && form.EditableTextOf(d.widget) != nil:
		return dialog.Handled(request.EditInEditor{Text: form.EditableTextOf(d.widget)})
	}
	if d.question.Kind == machine.KindReply {
		if requests, used := d.handleReplyKey(run, k); used {
			return requests, true
		}
	}
	if d.IsPromptCut() && run.DrawContext.Keys.IsKeyOf(k, "page-up", "page-down") {
		return nil, d.ScrollByKey(run.DrawContext.Keys, k)
	}
	sent, used := d.widget.HandleKey(run.DrawContext, k)
	filled, fills := d.widget.(*form.Form)
	switch {
	case sent && fills:
		return d.answerRequests(machine.Answer{Fields: filled.Answers()}), true
	case sent && d.widget == form.Widget(d.replyChooser) && d.replyChooser.IsWriteSelected():
		d.widget = d.replyChooser.OpenEditor()
		return dialog.Handled()
	case sent && d.widget.Value() == "":
		return dialog.Handled(request.Say{Text: "The text is empty. Write something, or {close}, then {skip} to skip the step."})
	case sent && d.warnBeforeSending():
		return dialog.Handled()
	case sent:
		return d.Answer(run, d.widget.Value()), true
	}
	return nil, used || d.widget.TakesText()
}

// handleReplyKey handles the keys that all widgets of a reply have.
func (d *Dialog) handleReplyKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	_, edits := d.widget.(*form.Editor)
	keys := run.DrawContext.Keys
	switch {
	case keys.IsKeyOf(k, "previous-field") && edits && d.replyChooser != nil:
		d.widget = d.replyChooser
		return dialog.Handled()
	case keys.IsKeyOf(k, "choose-source") && d.question.Tool == "":
		return dialog.Handled(dialog.Open{Dialog: choose.NewReplySourceDialog(run)})
	}
	return dialog.Unhandled()
}

// widgetHints returns the keys of a question with a widget.
func (d *Dialog) widgetHints(run *runview.Run) []draw.Hint {
	dc := run.DrawContext
	hints := d.widget.Hints(dc)
	if d.replyWarnings.areAbout(d.widget) {
		hints[0].Text = "send anyway"
	}
	if hints[0].Action == "accept" || hints[0].Action == "send" {
		hints[0].Text += d.widgetDestinationHint(run)
	}
	if _, edits := d.widget.(*form.Editor); edits && d.replyChooser != nil {
		hints = append(hints, dc.ActionHint("previous-field", "choices"))
	}
	if d.IsPromptCut() {
		hints = slices.Insert(hints, min(1, len(hints)), dc.ActionHint("page-down", "scroll"))
	}
	hints = append(hints, dc.LookAroundHint())
	if d.question.Kind == machine.KindReply && d.question.Tool == "" {
		hints = append(hints, dc.ActionHint("choose-source", "source"))
	}
	return hints
}

// widgetDestinationHint returns where the answer in the widget leads, unless its list shows that.
func (d *Dialog) widgetDestinationHint(run *runview.Run) string {
	answer := anyText
	if picker, picks := d.widget.(*form.Picker); picks && picker.TrailingTexts != nil {
		return ""
	} else if picks {
		answer = picker.Value()
	}
	to := d.destinationByAnswer.hint(run.DrawContext, answer)
	switch { // on a narrow screen
	case run.IsTextPaneShown || to == "":
	case d.IsPromptCut(): // the key that scrolls needs the room
		to = ""
	default:
		to = " → " + d.destinationByAnswer[answer].shortText
	}
	return to
}

// replyWarnings are the warnings about a written reply that the step would not accept as it is. They show
// until the text changes.
type replyWarnings struct {
	checkedReply string // the text of the reply
	texts        []string
}

// warnBeforeSending checks the reply before it is sent, and reports whether warnings show instead of sending
// it. The person can then send the same text despite them.
func (d *Dialog) warnBeforeSending() bool {
	if _, edits := d.widget.(*form.Editor); !edits || d.question.Kind != machine.KindReply {
		return false
	}
	text := d.widget.Value()
	if d.replyWarnings.checkedReply == text {
		return false
	}
	d.replyWarnings, d.TopLine = replyWarnings{text, d.checkReply(text)}, 0
	return len(d.replyWarnings.texts) > 0
}

// areAbout reports whether there are warnings about the text in a widget.
func (r replyWarnings) areAbout(widget form.Widget) bool {
	return len(r.texts) > 0 && widget.Value() == r.checkedReply
}

// lines returns the warnings about the text in a widget in lines.
func (r replyWarnings) lines(dc *draw.Context, widget form.Widget, w int) []string {
	if !r.areAbout(widget) {
		return nil
	}
	var out []string
	prefix := "Not sent: "
	for _, one := range r.texts {
		out = append(out, dc.SignedWarningLines("△", prefix+draw.CleanLine(one), w)...)
		prefix = ""
	}
	return out
}
