package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/panes"
)

// newQuestion is the card of a question. One that asks for more than a decision
// has a control.
func newQuestion(ask machine.Question, name string) *question {
	q := &question{ask: ask, name: name}
	switch {
	case ask.Kind != machine.KindAsk || ask.Field == nil:
	case len(ask.Fields) > 0:
		q.control = newAnswers(ask.Fields)
	default:
		q.control = form.New(ask.Field.Type, ask.Field.Default, ask.Options)
	}
	if ask.Kind == machine.KindReply {
		q.byHand()
	}
	if ask.Draft == "" { // a reply that was taken over is nowhere else
		q.began = q.written()
	}
	return q
}

// byHand is how a person replies: with a report, by chooser, or by writing.
func (q *question) byHand() {
	if len(q.ask.Fields) > 0 {
		q.control = newReport(q.ask.Fields)
		return
	}
	q.control = form.NewEditor(q.ask.Draft)
	if len(q.ask.Choices) == 0 {
		return
	}
	q.chooser = form.NewChooser(q.ask.Choices)
	if q.ask.Draft == "" {
		q.control = q.chooser
	} else {
		q.chooser.Written = q.control.(*form.Editor)
	}
}

// newAnswers is the form of values that a step needs.
func newAnswers(fields []plan.Field) *form.Form {
	f := &form.Form{End: "go on"}
	for _, one := range fields {
		f.Add(form.Field{Name: one.Name, About: plan.Source(one.Prompt), Control: form.New(one.Type, one.Default, one.Options), Blank: true})
	}
	return f
}

// newReport is the form of a report.
func newReport(fields []plan.Field) *form.Form {
	f := &form.Form{End: "report", Asked: func(answers []string) []bool { return plan.Asked(fields, answers) }}
	for _, one := range fields {
		e := form.Field{Name: one.Name, About: plan.Source(one.Prompt), Control: form.New(one.Type, one.Default, one.Options)}
		switch one.Type {
		case "value":
			e.Unfit = form.NotJSON
		case "select":
			e.Control, e.Unfit = form.Unchosen(one.Options), form.MustChoose
		}
		e.Beside = one.Only.Field != "" && len(f.Fields) > 0 && one.Only.Field == f.Fields[len(f.Fields)-1].Name
		f.Add(e)
	}
	return f
}

// written is what stands in the control, where a person can write.
func (q *question) written() string {
	c := q.control
	if q.chooser != nil && q.chooser.Written != nil {
		c = q.chooser.Written
	}
	if f, fills := c.(*form.Form); fills {
		return strings.Join(f.Answers(), "\x00")
	}
	if c == nil || !c.Writes() {
		return ""
	}
	return c.Value()
}

// unsent reports whether something is written that nobody else has, a reply that was
// taken over included: leaving the run loses it.
func (q *question) unsent() bool {
	if q == nil || q.chooser != nil && q.written() == q.chooser.Began {
		return false
	}
	return q.written() != q.began
}

// form sets what is asked above the control.
func (q *question) form(l *look, w, h int) []string {
	words := q.asked(l, w)
	room := max(1, h-q.control.Height(l, w))
	if len(q.doubtful(l, w)) > 0 { // they are to be read before the text goes
		room = max(room, h-2)
	}
	if len(words) > room {
		words = words[:room]
		words[room-1] = l.Cut(words[room-1]+" …", w)
	}
	return append(words, q.control.Lines(l, w, h-len(words))...)
}

// asked is what is asked, wrapped.
func (q *question) asked(l *look, w int) []string {
	switch {
	case q.ask.Tool != "":
		return append([]string{l.Cut(l.Bold.Paint("What does "+draw.Clean(q.ask.Tool)+" say?")+l.Muted.Paint(" It is not called."), w)}, q.doubtful(l, w)...)
	case len(q.ask.Fields) > 0 && q.ask.Kind == machine.KindReply:
		return []string{l.Cut(l.Bold.Paint("Report in the model's place.")+l.Muted.Paint(" Its prompt is above."), w)}
	case q.ask.Kind == machine.KindReply && q.ask.Draft != "":
		return append([]string{l.Cut(l.Bold.Paint("Finish the model's reply,")+l.Muted.Paint(" whose prompt is above."), w)}, q.doubtful(l, w)...)
	case q.ask.Kind == machine.KindReply:
		return append([]string{l.Cut(l.Bold.Paint("Reply in the model's place.")+l.Muted.Paint(" Its prompt is above."), w)}, q.doubtful(l, w)...)
	}
	if len(q.ask.Fields) > 0 {
		return []string{l.Cut(l.Bold.Paint("The step needs "+draw.Count(len(q.ask.Fields), "value")+" first."), w)}
	}
	words := l.Wrap(sanitize.Text(q.ask.Prompt), w)
	for i, line := range words {
		words[i] = l.Bold.Paint(line)
	}
	return words
}

// fill takes a key for the control.
func (q *question) fill(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch keys := m.look.Keys; {
	case keys.Is(k, "close"):
		return m.lookAround(q), true
	case keys.Is(k, "cancel"):
		return nil, false
	}
	if q.ask.Kind == machine.KindReply {
		if cmd, used := q.replyKey(m, k); used {
			return cmd, true
		}
	}
	sent, used := q.control.Key(m.look, k)
	filled, fills := q.control.(*form.Form)
	switch {
	case sent && fills:
		return m.give(q, machine.Answer{Fields: filled.Answers()}), true
	case sent && q.control == form.Widget(q.chooser) && q.chooser.WantsWriting():
		q.control = q.chooser.Write()
		return nil, true
	case sent && q.control.Value() == "":
		m.say(m.look.Keys.Text("Nothing is written yet. {close}, then {skip} skips the step."))
	case sent && q.doubted(m):
		m.reflow()
	case sent:
		return m.answer(q, q.control.Value()), true
	}
	return nil, used || q.control.Writes()
}

// replyKey takes the keys that all ways to reply have.
func (q *question) replyKey(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	e, edits := q.control.(*form.Editor)
	keys := m.look.Keys
	switch {
	case keys.Is(k, "editor") && edits:
		return m.editOutside(e), true
	case keys.Is(k, "previous-field") && edits && q.chooser != nil:
		q.control = q.chooser
	case keys.Is(k, "choose-source") && q.ask.Tool == "":
		return m.chooseSource(), true
	case k.Text == "" && keys.Is(k, "page-up", "page-down"):
		return m.turnPrompt(keys.Is(k, "page-up")), true
	default:
		return nil, false
	}
	return nil, true
}

// turnPrompt moves the prompt that is replied to, which shows above the card.
func (m *Model) turnPrompt(up bool) tea.Cmd {
	by := max(3, m.layout.Panes[panes.Text].H-1)
	if up {
		by = -by
	}
	return m.scroll(panes.Text, by)
}

// controlHints are the keys of a question with a control.
func (q *question) controlHints(l *look) []draw.Hint {
	hints := q.control.Hints(l)
	if _, edits := q.control.(*form.Editor); edits && q.chooser != nil {
		hints = append(hints, l.Press("previous-field", "choices"))
	}
	hints = append(hints, l.Press("close", "look around"))
	switch {
	case q.ask.Tool != "":
		hints = append(hints, l.Press("page-down", "text"))
	case q.ask.Kind == machine.KindReply:
		hints = append(hints, l.Press("page-down", "prompt"), l.Press("choose-source", "source"))
	}
	return hints
}

// lookAround puts a question away. What was typed stays with it.
func (m *Model) lookAround(q *question) tea.Cmd {
	m.close(q)
	m.say("The run waits. {answer} goes back to the question.")
	return nil
}

// paste writes a text into the control.
func (q *question) paste(m *Model, text string) {
	if q.control != nil {
		q.control.Paste(m.look, text)
	}
}
