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

// maxTextWidth is how wide a text is set, however wide the terminal is.
const maxTextWidth = 100

// textIndent sets a step's text apart from headings and output.
const textIndent = "    "

// indented prints a text below the line that names whose it is.
func (n *narrator) indented(text string) {
	text = strings.TrimSpace(sanitize.Text(text))
	if text == "" {
		return
	}
	if n.width > 0 {
		text = ansi.Wrap(text, max(20, min(n.width, maxTextWidth)-len(textIndent)), "")
	}
	for line := range strings.SplitSeq(text, "\n") {
		n.line("%s", strings.TrimRight(textIndent+line, " "))
	}
}

// enterStep begins a visit: groups that open say what they are about.
func (n *narrator) enterStep(e machine.Event, b *machine.Entered) {
	n.texts.call = nil
	for _, o := range b.Opened {
		delete(n.texts.printed, o.Step)
		if row := n.track.Row(o.Step); row != nil && n.ownText(row) != "" {
			n.line("%s", n.paint(bold, heading(row)))
			n.printText(row)
		}
	}
	delete(n.texts.printed, e.Step)
}

// ownText is a step's text, without that of the groups it is in.
func (n *narrator) ownText(row *track.Row) string {
	if row.Step == nil {
		return ""
	}
	return strings.TrimSpace(plan.Show(row.Step.Text, n.track.Scope(row)))
}

// printText prints a step's text, unless that is done.
func (n *narrator) printText(row *track.Row) {
	if row == nil || !n.isUnprinted(row) {
		return
	}
	n.indented(n.ownText(row))
	n.markPrinted(row.Label)
}

func (n *narrator) isUnprinted(row *track.Row) bool { return !n.texts.printed[row.Label] }

func (n *narrator) markPrinted(label string) {
	if n.texts.printed == nil {
		n.texts.printed = map[string]bool{}
	}
	n.texts.printed[label] = true
}

// unprintedText is a step's text behind that of its groups, as far as they are not printed.
func (n *narrator) unprintedText(row *track.Row) string {
	var parts []string
	for ; row != nil && row.Step != nil; row = row.Parent {
		if text := n.ownText(row); text != "" && n.isUnprinted(row) {
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

// printTextBefore prints a step's text before the event, where it is time.
func (n *narrator) printTextBefore(e machine.Event) {
	row := n.track.Row(e.Step)
	if row == nil || !row.Unit() {
		return
	}
	switch b := e.Body.(type) {
	case *machine.ActionStarted:
		if b.Kind == "model" && b.Text != "" {
			n.texts.call, n.texts.log, n.texts.part = b, journal.LogName(e.Seq), ""
			if b.Call != nil {
				n.texts.part = b.Part
			}
		} else if !asksModel(row) {
			n.printText(row)
		}
	case *machine.ActionFinished:
		n.printPrompt(row)
	case *machine.InputNeeded:
		asked := b.Kind == machine.KindDecide && !n.person || b.Kind == machine.KindAsk
		if asked && !asksModel(row) {
			n.printText(row)
		}
	case *machine.StepFinished:
		if !asksModel(row) && len(row.Step.Actions) == 0 {
			n.printText(row)
		}
	}
}

// printPrompt prints what a model is asked: the step's text where the prompt has that and
// more around it, as a format adds.
func (n *narrator) printPrompt(row *track.Row) {
	c := n.texts.call
	if c == nil || row == nil {
		return
	}
	n.texts.call = nil
	text := n.ownText(row)
	if text == "" || !strings.Contains(c.Text, text) || n.texts.part != "" {
		text = c.Text
	}
	if part := n.texts.part; part != "" {
		n.line("%s", n.paint(faint, mark(row.Label)+sanitize.Plain(part)))
	}
	n.indented(text)
	n.texts.prompt = text
	n.markPrinted(row.Label)
}

// replyLabel says what a reply answers: the step, or one of the calls it makes besides.
func (n *narrator) replyLabel() string {
	if n.texts.part == "" {
		return "reply"
	}
	return "reply to the " + sanitize.Plain(n.texts.part)
}

// printWholePrompt prints the prompt that somebody is to reply to, unless that is done.
func (n *narrator) printWholePrompt(step, prompt string) {
	if n.texts.prompt == prompt {
		return
	}
	n.texts.call, n.texts.prompt = nil, prompt
	n.indented(prompt)
	n.markPrinted(step)
}

// questionText is what a person is asked, with the step's text: in front if it is a
// line, above if it is more.
func (n *narrator) questionText(step, kind, asked string) (above, prompt string) {
	prompt = sanitize.Plain(asked)
	row := n.track.Row(step)
	if row == nil || kind != machine.KindDecide {
		return "", prompt
	}
	text := strings.TrimSpace(sanitize.Text(n.unprintedText(row)))
	if strings.Contains(text, "\n") {
		return text, prompt
	}
	switch {
	case text == "":
	case strings.HasSuffix(prompt, "?"):
		prompt += " " + text
	default:
		prompt += ": " + text
	}
	return "", prompt
}
