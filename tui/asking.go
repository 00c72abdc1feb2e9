package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/parse/plan"
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
		q.control = newWidget(ask.Field.Type, ask.Field.Default, ask.Options)
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
	q.control = newEditor(q.ask.Draft)
	if len(q.ask.Choices) == 0 {
		return
	}
	q.chooser = newChooser(q.ask.Choices)
	if q.ask.Draft == "" {
		q.control = q.chooser
	} else {
		q.chooser.written = q.control.(*editor)
	}
}

// newAnswers is the form of values that a step needs.
func newAnswers(fields []plan.Field) *form {
	f := &form{end: "go on"}
	for _, one := range fields {
		f.add(field{name: one.Name, about: plan.Source(one.Prompt), control: newWidget(one.Type, one.Default, one.Options), blank: true})
	}
	return f
}

// newReport is the form of a report.
func newReport(fields []plan.Field) *form {
	f := &form{end: "report", asked: func(answers []string) []bool { return plan.Asked(fields, answers) }}
	for _, one := range fields {
		e := field{name: one.Name, about: plan.Source(one.Prompt), control: newWidget(one.Type, one.Default, one.Options)}
		if one.Type == "value" {
			e.unfit = notJSON
		}
		f.add(e)
	}
	return f
}

// written is what stands in the control, where a person can write.
func (q *question) written() string {
	c := q.control
	if q.chooser != nil && q.chooser.written != nil {
		c = q.chooser.written
	}
	if f, fills := c.(*form); fills {
		return strings.Join(f.answers(), "\x00")
	}
	if c == nil || !c.writes() {
		return ""
	}
	return c.value()
}

// unsent reports whether something is written that nobody else has, a reply that was
// taken over included: leaving the run loses it.
func (q *question) unsent() bool {
	if q == nil || q.chooser != nil && q.written() == q.chooser.began {
		return false
	}
	return q.written() != q.began
}

// form sets what is asked above the control.
func (q *question) form(l *look, w, h int) []string {
	words := q.asked(l, w)
	if room := max(1, h-q.control.height(l, w)); len(words) > room {
		words = words[:room]
		words[room-1] = l.cut(words[room-1]+" …", w)
	}
	return append(words, q.control.lines(l, w, h-len(words))...)
}

// asked is what is asked, wrapped.
func (q *question) asked(l *look, w int) []string {
	switch {
	case len(q.ask.Fields) > 0 && q.ask.Kind == machine.KindReply:
		return []string{l.cut(l.Bold.Paint("Report in the model's place.")+l.Muted.Paint(" Its prompt is above."), w)}
	case q.ask.Kind == machine.KindReply && q.ask.Draft != "":
		return []string{l.cut(l.Bold.Paint("Finish the model's reply,")+l.Muted.Paint(" whose prompt is above."), w)}
	case q.ask.Kind == machine.KindReply:
		return []string{l.cut(l.Bold.Paint("Reply in the model's place.")+l.Muted.Paint(" Its prompt is above."), w)}
	}
	if len(q.ask.Fields) > 0 {
		return []string{l.cut(l.Bold.Paint("The step needs "+count(len(q.ask.Fields), "value")+" first."), w)}
	}
	words := l.wrap(sanitize.Text(q.ask.Prompt), w)
	for i, line := range words {
		words[i] = l.Bold.Paint(line)
	}
	return words
}

// fill takes a key for the control.
func (q *question) fill(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k.String() {
	case "esc":
		return m.lookAround(q), true
	case "ctrl+c":
		return nil, false
	}
	if q.ask.Kind == machine.KindReply {
		if cmd, used := q.replyKey(m, k); used {
			return cmd, true
		}
	}
	sent, used := q.control.key(m.look, k)
	filled, fills := q.control.(*form)
	switch {
	case sent && fills:
		return m.give(q, machine.Answer{Fields: filled.answers()}), true
	case sent && q.control == widget(q.chooser) && q.chooser.wantsWriting():
		q.control = q.chooser.write()
		return nil, true
	case sent && q.control.value() == "":
		m.say(m.look.keys.said("Nothing is written yet. esc, then {skip} skips the step."))
	case sent:
		return m.answer(q, q.control.value()), true
	}
	return nil, used || q.control.writes()
}

// replyKey takes the keys that all ways to reply have.
func (q *question) replyKey(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	e, edits := q.control.(*editor)
	switch s := k.String(); {
	case s == "ctrl+e" && edits:
		return m.editOutside(e), true
	case s == "shift+tab" && edits && q.chooser != nil:
		q.control = q.chooser
	case s == "ctrl+o":
		return m.chooseSource(), true
	case s == "pgup", s == "pgdown":
		return m.turnPrompt(s == "pgup"), true
	default:
		return nil, false
	}
	return nil, true
}

// turnPrompt moves the prompt that is replied to, which shows above the card.
func (m *Model) turnPrompt(up bool) tea.Cmd {
	by := max(3, m.layout.panes[detailPane].h-1)
	if up {
		by = -by
	}
	return m.scroll(detailPane, by)
}

// controlHints are the keys of a question with a control.
func (q *question) controlHints() []hint {
	hints := q.control.hints()
	if _, edits := q.control.(*editor); edits && q.chooser != nil {
		hints = append(hints, hint{"shift+tab", "choices"})
	}
	hints = append(hints, hint{"esc", "look around"})
	if q.ask.Kind == machine.KindReply {
		hints = append(hints, hint{"pgdown", "prompt"}, hint{"ctrl+o", "source"})
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
		q.control.paste(m.look, text)
	}
}

// paste writes a text into the note.
func (n *note) paste(m *Model, text string) { n.oneLine.paste(m.look, text) }
