package tui

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/tui/draw"
)

// choice is an answer to a question: its value and what it means here, and the actions of the key
// map that give it, without a note and with one.
type choice struct {
	value, text     string
	actions, noting []string
}

// answerActions are the actions that give each answer: y and n wherever yes and no are asked, p
// and f pass and fail whatever the document's words for them are.
var answerActions = map[string]choice{
	"yes":            {actions: []string{"yes", "pass"}, noting: []string{"yes-note", "pass-note"}},
	"no":             {actions: []string{"no", "fail"}, noting: []string{"no-note", "fail-note"}},
	"pass":           {actions: []string{"pass"}, noting: []string{"pass-note"}},
	"fail":           {actions: []string{"fail"}, noting: []string{"fail-note"}},
	"rerun":          {actions: []string{"again"}, noting: []string{"again-note"}},
	"tool":           {actions: []string{"allow-tool"}},
	machine.AllowAll: {actions: []string{"allow-all"}},
}

// approvalActions are those of the answers to a tool call: pass and fail are none of them, and
// only a refusal can have a note, which is told to the model.
var approvalActions = map[string]choice{
	"yes": {actions: []string{"yes"}},
	"no":  {actions: []string{"no"}, noting: []string{"no-note"}},
}

// choices are the answers that the question offers.
func (q *question) choices() []choice {
	var out []choice
	for _, value := range q.ask.Options {
		c, special := approvalActions[value]
		if q.ask.Kind != machine.KindApprove || !special {
			c = answerActions[value]
		}
		c.value, c.text = value, q.meaning(value)
		out = append(out, c)
	}
	return out
}

// meaning is an answer in words, where those of the machine do not say it here.
func (q *question) meaning(value string) string {
	var words map[string]string
	switch {
	case q.unready():
		words = map[string]string{"rerun": "try again"}
	case q.call:
		words = map[string]string{"rerun": "again", "pass": "keep it"}
	case q.tool != "":
		words = map[string]string{"rerun": "again"}
	case q.ask.Kind == machine.KindAccept:
		words = map[string]string{"pass": "accept", "fail": "reject"}
	case q.ask.Kind == machine.KindApprove:
		words = map[string]string{"tool": "this tool always", machine.AllowAll: "all always"}
	}
	return cmp.Or(words[value], value)
}

// offers reports whether a value is among the answers.
func (q *question) offers(value string) bool { return slices.Contains(q.ask.Options, value) }

// others are the keys besides those of the answers.
func (q *question) others(l *look) []draw.Hint {
	if q.ask.Call != nil {
		return []draw.Hint{l.Press("no-note", "no, because…")}
	}
	var out []draw.Hint
	if q.ask.Kind == machine.KindAccept {
		out = append(out, l.Press("again", "run again"), l.Press("skip", "skip"))
	}
	if q.unready() {
		out = append(out, l.Press("skip", "skip"))
	}
	if q.hand {
		out = append(out, l.Press("by-hand", "by hand"))
	}
	if q.offers("no") { // which has the key of a note
		return append(out, draw.Hint{Key: l.Keys.Name("yes-note") + " " + l.Keys.Name("no-note"), Text: "with a note…", Action: "no-note"})
	}
	return append(out, l.Press("note", "note…"))
}

// buttons is the sentence with its keys, on one line or two, and the note there is.
func (q *question) buttons(l *look, w int) []string {
	words := q.words()
	var keys []string
	for _, c := range q.choices() {
		keys = append(keys, l.Key.Paint(l.Keys.Name(c.actions[0]))+" "+c.text)
	}
	for _, h := range q.others(l) {
		keys = append(keys, l.Key.Paint(h.Key)+" "+h.Text)
	}
	out := []string{l.Bold.Paint(words) + "  " + strings.Join(keys, "  ")}
	if l.Width(out[0]) > w {
		out = out[:0]
		for _, line := range l.Wrap(words, w) {
			out = append(out, l.Bold.Paint(line))
		}
		out = append(out, flow(l, keys, w)...)
	}
	if q.note != "" {
		out = append(out, l.Cut(l.Muted.Paint("note: ")+draw.Clean(q.note), w))
	}
	return out
}

// flow sets items one behind the other, on as many lines as they need.
func flow(l *look, items []string, w int) []string {
	var out []string
	for i, item := range items {
		if last := len(out) - 1; i > 0 && l.Width(out[last])+2+l.Width(item) <= w {
			out[last] += "  " + item
		} else {
			out = append(out, l.Cut(item, w))
		}
	}
	return out
}
