package lines

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"playhead/engine/journal"
	"playhead/engine/machine"
	"playhead/engine/sanitize"
	"playhead/engine/track"
	"playhead/parse/plan"
)

// stepTexts prints what steps say as the run comes to them, each once a visit. Where a
// person is asked at once the question has the text; where a model is asked it is the
// prompt that is sent.
type stepTexts struct {
	printed map[string]bool        // by label
	call    *machine.ActionStarted // of a model, whose prompt is not printed yet
	log     string                 // of that call
	prompt  string                 // the last one that was printed
	part    string                 // which call of the step's a reply is to; empty: its own
}

// mostWide is how wide a text is set, however wide the terminal is.
const mostWide = 100

// textIndent sets a step's text apart from headings and output.
const textIndent = "    "

// indented prints a text below the line that names whose it is.
func (t *LineUI) indented(text string) {
	text = strings.TrimSpace(sanitize.Text(text))
	if text == "" {
		return
	}
	if t.width > 0 {
		text = ansi.Wrap(text, max(20, min(t.width, mostWide)-len(textIndent)), "")
	}
	for line := range strings.SplitSeq(text, "\n") {
		t.line("%s", strings.TrimRight(textIndent+line, " "))
	}
}

// arrives begins a visit: groups that open say what they are about.
func (t *LineUI) arrives(e machine.Event, b *machine.Entered) {
	t.texts.call = nil
	for _, o := range b.Opened {
		delete(t.texts.printed, o.Step)
		if row := t.track.Row(o.Step); row != nil && t.ownText(row) != "" {
			t.line("%s", t.paint(bold, heading(row)))
			t.tell(row)
		}
	}
	delete(t.texts.printed, e.Step)
}

// ownText is a step's text, without that of the groups it is in.
func (t *LineUI) ownText(row *track.Row) string {
	if row.Step == nil {
		return ""
	}
	return strings.TrimSpace(plan.Show(row.Step.Text, t.track.Scope(row)))
}

// tell prints a step's text, unless that is done.
func (t *LineUI) tell(row *track.Row) {
	if row == nil || !t.untold(row) {
		return
	}
	t.indented(t.ownText(row))
	t.toldOf(row.Label)
}

func (t *LineUI) untold(row *track.Row) bool { return !t.texts.printed[row.Label] }

func (t *LineUI) toldOf(label string) {
	if t.texts.printed == nil {
		t.texts.printed = map[string]bool{}
	}
	t.texts.printed[label] = true
}

// untoldText is a step's text behind that of its groups, as far as they are not printed.
func (t *LineUI) untoldText(row *track.Row) string {
	var parts []string
	for ; row != nil && row.Step != nil; row = row.Parent {
		if text := t.ownText(row); text != "" && t.untold(row) {
			parts = append(parts, text)
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, "\n\n")
}

// asksModel reports whether a step's text is the prompt of a model.
func asksModel(row *track.Row) bool {
	return row.Step != nil && slices.ContainsFunc(row.Step.Actions, func(a plan.Action) bool {
		_, is := a.Work.(plan.Model)
		return is
	})
}

// tells prints a step's text before the event, where it is time.
func (t *LineUI) tells(e machine.Event) {
	row := t.track.Row(e.Step)
	if row == nil || !row.Unit() {
		return
	}
	switch b := e.Body.(type) {
	case *machine.ActionStarted:
		if b.Kind == "model" && b.Text != "" {
			t.texts.call, t.texts.log, t.texts.part = b, journal.LogName(e.Seq), ""
			if b.Call != nil {
				t.texts.part = b.Part
			}
		} else if !asksModel(row) {
			t.tell(row)
		}
	case *machine.ActionFinished:
		t.tellPrompt(row)
	case *machine.InputNeeded:
		asked := b.Kind == machine.KindDecide && !t.person || b.Kind == machine.KindAsk
		if asked && !asksModel(row) {
			t.tell(row)
		}
	case *machine.StepFinished:
		if !asksModel(row) && len(row.Step.Actions) == 0 {
			t.tell(row)
		}
	}
}

// tellPrompt prints what a model is asked: the step's text where the prompt has that and
// more around it, as a format adds.
func (t *LineUI) tellPrompt(row *track.Row) {
	c := t.texts.call
	if c == nil || row == nil {
		return
	}
	t.texts.call = nil
	text := t.ownText(row)
	if text == "" || !strings.Contains(c.Text, text) || t.texts.part != "" {
		text = c.Text
	}
	if part := t.texts.part; part != "" {
		t.line("%s", t.paint(faint, mark(row.Label)+sanitize.Plain(part)))
	}
	t.indented(text)
	t.texts.prompt = text
	t.toldOf(row.Label)
}

// replyTo says what a reply answers: the step, or one of the calls it makes besides.
func (t *LineUI) replyTo() string {
	if t.texts.part == "" {
		return "reply"
	}
	return "reply to the " + sanitize.Plain(t.texts.part)
}

// tellWhole prints the prompt that somebody is to reply to, unless that is done.
func (t *LineUI) tellWhole(step, prompt string) {
	if t.texts.prompt == prompt {
		return
	}
	t.texts.call, t.texts.prompt = nil, prompt
	t.indented(prompt)
	t.toldOf(step)
}
