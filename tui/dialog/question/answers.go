package question

import (
	"cmp"
	"slices"
	"strings"

	"playhead/engine/machine"
	"playhead/engine/wording"
	"playhead/tui/draw"
	"playhead/tui/keymap"
	"playhead/tui/layout"
	"playhead/tui/runview"
)

// answerOption is an answer to a question: its value, its text in the dialog, and the actions of the key map
// that give it, without and with a note.
type answerOption struct {
	value, label             string
	actions, actionsWithNote []string
}

// optionByAnswer has the actions that give each answer. For yes and no, the actions pass and fail give these
// answers too.
var optionByAnswer = map[string]answerOption{
	"yes":            {actions: []string{"yes", "pass"}, actionsWithNote: []string{"yes-note", "pass-note"}},
	"no":             {actions: []string{"no", "fail"}, actionsWithNote: []string{"no-note", "fail-note"}},
	"pass":           {actions: []string{"pass"}, actionsWithNote: []string{"pass-note"}},
	"fail":           {actions: []string{"fail"}, actionsWithNote: []string{"fail-note"}},
	"rerun":          {actions: []string{"rerun"}, actionsWithNote: []string{"rerun-note"}},
	"tool":           {actions: []string{"allow-tool"}},
	machine.AllowAll: {actions: []string{"allow-all"}},
}

// skipAction is the action that leaves the step without an answer.
const skipAction = "skip"

// approvalOptionByAnswer has the actions that allow or refuse a tool call. Pass and fail do not, and only a
// refusal can have a note, which is sent to the model.
var approvalOptionByAnswer = map[string]answerOption{
	"yes": {actions: []string{"yes"}},
	"no":  {actions: []string{"no"}, actionsWithNote: []string{"no-note"}},
}

// yesAndNo are the actions whose keys do something else outside the dialog: there they first lead to it.
var yesAndNo = []string{"yes", "no"}

// keyFor returns what to press for the answer, "" if nothing gives it. inside reports whether the dialog
// has the focus.
func (a answerOption) keyFor(dc *draw.Context, inside bool) string {
	var usable []string
	for _, name := range a.actions {
		if inside || keymap.FindKeyAction(name).Scope == keymap.AnyPaneScope || slices.Contains(yesAndNo, name) {
			usable = append(usable, name)
		}
	}
	if len(usable) == 0 {
		return ""
	}
	return firstKeyText(dc, usable)
}

// firstKeyText returns the key of the first action that has one, as text.
func firstKeyText(dc *draw.Context, actions []string) string {
	bound := slices.IndexFunc(actions, func(name string) bool { return len(dc.Keys.Keys(name)) > 0 })
	return dc.Keys.FirstKeyText(actions[max(0, bound)])
}

// LabelOfYesOrNoKey returns the text of the answer that a key of yes or no gives in the dialog, "" if it gives none.
func (d *Dialog) LabelOfYesOrNoKey(keys keymap.Map, pressed string) string {
	if d == nil || !d.IsAnsweredByKeys() {
		return ""
	}
	for _, c := range d.answerOptions() {
		if name := c.actions[0]; slices.Contains(yesAndNo, name) && keys.IsKeyNameOf(pressed, name) {
			return c.label
		}
	}
	return ""
}

// answerOptions returns the answers that the question offers.
func (q *openQuestion) answerOptions() []answerOption {
	var out []answerOption
	for _, value := range q.question.Options {
		c, special := approvalOptionByAnswer[value]
		if q.question.Kind != machine.KindApproveCall || !special {
			c = optionByAnswer[value]
		}
		if value == "pass" && q.question.Kind != machine.KindResume {
			c.actions = []string{"pass", "yes"} // the question can be read as one for yes or no
		}
		c.value, c.label = value, q.answerLabel(value)
		out = append(out, c)
	}
	return out
}

// answerLabel returns the text of an answer: its value, or another text if the value would be unclear here.
func (q *openQuestion) answerLabel(value string) string {
	var labels map[string]string
	switch {
	case q.isModelUnavailable():
		labels = map[string]string{"rerun": "try again"}
	case q.isAboutModelCall:
		labels = map[string]string{"pass": "keep reply"}
	case q.interruptedTool != "": // the values are clear here
	case q.question.Call != nil && q.approval().isLocal():
		labels = map[string]string{"yes": "allow once", "no": "refuse", "tool": "allow " + draw.CleanLine(q.question.CoveredCallsText), machine.AllowAll: "allow all"}
	case q.question.Kind == machine.KindApproveCall && q.approvalPolicy == machine.ApproveOnce && value == "yes":
		return "allow" // also later calls of the tool
	case q.question.Kind == machine.KindApproveCall:
		labels = map[string]string{"yes": "allow once", "no": "refuse", "tool": "allow tool", machine.AllowAll: "allow all"}
	}
	return cmp.Or(labels[value], wording.AnswerLabel(q.question.Kind, value))
}

// HasAnswer reports whether a value is among the answers.
func (d *Dialog) HasAnswer(value string) bool {
	return d != nil && slices.Contains(d.question.Options, value)
}

// offersSkip reports whether the question offers to skip its step, besides its own answers.
func (q *openQuestion) offersSkip() bool {
	return q.question.Kind == machine.KindAcceptOutcome || q.isModelUnavailable()
}

// alternatives returns what a person can do instead of giving one of the answers.
func (q *openQuestion) alternatives() []answerOption {
	if q.question.Call != nil {
		return []answerOption{
			{label: "refuse with note", actions: []string{"no-note"}},
			{label: "edit call", actions: []string{"adjust"}},
			{label: "give result", actions: []string{"manual-reply"}},
		}
	}
	var out []answerOption
	if q.question.Kind == machine.KindAcceptOutcome {
		out = append(out, answerOption{label: "rerun", actions: []string{"rerun"}})
	}
	if q.offersSkip() {
		out = append(out, answerOption{value: skipAction, label: skipAction, actions: []string{skipAction}})
	}
	if q.canReply {
		out = append(out, answerOption{label: "manual", actions: []string{"manual-reply"}})
	}
	return out
}

// AnswerHints returns the keys of the answers and alternatives, which the dialog itself shows.
func (d *Dialog) AnswerHints(run *runview.Run) []draw.Hint {
	if !d.IsAnsweredByKeys() {
		return nil
	}
	var out []draw.Hint
	for _, c := range append(d.answerOptions(), d.alternatives()...) {
		out = append(out, run.DrawContext.ActionHint(c.actions[0], c.label))
	}
	return out
}

// AnswerHintsWithDestinations returns the keys of the answers and alternatives, with where they lead if that is known.
func (d *Dialog) AnswerHintsWithDestinations(run *runview.Run) []draw.Hint {
	out, options := d.AnswerHints(run), append(d.answerOptions(), d.alternatives()...)
	for i := range out {
		if to := d.destinationByAnswer[options[i].value].text; to != "" {
			out[i].Text += " → " + to
		}
	}
	return out
}

// noteHints returns the keys of a note on the answer, for the last line of the screen.
func (q *openQuestion) noteHints(dc *draw.Context) []draw.Hint {
	switch {
	case q.question.Call != nil:
		return nil
	case slices.Contains(q.question.Options, "no"): // these answers have keys with a note
		return []draw.Hint{{Key: dc.Keys.FirstKeyText("yes-note") + " " + dc.Keys.FirstKeyText("no-note"), Text: "with a note", Action: "no-note"}}
	}
	return []draw.Hint{dc.ActionHint("note", "note")}
}

// questionAndAnswers returns the question with the keys of its answers, on one line if they fit, and the
// note if there is one. The keys are those of the pane with focus.
func (d *Dialog) questionAndAnswers(run *runview.Run, w int) []string {
	dc, text, inside := run.DrawContext, d.questionText(), run.Focus == layout.DialogPlace
	var keys []string
	for _, c := range d.answerOptions() {
		keys = append(keys, strings.TrimPrefix(dc.Key.Paint(c.keyFor(dc, inside))+" ", " ")+d.withDestination(dc, c))
	}
	for _, c := range d.alternatives() {
		if key := c.keyFor(dc, inside); key != "" {
			keys = append(keys, dc.Key.Paint(key)+" "+d.withDestination(dc, c))
		}
	}
	if !inside {
		h := dc.ActionHint("answer", "go to the question")
		keys = append(keys, dc.Key.Paint(h.Key)+" "+h.Text)
	}
	out := []string{dc.Bold.Paint(text) + "  " + strings.Join(keys, "  ")}
	switch {
	case d.question.Call != nil: // the question is above what the call would do
		out = dc.WrapItems(keys, w)
	case strings.Contains(text, "\n") || dc.Width(out[0]) > w:
		out = append(d.questionLines(dc, w), dc.WrapItems(keys, w)...)
	}
	if d.answerNote != "" {
		out = append(out, dc.Cut(dc.Muted.Paint("note: ")+draw.CleanLine(d.answerNote), w))
	}
	return out
}

// questionLines returns the question in lines.
func (q *openQuestion) questionLines(dc *draw.Context, w int) []string {
	return dc.PaintLines(dc.Bold, q.questionText(), w)
}

// withDestination returns the text of an answer, and where it leads if that is known.
func (q *openQuestion) withDestination(dc *draw.Context, c answerOption) string {
	if to := q.destinationByAnswer[c.value].text; to != "" {
		return c.label + dc.Muted.Paint(" → ") + to
	}
	return c.label
}

// AnswerAndDestination returns the question's own text for the answer of the action pass or fail, and where that answer
// leads, "" if that is unknown.
func (q *openQuestion) AnswerAndDestination(action string) (label, to string) {
	value := q.AnswerForAction(action)
	return q.answerLabel(value), q.destinationByAnswer[value].shortText
}

// KeyForAction returns the key, as text, of the question's own answer for the action pass or fail.
func (q *openQuestion) KeyForAction(dc *draw.Context, action string) string {
	for _, c := range q.answerOptions() {
		if slices.Contains(c.actions, action) {
			return firstKeyText(dc, c.actions)
		}
	}
	return dc.Keys.FirstKeyText(action)
}

// AnswerForAction returns the question's own answer for the action pass or fail.
func (q *openQuestion) AnswerForAction(action string) string {
	for _, c := range q.answerOptions() {
		if slices.Contains(c.actions, action) {
			return c.value
		}
	}
	return action
}
