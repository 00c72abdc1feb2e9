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

// stepTexts remembers which texts of steps are printed: each once a visit. A question shows the
// text of its step; for a model the prompt that is sent is printed.
type stepTexts struct {
	printed     map[string]bool        // by label
	pendingCall *machine.ActionStarted // of a model, whose prompt is not printed yet
	log         string                 // of that call
	prompt      string                 // the last one that was printed
	part        string                 // which call of the step's a reply is to; empty: its own
}

// maxTextWidth is the width of texts on wide terminals.
const maxTextWidth = 100

// textIndent sets texts apart from headings and output.
const textIndent = "    "

// indented prints a text below its heading.
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

// enterStep begins a visit. Groups that open print their text.
func (n *narrator) enterStep(e machine.Event, b *machine.Entered) {
	n.texts.pendingCall = nil
	for _, o := range b.Opened {
		delete(n.texts.printed, o.Step)
		if row := n.track.Row(o.Step); row != nil && n.ownText(row) != "" {
			n.line("%s", n.paint(bold, heading(row)))
			n.printText(row)
		}
	}
	delete(n.texts.printed, e.Step)
}

// ownText returns a step's text without that of its groups.
func (n *narrator) ownText(row *track.Row) string {
	if row.Step == nil {
		return ""
	}
	return strings.TrimSpace(plan.Show(row.Step.Text, n.track.Scope(row)))
}

// printText prints a step's text, unless it is printed already.
func (n *narrator) printText(row *track.Row) {
	if row == nil || n.hasPrinted(row) {
		return
	}
	n.indented(n.ownText(row))
	n.markPrinted(row.Label)
}

func (n *narrator) hasPrinted(row *track.Row) bool { return n.texts.printed[row.Label] }

func (n *narrator) markPrinted(label string) {
	if n.texts.printed == nil {
		n.texts.printed = map[string]bool{}
	}
	n.texts.printed[label] = true
}

// unprintedText returns the texts of a step and its groups that are not printed yet.
func (n *narrator) unprintedText(row *track.Row) string {
	var parts []string
	for ; row != nil && row.Step != nil; row = row.Parent {
		if text := n.ownText(row); text != "" && !n.hasPrinted(row) {
			parts = append(parts, text)
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, "\n\n")
}

// printTextBefore prints the step's text before an event that needs it.
func (n *narrator) printTextBefore(e machine.Event) {
	row := n.track.Row(e.Step)
	if row == nil || !row.IsExecutable() {
		return
	}
	switch b := e.Body.(type) {
	case *machine.ActionStarted:
		if b.Kind == "model" && b.Text != "" {
			n.texts.pendingCall, n.texts.log, n.texts.part = b, journal.LogName(e.Seq), ""
			if b.Call != nil {
				n.texts.part = b.Part
			}
		} else if !row.Step.AsksModel() {
			n.printText(row)
		}
	case *machine.ActionFinished:
		n.printPrompt(row)
	case *machine.InputNeeded:
		asked := b.Kind == machine.KindDecide && !n.person || b.Kind == machine.KindAsk
		if asked && !row.Step.AsksModel() {
			n.printText(row)
		}
	case *machine.StepFinished:
		if !row.Step.AsksModel() && len(row.Step.Actions) == 0 {
			n.printText(row)
		}
	}
}

// printPrompt prints what a model is asked: the step's text, where the format only adds to it.
func (n *narrator) printPrompt(row *track.Row) {
	c := n.texts.pendingCall
	if c == nil || row == nil {
		return
	}
	n.texts.pendingCall = nil
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

// replyLabel returns what a reply answers: the step, or another call of it, such as a check.
func (n *narrator) replyLabel() string {
	if n.texts.part == "" {
		return "reply"
	}
	return "reply to the " + sanitize.Plain(n.texts.part)
}

// printWholePrompt prints the prompt that a person replies to, unless it is printed already.
func (n *narrator) printWholePrompt(step, prompt string) {
	if n.texts.prompt == prompt {
		return
	}
	n.texts.pendingCall, n.texts.prompt = nil, prompt
	n.indented(prompt)
	n.markPrinted(step)
}

// questionText returns a question with the step's text: on its line if that is short, else above.
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
