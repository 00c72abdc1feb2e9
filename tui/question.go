package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
)

// question is the card of something only a person can say. It lives as long as
// the question does: what was typed is kept while the person looks around.
type question struct {
	ask     machine.Question
	name    string   // of its step
	nth     int      // of the actions of its step that it is about
	call    bool     // it is about a call of a model, not about a command
	control widget   // nil for a decision: keys alone answer that
	chooser *chooser // of a reply that can be chosen: the list
	note    string
	scroller
}

// same reports whether a question is the one the card asks. An action that calls
// models and tools may ask more than once: nth counts its calls.
func (q *question) same(o machine.Question, nth int) bool {
	return q.ask.Action == o.Action && q.ask.Kind == o.Kind && q.nth == nth
}

// choice is an answer there is, its key, and what it means here.
type choice struct{ key, value, text string }

// choices gives each answer a key: p and f say pass and fail whatever the
// document's words for them are.
func (q *question) choices() []choice {
	keys := map[string]string{"pass": "p", "yes": "p", "fail": "f", "no": "f", "rerun": "r"}
	var out []choice
	for _, value := range q.ask.Options {
		key := keys[value]
		if key == "" {
			key = value[:1]
		}
		out = append(out, choice{key, value, q.meaning(value)})
	}
	return out
}

// meaning is an answer in words: what becomes of a reply that was cut off takes some.
func (q *question) meaning(value string) string {
	if q.call {
		if text := map[string]string{"rerun": "again", "pass": "keep it"}[value]; text != "" {
			return text
		}
	}
	return value
}

// offers reports whether a value is among the answers.
func (q *question) offers(value string) bool { return slices.Contains(q.ask.Options, value) }

func (q *question) title(l *look) title {
	if q.control != nil {
		return title{q.name, l.Wait.Paint(q.place() + "waits for you")}
	}
	name := clean(q.ask.Action.Step)
	if p := clean(q.ask.Prompt); p != "" && p != name {
		name += " " + p
	}
	return title{name, l.Wait.Paint("waits for you")}
}

// place says which value of a form is asked for.
func (q *question) place() string {
	if f, fills := q.control.(*form); fills {
		return f.place() + " · "
	}
	return ""
}

// words is the question in a sentence.
func (q *question) words() string {
	switch {
	case q.ask.Kind == machine.KindResume && q.call:
		return "The reply did not come to its end. What becomes of it?"
	case q.ask.Kind == machine.KindResume:
		return "The command did not come to its end. What becomes of it?"
	case q.ask.Kind == machine.KindAccept:
		return "Is it good all the same?"
	case q.ask.Instead:
		return "Nothing is executed in this run. How did it go?"
	case len(q.ask.Options) > 0 && q.ask.Options[0] == "yes":
		return "Yes or no?"
	}
	return "Did it work?"
}

func (q *question) lines(l *look, w, h int) []string {
	if q.control != nil {
		return q.form(l, w, h)
	}
	var all []string
	if show := q.ask.Show; show != nil {
		for _, line := range strings.Split(sanitize.Text(show.Text), "\n") {
			all = append(all, l.Person.Paint(l.cut("  "+line, w)))
		}
		all = append(all, "")
	}
	ask := q.buttons(l, w)
	if h-len(ask) > 0 && len(all) > 0 {
		all = q.window(l, all, h-len(ask))
		return append(all[:len(all):len(all)], ask...)
	}
	return ask
}

// buttons is the sentence with its keys, on one line or two, and the note there is.
func (q *question) buttons(l *look, w int) []string {
	words, keys := q.words(), ""
	for _, c := range q.choices() {
		keys += l.Key.Paint(c.key) + " " + c.text + "  "
	}
	if q.call {
		keys += l.Key.Paint("H") + " by hand  "
	}
	keys += l.Key.Paint("n") + " note…"
	out := []string{l.Bold.Paint(words) + "  " + keys}
	if l.width(out[0]) > w {
		out = out[:0]
		for _, line := range l.wrap(words, w) {
			out = append(out, l.Bold.Paint(line))
		}
		out = append(out, l.cut(keys, w))
	}
	if q.note != "" {
		out = append(out, l.cut(l.Muted.Paint("note: ")+clean(q.note), w))
	}
	return out
}

func (q *question) height(l *look, w int) int {
	if q.control != nil {
		return len(q.asked(l, w)) + q.control.height(l, w)
	}
	n := len(q.buttons(l, w))
	if q.ask.Show != nil {
		n += strings.Count(q.ask.Show.Text, "\n") + 2
	}
	return n
}

// tall reports whether a reply is given or a text is written, which needs room.
func (q *question) tall() bool {
	_, edits := q.control.(*editor)
	return edits || q.ask.Kind == machine.KindReply
}

func (q *question) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if q.control != nil {
		return q.fill(m, k)
	}
	s := k.String()
	for _, c := range q.choices() {
		switch {
		case s == c.key, s == "y" && c.value == "yes":
			return m.answer(q, c.value), true
		case s == strings.ToUpper(c.key):
			m.open(newNote(q.noteTitle(c.value), q.note, c.value, func(note string) tea.Cmd {
				q.note = note
				return m.answer(q, c.value)
			}))
			return nil, true
		}
	}
	switch s {
	case "n":
		m.open(newNote("Note for "+clean(q.ask.Action.Step), q.note, "keep", func(note string) tea.Cmd {
			q.note = note
			return nil
		}))
		return nil, true
	case "esc":
		return m.lookAround(q), true
	}
	return nil, q.scrolled(k)
}

func (q *question) noteTitle(value string) string {
	return strings.ToUpper(value[:1]) + value[1:] + " " + clean(q.ask.Action.Step) + ", with a note"
}

func (q *question) hints(*Model) []hint {
	if q.control != nil {
		return q.controlHints()
	}
	var out []hint
	for _, c := range q.choices() {
		out = append(out, hint{c.key, c.text})
	}
	if q.call {
		out = append(out, hint{"H", "by hand"})
	}
	return append(out, hint{"n", "note"}, hint{"esc", "look around"})
}

// answer gives the answer to the session.
func (m *Model) answer(q *question, value string) tea.Cmd {
	return m.give(q, machine.Answer{Value: value})
}

// give gives an answer as the person's.
func (m *Model) give(q *question, a machine.Answer) tea.Cmd {
	a.By, a.Note = machine.ByPerson, q.note
	m.close(q)
	m.tree.follow = true
	return m.call(func(s session) error { return s.Answer(a) })
}
