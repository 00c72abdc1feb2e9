package question

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/wording"
	"playhead/parse/plan"
	"playhead/tui/dialog"
	"playhead/tui/dialog/choose"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/request"
	"playhead/tui/runview"
)

// useReplyControl sets the control of a reply: a report, a list of replies to choose from, or an editor.
func (d *Dialog) useReplyControl() {
	if len(d.ask.Fields) > 0 {
		d.control = newReport(d.ask.Fields)
		return
	}
	d.control = form.NewEditor(d.ask.Draft)
	if len(d.ask.Choices) == 0 {
		return
	}
	d.chooser = form.NewChooser(d.ask.Choices)
	if d.ask.Draft == "" {
		d.control = d.chooser
	} else {
		d.chooser.Editor = d.control.(*form.Editor)
	}
}

// newAnswers returns the form of the values that a step needs.
func newAnswers(fields []plan.Field) *form.Form {
	f := &form.Form{End: "go on"}
	for _, one := range fields {
		f.Add(form.Field{Name: one.Name, About: plan.Source(one.Prompt), Control: form.New(one.Type, one.Default, one.Options), Blank: true})
	}
	return f
}

func newReport(fields []plan.Field) *form.Form {
	f := &form.Form{End: "report", AskedFields: func(answers []string) []bool { return plan.AskedFields(fields, answers) }}
	for _, one := range fields {
		e := form.Field{Name: one.Name, About: plan.Source(one.Prompt), Control: form.New(one.Type, one.Default, one.Options)}
		switch one.Type {
		case "value":
			e.Validate = form.JSONProblem
		case "select":
			e.Control, e.Validate = form.NewUnchosenPicker(one.Options), form.MustChoose
		}
		e.ShowsWithPrevious = one.Only.Field != "" && len(f.Fields) > 0 && one.Only.Field == f.Fields[len(f.Fields)-1].Name
		f.Add(e)
	}
	return f
}

// writtenText returns the text in the control, "" if a person cannot write there.
func (d *Dialog) writtenText() string {
	c := d.control
	if d.chooser != nil && d.chooser.Editor != nil {
		c = d.chooser.Editor
	}
	if f, fills := c.(*form.Form); fills {
		return strings.Join(f.Answers(), "\x00")
	}
	if c == nil || !c.Writes() {
		return ""
	}
	return c.Value()
}

// Unsent reports whether a text would be lost by leaving the run. This includes a reply that a person
// took over from a model.
func (d *Dialog) Unsent() bool {
	if d == nil || d.chooser != nil && d.writtenText() == d.chooser.Template {
		return false
	}
	return d.writtenText() != d.initialValue
}

// fill returns the prompt and the control below it.
func (d *Dialog) fill(l *draw.Look, w, h int) []string {
	words := d.prompt(l, w)
	room := max(1, h/2, h-form.LeastHeight(d.control, l, w))
	if len(d.warningLines(l, w)) > 0 { // a person must read them before the text is sent
		room = max(room, h-2)
	}
	if len(words) > room {
		words = words[:room]
		words[room-1] = l.Cut(words[room-1]+" …", w)
	}
	d.aboveControl += len(words)
	return append(words, d.control.Lines(l, w, h-len(words))...)
}

// prompt returns what is asked, wrapped.
func (d *Dialog) prompt(l *draw.Look, w int) []string {
	switch {
	case d.ask.Tool != "":
		return append([]string{l.Cut(l.Bold.Paint("Enter the result of "+draw.Clean(d.ask.Tool)+".")+l.Muted.Paint(" The tool is not called."), w)}, d.warningLines(l, w)...)
	case len(d.ask.Fields) > 0 && d.ask.Kind == machine.KindReply:
		return []string{l.Cut(l.Bold.Paint("Report in the model's place.")+l.Muted.Paint(" Its prompt is above."), w)}
	case d.ask.Kind == machine.KindReply && d.ask.Draft != "":
		return append([]string{l.Cut(l.Bold.Paint("Finish the model's reply.")+l.Muted.Paint(" Its prompt is above."), w)}, d.warningLines(l, w)...)
	case d.ask.Kind == machine.KindReply:
		return append([]string{l.Cut(l.Bold.Paint("Reply in the model's place.")+l.Muted.Paint(" Its prompt is above."), w)}, d.warningLines(l, w)...)
	}
	if len(d.ask.Fields) > 0 {
		return []string{l.Cut(l.Bold.Paint("The step needs "+wording.Count(len(d.ask.Fields), "value")+" first."), w)}
	}
	words := l.Wrap(sanitize.Text(d.ask.Prompt), w)
	for i, line := range words {
		words[i] = l.Bold.Paint(line)
	}
	return words
}

// write handles a key of a question with a control.
func (d *Dialog) write(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	switch keys := run.Look.Keys; {
	case keys.Is(k, "close"):
		return d.lookAround(), true
	case keys.Is(k, "interrupt"), keys.Is(k, "reload") && k.Text == "":
		return dialog.Unhandled()
	case keys.Is(k, "editor") && form.Written(d.control) != nil:
		return dialog.Send(request.EditOutside{Text: form.Written(d.control)})
	}
	if d.ask.Kind == machine.KindReply {
		if requests, used := d.replyKey(run, k); used {
			return requests, true
		}
	}
	sent, used := d.control.Key(run.Look, k)
	filled, fills := d.control.(*form.Form)
	switch {
	case sent && fills:
		return d.give(machine.Answer{Fields: filled.Answers()}), true
	case sent && d.control == form.Widget(d.chooser) && d.chooser.WantsWriting():
		d.control = d.chooser.Write()
		return dialog.Send()
	case sent && d.control.Value() == "":
		return dialog.Send(request.Say{Text: "The reply is empty. {close}, then {skip} to skip the step."})
	case sent && d.showsWarnings():
		return dialog.Send()
	case sent:
		return d.Answer(run, d.control.Value()), true
	}
	return nil, used || d.control.Writes()
}

// replyKey handles the keys that all controls of a reply have.
func (d *Dialog) replyKey(run *runview.Run, k tea.KeyPressMsg) ([]tea.Msg, bool) {
	_, edits := d.control.(*form.Editor)
	keys := run.Look.Keys
	switch {
	case keys.Is(k, "previous-field") && edits && d.chooser != nil:
		d.control = d.chooser
		return dialog.Send()
	case keys.Is(k, "choose-source") && d.ask.Tool == "":
		return dialog.Send(dialog.Open{Dialog: choose.Source(run)})
	}
	return dialog.Unhandled()
}

// controlHints returns the keys of a question with a control.
func (d *Dialog) controlHints(run *runview.Run) []draw.Hint {
	l := run.Look
	hints := d.control.Hints(l)
	if d.isWarned() {
		hints[0].Text = "send anyway"
	}
	if hints[0].Action == "accept" || hints[0].Action == "send" {
		answer := anyText
		if picker, picks := d.control.(*form.Picker); picks {
			answer = picker.Value()
		}
		to := d.leadText(l, answer)
		if !run.TextShown && to != "" { // on a narrow screen
			to = " → " + d.leads[answer].brief
		}
		hints[0].Text += to
	}
	if _, edits := d.control.(*form.Editor); edits && d.chooser != nil {
		hints = append(hints, l.Press("previous-field", "choices"))
	}
	hints = append(hints, l.Press("close", "look around"))
	if d.ask.Kind == machine.KindReply && d.ask.Tool == "" {
		hints = append(hints, l.Press("choose-source", "source"))
	}
	return hints
}

// leadText returns where an answer leads, for a hint, "" if that is unknown.
func (d *Dialog) leadText(l *draw.Look, answer string) string {
	if to := d.leads[answer].text; to != "" {
		return " → " + l.Cut(to, longestLead)
	}
	return ""
}

// longestLead is the maximum width of a destination in a hint.
const longestLead = 24

// replyWarnings are the warnings about a written reply that the step would not accept as it is. They show
// until the text changes.
type replyWarnings struct {
	about string // the text of the reply
	texts []string
}

// showsWarnings checks the reply before it is sent, and reports whether warnings show instead of sending
// it. The person can then send the same text despite them.
func (d *Dialog) showsWarnings() bool {
	if _, edits := d.control.(*form.Editor); !edits || d.ask.Kind != machine.KindReply {
		return false
	}
	text := d.control.Value()
	if d.replyWarnings.about == text {
		return false
	}
	d.replyWarnings = replyWarnings{text, d.check(text)}
	return len(d.replyWarnings.texts) > 0
}

// isWarned reports whether the dialog shows warnings about the written text.
func (d *Dialog) isWarned() bool {
	return len(d.replyWarnings.texts) > 0 && d.control.Value() == d.replyWarnings.about
}

// warningLines returns the warnings about the written text in lines.
func (d *Dialog) warningLines(l *draw.Look, w int) []string {
	if !d.isWarned() {
		return nil
	}
	var out []string
	for _, one := range d.replyWarnings.texts {
		out = append(out, l.Warning("△ "+draw.Clean(one), w)...)
	}
	return append(out, l.Cut(l.Keys.Sentence("Not sent. {send} again to send it anyway."), w))
}
