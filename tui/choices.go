package tui

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/tui/draw"
)

// choice is an answer there is, its key, another key that gives it too, and what it means
// here.
type choice struct{ key, also, value, text string }

// choices gives each answer a key: y and n say yes and no wherever that is asked, p and f
// pass and fail whatever the document's words for them are.
func (q *question) choices() []choice {
	keys := map[string]string{"rerun": "r", machine.AllowAll: "A"}
	decided := map[string]string{"yes": "p", "no": "f"}
	if q.ask.Kind == machine.KindApprove {
		decided = nil
	}
	var out []choice
	for _, value := range q.ask.Options {
		key := cmp.Or(keys[value], value[:1])
		out = append(out, choice{key, decided[value], value, q.meaning(value)})
	}
	return out
}

// gives reports whether a key is that of an answer.
func (c choice) gives(key string) bool { return key == c.key || c.also != "" && key == c.also }

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
func (q *question) others() []draw.Hint {
	if q.ask.Call != nil {
		return []draw.Hint{draw.Press("N", "no, because…")}
	}
	var out []draw.Hint
	if q.ask.Kind == machine.KindAccept {
		out = append(out, draw.Press("r", "run again"), draw.Press("s", "skip"))
	}
	if q.unready() {
		out = append(out, draw.Press("s", "skip"))
	}
	if q.hand {
		out = append(out, draw.Press("H", "by hand"))
	}
	if q.offers("no") { // which has the key of a note
		return append(out, draw.Press("Y N", "with a note…"))
	}
	return append(out, draw.Press("n", "note…"))
}

// noted reports whether an answer can have a note. What is said of a call that is
// allowed is for nobody.
func (q *question) noted(c choice) bool { return q.ask.Call == nil || c.value == "no" }

// buttons is the sentence with its keys, on one line or two, and the note there is.
func (q *question) buttons(l *look, w int) []string {
	words := q.words()
	var keys []string
	for _, c := range q.choices() {
		keys = append(keys, l.Key.Paint(c.key)+" "+c.text)
	}
	for _, h := range q.others() {
		keys = append(keys, l.Key.Paint(h.Key)+" "+h.Text)
	}
	out := []string{l.Bold.Paint(words) + "  " + strings.Join(keys, "  ")}
	if l.Width(out[0]) > w {
		out = out[:0]
		for _, line := range l.Wrap(words, w) {
			out = append(out, l.Bold.Paint(line))
		}
		out = append(out, l.flow(keys, w)...)
	}
	if q.note != "" {
		out = append(out, l.Cut(l.Muted.Paint("note: ")+draw.Clean(q.note), w))
	}
	return out
}

// flow sets items one behind the other, on as many lines as they need.
func (l *look) flow(items []string, w int) []string {
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
