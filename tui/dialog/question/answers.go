package question

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/panes"
	"playhead/tui/runview"
)

// choice is an answer to a question: its value, its text in the dialog, and the actions of the key map
// that give it, without and with a note.
type choice struct {
	value, text          string
	actions, noteActions []string
}

// answerActions has the actions that give each answer. For yes and no, the actions pass and fail give these
// answers too.
var answerActions = map[string]choice{
	"yes":            {actions: []string{"yes", "pass"}, noteActions: []string{"yes-note", "pass-note"}},
	"no":             {actions: []string{"no", "fail"}, noteActions: []string{"no-note", "fail-note"}},
	"pass":           {actions: []string{"pass"}, noteActions: []string{"pass-note"}},
	"fail":           {actions: []string{"fail"}, noteActions: []string{"fail-note"}},
	"rerun":          {actions: []string{"rerun"}, noteActions: []string{"rerun-note"}},
	"tool":           {actions: []string{"allow-tool"}},
	machine.AllowAll: {actions: []string{"allow-all"}},
}

// skip is the action that leaves the step without an answer.
const skip = "skip"

// approvalActions has the actions that allow or refuse a tool call. Pass and fail do not, and only a
// refusal can have a note, which is sent to the model.
var approvalActions = map[string]choice{
	"yes": {actions: []string{"yes"}},
	"no":  {actions: []string{"no"}, noteActions: []string{"no-note"}},
}

// key returns the key that gives the answer inside the dialog, or from another pane, "" if none does.
func (c choice) key(l *draw.Look, inside bool) string {
	for _, name := range c.actions {
		if inside || keymap.Find(name).In == keymap.Anywhere {
			return l.Keys.Name(name)
		}
	}
	return ""
}

// choices returns the answers that the question offers.
func (d *Dialog) choices() []choice {
	var out []choice
	for _, value := range d.ask.Options {
		c, special := approvalActions[value]
		if d.ask.Kind != machine.KindApproveCall || !special {
			c = answerActions[value]
		}
		c.value, c.text = value, d.meaning(value)
		out = append(out, c)
	}
	return out
}

// meaning returns the text of an answer: its value, or another text if the value would be unclear here.
func (d *Dialog) meaning(value string) string {
	var words map[string]string
	switch {
	case d.waitsForModel():
		words = map[string]string{"rerun": "try again"}
	case d.isModelCall:
		words = map[string]string{"pass": "keep it"}
	case d.toolName != "": // the values are clear here
	case d.ask.Kind == machine.KindAcceptOutcome:
		words = map[string]string{"pass": "accept", "fail": "reject"}
	case d.isLocalCall():
		words = map[string]string{"yes": "allow once", "no": "refuse", "tool": "allow " + draw.Clean(d.ask.Allows), machine.AllowAll: "allow all"}
	case d.ask.Kind == machine.KindApproveCall:
		words = map[string]string{"yes": "allow once", "no": "refuse", "tool": "allow tool", machine.AllowAll: "allow all"}
	}
	return cmp.Or(words[value], value)
}

// HasAnswer reports whether a value is among the answers.
func (d *Dialog) HasAnswer(value string) bool {
	return d != nil && slices.Contains(d.ask.Options, value)
}

// offersSkip reports whether the question offers to skip its step. None of its answers is called so then.
func (d *Dialog) offersSkip() bool {
	return d.ask.Kind == machine.KindAcceptOutcome || d.waitsForModel()
}

// alternatives returns what a person can do instead of giving one of the answers.
func (d *Dialog) alternatives() []choice {
	if d.ask.Call != nil {
		return []choice{
			{text: "no, because", actions: []string{"no-note"}},
			{text: "edit it", actions: []string{"adjust"}},
			{text: "answer it", actions: []string{"manual-reply"}},
		}
	}
	var out []choice
	if d.ask.Kind == machine.KindAcceptOutcome {
		out = append(out, choice{text: "rerun", actions: []string{"rerun"}})
	}
	if d.offersSkip() {
		out = append(out, choice{value: skip, text: skip, actions: []string{skip}})
	}
	if d.canReply {
		out = append(out, choice{text: "manual", actions: []string{"manual-reply"}})
	}
	return out
}

// Answers returns the keys of the answers and alternatives, which the dialog itself shows.
func (d *Dialog) Answers(run *runview.Run) []draw.Hint {
	if !d.IsDecision() {
		return nil
	}
	var out []draw.Hint
	for _, c := range append(d.choices(), d.alternatives()...) {
		out = append(out, run.Look.Press(c.actions[0], c.text))
	}
	return out
}

// noteKeys returns the keys of a note on the answer, for the last line of the screen.
func (d *Dialog) noteKeys(l *draw.Look) []draw.Hint {
	switch {
	case d.ask.Call != nil:
		return nil
	case d.HasAnswer("no"): // these answers have keys with a note
		return []draw.Hint{{Key: l.Keys.Name("yes-note") + " " + l.Keys.Name("no-note"), Text: "with a note", Action: "no-note"}}
	}
	return []draw.Hint{l.Press("note", "note")}
}

// buttons returns the question with the keys of its answers, on one line if they fit, and the note if
// there is one. The keys are those of the pane with focus.
func (d *Dialog) buttons(run *runview.Run, w int) []string {
	l, words, inside := run.Look, d.questionText(), run.Focus == panes.Dialog
	var keys []string
	for _, c := range d.choices() {
		keys = append(keys, strings.TrimPrefix(l.Key.Paint(c.key(l, inside))+" ", " ")+d.withDestination(l, c))
	}
	for _, c := range d.alternatives() {
		if key := c.key(l, inside); key != "" {
			keys = append(keys, l.Key.Paint(key)+" "+d.withDestination(l, c))
		}
	}
	if !inside {
		h := l.Press("answer", "answer here")
		keys = append(keys, l.Key.Paint(h.Key)+" "+h.Text)
	}
	out := []string{l.Bold.Paint(words) + "  " + strings.Join(keys, "  ")}
	if strings.Contains(words, "\n") || l.Width(out[0]) > w {
		out = out[:0]
		for _, line := range l.Wrap(words, w) {
			out = append(out, l.Bold.Paint(line))
		}
		out = append(out, l.Flow(keys, w)...)
	}
	if d.note != "" {
		out = append(out, l.Cut(l.Muted.Paint("note: ")+draw.Clean(d.note), w))
	}
	return out
}

// withDestination returns the text of an answer, and where it leads if that is known.
func (d *Dialog) withDestination(l *draw.Look, c choice) string {
	if to := d.leads[c.value].text; to != "" {
		return c.text + l.Muted.Paint(" → ") + to
	}
	return c.text
}

// Lead returns the question's own word for pass or fail, and where that answer leads, "" if that is unknown.
func (d *Dialog) Lead(side string) (word, to string) {
	value := d.Value(side)
	return d.meaning(value), d.leads[value].brief
}

// Value returns the question's own word for pass or fail.
func (d *Dialog) Value(side string) string {
	for _, c := range d.choices() {
		if slices.Contains(c.actions, side) {
			return c.value
		}
	}
	return side
}
