package tui

import (
	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
)

// newQuestion is the card of a question. One that asks for more than a decision
// has a control.
func newQuestion(ask machine.Question, name string) *question {
	q := &question{ask: ask, name: name}
	if ask.Kind == machine.KindAsk && ask.Field != nil {
		q.control = newWidget(ask.Field.Type, ask.Field.Default, ask.Options)
	}
	if ask.Kind == machine.KindReply {
		q.control = newEditor(ask.Draft)
	}
	return q
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
	case q.ask.Kind == machine.KindReply && q.ask.Draft != "":
		return []string{l.cut(l.Bold.Paint("Finish the model's reply.")+l.Muted.Paint(" This is what came. Its prompt is above."), w)}
	case q.ask.Kind == machine.KindReply:
		return []string{l.cut(l.Bold.Paint("Reply in the model's place.")+l.Muted.Paint(" Its prompt is above."), w)}
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
	if e, edits := q.control.(*editor); edits {
		switch k.String() {
		case "ctrl+e":
			return m.editOutside(e), true
		case "ctrl+o":
			return m.chooseSource(), true
		case "pgup", "pgdown":
			return m.turnPrompt(k.String() == "pgup"), true
		}
	}
	sent, used := q.control.key(m.look, k)
	switch {
	case sent && q.control.value() == "":
		m.say("Nothing is written yet. esc, then s skips the step.")
	case sent:
		return m.answer(q, q.control.value()), true
	}
	return nil, used || q.control.writes()
}

// turnPrompt moves the prompt that is replied to, which shows above the card.
func (m *Model) turnPrompt(up bool) tea.Cmd {
	by := max(3, m.layout.panes[detailPane].h-1)
	if up {
		by = -by
	}
	return m.scroll(detailPane, by)
}

// lookAround puts a question away. What was typed stays with it.
func (m *Model) lookAround(q *question) tea.Cmd {
	m.close(q)
	m.say("The run waits. a goes back to the question.")
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
