package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
	"playhead/engine/track"
	"playhead/parse/plan"
	"playhead/tui/decision"
	"playhead/tui/dialog/note"
	"playhead/tui/dialog/reported"
	"playhead/tui/draw"
	"playhead/tui/form"
	"playhead/tui/list"
	"playhead/tui/panes"
	"playhead/tui/runview"
)

// question is the card of something only a person can say. It lives as long as
// the question does: what was typed is kept while the person looks around.
type question struct {
	ask     machine.Question
	name    string        // of its step
	led     string        // which decision led there: the card covers WHY; empty: none did
	hand    bool          // a person can reply in the model's place instead
	nth     int           // of the actions of its step that it is about
	call    bool          // it is about a call of a model, not about a command
	tool    string        // it is about a call of this tool
	calls   *tools.Tool   // that a call to be allowed is of; nil: its server has not been asked
	control form.Widget   // nil for a decision: keys alone answer that
	chooser *form.Chooser // of a reply that can be chosen: the list
	began   string        // what the control had of itself
	note    string
	doubts  doubts       // about a reply that was to be sent
	checks  []plan.Check // that what is held was judged by
	list.Scroller
}

// about says which step the question is asked at, and what is held there was judged by.
func (q *question) about(r *track.Row) {
	q.name, q.led = draw.StepName(r), decision.LedTo(r)
	if q.ask.Kind == machine.KindAccept {
		q.checks = r.Checks()
	}
}

// same reports whether a question is the one the card asks. An action that calls
// models and tools may ask more than once: nth counts its calls. One that asks for values
// asks for each of them. What a model had begun to reply is there in one execution only.
func (q *question) same(o machine.Question, nth int) bool {
	return q.ask.Action == o.Action && q.ask.Kind == o.Kind && q.nth == nth && asksFor(q.ask) == asksFor(o) && q.ask.Draft == o.Draft
}

// asksFor is the name of the value that a question asks for.
func asksFor(q machine.Question) string {
	if q.Field == nil {
		return ""
	}
	return q.Field.Name
}

// unready reports whether the question is about a model that could not be asked yet.
func (q *question) unready() bool {
	return q.ask.Kind == machine.KindResume && q.ask.Absent == plan.Fail
}

func (q *question) title(l *look) panes.Title {
	if q.control != nil {
		return panes.Title{Left: q.name, Right: l.Wait.Paint(q.place() + "waits for you")}
	}
	if q.reason() != "" || q.ask.Call != nil {
		return panes.Title{Left: q.name, Right: l.Wait.Paint("waits for you")}
	}
	name := draw.Clean(q.ask.Action.Step)
	if p := draw.Clean(q.ask.Prompt); p != "" && p != name {
		name += " " + p
	}
	return panes.Title{Left: name, Right: l.Wait.Paint("waits for you")}
}

// place says which value of a form is asked for.
func (q *question) place() string {
	if f, fills := q.control.(*form.Form); fills {
		return f.Place() + " · "
	}
	return ""
}

// words is the question in a sentence.
func (q *question) words() string {
	switch {
	case q.ask.Call != nil:
		return "May the model call " + draw.ToolName(q.ask.Call.Server, q.ask.Call.Tool) + "?"
	case q.unready():
		return "The model could not be asked. What now?"
	case q.ask.Kind == machine.KindResume && q.call:
		return "The reply was cut off. What now?"
	case q.ask.Kind == machine.KindResume && q.tool != "":
		return "The call of " + q.tool + " was cut off, and may have acted. What now?"
	case q.ask.Kind == machine.KindResume:
		return "The command was cut off. What now?"
	case q.ask.Kind == machine.KindAccept:
		return "Is it good all the same?"
	case q.ask.Instead:
		return "Nothing is executed in this run. How did it go?"
	case len(q.ask.Options) > 0 && q.ask.Options[0] == "yes":
		return "Yes or no?"
	}
	return "Did it work?"
}

// leastAsked is the height from which a question says what led to it.
const leastAsked = 2

func (q *question) lines(l *look, w, h int) []string {
	if q.led == "" || h < leastAsked {
		return q.body(l, w, h)
	}
	return append([]string{l.Muted.Paint(l.Cut(q.led, w))}, q.body(l, w, h-1)...)
}

// body is the question itself.
func (q *question) body(l *look, w, h int) []string {
	if q.control != nil {
		return q.form(l, w, h)
	}
	all, ask := q.above(l, w), q.buttons(l, w)
	if h-len(ask) > 0 && len(all) > 0 {
		all = q.Window(l, all, h-len(ask))
		return append(all[:len(all):len(all)], ask...)
	}
	return ask
}

// reason is why there is a question, where the machine says it.
func (q *question) reason() string {
	if q.unready() || q.ask.Kind == machine.KindAccept {
		return q.ask.Prompt
	}
	return ""
}

// above is what the question is about: checks or a reason, a block, the arguments of a
// call.
func (q *question) above(l *look, w int) []string {
	out := decision.Checked(l, q.checks, w)
	if q.reason() != "" && len(out) == 0 {
		for _, line := range l.Wrap(sanitize.Text(q.reason()), w) {
			out = append(out, l.Warn.Paint(line))
		}
	}
	switch show := q.ask.Show; {
	case show == nil:
	case q.ask.Call != nil:
		out = append(l.Warning(tools.Careful(q.ask.Call.Server, q.ask.Call.Tool, show.Text), w), out...)
		out = append(out, jsonLines(l.Styles, sanitize.Unpadded(show.Text), w)...)
		out = append(out, toolFacts(l, q.calls, w)...)
	default:
		out = append(out, instruction(l, show, w)...)
	}
	if len(out) > 0 {
		out = append(out, "")
	}
	return out
}

// toolFacts are what its server says of a tool: what it does, and whether it changes anything.
func toolFacts(l *look, t *tools.Tool, w int) []string {
	if t == nil {
		return nil
	}
	ink := l.Muted
	if t.Effect == tools.Destructive {
		ink = l.Warn
	}
	out := []string{""}
	for _, fact := range t.Facts() {
		for _, line := range l.Wrap(sanitize.Text(fact), w) {
			out = append(out, ink.Paint(line))
		}
		ink = l.Muted
	}
	return out
}

func (q *question) height(l *look, w int) int {
	led := 0
	if q.led != "" {
		led = 1
	}
	if q.control != nil {
		return led + len(q.asked(l, w)) + q.control.Height(l, w)
	}
	return led + len(q.above(l, w)) + len(q.buttons(l, w))
}

// tall reports whether a reply is given or a text is written, which needs room.
func (q *question) Tall() bool {
	_, edits := q.control.(*form.Editor)
	return edits || q.ask.Kind == machine.KindReply
}

func (q *question) key(m *Model, k tea.KeyPressMsg) (tea.Cmd, bool) {
	if q.control != nil {
		return q.fill(m, k)
	}
	keys := m.look.Keys
	for _, c := range q.choices() {
		switch {
		case keys.Is(k, c.actions...):
			return m.answer(q, c.value), true
		case keys.Is(k, c.noting...):
			return m.answerNoted(q, c.value), true
		}
	}
	switch {
	case keys.Is(k, "note") && q.ask.Call == nil:
		m.open(note.New("Note for "+draw.Clean(q.ask.Action.Step), q.note, "keep", func(_ *runview.Run, text string) []tea.Msg {
			return []tea.Msg{noted{q, text, ""}}
		}))
		return nil, true
	case keys.Is(k, "close"):
		return m.lookAround(q), true
	}
	return nil, q.Scrolled(m.look.Keys, k)
}

// answerNoted asks for a note, and answers with it.
func (m *Model) answerNoted(q *question, value string) tea.Cmd {
	m.open(note.New(q.noteTitle(value), q.note, value, func(_ *runview.Run, text string) []tea.Msg {
		return []tea.Msg{noted{q, text, value}}
	}))
	return nil
}

// noted is a note to an answer, and the answer if that is given with it.
type noted struct {
	question    *question
	note, value string
}

func (q *question) noteTitle(value string) string {
	return strings.ToUpper(value[:1]) + value[1:] + " " + draw.Clean(q.ask.Action.Step) + ", with a note"
}

func (q *question) hints(m *Model) []draw.Hint {
	if q.control != nil {
		return q.controlHints(m.look)
	}
	var out []draw.Hint
	for _, c := range q.choices() {
		out = append(out, m.look.Press(c.actions[0], c.text))
	}
	for _, h := range q.others(m.look) {
		h.Text = strings.TrimSuffix(h.Text, "…")
		out = append(out, h)
	}
	return append(out, m.look.Press("close", "look around"))
}

// answer gives the answer to the session.
func (m *Model) answer(q *question, value string) tea.Cmd {
	if q.ask.Kind == machine.KindAccept && value == "pass" && len(m.status.Withheld) > 0 {
		m.open(reported.New(m.view(), "Accept "+draw.Clean(q.ask.Action.Step), func(_ *runview.Run, instead []plan.Assignment) []tea.Msg {
			return []tea.Msg{giving{q, machine.Answer{Value: value, Set: instead}}}
		}))
		return nil
	}
	return m.give(q, machine.Answer{Value: value})
}

// giving is an answer to a question.
type giving struct {
	question *question
	answer   machine.Answer
}

// give gives an answer as the person's.
func (m *Model) give(q *question, a machine.Answer) tea.Cmd {
	a.By, a.Note = machine.ByPerson, q.note
	m.close(q)
	m.followRun()
	return m.call(func(s session) error { return s.Answer(a) })
}

func (q *question) Writing() bool { return q.control != nil && q.control.Writes() }
