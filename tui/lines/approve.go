package lines

import (
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/tools"
)

// askCall asks whether a model may make the call that is shown above.
func (t *LineUI) askCall(q *machine.Question) {
	if careful := tools.Careful(q.Call.Server, q.Call.Tool, q.Show.Text); careful != "" {
		t.line("%s", t.paint(yellow, careful))
	}
	if tool := t.status.Tool; tool != nil {
		for _, fact := range tool.Facts() {
			t.line("  %s", strings.ReplaceAll(sanitize.Text(fact), "\n", "\n  "))
		}
	}
	t.prompt("may the model make this call?", q.Options)
}

// approve takes a line for what is said of a call: an answer or its first letter, and
// behind a colon what the model is told.
func (t *LineUI) approve(line string) error {
	word, note, _ := strings.Cut(line, ":")
	word = strings.ToLower(strings.TrimSpace(word))
	options := t.status.Question.Options
	if i := slices.IndexFunc(options, func(o string) bool { return word != "" && o[:1] == word }); i >= 0 {
		word = options[i]
	}
	return t.session.Answer(machine.Answer{Value: word, By: machine.ByPerson, Note: strings.TrimSpace(note)})
}
